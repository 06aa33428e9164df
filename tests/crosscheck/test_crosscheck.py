"""Cross-checks: engines that agree, engines that fail, and the reports about both."""

import json
import re
import shlex
import shutil
import signal
import subprocess
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import BadRequest
from aspgames.composer.book.crosscheck_page import crosscheck_page
from aspgames.crosscheck import engines
from aspgames.crosscheck.compare.comparison_walk import RandomPositions
from aspgames.crosscheck.engines import engine_process as engine_process
from aspgames.crosscheck.engines.engine import Answer, Engine, Question, Refusal
from aspgames.crosscheck.engines.engine_names import ENGINES, open_engine
from aspgames.crosscheck.engines.turn_labels import label_of
from aspgames.game.notation.uci_notation import coordinates, label
from aspgames.runtime import call_arguments
from bad_engine import FAULTS
from cli_helpers import Call, Run, assert_refused, check
from crosscheck_helpers import SERVE, SMALL, Changed, go, python, the_one
from helpers import FIVE
from paths import ROOT, TESTS

SLOW = pytest.mark.slow
NOUGHTS = TESTS / "data/sheets/noughts.kif"
SMALL_OPTIONS = ["-c", "width=3", "-c", "height=4"]

# --- engines that agree ---------------------------------------------------------------------------


@pytest.mark.quick(3)
@pytest.mark.sample(9)
@pytest.mark.parametrize(
    ("name", "constants", "against", "games", "made"),
    [
        ("breakthrough", {}, "openspiel", 1, 0),
        pytest.param("breakthrough", {"width": 7, "height": 12}, "openspiel", 20, 0, marks=SLOW),
        pytest.param("breakthrough", {}, "openspiel", 50, 0, marks=SLOW),
        ("breakthrough", {"width": 4, "height": 5}, "fairy", 2, 20),
        pytest.param("amazons_8x8", {}, "openspiel", 5, 0, marks=SLOW),
        pytest.param("amazons_8x8", {}, "fairy", 3, 100, marks=SLOW),
        ("amazons_8x8", {}, "fairy", 0, 3),
        ("amazons", {"width": 6, "height": 6}, "openspiel", 1, 0),
        ("amazons", {"width": 6, "height": 6}, "fairy", 0, 10),
        ("breakthrough", {"width": 4, "height": 6}, "openspiel", 1, 0),
        pytest.param("ataxx", {}, "fairy", 3, 0, marks=SLOW),
        pytest.param("checkers", {}, "openspiel", 1, 0, marks=SLOW),
        ("connect_four", {}, "openspiel", 1, 0),
        ("dots_and_boxes", {"width": 2, "height": 2}, "openspiel", 3, 0),
        pytest.param("mancala", {}, "openspiel", 3, 0, marks=SLOW),
        ("pentago", {}, "openspiel", 1, 0),
        ("clobber", {}, "openspiel", 3, 0),
        ("gomoku", {"width": 4, "height": 5, "length": 3}, "openspiel", 3, 0),
        pytest.param("lines_of_action", {}, "openspiel", 1, 0, marks=SLOW),
        ("nim", {"misere": "yes", "heaps": 3}, "openspiel", 4, 0),
        ("nine_mens_morris", {}, "openspiel", 1, 0),
        ("othello", {}, "openspiel", 1, 0),
        ("hex", {"size": 5}, "openspiel", 1, 0),
        ("tictactoe", {}, "openspiel", 3, 0),
        ("y", {"size": 5}, "openspiel", 3, 0),
        ("clobber", {"width": 4, "height": 4}, "fairy", 1, 10),
        pytest.param("isolation", {}, "fairy", 1, 0, marks=SLOW),
        ("knightthrough", {"width": 5, "height": 5}, "fairy", 1, 10),
        pytest.param("minichess", {}, "fairy", 1, 3, marks=SLOW),
        pytest.param("othello", {}, "fairy", 1, 0, marks=SLOW),
        ("tictactoe", {}, "pgx", 5, 0),
        pytest.param("connect_four", {}, "pgx", 5, 0, marks=SLOW),
        pytest.param("othello", {}, "pgx", 3, 0, marks=SLOW),
        pytest.param("minichess", {}, "pgx", 2, 0, marks=SLOW),
        ("breakthrough", {"width": 3, "height": 4}, "grounder", 2, 10),
        ("breakthrough", {"width": 3, "height": 4}, "propnet", 2, 10),
        ("breakthrough", {"width": 3, "height": 4}, SERVE, 2, 10),
        pytest.param("breakthrough", {}, "fairy", 20, 1000, marks=SLOW),
        pytest.param("amazons_10x10", {}, "openspiel", 3, 0, marks=SLOW),
        pytest.param("amazons_10x10", {}, "fairy", 2, 30, marks=SLOW),
        pytest.param("amazons", {}, "openspiel", 2, 0, marks=SLOW),
        pytest.param("amazons", {}, "fairy", 1, 30, marks=SLOW),
        pytest.param("amazons", {}, "grounder", 1, 20, marks=SLOW),
        pytest.param("skirmish", {}, "grounder", 3, 100, marks=SLOW),
    ],
)
def test_agreement(
    name: str, constants: dict[str, Any], against: str, games: int, made: int
) -> None:
    if against == "pgx" and find_spec("pgx") is None:
        pytest.skip("Pgx and JAX, which are large, are not installed")
    pytest.importorskip({"fairy": "pyffish", "openspiel": "pyspiel"}.get(against, "aspgames"))
    result = go(aspgames.load(name, **constants), against, games=games, made=made, seed=5)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.games == games
    assert result.tally.positions >= games * 4 + made / 4
    assert result.tally.finished or result.seconds > 60


