"""The report of a cross-check: as JSON (schema: ``docs/schemas``), and as text."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from .._version import __version__
from ..game.board import Square, parse_square
from ..game.notation.joint_moves import moves_in
from ..game.notation.move_text import named_squares
from ..game.notation.notations import notation
from ..game.notation.uci_notation import coordinates
from ..game.state import State
from ..game.text_view import board_text
from ..play.game_record import Record
from ..runtime.arguments import counted
from ..runtime.errors import BadMove, BadRequest
from ..runtime.json_lines import JsonObject
from .compare.disagreement import Disagreement
from .crosscheck_run import ReducedDisagreement, Result
from .engines.engine import Answer, Refusal, Turn
from .reduce.fault_localization import describe_odd_form, role_of, turn_of

KINDS = {
    "facts": "the position after play",
    "to_move": "the side on move",
    "terminal": "whether the game is over",
    "legal": "the legal moves",
    "chance": "the chances of random's moves",
    "goals": "the goal values",
    "sees": "what the roles see",
    "refused": "whether this position occurs in play: the engine refuses it",
    "solution": "the solution of the problem",
    "perft": "the perft counts",
}
_LISTED = ("facts", "legal", "chance", "sees", "solution", "perft")
"""The kinds of disagreements whose missing and extra items are listed in text."""
_MOST_LISTED = 12  # moves listed in text
_MOST_RULES = 2  # rules listed in text
_MOST_REASONS = 3  # reasons for skipped positions in text


def result_report(result: Result) -> JsonObject:
    """A cross-check as JSON."""
    tally = result.tally
    return {
        "version": __version__,
        "game": result.game.name,
        "const": dict(result.game.constants),
        "against": result.engine,
        "agree": tally.positions > 0 and not result.findings,
        **asdict(tally),
        "seed": result.plan.seed,
        "seconds": result.seconds,
        "disagreements": [_Report(result, finding).as_json() for finding in result.findings],
    }


def result_text(result: Result) -> str:
    """A cross-check as text: every disagreement, and the numbers of things compared."""
    tally = result.tally
    parts = [finding_text(result, finding) for finding in result.findings]
    agreement = "Agreement" if tally.positions else "Nothing was compared"
    counts = [
        counted(tally.positions, "position"),
        counted(tally.games, "game"),
        f"{tally.made:,} made at random",
    ]
    if tally.skipped:
        counts.append(f"{tally.skipped:,} skipped")
    if tally.divides or result.plan.depth:
        counts.append(counted(tally.divides, "perft count"))
    why = "interrupted" if result.interrupted else "the time was over"
    over = "" if not result.interrupted and (tally.finished or parts) else f"; {why}"
    summary = f"{', '.join(counts)} in {result.seconds:.1f} s{over}"
    reasons = sorted(tally.skipped_because.items(), key=lambda one: -one[1])[:_MOST_REASONS]
    why_skipped = "".join(f"\nSkipped: {number:,}, {why}" for why, number in reasons)
    return "\n\n".join(
        [*parts, f"{'Disagreement' if parts else agreement}: {summary}{why_skipped}"]
    )


def finding_text(result: Result, finding: ReducedDisagreement) -> str:
    """A disagreement as text: board, answers, deciding rules, and the command to reproduce it."""
    return "\n".join(_Report(result, finding).paragraphs())


class _Report:
    def __init__(self, result: Result, finding: ReducedDisagreement) -> None:
        self._result, self._finding, self._found = result, finding, finding.shrunk
        self._question = question = finding.shrunk.question
        self._written = notation(question.game, result.plan.notation)

    def as_json(self) -> JsonObject:
        finding, found, question = self._finding, self._found, self._question
        return {
            "kind": found.kind,
            "times": finding.times,
            "tried": finding.tried,
            "const": dict(question.game.constants),
            "position": self._texts(question.facts),
            "fen": question.before.fen,
            "moves": [self._text(ply) for ply in question.plies],
            "moves_text": self._played(),
            "missing": self._items(found.missing),
            "extra": self._items(found.extra),
            "rules": self._answer_report(found.ours),
            "engine": self._answer_report(found.theirs),
            "met": self._texts(finding.met.question.after),
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
            "reproduce": self._command(),
        }

    def paragraphs(self) -> Iterator[str]:
        result, finding, found, question = self._result, self._finding, self._found, self._question
        data = self.as_json()
        constants = "".join(f" {name}={value}" for name, value in question.game.constants.items())
        kind = KINDS[found.kind]
        yield f"{result.game.name}{constants}: {result.engine} disagrees on {kind}."
        shown, marked = _shown(found)
        if self._written.has_boards:
            yield f"\n{board_text(shown.scene, marked=marked)}\n"
            if shown.fen:
                yield f"FEN:      {shown.fen}"
        yield f"Facts:    {' '.join(self._texts(shown.facts))}"
        if question.turns:
            since = "from the start, " if len(question.turns) > 1 else ""
            texts, terms = (" ".join(data[name]) for name in ("moves_text", "moves"))
            yield f"Played:   {since}{_with_term(texts, terms)}"
        if found.kind not in ("perft", "solution"):
            whole = isinstance(found.theirs, Answer) and found.theirs.legal is None
            ours = replace(found.ours, legal=None) if whole else found.ours
            yield f"Rules:    {self._answer_text(ours)}"
            label = "Engine:" if result.whose == "the engine's" else "Others:"
            yield f"{label:10}{self._answer_text(found.theirs)}"
        for name in ("missing", "extra") if found.kind in _LISTED else ():
            if data[name]:
                yield f"{name.title() + ':':10}{_listed(data[name])}"
        if form := describe_odd_form(found):
            yield f"Form:     {form}"
        if finding.why and not form:
            yield f"\nBy the rules, {finding.why}"
        for rule in data["decided_by"][:_MOST_RULES]:
            yield f"\nDecided by {deciding_text(rule, result.whose)}:"
            if rule["sentence"]:
                yield f"  % {rule['sentence']}"
            yield f"  {rule['rule']}"
        if finding.tried:
            met, what = finding.met.question, "facts" if result.sets_up else "turns"
            old, new = (len(q.facts if result.sets_up else q.turns) for q in (met, question))
            yield f"(Met with {old} {what}, {new} are left after {finding.tried} attempts.)"
        yield f"\nAgain:    {data['reproduce']}"

    def _command(self) -> str:
        result, question, plan = self._result, self._question, self._result.plan
        words = ["aspgames", "crosscheck", question.game.encoding.reference]
        for name, value in question.game.constants.items():
            words += ["-c", f"{name}={value}"]
        if result.sets_up:
            fen = question.before.fen if self._written.has_boards else None
            words.append(fen or " ".join(self._texts(question.facts)))
        if self._found.kind == "perft":
            words += ["--games", "0", "--made", "0", "--depth", str(plan.depth)]
        elif result.sets_up:
            words.append("--only")
        else:
            words += ["--games", str(plan.games), "--seed", str(plan.seed)]
            words += ["--from-record", plan.recorded] if plan.recorded else []
        return shlex.join([*words, *plan.again, "--against", result.engine])

    def _text(self, text: str) -> str:
        """A term or joint move in the notation; an engine's malformed text unchanged."""
        try:
            return self._written.joint_text(text)
        except (BadMove, BadRequest):
            return text

    def _texts(self, terms: Iterable[str]) -> list[str]:
        return sorted(map(self._text, terms))

    def _played(self) -> list[str]:
        """The plies in the game's own notation, or in the report's."""
        if self._written.has_boards:
            return self._question.texts()
        return [self._text(ply) for ply in self._question.plies]

    def _by_role(self, goals: Mapping[str, int]) -> dict[str, int]:
        return {self._text(role): goal for role, goal in goals.items()}

    def _answer_report(self, answer: Answer | Refusal) -> JsonObject:
        if isinstance(answer, Refusal):
            return {"error": answer.reason}
        legal = {self._text(r): self._texts(moves) for r, moves in (answer.legal or {}).items()}
        report: dict[str, Any] = {
            "facts": None if answer.facts is None else self._texts(answer.facts),
            "to_move": answer.to_move and self._text(answer.to_move),
            "terminal": answer.terminal,
            "goals": None if answer.goals is None else self._by_role(answer.goals),
            "legal": legal or None,
            "chance": None if answer.chance is None else sorted(answer.chance),
            "sees": None if answer.sees is None else self._texts(answer.sees),
            "turns": None if answer.turns is None else sorted(answer.turns),
        }
        return {key: value for key, value in report.items() if value is not None}

    def _answer_text(self, answer: Answer | Refusal) -> str:
        if isinstance(answer, Refusal):
            return f"an error: {answer.reason}"
        parts = []
        if answer.terminal is not None:
            parts.append("the game is over" if answer.terminal else "the game goes on")
        if answer.to_move is not None:
            mover = answer.to_move and self._text(answer.to_move)
            parts.append(f"{mover or 'no single role'} on move")
        if answer.goals is not None:
            goals = self._by_role(answer.goals)
            parts.append(", ".join(f"{role} {value}" for role, value in goals.items()))
        if answer.legal is not None:
            counts = (f"{len(moves)} of {self._text(role)}" for role, moves in answer.legal.items())
            parts.append(f"moves: {', '.join(counts)}")
        elif answer.turns is not None:
            parts.append(counted(len(answer.turns), "move"))
        return "; ".join(parts)

    def _items(self, items: Iterable[str]) -> list[JsonObject]:
        """Missing or extra items; a move as a term and in the game's own notation."""
        if self._found.kind in ("facts", "sees"):
            return [{"text": self._text(item)} for item in items]
        if self._found.kind != "legal":
            return [{"text": item} for item in items]
        moves = map(self._move, items)
        return [{"term": term, "text": text} for term, text in moves]

    def _move(self, item: str) -> tuple[str | None, str]:
        """A move as a term, None for a turn unlike all of ours, and as text."""
        found, state, text = self._found, self._question.state, ""
        turn, role = turn_of(found, item), role_of(found, item)
        if not turn:
            return None, coordinates(item)
        whose = "" if role is None or role == state.to_move else f"{self._text(role)}="
        if not self._written.has_boards:
            term = whose + " ".join(map(self._text, turn))
            return term, term
        for place, ply in enumerate(turn):
            text += state.move_text(ply)
            if place + 1 < len(turn) and turn in (found.options or {}).values():
                state = state.play(ply)
        return whose + " ".join(turn), whose + text


