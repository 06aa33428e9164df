"""``aspgames import``: a rule sheet in KIF as a readable encoding."""

from pathlib import Path

import click

from ..runtime.errors import BadRequest
from .output import print_or_write
from .parameters import output_option
from .verb import verb


@verb("import", example="aspgames export breakthrough -o sheet.kif && aspgames import sheet.kif")
@click.argument("sheet", metavar="SHEET.kif")
@output_option
def command(sheet: str, output: str) -> None:
    """Write a rule sheet in KIF as a readable encoding.

    Each rule of the sheet becomes one rule, in the same order, with its comments. The encoding
    describes the board if the rules show it plainly.
    """
    if not sheet.endswith(".kif"):
        raise BadRequest(f"{sheet}: a rule sheet's name ends in .kif")
    from ..gdl.kif.readable_encoding import encoding_of_sheet  # few verbs need it

    print_or_write("Encoding", encoding_of_sheet(Path(sheet)), output)
