"""What an author is told: encodings with one mistake each, and the finding with its line."""

import json
from pathlib import Path

import pytest

import aspgames
from aspgames.analysis.part_findings import PartFindings
from aspgames.gdl.encoding import read_encoding
from aspgames.gdl.lint import mistakes
from cli_helpers import Call, write_rules
from paths import ROOT

GAME = """\
#include "shared/alternating.lp".
#include "shared/board.lp".
board(3,3).
init(control(white)).
init(cell(X,1,white)) :- X = 1..3.
init(cell(X,3,black)) :- X = 1..3.
init(step(1)).
ahead(white,north).
ahead(black,south).
legal(R,go(X,Y,U,V)) :- to_move(R), true(cell(X,Y,R)), ahead(R,D), step(D,X,Y,U,V), empty(U,V).
next(cell(X,Y,C)) :- true(cell(X,Y,C)), not does(_,go(X,Y,_,_)).
next(cell(U,V,R)) :- does(R,go(_,_,U,V)).
next(step(N+1)) :- true(step(N)), N < 9.
stuck :- to_move(R), not able(R).
able(R) :- true(cell(X,Y,R)), ahead(R,D), step(D,X,Y,U,V), empty(U,V).
terminal :- stuck.
goal(R,100) :- opponent(R,S), stuck, to_move(S).
goal(R,0) :- stuck, to_move(R).
#program board.
glyph(white,"P").
glyph(black,"p").
picture(R,"disc") :- role(R).
notation(go,"@-@").
fen_field(2,N,step(N)) :- N = 1..9.
#program position.
refused("{} steps are too many",(N,)) :- true(step(N)), N > 9.
#program why.
because(empty(X,Y),"{} is empty",((X,Y),)) :- holds(empty(X,Y)).
"""