# --- what is a disagreement -----------------------------------------------------------------------


def refusing(question: Question, right: Answer) -> Answer | Refusal:
    """Refuses positions without a black piece on the third rank."""
    there = any(fact.endswith(",3,black)") for fact in question.after)
    return right if there else Refusal("no black piece on the third rank")


def test_a_position_made_at_random_may_be_refused() -> None:
    result = go(SMALL, Changed(refusing, name="refusing"), games=0, made=40, seed=3)
    assert result.tally.skipped > 5
    assert the_one(result).question.turns


def test_a_position_that_is_given_may_be_refused() -> None:
    game = aspgames.load("amazons_8x8")
    starts = (game.position("8/8/8/3Q4/8/8/8/q7 w fire d5").facts,)
    pytest.importorskip("pyffish")
    result = go(game, "fairy", starts=starts, games=1, made=0)
    assert not result.findings
    assert result.tally.skipped == 2


def test_an_engine_that_does_not_answer_alike_each_time_has_failed() -> None:
    """Only its seventh answer is wrong."""
    number = count(1)

    def fickle(_question: Question, right: Answer) -> Answer:
        return replace(right, terminal=True) if next(number) == 7 else right

    with pytest.raises(aspgames.AspgamesError, match="doesn't repeat its answer"):
        go(SMALL, Changed(fickle), games=5, made=0)


def test_keep_going_shows_one_of_each_sort() -> None:
    def twofold(_question: Question, right: Answer) -> Answer:
        if right.to_move == "black":
            return replace(right, goals={"white": 7, "black": 0})
        return replace(right, legal={"white": frozenset({"noop"})})

    starts = (SMALL.initial.facts, SMALL.position("3/ppp/3/P2 b").facts)
    result = go(SMALL, Changed(twofold), starts=starts, games=4, made=0, keep_going=True)
    kinds = {finding.shrunk.kind for finding in result.findings}
    assert kinds == {"legal", "goals"}
    assert sum(finding.times for finding in result.findings) >= 3


# --- turns, and positions made at random ----------------------------------------------------------


def test_turns_are_known_by_their_squares() -> None:
    amazons, split = aspgames.load("amazons"), aspgames.load("amazons_10x10")
    assert label("d1d7,d7g7") == label("d1-d7/g7") == "d1 d7 g7"
    assert label("a2xb3") == label("a2b3") == "a2 b3"
    assert label_of(amazons, ("move(4,1,4,7,7,7)",)) == "d1 d7 g7"
    assert label_of(split, ("move(4,1,4,7)", "fire(4,1)")) == "d1 d7 d1"
    assert coordinates("d1 d7 g7") == "d1d7,d7g7"
    assert coordinates("a2 a3") == "a2a3"
    assert label_of(amazons, ("noop",)) == "noop"
    assert label("a7-a8=q") == label("a7a8q") == "a7 a8=q"
    assert coordinates("a7 a8=q") == "a7a8q"


