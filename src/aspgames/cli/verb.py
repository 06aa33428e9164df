"""What every verb has in common: limits, and a process of its own for its work."""

from __future__ import annotations

from typing import Any

import click

from ..runtime.budget import SECONDS, Budget
from .parameters import memory_bytes
from .supervisor import supervise

MEMORY = "aspgames.memory"
"""Under what a context has the limit on memory, in bytes; None if there is none."""

ROOM = float(1 << 30)  # for the rules and their net, where --memory is for a search


class Verb(click.Command):
    """A verb whose work is done in a process of its own, which is watched over.

    It has the options ``--time`` and ``--memory``, whatever it does. A function that takes them (as
    ``seconds`` and ``memory``) keeps to them by itself, and is ended if it doesn't.
    """

    def __init__(self, *arguments: Any, spare: float | None = 0.0, **settings: Any) -> None:
        """``spare``: seconds for what ``seconds`` aren't for; None if they are for a part only."""
        super().__init__(*arguments, **settings)
        self._spare = spare
        has = {parameter.name for parameter in self.params}
        self._added = [option for option in (_time(), _memory()) if option.name not in has]
        place = next((i for i, p in enumerate(self.params) if p.name == "as_json"), len(has))
        self.params[place:place] = self._added

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb: in a process of its own, unless a test calls it like a function."""
        seconds, memory = ctx.params["seconds"], memory_bytes(ctx.params["memory"])
        Budget(seconds)  # refuses senseless limits
        ctx.meta[MEMORY] = memory
        for option in self._added:
            del ctx.params[str(option.name)]
        if ctx.find_root().obj:
            kept_to = "memory" in ctx.params
            most_bytes = memory + ROOM if memory and kept_to else memory
            whole = None if seconds is None or self._spare is None else seconds + self._spare
            code = supervise(whole, most_bytes)
            if code is not None:
                return code
        return super().invoke(ctx)


def _time() -> click.Option:
    return click.Option(
        ["--time", "seconds"],
        type=float,
        default=SECONDS,
        metavar="SECONDS",
        help=f"Give up after so many seconds ({SECONDS:g}).",
    )


def _memory() -> click.Option:
    return click.Option(
        ["--memory"],
        type=float,
        metavar="MIB",
        help="The most memory for all of it, or for each process of --workers; default: three "
        "quarters of the machine's.",
    )
