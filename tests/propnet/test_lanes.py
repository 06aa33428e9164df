"""Many states at once give the same answers as each state alone."""

import random
from pathlib import Path

import numpy as np
import pytest

import aspgames
from aspgames import RulesError, State, playouts
from aspgames.gdl.reasoner import UNSETTLED, Consequences
from aspgames.gdl.rules import Facts
from aspgames.propnet import random_play
from aspgames.propnet.gate_tables import Tables
from aspgames.propnet.kernel import kernel
from aspgames.propnet.lanes import Lanes, LegalScope, Rows
from engine_helpers import (
    EACH_VARIANT,
    Evaluation,
    evaluation,
    net_of,
    on_net,
    random_game,
    using,
    write,
)

SMALL = aspgames.load("breakthrough", width=3, height=5)


def test_numbers_that_are_known_without_the_kernel_are_those_of_its_header() -> None:
    assert {scope.name: int(scope) for scope in LegalScope} == {
        name.removeprefix("ASPGAMES_"): number
        for name, number in kernel().ffi.typeof("enum aspgames_scope").relements.items()
    }
    marks = random_play.BROKEN_OFF, random_play.NO_ROLL, UNSETTLED
    assert marks == (kernel().BROKEN_OFF, kernel().NO_ROLL, kernel().UNSETTLED)


Played = list[tuple[State, dict[str, str], Consequences, Facts | None]]
"""States, each with a joint move or none, what the grounder says of it, and what follows."""


@pytest.fixture(scope="module")
def played() -> Played:
    """States of random games: both sides are on move in some, and some games are over."""
    start = SMALL.without_nets.initial
    games = [random_game(start, random.Random(seed)) for seed in range(12)]
    return [
        (state, joint, state.consequences, state.play(joint).facts if joint else None)
        for game in games
        for state, joint in game
    ]


@pytest.mark.parametrize("variant", EACH_VARIANT)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_tens_of_thousands_of_states_are_sorted_and_shared_out(
    threads: int, variant: str, played: Played
) -> None:
    """They are sorted by phase part by part, and each thread has its own parts."""
    tables, rng = net_of(on_net(SMALL)).tables, random.Random(threads)
    with using(variant):
        lanes = Lanes(tables, threads)
        different = rows_of(tables, played)
        each = [evaluation(lanes, different[place : place + 1]) for place in range(len(played))]
        order = np.array(rng.choices(range(len(played)), k=30_000))
        answer = evaluation(lanes, different[order])
        for name in Evaluation._fields:
            alone = np.concatenate([getattr(said, name) for said in each])
            assert (getattr(answer, name) == alone[order]).all(), name
        going = [place for place, (_, joint, *_) in enumerate(played) if joint]
        moves = np.array(
            [[tables.move_numbers[move] for move in played[place][1].items()] for place in going],
            np.int32,
        )
        order = np.array(rng.choices(range(len(going)), k=30_000))
        after = lanes.play(different[going][order], moves[order])
        expected = [tables.row(played[place][3] or ()) or b"" for place in going]
        assert after.tobytes() == b"".join(expected[place] for place in order)
        del lanes


def rows_of(tables: Tables, played: Played) -> Rows:
    packed = b"".join(tables.row(state.facts) or b"" for state, *_ in played)
    return np.frombuffer(packed, np.uint64).reshape(len(played), -1)


TWO_GOALS = """
% Two goals where nothing holds: as in lanes without a state, in which nothing may be wrong.
role(a;b).  to_move(a).  init(n(0)).  legal(a,(x;y)).  legal(b,noop).
next(n(N+1)) :- true(n(N)), N < 2, not does(a,y).
terminal :- true(n(2)).
terminal :- nothing.
goal(a,1).  goal(b,1).  goal(b,2) :- nothing.
nothing :- not true(n(0)), not true(n(1)), not true(n(2)).
"""


def states_of(*texts: str) -> list[Facts]:
    return [tuple(text.split()) for text in texts]


@pytest.mark.parametrize("variant", EACH_VARIANT)
def test_two_goals_are_refused_where_a_state_has_them_and_nowhere_else(
    variant: str, tmp_path: Path
) -> None:
    game = write(TWO_GOALS, tmp_path)
    tables = net_of(on_net(game)).tables
    fine = [tables.row(facts) or b"" for facts in states_of("n(0)", "n(1)", "n(2)", "n(0) n(1)")]
    with using(variant):
        lanes = Lanes(tables)
        for count in (1, 3, 511, 512, 600):
            rows = np.frombuffer(b"".join(fine[n % 4] for n in range(count)), np.uint64)[:, None]
            assert (evaluation(lanes, rows).goals == 1).all()
            for place in {0, count // 2, count - 1}:
                wrong = rows.copy()
                wrong[place] = 0
                with pytest.raises(RulesError, match="several goals"):
                    evaluation(lanes, wrong)
        # Random games: lanes without a game, or with an ended game, are not states either.
        endless = Path(tmp_path / "own.lp").read_text().replace(", not does(a,y)", "")
        state = write(endless, tmp_path).initial
        for games in (1, 100, 600):
            assert playouts(state, games).results == {(1, 1): games}
        del lanes
