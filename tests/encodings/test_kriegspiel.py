"""Kriegspiel endings: OpenSpiel's umpire, and plans against the rules written once more."""

from itertools import product
from random import Random
from typing import Any

import chess
import pytest

import aspgames
from aspgames import State
from thoroughly import amount

Square = tuple[int, int]
PIECES = "rook", "queen"


class Ending:
    """White's king and other piece against a king that White doesn't see; Black knows all."""

    def __init__(self, size: int, piece: str) -> None:
        self.squares = list(product(range(1, size + 1), range(1, size + 1)))
        self.steps = [step for step in product((-1, 0, 1), (-1, 0, 1)) if any(step)]
        self.known = dict[tuple[Square, Square, frozenset[Square], int], bool]()
        self.rays = [step for step in self.steps if piece == "queen" or 0 in step]

    def beside(self, square: Square) -> set[Square]:
        near = {(square[0] + x, square[1] + y) for x, y in self.steps}
        return near & {*self.squares}

    def ray(self, piece: Square, stop: Square) -> dict[Square, Square]:
        """The squares that the piece attacks, each with its direction, up to a square."""
        found = {}
        for dx, dy in self.rays:
            x, y = piece
            while (x, y) != stop and (x + dx, y + dy) in self.squares:
                x, y = x + dx, y + dy
                found[x, y] = (dx, dy)
        return found

    def hidden(self, king: Square, piece: Square) -> frozenset[Square]:
        """Where Black's king may be, with White on move."""
        attacked = self.beside(king) | self.ray(piece, king).keys()
        return frozenset({*self.squares} - attacked - {king, piece})

    def wins(self, king: Square, piece: Square, foes: frozenset[Square], turns: int) -> bool:
        """Whether White surely mates within so many turns, wherever Black's king is of these."""
        if turns == 0:
            return False
        asked = king, piece, foes, turns
        if asked not in self.known:
            self.known[asked] = self._wins(*asked)
        return self.known[asked]

    def _wins(self, king: Square, piece: Square, foes: frozenset[Square], turns: int) -> bool:
        for square in self.beside(king) - {piece}:
            legal = frozenset(foe for foe in foes if square not in self.beside(foe))
            left = foes - legal
            if (
                legal
                and self._answered(square, piece, legal, turns)
                and (not left or self.wins(king, piece, left, turns))
            ):
                return True
        return any(
            self._answered(king, square, foes, turns)
            for square in self.ray(piece, king).keys() - {king}
        )

    def _answered(self, king: Square, piece: Square, foes: frozenset[Square], turns: int) -> bool:
        """Whether White wins after its move, whatever the umpire says and Black does."""
        ray = self.ray(piece, king)
        attacked, calls = self.beside(king) | ray.keys(), dict[Any, set[Square]]()
        for foe in foes:
            replies = self.beside(foe) - attacked
            if (not replies and foe not in ray) or piece in replies:
                return False  # stalemate, or the piece is lost
            if replies:
                dx, dy = ray.get(foe, (0, 0))
                calls.setdefault((abs(dx), abs(dy), dx * dy), set()).update(replies)
        return all(self.wins(king, piece, frozenset(call), turns - 1) for call in calls.values())


def fewest(size: int, piece: str, squares: tuple[Square, Square], most: int) -> int | None:
    """The fewest turns in which White surely mates a hidden king."""
    ending = Ending(size, piece)
    foes = ending.hidden(*squares)
    return next((n for n in range(1, most + 1) if ending.wins(*squares, foes, n)), None)


def start(size: int, piece: str, squares: tuple[Square, Square], defence: str) -> State:
    """The position in which chance hides Black's king."""
    (a, b), (x, y) = squares
    game = aspgames.load("kriegspiel", size=size, piece=piece, defence=defence)
    return game.position(f"cell({a},{b},king(white)) cell({x},{y},piece(white)) control(white)")


@pytest.mark.parametrize(
    ("piece", "defence"),
    [("rook", "seeing"), *(pytest.param(p, "blind", marks=pytest.mark.slow) for p in PIECES)],
)
def test_the_fewest_turns_to_mate_a_hidden_king(piece: str, defence: str) -> None:
    """A defence that sees lasts as long as one that tries: White's plan needn't hear its tries."""
    random, ending = Random(piece), Ending(3, piece)
    pairs = [pair for pair in product(ending.squares, ending.squares) if ending.hidden(*pair)]
    told = set()
    for king, other in random.sample(pairs, amount(4, 30)):
        if king != other:
            expected = fewest(3, piece, (king, other), 5)
            position = start(3, piece, (king, other), defence)
            found = aspgames.solve(position, goal="win", within=5, attacker="white")
            assert found.verdict == ("not_forced" if expected is None else "forced")
            assert found.distance == expected
            told.add(expected)
    assert piece == "queen" or len(told) > 1


@pytest.mark.slow
def test_mate_without_seeing_on_four_by_four() -> None:
    squares = (1, 1), (2, 1)
    assert fewest(4, "rook", squares, 7) == 7
    position = start(4, "rook", squares, "seeing")
    found = aspgames.solve(position, goal="win", within=7, attacker="white")
    assert (found.verdict, found.distance) == ("forced", 7)


