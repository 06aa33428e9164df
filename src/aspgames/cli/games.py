"""``aspgames games``: the built-in games."""

from ..game.game import load
from ..game.reports import game_report
from ..gdl.encoding import games, variants
from .output import print_json, print_text
from .verb import verb


@verb(example="aspgames games", watched=False)
def command(as_json: bool) -> None:
    """List the built-in games, their boards and their constants.

    Variants of chess have names such as fairy/atomic.
    """
    names = sorted([*games(), *variants()])
    reports = (game_report(load(name)) for name in names)
    if as_json:
        print_json(list(reports))
        return
    width = max(map(len, names))
    for report in reports:
        constants = ", ".join(f"{name}={value}" for name, value in report["const"].items())
        print_text(f"{report['game']:{width}}  {report['title']}{constants and f' ({constants})'}")
