"""An engine with one planted bug, for the tests of the cross-check.

    python planted_engine.py BUG

It is ``aspgames serve`` with one change in a game's rules or in the answers.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from aspgames.cli.server.oracle import Server
from aspgames.game.game import Game, game_of_encoding
from aspgames.game.notation.term_input import parse_facts
from aspgames.gdl.encoding import read_encoding
from aspgames.propnet.net_reasoner import NetReasoner
from aspgames.runtime.json_lines import encode, read_lines


@dataclass(frozen=True)
class Bug:
    """A bug in a game's rules, and what the cross-check must report."""

    game: str
    pieces: int
    """The fewest pieces on the board for which the bug shows."""
    kind: str
    because: str = ""
    """A part of the report's reasons."""
    decided_by: str = ""
    """The rule that the report must name first, if one rule explains everything."""
    old: str = ""
    """The text in the rules that ``new`` replaces: the deciding rule, unless given."""
    new: str = ""
    constants: tuple[str, ...] = ()


BUGS = {
    "no shot through the square just left": Bug(
        "amazons", 1, "legal", "the shot from",
        "shoots(X,Y,U,V,D,X,Y) :- moves(X,Y,U,V),          step(D,U,V,X,Y).",
    ),
    "slides that jump": Bug(
        "amazons_8x8", 2, "legal", "is occupied by a black amazon",
        "slide(X,Y,D,U,V) :- slide(X,Y,D,P,Q), step(D,P,Q,U,V), empty(U,V).",
        new="slide(X,Y,D,U,V) :- slide(X,Y,D,P,Q), step(D,P,Q,U,V).",
    ),
    "an arrow that is not placed": Bug(
        "amazons_10x10", 1, "facts", decided_by="next(cell(U,V,arrow)) :- does(_,fire(U,V)).",
    ),
    "fire phase from any piece": Bug(
        "amazons_10x10", 2, "legal", "where the amazon that has just moved stands",
        "legal(R,fire(U,V)) :- true(turn(R,fire)), true(just_moved(X,Y)), slide(X,Y,_,U,V).",
        "true(just_moved(X,Y)), slide(X,Y,_,U,V).",
        "true(cell(X,Y,R)), slide(X,Y,_,U,V).",
    ),
    "straight capture": Bug(
        "breakthrough", 2, "legal", "straight ahead leads to empty squares only",
        "legal(R,move(X,Y,U,V)) :- to_move(R), true(cell(X,Y,R)), ahead(R,D),  "
        "step(D,X,Y,U,V), empty(U,V).",
        "step(D,X,Y,U,V), empty(U,V).",
        "step(D,X,Y,U,V), not true(cell(U,V,R)).",
    ),
    "a win on the last row missed": Bug(
        "breakthrough", 2, "terminal", "stands on its last row",
        "won(R) :- last_row(R,Y), true(cell(_,Y,R)).",
    ),
    "a side without pieces not ended": Bug(
        "breakthrough", 1, "terminal", "has no piece left",
        "won(R) :- opponent(R,S), not true(cell(_,_,S)).",
    ),
    # The pawn can also capture: if White couldn't move, the game would be over.
    "pawns moving straight": Bug(
        "skirmish", 2, "legal", "a pawn moves by capturing only",
        old="goes(X,Y,U,V) :- true(cell(X,Y,king(_)))",
        new="goes(X,Y,X,Y+1) :- true(cell(X,Y,pawn(white))), empty(X,Y+1).\n"
        "goes(X,Y,U,V) :- true(cell(X,Y,king(_)))",
    ),
    "a hole landed on": Bug(
        "skirmish", 2, "legal", "is off limits",
        old="                       square(X+DX,Y+DY).",
        new="                       X+DX = 1..8, Y+DY = 1..8.",
    ),
    "a slider through a hole": Bug(
        "skirmish", 2, "legal", "which is off limits",
        old="goes(X,Y,U,V) :- slide(X,Y,_,U,V).",
        new="slide(X,Y,D,X+3*DX,Y+3*DY) :- slide(X,Y,D,X+DX,Y+DY), direction(D,DX,DY),\n"
        "    hole(X+2*DX,Y+2*DY), empty(X+3*DX,Y+3*DY).\n"
        "goes(X,Y,U,V) :- slide(X,Y,_,U,V).",
    ),
    "promotion missed": Bug(
        "skirmish", 2, "facts",
        old="next(cell(U,V,queen(R))) :- does", new="next(cell(U,V,pawn(R))) :- does",
    ),
    "step limit off by one": Bug(
        "skirmish", 2, "terminal", "it is step 60, the last", "terminal    :- true(step(60)).",
    ),
    # With two pieces, the game ends while a side has two goal values, which is an error.
    "the wrong side scored": Bug(
        "skirmish", 3, "facts", old="captures(R), N < 59.", new="captures(S), R != S, N < 59.",
    ),
    "constants ignored": Bug(
        "breakthrough", 2, "legal", "is off the board", constants=("width=4", "height=5"),
    ),
    # In a walk of 10,570 positions, 0.13 % had these pieces there with White on move.
    "one move missing in one position in a thousand": Bug(
        "breakthrough", 3, "legal", "is aslant ahead",
    ),
}  # fmt: skip


class PlantedServer(Server):
    """The oracle with a bug."""

    def __init__(self, name: str) -> None:
        self.bug, self.name = BUGS[name], name
        encoding = read_encoding(self.bug.game)
        if old := self.bug.old or self.bug.decided_by:
            assert sum(old in source.text for source in encoding.sources) == 1
            sources = (replace(s, text=s.text.replace(old, self.bug.new)) for s in encoding.sources)
            encoding = replace(encoding, sources=tuple(sources))
        super().__init__([encoding])

    def load(self, name: str, constants: Mapping[str, Any]) -> Game:
        """The game, with a net that is faster than the oracle's own reasoner."""
        if self.name == "constants ignored":
            constants = {}
        game = game_of_encoding(self._encodings[name], constants)
        if name != "amazons" and "grounder" not in vars(game):
            vars(game)["grounder"] = NetReasoner(game.rules, game.vocabulary.base)
            # The positions need no check: the cross-check has checked them.
            vars(game)["position"] = lambda text: game.state(parse_facts(text))
        return game

    def answer(self, line: bytes | None) -> dict[str, Any]:
        """The oracle's answer, without one move if that is the bug."""
        answer = super().answer(line)
        pattern = {"cell(2,3,white)", "cell(2,4,white)", "cell(3,4,black)", "control(white)"}
        if self.name.startswith("one move missing") and pattern <= set(answer.get("facts", ())):
            answer["legal"]["white"] = [m for m in answer["legal"]["white"] if m != "move(2,3,3,4)"]
        return answer


if __name__ == "__main__":
    server = PlantedServer(sys.argv[1])
    for line in read_lines(sys.stdin.buffer):
        print(encode(server.answer(line)), flush=True)
