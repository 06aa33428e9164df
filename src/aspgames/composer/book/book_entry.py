"""One puzzle of a book: its card in the index, and the data of its page."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import Any, ClassVar

from ...game.board import Board, Square
from ...game.explain.explanation import Explanation
from ...game.notation.move_text import named_squares, only_numbers
from ...game.picture.drawing import empty_board
from ...game.state import State
from ...puzzle.problem import Puzzle
from ...puzzle.question import turns_text
from ...puzzle.solution import Cooperation, Solution, undecided
from ...puzzle.solved import Solved, first_of
from ...puzzle.stipulation import in_words, is_helped
from ...runtime.errors import AspgamesError, BadRequest, Interrupted, LimitReached
from ...runtime.json_lines import JsonObject, error_report
from ...runtime.workers.task_runner import Show
from ...solver.puzzles import Effort
from .lesson import AS_WELL, TRY, CooperativeLesson, Lesson
from .page_data import board_data, contents_of, named, proof_data, shown_data, stones
from .page_net import packed
from .page_rules import rules_html
from .page_steps import Step, Steps

_MOST_PLANNED = 600
"""Edges for plans played out, in each strategy of a proof: fewer than on a page of one proof."""
_UNDECIDED = "the puzzle stayed undecided within the limits"
MOST_EXPLAINED = (70, 40)
"""The number of moves explained, in the solver's first position and in the next one. For other
moves, the page says only that they don't exist."""
_MOST_LATER = 20  # among these, the number of moves with the first squares of a right move
_MOST_VARIATIONS = 60  # replies
Illegal = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], str]
"""The named squares of an illegal move, as ``x,y``; the fluents that must hold for the sentence to
be true, those that must not, and the sentence."""


def entry(
    request: Mapping[str, Any], solved: Solved, solution: Solution, certificate: Mapping[str, Any]
) -> JsonObject:
    """A solved puzzle for a book, as JSON; ``request`` is the user's puzzle.

    Raises ``BadRequest`` without a move to find, and ``LimitReached`` for too large a puzzle.
    """
    steps = Steps(solved)
    lesson = Lesson(steps, solved, solution).build()
    data = proof_data(steps, solved, solution, certificate, _MOST_PLANNED)
    nodes = (
        n for side in ("attack", "defence") for n in certificate.get(side, {}).get("nodes", ())
    )
    moves = sum(map(_moves, nodes))
    question, forced = asked(solved.puzzle, solution), solution.verdict == "forced"
    if forced and (task := in_words(request.get("stipulation"))):
        question = f"{named(solved.puzzle.state.to_move)} to move. {task}."
    found = _entry(request, steps, data | {"lesson": lesson}, question, moves)
    found["card"]["solution"]["variations"] = _variations(solved, solution)
    return found


def _variations(solved: Solved, solution: Solution) -> list[tuple[list[str], str]]:
    """Replies to the key, but for the one of the main line, with the attacker's next move.

    Replies with the same answer are together. There are none if the key ends the puzzle, or the
    attacker's turn goes on after it.
    """
    root, line = solved.root, solution.line
    if not (solution.verdict == "forced" and root.attacks and len(line) > 1):
        return []
    position = dict(root.children())[line[0]]
    if position.attacks or len(position.children()) > _MOST_VARIATIONS:
        return []
    state = solved.puzzle.state.play(line[0])
    turns = root.turns_after(position, (solution.distance or 0) - 1)
    answers: dict[str, list[str]] = {}
    for reply, after in position.children():
        solved.budget.check()
        if reply == line[1] or after.goal_reached or not after.attacks:
            continue
        fewest = after.distance(position.turns_after(after, turns)) - 1
        answer, _ = first_of(after.best_moves(fewest))
        text = _short(state.play(reply), answer)
        answers.setdefault(text, []).append(_short(state, reply))
    return [(replies, answer) for answer, replies in answers.items()]


def _short(state: State, move: str) -> str:
    """A move, given as a term, in a short form where the game has one."""
    return state.short_text(move) or state.move_text(move)


