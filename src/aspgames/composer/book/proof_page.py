"""The page of one proof: question, answer, proof and numbers."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from shlex import quote
from typing import Any

from ...game.notation.notations import state_text
from ...game.picture.drawing import empty_board
from ...puzzle.problem import Puzzle, bounds_text
from ...puzzle.question import turns_text
from ...puzzle.solution import Solution
from ...puzzle.solved import Solved
from ...puzzle.verdict_text import verdict_text
from .page_data import board_data, contents_of, named, proof_data, shown_data, stones
from .page_net import ENGINE_SCRIPTS, engine_parts
from .page_rules import rules_html
from .page_steps import Steps
from .page_template import embedded, filled


def book(solved: Solved, solution: Solution, certificate: Mapping[str, Any] | None) -> str:
    """The page of a puzzle's solution, as self-contained HTML.

    Raises ``LimitReached`` for too large a page, and ``RulesError`` for unknown shapes or colours.
    """
    puzzle = solved.puzzle
    scene, steps = puzzle.state.scene, Steps(solved)
    data = proof_data(steps, solved, solution, certificate)
    contents = contents_of(steps.fluents, scene)
    data |= shown_data(steps, scene, contents) | board_data(scene, contents)
    svg, night = empty_board(scene, contents) if scene.vocabulary.board else ("", "")
    asked = question(puzzle)
    texts = {
        "title": f"{scene.vocabulary.title}: {asked}",
        "game": scene.vocabulary.title,
        "question": asked,
        "verdict": _answer(solution) or verdict_text(puzzle, solution, solved.interrupted),
        "kind": solution.verdict,
    }
    numbers = "".join(
        f"<dt>{name}</dt>{value}" for name, value in _numbers(puzzle, solution, certificate)
    )
    places = {name: escape(text) for name, text in texts.items()}
    places |= {
        "board": svg,
        "numbers": numbers,
        "data": embedded(data),
        "rules": rules_html(puzzle.state.game),
        "page_command": escape(_page_command(puzzle)),
        "page": "proof",
        "without": "this page has the verdict and the numbers, but no board",
    }
    places["puzzles"] = engine_parts([steps.engine] if data["strategies"] else [])
    styles = ["page.css", night + stones(scene)]
    scripts = ["board.js", "player.js", *ENGINE_SCRIPTS, "proof.js", "proof_page.js"]
    return filled("proof.html", places, styles, scripts, computes=bool(places["puzzles"]))


def _page_command(puzzle: Puzzle) -> str:
    """The command that makes the page to play on from the puzzle's position."""
    game = puzzle.state.game
    constants = "".join(f" -c {name}={value}" for name, value in game.constants.items())
    file = quote(Path(game.encoding.reference).name)
    return f"aspgames page {file} {quote(state_text(puzzle.state))}{constants}"


def _answer(solution: Solution) -> str:
    """The short answer; empty if the puzzle is undecided."""
    if solution.verdict == "not_forced":
        return "No."
    if solution.verdict == "unknown":
        return ""
    if solution.distance == 0:
        return "It stands already."
    if solution.distance is not None:
        return f"Yes, in {turns_text(solution.distance)}."
    if solution.at_most is None:
        return "Yes."
    return f"Yes, {bounds_text(solution.at_most, solution.not_within)}."


def _numbers(
    puzzle: Puzzle, solution: Solution, certificate: Mapping[str, Any] | None
) -> Iterator[tuple[str, str]]:
    state = puzzle.state
    meaning = puzzle.goal.words(puzzle.defender, puzzle.attacker).meaning
    yield "Goal", _cell(f"{puzzle.goal.text}: {meaning}")
    yield "Position", _cell(state_text(state), ' class="fen"')
    if state.game.constants:
        constants = (f"{name} = {value}" for name, value in state.game.constants.items())
        yield "Constants", _cell(", ".join(constants))
    if solution.distance is not None:
        yield "Distance", _cell(turns_text(solution.distance))
    if solution.keys:
        name = "Key" if len(solution.keys) == 1 else "Keys"
        yield name + " so far" * (not solution.keys_complete), _moves(solution.keys_text)
    if solution.line:
        yield "Line" if puzzle.defender is None else "Longest line", _moves(solution.line_text)
    if solution.not_within is not None:
        yield "Refuted", _cell(f"within {turns_text(solution.not_within)}")
    yield "Positions examined", _cell(f"{solution.positions:,}")
    yield "Time", _cell(f"{solution.seconds:.1f} s")
    if certificate:
        nodes = sum(len(certificate.get(s, {}).get("nodes", ())) for s in ("attack", "defence"))
        yield "Nodes of the proof", _cell(f"{nodes:,}")


def _cell(value: str, more: str = "") -> str:
    return f"<dd{more}>{escape(value)}</dd>"


def _moves(texts: Sequence[str]) -> str:
    """Moves, each of which stays on one line with its punctuation."""
    *others, last = texts
    parts = (*(f"{text}," for text in others), last)
    spans = " ".join(f'<span class="move">{escape(part)}</span>' for part in parts)
    return f"<dd>{spans}</dd>"


def question(puzzle: Puzzle) -> str:
    """The question of a puzzle."""
    do = puzzle.goal.words(named(puzzle.defender)).do
    return f"Can {named(puzzle.attacker)} {do}{puzzle.limit}?"