# A line of the game, the line in its place, and the finding: kind, line, words.
MISTAKES = {
    "minimize": ("stuck :-", "#minimize { X : true(cell(X,_,_)) }. stuck :-", "ignored", 14, ":~"),
    "weak constraint": ("stuck :-", ":~ true(step(N)). [N]\nstuck :-", "ignored", 14, "optimized"),
    "not does": ("able(R) :-", "able(R) :- not does(R,go(1,1,1,2)),", "moves_too_early", 15,
                 "depends on does/2 by able/1"),
    "does": ("empty(U,V).\nnext", "empty(U,V), does(R,_).\nnext", "moves_too_early", 10,
             "legal/2 depends on does/2, but"),
    "no frame": ("next(cell(X,Y,C)) :- true(cell(X,Y,C)), not does(_,go(X,Y,_,_)).\n", "",
                 "lost", 11, "and 5 more like it hold at the start only"),
    "single": ("true(cell(X,Y,C)), not", "true(cell(X,Y,C)), true(step(N)), not",
               "single_variable", 11, "N stands only once in this rule"),
    "no start": ("init(control(white)).", "", "never_holds", None, "makes it, but needs it"),
    "no turns": ("next(step(N+1)) :- true(step(N)), N < 9.\n", "", "lost", 7, "step/1 holds at"),
    "arity": ("next(cell(U,V,R))", "next(cell(U,V))", "unread", 12, "cell has 3 arguments, not 2"),
    "text": ("init(cell(X,3,black))", 'init(cell(X,3,"black"))', "text_for_name", 6, '"black"'),
    "text in a body": ("ahead(R,D), step(D,X,Y,U,V), empty(U,V).\nnext", 'ahead("white",D),'
                       "step(D,X,Y,U,V), empty(U,V).\nnext", "no_such_value", 10, "mean white?"),
    "at once": ("legal(R,go(X,Y,U,V)) :- to_move(R),", "legal(R,go(X,Y,U,V)) :- role(R),",
                "moves_at_once", None, "choose a move at once, though to_move/1"),
    "full stop": ("init(step(1)).\n", "init(step(1))\n", "syntax", 7, "full stop of this rule"),
    "comma": ("N < 9.\n", "N < 9,\n", "syntax", 13, "missing before line 14"),
    "inequality": ("N < 9.\n", "N \\= 9.\n", "syntax", 13, r"\+ is written not, and \= is !="),
    "from a state": ("stuck :-", "c(N) :- true(step(N)). c(f(X)) :- c(X). stuck :-", "growing", 14,
                     "c/1 may grow without end: give f(X) a bound"),
    "in turns": ("stuck :-", "c(1). d(f(X)) :- c(X). c(X) :- d(X). stuck :-", "growing", 14,
                 "d/1 may grow without end"),
    "for ever": ("stuck :-", "c(a). c(f(X)) :- c(X). stuck :-", "growing", 14, "f(X) a bound"),
    "large": ("N < 9", "N < 2000000000", "large_number", 13, "2000000000 is near the largest"),
    "capture": ("init(step(1)).", "init(step(1)). #const north = 6.", "captured", 7, "board.lp:17"),
    "direction": ("ahead(R,D), step(D,X,Y,U,V), empty(U,V).\nnext", "step(n,X,Y,U,V), empty(U,V)."
                  "\nnext", "no_such_value", 10, "is never n; did you mean east, north"),
    "move in a form": ("notation(go", "notation(og", "part", 23, "no move is called og"),
    "squares": ('"@-@"', '"@-@-@"', "part", 23, "has 3 @, but go/4 has 2 squares"),
    "content": ("glyph(white", "glyph(wihte", "part", 20, "wihte; did you mean white?"),
    "shape": ('"disc"', '"dics"', "part", 22, "no shape dics; did you mean disc?"),
    "no shape": ('"disc"', '"zebra"', "part", 22, "no shape zebra; there are bar"),
    "colour": ("notation(go", 'colour(whiet,"red"). notation(go', "part", 23, "no role whiet"),
    "hole": ("board(3,3).", "board(3,3). hole(4,1).", "part", 3, "d1, which is off the board"),
    "start": ("X = 1..3.\ninit(cell(X,3", "X = 1..4.\ninit(cell(X,3", "part", 5, "d1, which"),
    "fluent": ("fen_field(2,N,step(N))", "fen_field(2,N,setp(N))", "part", 24, "fluent setp"),
    "constant": ("notation(go", 'allowed("widht",3). notation(go', "part", 23, "no constant widht"),
    "glyph twice": ('glyph(black,"p")', 'glyph(black,"P")', "part", 20, "means black and white"),
    "digit": ('glyph(black,"p")', 'glyph(black,"7")', "part", 21, "another meaning in a FEN"),
    "field twice": ('"@-@").', '"@-@"). fen_field(2,1,step(9)).', "part", 23, "and step(9)"),
    "places": ("(N,)) :-", "(N,N)) :-", "sentence", 26, "1 places {}, and the tuple 2 values"),
    "condition": ("holds(empty(X,Y))", "holds(emtpy(X,Y))", "unknown_term", 28, "mean empty/2?"),
    "name in a position": ("true(step(N)), N > 9", "true(cell(N,1,wihte)), N > 9", "part", 26,
                           "no rule names wihte; did you mean white?"),
    "fluent in a position": ("true(step(N)), N > 9", "true(setp(N)), N > 9", "part", 26,
                             "no rule names setp; did you mean step?"),
    "fluent in a reason": ("holds(empty(X,Y))", "holds(empty(X,Y)), holds(true(cell(X,Y)))", "part",
                           28, "cell has 3 arguments here, not 2"),
    "square in a position": ("true(step(N)), N > 9", "true(cell(4,N,white)), true(cell(4,1,black))",
                             "part", 26, "names d1, which is off the board"),
    "move in a reason": ("holds(empty(X,Y))", "fails(legal(_,og(X,Y,_,_)))", "unknown_term", 28,
                         "no move is called og/4"),
}  # fmt: skip


def report_of(folder: Path, text: str) -> aspgames.Report:
    return aspgames.check(write_rules(folder, text), 6)


def test_the_game_has_no_mistake(tmp_path: Path) -> None:
    report = report_of(tmp_path, GAME)
    assert [f for f in report.findings if f.severity != "note"] == []
    assert report.verdict == "game"


