"""From state to state: what clingo says of a state, its legal moves and what each leads to.

A question is one ply of the rules (see ``unrolled``) with a state, and its answers are models: each
a move with the state after it. A single question is a ``solve`` under assumptions, for which clingo
goes through the whole program; so where there are many, a program with all of them as a choice is
solved once, which is several times as fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import clingo

from ..budget import Budget
from ..errors import BadRequest, RulesError
from ..puzzle.problem import Puzzle
from .open_rules import Move, OpenRules
from .unrolled import Unrolled, Writer

State = int
"""A state as the set of its open fluents: a bit for each."""

_BATCH = 300  # questions; more of them get in each other's way
_FEW = 40  # questions that aren't worth a program of their own


@dataclass(frozen=True, slots=True)
class View:
    """What a puzzle needs to know of a state."""

    reached: bool
    """Whether the goal stands."""
    over: bool
    """Whether there is nothing to play: a terminal state, or the side on move is stuck."""
    attacks: bool
    """Whether the attacker is on move, or would be."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask of a state: what it is, and where its moves lead, or one of them."""

    state: State
    moves: bool = False
    """Whether to ask for all moves of the side on move."""
    move: Move | None = None
    """The one move to ask for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a state is, and the states after the moves that were asked for, if they are legal."""

    view: View
    after: dict[str, State]


class Stepper:
    """Answers for the states that can follow from the one the rules were grounded for."""

    def __init__(self, rules: OpenRules, puzzle: Puzzle, budget: Budget) -> None:
        self.budget = budget
        self._rules, self._puzzle = rules, puzzle
        self._program = _Program(rules, puzzle)
        self.attacker = self._program.unrolled.attacker
        self.defender = self._program.unrolled.defender
        self._answers: dict[Question, Answer] = {}
        holds = set(puzzle.state.facts)
        self.start = sum(1 << place for place, held in enumerate(rules.true) if held in holds)

    def look(self, state: State) -> View:
        """What the state is."""
        return self.ask(Question(state)).view

    def ask(self, question: Question) -> Answer:
        """The answer to a question. Raises ``BadRequest`` if no puzzle is for such a state."""
        known = self._answers.get(question)
        if known is None:
            self.budget.check()
            known = self._answers[question] = self._program.ask(question)
        return known

    def prepare(self, questions: Iterable[Question]) -> None:
        """Have answers at hand for many questions."""
        wanted = iter({question: None for question in questions if question not in self._answers})
        while batch := list(islice(wanted, _BATCH)):
            if len(batch) < _FEW:
                return
            self.budget.check()
            self._answers.update(_Batch(self._rules, self._puzzle, batch).answers())

    def forget(self) -> None:
        """Drop the answers at hand."""
        self._answers.clear()


@dataclass(slots=True)
class _Reading:
    """What a model says."""

    question: int
    """The number of the question that it answers."""
    flags: set[str]
    done: dict[str, str]
    after: State


