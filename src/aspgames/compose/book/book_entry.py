"""One puzzle of a book: its card in the index, and the data of its page."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from ...game.picture.drawing import empty_board
from ...puzzle.problem import Puzzle, turns_text
from ...puzzle.solution import Cooperation, Solution, undecided
from ...puzzle.solved import Solved
from .cooperative_lesson import CooperativeLesson
from .illegal_moves import MOST, Told, illegal_moves
from .lesson import AS_WELL, TRY, Lesson
from .page_data import board_data, contents_of, named, proof_data, shown_data, stones
from .page_steps import Step, Steps

JsonObject = dict[str, Any]

_MOST_PLANNED = 600
"""Edges for plans played out, in each strategy of a proof: fewer than on a page of one proof."""


def entry(
    request: Mapping[str, Any],
    solved: Solved,
    solution: Solution,
    certificate: Mapping[str, Any],
) -> JsonObject:
    """A solved puzzle for a book, as JSON; ``request`` is the user's puzzle.

    Raises:
        BadRequest: The puzzle has no move to find.
        LimitReached: The puzzle is too large for a page, or the time is over.
    """
    steps = Steps(solved)
    lesson = Lesson(steps, solved, solution).build()
    data = proof_data(steps, solved, solution, certificate, _MOST_PLANNED)
    nodes = (
        n for side in ("attack", "defence") for n in certificate.get(side, {}).get("nodes", ())
    )
    moves = sum(map(_moves, nodes))
    return _entry(request, steps, data | {"lesson": lesson}, asked(solved.puzzle, solution), moves)


def helped_entry(request: Mapping[str, Any], solved: Solved, found: Cooperation) -> JsonObject:
    """A cooperative puzzle for a book, as JSON. It has no proof."""
    steps, puzzle = Steps(solved), solved.puzzle
    lesson = CooperativeLesson(steps, solved, found).build()
    data = proof_data(steps, solved, undecided(0), None) | {"lesson": lesson}
    do = puzzle.goal.do(named(puzzle.defender))
    attacks = puzzle.state.to_move == puzzle.attacker
    begins = f"{named(puzzle.attacker if attacks else puzzle.defender)} to move."
    turns = turns_text(found.distance or 0)
    question = f"{begins} Both sides help {named(puzzle.attacker)} to {do} in {turns}."
    moves = sum(len(node) // 3 for node in lesson["nodes"])
    return _entry(request, steps, data, question, moves)


def _entry(
    request: Mapping[str, Any], steps: Steps, data: JsonObject, question: str, moves: int
) -> JsonObject:
    """``moves`` is the size of the proof."""
    scene, lesson = steps.solved.puzzle.state.scene, data["lesson"]
    board = scene.vocabulary.board
    data["illegal"] = _illegal(steps, lesson)
    contents = sorted({*contents_of(steps, scene), *(board.glyphs if board else ())})
    shown = shown_data(steps, scene, contents)
    look: JsonObject = board_data(scene, contents) | {"stones": stones(scene, ".look-N ")}
    if board:
        look["svg"], look["night"] = empty_board(scene, contents)
    card = {
        "id": _digest(steps.solved.puzzle, lesson),
        "name": _name(request),
        "game": scene.vocabulary.title,
        "asked": question,
        "solver": lesson["solver"],
        "mover": data["mover"],
        "start": _start(steps, shown),
        "difficulty": _difficulty(request, moves),
        "solution": _solution(steps, lesson),
    }
    return {"card": card, "look": look, "data": packed(data | shown)}


def packed(data: Any) -> str:
    """JSON, deflated and in base 64."""
    text = json.dumps(data, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def asked(puzzle: Puzzle, solution: Solution) -> str:
    """The task in a sentence."""
    attacker, defender = named(puzzle.attacker), named(puzzle.defender)
    attacks = puzzle.attacks(puzzle.state)
    mover, solves = attacker if attacks else defender, attacks == (solution.verdict == "forced")
    begins = f"{mover} to move." if solves else f"{mover} moves first."
    do = puzzle.goal.do(defender)
    if solution.verdict == "not_forced":
        who = "Keep" if solves else f"As {defender}, keep"
        return f"{begins} {who} {attacker} from {puzzle.goal.doing(defender)}{puzzle.limit}."
    turns = turns_text(solution.distance or 0)
    if solves:
        return f"{begins} {do[:1].upper()}{do[1:]} in {turns}."
    return f"{begins} As {attacker}, {do} in {turns}, whatever {defender} plays."


def _name(request: Mapping[str, Any]) -> str:
    """The puzzle's title, or its name; ``the-last-arrow`` becomes ``The last arrow``."""
    name = str(request.get("title") or request.get("id") or "")
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name):
        name = name.replace("-", " ")
        name = name[0].upper() + name[1:]
    return name