@pytest.mark.quick(12)
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, name: str) -> None:
    old, new, kind, line, words = MISTAKES[name]
    assert GAME.count(old) == 1
    found = report_of(tmp_path, GAME.replace(old, new)).findings
    told = [(f.kind, f.line, f.sentence) for f in found]
    assert any((f.kind, f.line) == (kind, line) and words in f.sentence for f in found), told


@pytest.mark.parametrize("name", ["from a state", "in turns", "for ever"])
def test_terms_without_end_leave_it_undecided_at_once(tmp_path: Path, name: str) -> None:
    old, new, *_ = MISTAKES[name]
    report = report_of(tmp_path, GAME.replace(old, new))
    assert (report.verdict, report.states) == ("unknown", 0)
    assert "/1 may grow without end" in report.not_looked_at[0]


@pytest.mark.parametrize("name", ["no frame", "arity", "text in a body", "fluent in a position"])
def test_a_cause_has_one_finding(tmp_path: Path, name: str) -> None:
    """What follows from it, such as rules that never fire, would hide it."""
    old, new, kind, *_ = MISTAKES[name]
    found = report_of(tmp_path, GAME.replace(old, new)).findings
    assert [f.kind for f in found if f.severity == "warning"] == [kind]


def test_pieces_that_no_rule_keeps_are_told(tmp_path: Path) -> None:
    text = (ROOT / "encodings/gallery/tictactoe.lp").read_text()
    rules = text.replace("next(cell(X,Y,R)) :- true(cell(X,Y,R)).", "")
    finding = next(f for f in report_of(tmp_path, rules).findings if f.kind == "lost")
    assert (finding.kind, finding.line) == ("lost", 23)
    assert finding.sentence == "no rule keeps cell/3: each piece is gone after one ply"


def test_a_wrong_end_is_told_once_for_all_roles(tmp_path: Path) -> None:
    goals = "goal(R,90) :- role(R), stuck. terminal :- stuck."
    (found,) = report_of(tmp_path, GAME.replace("terminal :- stuck.", goals)).findings
    assert found.kind == "goal_several"
    assert "white has 2 goals" in found.sentence
    assert "black has 2 goals" in found.sentence


def test_moves_that_differ_in_their_arguments_only_have_one_note(tmp_path: Path) -> None:
    jumps = "{0} :- to_move(R), true(step(8)). {1} :- to_move(R), true(step(8)). terminal :- stuck."
    moves = "legal(R,jump(on(1,2),2))", "legal(R,jump(on(on(1,2),3),2))"
    rules = GAME.replace("terminal :- stuck.", jumps.format(*moves))
    found = [f.sentence for f in report_of(tmp_path, rules).findings if f.kind == "not_seen_legal"]
    assert len(found) == 1
    assert found[0].startswith("jump(_,_) was not seen to be legal for black and white")


BOOKS = ("connect_four", "hex", "mancala", "peg_solitaire", "pentago", "tictactoe", "tron")
FILES = [
    *(ROOT / f"encodings/gallery/{name}.lp" for name in BOOKS),
    *(ROOT / "tests/data").glob("*.lp"),
]


@pytest.mark.quick(5)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_shipped_encodings_have_no_mistake(tmp_path: Path, file: Path) -> None:
    own = write_rules(tmp_path, file.read_text())
    assert mistakes(read_encoding(str(own))) == []
    assert list(PartFindings(aspgames.load(own))) == []


@pytest.mark.quick(12)
@pytest.mark.parametrize("name", aspgames.games())
def test_built_in_games_have_no_mistake_in_their_boards(name: str) -> None:
    assert list(PartFindings(aspgames.load(name))) == []


# --- counterexamples ------------------------------------------------------------------------------

# Only one line of eight plies, among 2^8, shows what is wrong.
DEEP = """\
role(a). init(n(0)). init(all). legal(a,(left;right)).
next(n(N+1)) :- true(n(N)), N < 8.
next(all) :- true(all), does(a,left).
terminal :- true(n(8)), ALSO.
goal(a,100) :- true(n(8)). {}
"""


