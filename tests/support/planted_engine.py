"""An engine for the tests of the cross-check: right but for one planted bug.

    python planted_engine.py BUG

It speaks the JSON lines of ``aspgames serve``, and is that but for one change in a game's rules or
in its answers.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from aspgames.cli.server.oracle import Server
from aspgames.game.game import Game, game_of_encoding
from aspgames.game.notation.term_input import parse_facts
from aspgames.gdl.encoding import read_encoding
from aspgames.gdl.reasoner import Consequences, Facts
from aspgames.propnet.batch_reasoner import BatchReasoner


@dataclass(frozen=True)
class Bug:
    """A bug, and what the cross-check must say of it."""

    game: str
    pieces: int
    """The fewest pieces on the board with which it shows."""
    kind: str
    old: str = ""
    """What stands in the rules, instead of which there is ``new``."""
    new: str = ""
    decided_by: str = ""
    """The rule of ours that the report must name first, if there is one that explains it all."""
    because: str = ""
    """What the report says of the rules' reasons, among other things."""
    constants: tuple[str, ...] = ()


BUGS = {
    "no shot through the square just left": Bug(
        game="amazons",
        pieces=1,
        kind="legal",
        because="the shot from",
        old="shoots(X,Y,U,V,D,X,Y) :- moves(X,Y,U,V),          step(D,U,V,X,Y).",
        decided_by="shoots(X,Y,U,V,D,X,Y) :- moves(X,Y,U,V),          step(D,U,V,X,Y).",
    ),
    "slides that jump": Bug(
        game="amazons_8x8",
        pieces=2,
        kind="legal",
        because="is occupied by a black amazon",
        old="slide(X,Y,D,U,V) :- slide(X,Y,D,P,Q), step(D,P,Q,U,V), empty(U,V).",
        new="slide(X,Y,D,U,V) :- slide(X,Y,D,P,Q), step(D,P,Q,U,V).",
        decided_by="slide(X,Y,D,U,V) :- slide(X,Y,D,P,Q), step(D,P,Q,U,V), empty(U,V).",
    ),
    "an arrow that is not placed": Bug(
        game="amazons_10x10",
        pieces=1,
        kind="facts",
        old="next(cell(U,V,arrow)) :- does(_,fire(U,V)).",
        decided_by="next(cell(U,V,arrow)) :- does(_,fire(U,V)).",
    ),
    "fire phase from any piece": Bug(
        game="amazons_10x10",
        pieces=2,
        kind="legal",
        because="the amazon that has just moved stands on",
        old="true(just_moved(X,Y)), slide(X,Y,_,U,V).",
        new="true(cell(X,Y,R)), slide(X,Y,_,U,V).",
        decided_by="legal(R,fire(U,V)) :- true(turn(R,fire)), true(just_moved(X,Y)), "
        "slide(X,Y,_,U,V).",
    ),
    "straight capture": Bug(
        game="breakthrough",
        pieces=2,
        kind="legal",
        because="straight ahead leads to empty squares only",
        old="step(D,X,Y,U,V), empty(U,V).",
        new="step(D,X,Y,U,V), not true(cell(U,V,R)).",
        decided_by="legal(R,move(X,Y,U,V)) :- to_move(R), true(cell(X,Y,R)), ahead(R,D),  "
        "step(D,X,Y,U,V), empty(U,V).",
    ),
    "a win on the last row missed": Bug(
        game="breakthrough",
        pieces=2,
        kind="terminal",
        because="stands on its last row",
        old="won(R) :- last_row(R,Y), true(cell(_,Y,R)).",
        decided_by="won(R) :- last_row(R,Y), true(cell(_,Y,R)).",
    ),
    "a side without pieces not ended": Bug(
        game="breakthrough",
        pieces=1,
        kind="terminal",
        because="has no piece left",
        old="won(R) :- opponent(R,S), not true(cell(_,_,S)).",
        decided_by="won(R) :- opponent(R,S), not true(cell(_,_,S)).",
    ),
    # A pawn that could capture, too: if White could not move, the game would be over.
    "pawns moving straight": Bug(
        game="skirmish",
        pieces=2,
        kind="legal",
        because="a pawn moves by capturing only",
        old="goes(X,Y,U,V) :- true(cell(X,Y,king(_)))",
        new="goes(X,Y,X,Y+1) :- true(cell(X,Y,pawn(white))), empty(X,Y+1).\n"
        "goes(X,Y,U,V) :- true(cell(X,Y,king(_)))",
    ),
    "a hole landed on": Bug(
        game="skirmish",
        pieces=2,
        kind="legal",
        because="is off limits",
        old="                       square(X+DX,Y+DY).",
        new="                       X+DX = 1..8, Y+DY = 1..8.",
    ),
    "a slider through a hole": Bug(
        game="skirmish",
        pieces=2,
        kind="legal",
        because="which is off limits",
        old="% A slider goes to any",
        new="slide(X,Y,D,X+3*DX,Y+3*DY) :- slide(X,Y,D,X+DX,Y+DY), direction(D,DX,DY),\n"
        "    hole(X+2*DX,Y+2*DY), empty(X+3*DX,Y+3*DY).\n% A slider goes to any",
    ),
    "promotion missed": Bug(
        game="skirmish",
        pieces=2,
        kind="facts",
        old="next(cell(U,V,queen(R))) :- does",
        new="next(cell(U,V,pawn(R))) :- does",
    ),
    "step limit off by one": Bug(
        game="skirmish",
        pieces=2,
        kind="terminal",
        because="it is step 60, the last",
        old="terminal    :- true(step(60)).",
        decided_by="terminal    :- true(step(60)).",
    ),
    "the wrong side scored": Bug(
        game="skirmish",
        pieces=3,  # with two, the game ends, and with two values for a side: that is an error
        kind="facts",
        old="captures(R), N < 59.",
        new="captures(S), R != S, N < 59.",
    ),
    "constants ignored": Bug(
        game="breakthrough",
        pieces=2,
        kind="legal",
        because="is off the board",
        constants=("width=4", "height=5"),
    ),
    # 1.3 in a thousand of 10,570 positions of a walk had these pieces there, White on move.
    "one move missing in one position in a thousand": Bug(
        game="breakthrough",
        pieces=3,
        kind="legal",
        because="is aslant ahead",
    ),
}


