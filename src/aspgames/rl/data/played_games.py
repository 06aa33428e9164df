"""Games as rows of a Parquet file: players, blocks of games, and records."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, cycle, islice
from os import PathLike
from typing import Any, Protocol

from ...agents.match.match import Match
from ...agents.match.opponent import PlayerKind
from ...agents.match.policy import is_policy, policy_named
from ...agents.match.solving_opponent import Solver
from ...agents.match.study import Study
from ...agents.mcts.player import Player
from ...game.chance import refuse_stuck_chance
from ...game.game import Game, chooses_jointly
from ...game.state import State
from ...game.view import View
from ...gdl.predicates import CHANCE
from ...play.game_record import Record
from ...play.playout import GameBlock, rolls_of
from ...propnet.net_games import NetGames, play
from ...puzzle.problem import Puzzle
from ...runtime.arguments import quote
from ...runtime.budget import Budget
from ...runtime.call_arguments import file_to_replace
from ...runtime.errors import AspgamesError, BadRequest, LimitReached
from ...runtime.temporary_files import unfinished
from .columns import About, arrow
from .game_columns import (
    JointMove,
    NetRows,
    NetWriter,
    is_over,
    metadata,
    rows_of,
    schema,
    table_of_net,
)
from .position_columns import Numbers

GROUP = 1 << 17
RANDOM = PlayerKind.RANDOM.value


class MoveChooser(Protocol):
    """Plays a role by what it knows, in a game with hidden information by a ``View``."""

    def __call__(self, known: Any, role: str, rng: random.Random) -> str:
        """A legal move of the role, as a term; ``rng`` makes random choices."""


def _solver(game: Game, seconds: float) -> MoveChooser:
    """The solver of ``match``: it plays forced wins, and avoids moves that provably lose."""
    game.refuse_unsupported(but="the solver doesn't play: the engine does, or a function of yours")
    alternate = False
    with suppress(BadRequest):
        Puzzle.of(game.initial, game.roles[0], "win")
        alternate = len(game.roles) == 2
    if not alternate:
        raise BadRequest(f"the solver plays games in which two sides take turns, not {game.name}")

    def choose(known: Any, role: str, rng: random.Random) -> str:
        state: State = known
        if len(state.legal[role]) == 1:
            return state.legal[role][0].term
        others = [other for other in game.roles if other != role]
        match = Match(state, others)
        return Solver(Study(match), seconds, rng.getrandbits(32)).choose(match).move

    return choose


def _engine(game: Game, seconds: float) -> MoveChooser:
    """The engine of ``match`` and ``uci``: a tree of random games, with the solver beside it."""
    engine = Player(game)

    def choose(known: State | View, role: str, rng: random.Random) -> str:  # noqa: ARG001
        *_, thought = engine.think(known, role, Budget(seconds))
        return thought.move

    return choose


PLAYERS: Mapping[str, Callable[[Game, float], MoveChooser]] = {
    RANDOM: lambda *_: lambda state, role, rng: rng.choice(state.legal[role]).term,
    PlayerKind.SOLVER.value: _solver,
    PlayerKind.ENGINE.value: _engine,
}
"""Functions from a game and the time for a move [s] to a player, by name."""


def players_of(game: Game, names: Mapping[str, str], seconds: float) -> Mapping[str, MoveChooser]:
    """A player for each role. Raises ``BadRequest`` if one can't play the game."""
    made = {name: _player(name, game, seconds) for name in dict.fromkeys(names.values())}
    return {role: made[name] for role, name in names.items()}


def _player(name: str, game: Game, seconds: float) -> MoveChooser:
    if not is_policy(name):
        return PLAYERS[name](game, seconds)
    policy = policy_named(name)
    return lambda known, role, _rng: policy(known, role).term


def read_players(game: Game, players: str | Mapping[str, str]) -> dict[str, str]:
    """The player's name of each role, from one name for all or names by role.

    Other roles play at random. Raises ``BadRequest`` for an unknown role or player.
    """
    named = dict.fromkeys(game.players, players) if isinstance(players, str) else players
    for role, name in named.items():
        if role not in game.roles:
            raise BadRequest(f"{game.name} has no role {quote(role)}, but {', '.join(game.roles)}")
        if role not in game.players and name != RANDOM:
            raise BadRequest(f"{role} moves by chance: nobody else can play it, so leave it out")
        if name not in PLAYERS and not is_policy(name):
            some = zip(game.players, cycle((PlayerKind.ENGINE.value, RANDOM)), strict=False)
            each = ",".join(map("=".join, some))
            raise BadRequest(
                f"a player is {', '.join(PLAYERS)} or MODULE:FUNCTION, not {quote(name)}; "
                f"for each role: {each}"
            )
    return {role: named.get(role, RANDOM) for role in game.roles}


@dataclass(frozen=True)
class RecordedBlock(GameBlock):
    """A block of games; every state becomes a row of a file."""

    players: tuple[tuple[str, str], ...]
    move_seconds: float
    about: About = field(repr=False)


