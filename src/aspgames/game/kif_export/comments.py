"""The comments of encodings, which clingo's parser doesn't keep."""

from collections.abc import Iterable, Sequence

from ...asp.clingo_api import ast
from ...asp.sources import Source


class Comments:
    """The comments of some files, by the statements that they stand above."""

    def __init__(self, sources: Iterable[Source], parts: Iterable[Sequence[ast.AST]]) -> None:
        self._lines = {source.name: source.text.split("\n") for source in sources}
        self._ends: dict[str, dict[int, int]] = {}
        for statement in (s for part in parts for s in part):
            begin, end = statement.location.begin, statement.location.end
            ends = self._ends.setdefault(begin.filename, {})
            ends[begin.line] = max(end.line, ends.get(begin.line, 0))

    def above(self, statement: ast.AST) -> list[str]:
        """The comments and blank lines above a statement, each returned once."""
        begin = statement.location.begin
        ends = self._ends.get(begin.filename, {})
        if begin.line not in ends:
            return []
        after = max((end for line, end in ends.items() if line < begin.line), default=0)
        del ends[begin.line]
        ends[begin.line - 1] = begin.line
        found: list[str] = []
        for line in self._lines[begin.filename][after : begin.line - 1]:
            text = line.strip()
            if text.startswith("%") and not text.startswith("%*"):
                found.append(f"; {text.lstrip('%').strip()}".rstrip())
            elif not found or found[-1]:
                found.append("")
        return found
