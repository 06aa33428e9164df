"""Cross-checks with engines that count moves: UCI, perftree, and counts over JSON lines."""

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import Game
from aspgames.crosscheck.compare.comparison_walk import ComparisonWalk, Plan
from aspgames.crosscheck.compare.disagreement import Judge
from aspgames.crosscheck.crosscheck_report import finding_text, result_report
from aspgames.crosscheck.crosscheck_run import crosscheck, running
from aspgames.crosscheck.engines import engine_names, engine_process
from aspgames.crosscheck.engines.engine import Answer, Engine, Question, Refusal, Turn, asked
from aspgames.crosscheck.engines.engine_names import open_engine
from aspgames.crosscheck.engines.reference import OwnEngine, Reference
from aspgames.game.notation.uci_notation import label as label_of_text
from aspgames.gdl.rules import Facts
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import Interrupted
from cli_helpers import Call, assert_refused, check
from crosscheck_helpers import SMALL, go, python, the_one
from paths import ROOT

SLOW = pytest.mark.slow


@pytest.mark.parametrize("kind", ["uci", "perftree"])
def test_engines_that_count(kind: str) -> None:
    command = f"{kind}:{python('perft_engine.py', kind, 'breakthrough', 'none')}"
    game = aspgames.load("breakthrough")
    starts = (game.position("8/8/3p4/2P5/8/8/8/8 w").facts,)
    result = go(game, command, starts=starts, games=1, made=1, depth=3)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.divides == 1
    assert result.tally.positions >= 3


@pytest.mark.parametrize("kind", ["uci", pytest.param("perftree", marks=SLOW)])
def test_counts_lead_to_the_position_that_makes_them_differ(kind: str) -> None:
    command = f"{kind}:{python('perft_engine.py', kind, 'breakthrough', 'c5c6')}"
    game = aspgames.load("breakthrough")
    starts = (game.position("8/8/8/4p3/2P5/8/8/8 w").facts,)
    found = the_one(go(game, command, starts=starts, games=0, made=0, depth=3))
    assert found.kind == "legal"
    assert found.missing == ("c5 c6",)
    # It takes two pieces, so that the game goes on; the black one may stand anywhere.
    assert "cell(3,5,white)" in found.question.after
    assert len(found.question.after) == 3