class _Program:
    """One ply of the rules, to be asked about any state."""

    def __init__(self, rules: OpenRules, puzzle: Puzzle) -> None:
        self.unrolled = Unrolled(rules, puzzle)
        self._meaning: dict[clingo.Symbol, int | Move | str] = {}
        self.unrolled.control.configuration.solve.models = 0  # type: ignore[union-attr]
        with self.unrolled.control.backend() as backend:
            self._write(Writer(backend))

    def ask(self, question: Question) -> Answer:
        """The answer to a question."""
        state, move = question.state, self._does.get(question.move) if question.move else None
        assumed = [a if state >> place & 1 else -a for place, a in enumerate(self._true)]
        if move is not None:
            assumed.append(move)
        assumed.append(-self._look if move or question.moves else self._look)
        models = self._solve(assumed)
        return self._answer(question, models) if models else self.ask(Question(state))

    def _write(self, write: Writer) -> None:
        self._true = [write.open(write.atom()) for _ in self.unrolled.fluents]
        self._look = write.open(write.atom())
        self._write_ply(write)

    def _write_ply(self, write: Writer) -> None:
        """The ply and what its models show; just to look, nobody does anything in it."""
        program = self.unrolled
        ply = program.add_ply(write, self._true)
        self._does = ply.does
        for player in program.players:
            mine = [atom for (role, _), atom in ply.does.items() if role == player]
            for move, atom in ply.does.items():
                if move[0] == player:
                    write.open(atom, [ply.legal[move], -ply.over, -self._look])
            write.never(write.several(mine))
            write.never(-ply.over, -self._look, *(-atom for atom in mine))
        for place, atom in enumerate(ply.following):
            write.rule(self._shown(write, 1 << place), [atom])
        for move, atom in ply.does.items():
            write.rule(self._shown(write, move), [atom])
        flags = {
            "reached": ply.reached,
            "over": ply.over,
            "attacks": ply.turn[program.attacker],
            "unsettled": ply.unsettled,
        }
        for flag, atom in flags.items():
            write.rule(self._shown(write, flag), [atom])

    def _shown(self, write: Writer, meaning: int | Move | str) -> int:
        """An atom that models tell of: by a symbol with a number of its own.

        A bit of the next state, a move, a flag; a number below 0 is a question.
        """
        name = clingo.Function("holds", [clingo.Number(len(self._meaning))])
        self._meaning[name] = meaning
        return write.atom(name=name)

    def _solve(self, assumed: Sequence[int]) -> list[_Reading]:
        models: list[Sequence[clingo.Symbol]] = []
        self.unrolled.control.solve(
            assumptions=assumed,
            on_model=lambda model: models.append(model.symbols(shown=True)),
        )
        return [self._read(symbols) for symbols in models]

    def _read(self, symbols: Sequence[clingo.Symbol]) -> _Reading:
        question = after = 0
        flags: set[str] = set()
        done: dict[str, str] = {}
        for symbol in symbols:
            meaning = self._meaning[symbol]
            if isinstance(meaning, int):
                if meaning < 0:
                    question = ~meaning
                else:
                    after |= meaning
            elif isinstance(meaning, tuple):
                role, term = meaning
                done[role] = term
            else:
                flags.add(meaning)
        return _Reading(question, flags, done, after)

    def _answer(self, question: Question, readings: Sequence[_Reading]) -> Answer:
        """The answer that models to a question make."""
        flags = readings[0].flags
        if "unsettled" in flags:
            raise BadRequest("puzzles are for games in which one side moves at a time")
        view = View("reached" in flags, "over" in flags, "attacks" in flags)
        mover = self.unrolled.attacker if view.attacks else self.unrolled.defender
        after: dict[str, State] = {}
        for reading in readings:
            term = reading.done.get(mover)
            if term is None or not (question.moves or question.move == (mover, term)):
                continue
            if after.setdefault(term, reading.after) != reading.after:
                raise RulesError(f"the rules don't settle what follows from {term}")
        return Answer(view, after)


class _Batch(_Program):
    """One ply of the rules with many questions: models answer one or the other."""

    def __init__(self, rules: OpenRules, puzzle: Puzzle, questions: Sequence[Question]) -> None:
        self._questions = questions
        super().__init__(rules, puzzle)
        # The questions are the first atoms; so this decides on one before anything else.
        self.unrolled.control.configuration.solver.heuristic = "none"  # type: ignore[union-attr]

    def answers(self) -> dict[Question, Answer]:
        """The answers; a move that isn't legal has none."""
        found: dict[int, list[_Reading]] = {}
        for reading in self._solve(()):
            found.setdefault(reading.question, []).append(reading)
        return {
            self._questions[number]: self._answer(self._questions[number], readings)
            for number, readings in found.items()
        }

    def _write(self, write: Writer) -> None:
        chosen = [write.open(self._shown(write, ~n)) for n in range(len(self._questions))]
        write.never(*(-atom for atom in chosen))
        write.never(write.several(chosen))
        self._true = [write.atom() for _ in self.unrolled.fluents]
        self._look = write.atom()
        self._write_ply(write)
        for atom, question in zip(chosen, self._questions, strict=True):
            self._pose(write, atom, question)

    def _pose(self, write: Writer, chosen: int, question: Question) -> None:
        """Have a question's state, and a move that it asks for, where it is chosen."""
        state = question.state
        true = [atom for place, atom in enumerate(self._true) if state >> place & 1]
        write.open_all(true, [chosen])
        write.never(chosen, -write.atom(true))
        move = self._does.get(question.move) if question.move else None
        if move is not None:
            write.never(chosen, -move)
        elif not question.moves:
            write.rule(self._look, [chosen])
