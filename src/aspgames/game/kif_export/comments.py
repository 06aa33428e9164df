"""The comments of encodings, which clingo's parser doesn't keep."""

from collections.abc import Iterable, Sequence

from ...asp.clingo_api import AST
from ...asp.nodes import span_of
from ...asp.sources import Source


class Comments:
    """The comments of some files, by the statements that they stand above."""

    def __init__(self, sources: Iterable[Source], parts: Iterable[Sequence[AST]]) -> None:
        self._lines = {source.name: source.text.split("\n") for source in sources}
        self._ends: dict[str, dict[int, int]] = {}
        for statement in (s for part in parts for s in part):
            file, first, last = span_of(statement)
            ends = self._ends.setdefault(file, {})
            ends[first] = max(last, ends.get(first, 0))

    def above(self, statement: AST) -> list[str]:
        """The comments and blank lines above a statement, each returned once."""
        file, first, _ = span_of(statement)
        ends = self._ends.get(file, {})
        if first not in ends:
            return []
        after = max((end for line, end in ends.items() if line < first), default=0)
        del ends[first]
        ends[first - 1] = first
        found: list[str] = []
        for line in self._lines[file][after : first - 1]:
            text = line.strip()
            if text.startswith("%") and not text.startswith("%*"):
                found.append(f"; {text.lstrip('%').strip()}".rstrip())
            elif not found or found[-1]:
                found.append("")
        return found
