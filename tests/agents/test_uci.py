"""UCI sessions: output, limits, and malformed input."""

import random
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import aspgames
from aspgames import Game, State
from aspgames.agents.uci.go_thread import Going
from aspgames.agents.uci.uci_session import UciSession
from aspgames.agents.uci.uci_turns import read_turn, turn_text, turns
from aspgames.asp.sources import encodings_folder
from aspgames.game.notation.notations import state_text
from aspgames.runtime.errors import BadRequest, IllegalMove
from cli_helpers import PROGRAM, TIMEOUT, run, started
from workers_helpers import members, wait_for

WIN_IN_TWO = "1p2/4/3P/4/1P2 w - - 0 1"


def small() -> Game:
    return aspgames.load("breakthrough", width=4, height=5)


class Talk:
    def __init__(self, game: Game | None = None, **settings: object) -> None:
        self.said: list[str] = []
        self.session = UciSession(game or small(), self.said.append, **settings)  # type: ignore[arg-type]

    def say(self, *lines: str) -> None:
        for line in lines:
            self.session.obey(line)

    def until(self, beginning: str, seconds: float = TIMEOUT) -> str:
        """Wait for a line with this beginning; earlier lines are dropped."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for place, line in enumerate(self.said):
                if line.startswith(beginning):
                    del self.said[: place + 1]
                    return line
            time.sleep(0.001)
        raise AssertionError(f"no {beginning!r} in {self.said}")

    def best(self, *lines: str) -> str:
        self.say(*lines)
        return self.until("bestmove").split()[1]

    def end(self) -> None:
        self.session.run(["quit"])


@pytest.fixture
def talk() -> Iterator[Talk]:
    before = threading.active_count()
    found = Talk()
    yield found
    found.end()
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before, "a thread is left"


# --- output ---------------------------------------------------------------------------------------


def test_the_greeting_declares_the_options(talk: Talk) -> None:
    talk.say("uci")
    assert talk.said[0].startswith("id name aspgames ")
    assert talk.said[-1] == "uciok"
    options = [line for line in talk.said if line.startswith("option ")]
    assert len(options) == len(talk.said) - 3
    pattern = (
        r"option name [A-Za-z_ ]+ type (spin default \d+ min \d+ max \d+|check default (true|false)"
        r"|button|string default \S+|combo default \S+( var \S+)+)"
    )
    assert all(re.fullmatch(pattern, line) for line in options)
    talk.say("isready")
    assert talk.until("readyok")


def test_what_a_go_says(talk: Talk) -> None:
    """Interfaces can read each ``info`` line; its moves are legal."""
    talk.say("position startpos moves a2b3", "setoption name MultiPV value 3", "go nodes 3000")
    deadline = time.monotonic() + TIMEOUT
    while not (lines := list(talk.said))[-1:] or not lines[-1].startswith("bestmove"):
        assert time.monotonic() < deadline
        time.sleep(0.001)
    *infos, best = lines
    pattern = (
        r"info depth \d+ multipv [123] score (cp|mate) -?\d+ nodes \d+ nps \d+ hashfull \d+ "
        r"time \d+ pv( \w+)+"
    )
    assert infos
    assert all(re.fullmatch(pattern, line) for line in infos)
    state = small().initial.play("a2xb3")
    last = [line for line in infos if " multipv 1 " in line][-1].partition(" pv ")[2].split()
    told = best.split()
    assert told[1] == last[0]
    if len(last) > 1:
        assert told[2:] == ["ponder", last[1]]
    for move in last:
        _, state = read_turn(state, move)


def test_a_forced_win_is_played_and_told(talk: Talk) -> None:
    talk.say(f"position fen {WIN_IN_TWO}", "go nodes 20000")
    line = talk.until("info depth")
    while "mate" not in line:
        line = talk.until("info depth")
    assert " score mate 2 " in line
    keys = aspgames.solve(small().position("1p2/4/3P/4/1P2 w"), attacker="white", goal="win")
    best = talk.until("bestmove").split()[1]
    assert best in {key.replace("-", "").replace("x", "") for key in keys.keys_text}


def test_go_mate_asks_the_solver(talk: Talk) -> None:
    assert talk.best(f"position fen {WIN_IN_TWO}", "go mate 2") == "d3d4"
    talk.say("go mate 2")
    assert " score mate 2 " in talk.until("info")
    talk.until("bestmove")
    talk.say("go mate 1")
    assert talk.until("info") == "info string white can't win within 1 turn"
    talk.until("bestmove")
    talk.say("setoption name Goal value trap", "go mate 1")
    assert "trap" in talk.until("info string")
    talk.until("bestmove")
    talk.say("setoption name Goal value nonsense")
    assert "the goal must be" in talk.until("info string")
    talk.say("setoption name Goal value win")
    for moves in ("d3d4 b1b2", "b1b2"):  # only d3d4 wins in two turns
        assert talk.best(f"go mate 2 searchmoves {moves}") == moves[:4]


def test_when_the_game_is_over_there_is_no_move(talk: Talk) -> None:
    assert talk.best("position fen P3/4/4/p3/4 b - - 0 1", "go nodes 10") == "(none)"
    assert talk.best("position fen P3/4/4/p3/4 b", "go mate 3") == "(none)"


def test_only_these_moves_are_searched(talk: Talk) -> None:
    for move in ("b1b2", "d3c4"):
        line = f"go nodes 1000 searchmoves {move}"
        assert talk.best(f"position fen {WIN_IN_TWO}", line) == move
    talk.say("go infinite searchmoves a9a8", "stop")
    assert "no legal move" in talk.until("info string")


def test_a_turn_of_two_plies_is_among_the_given_ones() -> None:
    talk = Talk(aspgames.load("amazons_8x8"))
    start = talk.session._game.initial
    every = [turn_text(start, plies) for plies, _ in turns(start)]
    for given in ([every[7]], [every[300], every[301]]):
        assert talk.best(f"go nodes 600 searchmoves {' '.join(given)}") in given
    talk.end()


def test_perft_of_some_moves(talk: Talk) -> None:
    state = small().initial
    counts = {move: aspgames.perft(state.play(move), 1) for move in ("a2b3", "d2d3")}
    talk.say("go perft 2 searchmoves a2b3 zz d2d3")
    talk.until("\nNodes searched: " + str(sum(counts.values())))
    talk.say("go perft 2 searchmoves a2b3")
    assert talk.until("a2b3") == f"a2b3: {counts['a2b3']}"
    talk.until(f"\nNodes searched: {counts['a2b3']}")
    talk.say("go perft 2 searchmoves zz")
    talk.until("\nNodes searched: 0")


def test_perft_counts_as_the_rules_do(talk: Talk) -> None:
    talk.say("go perft 3")
    talk.until("\nNodes searched: 848")
    game = aspgames.load("amazons_8x8")
    state = game.position("4q3/8/8/8/8/8/8/Q7 w") if game.board else game.initial
    whole = Talk(game)
    whole.say(f"position fen {state.fen}", "go perft 1")
    count = whole.until("\nNodes searched").split()[-1]
    assert int(count) == aspgames.perft(state, 2) == len(list(turns(state)))
    whole.end()


# --- time of the answer ---------------------------------------------------------------------------


def test_stop_is_answered_and_the_next_go_too(talk: Talk) -> None:
    for _ in range(3):
        talk.say("go infinite")
        time.sleep(0.05)
        assert not any(line.startswith("bestmove") for line in talk.said)
        talk.say("isready", "stop")
        talk.until("readyok")
        talk.until("bestmove")
    talk.say("stop")
    talk.say("go infinite", "go infinite", "stop")
    talk.until("bestmove")
    talk.until("bestmove")


def test_a_decided_search_waits_for_its_stop(talk: Talk) -> None:
    talk.say(f"position fen {WIN_IN_TWO}", "go infinite")
    talk.until("info depth")
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in talk.said)
    talk.say("stop")
    assert talk.until("bestmove").startswith("bestmove d3d4")


def test_pondering_ends_after_the_ponderhit(talk: Talk) -> None:
    talk.say("position startpos moves a2b3", "go ponder wtime 1000 btime 1000")
    time.sleep(0.2)
    assert not any(line.startswith("bestmove") for line in talk.said)
    talk.say("ponderhit")
    talk.until("bestmove")
    talk.say(f"position fen {WIN_IN_TWO}", "go ponder movetime 100")
    talk.until("info depth")
    talk.say("ponderhit")
    assert talk.until("bestmove").startswith("bestmove d3d4")
    talk.say("go ponder movetime 100000", "stop")
    talk.until("bestmove")
    talk.say("ponderhit")


def test_clocks(talk: Talk) -> None:
    for clock in ("movetime 50", "wtime 500 btime 500 winc 10 binc 10", "wtime -5 btime 10"):
        talk.best("position startpos", f"go {clock}")
    talk.best("go depth 2")
    limited = Talk(seconds=0.05)
    limited.best("go")
    limited.end()


@pytest.mark.parametrize(
    ("words", "first", "seconds"),
    [
        ("wtime 60000 btime 1000", True, 60 / 25),
        ("wtime 60000 btime 1000", False, 1 / 25),
        ("wtime 60000 btime 1000 movestogo 1", True, 48),
        ("wtime 100 btime 100 winc 1000", True, 0.08),
        ("movetime 250", True, 0.25),
        ("infinite", True, None),
        ("wtime 0", True, 0.001),
    ],
)
def test_how_much_of_the_clock_a_move_takes(words: str, first: bool, seconds: float | None) -> None:
    found = Going.read(words.split()).seconds(first, 0.0, None)
    assert found == (seconds if seconds is None else pytest.approx(seconds))
    assert (Going.read(words.split()).seconds(first, 0.0, 0.01) or 1) <= 0.01


# --- games ----------------------------------------------------------------------------------------


def test_two_games_in_one_conversation(talk: Talk) -> None:
    talk.say("setoption name UCI_Variant value amazons_8x8")
    start = aspgames.load("amazons_8x8").initial
    assert talk.said == [f"info string variant amazons_8x8 files 8 ranks 8 startpos {start.fen}"]
    best = talk.best("isready", "go nodes 200")
    plies, _ = read_turn(start, best)
    assert len(plies) == 2, "a turn is a move and an arrow"
    talk.say("setoption name UCI_Variant value breakthrough", "ucinewgame")
    assert len(talk.best("go nodes 200")) == 4
    talk.say("setoption name UCI_Variant value shogi")
    assert "UCI_Variant has no 'shogi'" in talk.until("info string UCI_Variant")


def test_a_game_of_one_s_own_and_of_one_role() -> None:
    for name in ("tictactoe", "connect_four", "peg_solitaire", "hex"):
        game = aspgames.load(name)
        talk = Talk(game)
        best = talk.best("go nodes 600")
        assert len(read_turn(game.initial, best)[0]) == 1
        talk.end()


def test_moves_at_the_same_time_are_refused() -> None:
    with pytest.raises(BadRequest, match="by turns"):
        Talk(aspgames.load("rock_paper_scissors"))


@pytest.mark.parametrize("name", ["breakthrough", "amazons_8x8", "skirmish"])
def test_turns_are_read_as_they_are_written(name: str) -> None:
    state, rng = aspgames.load(name).initial, random.Random(2)
    for _ in range(6):
        every = list(turns(state))
        names = [turn_text(state, plies) for plies, _ in every]
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"([a-z]\d+)+(,([a-z]\d+)+)*", text) for text in names)
        number = rng.randrange(len(every))
        assert read_turn(state, names[number]) == every[number]
        terms = ";".join(move.term for move in every[number][0])
        assert read_turn(state, terms) == every[number]
        state = every[number][1]


PROMOTIONS = "r3k2r/1P6/8/2Pp4/8/8/8/R3K2R w KQkq d6 0 1"


def test_moves_of_chess_are_those_of_python_chess() -> None:
    """Written with the letters of promotions, and read again."""
    chess = pytest.importorskip("chess")
    game, rng = aspgames.load("chess"), random.Random(5)
    for fen in (None, PROMOTIONS):
        board = chess.Board(fen) if fen else chess.Board()
        state = game.position(fen) if fen else game.initial
        for _ in range(12):
            every = {turn_text(state, plies): plies for plies, _ in turns(state)}
            assert set(every) == {move.uci() for move in board.legal_moves}
            if not every or state.is_terminal:
                break
            assert all(read_turn(state, text)[0] == plies for text, plies in every.items())
            move = rng.choice(sorted(every))
            board.push_uci(move)
            state = read_turn(state, move)[1]


def test_promotions_are_read_in_all_forms() -> None:
    state = aspgames.load("chess").position(PROMOTIONS)
    for text in ("b7a8q", "b7a8Q", "b7xa8=q", "bxa8=Q", "to_queen(2,7,1,8)"):
        assert read_turn(state, text)[0][0].term == "to_queen(2,7,1,8)"
    assert read_turn(state, "O-O-O")[0] == read_turn(state, "e1c1")[0]
    for wrong in ("b7a8", "b7a8k", "e1h1"):
        with pytest.raises(IllegalMove, match="no legal move of white"):
            read_turn(state, wrong)
    talk = Talk(aspgames.load("minichess"))
    place = "position fen k4/3P1/5/5/K4 w 0"
    talk.say(f"{place} moves d4d5r a5a4", "go perft 1 searchmoves d5d4 d5d5q")
    assert talk.until("d5d4") == "d5d4: 1"
    assert talk.best(place, "go nodes 50 searchmoves d4d5r") == "d4d5r"
    talk.end()


def test_moves_with_the_same_squares_are_written_as_terms() -> None:
    state = aspgames.load("pentago").initial
    assert all(turn_text(state, plies) == plies[0].term for plies, _ in turns(state))
    with pytest.raises(IllegalMove, match=r"may be left\(1,1,2,2\) or right\(1,1,2,2\)"):
        read_turn(state, "a1b2")


def test_a_pass_is_read_as_a_null_move_too() -> None:
    state = aspgames.load("othello").position("OX6/8/8/8/8/8/8/8 b")
    assert [turn_text(state, plies) for plies, _ in turns(state)] == ["pass"]
    assert read_turn(state, "0000") == read_turn(state, "pass")
    with pytest.raises(IllegalMove):
        read_turn(state.play("pass"), "0000")


def test_a_turn_of_one_ply_is_read_in_all_its_forms() -> None:
    state = aspgames.load("amazons").position("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w")
    found = {read_turn(state, text)[1] for text in ("d1d7,d7g7", "d1-d7/g7", "move(4,1,4,7,7,7)")}
    assert len(found) == 1
    with pytest.raises(IllegalMove, match="no legal move of white"):
        read_turn(state, "d1d7")


# --- malformed input ------------------------------------------------------------------------------

HOSTILE = [
    "", " ", "foo", "foo bar baz", "position", "position fen", "position fen x y z",
    "position startpos extra", "position startpos moves a2a9", "position startpos moves a2a3 a2a3",
    "position startpos moves (((", "position fen 8/8 w moves", "setoption", "setoption name",
    "setoption name Hash", "setoption name Hash value x", "setoption name Hash value 99999999999",
    "setoption name Nothing value 1", "setoption value 3", "setoption name Ponder value maybe",
    "go depth", "go depth x nodes 10", "go movetime nodes 10", "go perft x nodes 10", "ponderhit",
    "stop", "debug on", "register later", "go nodes 10 bananas", "position startpos moves",
    "go nodes \u0661 nodes 5", "setoption name UCI_Variant value", "go mate 99999999999999999999",
    "position fen cell(1,1,white", "\x00\x01", "é", "go searchmoves nodes 10",
]  # fmt: skip


def test_nothing_said_brings_it_down(talk: Talk) -> None:
    for line in HOSTILE:
        talk.say(line, "stop")
    talk.session.obey(None)
    talk.until("info string the line is too long")
    assert talk.best("position startpos", "go nodes 100")
    assert not any("defect" in line or "Traceback" in line for line in talk.said)


@pytest.mark.parametrize(
    "line",
    [
        "go movetime 300 searchmoves zz", "go searchmoves zz", "go movetime abc", "go nodes",
        "go movtime 300", "go depth 1e3", "go mate", "go nodes -1", "go movetime 0", "go perft x",
        "go wtime", "go movetime 99999999999999999999", "go nodes 10 nodes", "go depth 0",
    ],
)  # fmt: skip
def test_a_malformed_go_is_answered(talk: Talk, line: str) -> None:
    """The answer comes without ``stop``, and later searches are unharmed."""
    assert read_turn(small().initial, talk.best(line))
    assert talk.best("go nodes 1")


WORDS = (
    "go stop isready position startpos fen moves a2a3 a2b3 a4a3 zz searchmoves depth nodes mate "
    "movetime wtime btime movestogo perft infinite ponder ponderhit setoption name value MultiPV "
    "Seed Solver Goal UCI_Variant breakthrough ucinewgame debug d uci 0 1 3 -7 1e9 999999999999999 "
    "99999999999999999999999 \u0663 \x00 ( ; p3/4/4/4/P3 w b win score>=1 \ud800"
)


def test_random_commands(talk: Talk) -> None:
    """Each ``go`` without ``perft`` gets one ``bestmove``, and all output is short lines."""
    rng = random.Random(7)
    asked = 0
    for _ in range(400):
        words = rng.choices(WORDS.split(), k=rng.randrange(1, 8))
        words.insert(0, rng.choice(("go", "go", "position", "setoption name", "isready")))
        asked += words[0] == "go" and "perft" not in Going.read(words[1:]).numbers
        talk.say(" ".join(words))
        if rng.random() < 0.7:
            talk.say("stop")
    talk.say("stop")
    assert sum(line.startswith("bestmove ") for line in talk.said) == asked > 100
    assert not [line for line in talk.said if "defect" in line or len(line) > 600]


@pytest.mark.slow
def test_a_flood_of_commands_does_not_pile_up(talk: Talk) -> None:
    """Commands come faster than they are carried out: few wait; each ``isready`` is answered."""
    most = 0
    for line in ["ucinewgame", "isready"] * 500 + ["go perft 3"] * 500:
        talk.say(line)
        most = max(most, talk.session._queue.qsize())
    assert most <= 300
    assert any("100 counts wait already" in line for line in talk.said)
    talk.say("stop")
    for _ in range(500):
        talk.until("readyok")


def test_a_wrong_position_leaves_none(talk: Talk) -> None:
    """No command answers about another position than the one that was wrong."""
    for wrong in ("startpos moves a2b3 a1a9", "fen 8/8 w", "nonsense"):
        talk.say("position startpos moves a2b3", f"position {wrong}")
        assert talk.said.pop().endswith("there is no position now")
        assert talk.best("go nodes 10") == "(none)"
        talk.say("go perft 2")
        assert talk.said[-1] == "\nNodes searched: 0"
        talk.say("isready")
        talk.until("readyok")
        assert talk.said == []
        talk.say("d")
        assert talk.until("info string").startswith("info string there is no position")
    talk.say("position startpos moves a2b3 a1a9")
    assert talk.said[-1].startswith("info string move 2: 'a1a9' is no legal move of black;")
    talk.say("position startpos moves a2b3", "d")
    assert talk.said[-1] == "Fen: pppp/pppp/1P2/1PPP/PPPP b"


def test_the_program_answers_and_ends(tmp_path: Path) -> None:
    """At the end of input, a search with a limit still answers; after ``quit`` none does."""
    lines = "\n".join([*HOSTILE, "uci", "position startpos", "go nodes 500"]) + "\n"
    found = run("uci", "breakthrough", cwd=tmp_path, stdin=b"\xff\n" + lines.encode())
    assert found.code == 0
    assert not found.err
    assert found.out.splitlines()[-1].startswith("bestmove ")
    found = run("uci", "breakthrough", cwd=tmp_path, stdin=b"go infinite\n")
    assert (found.code, found.err) == (0, "")
    assert "bestmove" not in found.out
    found = run("uci", "breakthrough", cwd=tmp_path, stdin=b"go nodes 100000000\nquit\n")
    assert (found.code, found.err) == (0, "")
    assert "bestmove" not in found.out
    found = run("uci", "rock_paper_scissors", cwd=tmp_path)
    assert found.code == 2
    assert found.err.count("\n") == 1


def test_ctrl_c_ends_it_and_leaves_nothing_behind(tmp_path: Path) -> None:
    import signal

    with started("uci", "breakthrough", cwd=tmp_path, text=True, process_group=0) as engine:
        assert engine.stdin
        assert engine.stdout
        engine.stdin.write("go infinite\n")
        engine.stdin.flush()
        assert engine.stdout.readline().startswith("info ")
        engine.send_signal(signal.SIGINT)
        assert engine.wait(TIMEOUT) == 130
        wait_for(lambda: not members(engine.pid), "the end of its processes")


# --- a match runner -------------------------------------------------------------------------------


class Ply:
    """A move for python-chess's driver, which sends only its text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def uci(self) -> str:
        return self.text


