"""Games with chance, hidden information or real time: no proof and no choice ignores these."""

import json
from pathlib import Path

import pytest

import aspgames
from aspgames import RulesError
from aspgames.agents.mcts.player import Player
from aspgames.analysis.properties import Properties
from cli_helpers import Call, check, jsonl
from paths import ROOT

COIN = """\
role(guesser).
role(random).
init(control(random)).
legal(random,(heads;tails)) :- true(control(random)).
legal(guesser,noop) :- true(control(random)).
legal(guesser,(heads;tails)) :- true(control(guesser)).
legal(random,noop) :- true(control(guesser)).
next(coin(M)) :- does(random,M), M != noop.
next(coin(M)) :- true(coin(M)).
next(guess(M)) :- does(guesser,M), M != noop.
next(control(guesser)) :- true(control(random)).
terminal :- true(guess(_)).
goal(guesser,100) :- true(guess(M)), true(coin(M)).
goal(guesser,0) :- true(guess(M)), not true(coin(M)).
goal(random,0).
"""
HIDDEN = COIN.replace("random", "nature") + "sees(guesser,tossed) :- does(nature,_).\n"
REASON = "coin.lp:2: the role 'random' means chance (GDL-II), which "
DECIDING = {
    "compose coin.lp --attacker guesser --goal win --within 1": "'solve' has exact answers",
    "judge puzzles.jsonl": "'solve' has exact answers",
    "book puzzles.jsonl -o book.html": "'solve' has exact answers",
    "match coin.lp --against solver": "the engine does",
    "train coin.lp --games 1": "the engine plays such games without training",
    "uci coin.lp": "'match' and 'ggp-player' play such games",
    "record coin.lp -o coin.parquet --players guesser=solver": "the engine does",
}
"""What refuses chance, and what it says is possible instead."""


@pytest.fixture
def coin(folder: Path) -> None:
    (folder / "coin.lp").write_text(COIN)
    puzzle = {"game": "coin.lp", "position": "startpos", "attacker": "guesser", "goal": "win"}
    (folder / "puzzles.jsonl").write_bytes(jsonl(puzzle))


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize("words", DECIDING)
def test_what_decides_or_proves_refuses_chance(call: Call, words: str) -> None:
    result = call(*words.split())
    told, *more = (result.out if words.startswith("judge") else result.err).splitlines()
    assert (result.code, len(more)) == (2, words.startswith("book"))
    assert REASON in told
    assert DECIDING[words] in told


@pytest.mark.usefixtures("coin")
@pytest.mark.parametrize("words", ["legal", "show", "perft --depth 2", "playout", "play heads"])
def test_what_decides_nothing_plays_chance_as_a_role(call: Call, words: str) -> None:
    verb, *rest = words.split()
    moves = ["startpos", *rest] if verb == "play" else rest
    result = call(verb, "coin.lp", *moves)
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize(
    ("old", "new", "place", "instead"),
    [
        ("goal(random,0).\n", "goal(random,0) :- knows(guesser,x).\n", "15: knows/2", "sees/2"),
        ("role(guesser)", "clock(90). role(guesser)", "1: clock/1", "step(1)"),
    ],
)
def test_no_game_is_loaded_with_words_that_nothing_follows(
    call: Call, folder: Path, old: str, new: str, place: str, instead: str
) -> None:
    (folder / "coin.lp").write_text(COIN.replace(old, new))
    solve = "solve --attacker guesser --goal win"
    for words in ("legal", "show", "perft --depth 2", "playout", "export -o coin.kif", solve):
        verb, *rest = words.split()
        result = call(verb, "coin.lp", *rest)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert f"coin.lp:{place} means" in result.err
        assert instead in result.err
    with pytest.raises(RulesError, match=place):
        aspgames.load("coin.lp")


def test_requests_for_a_sheet_with_them_get_the_reason(call: Call, folder: Path) -> None:
    (folder / "told.kif").write_text("(role a)\n(init (n 0))\n(<= terminal (knows a (n 1)))\n")
    asked = [{"op": op, "game": "told"} for op in ("legal", "play", "perft")]
    result = call("serve", "--load", "told.kif", stdin=jsonl(*asked))
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [answer["kind"] for answer in answers] == ["bad_rules"] * 3
    assert answers[0]["error"].startswith("told.kif:3: knows/2 means hidden information (GDL-III)")


def test_check_reports_real_time_and_plays_nothing(call: Call, folder: Path) -> None:
    (folder / "timed.lp").write_text("clock(90).\n" + COIN)
    result = call("check", "timed.lp", "--json")
    told = check(json.loads(result.out), "check")
    (finding,) = (each for each in told["findings"] if each["severity"] == "error")
    assert (result.code, told["verdict"], told["states"]) == (1, "no_game", 0)
    assert (finding["kind"], finding["file"], finding["line"]) == ("unsupported", "timed.lp", 1)


