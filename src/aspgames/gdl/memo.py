"""Answers about encodings, kept in the cache, so that later processes need no clingo."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ..asp.sources import Source
from ..runtime import cache

_KIND = "rules"


class EncodingTexts(Protocol):
    """The part of an encoding that identifies it: its name and texts."""

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def sources(self) -> Sequence[Source]:
        """The files of its rules."""


def remembered(
    encoding: EncodingTexts,
    question: str,
    constants: Mapping[str, int | str],
    ask: Callable[[], Any],
) -> Any:
    """The answer of ``ask``, as JSON, from the cache if the same question was asked before.

    Questions are the same if the encoding's texts, the constants, and the versions of aspgames and
    clingo are. Errors of ``ask`` are raised, and not kept.
    """
    texts = [source.text for source in encoding.sources]
    key = json.dumps([question, encoding.name, texts, sorted(constants.items())])
    kept = cache.get(key, _KIND)
    if kept is not None:
        return json.loads(bytes(kept))
    answer = json.dumps(ask(), default=sorted)  # sets
    cache.put(key, _KIND, answer.encode())
    return json.loads(answer)