class Driven:
    """A position of any game with what python-chess's driver asks of a chess board."""

    chess960 = False

    def __init__(self, start: State) -> None:
        self.start, self.states = start, [start]
        self.move_stack: list[Ply] = []

    def root(self) -> "Driven":
        return Driven(self.start)

    def copy(self, *, stack: bool) -> "Driven":
        assert not stack
        return Driven(self.states[-1])

    def fen(self, **_: object) -> str:
        return state_text(self.start)

    @property
    def turn(self) -> bool:
        state = self.states[-1]
        return state.to_move == state.game.roles[0]

    def parse_uci(self, text: str) -> Ply:
        state = self.states[-1]
        try:
            plies, _ = read_turn(state, text)
        except IllegalMove as error:
            raise ValueError(str(error)) from None
        assert text == turn_text(state, plies), "a move is written by squares where that will do"
        return Ply(text)

    def push_uci(self, text: str) -> Ply:
        ply = self.parse_uci(text)
        self.states.append(read_turn(self.states[-1], text)[1])
        self.move_stack.append(ply)
        return ply

    def pop(self) -> None:
        self.states.pop()
        self.move_stack.pop()


def driven(state: State, variant: str) -> Driven:
    """A position for the driver, which asks the class of a board for its variant."""
    kind = type("Variant", (Driven,), {"uci_variant": variant})
    found = kind(state)
    assert isinstance(found, Driven)
    return found


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["amazons_8x8", "breakthrough", "checkers", "minichess", "othello", "tictactoe"]
)
def test_whole_games_by_python_chess(name: str) -> None:
    """Its driver plays the engine against random turns, once for each side."""
    chess_engine = pytest.importorskip("chess.engine")
    game, rng = aspgames.load(name), random.Random(4)
    with chess_engine.SimpleEngine.popen_uci([*PROGRAM, "uci", name], timeout=60) as engine:
        engine.configure({"Hash": 64, "Seed": 3})
        for side in (True, False):
            board = driven(game.initial, name)
            while not board.states[-1].is_terminal:
                if board.turn == side:
                    limit = chess_engine.Limit(white_clock=5, black_clock=5, nodes=100)
                    played = engine.play(board, limit, info=chess_engine.INFO_ALL)
                    board.push_uci(played.move.text)
                else:
                    plies, _ = rng.choice(list(turns(board.states[-1])))
                    board.push_uci(turn_text(board.states[-1], plies))
            won = board.states[-1].goals[game.roles[0 if side else 1]]
            assert won >= 50 or name in ("checkers", "minichess"), "random turns don't win"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "atomic"])