@pytest.mark.parametrize(
    ("against", "timeout", "words"),
    [
        ("uci:cat", 0.2, "no answer within 0.2 s"),
        ("uci:true", 1, "the engine is gone: it ended with exit code 0"),
        ("uci:yes", 60, "floods"),
        ("uci:sh -c 'echo uciok; sleep 60'", 0.3, "no answer within 0.3 s to breakthrough ppp/ppp"),
        ("uci:sh -c 'echo uciok; read u; read p; exit 3'", 9, "exit code 3; .* breakthrough ppp"),
        ("uci:sh -c 'echo uciok; echo Nodes searched: 1; sleep 9'", 9, "add up to 0, not"),
        ("perftree:true", 1, "printed nothing"),
        ("perftree:sh -c 'echo no such engine >&2'", 9, "printed nothing: .* no such engine"),
        ("perftree:sh -c 'sleep 60'", 0.2, "no answer within 0.2 s"),
        ("perftree:false", 1, "exit code 1"),
        ("perftree:echo a2a3 1", 1, "add up to"),
        ("perftree:yes", 60, "floods"),
    ],
)
def test_an_engine_that_does_not_count(
    against: str, timeout: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "sleep" in against:  # it doesn't end by itself
        monkeypatch.setattr(engine_process, "_GRACE", 0.1)
    failed = pytest.raises(aspgames.AspgamesError, match=words)
    with failed as caught, running(open_engine(against, timeout)) as engine:
        crosscheck(SMALL, engine, Plan((SMALL.initial.facts,), games=1, made=0))
    assert caught.value.kind == "engine_failed"


@pytest.mark.slow
def test_programs_that_run_ahead_end_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    monkeypatch.setattr(engine_process, "_GRACE", 0.1)
    marker = tmp_path / "alive"
    engine = f"perftree:sh -c 'echo $$ >> {marker}; exec sleep 100'"
    with pytest.raises(aspgames.AspgamesError, match="no answer within 1 s"):
        go(SMALL, engine, starts=(SMALL.initial.facts,) * 5, timeout=1.0)
    started = marker.read_text().split()
    assert len(started) == 3
    assert not any(Path(f"/proc/{number}").exists() for number in started)


def test_promotions_are_different_moves() -> None:
    lines = ["a7a8q: 1", "a7a8r : 2", "a7a8=n 3", "Nodes searched: 6"]
    counts = engine_process.read_counts(lines, "a question")
    assert counts == {"a7 a8=q": 1, "a7 a8=r": 2, "a7 a8=n": 3}


# --- perft by divide ------------------------------------------------------------------------------


class Counting(OwnEngine):
    """aspgames itself with counts of its own, by whole turns; one turn is left out."""

    whole_turns = True

    def __init__(self, game: Game, left_out: str = "") -> None:
        super().__init__("propnet")
        self.name, self._left_out = "counting", left_out
        self._turns = Reference(game, whole_turns=True, reasoner="grounder")

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        for question in questions:
            yield Answer(turns=frozenset(self._options(question.after)))

    def divide(self, question: Question, depth: int) -> dict[str, int]:
        return self._counts(question.after, depth)

    def _options(self, facts: Facts) -> dict[str, Turn]:
        _, options = self._turns.ask(facts)
        return {label: turn for label, turn in options.items() if label != self._left_out}

    def _counts(self, facts: Facts, depth: int) -> dict[str, int]:
        counts = {}
        for label, turn in self._options(facts).items():
            after = self._turns.play(facts, turn)
            counts[label] = sum(self._counts(after, depth - 1).values()) if depth > 1 else 1
        return counts


# Each side has a corner of four squares.
CORNERS = "******2/******1q/********/********/********/********/2******/Q1****** w"


@pytest.mark.parametrize("left_out", ["", pytest.param("h7 h8 g8", marks=SLOW)])
def test_counts_of_whole_turns(left_out: str) -> None:
    game = aspgames.load("amazons_8x8")
    starts = (game.position(CORNERS).facts,)
    plan: dict[str, Any] = {"games": 0, "made": 0, "depth": 2, "reasoner": "grounder"}
    result = go(game, Counting(game, left_out), starts=starts, **plan)
    assert result.tally.divides == 1
    if not left_out:
        assert not result.findings, result.findings[0].shrunk
        return
    found = the_one(result)
    assert found.kind == "legal"
    assert found.missing == (left_out,)
    assert {"cell(8,7,black)", "turn(black,move)"} <= set(found.question.after)


class Inventive(Counting):
    """Has two turns besides: one of squares, and one that names none."""

    def __init__(self, game: Game, invented: str) -> None:
        super().__init__(game)
        self._invented = invented

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        for answer in super().answers(questions):
            assert isinstance(answer, Answer)
            yield Answer(turns=frozenset(answer.turns or ()) | {self._invented, "pass"})


@pytest.mark.parametrize(
    ("name", "label", "term", "text"),
    [
        ("breakthrough", "c3 c2", "move(3,3,3,2)", "c3xc2"),
        ("breakthrough", "c3 c2 c3", None, "c3c2,c2c3"),
        pytest.param("amazons_8x8", "a1 c3 a1", "move(1,1,3,3) fire(1,1)", "a1-c3/a1", marks=SLOW),
    ],
)
def test_moves_that_only_the_engine_has(name: str, label: str, term: str | None, text: str) -> None:
    """They are in both notations if they are like moves of ours."""
    game = aspgames.load(name)
    result = go(game, Inventive(game, label), only=True, reasoner="grounder")
    (disagreement,) = result_report(result)["disagreements"]
    assert disagreement["extra"] == [{"term": term, "text": text}, {"term": None, "text": "pass"}]
    assert "[.]" in finding_text(result, result.findings[0]), "c3"


class Impatient(Inventive):
    """Someone presses Ctrl-C while it answers for the third time."""

    asked = 0

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        self.asked += 1
        if self.asked == 3:
            raise Interrupted
        return super().answers(questions)


def test_what_was_found_before_ctrl_c_is_not_lost(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = aspgames.load("breakthrough")
    monkeypatch.setattr(engine_names, "open_engine", lambda *_: Impatient(game, "a1 a2"))
    words = ["crosscheck", "breakthrough", "--against", "fairy", "--keep-going"]
    found = call(*words, "--report", "report.txt", "--json")
    assert (found.code, found.err) == (130, "aspgames: interrupted\n")
    report = check(found.json, "crosscheck")
    assert not report["finished"]
    (disagreement,) = report["disagreements"]
    assert {"term": "move(1,1,1,2)", "text": "a1xa2"} in disagreement["extra"]
    assert "; interrupted" in Path("report.txt").read_text()


class Miscounting(Counting):
    """Counts behind a move what it shouldn't, where it looks two plies ahead and more."""

    whole_turns = False

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._turns = Reference(game, whole_turns=False, reasoner="grounder")

    def divide(self, question: Question, depth: int) -> dict[str, int]:
        counts = super().divide(question, depth)
        return counts | {"move(1,2,1,3)": 99} if depth > 1 and "move(1,2,1,3)" in counts else counts


def test_counts_that_no_position_explains() -> None:
    starts = (SMALL.position("1p1/3/P2/3 w").facts,)
    result = go(SMALL, Miscounting(SMALL), starts=starts, games=0, made=0, depth=2)
    found = the_one(result)
    assert (found.kind, found.extra) == ("perft", ("move(1,2,1,3) 99",))
    report = result_report(result)
    (again,) = [each["reproduce"] for each in report["disagreements"]]
    assert "--depth 2" in again, "else the command would not show it again"
    check(report, "crosscheck")
    assert "Missing:  move(1,2,1,3) 3" in finding_text(result, result.findings[0])


# --- draws ----------------------------------------------------------------------------------------


class PlaysOn(Engine):
    """Lists and counts moves by python-chess, which knows no draw that a player must claim."""

    name = "plays on"

    def __init__(self, invented: str = "") -> None:
        self._invented = {invented} - {""}

    def check(self, game: Game) -> None:
        pass

    def answer(self, question: Question) -> Answer:
        return Answer(turns=frozenset(self.divide(question, 1)))

    def divide(self, question: Question, depth: int) -> dict[str, int]:
        import chess

        def count(board: chess.Board, depth: int) -> int:
            return sum(counts(board, depth).values()) if depth else 1

        def counts(board: chess.Board, depth: int) -> dict[str, int]:
            found = dict.fromkeys(self._invented, 1)
            for move in list(board.legal_moves):
                board.push(move)
                found[label_of_text(move.uci())] = count(board, depth - 1)
                board.pop()
            return found

        return counts(chess.Board(question.state.fen or ""), depth)


class Stops(PlaysOn):
    """Lists no move at all."""

    def answer(self, question: Question) -> Answer:  # noqa: ARG002
        return Answer(turns=frozenset())


BARE = "4k3/8/8/8/8/8/8/4K3 w - - 0"
KINGS = "8/8/8/4k3/8/8/4p3/4K3 w - - 0"
LAST_MOVE = "8/8/8/8/8/5k2/4q3/7K w - - 98"
STALEMATE = "8/8/8/8/8/5k2/5p2/5K2 w - - 0"


@pytest.mark.slow
def test_an_engine_may_play_on_after_a_draw() -> None:
    """After the 50-move rule and with bare kings; these positions are counted as skipped."""
    pytest.importorskip("chess")
    game = aspgames.load("chess")
    questions = [asked(game, game.position(fen).facts) for fen in (BARE, KINGS, LAST_MOVE)]
    found = list(Judge(PlaysOn(), "grounder").compare(questions))
    assert [bool(one.skipped) for one in found] == [True, False, False]
    assert not any(one.disagreement for one in found)
    (bare,) = Judge(Stops(), "grounder").compare(questions[:1])
    assert (bare.skipped, bare.disagreement) == ("", None), "it is right, too"


def test_but_not_where_there_is_no_move() -> None:
    pytest.importorskip("chess")
    game = aspgames.load("chess")
    question = asked(game, game.position(STALEMATE).facts)
    found = Judge(PlaysOn("f1 e1"), "grounder").disagreement(question)
    assert found
    assert (found.kind, found.extra) == ("legal", ("f1 e1",))


@pytest.mark.slow
@pytest.mark.parametrize("invented", ["", "a1 a8"])
def test_counts_through_drawn_positions(invented: str) -> None:
    pytest.importorskip("chess")
    game = aspgames.load("chess")
    starts = tuple(game.position(fen).facts for fen in (KINGS, LAST_MOVE))
    walk = ComparisonWalk(
        Judge(PlaysOn(invented), None), game, Plan(starts, games=4, made=0, depth=3), Budget()
    )
    assert bool(list(walk.disagreements())) == bool(invented)
    assert invented or (walk.tally.divides == 2 and walk.tally.skipped > 0)


# --- variants of UCI engines ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["skirmish"], "has no variant skirmish: it has breakthrough, chess"),
        (["breakthrough", "-c", "width=3"], "can't play breakthrough on 3x8 squares"),
        (["amazons"], "has no variant amazons"),
        (["tictactoe.lp"], "has no FEN"),
    ],
)
def test_a_game_that_an_engine_does_not_have(call: Call, options: list[str], words: str) -> None:
    """That is an error, not a disagreement."""
    engine = f"uci:{python('perft_engine.py', 'uci', 'breakthrough', 'none')}"
    assert_refused(call("crosscheck", *options, "--against", engine), words)


