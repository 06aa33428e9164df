"""``aspgames check``: sheets with one defect each, and proofs of bounds on play."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames.analysis.dead_rules import Firing
from aspgames.analysis.measures import Guesses, Measure
from aspgames.analysis.play_proofs import PlayProver, Proofs
from aspgames.analysis.sampled_play import Sample
from aspgames.propnet.invariants import Group, invariants
from aspgames.propnet.reachable_nets import net_for
from aspgames.propnet.transitions import Transition, Transitions
from aspgames.runtime.budget import Budget
from cli_helpers import ENDLESS, TICTACTOE, Call, assert_refused, check, run, write_rules
from helpers import FIVE
from new_process import python
from paths import ROOT

RACE = """\
role(a;b).  init(at(a,0)).  init(at(b,0)).
legal(R,(walk;run)) :- role(R).
far(R,1) :- does(R,walk).  far(R,2) :- does(R,run).
next(at(R,M)) :- true(at(R,N)), far(R,D), M = N+D, M < 7.
next(at(R,7)) :- true(at(R,N)), far(R,D), N+D >= 7.
terminal :- true(at(_,7)).
goal(R,100) :- true(at(R,7)).
goal(R,0) :- role(R), not true(at(R,7)).
"""

GALLERY = ROOT / "encodings/gallery"
ROCK_PAPER_SCISSORS = (GALLERY / "rock_paper_scissors.lp").read_text()
# The connection is a positive loop.
HEX = (GALLERY / "hex.lp").read_text().replace("#const size = 11.", "#const size = 3.")

COUNTER = """\
role(a).  init(step(1)).  legal(a,(go;back)).
next(step(N+1)) :- true(step(N)), does(a,go), N < 5.
next(step({})) :- does(a,back), true(step(N)){}.
terminal :- true(step(5)).  goal(a,100).
"""


def written(folder: Path, text: str) -> str:
    return str(write_rules(folder, text))


@pytest.fixture(autouse=True)
def few_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    """All play of so many plies: bad states are near in these games."""
    monkeypatch.setattr("aspgames.analysis.bounded_play._MOST_PLIES", 24)


def found(folder: Path, text: str, games: int = 6) -> aspgames.Report:
    return aspgames.check(write_rules(folder, text), games)


def kinds(report: aspgames.Report, *severities: str) -> list[str]:
    return [f.kind for f in report.findings if f.severity in (severities or ("error", "warning"))]


def changed(old: str, new: str) -> str:
    assert old in TICTACTOE
    return TICTACTOE.replace(old, new)


RACE_OF_THREE = RACE.replace("role(a;b).", "role(a;b;c).  init(at(c,0)).")


@pytest.mark.parametrize(
    "text",
    [TICTACTOE, RACE, RACE_OF_THREE, ROCK_PAPER_SCISSORS, HEX],
    ids=["tictactoe", "race", "race of three", "rock-paper-scissors", "hex"],
)
def test_a_game_is_one(tmp_path: Path, text: str) -> None:
    report = found(tmp_path, text, games=9)
    assert (report.verdict, report.games) == ("game", 9)
    assert kinds(report) == []
    assert report.bound is not None
    assert report.bound >= report.longest
    assert any("Every role has a legal move" in sentence for sentence in report.proved)
    assert not report.not_looked_at


def test_a_game_may_start_with_nothing(tmp_path: Path) -> None:
    report = found(
        tmp_path,
        """role(a).  legal(a,(on;off)).  terminal :- true(lit).  next(lit) :- does(a,on).
        next(dark) :- does(a,off), not true(dark).  next(lit) :- true(dark), does(a,off).
        goal(a,100) :- true(lit).  goal(a,0) :- not true(lit).
        """,
        games=20,
    )
    assert (report.verdict, kinds(report)) == ("game", ["empty_start"])


# A change to tic-tac-toe, and the finding: kind, severity, line, whether it is proved, and words of
# the sentence.
DEFECTS: dict[str, tuple[str, str, str, str, int | None, str]] = {
    "syntax": ("init(control(xplayer)).", "init(x", "syntax", "error", 9, "syntax error"),
    "unsafe": ("mark(R,M), line(M).", "mark(R,M), not line(N).", "unsafe", "error", 26, "N is"),
    "no role": ("role(xplayer).  role(oplayer).", "", "missing", "error", None, "no role/1"),
    "no goal": ("goal(R,", "gaol(R,", "missing", "error", None, "no goal/2"),
    "loop": ("init(control(",
             "p(1) :- not q(1).  q(1) :- r(1).  r(1) :- p(X), X > 1.  init(control(",
             "loop_through_negation", "warning", 7,
             "p/1 needs not q/1, q/1 for r/1 (own.lp:7), r/1 for p/1 (own.lp:7)"),
    "settled by nothing": ("init(control(",
                           "p :- not q.  q :- not p.  legal(oplayer,noop) :- p.  init(control(",
                           "loop_through_negation", "error", 7,
                           "p/0 needs not q/0, q/0 for p/0 (own.lp:7)"),
    "misspelt": ("init(control(", "terminal :- lien(x).  init(control(", "undefined", "warning", 7,
                 "lien/1 is never defined; did you mean line/1?"),
    "stuck": ("terminal :- not open.", "", "stuck", "error", None, "oplayer has no legal move"),
    "over": ("terminal :- not open.", "terminal.", "over_at_start", "error", None, "at its start"),
    "no value": ("goal(R,50)  :-", "goal(R,50)  :- open,", "goal_missing", "warning", None,
                 "has no goal when the game is over, which counts as 0"),
    "two values": ("goal(R,50)  :- role(R), not line(_).", "goal(R,50) :- role(R).", "goal_several",
                   "error", None, "has 2 goals when the game is over: 100, 50"),
    "a high value": ("goal(R,100)", "goal(R,1000)", "goal_range", "error", None, "is 1000"),
    "no winner": ("goal(R,100)", "goal(R,99)", "cannot_win", "warning", None, "can never win"),
    "no role's": ("goal(R,50)", "goal(c,1). goal(R,50)", "not_a_role", "warning", None,
                  "c has a goal value but isn't a role"),
    "a move first": ("init(control(", "legal(wait,R) :- true(over(R)). init(control(", "not_a_role",
                     "warning", 7, "legal(wait,R): wait is no role; the role is the first"),
    "a constraint": ("init(control(", ":- true(cell(1,1,x)), true(cell(1,1,o)). init(control(",
                     "constraint", "warning", 7, "a constraint forbids no move"),
    "never": ("init(control(", "next(z) :- true(cell(1,Y,x)), Y > 3. init(control(", "never_fires",
              "warning", 7, "never fires"),
    "never legal": ("init(control(", "input(R,jump(1)) :- role(R). init(control(", "never_legal",
                    "warning", None, "jump(_) is never legal for oplayer"),
    "unchanging": ("init(control(", "init(wall). next(wall) :- true(wall). init(control(",
                   "unchanging", "note", None, "the fluent wall never changes"),
}  # fmt: skip


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_found(tmp_path: Path, name: str) -> None:
    old, new, kind, severity, line, words = DEFECTS[name]
    report = found(tmp_path, changed(old, new))
    finding = next(f for f in report.findings if f.kind == kind)
    assert (finding.severity, finding.line, finding.proved) == (severity, line, True)
    assert words in finding.sentence
    assert (report.verdict == "no_game") == (severity == "error")
    assert finding.file == ("own.lp" if line or kind == "missing" else None)
    if name in ("never", "never legal", "stuck", "unsafe", "no winner"):
        assert set(kinds(report)) == {kind}, "nothing else is found"


def test_all_unsafe_rules_are_told(tmp_path: Path) -> None:
    report = found(tmp_path, TICTACTOE + "p(X) :- not q(Y).\n\nr(X).\n")
    lines = TICTACTOE.count("\n")
    assert [(f.kind, f.line) for f in report.findings] == [
        ("unsafe", lines + 1),
        ("unsafe", lines + 3),
    ]


def test_a_witness_leads_to_its_position(tmp_path: Path) -> None:
    report = found(tmp_path, changed("terminal :- not open.", ""))
    (finding,) = report.findings
    assert finding.witness
    state = aspgames.load(str(tmp_path / "own.lp")).initial
    for joint in finding.witness.moves:
        state = state.play(joint)
    assert state.facts == finding.witness.facts
    assert not state.is_terminal
    assert not any(state.legal.values()) or "oplayer" in finding.sentence


def test_a_finding_is_said_once(tmp_path: Path) -> None:
    file = tmp_path / "empty.lp"
    file.write_text("")
    said = [finding.sentence for finding in aspgames.check(str(file)).findings]
    assert len([each for each in said if "no role/1" in each]) == 1


def test_play_that_comes_back_need_not_end(tmp_path: Path) -> None:
    report = found(tmp_path, ENDLESS + "terminal :- true(never).  goal(R,0) :- role(R).\n", 1)
    finding = next(f for f in report.findings if f.kind == "endless")
    assert finding.severity == "error"
    assert "the position after 2 plies is the same as after 0" in finding.sentence
    assert report.bound is None
    idle = "role(a).  init(x).  next(x).  legal(a,wait).  terminal :- true(y).  goal(a,0).\n"
    (tmp_path / "idle.lp").write_text(idle)
    found_idle = aspgames.check(str(tmp_path / "idle.lp"), 1).findings
    assert any("the position after 1 ply is the same as after 0" in f.sentence for f in found_idle)


def test_play_that_goes_on_for_long_is_told(tmp_path: Path) -> None:
    # A number of eleven binary digits: no sum with small weights grows with it.
    rules = (
        "role(a). digit(0..10). init(on). next(on). legal(a,go). carry(0).\n"
        "carry(K+1) :- carry(K), true(set(K)), digit(K).\n"
        "next(set(K)) :- digit(K), true(set(K)), not carry(K).\n"
        "next(set(K)) :- digit(K), carry(K), not true(set(K)).\n"
        "clear :- digit(K), not true(set(K)). terminal :- not clear. goal(a,100).\n"
    )
    report = found(tmp_path, rules, games=1)
    assert kinds(report) == ["long"]
    assert (report.verdict, report.bound) == ("unknown", None)


# --- bounds ---------------------------------------------------------------------------------------


def proofs(game: aspgames.Game, games: int = 5) -> tuple[Proofs, Sample]:
    sample = Sample(game, 0, 1000)
    sample.play(games, Budget(60))
    net = net_for(game.rules, game.initial.facts)
    return PlayProver(
        net, game.roles, game.initial.facts, sample.steps(), Budget(60)
    ).prove(), sample


@pytest.mark.parametrize(
    ("rules", "bound"),
    [
        (TICTACTOE, 9),
        (HEX, 9),
        (RACE, 7),
        (COUNTER.format("N+1", ", N < 5"), 4),
        (COUNTER.format("5", ", N > 0"), 4),
        (COUNTER.format("N", ""), None),
        (COUNTER.format("1", ""), None),
        (COUNTER.format("N-1", ", N > 1"), None),
    ],
)
def test_what_bounds_play(tmp_path: Path, rules: str, bound: int | None) -> None:
    found, _ = proofs(aspgames.load(write_rules(tmp_path, rules)))
    assert found.bound == bound
    assert not found.out_of_time


def test_words_may_count(tmp_path: Path) -> None:
    order = "after(monday,tuesday). after(tuesday,friday). after(friday,sunday)."
    rules = (
        f"{order} role(a). init(day(monday)). legal(a,wait). legal(a,skip).\n"
        "next(day(E)) :- true(day(D)), after(D,E), not does(a,skip).\n"
        "next(day(F)) :- true(day(D)), after(D,E), after(E,F), does(a,skip).\n"
        "next(day(sunday)) :- true(day(friday)).\n"
        "terminal :- true(day(sunday)). goal(a,100).\n"
    )
    assert proofs(aspgames.load(write_rules(tmp_path, rules)))[0].bound == 3


def test_arrows_bound_amazons(tmp_path: Path) -> None:
    rules = (
        '#include "shared/amazons_split.lp". board(3,4). init(cell(1,1,white)).\n'
        "init(cell(3,4,black)). init(turn(white,move)).\n"
    )
    found, sample = proofs(aspgames.load(write_rules(tmp_path, rules)))
    assert found.bound is not None
    assert sample.longest <= found.bound <= 2 * 12 + 1


def test_a_goal_that_cannot_be_reached_is_never_won(tmp_path: Path) -> None:
    # A rule gives 100; the proof must show that two such rules never fire at once.
    both = "true(control(xplayer)), true(control(oplayer))"
    rules = changed(
        "goal(R,100) :- mark(R,M), line(M).",
        f"goal(oplayer,100) :- line(o).  goal(xplayer,100) :- line(x), {both}.",
    )
    report = found(tmp_path, rules)
    assert [f.sentence.split()[0] for f in report.findings if f.kind == "cannot_win"] == ["xplayer"]


@pytest.mark.parametrize("rules", [TICTACTOE, HEX, RACE], ids=["tictactoe", "hex", "race"])
def test_a_step_for_the_solver_is_a_step_of_play(tmp_path: Path, rules: str) -> None:
    """The next state, the end and the goals agree with the grounder, even if rules have loops."""
    game = aspgames.load(write_rules(tmp_path, rules)).without_nets
    transitions = Transitions(net_for(game.rules, game.initial.facts), game.roles, Budget(60))
    open_, rng = set(transitions.fluents), random.Random(1)
    for _ in range(3):
        state = game.initial
        while not state.is_terminal:
            joint = {role: rng.choice(state.legal[role]).term for role in game.roles}
            before = [
                literal if fluent in state.facts else -literal
                for fluent, literal in transitions.holds.items()
            ]
            does = [transitions.does[move] for move in joint.items()]
            after = state.play(joint)
            step = transitions.example(*before, *does, *transitions.played)
            assert step
            assert step.after == open_.intersection(after.facts)
            assert not transitions.example(*before, transitions.terminal)
            state = after
        last = [
            literal if fluent in state.facts else -literal
            for fluent, literal in transitions.holds.items()
        ]
        assert not transitions.example(*last, -transitions.terminal)
        for role, value in state.goals.items():
            assert not transitions.example(*last, -transitions.goals[role, value])


def test_no_more_than_holds_is_proved_to_hold(tmp_path: Path) -> None:
    """The proved invariants hold in every state of every line of a small game."""
    game = aspgames.load(write_rules(tmp_path, RACE))
    transitions = Transitions(net_for(game.rules, game.initial.facts), game.roles, Budget(60))
    initial = frozenset(game.initial.facts)
    groups = [
        group
        for by_argument in (False, True)
        for group in invariants(transitions, [initial], by_argument)
    ]
    assert any(group.exactly and "at(a,3)" in group.fluents for group in groups)
    known, left = {game.initial}, [game.initial]
    while left:
        state = left.pop()
        for group in groups:
            held = len(group.set.intersection(state.facts))
            assert held == 1 if group.exactly else held <= 1
        joints = (
            () if state.is_terminal else [(a, b) for a in ("walk", "run") for b in ("walk", "run")]
        )
        for one, other in joints:
            after = state.play({"a": one, "b": other})
            if after not in known:
                known.add(after)
                left.append(after)
    assert len(known) > 20


def test_a_measure_that_does_not_grow_is_refuted(tmp_path: Path) -> None:
    game = aspgames.load(write_rules(tmp_path, RACE))
    transitions = Transitions(net_for(game.rules, game.initial.facts), game.roles, Budget(60))
    guesses = Guesses(transitions, (), Budget(60))
    invariants(transitions, [frozenset(game.initial.facts)], True)
    right = Measure("", {f"at(a,{n})": n for n in range(8)})
    assert guesses.fails(right) is None
    for weight in (3, 4):
        wrong = Measure("", {**right.weights, "at(a,5)": weight})
        step = guesses.fails(wrong)
        assert isinstance(step, Transition)
        assert wrong.of(step.after) <= wrong.of(step.before)


def test_sums_that_clingo_cannot_add_up_are_no_proof(tmp_path: Path) -> None:
    assert not Measure("", {"p": 1 << 28, "q": -(1 << 28)}).fits
    rules = "role(a). init(n(1)). legal(a,go). goal(a,100). terminal :- true(n(1000000000)).\n"
    rules += "next(n(N*10)) :- true(n(N)), N < 1000000000.\n"
    assert proofs(aspgames.load(write_rules(tmp_path, rules)))[0].bound == 9


def test_what_a_sum_comes_to_at_most() -> None:
    measure = Measure("", {"p": 3, "q": 2, "r": -1, "s": -2})
    assert measure.highest([]) == 5
    assert measure.highest([Group(("p", "q"), exactly=False)]) == 3
    assert measure.highest([Group(("r", "s"), exactly=True)]) == 4
    assert measure.highest([Group(("r", "s"), exactly=False)]) == 5
    both = [Group(("p", "q"), exactly=True), Group(("q", "r"), exactly=True)]
    assert measure.highest(both) == 3  # q counts once


@pytest.mark.parametrize("values", ["goal(R,50) :- role(R).", "goal(R,200) :- role(R), open."])
def test_goals_that_are_not_settled_are_not_proved_to_be(tmp_path: Path, values: str) -> None:
    assert proofs(aspgames.load(write_rules(tmp_path, TICTACTOE)))[0].settled
    assert not proofs(aspgames.load(write_rules(tmp_path, TICTACTOE + values)))[0].settled


def test_hidden_goals_that_are_not_settled_are_reported(tmp_path: Path) -> None:
    rules = """role(random).  role(a).  init(wait).
