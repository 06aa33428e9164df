"""``aspgames export``: a game's rules as a rule sheet in KIF."""

from __future__ import annotations

import click

from .files import write_file
from .output import print_text
from .parameters import example, game_argument, read_game
from .verb import Verb


@click.command("export", cls=Verb, epilog=example("aspgames export skirmish -o skirmish.kif"))
@game_argument()
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where to ('-': standard output)."
)
def command(game: str, constants: tuple[str, ...], output: str) -> None:
    """Write a game's rules as a rule sheet in KIF.

    What is computed becomes lists of facts. What a sheet can't say is refused, with its line.
    """
    found = read_game(game, constants)
    from ..game.kif_export.rule_sheet import sheet_of_game  # few verbs need it

    text = sheet_of_game(found)
    if output == "-":
        click.echo(text, nl=False)
    else:
        write_file(output, text)
        print_text(f"Rule sheet: {output}")
