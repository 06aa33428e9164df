"""``aspgames cache``: the files that make later runs faster."""

from collections.abc import Sequence
from typing import Any

import click

from ..runtime import cache, cache_upkeep
from ..runtime.arguments import counted
from ..runtime.errors import BadRequest
from .output import print_json, print_text
from .verb import ParameterGroup, option, verb


class _CacheOptions(ParameterGroup):
    clear: bool = option("--clear", "Remove all entries.")


@verb(example="aspgames cache", watched=False)
def command(wanted: _CacheOptions, as_json: bool) -> None:
    """Show the cache: its folder, entries and size.

    The cache only makes later runs faster: any entry can be made again. The entries unused for
    longest make room for new ones. The environment variable ASPGAMES_CACHE names another folder, or
    switches the cache off with the value 'off'.
    """
    before = cache_upkeep.entries(cache.folder()) if wanted.clear else []
    removed = cache_upkeep.clear(cache.folder()) if wanted.clear else 0
    found = cache_upkeep.entries(cache.folder())
    report = _report(found, removed)
    # It is no error if another process has written an entry meanwhile.
    if left := sum(entry in before for entry in found):
        raise BadRequest(f"{_entries(left)} of {report['folder']} can't be removed")
    if as_json:
        print_json(report)
    elif report["folder"] is None:
        print_text("There is no cache: no folder was found for it, or ASPGAMES_CACHE is off.")
    else:
        if wanted.clear:
            print_text(f"Removed: {_entries(removed)}")
        most = report["most_bytes"] / 1e6
        print_text(f"{report['folder']}: {_amount(report)} of {most:,.0f} at most")
        for name, kind in report["kinds"].items():
            print_text(f"  {name}: {_amount(kind)}")


def _report(found: Sequence[cache_upkeep.Entry], removed: int) -> dict[str, Any]:
    folder = cache.folder()
    kinds: dict[str, dict[str, int]] = {}
    for entry in sorted(found, key=lambda entry: entry.kind):
        kind = kinds.setdefault(entry.kind, {"entries": 0, "bytes": 0})
        kind["entries"] += 1
        kind["bytes"] += entry.size
    return {
        "folder": None if folder is None else click.format_filename(folder),
        "entries": len(found),
        "bytes": sum(entry.size for entry in found),
        "most_bytes": cache.MOST_BYTES,
        "kinds": kinds,
        "removed": removed,
    }


def _amount(part: dict[str, Any]) -> str:
    return f"{_entries(part['entries'])}, {part['bytes'] / 1e6:,.2f} MB"


def _entries(number: int) -> str:
    return counted(number, "entry", "entries")