class Quick:
    """A reasoner for single states from the net of all positions."""

    def __init__(self, game: Game) -> None:
        self._batch = BatchReasoner(game.rules, game.vocabulary.base)
        self._known: dict[Facts, Consequences] = {}

    def consequences(self, facts: Facts) -> Consequences:
        if facts not in self._known:
            self._known = {facts: self._batch.consequences([facts])[0]}
        return self._known[facts]

    def successor(self, facts: Facts, joint: Mapping[str, str]) -> Facts:
        return self._batch.successors([facts], [joint])[0]


class PlantedServer(Server):
    """The oracle with a bug."""

    def __init__(self, name: str) -> None:
        self.bug, self.name = BUGS[name], name
        encoding = read_encoding(self.bug.game)
        if self.bug.old:
            old, new = self.bug.old, self.bug.new
            found = [s for s in encoding.sources if old in s.text]
            assert len(found) == 1, f"{old!r} is in {len(found)} files"
            changed = {found[0]: replace(found[0], text=found[0].text.replace(old, new))}
            encoding = replace(encoding, sources=tuple(changed.get(s, s) for s in encoding.sources))
        super().__init__([encoding])

    def load(self, name: str, constants: Mapping[str, Any]) -> Game:
        """A game that is quicker than the oracle's own: positions are asked of a net."""
        if self.name == "constants ignored":
            constants = {}
        game = game_of_encoding(self._encodings[name], constants)
        if name != "amazons" and "reasoner" not in vars(game.prepared):
            vars(game.prepared)["reasoner"] = Quick(game)
            # What the cross-check sends is checked already.
            vars(game)["position"] = lambda text: game.state(parse_facts(text))
        return game

    def answer(self, line: bytes | None) -> dict[str, Any]:
        """An answer with its fault."""
        answer = super().answer(line)
        pattern = {"cell(2,3,white)", "cell(2,4,white)", "cell(3,4,black)", "control(white)"}
        if self.name.startswith("one move missing") and pattern <= set(answer.get("facts", ())):
            answer["legal"]["white"] = [m for m in answer["legal"]["white"] if m != "move(2,3,3,4)"]
        return answer


if __name__ == "__main__":
    PlantedServer(sys.argv[1]).run(sys.stdin.buffer, sys.stdout)