legal(random,(heads;tails)) :- true(wait).  legal(random,noop) :- not true(wait).
legal(a,noop).  sees(a,coin) :- true(wait).
next(side(M)) :- does(random,M).  terminal :- not true(wait).
goal(a,n_00) :- true(side(tails)).  goal(a,100) :- true(side(heads)).
"""
    assert set(kinds(found(tmp_path, rules))) == {"goal_range", "cannot_know"}


def test_a_rule_may_be_for_positions_that_are_set_up(tmp_path: Path) -> None:
    never = "next(cell(X,Y,b)) :- true(cell(X,Y,joker)), X < 3.\n"
    assert kinds(found(tmp_path, TICTACTOE + never)) == ["never_fires"]
    listed = TICTACTOE + never + "#program board.\nbase(cell(1..3,1..3,joker)).\n"
    assert "never_fires" not in kinds(found(tmp_path, listed))


# --- the command ----------------------------------------------------------------------------------


def test_the_command_says_it_in_sentences(call: Call, tmp_path: Path) -> None:
    result = call("check", written(tmp_path, TICTACTOE), "--games", "5")
    assert result.code == 0
    assert result.out.startswith("own is a game, as far as can be seen.\n")
    assert "Proved\n  Play ends within 9 plies: " in result.out
    assert "Only seen\n  5 random games ended; " in result.out


def test_the_command_says_that_it_is_no_game(call: Call, tmp_path: Path) -> None:
    result = call("check", written(tmp_path, changed("terminal :- not open.", "")))
    assert result.code == 1
    told = (
        "Errors\n  oplayer has no legal move, and the game isn't over; nobody has a move: no rule"
    )
    assert told in result.out
    assert " fires\n    after " in result.out


@pytest.mark.parametrize("name", ["syntax", "stuck", "loop"])
def test_json_is_as_its_schema_says(call: Call, tmp_path: Path, name: str) -> None:
    old, new, kind, severity, *_ = DEFECTS[name]
    result = call("check", written(tmp_path, changed(old, new)), "--games", "9", "--json")
    assert result.code == (1 if severity == "error" else 0)
    told = check(json.loads(result.out), "check")
    assert kind in {finding["kind"] for finding in told["findings"]}


@pytest.mark.parametrize(
    "wrong",
    [{"game": 5}, {"games": "2"}, {"games": 0}, {"seed": "x"}, {"budget": 3}, {"constants": 4}],
    ids=str,
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(aspgames.AspgamesError):
        aspgames.check(**{"game": "breakthrough", **wrong})
    game = aspgames.load("breakthrough")
    with pytest.raises(aspgames.BadRequest, match="constants go with a name"):
        aspgames.check(game, constants={"width": 4})


def test_bad_input(call: Call, tmp_path: Path) -> None:
    assert_refused(call("check", "nothing.lp"), "there is no file 'nothing.lp'")
    own = written(tmp_path, TICTACTOE)
    assert_refused(call("check", own, "--games", "0"), "a whole number from 1 on, not 0")
    assert_refused(call("check", own, "-c", "a=1"), "own has no constant 'a'")
    (tmp_path / "own.lp").write_bytes(b"\xe4")
    assert_refused(call("check", own), "it is not UTF-8 text")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "played"),
    [
        ("n(0). n(N+1) :- n(N). terminal :- n(-1).", False),
        ("next(n(f(N))) :- true(n(N)). init(n(0)).", True),
    ],
)
def test_what_is_known_is_told_of_rules_without_an_end(
    tmp_path: Path, rules: str, played: bool
) -> None:
    own = written(tmp_path, changed("init(control(", f"{rules} init(control("))
    result = run("check", own, "--time", "4", "--json", cwd=tmp_path)
    told = check(json.loads(result.out), "check")
    assert (result.code, told["verdict"]) == ((0, "game") if played else (3, "unknown"))
    assert ["growing", 7] in [[each["kind"], each["line"]] for each in told["findings"]]
    assert told["not_looked_at"]
    assert (told["games"] > 0) == played


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *FIVE,
        "nim",
        "goofspiel",
        "lines_of_action",
        "checkers",
        "encodings/gallery/fairy/antichess.lp",
    ],
)
def test_nothing_is_wrong_with_the_games_that_come_with_it(name: str) -> None:
    report = aspgames.check(ROOT / name if "/" in name else name)
    assert (report.verdict, kinds(report)) == ("game", [])


def test_of_rules_that_nothing_was_asked_of_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time limit may come before any state is examined."""
    monkeypatch.setattr(Firing, "see", lambda *_: None)
    report = found(tmp_path, RACE)
    assert "not_seen_to_fire" not in kinds(report, "note")
    assert report.not_looked_at == ["whether all rules fire: the time was over"]


@pytest.mark.slow
def test_what_is_known_is_shown_on_a_busy_machine_too(tmp_path: Path) -> None:
    """The time limit comes during clingo's work, and the output takes longer than allowed."""
    rules = (
        "role(a). init(x). goal(a,100). legal(a,go) :- n(0). n(0). n(N+1) :- n(N), N < 99999999."
        "next(x). terminal :- n(9)."
    )
    (tmp_path / "endless.lp").write_text(rules)
    program = (
        "import time\nimport aspgames.cli.check as verb\nshown = verb._print\n"
        "def late(report):\n    time.sleep(3)\n    shown(report)\n"
        "verb._print = late\nfrom aspgames.cli import main\nmain()\n"
    )
    done = python(program, "check", "endless.lp", "--time", "2", cwd=tmp_path)
    assert (done.code, done.err) == (3, "")
    assert done.out.startswith("Whether endless is a game is undecided within the limits.")
    assert done.out.endswith("clingo was still at work when the time was over.\n")
