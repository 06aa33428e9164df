"""Engines that are Python packages: asked one question at a time, and left as they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from .engine import Answer, Question, Refusal


class Library(ABC):
    """What such engines share; see ``Engine``."""

    @abstractmethod
    def _answer(self, question: Question) -> Answer | Refusal:
        """The answer to one question."""

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """One after the other."""
        yield from map(self._answer, questions)

    def divide(self, question: Question, depth: int) -> None:  # noqa: ARG002
        """They count nothing for their users in Python."""
        return

    def close(self) -> None:
        """There is nothing to let go of."""
        return