def _start(steps: Steps, shown: Mapping[str, Any]) -> list[object]:
    """The first position: drawn contents, marked squares, and facts as text."""
    found: list[object] = []
    for number in steps.start:
        fluent = shown["fluents"][number]
        if fluent is not None:
            found.append(fluent)
        found += [[square] for square in shown["marks"].get(number, ())]
    return found


def _difficulty(request: Mapping[str, Any], moves: int) -> float:
    """The judged difficulty of a puzzle, otherwise the size of its proof as a power of two."""
    judged = request.get("judged")
    given = judged.get("difficulty") if isinstance(judged, dict) else request.get("difficulty")
    if isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given):
        return round(float(given), 2)
    return round(math.log2(1 + moves), 2)


def _moves(node: Any) -> int:
    """The number of moves in a node of a certificate, plans included."""
    if not isinstance(node, dict):
        return 0
    if "plan" in node:
        return len(node["plan"])
    following = node.get("moves") or node.get("replies") or {"": node.get("to")}
    targets = list(following.values())
    return len(targets) + sum(map(_moves, targets))


def _solution(steps: Steps, lesson: Mapping[str, Any]) -> JsonObject:
    """The solution for print: the keys, and a line with its roles."""
    line = list(_line(steps, lesson))
    keys = [text for _, text, *_ in line[0][1]]
    return {"keys": keys, "line": [step[:2] for step, _ in line]}


def _line(steps: Steps, lesson: Mapping[str, Any]) -> Iterator[tuple[Step, list[Step]]]:
    """The plies of the book's line, each with all right moves in its place if the solver moves."""
    plies, nodes, at = list(steps.steps), lesson["nodes"], lesson["root"]
    while at >= 0 and len(nodes[at]) > 1:
        kind, *rest = nodes[at]
        edges = list(zip(*[iter(rest)] * (3 if kind == TRY else 2), strict=True))
        right = [edge for edge in edges if kind != TRY or edge[2]]
        number, at, *_ = min(right, key=lambda edge: edge[1] == AS_WELL)
        yield plies[number], [plies[edge[0]] for edge in right] if kind == TRY else []


def _illegal(steps: Steps, lesson: Mapping[str, Any]) -> list[Told]:
    """Reasons for illegal moves, in the solver's positions on the book's line."""
    state, most, found = steps.solved.puzzle.state, list(MOST), list[Told]()
    for (_, text, _, _, named_squares), right in _line(steps, lesson):
        if right and most:
            squares = [(int(x), int(y)) for x, y in (s.split(",") for s in named_squares)]
            found += illegal_moves(steps, state, squares, most.pop(0))
        if not most:
            break
        state = state.play(text)
    return found


def _digest(puzzle: Puzzle, lesson: Mapping[str, Any]) -> str:
    """The puzzle's identity in a browser's storage, the same in every book with this question."""
    game = puzzle.state.game
    rules: list[Any] = [game.name, dict(game.constants), puzzle.state.facts]
    asked = [*rules, puzzle.attacker, puzzle.goal.text, puzzle.within, "helped" in lesson]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:12]