def helped_entry(request: Mapping[str, Any], solved: Solved, found: Cooperation) -> JsonObject:
    """A cooperative puzzle for a book, as JSON. It has no proof."""
    steps, puzzle = Steps(solved), solved.puzzle
    lesson = CooperativeLesson(steps, solved, found).build()
    data = proof_data(steps, solved, undecided(0), None) | {"lesson": lesson}
    do = puzzle.goal.words(named(puzzle.defender)).do
    attacks = puzzle.state.to_move == puzzle.attacker
    begins = f"{named(puzzle.attacker if attacks else puzzle.defender)} to move."
    turns = turns_text(found.distance or 0)
    question = f"{begins} Both sides help {named(puzzle.attacker)} to {do} in {turns}."
    if task := in_words(request.get("stipulation")):
        question = f"{begins} {task}."
    moves = sum(len(node) // 3 for node in lesson["nodes"])
    return _entry(request, steps, data, question, moves)


def _entry(
    request: Mapping[str, Any], steps: Steps, data: JsonObject, question: str, moves: int
) -> JsonObject:
    """``moves`` is the size of the proof."""
    scene, lesson = steps.solved.puzzle.state.scene, data["lesson"]
    board = scene.vocabulary.board
    data["illegal"] = _illegal(steps, lesson)
    contents = sorted({*contents_of(steps.fluents, scene), *(board.glyphs if board else ())})
    shown = shown_data(steps, scene, contents)
    look: JsonObject = board_data(scene, contents) | {"stones": stones(scene, ".look-N ")}
    if board:
        look["svg"], look["night"] = empty_board(scene, contents)
    line = list(_line(steps, lesson))
    card = {
        "id": _digest(steps.solved.puzzle, lesson),
        "name": _name(request),
        "game": scene.vocabulary.title,
        "asked": question,
        "solver": lesson["solver"],
        "mover": data["mover"],
        "start": _start(steps, shown),
        "difficulty": _difficulty(request, moves),
        "solution": _solution(steps.solved.puzzle.state, line),
    }
    return {
        "card": card,
        "look": look,
        "data": packed(data | shown),
        "engine": steps.engine,
        "rules": rules_html(steps.solved.puzzle.state.game),
    }


def asked(puzzle: Puzzle, solution: Solution) -> str:
    """The task in a sentence."""
    attacker, defender = named(puzzle.attacker), named(puzzle.defender)
    attacks = puzzle.attacks(puzzle.state)
    mover, solves = attacker if attacks else defender, attacks == (solution.verdict == "forced")
    begins = f"{mover} to move." if solves else f"{mover} moves first."
    words = puzzle.goal.words(defender)
    if solution.verdict == "not_forced":
        who = "Keep" if solves else f"As {defender}, keep"
        return f"{begins} {who} {attacker} from {words.doing}{puzzle.limit}."
    turns = turns_text(solution.distance or 0)
    if solves:
        return f"{begins} {words.do[:1].upper()}{words.do[1:]} in {turns}."
    return f"{begins} As {attacker}, {words.do} in {turns}, whatever {defender} plays."


def _solution(state: State, line: Sequence[tuple[Step, Sequence[Step]]]) -> JsonObject:
    """The keys and the line for the printed sheet, in short moves where the game has them."""

    def shown(text: str) -> str:
        term = next((move.term for move in state.legal_moves if move.text == text), None)
        return (state.short_text(term) if term else None) or text

    keys = [shown(text) for _, text, *_ in line[0][1]]
    plies = []
    for (role, text, *_), _ in line:
        plies.append([role, shown(text)])
        state = state.play(text)
    return {"keys": keys, "line": plies}


def _name(request: Mapping[str, Any]) -> str:
    """The puzzle's title, or its name; ``the-last-arrow`` becomes ``The last arrow``."""
    name = str(request.get("title") or request.get("id") or "")
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name):
        name = name.replace("-", " ")
        name = name[0].upper() + name[1:]
    return name


def _start(steps: Steps, shown: Mapping[str, Any]) -> list[object]:
    """The first position: drawn contents, marked squares, and facts as text.

    Beside a board, facts are left out that a position has by default, such as counts of 0.
    """
    found: list[object] = []
    game, fluents = steps.solved.puzzle.state.game, list(steps.fluents)
    for number in steps.start:
        fluent = shown["fluents"][number]
        if fluent is not None and not (game.board and fluents[number] in game.reader.defaults):
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


def _line(steps: Steps, lesson: Mapping[str, Any]) -> Iterator[tuple[Step, list[Step]]]:
    """The plies of the book's line, each with all right moves in its place if the solver moves."""
    plies, nodes, at = list(steps.steps), lesson["nodes"], lesson["root"]
    while at >= 0 and len(nodes[at]) > 1:
        kind, *rest = nodes[at]
        edges = list(zip(*[iter(rest)] * (3 if kind == TRY else 2), strict=True))
        right = [edge for edge in edges if kind != TRY or edge[2]]
        number, at, *_ = min(right, key=lambda edge: edge[1] == AS_WELL)
        yield plies[number], [plies[edge[0]] for edge in right] if kind == TRY else []


def _illegal(steps: Steps, lesson: Mapping[str, Any]) -> list[Illegal]:
    """Reasons for illegal moves, in the solver's positions on the book's line."""
    state, most, found = steps.solved.puzzle.state, list(MOST_EXPLAINED), list[Illegal]()
    for (_, text, _, _, named_there), right in _line(steps, lesson):
        if right and most:
            squares = [(int(x), int(y)) for x, y in (s.split(",") for s in named_there)]
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


