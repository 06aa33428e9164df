"""What a cross-check found: as JSON (schema: ``docs/schemas``), and as text for a bug report."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from .._version import __version__
from ..game.board import Square, parse_square
from ..game.game import State
from ..game.notation.joint_moves import moves_in
from ..game.notation.move_text import named_squares
from ..game.notation.notations import Notation, notation
from ..game.notation.uci_notation import coordinates
from ..game.text_view import board_text
from ..play.game_record import Record
from ..runtime.errors import BadMove, BadRequest
from ..runtime.json_lines import JsonObject
from .compare.disagreement import Disagreement
from .crosscheck_run import ReducedDisagreement, Result
from .engines.engine import Answer, Question, Refusal, Turn
from .reduce.answer_form import describe_odd_form
from .reduce.disputed_move import role_of, turn_of
from .reduce.fault_localization import DecidingRule

_KINDS = {
    "facts": "the position that play leads to",
    "to_move": "who is on move",
    "terminal": "whether the game is over",
    "legal": "the legal moves",
    "goals": "the goal values",
    "refused": "whether play leads here: the engine refuses it",
    "perft": "the perft counts",
}
_MOST = 12  # moves that are listed in text
_MOST_LINES = 2  # lines of the encoding that are


def result_report(result: Result) -> JsonObject:
    """A cross-check as JSON."""
    tally = result.tally
    return {
        "version": __version__,
        "game": result.game.name,
        "const": dict(result.game.constants),
        "against": result.engine,
        "agree": tally.positions > 0 and not result.findings,
        "finished": tally.finished,
        "positions": tally.positions,
        "games": tally.games,
        "made": tally.made,
        "skipped": tally.skipped,
        "divides": tally.divides,
        "seed": result.plan.seed,
        "seconds": result.seconds,
        "disagreements": [_finding_report(result, finding) for finding in result.findings],
    }


def _finding_report(result: Result, finding: ReducedDisagreement) -> JsonObject:
    found = finding.shrunk
    question = found.question
    written = _written(result, found)
    return {
        "kind": found.kind,
        "times": finding.times,
        "tried": finding.tried,
        "const": dict(question.game.constants),
        "position": _texts(question.facts, written),
        "fen": question.before.fen,
        "moves": [_text(ply, written) for ply in question.plies],
        "moves_text": _played(question, written),
        "missing": _items(found, found.missing, written),
        "extra": _items(found, found.extra, written),
        "rules": _answer_report(found.ours, written),
        "engine": _answer_report(found.theirs, written),
        "met": _texts(finding.met.question.after, written),
        "decided_by": [
            {
                "place": deciding.line.place,
                "sentence": deciding.line.comment,
                "rule": deciding.line.rule,
                "condition": deciding.condition or None,
                "exact": deciding.whole,
            }
            for deciding in finding.lines
        ],
        "why": asdict(finding.why) if finding.why else None,
        "record": str(Record.of(question.before, question.plies)),
        "reproduce": command(result, found),
    }


def _written(result: Result, found: Disagreement) -> Notation:
    return notation(found.question.game, result.plan.notation)


def _text(text: str, written: Notation) -> str:
    """A term or joint move in a notation; what is none in it, such as an engine says, as it is."""
    try:
        return written.joint_text(text)
    except (BadMove, BadRequest):
        return text


def _texts(terms: Iterable[str], written: Notation) -> list[str]:
    return sorted(_text(term, written) for term in terms)


def _played(question: Question, written: Notation) -> list[str]:
    """The plies as people write them in a notation."""
    if written.has_boards:
        return question.texts()
    return [_text(ply, written) for ply in question.plies]


def _answer_report(answer: Answer | Refusal, written: Notation) -> JsonObject:
    if isinstance(answer, Refusal):
        return {"error": answer.reason}
    legal = answer.legal or {}
    report: dict[str, Any] = {
        "facts": None if answer.facts is None else _texts(answer.facts, written),
        "to_move": answer.to_move and _text(answer.to_move, written),
        "terminal": answer.terminal,
        "goals": None if answer.goals is None else _by_role(answer.goals, written),
        "legal": {_text(role, written): _texts(moves, written) for role, moves in legal.items()}
        or None,
        "turns": None if answer.turns is None else sorted(answer.turns),
    }
    return {key: value for key, value in report.items() if value is not None}


def _by_role(goals: Mapping[str, int], written: Notation) -> dict[str, int]:
    return {_text(role, written): goal for role, goal in goals.items()}


def _items(found: Disagreement, items: Iterable[str], written: Notation) -> list[JsonObject]:
    """What is missing or extra; a move as a term, too, and as people write it."""
    if found.kind == "facts":
        return [{"text": _text(item, written)} for item in items]
    if found.kind != "legal":
        return [{"text": item} for item in items]
    moves = (_move(found, item, written) for item in items)
    return [{"term": term, "text": text} for term, text in moves]


def _move(found: Disagreement, item: str, written: Notation) -> tuple[str | None, str]:
    """A move as a term and as people write it; a turn that is like none of ours has no term."""
    turn = turn_of(found, item)
    if not turn:
        return None, coordinates(item)
    state, text = found.question.state, ""
    role = role_of(found, item)
    whose = "" if role is None or role == state.to_move else f"{_text(role, written)}="
    if not written.has_boards:
        told = whose + " ".join(_text(ply, written) for ply in turn)
        return told, told
    for place, ply in enumerate(turn):
        text += state.move_text(ply)
        if place + 1 < len(turn) and turn in (found.options or {}).values():
            state = state.play(ply)
    return whose + " ".join(turn), whose + text


def command(result: Result, found: Disagreement) -> str:
    """The command that shows a disagreement again."""
    question, plan = found.question, result.plan
    words = ["aspgames", "crosscheck", question.game.encoding.reference]
    words += [
        w for name, value in question.game.constants.items() for w in ("-c", f"{name}={value}")
    ]
    if result.sets_up:
        written = _written(result, found)
        fen = question.before.fen if written.has_boards else None
        words.append(fen or " ".join(_texts(question.facts, written)))
    if found.kind == "perft":
        words += ["--games", "0", "--made", "0", "--depth", str(plan.depth)]
    elif result.sets_up:
        words.append("--only")
    else:
        words += ["--games", str(plan.games), "--seed", str(plan.seed)]
        words += ["--from-record", plan.recorded] if plan.recorded else []
    return shlex.join([*words, *plan.again, "--against", result.engine])


def finding_text(result: Result, finding: ReducedDisagreement) -> str:
    """A disagreement as text: board, answers, what decides, and how to see it again."""
    return "\n".join(_paragraphs(result, finding))


def _paragraphs(result: Result, finding: ReducedDisagreement) -> Iterator[str]:
    found = finding.shrunk
    question = found.question
    constants = "".join(f" {name}={value}" for name, value in question.game.constants.items())
    yield f"{result.game.name}{constants}: {result.engine} disagrees on {_KINDS[found.kind]}."
    shown, marked = _shown(found)
    written = _written(result, found)
    if written.has_boards:
        yield f"\n{board_text(shown.scene, marked=marked)}\n"
        if shown.fen:
            yield f"FEN:      {shown.fen}"
    yield f"Facts:    {' '.join(_texts(shown.facts, written))}"
    if question.turns:
        since = "from the start, " if len(question.turns) > 1 else ""
        terms = " ".join(_text(ply, written) for ply in question.plies)
        played = _with_term(" ".join(_played(question, written)), terms)
        yield f"Played:   {since}{played}"
    if found.kind != "perft":
        whole = isinstance(found.theirs, Answer) and found.theirs.legal is None
        ours = replace(found.ours, legal=None) if whole else found.ours
        yield f"Rules:    {_said(ours, written)}"
        yield f"Engine:   {_said(found.theirs, written)}"
    for word, items in (("Missing", found.missing), ("Extra", found.extra)):
        if items and found.kind in ("facts", "legal", "perft"):
            yield f"{word + ':':10}{_listed(found, items, written)}"
    if form := describe_odd_form(found):
        yield f"Form:     {form}"
    if finding.why and not form:
        yield f"\nBy the rules, {finding.why}"
    for deciding in finding.lines[:_MOST_LINES]:
        yield from _decided(deciding)
    if finding.tried:
        met, what = finding.met.question, "facts" if result.sets_up else "turns"
        old, new = (len(q.facts if result.sets_up else q.turns) for q in (met, question))
        yield f"(Met with {old} {what}, {new} are left after {finding.tried} attempts.)"
    yield f"\nAgain:    {command(result, found)}"


def _decided(deciding: DecidingRule) -> Iterator[str]:
    line = deciding.line
    without = f"the condition {deciding.condition!r}" if deciding.condition else "this rule"
    closeness = "just what" if deciding.whole else "about what"
    yield f"\nDecided by {line.place}, without {without} the rules say {closeness} the engine says:"
    if line.comment:
        yield f"  % {line.comment}"
    yield f"  {line.rule}"


def _said(answer: Answer | Refusal, written: Notation) -> str:
    if isinstance(answer, Refusal):
        return f"an error: {answer.reason}"
    parts = []
    if answer.terminal is not None:
        parts.append("the game is over" if answer.terminal else "the game goes on")
    if answer.to_move is not None:
        mover = answer.to_move and _text(answer.to_move, written)
        parts.append(f"{mover or 'no single role'} on move")
    if answer.goals is not None:
        goals = _by_role(answer.goals, written)
        parts.append(", ".join(f"{role} {value}" for role, value in goals.items()))
    if answer.legal is not None:
        counts = (f"{len(m)} of {_text(role, written)}" for role, m in answer.legal.items())
        parts.append(f"moves: {', '.join(counts)}")
    elif answer.turns is not None:
        parts.append(f"{len(answer.turns)} moves")
    return "; ".join(parts)


def _with_term(text: str, term: str) -> str:
    """What is played as people write it, and as a term where that is another."""
    return text if text == term else f"{text}  ({term})"


def _listed(found: Disagreement, items: tuple[str, ...], written: Notation) -> str:
    shown = []
    for item in _items(found, items[:_MOST], written):
        term = item.get("term")
        shown.append(_with_term(item["text"], term or item["text"]))
    more = f"\n{'':10}and {len(items) - _MOST} more" if len(items) > _MOST else ""
    return f"\n{'':10}".join(shown) + more


def _shown(found: Disagreement) -> tuple[State, set[Square]]:
    """The board of a report, and the squares of the disputed move on it.

    That is the position before the turn that is played, or where a whole game ends.
    """
    question = found.question
    if len(question.turns) > 1 and found.kind not in ("facts", "refused"):
        return question.state, _squares(found, ())
    state = question.played(ply for turn in question.turns[:-1] for ply in turn)
    return state, _squares(found, question.turns[-1] if question.turns else ())


def _squares(found: Disagreement, plies: Turn) -> set[Square]:
    """The squares of what was played, or else of the first move that only one side has."""
    item = "" if plies or found.kind != "legal" else (*found.extra, *found.missing)[0]
    forms = found.question.game.vocabulary.notation
    moves = [move for ply in plies or turn_of(found, item) for move in moves_in(ply)]
    named = [square for move in moves for square in named_squares(forms, move)]
    return set(named) or {square for name in item.split() if (square := parse_square(name))}