@pytest.mark.parametrize("kind", ["uci", "perftree"])
def test_a_turn_under_way_is_not_put_to_engines_of_whole_turns(kind: str) -> None:
    game = aspgames.load("amazons_8x8")
    starts = (game.position("8/8/8/3Q4/8/8/8/q7 w fire d5").facts,)
    engine = f"{kind}:{python('perft_engine.py', kind, 'amazons_8x8', 'none')}"
    result = go(game, engine, starts=starts, games=0, made=0)
    assert not result.findings
    assert result.tally.skipped == 1


FAIRY = shutil.which("fairy-stockfish", path=f"{os.environ['PATH']}{os.pathsep}/usr/games") or ""
with_fairy = pytest.mark.skipif(not FAIRY, reason="there is no fairy-stockfish")


@with_fairy
@pytest.mark.parametrize(("width", "height"), [(8, 8), (4, 5), pytest.param(12, 10, marks=SLOW)])
def test_fairy_stockfish_over_uci(width: int, height: int) -> None:
    game = aspgames.load("breakthrough", width=width, height=height)
    result = go(game, f"uci:{FAIRY}", games=5, made=50, depth=3)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.divides == 1
    assert result.tally.positions > 150


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("stockfish"), reason="there is no stockfish")
def test_stockfish_over_uci() -> None:
    result = go(aspgames.load("chess"), "uci:stockfish", games=3, made=40, depth=3)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.divides == 1
    assert result.tally.positions > 300


@pytest.mark.slow
@with_fairy
def test_the_script_for_perftree_around_fairy_stockfish() -> None:
    script = shlex.join([str(ROOT / "examples/engines/perftree.sh"), FAIRY, "breakthrough"])
    result = go(aspgames.load("breakthrough"), f"perftree:{script}", games=0, made=8, depth=3)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.divides == 1
    assert result.tally.positions > 8


def test_a_perft_of_our_own_has_the_engines_time(call: Call) -> None:
    """And where it doesn't end, nothing is counted: the games are compared all the same."""
    words = ["--games", "1", "--made", "1", "--depth", "9", "--engine-timeout", "0.2", "--json"]
    found = call("crosscheck", "breakthrough", "--against", "grounder", *words)
    assert (found.code, found.err) == (0, "")
    report = check(found.json, "crosscheck")
    assert (report["games"], report["divides"]) == (1, 0)
