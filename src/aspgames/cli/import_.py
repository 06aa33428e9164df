"""``aspgames import``: a rule sheet, or a program with time steps, as an encoding."""

from pathlib import Path

from ..gdl.encoding import SHEETS, is_own_file, is_sheet_file
from ..runtime.errors import BadRequest
from .output import print_or_write
from .parameters import OUTPUT
from .verb import ParameterGroup, argument, verb


class _ImportParameters(ParameterGroup):
    source: str = argument(metavar="FILE")
    output: str = OUTPUT


@verb(example="aspgames export breakthrough -o sheet.kif && aspgames import sheet.kif")
def command(wanted: _ImportParameters) -> None:
    """Write a rule sheet, or a program with time steps, as a readable encoding.

    FILE is a rule sheet in KIF (.kif, .gdl) or in pyggp's infix form (.gdl), or an answer-set
    program (.lp).

    Each rule of a sheet becomes one rule, in the same order, with its comments. The encoding
    describes the board if the rules show it plainly.

    A program with time steps chooses its moves itself: holds(F,T) and occurs(A,T), the parts
    step(t) and check(t), or those of telingo. It becomes an encoding of one step. Rules that have
    no such form are refused with their place.

    In pyggp's sheets a role sees something of the state that a move reaches. In the encoding this
    state is later/1.
    """
    file = wanted.source
    if not is_own_file(file):
        endings = f"{', '.join(SHEETS)} or .lp"
        raise BadRequest(f"{file}: the name of a sheet or a program ends in {endings}")
    from ..gdl.kif.readable_encoding import encoding_of_sheet  # few verbs need them
    from ..gdl.program_import import encoding_of_program, is_infix

    is_program = not is_sheet_file(file) or is_infix(Path(file))
    text = (encoding_of_program if is_program else encoding_of_sheet)(Path(file))
    print_or_write(text, wanted.output, "Encoding")
