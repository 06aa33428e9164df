"""Imports between packages, as CONTRIBUTING.md defines them, and the imports of the checker."""

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import Game
from aspgames.propnet import state_nets
from aspgames.runtime import cache, cache_upkeep
from new_process import imported_by, imported_by_program

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src/aspgames"
CERTIFICATE = ROOT / "examples/puzzles/breakthrough_3x4.certificate.json"

FLOORS = [
    {"cli"},
    {"rl"},
    {"agents", "composer"},
    {"crosscheck", "solver"},
    {"puzzle", "play"},
    {"analysis"},
    {"game"},
    {"propnet"},
    {"gdl"},
    {"asp"},
    {"runtime"},
    {"_version"},
]
"""The packages, from the top: each imports only from floors below its own."""

ENTRY_POINTS = {
    "__init__",
    "__main__",
    "data",
    "gymnasium",
    "mcts",
    "openspiel",
    "pettingzoo",
    "record",
}
"""The modules beside the packages, which users import."""

CROSSCHECK = {"engines": set[str](), "compare": {"engines"}, "reduce": {"engines", "compare"}}
"""The floors within ``crosscheck``; none of its parts imports modules beside the three."""

ENTRANCES = {
    ("solver.search.puzzle_search", "Search"),
    ("solver.search.puzzle_tables", "PuzzleTables"),
}
"""The parts of the search that other packages may import."""


@functools.cache
def imports(file: Path, for_types: bool = True) -> list[tuple[str, str]]:
    """The modules of the package that a file imports, each with a name imported from it.

    ``for_types`` tells whether imports for types alone count.
    """
    return list(_found_in(file, for_types))


@functools.cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def _statements(node: ast.AST, for_types: bool) -> Iterator[ast.AST]:
    """All statements within a node; ``for_types``: also those under ``if TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            continue
        test = getattr(child, "test", None)
        if for_types or not (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"):
            yield child
            yield from _statements(child, for_types)


def _found_in(file: Path, for_types: bool) -> Iterator[tuple[str, str]]:
    package = file.relative_to(SOURCES).parts[:-1]
    for node in _statements(parsed(file), for_types):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("aspgames."):
                    yield alias.name.removeprefix("aspgames."), ""
        elif isinstance(node, ast.ImportFrom):
            named = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                named = (*package[: len(package) + 1 - node.level], *named)
            elif named[:1] == ("aspgames",):
                named = named[1:]
            else:
                continue
            for alias in node.names:
                yield ".".join(named) or alias.name, alias.name


def test_nothing_else_stands_beside_the_packages() -> None:
    found = {entry.stem for entry in SOURCES.iterdir() if not entry.name.startswith("__pyc")}
    assert found - {"py"} == set().union(*FLOORS) | ENTRY_POINTS


@pytest.mark.parametrize("number", range(len(FLOORS)))
def test_packages_import_only_from_floors_below(number: int) -> None:
    """Including imports within functions, and for types only."""
    below = set().union(*FLOORS[number + 1 :])
    for package in sorted(FLOORS[number]):
        files = sorted((SOURCES / package).rglob("*.py")) or [SOURCES / f"{package}.py"]
        arrows = {
            f"{file.relative_to(SOURCES)} -> {module}"
            for file in files
            for module, _ in imports(file)
            if module.partition(".")[0] not in below | {package}
        }
        assert not arrows


def test_only_one_package_imports_clingo() -> None:
    """So another version of clingo's API is a change of that package."""
    names = re.compile(r"^\s*(import|from) clingo\b", re.MULTILINE)
    files = [file for file in sorted(SOURCES.rglob("*.py")) if names.search(file.read_text())]
    assert {file.relative_to(SOURCES).parts[0] for file in files} == {"asp"}
    # Other packages know a node's type, and ask asp.nodes for all else.
    shapes = re.compile(
        r"\bast\.(?!AST\b)[A-Z]\w*|ast_type|operator_type|\.configuration\b|symbolic_atoms"
        r"|\bControl\(|\bbackend\b"
    )
    others = [
        file for file in SOURCES.rglob("*.py") if "asp" not in file.relative_to(SOURCES).parts
    ]
    assert not [(file, found[0]) for file in others if (found := shapes.search(file.read_text()))]


def exists(name: str) -> bool:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = SOURCES.joinpath(*parts[:length])
        if path.with_suffix(".py").is_file() or path.is_dir():
            found: Any = import_module(".".join(["aspgames", *parts[:length]]))
            for attribute in parts[length:]:
                found = getattr(found, attribute, None)
            return found is not None
    return False


def test_names_on_the_page_about_architecture_exist() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    packages = "|".join(sorted(set().union(*FLOORS) - {"_version"}))
    names = set(re.findall(rf"`((?:{packages})\.\w[\w.]*)`", page))
    assert len(names) > 30
    assert [name for name in sorted(names) if not exists(name)] == []
    files = set(re.findall(r"`((?:src|tests|docs|examples|encodings)/[\w./]+)`", page))
    made = {file for file in files if "NAME" in file}
    assert [file for file in sorted(files - made) if not (ROOT / file).exists()] == []