@pytest.mark.parametrize("name", FIVE)
def test_positions_made_at_random(name: str) -> None:
    game = aspgames.load(name)
    make = RandomPositions(game).make
    seed = game.initial.play(game.initial.legal_moves[5]).facts
    made = [make(seed, Random(number)) for number in range(25)]
    assert made[:5] == [make(seed, Random(number)) for number in range(5)]
    positions = [facts for facts in made if facts is not None]
    assert len(set(positions)) > 20
    for facts in positions:
        assert game.from_facts(facts).facts == facts
    pieces = [sum(fact.startswith("cell(") for fact in facts) for facts in positions]
    assert min(pieces) <= 8
    assert max(pieces) > 10


def test_empty_squares_stay_said_to_be_empty_in_positions_made_at_random() -> None:
    """In a sheet that has ``empty`` squares, each square has exactly one content."""
    game = aspgames.load(NOUGHTS)
    words, make = game.vocabulary, RandomPositions(game).make
    seed = game.initial.play("mark(1,1)", "mark(2,2)", "mark(3,3)").facts
    counts = set()
    for number in range(25):
        facts = make(seed, Random(number))
        assert facts
        placed = [found[0] for fact in facts if (found := words.placement(fact))]
        assert sorted(placed) == [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]
        counts.add(sum(words.piece(fact) is not None for fact in facts))
    assert counts == {0, 1, 2, 3}


# --- engines that fail ----------------------------------------------------------------------------


