"""Models of programs of literals, found in this thread or in another one."""

from itertools import combinations

import pytest

from aspgames.asp.clingo_api import Model
from aspgames.asp.literal_program import LiteralProgram
from aspgames.runtime.budget import UNLIMITED, Budget
from aspgames.runtime.errors import LimitReached


class Pigeons(LiteralProgram):
    """Each pigeon is in one of some holes, each alone: hard to refute for one pigeon too many."""

    def __init__(self, pigeons: int, holes: int) -> None:
        super().__init__()
        with self.writing():
            self.places = [[self.choice() for _ in range(holes)] for _ in range(pigeons)]
            for places in self.places:
                self.never(*(-place for place in places))
            for hole in zip(*self.places, strict=True):
                for pair in combinations(hole, 2):
                    self.never(*pair)

    def homes(self, model: Model) -> list[list[bool]]:
        return [[model.is_true(place) for place in places] for places in self.places]


@pytest.mark.parametrize("pigeons", [2, 8])
def test_models_are_found_by_short_and_by_long_searches(pigeons: int) -> None:
    fitting, crowded = Pigeons(pigeons, pigeons), Pigeons(pigeons + 1, pigeons)
    homes = fitting.find(UNLIMITED, [fitting.places[0][1]], fitting.homes)
    assert homes is not None
    assert homes[0][1]
    assert all(any(places) for places in homes)
    assert all(sum(hole) == 1 for hole in zip(*homes, strict=True))
    assert crowded.find(UNLIMITED, (), crowded.homes) is None


def test_only_a_long_search_takes_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aspgames.asp.literal_program.finish", None)
    short, long = Pigeons(3, 2), Pigeons(10, 9)
    assert short.find(UNLIMITED, (), short.homes) is None
    with pytest.raises(TypeError):
        long.find(UNLIMITED, (), long.homes)


def test_a_budget_that_is_spent_ends_a_short_search() -> None:
    program = Pigeons(2, 2)
    with pytest.raises(LimitReached):
        program.find(Budget(seconds=1e-9), (), program.homes)
