"""Examples in docstrings as code: an extension of griffe, the reader of docstrings for the site."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


def fenced(docstring: str) -> str:
    """A docstring whose paragraphs of doctests are fenced code."""
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", docstring)


class FencedExamples(griffe.Extension):
    """Fences the examples of each object."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object when it is loaded."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
