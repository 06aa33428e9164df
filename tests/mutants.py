"""Changes modules and encodings one place at a time, and prints the changes that no test notices.

    nice python tests/mutants.py notation breakthrough --jobs 1
    nice python tests/mutants.py checker search --sample 60

A mutant of a module has another comparison, one condition less, another number, or the other truth
value. A mutant of an encoding has one rule less, one literal of a rule less, or another number. A
mutant of C code has another operator, another number, or one ``!`` less. ``--sample`` takes so many
mutants of each target, always the same ones.
Each is made in a copy of the project, where its tests run until one fails. The tests must first
pass without a change. README.md beside this file has the results.
"""

import argparse
import ast
import copy
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import clingo.ast
from clingo import SymbolType

ROOT = Path(__file__).parents[1]
HANGS = 5  # times the duration of the unchanged tests, plus some seconds


@dataclass(frozen=True)
class Target:
    """A file to change, and its fast tests."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    """Files of tests, and options of pytest."""

    @property
    def is_c(self) -> bool:
        """Whether the library must be compiled again."""
        return self.files[0].endswith((".c", ".h"))


def named(folder: str, names: str) -> tuple[str, ...]:
    """The files of a folder with these names."""
    return tuple(f"{folder}/{name}" for name in names.split())


def of_rules(words: str) -> tuple[str, ...]:
    """The tests of rules whose names have some words."""
    rules = named("tests/encodings", "test_rules_by_hand.py test_rules_amazons.py")
    return *rules, "tests/game/test_positions.py", "-k", words


TARGETS = {
    "checker": Target(
        named(
            "src/aspgames/puzzle/proof",
            "claim.py plans.py puzzle.lp situations.py stepper.py strategy.py verify.py",
        ),
        (
            *named("tests/puzzle", "test_chance_certificates.py test_stream.py"),
            *named("tests/puzzle", "test_checker_goals.py test_verify_conditions.py"),
            "tests/puzzle/test_verify.py",
        ),
    ),
    "search": Target(
        named(
            "src/aspgames/propnet/native",
            "depth_first.h expand.inc.c partial.inc.c plan.inc.c proof_numbers.inc.c search.inc.c",
        ),
        (
            *named("tests/solver", "test_kernel_search.py test_random_graphs.py"),
            *named("tests/solver", "test_forced_plies.py test_loss_counts.py"),
            *("-k", "not avx"),
        ),
    ),
    "notation": Target(
        named("src/aspgames/game/notation", "fen.py move_text.py term_input.py"),
        named("tests/game", "test_positions.py test_notation.py"),
    ),
    "compare": Target(
        named("src/aspgames/crosscheck/compare", "disagreement.py"),
        named("tests/crosscheck", "test_crosscheck_compare.py"),
    ),
    "shrink": Target(
        named("src/aspgames/crosscheck/reduce", "shrinker.py"),
        named("tests/crosscheck", "test_crosscheck_shrink.py test_crosscheck_compare.py"),
    ),
    "breakthrough": Target(named("encodings", "breakthrough.lp"), of_rules("breakthrough")),
    "skirmish": Target(named("encodings", "skirmish.lp"), of_rules("skirmish")),
    "amazons": Target(
        named("encodings", "amazons.lp amazons_10x10.lp amazons_8x8.lp")
        + named("encodings/shared", "amazons.lp amazons_split.lp"),
        of_rules("amazons"),
    ),
}


NO_DIFFERENCE = (
    ("situations.py", "rule.heads < moved", "no rule defines both does/2 and next/1"),
    ("plans.py", "5000001", "a limit on atoms"),
    ("depth_first.h", "child->threads : 7) << 61)", "the order of the search"),
    ("depth_first.h", "+ ((int64_t)(child->threads", "the order of the search"),
    ("proof_numbers.inc.c", "(second / 4 > 2 ?", "the order of the search"),
    ("proof_numbers.inc.c", "(second / 5 > 1 ?", "the order of the search"),
    (
        "plan.inc.c",
        "<= b->kept; place++) {\n        b->starts[",
        "what follows the last is not used",
    ),
    ("plan.inc.c", "b->kept = 2;", "it only starts the loop"),
    ("plan.inc.c", "counts, 1, sizeof b->counts);\n    for (", "all scores are larger, too"),
    ("partial.inc.c", "2 * gate + 2]) continue;", "fewer moves are left out at once"),
    ("expand.inc.c", "pooled(pool, most, 2)", "more memory"),
    ("expand.inc.c", "int64_t room[3]", "a parameter is a pointer"),
    ("search.inc.c", "(left + 1) * (left - 1)", "the order of the search"),
    ("search.inc.c", "s->settled / 5", "bounds are settled sooner"),
    ("search.inc.c", "effort[w->mode] > (uint32_t)", "plans are tried a moment later"),
)
"""Changes that no test can notice: a file, a part of its changed text, and the reason."""


@dataclass(frozen=True)
class Mutant:
    """A file with one change."""

    file: str
    line: int
    change: str
    text: str

    def makes_no_difference(self) -> bool:
        return any(self.file.endswith(f) and part in self.text for f, part, _ in NO_DIFFERENCE)

    def digest(self) -> bytes:
        """Orders mutants at random, in an order that other changes of the file leave as it is."""
        return hashlib.sha256(f"{self.file} {self.change}".encode()).digest()


# --- modules --------------------------------------------------------------------------------------

OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """Replacements for a part of a module."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            other = copy.deepcopy(node)
            other.ops[place] = OTHER_COMPARISON[type(operator)]()
            yield other
    elif isinstance(node, ast.BoolOp):
        for place in range(len(node.values)):
            rest = node.values[:place] + node.values[place + 1 :]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other_way = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        yield ast.BinOp(node.left, other_way, node.right)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        for value in (True, False):
            if not isinstance(node, ast.While) or not value:
                other_node = copy.copy(node)
                other_node.test = ast.Constant(value)
                yield other_node
    elif isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            rest = node.ifs[:place] + node.ifs[place + 1 :]
            yield ast.comprehension(node.target, node.iter, rest, node.is_async)


