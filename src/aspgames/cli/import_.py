"""``aspgames import``: a rule sheet in KIF as a readable encoding."""

from pathlib import Path

from ..gdl.encoding import SHEETS
from ..runtime.errors import BadRequest
from .output import print_or_write
from .parameters import OUTPUT
from .verb import ParameterGroup, argument, verb


class _ImportParameters(ParameterGroup):
    sheet: str = argument(metavar="SHEET.kif")
    output: str = OUTPUT


@verb(example="aspgames export breakthrough -o sheet.kif && aspgames import sheet.kif")
def command(wanted: _ImportParameters) -> None:
    """Write a rule sheet in KIF as a readable encoding.

    Each rule of the sheet becomes one rule, in the same order, with its comments. The encoding
    describes the board if the rules show it plainly.
    """
    sheet = wanted.sheet
    if not sheet.endswith(SHEETS):
        raise BadRequest(f"{sheet}: a rule sheet's name ends in {' or '.join(SHEETS)}")
    from ..gdl.kif.readable_encoding import encoding_of_sheet  # few verbs need it

    print_or_write(encoding_of_sheet(Path(sheet)), wanted.output, "Encoding")
