"""What the tests of rule sheets share: sheets as games, and two games played in lockstep."""

from __future__ import annotations

from pathlib import Path
from random import Random

import aspgames
from aspgames import Game, State
from aspgames.game.kif_export.rule_sheet import sheet_of_game
from aspgames.gdl.kif.readable_encoding import encoding_of_sheet


def sheet(folder: Path, text: str, name: str = "sheet") -> Path:
    """A file with a rule sheet."""
    file = folder / f"{name}.kif"
    file.write_text(text, encoding="utf-8")
    return file


def imported(file: Path) -> Game:
    """The game of the encoding that a sheet is imported as."""
    encoding = file.with_name(f"{file.stem}_imported.lp")
    encoding.write_text(encoding_of_sheet(file), encoding="utf-8")
    return aspgames.load(encoding)


def exported(game: Game, folder: Path) -> Path:
    """The rule sheet that a game is exported as."""
    return sheet(folder, sheet_of_game(game), f"{game.name}_exported")


def in_lockstep(one: Game, other: Game, games: int = 2, plies: int = 200) -> None:
    """Play random games of both, and hold what each says of each state against the other."""
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