class Replace(ast.NodeTransformer):
    """Replaces one node by another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """The new node, or the node with its parts visited."""
        return self._new if node is self._old else self.generic_visit(node)


def of_module(file: str) -> Iterator[Mutant]:
    """The mutants of a Python module, except parts that only type checkers read."""
    text = (ROOT / file).read_text()
    for number, node in enumerate(ast.walk(ast.parse(text))):
        for way in range(len(list(changed(node)))):
            tree = ast.parse(text)
            old = list(ast.walk(tree))[number]
            new = list(changed(old))[way]
            before = ast.unparse(old).split("\n")[0]
            after = ast.unparse(new).split("\n")[0]
            line = getattr(old, "lineno", 0) or getattr(getattr(old, "target", None), "lineno", 0)
            mutated = ast.unparse(ast.fix_missing_locations(Replace(old, new).visit(tree)))
            yield Mutant(file, line, f"{before}  ->  {after}", mutated)


# --- encodings ------------------------------------------------------------------------------------


class Add(clingo.ast.Transformer):
    """Increases the number at one place of a rule by one."""

    def __init__(self, place: int) -> None:
        self.left = place

    def visit_SymbolicTerm(self, term: clingo.ast.AST) -> clingo.ast.AST:  # noqa: N802
        if term.symbol.type == SymbolType.Number:
            self.left -= 1
            if self.left == -1:
                return term.update(symbol=clingo.Number(term.symbol.number + 1))
        return term


def of_encoding(file: str) -> Iterator[Mutant]:
    """The mutants of an encoding's base program, or of all parts of a file of the source."""
    text = (ROOT / file).read_text()
    lines = text.splitlines(keepends=True)
    found: list[clingo.ast.AST] = []
    clingo.ast.parse_string(text.replace("#include", "%include"), found.append)
    parts = [s for s in found if s.ast_type == clingo.ast.ASTType.Program]
    # Other parts of an encoding are for people, or refuse.
    is_encoding = len(parts) > 1 and file.startswith("encodings/")
    end = parts[1].location.begin.line if is_encoding else len(lines) + 1
    for rule in found:
        begin, stop = rule.location.begin, rule.location.end
        if rule.ast_type != clingo.ast.ASTType.Rule or begin.line >= end:
            continue
        ways = [("", "no rule")]
        for place in range(len(rule.body)):
            body = [literal for i, literal in enumerate(rule.body) if i != place]
            ways.append((str(rule.update(body=body)), f"without {rule.body[place]}"))
        place = 0
        while str(other := Add(place)(rule)) != str(rule):
            ways.append((str(other), f"another number: {other}"))
            place += 1
        for written, change in ways:
            head = [*lines[: begin.line - 1], lines[begin.line - 1][: begin.column - 1]]
            tail = [lines[stop.line - 1][stop.column - 1 :], *lines[stop.line :]]
            mutated = "".join([*head, written, *tail])
            yield Mutant(file, begin.line, f"{rule}  ->  {change}", mutated)


# --- C --------------------------------------------------------------------------------------------

