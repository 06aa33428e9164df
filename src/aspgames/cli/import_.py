"""``aspgames import``: a rule sheet in KIF as an encoding for people."""

from __future__ import annotations

from pathlib import Path

import click

from ..runtime.errors import BadRequest
from .files import write_file
from .output import print_text
from .parameters import example
from .verb import Verb


@click.command(
    "import",
    cls=Verb,
    epilog=example("aspgames export breakthrough -o sheet.kif && aspgames import sheet.kif"),
)
@click.argument("sheet", metavar="SHEET.kif")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where to ('-': standard output)."
)
def command(sheet: str, output: str) -> None:
    """Write a rule sheet in KIF as an encoding that a person can read and go on with.

    Each rule of the sheet is a rule, in the sheet's order, with its comments. A board is recognised
    where it is plain.
    """
    if not sheet.endswith(".kif"):
        raise BadRequest(f"{sheet}: a rule sheet's name ends in .kif")
    from ..gdl.kif.readable_encoding import encoding_of_sheet  # few verbs need it

    text = encoding_of_sheet(Path(sheet))
    if output == "-":
        click.echo(text, nl=False)
    else:
        write_file(output, text)
        print_text(f"Encoding: {output}")
