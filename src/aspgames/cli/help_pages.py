"""The layout of help texts: no line break at a hyphen."""

from __future__ import annotations

from collections.abc import Iterable

import click

_HYPHEN = "\N{NON-BREAKING HYPHEN}"


class _Formatter(click.HelpFormatter):
    def write_text(self, text: str) -> None:
        super().write_text(text.replace("-", _HYPHEN))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        whole = [(name, text.replace("-", _HYPHEN)) for name, text in rows]
        super().write_dl(whole, col_max, col_spacing)

    def getvalue(self) -> str:
        return super().getvalue().replace(_HYPHEN, "-")


class HelpContext(click.Context):
    """A context whose help texts break lines between words only."""

    formatter_class = _Formatter
