"""The data of a page's script: the position, the plies, and both sides' strategies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...game.picture.placement import Placement
from ...game.picture.scene import Scene
from ...game.picture.themes import THEMES, Theme
from ...puzzle.problem import Puzzle
from ...puzzle.question import turns_text
from ...puzzle.solution import Solution
from ...puzzle.solved import Solved
from .page_steps import PageStrategy, Steps


def proof_data(
    steps: Steps,
    solved: Solved,
    solution: Solution,
    certificate: Mapping[str, Any] | None,
    most_planned: int | None = None,
) -> dict[str, Any]:
    """The proof; it has no strategies without a certificate. Raises ``LimitReached``.

    ``most_planned`` replaces the default limit of edges for plans played out.
    """
    puzzle = solved.puzzle
    strategies = []
    for side, title, note in _sides(puzzle, solution, solved.root.attacks) if certificate else ():
        nodes = (certificate or {})[side]["nodes"]
        strategy = PageStrategy(steps, nodes, solved, most_planned).build()
        strategies.append({"side": side, "title": title, "note": note, **strategy})
    scene = puzzle.state.scene
    return {
        "roles": puzzle.state.game.roles,
        "attacker": steps.attacker,
        "goal": puzzle.goal.text,
        "done": puzzle.goal.words(named(puzzle.defender)).done,
        "goalMover": 1 - steps.attacker if puzzle.goal.condition.trapped else None,
        "start": steps.start,
        "mover": None if scene.mover is None else scene.vocabulary.roles.index(scene.mover),
        "strategies": strategies,
    }


def shown_data(steps: Steps, scene: Scene, contents: list[str]) -> dict[str, Any]:
    """The numbered plies, and each fluent as a drawing on a square or as text.

    ``contents`` are numbered by their places in the list.
    """
    return {"steps": list(steps.steps)} | drawn_fluents(list(steps.fluents), scene, contents)


def drawn_fluents(fluents: Sequence[str], scene: Scene, contents: Sequence[str]) -> dict[str, Any]:
    """Each fluent as a drawing on a square or as text, and the squares that fluents mark."""
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
        "fluents": shown,
        "marks": {
            number: [f"{x},{y}" for x, y in marks[fluent]]
            for number, fluent in enumerate(fluents)
            if fluent in marks
        },
    }


def contents_of(fluents: Iterable[str], scene: Scene) -> list[str]:
    """The contents of squares, sorted."""
    piece = scene.vocabulary.piece
    return sorted({found[1] for fluent in fluents if (found := piece(fluent))})


def board_data(scene: Scene, contents: list[str]) -> dict[str, Any]:
    """The board's size and layout, and the names and colours of its contents."""
    board = scene.vocabulary.board
    places = board and Placement(board)
    return {
        "layout": places
        and {
            "size": places.size,
            "grid": places.is_grid,
            "outline": places.outline,
            "middles": {f"{x},{y}": middle for (x, y), middle in places.middles.items()},
        },
        "board": [board.width, board.height] if board else None,
        "ranks": board.ranks if board else None,
        "contents": [_content(scene, c) for c in contents] if board else [],
    }


def _content(scene: Scene, content: str) -> list[object]:
    """The name, the colour, and the number of the owner of a piece; -1 for nobody's."""
    owner, name = scene.vocabulary.owner(content), scene.name(content)
    number = -1 if owner is None else scene.vocabulary.roles.index(owner)
    return [name, scene.owners_colour(content), number]


def stones(scene: Scene, within: str = "") -> str:
    """The styles of the stones beside roles' names, for light and dark colour schemes."""

    def style(theme: Theme) -> str:
        colours = [getattr(theme, scene.colour(role)).fill for role in scene.vocabulary.roles]
        rules = (f"{within}.side-{n}{{--stone:{colour}}}" for n, colour in enumerate(colours))
        return "".join(rules)

    day, night = map(style, THEMES["auto"])
    return f"{day}@media screen and (prefers-color-scheme:dark){{{night}}}"


def _sides(puzzle: Puzzle, solution: Solution, attacks: bool) -> Iterator[tuple[str, str, str]]:
    """The strategies to show: the side, a title and a note for each.

    ``attacks``: whether the attacker is on move.
    """
    attacker, defender = named(puzzle.attacker), named(puzzle.defender)
    distance, note = solution.distance, f"Play any move of {attacker}."
    if solution.at_most is not None:
        yield "attack", f"How {attacker} forces it", ""
        if solution.not_within is not None:
            yield "defence", "Why not sooner", note
        return
    if not defender:
        if distance is None:
            yield "defence", "Why it can't be reached", note
            return
        yield "attack", f"How {attacker} reaches it", note
    elif distance is None:
        first = "" if attacks else f"the first move of {defender}, then "
        note = f"Play {first}any move of {attacker}: the answer of {defender} follows."
        yield "defence", f"How {defender} holds", note
        return
    else:
        answer = f"any move of {defender}: the answer of {attacker} follows."
        yield (
            "attack",
            f"How {attacker} forces it",
            _attack_note(attacker, answer, attacks, distance),
        )
        if distance == 1 and solution.keys:
            note = f"Play any other move of {attacker}: {defender} holds out for that turn."
            yield "defence", "Why nothing else does it", note
            return
        if solution.keys:
            note = (
                f"Play any move of {attacker}: {defender} holds out for "
                f"{turns_text(distance - 1)}, or one more after a first move that is not a key."
            )
        else:
            note = f"{defender} holds out until {attacker} needs turn {distance}."
    if distance:
        yield "defence", "Why not sooner", note


def _attack_note(attacker: str, answer: str, attacks: bool, distance: int) -> str:
    if distance == 0:
        return ""
    if not attacks:
        return f"Play {answer}"
    return f"Play a key of {attacker}" + (f", then {answer}" if distance > 1 else ".")


def named(role: str | None) -> str:
    """A role's name with a capital letter."""
    return f"{role or ''}"[:1].upper() + f"{role or ''}"[1:]