OTHER_OPERATOR = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "|=": "=", "+=": "=",
}  # fmt: skip
C_PLACES = re.compile(r"(?<= )(?:[<>=!]=|[<>+-]|&&|\|\||\|=|\+=)(?= )|\b\d+\b|(?<=[( ])!(?=\w)")


def of_c(file: str) -> Iterator[Mutant]:
    """The mutants of a C file. Those that don't compile count as noticed."""
    lines = (ROOT / file).read_text().splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        code = line.partition("//")[0]
        if code.lstrip().startswith(("#", "/*", "*")):
            continue
        for found in C_PLACES.finditer(code):
            old = found[0]
            new = str(int(old) + 1) if old.isdigit() else OTHER_OPERATOR.get(old, "")
            mutated = line[: found.start()] + new + line[found.end() :]
            text = "".join([*lines[: number - 1], mutated, *lines[number:]])
            yield Mutant(file, number, f"{line.strip()}  ->  {mutated.strip()}", text)


def mutants_of(target: Target) -> list[Mutant]:
    """All mutants of a target's files, as the files are now."""
    makers = {".lp": of_encoding, ".py": of_module, ".c": of_c, ".h": of_c}
    if missing := [file for file in target.files if not (ROOT / file).is_file()]:
        sys.exit(f"there is no file {missing[0]}: mend TARGETS")
    return [m for file in target.files for m in makers[Path(file).suffix](file)]


# --- running --------------------------------------------------------------------------------------


def passes(folder: Path, target: Target, seconds: float | None = None) -> bool:
    """Whether tests pass, within so many seconds, in a copy of the project."""
    # The copy's own cache, without nets of the unchanged rules.
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    if target.is_c:
        environment["ASPGAMES_KERNEL"] = "base"
    options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "-m", "not slow", *target.tests]
    try:
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *options],
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def compiles(folder: Path) -> bool:
    """Compile the library of a copy: its variant for any processor, with few optimisations."""
    build = folder / "hatch_build.py"
    flags = {"ASPGAMES_VARIANTS": "base", "CFLAGS": "-O1", "PYTHONPATH": str(folder / "src")}
    run = subprocess.run(
        [sys.executable, build], env=os.environ | flags, capture_output=True, check=False
    )
    return run.returncode == 0


def noticed(folder: Path, mutant: Mutant, target: Target, seconds: float) -> bool:
    """Whether a test fails with the mutant in a copy of the project."""
    place = folder / mutant.file
    right = place.read_text()
    place.write_text(mutant.text)
    try:
        return (target.is_c and not compiles(folder)) or not passes(folder, target, seconds)
    finally:
        place.write_text(right)


def copied(folder: Path) -> Path:
    """A copy of the files that tests need."""
    for name in ("src", "encodings", "tests", "examples", "docs"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "hatch_build.py"):
        shutil.copy(ROOT / name, folder)
    return folder


def main() -> None:
    """Print each mutant that no test notices, and the number of mutants."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="+", choices=TARGETS, metavar="|".join(TARGETS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants of each target")
    arguments, survivors = parser.parse_args(), 0
    all_mutants = {name: mutants_of(TARGETS[name]) for name in arguments.targets}
    with tempfile.TemporaryDirectory() as temporary:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(arguments.jobs):
            copies.put(copied(Path(temporary) / str(job)))

        for name in arguments.targets:
            target = TARGETS[name]
            mutants = all_mutants[name]
            if arguments.sample and arguments.sample < len(mutants):
                mutants = sorted(mutants, key=Mutant.digest)[: arguments.sample]
            mutants = [mutant for mutant in mutants if not mutant.makes_no_difference()]
            folder = copies.get()
            if target.is_c and not compiles(folder):
                sys.exit(f"{name}: the library can't be compiled")
            begun = time.monotonic()
            if not passes(folder, target):
                sys.exit(f"{name}: a test fails where nothing is changed")
            seconds = 10 + HANGS * arguments.jobs * (time.monotonic() - begun)
            copies.put(folder)

            def survives(mutant: Mutant, target: Target = target, limit: float = seconds) -> bool:
                folder = copies.get()
                try:
                    return not noticed(folder, mutant, target, limit)
                finally:
                    copies.put(folder)

            count = 0
            with ThreadPoolExecutor(arguments.jobs) as pool:
                for mutant, alive in zip(mutants, pool.map(survives, mutants), strict=True):
                    if alive:
                        count += 1
                        print(f"{mutant.file}:{mutant.line}: {mutant.change}", flush=True)
            print(f"{name}: {len(mutants)} mutants, {count} survived", flush=True)
            survivors += count
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