@pytest.mark.parametrize(
    ("rule", "kind", "words"),
    [
        ("goal(a,50) :- true(n(8)), true(all).", "goal_several", "a has 2 goals"),
        ("terminal :- true(n(9)).", "", ""),
    ],
)
def test_the_solver_finds_what_random_games_miss(
    tmp_path: Path, rule: str, kind: str, words: str
) -> None:
    text = DEEP.format(rule).replace(", ALSO", "")
    report = report_of(tmp_path, text)
    found = [f for f in report.findings if f.kind == kind]
    if kind:
        assert words in found[0].sentence
        assert found[0].witness
        assert [joint["a"] for joint in found[0].witness.moves] == ["left"] * 8
        state = aspgames.load(tmp_path / "own.lp").initial
        for joint in found[0].witness.moves:
            state = state.play(joint)
        assert state.facts == found[0].witness.facts
    else:
        assert report.verdict == "game"
        assert "At the end every role has one goal from 0 to 100." in report.proved


def test_the_solver_finds_a_role_without_a_move(tmp_path: Path) -> None:
    text = DEEP.format("").replace("true(n(8)), ALSO", "true(n(8)), not true(all)")
    text = text.replace("legal(a,(left;right)).", "legal(a,(left;right)) :- true(n(N)), N < 8.")
    (finding,) = [f for f in report_of(tmp_path, text).findings if f.kind == "stuck"]
    assert finding.witness
    assert len(finding.witness.moves) == 8


def test_a_frame_that_loses_a_square_is_found(tmp_path: Path) -> None:
    """A piece that goes back leaves no blank."""
    text = """\
role(a). at(1..4). init(cell(1,p)). init(cell(X,b)) :- at(X), X > 1. init(n(0)).
legal(a,(ahead;back)).
next(n(N+1)) :- true(n(N)), N < 9.
goes(X,X+1) :- true(cell(X,p)), at(X+1), does(a,ahead).
goes(X,X-1) :- true(cell(X,p)), at(X-1), does(a,back).
moves(X) :- goes(X,_).  moves(X) :- goes(_,X).
next(cell(X,C)) :- true(cell(X,C)), not moves(X).
next(cell(Y,p)) :- goes(_,Y).
next(cell(X,b)) :- goes(X,Y), Y > X.
next(cell(X,b)) :- goes(X,Y), Y < X, X < 4.
terminal :- true(n(9)).
goal(a,100) :- terminal.
"""
    (finding,) = [f for f in report_of(tmp_path, text).findings if f.kind == "content"]
    assert "cell(4,_) has no content left" in finding.sentence
    assert finding.witness
    assert [joint["a"] for joint in finding.witness.moves] == ["ahead"] * 3 + ["back"]


# --- the command ----------------------------------------------------------------------------------


def test_warnings_are_an_exit_code_if_strict(call: Call, folder: Path) -> None:
    old, new, *_ = MISTAKES["content"]
    write_rules(folder, GAME.replace(old, new))
    codes = [call("check", "own.lp", "--games", "3", *more).code for more in ((), ("--strict",))]
    assert codes == [0, 1]
    write_rules(folder, GAME)
    assert call("check", "own.lp", "--games", "3", "--strict").code == 0


def test_sarif_has_the_file_and_the_line(call: Call, folder: Path) -> None:
    old, new, *_ = MISTAKES["capture"]
    (folder / "my games").mkdir()
    write_rules(folder, GAME.replace(old, new), "my games/own.lp")
    result = call("check", "my games/own.lp", "--games", "1", "--format", "sarif")
    told = json.loads(result.out)
    (run,) = told["runs"]
    assert (told["version"], run["tool"]["driver"]["name"]) == ("2.1.0", "aspgames")
    captured = next(each for each in run["results"] if each["ruleId"] == "captured")
    assert captured["level"] == "warning"
    place = captured["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20games/own.lp"
    assert place["region"]["startLine"] == 7
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} >= {"captured"}
    as_json = call("check", "my games/own.lp", "--games", "1", "--format", "json")
    assert as_json.out == call("check", "my games/own.lp", "--games", "1", "--json").out


