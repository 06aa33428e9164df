"""Compares the kernel with an evaluator on random circuits, in three-valued logic."""

import random
from collections.abc import Iterator
from itertools import pairwise

from hypothesis import strategies as st

from aspgames.propnet.kernel import Kernel
from circuits import Drawing, Pair, drawings, evaluate, tables_of
from engine_helpers import VARIANTS
from helpers import few_or_many
from kernel_tables import ADVANCE, ASK, GO_ON, JUDGE, LANES, ONES, Layout, Slots

CHAINS = [(ASK, JUDGE, GO_ON), (ASK, GO_ON), (ADVANCE,)]
"""Questions that are put one after the other."""


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
        for variant in VARIANTS:
            for questions in CHAINS:
                slots = Slots(layout, phase, open_fluents, open_made, rng)
                for question in questions:
                    slots.evaluate(Kernel(variant).evaluate, question)
                    for literal, (low, high) in answers(slots, drawing, question):
                        least, most = kleene(literal)
                        nested = [least, low, exact(literal)[0], high, most]
                        for inner, outer in pairwise(nested):
                            assert not inner & ~outer, (variant, question, literal)
