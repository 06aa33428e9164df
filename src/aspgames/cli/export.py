"""``aspgames export``: a game's rules as a rule sheet in KIF, or as one encoding."""

import click

from .output import print_or_write
from .parameters import OUTPUT, GameParameters
from .verb import option, verb


class _ExportOptions(GameParameters):
    form: str = option(
        "--format FORMAT",
        "kif, a rule sheet; or lp, the encoding with the files that it includes.",
        "kif",
        type=click.Choice(("kif", "lp")),
    )
    output: str = OUTPUT


@verb(example="aspgames export skirmish -o skirmish.kif")
def command(wanted: _ExportOptions) -> None:
    """Write a game's rules as a rule sheet in KIF, or as one file for clingo.

    In a sheet, computed relations become lists of facts. A rule that a sheet can't express is an
    error, which names its line. With --format lp, all included files are in the file.
    """
    game = wanted.loaded
    if wanted.form == "lp":
        from ..gdl.single_file import single_file

        print_or_write(single_file(game.encoding, game.constants), wanted.output, "Encoding")
        return
    from ..game.kif_export.rule_sheet import sheet_of_game  # few verbs need it

    print_or_write(sheet_of_game(game), wanted.output, "Rule sheet")
