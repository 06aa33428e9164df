"""Each condition of the checker rejects a certificate (``false_certificates.py``)."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof import plans as planning
from aspgames.puzzle.proof.plans import Planned, counterexample
from aspgames.puzzle.proof.stepper import Stepper
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import LimitReached, Rejected, RulesError
from false_certificates import WRONG, Change, game
from paths import TESTS

FOLDER = Path(aspgames.__file__).parent / "puzzle/proof"


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refused(name: str) -> None:
    each = WRONG[name]
    with pytest.raises((Rejected, RulesError), match=each.reason):
        verify(each.certificate, load=each.load)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_it_is_the_condition_that_refuses_it(name: str, tmp_path: Path) -> None:
    """Without the condition the checker accepts it, or crashes in code that relies on it."""
    each = WRONG[name]
    with checker_without(each.without, tmp_path) as check, suppress(KeyError, AttributeError):
        check(each.certificate, load=each.load)


@contextmanager
def checker_without(changes: Iterable[Change], folder: Path) -> Iterator[Callable[..., Any]]:
    """A copy of the checker with changed text."""
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    (folder / "certificate.py").unlink()  # not a part of the checker
    files = [file for file in folder.iterdir() if file.suffix in (".py", ".lp")]
    for old, new in changes:
        (file,) = (file for file in files if old in file.read_text())
        text = file.read_text()
        assert text.count(old) == 1, old
        file.write_text(text.replace(old, new))
    before = set(sys.modules)
    spec = spec_from_file_location(
        "aspgames.puzzle.changed", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    sys.modules["aspgames.puzzle.changed"] = module_from_spec(spec)
    try:
        yield import_module("aspgames.puzzle.changed.verify").verify
    finally:
        for module in set(sys.modules) - before:
            del sys.modules[module]


def test_what_is_not_settled_is_not_dropped(tmp_path: Path) -> None:
    """Even if the checker takes the rules for deterministic ones."""
    each = WRONG["a choice"]
    with (
        checker_without(each.without[:1], tmp_path) as check,
        pytest.raises(RulesError, match="the rules don't settle what follows"),
    ):
        check(each.certificate, load=each.load)


QUEENS = """
role(white;black). init(row(1)).
to_move(black) :- true(row(R)), R <= 6.
legal(black,put(1..6)) :- true(row(R)), R <= 6.
legal(R,noop) :- role(R), not to_move(R).
next(row(R+1)) :- true(row(R)).
next(queen(R,C)) :- true(row(R)), does(black,put(C)).
next(queen(R,C)) :- true(queen(R,C)).
terminal :- true(row(7)).
check :- true(queen(R,C)), true(queen(S,D)), R < S, (D-C)*(D-C-S+R)*(D-C+S-R) = 0.
goal(white,1) :- terminal, check.
"""


def test_a_limit_on_conflicts_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Black places six queens so that none attacks another, for which clingo must search."""
    puzzle = Puzzle.read(game(QUEENS).initial, "white", "score>=1", None)
    start = Stepper(puzzle, Budget())
    planned = Planned("", True, start.start, [None] * 6, 0)
    found = counterexample(puzzle, [planned], start.fluents, Budget())
    assert found
    assert found[1].endswith("the game is over without the goal")
    monkeypatch.setattr(planning, "_MOST_CONFLICTS", 1)
    with pytest.raises(LimitReached, match="within 1 conflicts"):
        counterexample(puzzle, [planned], start.fluents, Budget())


def test_a_limit_on_atoms_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    each = WRONG["a stuck defender in a plan"]
    monkeypatch.setattr(planning, "_MOST_ATOMS", 1)
    with pytest.raises(LimitReached, match="makes the program too large"):
        verify(each.certificate, load=each.load)


def test_the_table_has_all_conditions() -> None:
    """The claims of ``tests/README.md`` about the checker."""
    rows = [
        f"| {name} | {' '.join(f'`` {part} ``' for part in parts)} |"
        for name, each in WRONG.items()
        for parts in [[" ".join(old.split()) for old, _ in each.without]]
    ]
    page = (TESTS / "README.md").read_text()
    table = page[page.index("| refused |") :].split("\n\n")[0].splitlines()[2:]
    assert table == rows
