"""The HTTP protocol of General Game Playing: messages, the player, the manager, and its moves.

No package with another implementation of the protocol is available. So the texts below follow
public descriptions of the protocol and existing managers; those with percepts are what the
GameController of Dresden sent in a match. The results and the matches are compared with a KIF
reader that shares no code with aspgames.
"""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aspgames
from aspgames import State
from aspgames.agents.ggp.ggp_manager import Address, Manager, ask
from aspgames.agents.ggp.ggp_player import GgpPlayer, PlayerSettings
from aspgames.agents.ggp.http_server import MOST_BYTES, PlayerServer
from aspgames.agents.ggp.messages import (
    Abort,
    Info,
    Message,
    Play,
    PlaySeen,
    Preview,
    Start,
    Stop,
    StopSeen,
    read_info,
    read_message,
    read_rules,
    write_info,
)
from aspgames.agents.mcts.player import Player
from aspgames.agents.mcts.tree_search import PlayerOptions
from aspgames.game.kif_export.rule_sheet import sheet_of_game
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadRequest
from cli_helpers import PROGRAM, Call, assert_refused, check, run, started
from engine_helpers import write as write_game
from naive_gdl import Naive, read, write
from paths import TESTS
from workers_helpers import descendants, is_running, wait_for

SHEETS = TESTS / "data/sheets"
NOUGHTS = read_rules((SHEETS / "noughts.kif").read_text())
ENDLESS = "(role a)\n(init (n z))\n(<= (num (s ?x)) (num ?x))\n(num z)\n(<= (legal a ?x) (num ?x))"
"""Rules whose grounding never ends."""

LOOP = "(role a) (init p) (<= (legal a go) (not (legal a go)))"

linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks into /proc")


@pytest.mark.parametrize("verb", ["ggp-player", "ggp-manager", "check"])
def test_what_is_wrong_with_a_sheet_is_told_with_line_and_column(
    call: Call, folder: Path, verb: str
) -> None:
    """Lines and columns are those of the file, although messages have no comments."""
    more = ["random"] if verb == "ggp-manager" else []
    for rules, told in (
        ("  (role b", "2:3: this ( is never closed"),
        ("(role b)\n(legal a ?x)", "3:1: the variable ?x is unsafe"),
    ):
        (folder / "wrong.kif").write_text(f"; one of two\n{rules}")
        run = call(verb, str(folder / "wrong.kif"), *more)
        assert f"wrong.kif:{told}" in run.err + run.out


# --- messages -------------------------------------------------------------------------------------

RECORDED: list[tuple[str, Message]] = [
    ("( INFO )", Info()),
    ("(info)\r\n", Info()),
    ("( PREVIEW ((role a) (role b)) 5 )", Preview("(role a)\n(role b)", 5)),
    (
        "( START Match.TicTacToe.1234 XPlayer ((ROLE xplayer) (role oplayer) "
        "(<= (legal ?W (mark ?x)) (true (cell ?x b))) ) 30 15)",
        Start(
            "match.tictactoe.1234",
            "XPlayer",
            "(ROLE xplayer)\n(role oplayer)\n(<= (legal ?W (mark ?x)) (true (cell ?x b)))",
            30,
            15,
        ),
    ),
    (
        "(START m1 red ((role red) ; a comment (\n (init p)) 1 1 (some more) that nobody knows)",
        Start("m1", "red", "(role red)\n(init p)", 1, 1),
    ),
    ("( PLAY m1 NIL )", Play("m1", ())),
    ("(play M1 nil)", Play("m1", ())),
    ("( PLAY m1 ((mark 1 1) noop ) )", Play("m1", ("(mark 1 1)", "noop"))),
    ("(PLAY m1 ((MOVE (at A 1)\n\tB) NOOP))", Play("m1", ("(MOVE (at A 1) B)", "NOOP"))),
    ("( STOP m1 ((mark 1 1) noop ) )", Stop("m1", ("(mark 1 1)", "noop"))),
    ("( STOP m1 NIL )", Stop("m1", ())),
    ("(PLAY M1 0 NIL NIL)", PlaySeen("m1", 0, None, None)),
    ("(PLAY M1 2 NOOP ())", PlaySeen("m1", 2, "NOOP", ())),
    ("(PLAY M1 2 NOOP ((CARD JACK) ))", PlaySeen("m1", 2, "NOOP", ("(CARD JACK)",))),
    ("(STOP M1 4 PASS ((HAND WHITE QUEEN) ))", StopSeen("m1", 4, "PASS", ("(HAND WHITE QUEEN)",))),
    ("( ABORT m1 )", Abort("m1")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), RECORDED, ids=[text[:24] for text, _ in RECORDED])
def test_messages_as_managers_send_them(text: str, message: Message) -> None:
    assert read_message(text) == message
    assert read_message(str(message)) == message


