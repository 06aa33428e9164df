"""How terminals show text: short paths, and colours that are legible on white and on black."""

import os
import re
from contextlib import suppress
from pathlib import Path

from ..runtime.errors import one_line

ERROR, DOUBT, QUIET = "red", "magenta", "bright_black"
OWNERS = ("magenta", "bright_blue", "green")
"""The colours of the roles' pieces."""

BOARD = "ASPGAMES_BOARD"
"""The environment variable that asks for boards in Unicode."""


def has_colours() -> bool | None:
    """For click: False if the user wants no colours, None if this depends on the terminal."""
    return False if os.environ.get("NO_COLOR") else None


def print_message(text: str, colour: str) -> None:
    """Print an error or a warning to standard error.

    Paths in the current folder are relative. Control characters are shown as Python writes them.
    """
    import click

    with suppress(OSError):  # the folder may be gone
        folder = str(Path.cwd())
        if len(folder) > 1:
            text = re.sub(rf"(?<![^\s'\"(]){re.escape(folder + os.sep)}", "", text)
    text = re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda found: repr(found[0])[1:-1], one_line(text))
    head = click.style("aspgames:", fg=colour, bold=True)
    with suppress(OSError):
        click.echo(f"{head} {text}", err=True, color=has_colours())


def highlighted(text: str, pattern: str, colour: str | None = None) -> str:
    """The text with what a regular expression matches in bold, and in a colour if one is given."""
    import click

    return re.sub(
        pattern, lambda found: click.style(found[0], fg=colour, bold=True), text, flags=re.MULTILINE
    )
