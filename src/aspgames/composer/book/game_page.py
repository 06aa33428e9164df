"""The page of a game: play, solve and look, with the rules' net in the browser."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from html import escape
from pathlib import Path
from shlex import quote
from typing import Any

from ...asp.statements import rule_of
from ...game.board import Board
from ...game.game import Game
from ...game.move_input import check_role
from ...game.picture.drawing import empty_board
from ...game.picture.scene import Scene
from ...game.state import State
from ...gdl.rulebook import line_of
from ...propnet.gate_tables import Tables
from ...propnet.net import Net, open_program
from ...propnet.open_grounding import Endless
from ...propnet.percept_net import PERCEPT_RULES, with_rules
from ...propnet.reachable_nets import net_for
from ...puzzle.goal import Goal
from ...puzzle.problem import Puzzle
from ...runtime.budget import MOST_RULES, MOST_RULES_IN_PLAY, Budget
from ...runtime.errors import BadRequest, LimitReached, TooLarge
from ...solver.search.puzzle_tables import PuzzleTables
from .page_data import board_data, contents_of, drawn_fluents, stones
from .page_net import Numbers, block_of, kernel_text, net_moves, packed_blocks
from .page_rules import about, rules_html
from .page_template import embedded, filled, read
from .position_sentences import position_sentences, weights_of_moves

MOST_BYTES = 1 << 20
"""The largest page [bytes]."""


def game_page(
    state: State,
    goals: Sequence[str],
    budget: Budget,
    show: Callable[[str], None],
    person: str | None = None,
) -> str:
    """The page of a game, which begins in a state, as self-contained HTML.

    Args:
        state: The state that the page shows first.
        goals: The goals that its solver knows, such as ``win``.
        budget: Limits the work.
        show: Takes a text about the progress now and then.
        person: The role that a person plays at first, against the engine; None for all roles.

    Raises:
        BadRequest: The compiler of the kernel is missing, a goal is none of the game's, or there
            is no such role.
        RulesError: No net can be made from the rules.
        LimitReached: The page would be too large, or the budget runs out.
    """
    game = state.game
    if person is not None:
        check_role(game, person)
        if person not in game.players:
            raise BadRequest(f"{person} moves by chance, so no person plays it")
    size = 0
    for net in _nets(state, budget):
        show("Making the page")
        tables = net.tables(game.nets.marked)
        if tables.row(state.facts) is None:
            continue
        page = _page(state, net, tables, goals, budget, person)
        if (size := len(page.encode())) <= MOST_BYTES:
            return page
    name = game.name
    if size:
        most = f"{MOST_BYTES / 2**20:.0f} MiB"
        raise LimitReached(f"{name} would have a page of {size / 2**20:.1f} MiB, more than {most}")
    raise LimitReached(
        f"{name} is too large for a page: its net has {_size(state, budget)} ground rules, "
        f"and a page has room for {MOST_RULES_IN_PLAY:,}"
    )


def _nets(state: State, budget: Budget) -> Iterator[Net]:
    """Nets for a state: of all positions, of play from the start, and of play from there.

    With hidden information they have percepts, and nobody sets up positions.
    """
    game, most = state.game, MOST_RULES_IN_PLAY
    rules = with_rules(game.rules, PERCEPT_RULES) if game.hidden else game.rules
    every = game.nets.all_with(state.facts)
    starts = dict.fromkeys((game.initial.facts, state.facts))
    makers: list[Callable[[], Net]] = [
        *(partial(net_for, rules, facts, most, budget) for facts in starts)
    ]
    if not game.hidden:
        makers.insert(0, lambda: Net(rules, (), every, True, most, budget))
    for make in makers:
        with suppress(TooLarge):
            yield make()


def _size(state: State, budget: Budget) -> str:
    """The number of ground rules for play from a state. Raises ``LimitReached`` without an end."""
    try:
        ground = open_program(state.game.rules).ground((), state.facts, True, MOST_RULES, budget)
    except Endless as error:
        raise LimitReached(f"there is no page: {error}") from None
    except TooLarge:
        return f"more than {MOST_RULES:,}"
    return f"{ground.handle.seen:,}"


def _page(
    state: State, net: Net, tables: Tables, goals: Sequence[str], budget: Budget, person: str | None
) -> str:
    game, scene = state.game, state.scene
    names = tables.names
    known = [*names.fluents, *names.certain]
    contents = contents_of(known, scene)
    board = scene.vocabulary.board
    texts = None if game.hidden else position_sentences(game, tables, budget)
    blocks, puzzles = [block_of(tables)], {}
    for goal in () if game.vocabulary.extensions else goals:
        tables_of = dict(_search_tables(state, net, goal))
        puzzles[goal] = {role: len(blocks) + place for place, role in enumerate(tables_of)}
        blocks += tables_of.values()
    weights = weights_of_moves(game, tables, budget) if game.vocabulary.weighted else None
    if weights:
        blocks.append(block_of(weights[1]))
    if texts:
        blocks.append(block_of(texts[1]))
    data = board_data(scene, contents) | drawn_fluents(known, scene, contents)
    data |= {
        "file": quote(Path(game.encoding.reference).name),
        "title": scene.vocabulary.title,
        "constants": dict(game.constants),
        "roles": game.roles,
        "terms": known,
        "open": len(names.fluents),
        "moves": list(net_moves(scene, tables)),
        "fen": _fen(scene, known),
        "list": _list(board, known) if board and board.numbers else None,
        "defaults": [known.index(fact) for fact in game.reader.defaults if fact in known],
        "sentences": texts[0] if texts else [],
        "weights": weights[0] if weights else [],
        "weights_net": len(blocks) - 1 - bool(texts),
        "person": person,
        "comments": _comments(game),
        "position": sorted(known.index(fact) for fact in state.facts),
        "attacker": 0,
        "steps": [],
        "puzzles": puzzles,
        "solver_moves": [tables.move_numbers.get(move, -1) for move in net.moves],
        "blocks": packed_blocks(blocks),
        "kernel": kernel_text(),
    }
    svg, night = empty_board(scene, contents) if board else ("", "")
    places = {
        "title": escape(scene.vocabulary.title),
        "about": escape(about(game.encoding.sources[-1], scene.vocabulary.title)),
        "board": svg,
        "data": embedded(data),
        "rules": rules_html(game),
        "actions": read("hidden_actions.html" if game.hidden else "game_actions.html"),
        "page": "game",
        "without": "this page shows the rules only",
        "list": "div",
        "summary": "",
        "puzzles": "",
    }
    styles = ["page.css", "game.css", night + stones(scene)]
    scripts = ["board.js", "player.js", "net.js", "net_game.js"]
    scripts += ["hidden_page.js"] if game.hidden else ["why_not.js", "game_page.js"]
    template = "hidden.html" if game.hidden else "game.html"
    return filled(template, places, styles, scripts, computes=True)


def _comments(game: Game) -> dict[str, str]:
    """The comments of the rules for moves, by the moves' names."""
    found: dict[str, dict[str, None]] = {}
    for rule in map(rule_of, game.encoding.statements("base")):
        if ("legal", 2) in rule.heads and rule.head:
            name = str(rule.head.arguments[1].node).partition("(")[0]
            found.setdefault(name, {})[line_of(game.encoding, rule.statement).comment] = None
    return {name: " ".join(filter(None, comments)) for name, comments in found.items()}