WRONG = {
    "nothing": "",
    "two messages": "(info) (info)",
    "never closed": "( PLAY m1 NIL",
    "closed too often": "(info))",
    "START without clocks": "( START m1 a ((role a)) )",
    "a clock that is not a number": "( START m1 a ((role a)) soon 1 )",
    "a clock below zero": "( START m1 a ((role a)) -1 1 )",
    "no clock at all": "( START m1 a ((role a)) nan 1 )",
    "rules that are a word": "( START m1 a rules 1 1 )",
    "a list as a match": "( PLAY (m 1) NIL )",
    "PLAY without moves": "( PLAY m1 )",
    "moves that are a word": "( PLAY m1 noop )",
    "ABORT with moves": "( ABORT m1 NIL )",
    "a turn that is no number": "( PLAY m1 two noop () )",
    "percepts that are a word": "( STOP m1 2 noop seen )",
    "too deep": "(" * 100_000,
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read_message(text)
    assert len(str(refused.value).splitlines()) == 1


@given(st.text(alphabet=st.sampled_from("() \n;infoplaystrt1?\0é"), max_size=60) | st.text())
def test_any_text_is_a_message_or_refused(text: str) -> None:
    try:
        message = read_message(text)
    except BadRequest:
        return
    assert read_message(str(message)) == message


words = st.from_regex(r"[a-z0-9?+<=.-]{1,5}", fullmatch=True)
terms = st.recursive(
    words, lambda inner: st.lists(inner, min_size=2, max_size=4).map(tuple), max_leaves=8
)
clocks = st.integers(0, 999)


def as_sent(draw: Any, term: Any) -> str:
    """A term with random blanks, capitals and comments, which have no meaning."""
    blank = draw(st.sampled_from([" ", "  ", "\n", "\t", " ;( a comment\n"]))
    if isinstance(term, str):
        return str(draw(st.sampled_from([term, term.upper()])))
    return f"({blank.join(as_sent(draw, part) for part in term)}{blank})"


@given(st.data(), words, terms, st.lists(terms, max_size=5), clocks, clocks)
def test_a_start_is_read_as_another_reader_reads_it(
    data: Any, match: str, role: Any, rules: list[Any], start: int, play: int
) -> None:
    sheet = " ".join(as_sent(data.draw, rule) for rule in rules)
    text = f"(Start {match} {as_sent(data.draw, role)} ( {sheet} ) {start} {play})"
    found = read_message(text)
    assert isinstance(found, Start)
    assert (found.match, found.role.lower()) == (match, write(role))
    assert (found.start_clock, found.play_clock) == (start, play)
    assert found.rules.lower().splitlines() == [write(rule) for rule in rules]
    assert read(found.rules) == read(sheet)
    assert read_message(str(found)) == found


def test_what_players_say_of_themselves() -> None:
    said = {"name": "somebody", "status": "available"}
    assert write_info(said) == "( ( name somebody ) ( status available ) )"
    assert read_info(write_info(said)) == said
    assert read_info("((NAME Two Words) (Status BUSY) ())") == {
        "name": "Two Words",
        "status": "BUSY",
    }
    assert read_info("READY") == {"status": "READY"}


@pytest.mark.parametrize(
    "text", ["ftp://host:1", "http://:80", "http://host:port", "host:99999", "", "http://[::1"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        Address.read(text)


def test_addresses() -> None:
    assert Address.read("http://host:80/path") == Address("host", 80, "/path")
    assert Address.read("host") == Address("host", 9147, "/")
    assert Address.read("127.0.0.1:5") == Address("127.0.0.1", 5, "/")


# --- choice of moves ------------------------------------------------------------------------------


def chosen(state: State, role: str, seconds: float = 0.3, prepared: bool = True) -> list[str]:
    """The chosen moves over time; the last one is the best."""
    player = Player(state.game, PlayerOptions(seed=1))
    if prepared:
        player.prepare(state.game.initial, Budget(10))
    found = [thought.move for thought in player.think(state, role, Budget(seconds))]
    assert set(found) <= {move.term for move in state.legal[role]}
    return found


def sheet(name: str) -> aspgames.Game:
    return aspgames.load(SHEETS / f"{name}.kif")


def noughts(*marks: str) -> State:
    return sheet("noughts").initial.play(*(f"mark({mark})" for mark in marks))


def test_a_win_is_taken_and_a_loss_prevented() -> None:
    assert chosen(noughts("1,1", "3,3", "1,2", "3,2"), "cross")[-1] == "mark(1,3)"
    assert chosen(noughts("1,1", "3,3", "1,2"), "nought")[-1] == "mark(1,3)"


TRAP = """
(role me) (role you) (init (at start))
(number 1) (number 2) (number 3) (number 4) (number 5)
(<= (legal me bait) (true (at start)))
(<= (legal me slow) (true (at start)))
(<= (legal me safe) (true (at start)))
(<= (legal me (rest ?n)) (true (at waiting)) (number ?n))
(<= mine (or (true (at start)) (true (at waiting))))
(<= (legal me noop) (not mine))
(<= (legal you noop) mine)
(<= (legal you (take ?n)) (number ?n) (not mine))
(<= (next (at baited)) (does me bait))
(<= (next (at pausing)) (does me slow))
(<= (next (at waiting)) (true (at pausing)))
(<= (next (at drawn)) (does me safe))
(<= (next (at baited)) (true (at waiting)))
(<= (next (at lost)) (true (at baited)) (does you (take 1)))
(<= (next (at won)) (true (at baited)) (not (does you (take 1))))
(<= terminal (or (true (at drawn)) (true (at lost)) (true (at won))))
(<= (goal me 100) (true (at won)))
(<= (goal you 100) (true (at lost)))
(<= (goal me 50) (true (at drawn)))
(<= (goal you 50) (true (at drawn)))
(<= (goal me 0) (true (at lost)))
(<= (goal you 0) (true (at won)))
"""
"""Random games prefer the bait, but the solver doesn't; without ``safe`` it delays the loss."""


@pytest.mark.parametrize("best", ["safe", "slow"])
def test_the_solver_knows_better_than_random_games(tmp_path: Path, best: str) -> None:
    rules = [line for line in TRAP.splitlines() if best == "safe" or " safe" not in line]
    assert chosen(write_game("\n".join(rules), tmp_path, "trap.kif").initial, "me")[-1] == best


@pytest.mark.parametrize("prepared", [True, False], ids=["net", "grounder"])
def test_random_games_see_what_three_players_do(prepared: bool) -> None:
    """With two left, taking both wins, and taking one loses."""
    game = sheet("three_heaps") if prepared else sheet("three_heaps").without_nets
    state = game.position("heap(2) turn(b) last(a)")
    assert chosen(state, "b", prepared=prepared)[-1] == "take(2)"
    assert chosen(state, "a", prepared=prepared) == ["noop"]


THROWN = """
(role me) (role you) (init start)
(<= (legal me ?x) (or (same ?x sure) (same ?x risky)))
(<= (legal you ?x) (or (same ?x left) (same ?x right)))
(same sure sure) (same risky risky) (same left left) (same right right)
(<= (next sure) (does me sure))
(<= (next lucky) (does me risky) (does you left))
(<= (next lost) (does me risky) (does you right))
(<= terminal (not (true start)))
(<= (goal me 60) (true sure))
(<= (goal me 100) (true lucky))
(<= (goal me 0) (true lost))
(<= (goal you 50) (role you))
"""


def test_moves_at_the_same_time_are_weighed_by_all_replies(tmp_path: Path) -> None:
    assert chosen(write_game(THROWN, tmp_path, "thrown.kif").initial, "me")[-1] == "sure"


# --- the player -----------------------------------------------------------------------------------


class Listening:
    """A player that listens in this process, and its log."""

    def __init__(self, settings: PlayerSettings, games: Sequence[str] = ()) -> None:
        self.log: list[str] = []
        self.player = GgpPlayer(settings, games, self.log.append)
        self.server = PlayerServer("127.0.0.1", 0, self.player)
        self.server.timeout = 0.05
        self.address = Address("127.0.0.1", self.server.server_address[1])
        self._stopped = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self.server.handle_request()
            self.player.forget()

    def say(self, text: str) -> str:
        return ask(self.address, text, 60)

    def send(
        self, body: bytes, method: str = "POST", path: str = "/", **headers: str
    ) -> tuple[int, str]:
        """The status and the text of the answer to any request."""
        connection = HTTPConnection(self.address.host, self.address.port, timeout=60)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, given)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert response.headers["Content-Type"] == "text/acl"
        return response.status, text

    def close(self) -> None:
        self._stopped.set()
        self._thread.join()
        self.player.close()
        self.server.server_close()


@contextmanager
def listening(settings: PlayerSettings, games: Sequence[str] = ()) -> Iterator[Listening]:
    found = Listening(settings, games)
    try:
        yield found
    finally:
        found.close()


QUICK = PlayerSettings(name="quick", most_seconds=5)
START = f"( START m1 nought ( {NOUGHTS} ) 60 60 )"


SEVERAL = "(role a) (init on) (<= (legal a ?m) (or (option ?m 2 9) (option ?m 7 7)))"
SEVERAL += " (option x 2 9) (option y 7 7) (<= (next (done ?m)) (does a ?m))"
SEVERAL += " (<= (goal a ?n) (true (done ?m)) (option ?m ?n ?k))"
SEVERAL += " (<= (goal a ?n) (true (done ?m)) (option ?m ?k ?n)) (<= terminal (true (done ?m)))"
"""The first goal of ``x`` is the lowest here, and the second the highest."""


def test_a_match_message_by_message() -> None:
    settings = PlayerSettings(name="quick", most_seconds=0.5, goals="highest")
    with listening(settings) as player:
        assert player.say("( INFO )") == "( ( name quick ) ( status available ) )"
        assert player.say("( PLAY m1 NIL )") == "BUSY"
        assert player.say("( STOP m1 NIL )") == "BUSY"
        assert player.say("( PREVIEW ((role a)) 5 )") == "READY"
        assert player.say(START) == "READY"
        assert player.say("( INFO )") == "( ( name quick ) ( status busy ) )"
        assert player.say(START) == "BUSY"
        assert player.say("( START m2 cross ((role cross)) 1 1 )") == "BUSY"
        assert player.say("( PLAY m1 NIL )") == "noop"
        assert player.say("( PLAY m2 ((mark 1 1) noop) )") == "BUSY"
        assert player.say("( PLAY M1 ((MARK 1 1) NOOP) )") == "(mark 2 2)"  # all other moves lose
        assert player.say("( ABORT m2 )") == "BUSY"
        assert player.say("( ABORT m1 )") == "ABORTED"
        assert player.say("( PLAY m1 (noop (mark 2 2)) )") == "BUSY"
        assert player.say(f"( START m3 a ( {SEVERAL} ) 60 60 )") == "READY"
        assert player.say("( PLAY m3 NIL )") == "x"
        assert player.log == []


KUHN = aspgames.load("kuhn_poker")
KUHN_SHEET = read_rules(sheet_of_game(KUHN))


def test_a_match_with_percepts() -> None:
    """Black has the king and is bet into: it calls. With moves of all roles it plays the same."""
    settings = PlayerSettings(most_seconds=1)
    seen = "1 noop ()", "2 NOOP ((CARD KING))", "3 noop (bet)"
    all_moves = "(noop noop (deal jack))", "(noop noop (DEAL king))", "(bet noop noop)"
    with listening(settings) as player:
        for told, first in ((seen, "0 NIL NIL"), (all_moves, "NIL")):
            assert player.say(f"( START m1 black ( {KUHN_SHEET} ) 60 60 )") == "READY"
            answers = [player.say(f"( PLAY m1 {text} )") for text in (first, *told)]
            assert answers == ["noop", "noop", "noop", "bet"]
            assert player.say("( STOP m1 4 bet ((hand white jack)) )") == "DONE"
        assert player.log == []
        assert player.say(f"( START m1 black ( {KUHN_SHEET} ) 60 60 )") == "READY"
        player.say("( PLAY m1 0 NIL NIL )")
        assert player.say("( PLAY m1 1 noop ((card ace)) )") == "NIL"
        assert player.log == ["match m1, turn 2: no state fits the percepts that the manager sent"]


MALFORMED: dict[str, tuple[bytes, dict[str, str]]] = {
    "no message": (b"hello", {}),
    "nothing": (b"", {}),
    "not UTF-8": (b"( INFO \xff )", {}),
    "NUL": (b"( ABORT m\0 )", {}),
    "a length that is not a number": (b"( INFO )", {"Content_Length": "ten"}),
    "a length below zero": (b"( INFO )", {"Content_Length": "-8"}),
    "too long": (b"", {"Content_Length": str(MOST_BYTES + 1)}),
    "another method": (b"( INFO )", {"method": "PUT"}),
}


def test_what_is_malformed_is_refused_in_one_line() -> None:
    with listening(QUICK) as player:
        for name, (body, how) in MALFORMED.items():
            status, text = player.send(body, **how)
            assert status == (501 if name == "another method" else 400), name
            assert text.count("\n") == 1, name
            assert text.endswith("\n"), name
            assert "Traceback" not in text, name
        for request, status in (b"( INFO )", 400), (b"x", 400), (b"GET / HTTP/9.9", 505):
            with socket.create_connection((player.address.host, player.address.port)) as line:
                line.sendall(request + b"\r\n\r\n")
                head, _, body = line.makefile("rb").read().partition(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.0 %d " % status)
                assert body.count(b"\n") == 1
        assert player.send(b"", "OPTIONS") == (200, "")
        asked = player.send(b"", "GET", "/%28+INFO+%29")
        assert asked == (200, "( ( name quick ) ( status available ) )")
        assert player.log == []


@pytest.mark.slow
def test_rules_that_are_wrong_are_no_match() -> None:
    with listening(QUICK) as player:
        for rules, word in [
            ("(role a) (<= (legal a ?x) (not (true ?x)))", "rules.kif:2:1: the variable ?x"),
            (LOOP, "rules.kif"),
            ("(role b)", "no role a"),
            ("(init a)", "nobody can play"),
            ("(role a) (role B) (init p) (<= (legal a go) (true p))", "B has no move at the start"),
            ("role(a). legal(a,go).", "this is GDL in infix form"),
            ("", "nobody can play"),
        ]:
            assert player.say(f"( START m1 a ({rules}) 60 60 )") == "BUSY"
            told = player.log.pop()
            assert told.startswith("match m1: ")
            assert word in told
        assert player.say(START) == "READY"
        assert player.say("( STOP m1 NIL )") == "DONE"


@pytest.mark.slow
def test_a_sheet_that_grounds_without_end_is_answered_in_time() -> None:
    with listening(PlayerSettings(margin=0.5)) as player:
        assert player.say(f"( START m1 a ( {ENDLESS} ) 1 1 )") == "READY"
        assert "aren't read" in player.log[0]
        assert player.say("( PLAY m1 NIL )") == "NIL"
        assert "no move is known" in player.log[1]
        assert player.say("( ABORT m1 )") == "ABORTED"
        assert player.say(START) == "READY"


@linux
@pytest.mark.slow
def test_a_sheet_that_takes_too_much_memory_is_no_match() -> None:
    with listening(PlayerSettings(most_bytes=200 << 20)) as player:
        assert player.say(f"( START m1 a ( {ENDLESS} ) 300 300 )") == "BUSY"
        assert player.log == ["match m1: no answer within 200 MiB of memory"]


@pytest.mark.slow
def test_who_cannot_think_any_more_still_plays() -> None:
    with listening(QUICK) as player:
        assert player.say(START) == "READY"
        match = player.player._match
        assert match
        child = match.minds.thinks._worker._child
        assert child
        child.kill()
        assert player.say("( PLAY m1 NIL )") == "noop"
        legal = {f"(mark {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3)} - {"(mark 1 1)"}
        assert player.say("( PLAY m1 ((mark 1 1) noop) )") in legal
        (told,) = player.log
        assert told.startswith("match m1: random moves from now on: the work was ended from elsew")


@linux
@pytest.mark.slow
def test_who_is_late_with_thinking_plays_no_move_of_an_earlier_turn() -> None:
    with listening(PlayerSettings(most_seconds=1)) as player:
        assert player.say(START) == "READY"
        assert player.say("( PLAY m1 NIL )") == "noop"
        match = player.player._match
        assert match
        child = match.minds.thinks._worker._child
        assert child
        os.kill(child.pid, signal.SIGSTOP)
        assert "mark" in player.say("( PLAY m1 ((mark 1 1) noop) )")
        assert player.log == []


def test_without_time_for_the_start_it_thinks_later() -> None:
    with listening(QUICK) as player:
        assert player.say(f"( START m1 nought ( {NOUGHTS} ) 0 60 )") == "READY"
        assert player.say("( PLAY m1 NIL )") == "noop"
        assert player.log == ["match m1: the rules aren't read within 0.0 seconds"]


@pytest.mark.slow
def test_moves_that_cannot_have_been_played() -> None:
    with listening(QUICK) as player:
        assert player.say(START) == "READY"
        match = player.player._match
        assert match
        child = match.minds.thinks._worker._child
        assert child
        assert player.say("( PLAY m1 ((mark 1 1) (mark 1 2)) )") == "NIL"
        wait_for(lambda: not is_running(child.pid))
        assert "(mark 1 1) (mark 1 2) can't have been played: " in player.log[0]
        assert player.say("( ABORT m1 )") == "ABORTED"


@pytest.mark.slow
def test_only_the_games_that_are_given() -> None:
    with listening(QUICK, [NOUGHTS]) as player:
        assert player.say("( START m1 a ((role a)) 60 60 )") == "BUSY"
        assert player.log == ["match m1: its rules are not those of a given game"]
        assert player.say(START) == "READY"
        assert player.player.prepare(LOOP)


def test_a_match_is_forgotten_when_nothing_more_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aspgames.agents.ggp.ggp_player._SILENCE_SECONDS", -1000.0)
    with listening(QUICK) as player:
        assert player.say(START) in ("READY", "BUSY")  # BUSY: the match is already forgotten
        wait_for(lambda: "available" in player.say("( INFO )"))
        assert "match m1: the manager is silent: forgotten" in player.log


# --- the manager ----------------------------------------------------------------------------------

Script = Callable[[str], "str | int | None"]
"""The answer to a message: a text, an HTTP status, or None for no answer."""


@contextmanager
def scripted(script: Script) -> Iterator[Address]:
    """A player whose answers come from a script."""
    ended = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            assert self.headers["Content-Type"] == "text/acl"
            assert self.headers["Sender"] == "GAMESERVER"
            answer = script(text)
            if answer is None:
                ended.wait(60)
                return
            body = answer.encode() if isinstance(answer, str) else b"no"
            self.send_response(200 if isinstance(answer, str) else answer)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield Address("127.0.0.1", server.server_address[1])
    finally:
        ended.set()
        server.shutdown()
        server.server_close()


def replayed(rules: str, moves: Sequence[Sequence[str]], goals: dict[str, int]) -> None:
    """Check a match with an independent reasoner: each move is legal, and the goals are right."""
    oracle = Naive(rules)
    state = oracle.initial
    roles = re.findall(r"\(role ([a-z]\w*)\)", rules)
    assert sorted(roles) == sorted(map(write, oracle.roles))
    for turn in moves:
        assert not oracle.terminal(state)
        joint = dict(zip(roles, [read(move)[0] for move in turn], strict=True))
        legal = oracle.legal(state)
        assert all(move in legal[role] for role, move in joint.items())
        state = oracle.next(state, joint)
    assert oracle.terminal(state)
    assert {write(role): goal for role, goal in oracle.goals(state).items()} == goals


ANSWERS: dict[str, tuple[str | int | None, str]] = {
    "slow": (None, "timeout"),
    "an error": (500, "no_answer"),
    "not legal": ("(mark 9 9)", "illegal"),
    "another move": ("(jump 1)", "illegal"),
    "no KIF": ("(mark 1", "unreadable"),
    "nothing": ("", "unreadable"),
    "NIL": ("nil\n", "no_move"),
    "BUSY": ("BUSY", "no_move"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        pytest.param(*each, id=name, marks=() if name == "not legal" else pytest.mark.slow)
        for name, each in ANSWERS.items()
    ],
)
def test_a_random_move_stands_in_for_what_is_none(answer: str | int | None, kind: str) -> None:
    asked: list[str] = []

    def script(text: str) -> str | int | None:
        asked.append(text)
        if text.startswith("( INFO"):
            return "((name Nobody))"
        if not text.startswith("( PLAY"):
            return "READY"
        waits = len(plays := [t for t in asked if t.startswith("( PLAY")]) % 2 == 0
        return ("NOOP" if waits else answer) if len(plays) < 4 else "noop"

    with scripted(script) as address:
        start, players = sheet("noughts").initial, [address, None]
        clock = 2 if answer is None else 60
        manager = Manager(start, NOUGHTS, players, start_clock=60, play_clock=clock, seed=1)
        record = manager.play()
    assert record.names == {"cross": "Nobody", "nought": "random"}
    first = record.mistakes[0]
    assert (first.turn, first.role, first.kind) == (1, "cross", kind)
    assert first.played == record.moves[0][0]
    assert all(mistake.role == "cross" for mistake in record.mistakes)
    assert {m.turn for m in record.mistakes} == {
        turn for turn in range(1, len(record.moves) + 1) if turn % 2
    }
    assert record.goals
    replayed(NOUGHTS, record.moves, dict(record.goals))
    messages = [read_message(text) for text in asked]
    assert messages[0] == Info()
    assert messages[1] == Start(record.match, "cross", NOUGHTS, 60, clock)
    before = [(), *record.moves[:-1]]
    assert messages[2:-1] == [Play(record.match, moves) for moves in before]
    assert messages[-1] == Stop(record.match, record.moves[-1])


def test_the_manager_tells_each_player_what_it_sees() -> None:
    """White always bets; what it hears is what the grounder says that it perceives."""
    asked: list[str] = []

    def script(text: str) -> str:
        asked.append(text)
        return "bet" if len(asked) > 4 else "noop"

    with scripted(script) as address:
        start = aspgames.load("kuhn_poker").initial
        players = [address, None]
        manager = Manager(start, KUHN_SHEET, players, start_clock=60, play_clock=60, seed=1)
        record = manager.play()
    assert (record.roles, record.names["black"]) == (("white", "black", "random"), "random")
    state, percepts = start, []
    for moves in record.moves:
        joint = {r: KUHN.kif.move(m) for r, m in zip(record.roles, moves, strict=True)}
        percepts.append(tuple(map(KUHN.kif.text, state.sees(joint)["white"])))
        state = state.play(joint)
    messages = [read_message(text) for text in asked[2:]]
    own = [moves[0] for moves in record.moves]
    kinds = [PlaySeen] * (len(messages) - 1) + [StopSeen]
    told = [(0, None, None), *zip(range(1, 9), own, percepts, strict=False)]
    assert messages == [kind(record.match, *each) for kind, each in zip(kinds, told, strict=True)]
    with pytest.raises(BadRequest, match=r"2 \(white, black\), not 3: chance plays itself"):
        Manager(start, KUHN_SHEET, [None] * 3, start_clock=5, play_clock=5)


def test_players_have_an_address_each() -> None:
    start, address = sheet("noughts").initial, Address("127.0.0.1", 1)
    for players in [address, address], [address, Address.read("localhost:1")]:
        with pytest.raises(BadRequest, match=r"the same address as http://127\.0\.0\.1:1"):
            Manager(start, NOUGHTS, players, start_clock=5, play_clock=5)


CAPITALS = """
(role Red) (init (Num 0)) (Times 1) (Times 2)
(<= (legal Red (Push ?x)) (times ?x) (true (Num 0)))
(<= (next (Num ?x)) (does Red (Push ?x)))
(<= terminal (not (true (Num 0)))) (goal Red 100)
"""


@pytest.mark.slow
def test_moves_have_the_spelling_of_the_sheet(call: Call, folder: Path) -> None:
    (folder / "capitals.kif").write_text(CAPITALS)
    with listening(QUICK, [read_rules(CAPITALS)]) as player:
        start = "( START m1 Red ( {} ) 60 60 )".format
        assert player.say(start(CAPITALS.lower())) == "READY"
        assert player.say("( PLAY m1 NIL )") in ("(push 1)", "(push 2)")
        assert player.say("( ABORT m1 )") == "ABORTED"
        game = call("ggp-manager", "capitals.kif", str(player.address), "--json")
    record = game.json
    assert record["roles"] == ["Red"]
    assert record["moves"] in ([["(Push 1)"]], [["(Push 2)"]])
    assert record["mistakes"] == []


def test_a_match_that_cannot_go_on_is_broken_off(tmp_path: Path) -> None:
    """The rules leave a role without a move."""
    rules = "(role a) (init p) (<= (legal a go) (true p)) (<= (next q) (does a go))"
    asked: list[str] = []

    def script(text: str) -> str:
        asked.append(text)
        return "go"

    with scripted(script) as address:
        game = write_game(rules, tmp_path, "stuck.kif")
        manager = Manager(game.initial, "", [address], start_clock=5, play_clock=5)
        with pytest.raises(aspgames.RulesError, match="a has no move"):
            manager.play()
    assert isinstance(read_message(asked[-1]), Abort)


@linux
@pytest.mark.slow
def test_ctrl_c_breaks_a_match_off(tmp_path: Path) -> None:
    asked: list[str] = []

    def script(text: str) -> str | None:
        asked.append(text)
        return None if text.startswith("( PLAY") else "READY"

    (tmp_path / "sheet.kif").write_text(NOUGHTS)
    with scripted(script) as address:
        line = [*PROGRAM, "ggp-manager", "sheet.kif", str(address), "random"]
        process = subprocess.Popen(line, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: len(asked) == 3)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
        wait_for(lambda: len(asked) == 4)
    assert (process.returncode, told) == (130, "aspgames: interrupted\n")
    assert isinstance(read_message(asked[-1]), Abort)


def test_bad_command_lines(call: Call, folder: Path) -> None:
    (folder / "sheet.kif").write_text(NOUGHTS)
    (folder / "bad.kif").write_text("(role a")
    manage = ["ggp-manager", "sheet.kif"]
    assert_refused(call(*manage, "random"), "cross, nought")
    assert_refused(call(*manage, "random", "ftp://x"), "ftp://x")
    assert_refused(call(*manage, "random", "random", "--playclock", "0"), "--playclock")
    assert_refused(call("ggp-manager", "breakthrough", "random"), "2 (white, black)")
    assert_refused(call("ggp-manager", "nowhere", "random"), "nowhere")
    assert_refused(call("ggp-player", "tictactoe.lp"), "tictactoe.lp", "export")
    assert_refused(call("ggp-manager", "missing.kif", "random"), "missing.kif")
    assert_refused(call("ggp-manager", "bad.kif", "random"), "bad.kif")
    assert_refused(call("ggp-player", "bad.kif"), "bad.kif")
    assert_refused(call("ggp-player", "--name", "two words"), "--name")
    assert_refused(call("ggp-player", "--margin", "-1"), "margin")
    assert_refused(call("ggp-player", "--time", "nan"), "time")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert_refused(call("ggp-player", "--port", port), port)


@pytest.mark.slow
def test_a_player_that_is_not_there(call: Call, folder: Path) -> None:
    (folder / "sheet.kif").write_text(NOUGHTS)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    assert_refused(call("ggp-manager", "sheet.kif", "random", address), address, code=4)


def test_what_a_match_prints(call: Call, folder: Path) -> None:
    (folder / "sheet.kif").write_text(NOUGHTS)
    with scripted(lambda text: "(mark 5 5)" if "PLAY" in text else "READY") as address:
        line = ["ggp-manager", "sheet.kif", str(address), "random", "--seed", "3"]
        printed, record = call(*line), call(*line, "--json")
    assert (printed.code, printed.err) == (1, "")
    assert printed.out.startswith("1. cross: illegal: (mark 5 5)")
    found = check(record.json, "ggp_match")
    assert record.code == 1
    assert found["moves"][0][1] == "noop"
    goals = ", ".join(f"{role} {goal}" for role, goal in found["goals"].items())
    assert f"game over: {goals}" in printed.out
    replayed(NOUGHTS, found["moves"], found["goals"])


# --- both -----------------------------------------------------------------------------------------


@contextmanager
def program(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A player in its own process, and its address."""
    words = ("ggp-player", "--port", "0", *options)
    process = started(*words, cwd=folder, text=True, start_new_session=True)
    try:
        assert process.stdout is not None
        told = process.stdout.readline()
        address = re.search(r"http://\S+", told)
        assert address, told
        yield process, address[0]
    finally:
        process.kill()
        process.communicate()


def played(folder: Path, name: str, *players: str) -> Any:
    """The record of a match; asserts that the match has no mistakes."""
    line = [str(SHEETS / f"{name}.kif"), *players, "--startclock", "10", "--playclock", "5"]
    result = run("ggp-manager", *line, "--json", cwd=folder)
    assert (result.code, result.err) == (0, "")
    record = check(result.json, "ggp_match")
    assert record["mistakes"] == []
    replayed((SHEETS / f"{name}.kif").read_text(), record["moves"], record["goals"])
    return record


@pytest.mark.slow
def test_matches_between_players(tmp_path: Path) -> None:
    """Several matches in a row; perfect players draw, and don't lose against random moves."""
    with (
        program(tmp_path, "--time", "0.5") as (one, first),
        program(tmp_path, "--time", "0.5", "--name", "two") as (_, second),
    ):
        record = played(tmp_path, "noughts", first, second)
        assert record["goals"] == {"cross": 50, "nought": 50}
        assert [player["name"] for player in record["players"]] == ["aspgames", "two"]
        assert played(tmp_path, "noughts", "random", second)["goals"]["nought"] >= 50
        played(tmp_path, "roshambo", first, second)
        assert played(tmp_path, "labyrinth", second)["goals"] == {"walker": 100}
        played(tmp_path, "three_heaps", first, "random", second)
        one.send_signal(signal.SIGINT)
        _, told = one.communicate(timeout=20)
    assert (one.returncode, told) == (130, "aspgames: interrupted\n")


@pytest.mark.slow
def test_a_game_of_ones_own_words_is_sent_as_a_sheet(tmp_path: Path) -> None:
    """A built-in game with arithmetic, which KIF lacks."""
    with program(tmp_path, "breakthrough", "--time", "0.5") as (_, address):
        line = ["breakthrough", address, "random", "--startclock", "60", "--playclock", "20"]
        result = run("ggp-manager", *line, "--json", cwd=tmp_path)
        small = run("ggp-manager", *line, "-c", "width=3", "-c", "height=4", cwd=tmp_path)
    record = check(result.json, "ggp_match")
    assert (result.code, record["mistakes"]) == (0, [])
    assert record["goals"] == {"white": 100, "black": 0}
    state = aspgames.load("breakthrough").initial
    for number, moves in enumerate(record["moves"]):
        state = state.play(state.game.kif.move(moves[number % 2]))
    assert state.goals == record["goals"]
    assert small.code == 4  # the player has other rules and answers BUSY
    assert "1. white: no_move: the player answers BUSY" in small.out


@pytest.mark.slow
def test_games_prepared_beforehand(tmp_path: Path) -> None:
    sheets = [str(SHEETS / f"{name}.kif") for name in ("noughts", "labyrinth")]
    with program(tmp_path, *sheets, "--time", "0.5", "--matches", "2") as (player, address):
        assert played(tmp_path, "labyrinth", address)["goals"] == {"walker": 100}
        played(tmp_path, "noughts", address, "random")
        player.wait(timeout=20)
    assert player.returncode == 0
    (tmp_path / "wrong.kif").write_text(LOOP)
    result = run("ggp-player", "wrong.kif", "--port", "0", cwd=tmp_path)
    assert_refused(result, "wrong.kif")


@linux
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)]
)
def test_nothing_is_left_of_a_player(tmp_path: Path, number: signal.Signals) -> None:
    """Also if the player is reading rules without end."""
    with program(tmp_path, "--margin", "0.9") as (process, address):
        message = f"( START m1 a ( {ENDLESS} ) 1 1 )"
        assert ask(Address.read(address), message, 60) == "READY"
        left = descendants(process.pid)
        assert len(left) == 4
        os.kill(process.pid, number)
        _, told = process.communicate(timeout=20)
    wait_for(lambda: not any(map(is_running, left)), "their end")
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert told.splitlines()[-1] == "aspgames: interrupted"