OTHER_WORDS = {
    "true as a head": ("true(step(3)) :- true(step(2)).", "true/1 is given: write init/1 for the"),
    "does as a head": ("does(white,go(1,1,1,2)) :- true(step(1)).", "does/2 is given: write legal"),
}


@pytest.mark.parametrize(("rule", "told"), OTHER_WORDS.values(), ids=OTHER_WORDS)
def test_rules_for_what_is_given_are_told(tmp_path: Path, rule: str, told: str) -> None:
    text = GAME.replace("stuck :-", f"{rule}\nstuck :-", 1)
    found = [m for m in mistakes(read_encoding(str(write_rules(tmp_path, text)))) if m.line == 14]
    assert [m.kind for m in found] == ["dialect"]
    assert found[0].sentence.startswith(told)


def test_programs_with_time_steps_are_told_apart(tmp_path: Path) -> None:
    rules = """role(a).
        legal(R,go,T) :- role(R), holds(n(N),T), time(T).
        holds(n(N+1),T+1) :- holds(n(N),T), occurs(go,T).
        time(0..3). holds(n(0),0). occurs(go,0). terminal(T) :- time(T), holds(n(3),T)."""
    found = mistakes(read_encoding(str(write_rules(tmp_path, rules))))
    assert [m.sentence.split(":")[0] for m in found if m.kind == "dialect"] == [
        "legal/3 has a time step",
        "holds/2 has a time step",
        "occurs/2 has a time step",
        "terminal/1 has a time step",
    ]


def test_telingos_parts_are_named(tmp_path: Path, call: Call) -> None:
    rules = (
        "#program initial. at(here). #program dynamic. at(X) :- 'at(X). #program final. :- at(X)."
    )
    shown = call("legal", str(write_rules(tmp_path, rules)))
    assert shown.code == 2
    assert "these parts are telingo's: initial, dynamic, final; aspgames import writes" in shown.err
    report = aspgames.check(str(write_rules(tmp_path, rules)))
    assert any("telingo's: initial" in finding.sentence for finding in report.findings)


PLAYED = {  # a text of the game, the one in its place, the kind and the words of the finding
    "two on a square": ("next(cell(X,Y,C)) :- true(cell(X,Y,C)), not does(_,go(X,Y,_,_)).",
                        "next(cell(X,Y,C)) :- true(cell(X,Y,C)). next(cell(X,1,black)) :- "
                        "true(cell(X,1,white)).", "content", "two things stand on one square"),
    "off the board": ("next(cell(U,V,R)) :- does(R,go(_,_,U,V)).",
                      "next(cell(U,V+3,R)) :- does(R,go(_,_,U,V)).", "content", "is off the board"),
    "one side": ('#include "shared/alternating.lp".', '#include "shared/players.lp".\n'
                 "to_move(R) :- true(control(R)). next(control(R)) :- true(control(R)). "
                 "legal(R,noop) :- role(R), not to_move(R).", "never_on_move",
                 "black was never on move"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "kind", "told"), PLAYED.values(), ids=PLAYED)
def test_what_random_games_show_is_told(
    tmp_path: Path, old: str, new: str, kind: str, told: str
) -> None:
    assert old in GAME
    report = aspgames.check(str(write_rules(tmp_path, GAME.replace(old, new, 1))), games=5)
    assert any(f.kind == kind and told in f.sentence for f in report.findings), report.findings


def test_a_role_that_can_not_wait_is_told_how(tmp_path: Path) -> None:
    rules = """role(a). role(b). init(turn(a)). init(n(2)). legal(R,go) :- true(turn(R)).
        next(turn(b)) :- true(turn(a)). next(turn(a)) :- true(turn(b)).
        next(n(N-1)) :- true(n(N)), N > 0. terminal :- true(n(0)). goal(R,50) :- role(R)."""
    report = aspgames.check(str(write_rules(tmp_path, rules)))
    (found,) = (each for each in report.findings if each.severity == "error")
    assert found.sentence == (
        "b has no legal move, and the game isn't over; "
        "who waits has the move noop, as in shared/alternating.lp"
    )
