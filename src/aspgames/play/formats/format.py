"""What every format of files has, and what it reads and writes: entries and played games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import IO

from ...game.board import Square
from ...game.game import Game, load
from ...game.notation.joint_moves import format_ply
from ...game.notation.notations import state_text
from ...game.notation.other_forms import PASSES
from ...game.state import State
from ...gdl.encoding import games, read_encoding
from ...runtime.errors import AspgamesError, BadRecord, one_line
from ...runtime.json_lines import JsonObject, read_lines
from ..game_record import Record, changed_constants


@dataclass(frozen=True)
class FileEntry:
    """A record or a position in a file, with its line; or what is wrong there."""

    line: int
    record: Record | None = None
    error: AspgamesError | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    """All that the file says of the game, by name."""
    is_position: bool = False
    """Whether it is a position, without moves."""
    states: tuple[State, ...] = ()
    """The states of the record, if the reader has played it."""
    line_of: Callable[[int], int] | None = None
    """The line of a ply, from 0; None if all are on the same line."""

    def played(self, game: Game) -> Played:
        """Replay the record. Raises ``BadRecord`` with the line."""
        try:
            if self.error is not None or self.record is None:
                raise self.error or BadRecord("there is no game")
            states = self.states or self.record.replay(game)
        except AspgamesError as error:
            line = self.line_of(error.ply - 1) if self.line_of and error.ply else self.line
            raise BadRecord(one_line(str(error)), getattr(error, "line", 0) or line) from None
        return Played(self, self.record, states)


@dataclass(frozen=True)
class Played:
    """A record that was replayed."""

    entry: FileEntry
    record: Record
    states: tuple[State, ...]
    number: int = 0
    """The number of games written before it."""

    @property
    def plies(self) -> list[str]:
        """The plies as terms: a move, or a joint move."""
        pairs = zip(self.states, self.record.moves, strict=False)
        return [format_ply(state.joint(m), state.consequences.movers) for state, m in pairs]

    @property
    def goals(self) -> Mapping[str, int] | None:
        """Each role's goal in the end, by the rules or else by the record."""
        last = self.states[-1]
        return last.goals if last.is_terminal else self.record.goals

    @property
    def normal(self) -> Record:
        """The record with the moves as the game's own notation writes them."""
        first, record = self.states[0], self.record
        made = Record.of(first, record.moves, players=record.players)
        ply = made.first_ply
        if ply is not None:
            ply += 2 * (self._first_number - 1)
        position = made.position if made.position == "startpos" else self.fen()
        return replace(
            made,
            tags=record.tags,
            goals=self.goals,
            first_ply=ply,
            position=position,
            adjudicated=True,
        )

    def fen(self, ply: int = 0) -> str:
        """The position after some plies as text, with the number of the move if FENs have it."""
        state, first = self.states[ply], self.states[0]
        text, given = state_text(state), self._given
        board = state.game.board
        if state.fen is None or not board or not board.ignored or not board.ignored[0].isdecimal():
            return text
        words = text.split()
        if (
            state is first
            and given[len(words) - 1 : len(words)]
            and given[len(words) - 1].isdecimal()
        ):
            words[-1] = given[len(words) - 1]  # a count that means the same to the rules
        moved = ply + (first.to_move == state.game.roles[1])
        return " ".join([*words, str(self._first_number + moved // 2)])

    @property
    def _given(self) -> list[str]:
        """The words of the first position, if it is a FEN."""
        position = self.record.position
        return [] if "(" in position else position.split()

    @property
    def _first_number(self) -> int:
        """The number of the first move in the FEN of the first position, or else 1."""
        more = self._given[len((self.states[0].fen or "").split()) :]
        return max(1, int(more[0][:9])) if len(more) == 1 and more[0].isdecimal() else 1

    @property
    def report(self) -> JsonObject:
        """The record, or the position, as JSON (``docs/schemas/convert.schema.json``)."""
        first, entry = self.states[0], self.entry
        about: JsonObject = {"game": first.game.name, "const": dict(first.game.constants)}
        if entry.is_position:
            facts = list(first.facts)
            fen = first.fen and self.fen()
            return {**about, "fen": fen, "facts": facts, "headers": dict(entry.headers)}
        plies = self.plies
        texts = [s.move_text(ply) for s, ply in zip(self.states, plies, strict=False)]
        about |= {"position": self.fen(), "moves": plies, "moves_text": texts}
        goals = self.goals
        return {**about, "result": goals and dict(goals), "headers": dict(entry.headers)}


Read = Callable[[IO[bytes], "Game | None"], Iterator[FileEntry]]
Write = Callable[[IO[bytes], Iterable[Played]], None]


@dataclass(frozen=True)
class Format:
    """One format of files."""

    name: str
    endings: tuple[str, ...]
    """The endings of file names that mean it."""
    title: str
    """What it is, for documentation."""
    read: Read
    """Reads entries one by one; the game is None if the file names it."""
    write: Write
    """Writes games one by one."""
    fits: Callable[[Game], bool] = lambda _game: True
    """Whether it can express games with these rules."""
    games: str = "all games"
    """The games that it fits, in words."""
    positions: bool = False
    """Whether it has positions, not games."""
    names_game: bool = True
    """Whether its files name their games."""
    begins: Callable[[State], bool] = lambda _state: True
    """Whether its games can begin with a state."""


def at_start(state: State) -> bool:
    """Whether a state is the start, where all games of some formats begin."""
    return state == state.game.initial


def declared(name: str) -> Callable[[Game], bool]:
    """Whether an encoding says that a format knows the game (``file_format``)."""
    return lambda game: name in game.vocabulary.formats


def usual_game(name: str) -> Game:
    """The game of files in a format that don't name theirs: the one whose own file declares it."""
    texts = ((game, read_encoding(game).sources[-1].text) for game in games())
    return load(next(game for game, text in texts if f"\nfile_format({name}," in text))


def single_squares(game: Game) -> bool:
    """Whether every move is one square, or a word such as a pass."""
    return {*game.vocabulary.notation.values()} == {"@"}


def by_move(game: Game) -> list[str]:
    """The roles, the one that begins first."""
    return sorted(game.roles, key=lambda role: role != game.initial.to_move)


def stones_and_mover(game: Game, stones: Iterable[tuple[Square, str]], mover: str) -> str:
    """The facts of a position: stones, each with its role, and the role on move."""
    assert game.board is not None
    turn = next(fluent for fluent in game.board.fields[1].values() if mover in fluent)
    return " ".join([*(game.board.fluent(square, role) for square, role in stones), turn])


def own_record(
    game: Game,
    moves: Iterable[str],
    position: str = "startpos",
    goals: Mapping[str, int] | None = None,
    tags: Mapping[str, str] | None = None,
    lead: float | None = None,
) -> Record:
    """A record of a game whose file doesn't name it.

    The final ``lead`` of the side that begins may stand for the goals.
    """
    if lead is not None:
        ends = (50, 50) if lead == 0 else (100, 0) if lead > 0 else (0, 100)
        goals = dict(zip(by_move(game), ends, strict=True))
    return Record(
        game.encoding.reference,
        tuple(moves),
        changed_constants(game),
        position,
        goals,
        tags=tags or {},
        adjudicated=True,
    )


def with_passes(game: Game, moves: Iterable[str]) -> tuple[list[str], tuple[State, ...]]:
    """Moves with the passes that a file leaves out, and all states from the start on.

    A pass is a move without arguments that is the only one. From an illegal move on, the moves
    stay as they are, and there are no states.
    """
    rest, found, states = list(moves)[::-1], list[str](), [game.initial]
    while rest:
        move, legal = rest.pop(), states[-1].legal_moves
        if len(legal) == 1 and "(" not in legal[0].term and move.lower() not in PASSES:
            rest.append(move)
            move = legal[0].term
        try:
            states.append(states[-1].play(move))
        except AspgamesError:
            return [*found, move, *rest[::-1]], ()
        found.append(move)
    return found, tuple(states)


def read_by_line(parse: Callable[[str, Game], tuple[Record, tuple[State, ...]]]) -> Read:
    """A function that reads one game on each line; empty lines and those with ``#`` are left out.

    ``parse`` makes a line's record, with its states if it has played them, or raises
    ``AspgamesError``.
    """

    def read(stream: IO[bytes], game: Game | None = None) -> Iterator[FileEntry]:
        assert game is not None
        for number, raw in enumerate(read_lines(stream), start=1):
            text = None if raw is None else raw.decode("utf-8-sig", "replace").strip()
            if text == "" or (text and text.startswith("#")):
                continue
            try:
                if text is None or not text.isprintable() or "\ufffd" in text:
                    raise BadRecord("the line is too long, or no text")
                record, states = parse(text, game)
                yield FileEntry(number, record, headers=record.tags, states=states)
            except AspgamesError as error:
                yield FileEntry(number, error=BadRecord(str(error), number))

    return read


def write_lines(texts: Callable[[Played], str]) -> Write:
    """A function that writes one text for each game."""

    def write(sink: IO[bytes], games: Iterable[Played]) -> None:
        for number, game in enumerate(games):
            sink.write(texts(replace(game, number=number)).encode())

    return write
