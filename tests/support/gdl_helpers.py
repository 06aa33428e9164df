"""Helpers for tests of rule sheets: sheets as games, and two games played in lockstep."""

from pathlib import Path
from random import Random

import aspgames
from aspgames import Game, State
from aspgames.game.kif_export.rule_sheet import sheet_of_game
from aspgames.gdl.kif.readable_encoding import encoding_of_sheet

PAWNS = """
(role white) (role black)
(file a) (file b) (file c)
(ahead 1 2) (ahead 2 3) (ahead 3 4)
(init (cell a 1 wp)) (init (cell b 1 wk))
(init (cell a 4 bp)) (init (cell b 4 bk))
(<= (init (cell ?x 2 b)) (file ?x))
(<= (init (cell ?x 3 b)) (file ?x))
(init (cell c 1 b)) (init (cell c 4 b))
(init (control white)) (init (turn 1))
(owner wp white) (owner wk white) (owner bp black) (owner bk black)
(<= (steps white ?y ?v) (ahead ?y ?v))
(<= (steps black ?y ?v) (ahead ?v ?y))
(<= (legal ?r (go ?x ?y ?v)) (true (control ?r)) (true (cell ?x ?y ?p)) (owner ?p ?r)
    (steps ?r ?y ?v) (true (cell ?x ?v b)))
(<= (legal ?r pass) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (moved ?x ?y) (does ?r (go ?x ?y ?v)))
(<= (moved ?x ?v) (does ?r (go ?x ?y ?v)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (moved ?x ?y)))
(<= (next (cell ?x ?y b)) (does ?r (go ?x ?y ?v)))
(<= (next (cell ?x ?v ?p)) (does ?r (go ?x ?y ?v)) (true (cell ?x ?y ?p)))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= (next (turn ?n)) (true (turn ?m)) (follows ?m ?n))
(follows 1 2) (follows 2 3) (follows 3 4) (follows 4 5) (follows 5 6)
(<= terminal (true (turn 6)))
(<= (goal ?r 50) (role ?r))
"""

WALK = """
(role speed+)
(next_to 0 1) (next_to 1 2)
(<= (beside ?a ?b) (or (next_to ?a ?b) (next_to ?b ?a)))
(init (at 0 0 walker)) (init (at 2 2 Rock)) (init (at 1 2 rock))
(<= (legal speed+ (walk-to ?x ?y)) (true (at ?u ?v walker)) (free ?x ?y)
    (or (and (beside ?x ?u) (distinct ?x ?u) (same ?y ?v)) (and (same ?x ?u) (beside ?y ?v))))
(<= (free ?x ?y) (column ?x) (column ?y) (not (true (at ?x ?y rock))))
(column 0) (column 1) (column 2)
(<= (same ?x ?x) (column ?x))
(<= (next (at ?x ?y walker)) (does speed+ (walk-to ?x ?y)))
(<= (next (at ?x ?y rock)) (true (at ?x ?y rock)))
(<= terminal (true (at 2 0 walker)))
(<= (goal speed+ 100) terminal)
(<= (goal speed+ 0) (not terminal))
"""


def sheet(folder: Path, text: str, name: str = "sheet") -> Path:
    file = folder / f"{name}.kif"
    file.write_text(text, encoding="utf-8")
    return file


def imported(file: Path) -> Game:
    encoding = file.with_name(f"{file.stem}_imported.lp")
    encoding.write_text(encoding_of_sheet(file), encoding="utf-8")
    return aspgames.load(encoding)


def exported(game: Game, folder: Path) -> Path:
    return sheet(folder, sheet_of_game(game), f"{game.name}_exported")


def in_lockstep(one: Game, other: Game, games: int = 1, plies: int = 30) -> None:
    """Play random games of both, and compare their answers in each state."""
    for seed in range(games):
        random = Random(seed)
        states = one.initial, other.initial
        for _ in range(plies):
            said, too = map(_said, states)
            assert said == too
            playable = {role: moves for role, moves in said[1].items() if moves}
            if states[0].is_terminal or len(playable) < len(one.roles):
                break
            joint = {role: random.choice(moves) for role, moves in playable.items()}
            states = states[0].play(joint), states[1].play(joint)


def _said(state: State) -> tuple[object, dict[str, list[str]], object, object]:
    legal = {role: sorted(move.term for move in moves) for role, moves in state.legal.items()}
    return state.facts, legal, state.is_terminal, dict(state.goals)