@dataclass(frozen=True)
class BookEffort(Effort):
    """Prepares each puzzle for a book, within the limits of an ``Effort``."""

    has_chance: ClassVar[bool] = False

    def answer(self, request: JsonObject, puzzle: Puzzle, show: Show) -> JsonObject:
        """The puzzle's entry in a book: see ``book_entry.entry``. Raises ``Interrupted``."""
        from ...puzzle.proof.certificate import certificate
        from ...solver.planner.cooperative_search import together  # loaded only if necessary

        search = self.open(puzzle, show)
        if is_helped(request.get("stipulation")):
            found = together(puzzle, search.budget)
            if found.verdict == "impossible":
                raise BadRequest("even together the sides can't reach the goal")
            if found.verdict == "unknown":
                raise LimitReached(_UNDECIDED)
            return helped_entry(request, search, found)
        solution = search.run()
        if search.interrupted:
            raise Interrupted
        if not solution.is_complete:
            raise LimitReached(_UNDECIDED)
        return entry(request, search, solution, certificate(search, solution))

    def out_of_time(self, _request: JsonObject) -> JsonObject:
        """An error: the book leaves the puzzle out."""
        limit = f"the puzzle wasn't ready within {self.seconds or 0:g} seconds"
        return error_report(LimitReached(limit))


def illegal_moves(steps: Steps, state: State, right: Sequence[Square], most: int) -> list[Illegal]:
    """Explain at most ``most`` illegal moves, in the encoding's sentences.

    A page can show an explanation in every position with the same facts, and without the others.

    ``right`` has the squares of a right move. Raises ``LimitReached`` if the budget is over.
    """
    board, role = state.game.board, state.to_move
    if board is None or role is None or state.is_terminal:
        return []
    tried = {term: squares for squares, term in islice(_tried(state, board, role, right), most)}
    found = []
    try:
        for squares, why in zip(tried.values(), state.why_moves(tried), strict=True):
            steps.solved.budget.check()
            if not why.holds:
                found.append(_move_of(steps, state, squares, why))
    except LimitReached:
        raise
    except AspgamesError:
        return found  # there is no explanation
    return found


def _move_of(steps: Steps, state: State, squares: tuple[str, ...], why: Explanation) -> Illegal:
    facts = {fact for reason in why.reasons for fact in reason.facts}
    absent = {fact for reason in why.reasons for fact in reason.absent}
    if not why.whole:
        facts = set(state.facts)
    sentence = why.told
    return (
        squares,
        tuple(sorted(map(steps.fluent, facts))),
        tuple(sorted(steps.fluents[f] for f in absent if f in steps.fluents)),
        f"{sentence[:1].upper()}{sentence[1:]}.",
    )


def _tried(
    state: State, board: Board, role: str, right: Sequence[Square]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Illegal moves, each with the squares that the reader has named so far.

    They begin on the mover's pieces, or on occupied squares for moves of one square, and end on the
    other squares, the nearest first. If moves have more squares, some begin like the right one.
    """
    forms = state.game.vocabulary.notation
    owner, occupied = state.game.vocabulary.owner, state.scene.occupied
    mine = sorted(square for square, content in occupied.items() if owner(content) == role)
    legal = [tuple(named_squares(forms, move.term)) for move in state.legal_moves]
    begun = {squares[:count] for squares in legal for count in range(1, len(squares) + 1)}
    names = {move.term.partition("(")[0] for move in state.legal_moves}
    for name in sorted(name for name in names & forms.keys() if only_numbers(forms[name])):
        count = forms[name].count("@")
        if count == 1:
            tried: list[tuple[Square, ...] | None]
            tried = [(square,) for square in sorted(occupied) if (square,) not in begun]
        else:
            later = (_on_from(board, tuple(right[:n]), begun) for n in range(2, count))
            several = zip_longest(*(_on_from(board, (square,), begun) for square in mine))
            tried = [
                *islice(chain.from_iterable(zip_longest(*later)), _MOST_LATER),
                *chain.from_iterable(several),
            ]
        for squares in filter(None, tried):
            # The remaining squares must not be the reason; for one, a shot can go back.
            whole = [*squares, *[squares[0]] * (count - len(squares))]
            numbers = ",".join(f"{x},{y}" for x, y in whole)
            yield tuple(f"{x},{y}" for x, y in squares), f"{name}({numbers})"


def _on_from(
    board: Board, begun: tuple[Square, ...], legal: set[tuple[Square, ...]]
) -> list[tuple[Square, ...]]:
    """Continuations of some squares that no legal move has, the nearest first."""
    if not begun:
        return []
    last = begun[-1]

    def distance(square: Square) -> tuple[int, Square]:
        return max(abs(square[0] - last[0]), abs(square[1] - last[1])), square

    squares = ((x, y) for x in range(1, board.width + 1) for y in range(1, board.height + 1))
    ends = (square for square in squares if square != last and (*begun, square) not in legal)
    return [(*begun, end) for end in sorted(ends, key=distance)]