def test_whole_games_of_chess_by_python_chess(name: str) -> None:
    """It knows these rules itself: all moves are legal, and the results are equal."""
    chess_engine = pytest.importorskip("chess.engine")
    variant = pytest.importorskip("chess.variant")
    file = name if name == "chess" else str(encodings_folder() / f"gallery/fairy/{name}.lp")
    rng = random.Random(4)
    with chess_engine.SimpleEngine.popen_uci([*PROGRAM, "uci", file], timeout=60) as engine:
        for side in (True, False):
            board, state = variant.find_variant(name)(), aspgames.load(file).initial
            while not state.is_terminal:
                if board.turn == side:
                    limit = chess_engine.Limit(nodes=100)
                    played = engine.play(board, limit, info=chess_engine.INFO_ALL, ponder=True)
                    assert played.ponder is None or played.ponder
                    move = played.move
                else:
                    move = rng.choice(list(board.legal_moves))
                assert move in board.legal_moves
                state = read_turn(state, move.uci())[1]
                board.push(move)
            drawn = board.can_claim_fifty_moves() or board.is_insufficient_material()
            result = "1/2-1/2" if drawn else board.result()
            assert result == {100: "1-0", 50: "1/2-1/2", 0: "0-1"}[state.goals["white"]]
            assert drawn or board.is_game_over()


@pytest.mark.slow
def test_analysis_by_python_chess() -> None:
    chess_engine = pytest.importorskip("chess.engine")
    game = aspgames.load("breakthrough")
    with chess_engine.SimpleEngine.popen_uci(
        [*PROGRAM, "uci", "breakthrough"], timeout=60
    ) as engine:
        puzzle = driven(game.position("8/3P4/8/8/8/8/p7/8 w"), "breakthrough")
        found = engine.analyse(puzzle, chess_engine.Limit(mate=2))
        assert found["score"].white() == chess_engine.Mate(1)
        start = driven(game.initial, "breakthrough")
        lines = engine.analyse(start, chess_engine.Limit(nodes=2000), multipv=3)
        assert len(lines) == 3


@pytest.mark.slow
def test_the_cross_check_agrees_with_it(tmp_path: Path) -> None:
    """The cross-check compares the engine's perft with the rules."""
    command = " ".join([*PROGRAM, "uci", "amazons_8x8"])
    found = run(
        "crosscheck", "amazons_8x8", "--against", f"uci:{command}", "--games", "1", "--made", "5",
        cwd=tmp_path,
    )  # fmt: skip
    assert found.code == 0, found.out
    assert found.out.startswith("Agreement")
