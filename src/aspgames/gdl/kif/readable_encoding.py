"""A rule sheet as an encoding for people, in the sheet's order, with its comments."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ...runtime.errors import RulesError
from .geometry import board_part
from .sheet import Comment, RuleGroup
from .sheet_encoding import groups_of, text_of
from .translation import WIDTH, Encoder, capital, name_facts, quoted

_DECORATED = re.compile(r"([^\w\s])\1.*([^\w\s])\2\Z")
_DECORATION = "*-=#~+_/|;: "
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def encoding_of_sheet(path: Path) -> str:
    """A sheet as the text of an encoding that people can edit.

    Raises ``RulesError`` and ``LimitReached`` as ``program_of_sheet`` does.
    """
    text = text_of(path)
    parts = groups_of(path, text)
    rules = [rule for part in parts if isinstance(part, RuleGroup) for rule in part.rules]
    if not rules:
        raise RulesError(f"{path}: there are no rules")
    encoder = Encoder(rules, text)
    name = re.sub(r"[\W_]+", " ", path.stem).strip().capitalize()
    lines = [f"% {_seen(name)}: the rules of the sheet {_seen(path.name)}.", ""]
    lines += _Page(text, encoder).lines(parts)
    lines += ["", f"% {'-' * (WIDTH - 2)}", "#program board.", "", f"title({quoted(name)})."]
    if board := board_part(rules, encoder):
        lines += ["", *board]
    if names := list(name_facts(encoder.names)):
        lines += ["", "% The sheet's spelling of these names.", *names]
    return "\n".join([*lines, ""])


class _Page:
    """Composes the lines of a sheet's base part."""

    def __init__(self, text: str, encoder: Encoder) -> None:
        self._text, self._encoder = text, encoder
        self._lines: list[str] = []
        self._comments: list[str] = []  # consecutive comments that aren't on the page yet
        self._joins = False  # whether a fact may join the last line
        self._begin = 0  # the first line of the last group of rules

    def lines(self, parts: Sequence[RuleGroup | Comment]) -> list[str]:
        """The lines of all rules and comments."""
        following: int | None = None
        after = []
        for part in reversed(parts):
            if isinstance(part, RuleGroup):
                following = part.at
            # A comment within a rule goes above it.
            after.append(following if following is not None and following < part.at else part.at)
        for part, at in zip(parts, reversed(after), strict=True):
            breaks = self._breaks(at) if at == part.at else 1
            if breaks > 1:
                self._put_comments()
                self._put_blank()
            if isinstance(part, Comment):
                self._comment(part, on_the_same_line=not breaks)
            else:
                self._group(part, on_the_same_line=not breaks)
        self._put_comments()
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        return self._lines

    def _breaks(self, at: int) -> int:
        begin = at
        while begin and self._text[begin - 1].isspace():
            begin -= 1
        return self._text.count("\n", begin, at) if begin else 2

    def _comment(self, comment: Comment, on_the_same_line: bool) -> None:
        text = re.sub(r"\?(\w[\w-]*)", lambda name: capital(name[1].lower()), _seen(comment.text))
        if not text and self._text.startswith(";;;;;", comment.at):
            text = "-----"  # a ruler
        if on_the_same_line and self._lines and self._lines[-1] and not self._comments:
            line = f"{self._lines[-1]}  % {text}"
            if text:
                if len(line) <= WIDTH:
                    self._lines[-1] = line
                else:
                    self._lines[self._begin : self._begin] = _block([text])
                self._joins = False
                return
        self._comments.append(text)

    def _group(self, group: RuleGroup, on_the_same_line: bool) -> None:
        self._put_comments()
        is_fact = not any(rule.body for rule in group.rules)
        for rule in group.rules:
            text = self._encoder.wrapped(rule)
            joined = f"{self._lines[-1] if self._lines else ''}  {text}"
            if is_fact and on_the_same_line and self._joins and len(joined) <= WIDTH:
                self._lines[-1] = joined
            else:
                self._begin = len(self._lines) if rule is group.rules[0] else self._begin
                self._lines += text.split("\n")
        self._joins = is_fact

    def _put_comments(self) -> None:
        if self._comments:
            self._lines += _block(self._comments)
            self._comments = []
            self._joins = False

    def _put_blank(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")
        self._joins = False


def _block(comments: Iterable[str]) -> Iterator[str]:
    found = [_title(text) for text in comments]
    # One text between two rulers is a title, even with empty lines around it.
    rulers = [number for number, line in enumerate(found) if line == ("", True)]
    for begin, end in pairwise(rulers):
        texts = [text for text, _ in found[begin:end] if text]
        if len(texts) == 1:
            found[begin:end] = [("", True)] * (end - begin - 1) + [
                (texts[0].strip(_DECORATION), True)
            ]
    lines: list[str] = []
    for text, is_title in found:
        if is_title and text:
            lines.append(f"% --- {text} ".ljust(WIDTH, "-"))
        elif text:
            lines += textwrap.wrap(
                text, WIDTH, initial_indent="% ", subsequent_indent="% ", break_on_hyphens=False
            )
        elif not is_title:
            lines.append("%")
    while lines and lines[-1] == "%":
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line != "%"), len(lines))
    yield from lines[first:]


def _title(text: str) -> tuple[str, bool]:
    """A comment's text without decoration, and whether it had some; a ruler has no text."""
    if text and not re.search(r"\w", text):
        return "", True
    if _DECORATED.match(text) and (inner := text.strip(_DECORATION)) != text:
        return inner, True
    return text, False


def _seen(text: str) -> str:
    return _UNSEEN.sub(" ", text).strip()