@pytest.mark.parametrize("fault", FAULTS)
def test_an_engine_that_fails(call: Call, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault in ("hang", "close"):  # it doesn't end by itself
        monkeypatch.setattr(engine_process, "_GRACE", 0.1)
    timeout = "0.5" if fault == "hang" else "30"
    after = 20 if fault in ("crash", "twice", "twice_without_id", "out_of_order") else 0
    result = call(
        "crosscheck", "breakthrough", *SMALL_OPTIONS, "--games", "4", "--made", "8",
        "--against", f"cmd:{python('bad_engine.py', fault, after)}", "--engine-timeout", timeout,
    )  # fmt: skip
    assert_refused(result, code=4)
    if fault == "twice":
        assert "more answers than the 21" in result.err or "request 22" in result.err
    elif fault != "twice_without_id":
        assert f"request {after + 1}:" in result.err
        assert "breakthrough " in result.err, "the position is named"
    words = {
        "crash": "exit code 3: out of luck",
        "hang": "no answer within 0.5 s",
        "flood": "floods",
        "close": "closed its output",
        "out_of_order": "out of order",
        "twice_without_id": "more ",
        "no_json": "not JSON",
        "not_all": "'terminal' is missing",
        "wrong_type": "'legal' is wrong",
        "a_move_twice": "twice",
    }
    assert words.get(fault, "") in result.err


# --- the command line -----------------------------------------------------------------------------


def planted(call: Call, *options: str) -> Run:
    """A cross-check of an engine with a bug."""
    engine = f"cmd:{python('planted_engine.py', 'straight capture')}"
    return call("crosscheck", "breakthrough", "--against", engine, *options)


def test_a_report_for_people_and_for_programs(call: Call, tmp_path: Path) -> None:
    found = planted(call, "--report", str(tmp_path / "report.txt"))
    assert found.code == 1
    assert "disagrees on the legal moves" in found.out
    assert "2[p].\n1[P].\n" in found.out
    assert "Extra:    a1xa2  (move(1,1,1,2))" in found.out
    assert "Decided by breakthrough.lp:" in found.out
    assert "straight ahead, onto an empty square only" in found.out
    *text, _, last = (tmp_path / "report.txt").read_text().splitlines()
    assert "\n".join(text) == found.out.rstrip("\n")
    report = check(json.loads(last), "crosscheck")
    assert report["version"] == aspgames.__version__
    (disagreement,) = report["disagreements"]
    assert disagreement["extra"] == [{"term": "move(1,1,1,2)", "text": "a1xa2"}]
    assert disagreement["missing"] == []
    assert disagreement["engine"]["legal"]["white"] == ["move(1,1,1,2)", "move(1,1,2,2)"]
    assert disagreement["rules"]["legal"]["white"] == ["move(1,1,2,2)"]


def page_of(file: Path) -> tuple[str, list[str], dict[str, Any]]:
    """A page, its pictures' text alternatives, and its data, which is the report."""
    page = file.read_text(encoding="utf-8")
    data = re.search('<script type="application/json" id="data">(.*?)</script>', page)
    assert data
    assert '<html lang="en">' in page
    assert page.count("<main>") == 1
    assert not re.search("(src|href)=.(?!data:)", page), "it loads nothing"
    assert page.count("<img ") == page.count(' alt="')
    return page, re.findall('alt="(.*?)"', page), check(json.loads(data[1]), "crosscheck")


def test_a_page_with_both_answers_on_boards(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert planted(call, "2/2/2/p1/P1 w", "-c", "width=2", "-c", "height=5", "--only", "--html",
                   str(file)).code == 1  # fmt: skip
    page, (ours, theirs), report = page_of(file)
    assert "<h1>Your engine is wrong here</h1>" in page
    assert "Ring around a2." in ours
    assert "Arrow" not in ours
    assert "Arrow from a1 to a2." in theirs
    assert "Only here: <mark>a1xa2</mark>" in page
    assert "straight ahead, onto an empty square only" in page
    assert report["disagreements"][0]["extra"] == [{"term": "move(1,1,1,2)", "text": "a1xa2"}]


def test_a_page_of_other_rules_names_no_engine(call: Call, tmp_path: Path) -> None:
    rules = (ROOT / "encodings/breakthrough.lp").read_text()
    own, file = tmp_path / "own.lp", tmp_path / "page.html"
    own.write_text(rules.replace(", empty(U,V).", ".", 1))
    options = ("-c", "width=2", "-c", "height=5", "--only", "--html", str(file))
    asked = ("crosscheck", "breakthrough", "2/2/2/p1/P1 w", *options)
    assert call(*asked, "--against", str(own)).code == 1
    page, _, _ = page_of(file)
    assert "<h1>The other rules are wrong here</h1>" in page
    assert "the rules give exactly the other rules&#x27; answer" in page
    assert "engine" not in re.sub("<(style|script).*?</.1>|<footer>.*", "", page, flags=re.DOTALL)


def test_a_page_of_positions_and_one_of_agreement(tmp_path: Path) -> None:
    def lost(question: Question, answer: Answer) -> Answer:
        facts = tuple(fact for fact in answer.facts or () if fact != "cell(1,2,white)")
        return replace(answer, facts=(*facts, "<b>&")) if question.turns else answer

    for change, names in ((lost, ["Before the last move", "The rules", "Your engine"]), (None, [])):
        result = go(SMALL, Changed(change or (lambda _question, answer: answer)), games=2, made=0)
        (tmp_path / "page.html").write_text(crosscheck_page(result), encoding="utf-8")
        page, pictures, report = page_of(tmp_path / "page.html")
        assert [picture.partition(".")[0] for picture in pictures] == names
        assert ("There is no disagreement to show." in page) is report["agree"] is (not names)
        assert "<b>" not in page
        assert ("The line that leads there" in page) is bool(names)


@pytest.mark.parametrize("option", ["--report", "--html"])
@pytest.mark.parametrize("name", ["no/such/folder", "."])
def test_a_report_that_cannot_be_written(call: Call, option: str, name: str) -> None:
    """The error comes before the comparison, because the engine would hang."""
    options = ["--against", "uci:sleep 60", option, name]
    assert_refused(call("crosscheck", "breakthrough", *options), "can't be written")


def test_only_what_is_asked_for(call: Call) -> None:
    found = planted(call, "8/8/8/3p4/3P4/8/8/8 w", "--only", "--json")
    assert found.code == 1
    report = check(found.json, "crosscheck")
    assert report["games"] == report["made"] == 0
    assert report["disagreements"][0]["fen"] == "8/8/8/3p4/3P4/8/8/8 w"
    further = planted(call, "8/8/8/8/3p4/8/3P4/8 w", "--only")
    assert further.code == 1, "a turn from there, the two meet"


def test_agreement_on_the_command_line(call: Call) -> None:
    options = ["crosscheck", "breakthrough", *SMALL_OPTIONS, "--against", "propnet"]
    options += ["--games", "2", "--made", "9"]
    result = call(*options)
    assert result.code == 0
    assert result.out.startswith("Agreement: ")
    report = check(call(*options, "--json").json, "crosscheck")
    assert report["agree"]
    assert report["finished"]
    again = call(*options, "--json")
    assert again.json | {"seconds": 0} == report | {"seconds": 0}


def test_out_of_time(call: Call) -> None:
    result = call("crosscheck", "breakthrough", "--against", "grounder", "--time", "0.5")
    assert result.code == 0
    assert "the time was over" in result.out


@pytest.mark.parametrize("only", [[], ["--only"]])
def test_nothing_compared_is_no_agreement(call: Call, only: list[str]) -> None:
    options = ["crosscheck", "breakthrough", *only, "--against", "propnet", "--time", "0.000001"]
    result = call(*options)
    assert result.code == 3
    assert result.out.startswith("Nothing was compared: 0 positions")
    assert not check(call(*options, "--json").json, "crosscheck")["agree"]


@pytest.mark.parametrize("name", ENGINES)
def test_each_engine_has_a_class_and_is_in_the_docs(name: str) -> None:
    module, _, engine = ENGINES[name].place.partition(".")
    assert issubclass(getattr(import_module(f"{engines.__name__}.{module}"), engine), Engine)
    text = (ROOT / "docs/check_your_engine.md").read_text()
    assert f"`{name}{':' if ENGINES[name].command else ''}" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("breakthrough", "--against"),
        ("breakthrough --against stockfish", "there is no engine 'stockfish'"),
        ("breakthrough --against cmd:", "empty"),
        ("breakthrough --against cmd:no-such-program", "can't be run"),
        ("breakthrough --against 'cmd:\"'", "No closing quotation"),
        ("breakthrough --against propnet --engine-timeout 0", "above zero"),
        ("breakthrough --against propnet --time 0", "above zero"),
        ("breakthrough --against propnet --games -1", "--games"),
        ("breakthrough --against propnet --reasoner propnet", "nothing to compare"),
        ("breakthrough 8/8 --against propnet", "board"),
        ("skirmish --against fairy", "doesn't have skirmish"),
        ("breakthrough -c width=4 -c height=5 --against openspiel", "doesn't have breakthrough"),
        ("amazons -c stuck=either --against fairy", "doesn't have amazons"),
        ("breakthrough '8/3P4/8/8/8/8/p7/8 w' --against openspiel", "can't be given a position"),
    ],
)
def test_bad_input(call: Call, options: str, words: str) -> None:
    pytest.importorskip("pyspiel" if options.endswith("openspiel") else "aspgames")
    result = call("crosscheck", *shlex.split(options))
    assert_refused(result, words)


