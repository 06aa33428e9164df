"""Compares the kernel with an evaluator on random circuits, in every variant and logic."""

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

from hypothesis import strategies as st

from aspgames.propnet import native_library
from aspgames.propnet.kernel import Kernel
from circuits import Drawing, Pair, drawings, evaluate, tables_of
from helpers import few_or_many
from kernel_tables import ADVANCE, ASK, GO_ON, JUDGE, Layout, Slots

HERE = native_library.VARIANTS[: native_library.load()[1].aspgames_cpu() + 1]
"""The instruction sets that the processor has."""

LANES = 512
ONES = (1 << LANES) - 1

CHAINS = [(ASK, JUDGE, GO_ON), (ASK, GO_ON), (ADVANCE,)]
"""Questions that are put one after the other."""


def walkers() -> Iterator[tuple[int, str, Callable[..., None]]]:
    """The bytes of a value, and the functions of all variants for it."""
    yield 1, "single", Kernel("base").single_evaluate
    for variant in HERE:
        yield LANES // 8, variant, Kernel(variant).evaluate


def some_states(drawing: Drawing, phase: int, rng: random.Random) -> list[Pair]:
    """The fluents of some states, all of them in one phase."""
    fluents = [rng.getrandbits(LANES) for _ in range(drawing.fluents)]
    for turn in range(drawing.turns):
        if phase < drawing.turns:
            fluents[turn] = ONES if turn == phase else 0
    return [(value, value) for value in fluents]


def some_moves(drawing: Drawing, rng: random.Random) -> list[Pair]:
    made = [0] * sum(drawing.moves)
    for first, end in drawing.bounds:
        for lane in range(LANES):
            move = rng.randrange(first, end + 1)
            if move < end:
                made[move] |= 1 << lane
    return [(value, value) for value in made]


def answers(slots: Slots, drawing: Drawing, question: int) -> Iterator[tuple[int, Pair]]:
    """Literals of the drawing that answer a question, each with the kernel's value."""
    layout, phase, roles = slots.layout, slots.phase, range(len(drawing.moves))
    choices = {move: literal for r in roles for move, literal in layout.choices(phase, r).items()}
    if question == ASK:
        yield drawing.terminal, slots[phase.terminal]
        for move, literal in enumerate(drawing.legal):
            yield literal, slots[choices[move]] if move in choices else (0, 0)
    if question == JUDGE:
        goals = {(role, value): literal for role, value, literal in layout.goals(phase)}
        for role, goal, literal in drawing.goals:
            yield literal, slots[goals[role, goal]]
        on_move = layout.at(phase.to_move, len(roles))
        yield from zip(drawing.to_move, map(slots.__getitem__, on_move), strict=True)
    if question in (GO_ON, ADVANCE):
        place = phase.next if question == GO_ON else phase.next_alone
        following = layout.at(place, drawing.fluents)
        yield from zip(drawing.next, map(slots.__getitem__, following), strict=True)


@few_or_many(12, 120, drawing=drawings(), seed=st.integers(0, 2**32))
def test_every_question_is_answered_as_by_the_evaluator(drawing: Drawing, seed: int) -> None:
    rng, layout = random.Random(seed), Layout(tables_of(drawing))
    assert layout.turns == list(range(drawing.turns))
    for phase in range(drawing.turns + 1):
        fluents, made = some_states(drawing, phase, rng), some_moves(drawing, rng)
        value = evaluate(drawing, fluents, made, ONES)
        for width, name, function in walkers():
            for questions in CHAINS:
                slots = Slots(layout, phase, width, False, fluents, made, rng)
                for question in questions:
                    slots.evaluate(function, question)
                    for literal, (found, _) in answers(slots, drawing, question):
                        assert found == value(literal)[0] & slots.ones, (name, question, literal)
                if JUDGE in questions:
                    for move, number in layout.marks(slots.phase).items():
                        marked = 0
                        for fluent in drawing.marks[move]:
                            marked |= fluents[fluent][0]
                        assert slots[number][0] == marked & slots.ones, (name, move)


def left_open(values: list[Pair], held: int, rng: random.Random) -> list[Pair]:
    """The values; all but the first ``held`` are unknown in some states."""
    opened = values[:held]
    for low, high in values[held:]:
        unknown = rng.getrandbits(LANES) & rng.getrandbits(LANES)
        opened.append((low & ~unknown, high | unknown))
    return opened


@few_or_many(12, 120, drawing=drawings(), seed=st.integers(0, 2**32))
def test_in_three_values_nothing_is_wrong_and_nothing_forgotten(
    drawing: Drawing, seed: int
) -> None:
    """The kernel settles all that Kleene's logic settles, and all settled values are right.

    (A circuit knows that ``a`` and ``not a`` exclude each other, so it may settle more.)
    """
    rng, layout = random.Random(seed), Layout(tables_of(drawing))
    for phase in range(drawing.turns + 1):
        fluents, made = some_states(drawing, phase, rng), some_moves(drawing, rng)
        held = drawing.turns if phase < drawing.turns else 0
        open_fluents, open_made = left_open(fluents, held, rng), left_open(made, 0, rng)
        exact = evaluate(drawing, fluents, made, ONES)
        kleene = evaluate(drawing, open_fluents, open_made, ONES)
        for width, name, function in walkers():
            for questions in CHAINS:
                slots = Slots(layout, phase, width, True, open_fluents, open_made, rng)
                for question in questions:
                    slots.evaluate(function, question)
                    for literal, (low, high) in answers(slots, drawing, question):
                        least, most = (side & slots.ones for side in kleene(literal))
                        one = exact(literal)[0] & slots.ones
                        nested = [least, low, one, high, most]
                        for inner, outer in pairwise(nested):
                            assert not inner & ~outer, (name, question, literal)
