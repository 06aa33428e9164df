"""``aspgames export``: a game's rules as a rule sheet in KIF."""

from .output import print_or_write
from .parameters import OUTPUT, GameParameters
from .verb import verb


class _ExportOptions(GameParameters):
    output: str = OUTPUT


@verb(example="aspgames export skirmish -o skirmish.kif")
def command(wanted: _ExportOptions) -> None:
    """Write a game's rules as a rule sheet in KIF.

    Computed relations become lists of facts. A rule that a sheet can't express is an error, which
    names its line.
    """
    game = wanted.loaded
    from ..game.kif_export.rule_sheet import sheet_of_game  # few verbs need it

    print_or_write(sheet_of_game(game), wanted.output, "Rule sheet")
