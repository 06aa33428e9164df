"""Stopped counts and random games: the partial results are shown, and correct."""

from collections import Counter

import pytest

import aspgames
from aspgames import LimitReached
from aspgames.play.perft import divide
from aspgames.play.playout import Playouts, playouts
from aspgames.runtime.budget import Budget
from new_process import python

START = aspgames.load("breakthrough", width=3, height=4).initial


def test_games_that_ended_within_a_limit_are_kept_by_the_grounder() -> None:
    found = Playouts(START.game.roles)
    with pytest.raises(LimitReached):
        playouts(START, 1000, 3, reasoner="grounder", budget=Budget(positions=60), into=found)
    assert 2 <= found.games <= found.states <= 60
    same = playouts(START, found.games, 3, reasoner="grounder")
    assert (found.results, found.lengths) == (same.results, same.lengths)


@pytest.mark.parametrize("threads", [1, 2])
def test_games_that_ended_within_a_limit_are_kept_by_the_propnet(threads: int) -> None:
    found = Playouts(START.game.roles)
    told: list[int] = []
    with pytest.raises(LimitReached):
        playouts(
            START,
            1 << 22,
            reasoner="propnet",
            threads=threads,
            budget=Budget(positions=1),
            progress=told.append,
            into=found,
        )
    assert 0 < found.games < 1 << 22
    assert told[-1] == found.games == found.results.total()
    assert found.results.keys() == {(100, 0), (0, 100)}
    assert min(found.lengths) >= 3  # to the last row, White needs at least three plies
    assert found.seconds > 0


def test_what_is_given_is_what_is_returned() -> None:
    games = Playouts(START.game.roles, Counter({(100, 0): 1}), Counter({5: 1}))
    assert playouts(START, 10, into=games) is games
    assert games.games == 11
    counts: dict[str, int] = {}
    assert divide(START, 2, into=counts) is counts
    assert counts == divide(START, 2)


def test_first_moves_that_were_counted_within_a_limit_are_kept() -> None:
    whole = divide(START, 3)
    counts: dict[str, int] = {}
    with pytest.raises(LimitReached):
        divide(START, 3, reasoner="grounder", budget=Budget(positions=12), into=counts)
    assert 0 < len(counts) < len(whole)
    assert counts.items() <= whole.items()
    counts.clear()
    with pytest.raises(LimitReached):  # raised at the end, after all counts
        divide(START, 3, reasoner="propnet", threads=1, budget=Budget(positions=1), into=counts)
    assert counts == whole


def test_what_is_counted_in_part_is_no_count() -> None:
    counts: dict[str, int] = {}
    with pytest.raises(LimitReached):  # raised at the first check, during the first move
        divide(
            aspgames.load("breakthrough").initial,
            7,
            reasoner="propnet",
            threads=1,
            budget=Budget(positions=1),
            into=counts,
        )
    assert counts == {}


def stopped(verb: str, function: str, when: int, *arguments: str) -> tuple[int, str, str]:
    """A run of a verb in which Ctrl-C comes at the call number ``when`` of ``progress``."""
    script = f"""if True:
        import signal
        from aspgames.cli import main
        from aspgames.cli import {verb} as verb
        count, times = verb.{function}, []
        def progress(_):
            times.append(1)
            if len(times) == {when}:
                signal.raise_signal(signal.SIGINT)
        def interrupted(*arguments, **others):
            return count(*arguments, **(others | {{"progress": progress}}))
        verb.{function} = interrupted
        main({[verb, *arguments]})
    """
    done = python(script)
    return done.code, done.out, done.err


SMALL = ("breakthrough", "-c", "width=3", "-c", "height=4", "--reasoner", "grounder")


def test_ctrl_c_shows_the_games_so_far() -> None:
    code, out, err = stopped("playout", "playouts", 3, *SMALL, "-n", "9999")
    assert (code, err) == (130, "aspgames: interrupted\n")
    assert out.startswith("Stopped: 3 of 9999 games have ended, short ones first.\nwhite ")
    assert " states in " in out


def test_ctrl_c_before_there_is_anything_shows_nothing() -> None:
    found = stopped("perft", "divided", 1, *SMALL, "--depth", "4", "--divide")
    assert found == (130, "", "aspgames: interrupted\n")


def test_ctrl_c_shows_the_first_moves_so_far() -> None:
    code, out, err = stopped("perft", "divided", 2, *SMALL, "--depth", "2", "--divide")
    assert (code, err) == (130, "aspgames: interrupted\n")
    two = list(divide(START, 2).items())[:2]
    lines = [f"{START.move_text(term)}: {count}" for term, count in two]
    assert out.splitlines() == [*lines, "", "Stopped: only 2 first moves are counted."]
