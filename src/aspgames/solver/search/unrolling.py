"""A clingo program with a copy of a game's ground rules for each ply: true@0, does@0, true@1, …

The state at ply 0 is a choice, which an assumption of ``solve`` settles; the state at each later
ply is what follows from the one before. Who may do what at a ply is for the user to say
(``together``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

import clingo

from ...puzzle.goal import GoalKind
from ...puzzle.problem import Puzzle
from .open_rules import Move, OpenRules


class Writer:
    """Adds to a program, in the words that its users need. Literals below 0 are negations."""

    def __init__(self, backend: clingo.Backend) -> None:
        self._backend = backend

    def atom(self, *bodies: Sequence[int], name: clingo.Symbol | None = None) -> int:
        """An atom that is true where one of the bodies holds; without any, it is false."""
        atom = self._backend.add_atom(name)
        for body in bodies:
            self.rule(atom, body)
        return atom

    def rule(self, head: int, body: Sequence[int]) -> None:
        """One more reason for an atom to be true."""
        self._backend.add_rule([head], body)

    def open(self, atom: int, body: Sequence[int] = ()) -> int:
        """Let an atom be true or not, where a body holds."""
        self.open_all([atom], body)
        return atom

    def open_all(self, atoms: Sequence[int], body: Sequence[int]) -> None:
        """Let each of some atoms be true or not, where a body holds."""
        self._backend.add_rule(atoms, body, True)

    def never(self, *body: int) -> None:
        """Forbid that all of some literals hold."""
        self._backend.add_rule([], body)

    def at_least(self, bound: int, weighted: Iterable[tuple[int, int]]) -> int:
        """An atom that is true where the weights of the true literals come to a bound."""
        atom = self._backend.add_atom()
        self._backend.add_weight_rule([atom], bound, list(weighted))
        return atom

    def several(self, literals: Iterable[int]) -> int:
        """An atom that is true where two or more of some literals are."""
        return self.at_least(2, [(literal, 1) for literal in literals])

    def copy(self, rules: OpenRules, atoms: list[int]) -> None:
        """Add ground rules; ``atoms`` has the atom to put for each, or 0 for one to be made."""
        for atom, known in enumerate(atoms):
            if atom and not known:
                atoms[atom] = self._backend.add_atom()
        add_rule = self._backend.add_rule
        for head, body in rules.rules:
            add_rule([atoms[head]], [atoms[n] if n > 0 else -atoms[-n] for n in body])
        for head, bound, weighted in rules.sums:
            renamed = [(atoms[n] if n > 0 else -atoms[-n], weight) for n, weight in weighted]
            self._backend.add_weight_rule([atoms[head]], bound, renamed)


@dataclass(frozen=True, slots=True)
class Ply:
    """The atoms of one ply: a state, what the rules say of it, and what is done in it."""

    true: list[int]
    """The open fluents, in the order of ``Unrolled.fluents``."""
    following: list[int]
    """The same fluents in the next state."""
    does: dict[Move, int]
    """Atoms yet without a rule: the moves that can be made at all."""
    legal: dict[Move, int]
    able: dict[str, int]
    """Whether a role has a legal move, over or not."""
    on_move: dict[str, int]
    """Whether a role is on move, or would be."""
    terminal: int
    over: int
    """Whether there is nothing to play: a terminal state, or the side on move is stuck."""
    reached: int
    """Whether the goal stands."""
    unsettled: int
    """Whether it is a state that no puzzle is for: several sides have a choice, or two values."""


class Unrolled:
    """Plies of a puzzle's game in one clingo control."""

    def __init__(self, rules: OpenRules, puzzle: Puzzle) -> None:
        self.rules = rules
        self.fluents = list(rules.true)
        self.attacker = puzzle.attacker
        self.defender = puzzle.defender
        self.control = clingo.Control(logger=lambda *_: None)
        self._goal = puzzle.goal
        self.players = sorted({*puzzle.sides, *(role for role, _ in rules.legal)})

    def add_ply(self, write: Writer, true: list[int] | None = None) -> Ply:
        """Add a copy of the rules for a state with these fluents; None leaves the state open."""
        rules = self.rules
        if true is None:
            true = [write.open(write.atom()) for _ in self.fluents]
        atoms = [0] * (rules.atoms + 1)
        for fluent, atom in zip(self.fluents, true, strict=True):
            atoms[rules.true[fluent]] = atom
        write.copy(rules, atoms)
        false = write.atom()

        def at(number: int | None) -> int:
            return atoms[number] if number else false

        legal = {move: at(number) for move, number in rules.legal.items()}
        moves = {p: [atom for (role, _), atom in legal.items() if role == p] for p in self.players}
        able = {p: write.atom(*([atom] for atom in moves[p])) for p in self.players}
        several = {p: write.several(moves[p]) for p in self.players}
        on_move = self._on_move(
            write, {role: at(n) for role, n in rules.to_move.items()}, legal, several
        )
        terminal = at(rules.terminal)
        over = write.atom(
            [terminal],
            [-atom for atom in on_move.values()],
            *([on_move[player], -able[player]] for player in self.players),
        )
        values = {v: at(n) for (role, v), n in rules.goals.items() if role == self.attacker}
        several_values = write.several(values.values())
        unsettled = write.atom(
            *([-terminal, -on_move[player], -able[player]] for player in self.players),
            *([-terminal, -on_move[player], several[player]] for player in self.players),
            [terminal, several_values],
            *([terminal, atom] for value, atom in values.items() if value < 0),
        )
        return Ply(
            true=true,
            following=[at(rules.following.get(fluent)) for fluent in self.fluents],
            does={move: at(number) for move, number in rules.does.items()},
            legal=legal,
            able=able,
            on_move=on_move,
            terminal=terminal,
            over=over,
            reached=self._reached(write, terminal, values, several_values, able, on_move),
            unsettled=unsettled,
        )

    def _on_move(
        self,
        write: Writer,
        to_move: dict[str, int],
        legal: dict[Move, int],
        several: dict[str, int],
    ) -> dict[str, int]:
        """Who is on move: the one of ``to_move/1``; without that, the one that doesn't just pass.

        Nobody is where several would be.
        """
        said = write.atom(*([atom] for atom in to_move.values()))
        candidates = {role: write.atom([atom]) for role, atom in to_move.items()}
        for player in self.players:
            candidate = candidates.setdefault(player, write.atom())
            noop = legal.get((player, "noop"))
            passes = write.atom([noop, -several[player]]) if noop else write.atom()
            write.rule(candidate, [-said, -passes])
        return {
            player: write.atom(
                [candidates[player], *(-c for role, c in candidates.items() if role != player)]
            )
            for player in self.players
        }

    def _reached(
        self,
        write: Writer,
        terminal: int,
        values: dict[int, int],
        several: int,
        able: dict[str, int],
        on_move: dict[str, int],
    ) -> int:
        """Whether the goal stands, as ``Goal.holds`` has it."""
        match self._goal.kind:
            case GoalKind.TRAP:
                assert self.defender is not None  # there is somebody to trap
                return write.atom([on_move[self.defender], -able[self.defender]])
            case GoalKind.WIN:
                return write.atom([terminal, values[100]]) if 100 in values else write.atom()
            case GoalKind.SCORE:
                if self._goal.score == 0:
                    return write.atom([])  # a role without a value has 0
                enough = [atom for value, atom in values.items() if value >= self._goal.score]
                return write.atom(*([atom, -several] for atom in enough))
            case _:
                assert_never(self._goal.kind)