def _fen(scene: Scene, known: Sequence[str]) -> dict[str, Any] | None:
    """The letters and fields of a FEN by the numbers of fluents; None without a board."""
    board = scene.vocabulary.board
    if board is None or board.numbers:
        return None
    letters = {number: found for number, fact in enumerate(known) if (found := board.letter(fact))}
    numbers = {fact: number for number, fact in enumerate(known)}
    return {
        "holes": [f"{x},{y}" for x, y in sorted(board.holes)],
        "blank": bool(board.empty),
        "letters": {number: [f"{x},{y}", letter] for number, ((x, y), letter) in letters.items()},
        "fields": [_numbered(texts, numbers) for _, texts in sorted(board.fields.items())],
        "ignored": board.ignored,
        "aliases": [[*board.aliases.get(n, {}).items()] for n in (0, *sorted(board.fields))],
        "anyOrder": [n in board.any_order for n in sorted(board.fields)],
        "shown": [numbers[fact] for fact in board.field_texts if fact in numbers],
    }


def _list(board: Board, known: Sequence[str]) -> dict[str, Any]:
    """What stands in lists of pieces, such as ``K30`` of ``W``, by the numbers of fluents."""
    numbers = {fact: number for number, fact in enumerate(known)}
    pieces: dict[str, dict[str, int]] = {}
    for content, (side, prefix) in board.listed.items():
        for square, number in board.numbers.items():
            if (fact := board.fluent(square, content)) in numbers:
                pieces.setdefault(side, {})[f"{prefix}{number}"] = numbers[fact]
    mover, count = (_numbered(board.fields.get(n, {}), numbers) for n in (1, 2))
    return {"pieces": pieces, "side": mover, "count": count}


def _numbered(texts: Mapping[str, str], numbers: Mapping[str, int]) -> dict[str, int]:
    """The texts of a field by the numbers of their fluents, where these are known."""
    return {text: numbers[fluent] for text, fluent in texts.items() if fluent in numbers}


def _search_tables(state: State, net: Net, goal: str) -> Iterator[tuple[str, Numbers]]:
    """The solver's tables for each attacker; none if the sides don't take turns."""
    Goal.parse(goal)
    for role in state.game.roles:
        with suppress(BadRequest):
            puzzle = Puzzle.of(state, role, goal)
            yield role, block_of(PuzzleTables(puzzle, net, general=False, lemmas=False))
