"""What clingo answered about an encoding before: who asks the same again needs no clingo."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ..asp.sources import Source
from ..runtime import cache

_KIND = "rules"


class EncodingTexts(Protocol):
    """What is asked about: an encoding, for what it is called and for its texts."""

    @property
    def name(self) -> str:
        """What the game is called."""

    @property
    def sources(self) -> Sequence[Source]:
        """The files that its rules are in."""


def remembered(
    encoding: EncodingTexts,
    question: str,
    constants: Mapping[str, int | str],
    ask: Callable[[], Any],
) -> Any:
    """What ``ask`` answers, as JSON has it: now, or when the same question was asked before.

    It is the same if the texts of the encoding and the constants are, and aspgames and clingo. What
    ``ask`` raises is raised, and it is asked again the next time.
    """
    texts = [source.text for source in encoding.sources]
    key = json.dumps([question, encoding.name, texts, sorted(constants.items())])
    kept = cache.get(key, _KIND)
    if kept is not None:
        return json.loads(bytes(kept))
    answer = json.dumps(ask(), default=sorted)  # sets
    cache.put(key, _KIND, answer.encode())
    return json.loads(answer)