def opened(pyspiel: Any, size: int, state: State) -> Any:
    """The same position in OpenSpiel."""
    settings = {
        "board_size": size,
        "fen": f"{str(state.fen).split()[0]} w - - 0 1",
        "threefold_repetition": False,
        "50_move_rule": False,
    }
    return pyspiel.load_game("kriegspiel", settings).new_initial_state()


def check(state: State) -> list[str]:
    """The umpire's call of White's check: python-chess has the check, and here is its line."""
    size = int(str(state.game.constants["size"]))
    board = chess.Board.empty()
    for (x, y), content in state.occupied.items():
        letter = {"king(black)": "k", "king(white)": "K"}.get(
            content, str(state.game.constants["piece"])[0].upper()
        )
        board.set_piece_at(chess.square(x - 1, y - 1), chess.Piece.from_symbol(letter))
    board.turn = chess.BLACK
    for square in board.checkers():
        u, v = chess.square_file(square), chess.square_rank(square)
        king = board.king(chess.BLACK)
        assert king is not None
        x, y = chess.square_file(king), chess.square_rank(king)
        if u == x or v == y:
            return ["check(file)" if u == x else "check(rank)"]
        rising = (u - x) * (v - y) > 0
        lengths = size - abs(x - y), size - abs(x + y - size + 1)
        along, across = lengths if rising else lengths[::-1]
        assert along != across, "boards of an even size"
        return ["check(long_diagonal)" if along > across else "check(short_diagonal)"]
    return []


def end(state: State) -> list[str]:
    """What the umpire says of the end."""
    after = state.play("speak")
    return ["stalemate" if after.goals["white"] == 50 else "mate"] if after.is_terminal else []


@pytest.mark.parametrize(
    ("size", "piece"),
    [(4, "rook"), (4, "queen"), *(pytest.param(8, p, marks=pytest.mark.slow) for p in PIECES)],
)
def test_the_umpire_in_lockstep_with_openspiel(size: int, piece: str) -> None:
    """OpenSpiel ends a game when each try was refused; ours is over before. It calls no checks."""
    pyspiel = pytest.importorskip("pyspiel")
    game = aspgames.load("kriegspiel", size=size, piece=piece)
    heard, ends = set[str](), set[str]()
    for seed in range(amount(6, 200)):
        random = Random(seed)
        state = game.initial.play(random.choice(game.initial.legal_moves))
        other = opened(pyspiel, size, state)
        for _ in range(200):
            if state.is_terminal:
                break
            player = other.current_player()
            assert state.to_move == ("black", "white")[player]
            actions = {other.action_to_string(player, a): a for a in other.legal_actions()}
            moves = {str(move).replace("-", ""): move.term for move in state.legal_moves}
            assert moves.keys() == actions.keys()
            text = random.choice(sorted(actions))
            said = state.sees(moves[text])
            state = state.play(moves[text])
            assert said["white"] == said["black"]
            expected = []
            other.apply_action(actions[text])
            theirs = other.observation_string(0).splitlines()[-1]
            if theirs == "Illegal move.":
                expected = ["illegal"]
            elif "captured" in theirs:
                x, y = theirs[len("Piece at ")], theirs[len("Piece at a")]
                expected = [f"captured({ord(x) - ord('a') + 1},{y})"]
            assert [*said["white"]] == expected
            if state.to_move == "random":
                expected = check(state) + end(state)
                said = state.sees("speak")
                assert said["white"] == said["black"] == tuple(expected)
                state = state.play("speak")
            heard.update(expected)
        while state.is_terminal and not other.is_terminal():
            other.apply_action(other.legal_actions()[0])
            assert other.observation_string(0).endswith("Illegal move.")
        if state.is_terminal:
            assert [50 + 50 * int(value) for value in other.returns()] == [
                state.goals[role] for role in ("black", "white")
            ]
            ends.add(str(other.returns()))
    assert {"illegal", "check(rank)", "check(file)"} <= heard
    assert piece == "rook" or {"check(long_diagonal)", "check(short_diagonal)"} <= heard
    assert ends


def count(other: Any, plies: int) -> int:
    """Histories from OpenSpiel's state; after White's moves the umpire's word is one more ply."""
    if plies == 0:
        return 1
    total = 0
    for action in other.legal_actions():
        after = other.child(action)
        tried = after.observation_string(0).endswith("Illegal move.")
        if not other.current_player() or tried or plies == 1:
            total += count(after, plies - 1)
        else:
            able = any(
                not after.child(reply).observation_string(0).endswith("Illegal move.")
                for reply in after.legal_actions()
            )
            total += plies == 2 or (able and count(after, plies - 2))
    return total


def test_counts_of_histories_with_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    start = aspgames.load("kriegspiel").initial
    for plies in range(1, 5):
        assert aspgames.perft(start, plies + 1) == sum(
            count(opened(pyspiel, 4, start.play(move)), plies) for move in start.legal_moves
        )