@pytest.mark.parametrize(
    ("engine", "package"),
    [("fairy", "pyffish"), ("openspiel", "open_spiel"), ("pgx", r"aspgames\[pgx\]")],
)
def test_a_package_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, engine: str, package: str
) -> None:
    def missing(_name: str) -> None:
        raise ImportError

    monkeypatch.setattr(call_arguments, "import_module", missing)
    with pytest.raises(BadRequest, match=f'pip install "{package}"'):
        open_engine(engine, 1)


def test_ctrl_c_while_an_engine_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is known of before anything else happens: the supervisor ends it, if nobody else does."""
    events = list[str]()

    class Started(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            signal.raise_signal(signal.SIGINT)
            events.append("it goes on")
            self.kill()
            self.wait()

    monkeypatch.setattr(subprocess, "Popen", Started)
    monkeypatch.setattr(engine_process, "tell", lambda **what: events.extend(what))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            open_engine("cmd:sleep 60", 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert events == ["it goes on", "started"]


# --- the page for engines' authors ----------------------------------------------------------------


def test_the_engine_of_the_page_is_the_example() -> None:
    page = (ROOT / "docs/check_your_engine.md").read_text()
    code = page.partition("```js\n")[2].partition("```")[0]
    assert code == (ROOT / "examples/engines/breakthrough.js").read_text()


@pytest.mark.parametrize("bug", [False, True])
def test_the_example_engine(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: bool
) -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples/engines/breakthrough.js").read_text()
    if bug:
        right, wrong = "u === x ? !there : there !== owner", "there !== owner"
        assert right in text
        text = text.replace(right, wrong)
    (tmp_path / "engine.js").write_text(text)
    few, made = ("10", "100") if bug else ("3", "30")
    options = ["--against", "cmd:node engine.js", "--games", few, "--made", made]
    result = call("crosscheck", "breakthrough", *options)
    if not bug:
        assert result.code == 0, result
        return
    page = (ROOT / "docs/check_your_engine.md").read_text()
    shown = page.partition("breakthrough height=5 width=2: cmd:node engine.js")[2].partition("```")
    assert result.code == 1
    assert shown[0] in result.out
