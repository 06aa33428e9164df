"""``aspgames cache``: what is kept from one run to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..runtime import cache
from ..runtime.errors import BadRequest
from .output import print_json, print_text
from .parameters import example, json_option


@click.command("cache", epilog=example("aspgames cache"))
@click.option("--clear", is_flag=True, help="Remove all entries.")
@json_option
def command(clear: bool, as_json: bool) -> None:
    """Show what is kept from one run to the next, and where.

    It makes later runs quicker and nothing else: everything in it can be made again. What wasn't
    used for longest makes room for what comes. The environment variable ASPGAMES_CACHE moves the
    cache to another directory or, as 'off', switches it off.
    """
    before = cache.entries() if clear else []
    removed = cache.clear() if clear else 0
    found = cache.entries()
    report = _report(found, removed)
    # What another process has put there meanwhile is no fault.
    if left := sum(entry in before for entry in found):
        raise BadRequest(f"{_number(left)} of {report['folder']} can't be removed")
    if as_json:
        print_json(report)
    elif report["folder"] is None:
        print_text("Nothing is kept: there is no directory for it, or ASPGAMES_CACHE is off.")
    else:
        _print(report, clear)


def _report(found: Sequence[cache.Entry], removed: int) -> dict[str, Any]:
    """What ``--json`` prints."""
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


def _print(report: dict[str, Any], cleared: bool) -> None:
    if cleared:
        print_text(f"Removed: {_number(report['removed'])}")
    most = report["most_bytes"] / 1e6
    print_text(f"{report['folder']}: {_amount(report)} of {most:,.0f} at most")
    for name, kind in report["kinds"].items():
        print_text(f"  {name}: {_amount(kind)}")


def _amount(part: dict[str, Any]) -> str:
    return f"{_number(part['entries'])}, {part['bytes'] / 1e6:,.2f} MB"


def _number(entries: int) -> str:
    return "1 entry" if entries == 1 else f"{entries} entries"
