"""Ways to ask clingo for the legal moves of a state, and for a successor, side by side in one run.

Run it with: python benchmarks/grounding.py

- text: a new Control grounds the encoding's text and the state's facts;
- parsed: the statements are parsed once, and a ProgramBuilder adds them;
- query: the way of aspgames (``aspgames.asp.grounding.Query``). Rules that don't depend on the
  state are grounded once, and rules that the question doesn't need are left out.

Each figure is the median over the states of one random game. The spread is that of the medians of
several repetitions. No answer is used twice.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import clingo
from clingo import ast

import aspgames
from aspgames.asp.grounding import Query
from aspgames.asp.statements import Signature

REPETITIONS = 5
Ask = Callable[[list[clingo.Symbol], list[clingo.Symbol]], object]
LEGAL: list[Signature] = [("legal", 2), ("terminal", 0), ("goal", 2), ("to_move", 1)]
NEXT: list[Signature] = [("next", 1)]


def ways(game: aspgames.Game, wanted: list[Signature]) -> dict[str, Ask]:
    """The ways to ask, by name."""
    encoding = game.encoding
    texts = [source.text for source in encoding.sources]
    statements = encoding.statements("base")

    def ground(control: clingo.Control, facts: str) -> object:
        control.add("base", [], facts)
        control.ground([("base", [])])
        atoms = control.symbolic_atoms
        return [[atom.symbol for atom in atoms.by_signature(*s) if atom.is_fact] for s in wanted]

    def facts_of(true: list[clingo.Symbol], does: list[clingo.Symbol]) -> str:
        lines = [f"true({fluent})." for fluent in true]
        lines += [f"does({','.join(map(str, pair.arguments))})." for pair in does]
        return "".join(lines)

    def text(true: list[clingo.Symbol], does: list[clingo.Symbol]) -> object:
        control = clingo.Control(["--warn=none"])
        for part in texts:
            control.add("base", [], part)
        return ground(control, facts_of(true, does))

    def parsed(true: list[clingo.Symbol], does: list[clingo.Symbol]) -> object:
        control = clingo.Control(["--warn=none"])
        with ast.ProgramBuilder(control) as builder:
            for statement in statements:
                builder.add(statement)
        return ground(control, facts_of(true, does))

    return {"text": text, "parsed": parsed, "query": Query(statements, game.constants, wanted)}


def questions(game: aspgames.Game) -> list[tuple[list[clingo.Symbol], list[clingo.Symbol]]]:
    """The states of a random game with the joint move that was played in each."""
    rng = random.Random(1)
    state = game.initial
    found = []
    while state.legal_moves:
        joint = {role: rng.choice(moves) for role, moves in state.legal.items()}
        true = [clingo.parse_term(fact) for fact in state.facts]
        does = [clingo.parse_term(f"({role},{move.term})") for role, move in joint.items()]
        found.append((true, does))
        state = state.play(joint)
    return found


def main() -> None:
    """Print a table: milliseconds for a question, their spread, the ratio to the first way."""
    print(f"clingo {clingo.__version__}, {REPETITIONS} repetitions\n")
    print(f"{'game':14} {'question':10} {'way':8} {'ms':>8} {'spread':>15} {'ratio':>7}")
    for name in aspgames.games():
        game = aspgames.load(name)
        asked = questions(game)
        for question, wanted in (("legal", LEGAL), ("successor", NEXT)):
            base = 0.0
            for way, ask in ways(game, wanted).items():
                medians = []
                for _ in range(REPETITIONS):
                    times = []
                    for true, does in asked:
                        start = time.perf_counter()
                        ask(true, does if question == "successor" else [])
                        times.append((time.perf_counter() - start) * 1000)
                    medians.append(statistics.median(times))
                middle = statistics.median(medians)
                base = base or middle
                spread = f"{min(medians):.2f}..{max(medians):.2f}"
                figures = f"{middle:8.2f} {spread:>15} {base / middle:6.1f}x"
                print(f"{name:14} {question:10} {way:8} {figures}")


if __name__ == "__main__":
    main()