def _listed(items: list[JsonObject]) -> str:
    rows = [_with_term(item["text"], item.get("term") or item["text"]) for item in items]
    more = [f"and {len(rows) - _MOST_LISTED} more"] if len(rows) > _MOST_LISTED else []
    return f"\n{'':10}".join([*rows[:_MOST_LISTED], *more])


def deciding_text(rule: JsonObject, whose: str) -> str:
    """Where the deciding rule of a report stands, and what the rules say without it."""
    without = f"the condition {rule['condition']!r}" if rule["condition"] else "this rule"
    closeness = "exactly" if rule["exact"] else "nearly"
    return f"{rule['place']}. Without {without}, the rules give {closeness} {whose} answer"


def _with_term(text: str, term: str) -> str:
    return text if text == term else f"{text}  ({term})"


def _shown(found: Disagreement) -> tuple[State, set[Square]]:
    """The board for a report, and the squares of the disputed move.

    It is the position before the turn played, or the position at the end of a whole game. The
    squares are those of the turn played, or of the first move that only one side has.
    """
    question, turns = found.question, found.question.turns
    if len(turns) > 1 and found.kind not in ("facts", "refused"):
        state, turns = question.state, ()
    else:
        state = question.played(ply for turn in turns[:-1] for ply in turn)
    item = "" if turns or found.kind != "legal" else (*found.extra, *found.missing)[0]
    return state, set(disputed_squares(found, item, turns[-1] if turns else ()))


def disputed_squares(found: Disagreement, item: str, plies: Turn = ()) -> list[Square]:
    """The squares of a turn, or of a move that only one side has, in the move's order."""
    forms = found.question.game.vocabulary.notation
    moves = [move for ply in plies or turn_of(found, item) for move in moves_in(ply)]
    named = [square for move in moves for square in named_squares(forms, move)]
    return named or [square for name in item.split() if (square := parse_square(name))]