@pytest.mark.parametrize(
    ("old", "new", "kind", "said"),
    [
        ("goal(random,0).\n", "", "", ""),
        ("goal(random,0).\n", "sees(guess,M) :- does(random,M).\n", "not_a_role", "sees(R,P)"),
        ("", "", "chance_goal", "counts for nothing"),
        ("legal(random,(heads;tails))", "legal(random,heads)", "no_chance", "never used"),
        (
            "legal(random,noop) :- true(control(guesser",
            "legal(random,noop) :- true(coin(heads",
            "stuck",
            "random has no",
        ),
        ("", "weight(heads,0). weight(tails,1). ", "unsettled", "weight(heads,0)"),
        ("", "weight(M,1) :- does(random,M). ", "moves_too_early", "weight/2 depends on does/2"),
    ],
)
def test_check_finds_what_a_game_master_would(
    folder: Path, old: str, new: str, kind: str, said: str
) -> None:
    (folder / "coin.lp").write_text(COIN.replace(old, new) if old else new + COIN)
    found = aspgames.check(folder / "coin.lp", 4).findings
    known = [finding.sentence for finding in found if finding.kind == kind]
    if kind:
        assert said in known[0]
    else:
        assert not [f for f in found if f.kind in ("chance_goal", "no_chance", "goal_missing")]


TOLD = "sees(guesser,M) :- does(guesser,_), true(coin(M)).\n"


@pytest.mark.parametrize(
    ("rules", "unknown"),
    [
        ("", "its goal"),
        (TOLD, ""),
        (TOLD + "legal(guesser,look) :- true(coin(heads)).\n", "its legal moves"),
        (TOLD + "terminal :- true(coin(heads)).\n", "whether the game is over"),
    ],
)
def test_check_compares_what_looks_alike(tmp_path: Path, rules: str, unknown: str) -> None:
    path = tmp_path / "coin.lp"
    path.write_text(COIN + "sees(guesser,tossed) :- does(random,_).\n" + rules)
    report = aspgames.check(path, 4)
    found = [each for each in report.findings if each.kind == "cannot_know"]
    assert [each.sentence.partition(":")[0] for each in found] == (
        [f"guesser can't know {unknown}"] if unknown else []
    )
    proved = "Each player knows its legal moves, its goal, and whether the game is over."
    assert (proved in report.proved) == (not unknown)


@pytest.mark.usefixtures("coin")
def test_the_oracle_plays_and_solves_it(call: Call) -> None:
    puzzle = {"op": "solve", "game": "coin", "position": "startpos", "attacker": "guesser"}
    asked = [{"op": "legal", "game": "coin"}, {**puzzle, "goal": "win", "within": 1}]
    result = call("serve", "--load", "coin.lp", stdin=jsonl(*asked))
    legal, solved = map(json.loads, result.out.splitlines())
    assert legal["legal"]["random"] == ["heads", "tails"]
    assert (solved["verdict"], solved["probability"]) == ("forced", "1")


@pytest.mark.usefixtures("coin")
def test_what_python_says_of_it() -> None:
    game = aspgames.load("coin.lp")
    assert aspgames.properties(game) == Properties(True, 0, 100, None, 2)
    state = game.initial.play("heads")
    assert Player(game).choose(state, games=100).term == "heads"  # the guesser sees everything


@pytest.mark.parametrize(
    ("suffix", "text", "said"),
    [
        ("lp", HIDDEN, "16: sees/2 means hidden information (GDL-II)"),
        ("lp", HIDDEN.replace("sees(", "saw("), ""),
        ("lp", HIDDEN + "goal(nature,0) :- sees(guesser,_).\n", ""),  # a predicate of its own
        ("lp", "known. " + HIDDEN.replace("sees(guesser,tossed)", "knows(guesser)"), ""),
        ("lp", "goal(nature,1) :- knows(a,b).\n" + HIDDEN, "1: knows/2 means hidden information"),
        ("lp", "init(clock(1)).  " + HIDDEN.replace("sees", "saw"), ""),
        ("lp", "clock(90).\n" + HIDDEN.replace("sees", "saw"), "1: clock/1 means real time"),
        ("lp", "actor(random). role(R) :- actor(R).\nx(1)." + HIDDEN, "1: the role 'random'"),
        ("kif", "(role a)\n(init (n 0))\n(ROLE Random)", "3: the role 'random' means chance"),
        ("kif", "(role a)\n(<= (sees a (n ?x))\n  (true (n ?x)))", "2: sees/2 means hidden"),
        ("kif", "(role a)\n\n(<= terminal (knows a (won)))", "3: knows/2 means hidden"),
        ("kif", "(role a)\n\n(<= terminal (clock 9))", "3: clock/1 means real time (rtGDL)"),
    ],
)  # fmt: skip
def test_what_is_chance_or_hidden(tmp_path: Path, suffix: str, text: str, said: str) -> None:
    path = tmp_path / f"coin.{suffix}"
    path.write_text(text)
    try:
        found = "".join(aspgames.load(path).vocabulary.extensions.values())
    except RulesError as error:  # of GDL-III and real time
        found = str(error)
    assert found.startswith(f"coin.{suffix}:{said}") if said else not found


def test_a_caller_is_refused_what_it_cannot_do(tmp_path: Path) -> None:
    path = tmp_path / "coin.lp"
    path.write_text(HIDDEN.replace("nature", "random"))
    game = aspgames.load(path)
    assert (game.chance, game.hidden, game.players) == (True, True, ("guesser",))
    game.refuse_unsupported(chance=True, hidden=True)
    with pytest.raises(RulesError, match="means chance"):
        game.refuse_unsupported(hidden=True)
    with pytest.raises(RulesError, match="means hidden information"):
        game.refuse_unsupported(chance=True)


def test_sheets_that_come_with_it_have_none() -> None:
    files = [*(ROOT / "examples").glob("*.kif"), *(ROOT / "tests/data").rglob("*.kif")]
    for file in files:
        has_chance = "(role random)" in file.read_text()
        assert bool(aspgames.load(str(file)).vocabulary.extensions) == has_chance
