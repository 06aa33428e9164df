"""The page itself: what the puzzle asks and what was answered, and the data for the script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from .. import __version__
from ..picture import Scene, empty_board
from ..picture.themes import THEMES, Theme
from ..puzzle.problem import Puzzle, turns_text
from ..puzzle.solution import Solution
from ..puzzle.solved import Solved
from ..puzzle.words import goal_text, verdict_text
from .steps import Steps, listed
from .strategy import Strategy


def book(solved: Solved, solution: Solution, certificate: Mapping[str, Any] | None) -> str:
    """The page of a puzzle's solution: HTML that needs nothing but itself.

    ``certificate`` is that of the solution, None if nothing was decided. Raises ``LimitReached``
    where the page would be too large or the time is over, and ``RulesError`` if the encoding names
    a shape or a colour that there isn't.
    """
    puzzle = solved.puzzle
    scene = puzzle.state.scene
    data, contents = _data(solved, solution, certificate)
    svg, night = empty_board(scene, contents) if scene.vocabulary.board else ("", "")
    question = _question(puzzle)
    texts = {
        "title": f"{scene.vocabulary.title}: {question}",
        "game": scene.vocabulary.title,
        "question": question,
        "verdict": _answer(solution) or verdict_text(puzzle, solution, solved.interrupted),
        "kind": solution.verdict,
        "version": __version__,
    }
    numbers = "".join(
        f"<dt>{name}</dt>{value}" for name, value in _numbers(puzzle, solution, certificate)
    )
    places = {name: escape(text) for name, text in texts.items()}
    places |= {"board": svg, "numbers": numbers, "data": _embedded(data)}
    return _filled(places, night + _stones(scene))


def _data(
    solved: Solved, solution: Solution, certificate: Mapping[str, Any] | None
) -> tuple[dict[str, Any], list[str]]:
    """What the script goes through, and what can stand on the board."""
    puzzle, steps = solved.puzzle, Steps(solved)
    strategies = []
    for side, title, note in _sides(puzzle, solution) if certificate else ():
        nodes = (certificate or {})[side]["nodes"]
        strategy = Strategy(steps, nodes, solved).build()
        strategies.append({"side": side, "title": title, "note": note, **strategy})
    fluents = list(steps.fluents)
    scene = puzzle.state.scene
    piece = scene.vocabulary.piece
    contents = sorted({found[1] for fluent in fluents if (found := piece(fluent))})
    data = {
        "roles": puzzle.state.game.roles,
        "attacker": steps.attacker,
        "goal": puzzle.goal.text,
        "start": steps.start,
        "mover": None if scene.mover is None else scene.vocabulary.roles.index(scene.mover),
        "steps": listed(steps.steps),
        "strategies": strategies,
        **_looks(scene, fluents, contents),
    }
    return data, contents


def _sides(puzzle: Puzzle, solution: Solution) -> Iterator[tuple[str, str, str]]:
    """The strategies there are to show: whose, a title, and what there is to see."""
    attacker, defender = _named(puzzle.attacker), _named(puzzle.defender)
    distance = solution.distance
    if not defender:
        yield from _ways(attacker, distance)
        return
    if distance is None:
        note = f"Play any move of {attacker}: the answer of {defender} follows."
        yield "defence", f"How {defender} holds", note
        return
    note = f"Play any reply of {defender}: the answer of {attacker} follows."
    yield "attack", f"How {attacker} forces it", note
    if solution.keys and distance == 1:
        note = f"Play any other move of {attacker}: {defender} holds out for that turn."
        yield "defence", "Why nothing else does it", note
    elif solution.keys:
        fewer = turns_text(distance - 1)
        note = (
            f"Play any move of {attacker}: {defender} holds out for {fewer}, "
            "and for one more after a first move that is no key."
        )
        yield "defence", "Why not sooner", note
    elif distance:
        note = f"{defender} holds out until {attacker} needs turn {distance}."
        yield "defence", "Why not sooner", note


def _ways(attacker: str, distance: int | None) -> Iterator[tuple[str, str, str]]:
    """What there is to show of one role."""
    note = f"Play any move of {attacker}."
    if distance is not None:
        yield "attack", f"How {attacker} reaches it", note
    if distance is None:
        yield "defence", "Why it can't be reached", note
    elif distance:
        yield "defence", "Why not sooner", note


def _question(puzzle: Puzzle) -> str:
    within = "" if puzzle.within is None else f" within {turns_text(puzzle.within)}"
    goal = puzzle.goal
    if goal.score is not None:
        does = f"reach a goal value of at least {goal.score}"
    else:
        does = f"trap {_named(puzzle.defender)}" if goal.text == "trap" else "win"
    return f"Can {_named(puzzle.attacker)} {does}{within}?"


def _answer(solution: Solution) -> str:
    """The answer to the question, as far as there is one."""
    if solution.verdict == "not_forced":
        return "No."
    if solution.verdict == "unknown":
        return ""
    if solution.distance == 0:
        return "It stands already."
    return "Yes." if solution.distance is None else f"Yes, in {turns_text(solution.distance)}."


def _named(role: str | None) -> str:
    """A role as the name of somebody."""
    return f"{role or ''}"[:1].upper() + f"{role or ''}"[1:]


def _numbers(
    puzzle: Puzzle, solution: Solution, certificate: Mapping[str, Any] | None
) -> Iterator[tuple[str, str]]:
    """What else there is to know: a name each, and the element that tells it."""
    state = puzzle.state
    yield "Goal", _told(goal_text(puzzle))
    yield "Position", _told(state.fen or " ".join(state.facts), ' class="fen"')
    if state.game.constants:
        constants = (f"{name} = {value}" for name, value in state.game.constants.items())
        yield "Constants", _told(", ".join(constants))
    if solution.distance is not None:
        yield "Distance", _told(turns_text(solution.distance))
    if solution.keys:
        yield "Key" if len(solution.keys) == 1 else "Keys", _moves(solution.keys_text)
    if solution.line:
        yield "Line" if puzzle.defender is None else "Longest line", _moves(solution.line_text)
    if solution.not_within is not None:
        yield "Refuted", _told(f"within {turns_text(solution.not_within)}")
    yield "Positions examined", _told(f"{solution.positions:,}")
    yield "Time", _told(f"{solution.seconds:.1f} s")
    if certificate:
        nodes = sum(len(certificate.get(s, {}).get("nodes", ())) for s in ("attack", "defence"))
        yield "Nodes of the proof", _told(f"{nodes:,}")


def _told(value: str, more: str = "") -> str:
    return f"<dd{more}>{escape(value)}</dd>"


def _moves(texts: Sequence[str]) -> str:
    """Moves, none of which the end of a line takes apart, nor from what stands behind it."""
    *others, last = texts
    parts = (*(f"{text}," for text in others), last)
    spans = " ".join(f'<span class="move">{escape(part)}</span>' for part in parts)
    return f"<dd>{spans}</dd>"


def _looks(scene: Scene, fluents: list[str], contents: list[str]) -> dict[str, Any]:
    """How fluents are shown: those of a board's squares drawn, the others as text."""
    board = scene.vocabulary.board
    marks = board.marks if board else {}
    beside = set(scene.vocabulary.beside(fluents)) - set(marks)
    shown: list[object] = []
    for fluent in fluents:
        found = board.piece(fluent) if board else None
        if found:
            (x, y), content = found
            shown.append([f"{x},{y}", contents.index(content)])
        else:
            shown.append(scene.said(fluent) if fluent in beside else None)
    return {
        "board": [board.width, board.height] if board else None,
        "fluents": shown,
        "contents": [[scene.name(c), scene.owners_colour(c)] for c in contents] if board else [],
        "marks": {
            number: [f"{x},{y}" for x, y in marks[fluent]]
            for number, fluent in enumerate(fluents)
            if fluent in marks
        },
    }


def _stones(scene: Scene) -> str:
    """The style of the stones that stand for roles, by day and by night."""

    def stones(theme: Theme) -> str:
        colours = [getattr(theme, scene.colour(role)).fill for role in scene.vocabulary.roles]
        return "".join(f".side-{n}{{--stone:{colour}}}" for n, colour in enumerate(colours))

    day, night = map(stones, THEMES["auto"])
    return f"{day}@media screen and (prefers-color-scheme:dark){{{night}}}"


def _embedded(data: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end that."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _filled(values: Mapping[str, str], colours: str) -> str:
    """The template with its places filled, and with the hashes of what it may run and apply."""
    folder = resources.files(__package__)
    style = folder.joinpath("book.css").read_text(encoding="utf-8") + colours
    script = "\n".join(
        folder.joinpath(name).read_text(encoding="utf-8") for name in ("board.js", "book.js")
    )
    template = folder.joinpath("book.html").read_text(encoding="utf-8")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {_hash(style)}; script-src {_hash(script)}"
    )
    places = {**values, "policy": policy, "style": style, "script": script}
    return re.sub(r"\{\{(\w+)\}\}", lambda place: places[place[1]], template)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