def test_entry_points_only_import() -> None:
    for name in sorted(ENTRY_POINTS - {"__init__"}):
        tree = parsed(SOURCES / f"{name}.py")
        assert not any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body)


def test_tests_mirror_the_packages() -> None:
    tests = {entry.name for entry in (ROOT / "tests").iterdir() if any(entry.glob("test_*.py"))}
    assert tests == set().union(*FLOORS) - {"_version"} | {"docs", "encodings"}


def test_a_class_name_is_used_once() -> None:
    """Except classes within classes and functions."""
    names = Counter(
        node.name
        for file in SOURCES.rglob("*.py")
        for node in parsed(file).body
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, times in names.items() if times > 1] == []


def test_no_test_file_imports_another() -> None:
    """Code shared by several tests is in ``tests/support``."""
    files = {file.stem: file for file in (ROOT / "tests").rglob("test_*.py")}
    for file in files.values():
        lines = re.findall(r"^ *(?:from|import) .*", file.read_text(), re.MULTILINE)
        assert not set(re.findall(r"\w+", " ".join(lines))) & set(files), file


def test_no_module_knows_itself_by_a_detour() -> None:
    """No import cycles, not even with imports within functions. Imports for types don't run."""
    files = {
        ".".join(file.relative_to(SOURCES).with_suffix("").parts): file
        for file in SOURCES.rglob("*.py")
    }
    files = {name.removesuffix(".__init__"): file for name, file in files.items()}
    known = TopologicalSorter[str]()
    for name, file in files.items():
        found = (
            f"{m}.{part}" if f"{m}.{part}" in files else m
            for m, part in imports(file, for_types=False)
        )
        known.add(name, *(module for module in found if module in files and module != name))
    known.prepare()  # raises CycleError, with the modules of the cycle


@pytest.mark.parametrize("room", CROSSCHECK)
def test_arrows_within_the_cross_check_point_down(room: str) -> None:
    house = SOURCES / "crosscheck"
    files = list((house / room).rglob("*.py"))
    modules = {module for file in files for module, _ in imports(file)}
    known = {m.split(".")[1] for m in modules if m.startswith("crosscheck.")}
    assert known <= {room} | CROSSCHECK[room]


def test_what_is_known_of_the_search_elsewhere() -> None:
    for file in SOURCES.rglob("*.py"):
        if not file.is_relative_to(SOURCES / "solver"):
            used = {(m, name) for m, name in imports(file) if m.startswith("solver.search")}
            assert used <= ENTRANCES, file


UNTRUSTED = ("aspgames.propnet", "aspgames.solver", "numpy")


def untrusted(modules: set[str]) -> set[str]:
    """The modules that a checker must not depend on."""
    return {m for m in modules if m in UNTRUSTED or m.startswith(tuple(f"{u}." for u in UNTRUSTED))}


@pytest.fixture(params=["empty", "filled"])
def _cache(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A separate cache for this test; a filled cache has the net of the certificate's game."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    if request.param == "filled":
        monkeypatch.setattr(state_nets, "_WORTH_SECONDS", 0)
        game = aspgames.load("breakthrough", width=3, height=4)
        Game(game.encoding, game.constants).nets.make(game.initial.facts)
        assert "net" in {entry.kind for entry in cache_upkeep.entries(cache.folder())}
        use = (
            "import aspgames; aspgames.load('breakthrough', width=3, height=4).initial.is_terminal"
        )
        assert "aspgames.gdl.reasoner.grounder" not in imported_by(use)


@pytest.mark.usefixtures("_cache")
def test_the_checker_has_nothing_of_the_search_and_the_engine(
    request: pytest.FixtureRequest,
) -> None:
    modules = imported_by(f"""if True:
        import json
        from aspgames.puzzle.proof.verify import verify
        with open({str(CERTIFICATE)!r}) as file:
            found = verify(json.load(file))
        assert (found.verdict, found.distance) == ("forced", 2) and found.plans
    """)
    assert not untrusted(modules)
    shown = (ROOT / "docs/certificates.md").read_text().partition("<!-- trusted -->")[2]
    trusted = {f"aspgames.{name}" for name in shown.split("```")[1].split()[1:]}
    used = {module for module in modules if module.startswith("aspgames.")}
    used.discard("aspgames.runtime.cache_upkeep")  # loaded now and then
    assert used == trusted if request.node.callspec.params["_cache"] == "empty" else used < trusted
    paths = (SOURCES.parent / name.replace(".", "/") for name in trusted)
    files = (each / "__init__.py" if each.is_dir() else each.with_suffix(".py") for each in paths)
    assert sum(len(file.read_text().splitlines()) for file in files) < 5_500


@pytest.mark.usefixtures("_cache")
def test_the_program_checks_without_the_search_and_the_engine() -> None:
    assert not untrusted(imported_by_program("verify", str(CERTIFICATE)))
