"""What a page's script goes through: the position, the plies, and both sides' strategies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from ...game.picture.scene import Scene
from ...game.picture.themes import THEMES, Theme
from ...puzzle.goal import GoalKind
from ...puzzle.problem import Puzzle, turns_text
from ...puzzle.solution import Solution
from ...puzzle.solved import Solved
from .page_steps import Steps, listed
from .page_strategy import PageStrategy


def proof_data(
    steps: Steps,
    solved: Solved,
    solution: Solution,
    certificate: Mapping[str, Any] | None,
    most_planned: int | None = None,
) -> dict[str, Any]:
    """The proof, its plies numbered by ``steps``; without a certificate there is none.

    ``most_planned``: so many edges of plans are played out, if it isn't as many as can be.

    Raises ``LimitReached`` where it would be too large or the time is over.
    """
    puzzle = solved.puzzle
    strategies = []
    for side, title, note in _sides(puzzle, solution) if certificate else ():
        nodes = (certificate or {})[side]["nodes"]
        strategy = PageStrategy(steps, nodes, solved, most_planned).build()
        strategies.append({"side": side, "title": title, "note": note, **strategy})
    scene = puzzle.state.scene
    return {
        "roles": puzzle.state.game.roles,
        "attacker": steps.attacker,
        "goal": puzzle.goal.text,
        "done": puzzle.goal.done(named(puzzle.defender)),
        "goalMover": _mover_at_goal(puzzle.goal.kind, steps.attacker),
        "start": steps.start,
        "mover": None if scene.mover is None else scene.vocabulary.roles.index(scene.mover),
        "strategies": strategies,
    }


def _mover_at_goal(kind: GoalKind, attacker: int) -> int | None:
    """The number of the role on move where the goal is reached; None if it may be either."""
    match kind:
        case GoalKind.TRAP:
            return 1 - attacker
        case GoalKind.WIN | GoalKind.SCORE:
            return None
        case _:
            assert_never(kind)


def shown_data(steps: Steps, scene: Scene, contents: list[str]) -> dict[str, Any]:
    """The plies that were numbered, and how fluents are shown: those of a board's squares drawn,
    the others as text. ``contents`` are numbered by their places."""
    board = scene.vocabulary.board
    marks = board.marks if board else {}
    fluents = list(steps.fluents)
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
        "steps": listed(steps.steps),
        "fluents": shown,
        "marks": {
            number: [f"{x},{y}" for x, y in marks[fluent]]
            for number, fluent in enumerate(fluents)
            if fluent in marks
        },
    }


def contents_of(steps: Steps, scene: Scene) -> list[str]:
    """What can stand on the board, sorted."""
    piece = scene.vocabulary.piece
    return sorted({found[1] for fluent in steps.fluents if (found := piece(fluent))})


def board_data(scene: Scene, contents: list[str]) -> dict[str, Any]:
    """The board's size, and what can stand on it: what it is called, and its colour."""
    board = scene.vocabulary.board
    return {
        "board": [board.width, board.height] if board else None,
        "contents": [[scene.name(c), scene.owners_colour(c)] for c in contents] if board else [],
    }


def stones(scene: Scene, within: str = "") -> str:
    """The style of the stones that stand for roles, by day and by night."""

    def style(theme: Theme) -> str:
        colours = [getattr(theme, scene.colour(role)).fill for role in scene.vocabulary.roles]
        rules = (f"{within}.side-{n}{{--stone:{colour}}}" for n, colour in enumerate(colours))
        return "".join(rules)

    day, night = map(style, THEMES["auto"])
    return f"{day}@media screen and (prefers-color-scheme:dark){{{night}}}"


def _sides(puzzle: Puzzle, solution: Solution) -> Iterator[tuple[str, str, str]]:
    """The strategies there are to show: whose, a title, and what there is to see."""
    attacker, defender = named(puzzle.attacker), named(puzzle.defender)
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


def named(role: str | None) -> str:
    """A role as the name of somebody."""
    return f"{role or ''}"[:1].upper() + f"{role or ''}"[1:]