def play_block(block: RecordedBlock, budget: Budget | None = None) -> bytes:
    """Play the games of a block; returns a Parquet file. Raises the same as ``playouts``."""
    budget = budget or Budget()
    state, tables = block.open(budget)
    if tables is None or {name for _, name in block.players} != {RANDOM}:
        groups = _one_by_one(block, state, budget)
    else:
        start = tables.row(state.facts) or b""
        rolls = rolls_of(state, tables)
        played = play(tables, start, block.numbers, block.seed, budget, block.max_plies, rolls)
        for place in ((played.lengths + 1).cumsum() - 1)[played.unrolled][:1]:
            refuse_stuck_chance(state.game.state(tables.facts(played.rows[place].tobytes())))
        writer = _writer(state, tables)
        if writer.percepts:
            writer.percepts.find_net(block.numbers.stop, budget)
        groups = _of_net(block, writer, played, budget)
    sink = arrow().BufferOutputStream()
    write_groups(sink, block.about, groups)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def write_groups(sink: Any, about: About, groups: Iterator[Any]) -> None:
    """Write a Parquet file of some groups of rows."""
    pq = arrow("pyarrow.parquet")
    # Without Arrow's own schema, so that all readers see the same types.
    with pq.ParquetWriter(sink, schema(about), compression="zstd", store_schema=False) as writer:
        for group in groups:
            writer.write_table(group, row_group_size=GROUP)
        writer.add_key_value_metadata(metadata(about))


_writer = lru_cache(maxsize=2)(NetWriter)


def _of_net(
    block: RecordedBlock, writer: NetWriter, plies: NetGames, budget: Budget
) -> Iterator[Any]:
    for first in range(0, len(plies.rows), GROUP):
        budget.check()
        here = slice(first, first + GROUP)
        rows = NetRows(block.about, writer, plies, block.numbers, here)
        yield table_of_net(block.about, rows)


def _one_by_one(block: RecordedBlock, start: State, budget: Budget) -> Iterator[Any]:
    pa, about = arrow(), block.about
    game = start.game if block.reasoner == "propnet" else start.game.without_nets
    names = dict(block.players)
    players = players_of(game, names, block.move_seconds)
    numbers = Numbers(start.game) if block.reasoner == "propnet" else None
    for number in block.numbers:
        rng = random.Random(f"{block.seed} {number}")  # the same games as ``playouts``
        state = game.state(block.facts)
        thinking = [role for role, name in names.items() if name != RANDOM] if game.hidden else ()
        known = {role: state.view(role) for role in thinking}
        played: list[tuple[State, JointMove]] = []
        while not is_over(state) and len(played) < block.max_plies:
            try:
                budget.spend()
            except LimitReached as error:
                raise type(error)(
                    f"{error}: game {number} goes on after {len(played):,} plies"
                ) from None
            joint = {role: players[role](known.get(role, state), role, rng) for role in game.roles}
            if game.vocabulary.weighted and state.chance:
                joint[CHANCE] = state.draw(rng).term
            sees = state.sees(joint)  # of no role, unless information is hidden
            known = {
                role: view.followed_by(joint[role], sees[role]) for role, view in known.items()
            }
            played.append((state, joint))
            state = state.play(joint)
        refuse_stuck_chance(state)
        rows = list(rows_of(about, number, [*played, (state, None)], numbers))
        yield pa.Table.from_pylist(rows, schema=schema(about))


_ROWS = 1 << 14  # rows written at a time


def write(path: str | PathLike[str], records: Iterable[Record]) -> int:
    """Write records to a Parquet file of the same format as ``record_games``.

    Each record is replayed. All records must be of the first record's game. A record that doesn't
    reach the end has no goals.

    Returns:
        The number of rows.

    Raises:
        BadRequest: There is no record, or the file can't be written.
        AspgamesError: As for ``Record.replay``, with the number of the game.
    """
    several = iter(records)
    first = next(several, None)
    if not isinstance(first, Record):
        raise BadRequest(f"give records of games, one at least, not {quote(first)}")
    game = first.load()
    target = file_to_replace(path, "for games")
    try:
        with unfinished(target) as part:
            with part.open("wb") as file:
                count = write_played(file, game, _replayed(game, chain([first], several)))
            part.replace(target)
    except OSError as error:
        raise BadRequest(f"{target} can't be written: {error.strerror or error}") from None
    return count


Replayed = tuple[Sequence[State], Sequence[str]]
"""The states of a game, and its moves."""


def _replayed(game: Game, records: Iterable[Record]) -> Iterator[Replayed]:
    for number, record in enumerate(records):
        try:
            yield record.replay(game), record.moves
        except AspgamesError as error:
            raise type(error)(f"game {number}: {error}") from None


def write_played(sink: Any, game: Game, games: Iterable[Replayed]) -> int:
    """Write games to a Parquet file; returns the number of rows."""
    about = About.of(game, (), 0, joint=chooses_jointly(game))
    numbers, count = Numbers(game), 0
    rows = (
        row
        for number, (states, moves) in enumerate(games)
        for row in rows_of(about, number, _with_joints(states, moves), numbers)
    )

    def groups() -> Iterator[Any]:
        nonlocal count
        while some := list(islice(rows, _ROWS)):
            count += len(some)
            yield arrow().Table.from_pylist(some, schema=schema(about))

    write_groups(sink, about, groups())
    return count


def _with_joints(states: Sequence[State], moves: Sequence[str]) -> list[tuple[State, JointMove]]:
    joints = [state.joint(move) for state, move in zip(states, moves, strict=False)]
    return list(zip(states, [*joints, None], strict=True))
