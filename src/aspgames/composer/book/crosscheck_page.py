"""The page of a cross-check: where an engine is wrong, with both answers side by side."""

import base64
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from itertools import pairwise

from ...crosscheck.compare.disagreement import Disagreement
from ...crosscheck.crosscheck_report import (
    KINDS,
    deciding_text,
    disputed_squares,
    result_report,
    result_text,
)
from ...crosscheck.crosscheck_run import ReducedDisagreement, Result
from ...crosscheck.engines.engine import Answer, Refusal
from ...crosscheck.reduce.fault_localization import describe_odd_form
from ...game.board import Square, square_name
from ...game.picture.drawing import draw
from ...game.picture.scene import Scene
from ...runtime.json_lines import JsonObject
from .page_data import named
from .page_template import embedded, filled

_MOST_MARKED = 12  # moves or facts marked on a board


def crosscheck_page(result: Result) -> str:
    """The page of a cross-check, as self-contained HTML; its data is the report's JSON."""
    report, title = result_report(result), result.game.vocabulary.title
    verdict = result_text(result).rpartition("\n\n")[2]
    is_engine = result.whose == "the engine's"
    who, are = ("Your engine", "is") if is_engine else ("The other rules", "are")
    claim = f"{who} {are} wrong here" if result.findings else verdict.partition(":")[0]
    found = zip(result.findings, report["disagreements"], strict=True)
    whose = who, result.whose
    sections = "".join(part for finding, data in found for part in _section(finding, data, *whose))
    texts = {"title": f"{title}: {claim}", "game": title, "question": claim}
    texts |= {"verdict": verdict, "engine": result.engine, "page": "crosscheck"}
    places = {name: escape(text) for name, text in texts.items()}
    places |= {"without": "nothing is missing", "data": embedded(report)}
    places["sections"] = sections or "<p>There is no disagreement to show.</p>"
    return filled("crosscheck.html", places, ["page.css", "crosscheck.css"], [])


def _section(finding: ReducedDisagreement, data: JsonObject, who: str, whose: str) -> Iterator[str]:
    """A disagreement: the line, both answers, the deciding rule, and the position as text.

    ``who`` disagrees with the rules; reports call its answer ``whose`` answer.
    """
    found, why = finding.shrunk, finding.why
    question, theirs = found.question, found.theirs
    scene = question.state.scene
    yield f"<section><h2>{escape(named(KINDS[found.kind]))}</h2>"
    if question.turns:
        *turns, last = question.turns
        line = " ".join(f"{n}. {text}" for n, text in enumerate(data["moves_text"], 1))
        yield f"<h3>The line that leads there</h3><p>{escape(line)}</p>"
        before = question.played(ply for turn in turns for ply in turn).scene
        yield _picture(before, "Before the last move", [disputed_squares(found, "", last)])
    facts = [fact for r in why.reasons for fact in r.facts] if why and found.kind != "facts" else []
    rings = [[piece[0]] for fact in facts if (piece := scene.vocabulary.piece(fact))]
    yield '<div class="boards"><div><h3>The rules</h3>'
    marks = [*_squares(found, found.missing), *rings]
    yield _picture(scene, "The rules", marks) + _answer(data["rules"], data["missing"])
    yield f"</div><div><h3>{who}</h3>"
    if not isinstance(theirs, Refusal):
        yield _picture(_seen(theirs, scene), who, _squares(found, found.extra))
    yield _answer(data["engine"], data["extra"]) + "</div></div>"
    if words := describe_odd_form(found) or (why and why.summary):
        yield f"<h3>By the rules</h3><p>{escape(words)}</p>"
    for rule in data["decided_by"][:1]:
        end = deciding_text(rule, whose) + "."
        yield f"<h3>The deciding rule</h3><blockquote>{escape(rule['sentence'])}</blockquote>"
        yield f"<pre>{escape(rule['rule'])}</pre><p>{escape(end)}</p>"
    position = data["fen"] or " ".join(data["position"])
    texts = {"Position": position, "Again": data["reproduce"]}
    rows = (f'<dt>{name}</dt><dd class="fen">{escape(text)}</dd>' for name, text in texts.items())
    yield f"<dl>{''.join(rows)}</dl></section>"


def _seen(answer: Answer, ours: Scene) -> Scene:
    """The position as the engine sees it; what it doesn't tell is ours."""
    mover = None if answer.terminal else answer.to_move or ours.mover
    text = "game over" if answer.terminal else answer.to_move and f"{mover} to move"
    facts = next(f for f in (answer.facts, answer.placed, ours.facts) if f is not None)
    mover = mover if mover in ours.vocabulary.roles else None
    return replace(ours, facts=tuple(facts), status=text or ours.status, mover=mover)


def _squares(found: Disagreement, items: tuple[str, ...]) -> Iterator[list[Square]]:
    for item in items[:_MOST_MARKED]:
        if found.kind == "facts":
            piece = found.question.game.vocabulary.piece(item)
            yield [piece[0]] if piece else []
        elif found.kind in ("legal", "perft"):  # after a move, perft has its count
            yield disputed_squares(found, item.split(" ")[0] if "(" in item else item)


def _picture(scene: Scene, name: str, marks: Iterable[list[Square]]) -> str:
    """A board with arrows along the squares of moves, and rings around single squares.

    It is an image, because the page's policy forbids the style within an SVG.
    """
    arrows: list[tuple[str, str]] = []
    rings: list[str] = []
    board = scene.vocabulary.board
    for squares in marks:
        names = [square_name(square) for square in squares if board and board.has(square)]
        arrows += ((start, end) for start, end in pairwise(names) if start != end)
        rings += names if len(names) == 1 else []
    svg = draw(scene, arrows=dict.fromkeys(arrows), marked=rings, theme="auto")
    image = base64.b64encode(svg.encode()).decode()
    sentences = [f"{name}.", scene.words(), *(f"Arrow from {a} to {b}." for a, b in arrows)]
    words = escape(" ".join(sentences + [f"Ring around {ring}." for ring in dict.fromkeys(rings)]))
    status = f"<figcaption>{escape(named(scene.status))}</figcaption>"
    return f'<figure><img src="data:image/svg+xml;base64,{image}" alt="{words}">{status}</figure>'


def _answer(answer: JsonObject, items: list[JsonObject]) -> str:
    parts = [f"{role} {value}" for role, value in answer.get("goals", {}).items()]
    parts += (f"moves of {role}: {len(moves)}" for role, moves in answer.get("legal", {}).items())
    parts += [f"an error: {answer['error']}"] if "error" in answer else []
    shown = ", ".join(item["text"] for item in items)
    only = f"<p>Only here: <mark>{escape(shown)}</mark></p>" if items else ""
    return f"{only}<p>{escape(', '.join(parts))}</p>"
