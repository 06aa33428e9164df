"""``aspgames page``: a page to play, solve and share a game."""

from ..runtime.budget import Budget
from .files import refuse_unwritable, write_file
from .output import print_text, status_line, warn
from .parameters import LINKS, TIME, PositionParameters, warn_of_mistakes
from .verb import option, verb


class _PageOptions(PositionParameters):
    output: str | None = option("-o, --output FILE", "The page (GAME.html).")
    goals: tuple[str, ...] = option(
        "--goal GOAL", "A goal that its solver knows (win and trap); may be repeated."
    )
    person: str | None = option(
        "--play ROLE", "The page opens with this role for a person, against the engine."
    )
    links: tuple[str, ...] = LINKS
    seconds: float | None = TIME


@verb(example="aspgames page breakthrough -o game.html")
def command(wanted: _PageOptions) -> None:
    """Write a page to play, solve and share a game: one file that works offline.

    The page has the game's board, or its facts as a list. People play against each other, random
    moves or an engine, solve positions, count moves, and read the rules. It loads nothing.

    Dice roll by themselves, the same for the same ?seed=N in the address. With hidden information,
    a person sees what a role knows, and two people cover the board between their moves.
    """
    state = wanted.state
    name = wanted.output or f"{state.game.name}.html"
    refuse_unwritable(name)
    from ..composer.book.game_page import game_page  # loaded only when needed
    from ..composer.book.page_template import link_bar, with_bar
    from ..propnet.web_kernel import is_compiled

    bar = link_bar(wanted.links)
    if not is_compiled():
        warn("the first page takes a minute or more: the kernel is compiled once, for browsers")
    goals, budget = wanted.goals or ("win", "trap"), Budget(wanted.seconds)
    with status_line() as show:
        page = game_page(state, goals, budget, show, wanted.person)
    write_file(name, with_bar(page, bar))
    print_text(f"Page: {name}")
    warn_of_mistakes(state.game)
