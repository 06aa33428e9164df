"""Popeye: its input is read, and ``popeye:`` compares moves and solutions."""

import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest

import aspgames
from aspgames.cli.popeye_text import PopeyeText
from aspgames.composer.problem_answers import problems_of
from aspgames.composer.problem_play import CHECKED, MoveGoalPlay, ProblemPlay
from aspgames.crosscheck.engines.engine import asked
from aspgames.crosscheck.engines.engine_names import open_engine
from aspgames.crosscheck.engines.peers import needed_peer
from aspgames.crosscheck.engines.popeye_engine import problem_text
from aspgames.crosscheck.engines.popeye_input import peer_for, read_problems, rule_book
from aspgames.crosscheck.engines.popeye_problem import PopeyeProblem
from aspgames.crosscheck.engines.popeye_words import ENGLISH
from aspgames.game.game import Game
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import Budget
from cli_helpers import Call, assert_refused, check
from crosscheck_helpers import go, python, the_one
from paths import ROOT

FAIRY = ROOT / "encodings/gallery/fairy"
CASTLING = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POPEYE = os.environ.get("POPEYE") or shutil.which("popeye") or ""


def book(problem: PopeyeProblem, folder: Path) -> Game:
    """The rule book of a problem for which there is one."""
    found = rule_book(problem, folder)
    assert found is not None
    return found


def alike(fault: str) -> str:
    return f"popeye:{python('problem_engine.py', fault)}"


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/3pP3/8/8/6p1/4K2R w K d6 0 1",
        *(
            pytest.param(fen, marks=pytest.mark.slow)
            for fen in [
                CASTLING,
                CASTLING.replace(" w KQkq", " b Kq"),
                "4k2r/8/8/8/3pP3/8/6p1/4K3 b k e3 0 1",
                "8/8/8/8/8/1K6/7R/k7 w - - 0 1",
                "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            ]
        ),
    ],
)
def test_legal_moves_are_the_same(fen: str) -> None:
    game = aspgames.load("chess")
    result = go(game, alike("none"), starts=(game.position(fen).facts,), games=0, made=0, only=True)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.positions > 5


@pytest.mark.slow
def test_a_fault_is_reduced_to_one_castling() -> None:
    game = aspgames.load("chess")
    start = game.position(CASTLING).facts
    found = the_one(go(game, alike("no-castling"), starts=(start,), games=0, made=0))
    assert found.kind == "legal"
    assert found.missing in {("e1 c1",), ("e1 g1",), ("e8 c8",), ("e8 g8",)}
    assert len(found.question.after) == 7  # two kings, a rook, four facts about the game


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("fen", "stipulation", "turns", "keys"),
    [
        ("8/1P1k4/8/3K4/8/8/8/7R w - - 0 1", "#2", 2, {"h1 h7"}),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "#3", 1, {"g6 g7"}),
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", "#2", None, set()),
        ("k7/7r/8/8/8/1K6/8/8 b - - 0 1", "#1", None, set()),
        ("4K3/8/4k3/8/8/8/8/6r1 b - - 0 1", "#1", 1, {"g1 g8"}),
        ("8/8/8/8/8/5k2/7p/5K1R b - - 0 1", "h#2", None, set()),
        ("k7/8/1K6/8/8/8/8/6R1 b - - 0 1", "h#1", 1, None),
        ("1k6/8/1K6/8/8/8/8/6R1 w - - 0 1", "h#0.5", 1, None),
    ],
)
def test_solutions_are_the_same(
    fen: str, stipulation: str, turns: int | None, keys: set[str] | None
) -> None:
    game = aspgames.load("chess")
    state = game.position(fen)
    problems = problems_of(stipulation, state, 60)
    with_engine = open_engine(alike("none"), 60)
    with_engine.check(game)
    solution = with_engine.solve(asked(game, state.facts), stipulation)
    assert solution is not None
    assert solution.turns == turns
    if keys and solution.keys is not None:
        assert solution.keys == keys
    result = go(game, alike("none"), starts=(state.facts,), games=0, made=0, problems=problems)
    assert not result.findings, result.findings[0].shrunk


def test_another_solution_is_a_disagreement(call: Call) -> None:
    fen = "k7/8/1K6/8/8/8/8/5R1R w - - 0 1"
    asked_for = ("crosscheck", "chess", fen, "--stipulation", "#1", "--only")
    found = call(*asked_for, "--against", alike("one-key"), "--json")
    (wrong,) = found.json["disagreements"]
    assert (found.code, wrong["kind"]) == (1, "solution")
    assert all(item["text"].startswith("key ") for item in wrong["missing"])
    assert "--stipulation '#1'" in wrong["reproduce"]
    shown = call(*asked_for, "--against", alike("one-key"))
    assert "disagrees on the solution of the problem" in shown.out
    assert "Missing:  key " in shown.out


def test_popeye_has_no_draw_by_fifty_moves() -> None:
    game = aspgames.load("chess")
    state = game.position("7k/8/5K2/8/8/8/8/1Q4R1 w - - 97 60")
    engine = open_engine(alike("none"), 60)
    assert engine.solve(asked(game, state.facts), "#2") is None
    over = game.position("7k/8/5K2/8/8/8/8/1Q4R1 w - - 100 60")
    result = go(game, alike("none"), starts=(over.facts,), games=0, made=0)
    assert not result.findings


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("fault", "options", "code", "words"),
    [
        ("nothing", ["chess"], 4, "ended before its search"),
        ("both-kings", ["chess"], 1, "refuses it"),
        pytest.param(
            *("slow", ["chess", "--engine-timeout", "0.2"], 4, "hangs"), marks=pytest.mark.slow
        ),
        ("none", ["breakthrough"], 2, "doesn't have breakthrough"),
        ("none", ["chess", "--stipulation", "#x"], 2, "the stipulation must be"),
    ],
)
def test_what_else_the_program_does(
    call: Call, fault: str, options: list[str], code: int, words: str
) -> None:
    found = call("crosscheck", *options, "--games", "0", "--made", "0", "--against", alike(fault))
    assert found.code == code
    assert words in found.out + found.err


def test_another_program_is_not_popeye(call: Call) -> None:
    found = call("crosscheck", "chess", "--against", "popeye:echo hello", "--made", "0")
    assert_refused(found, "this is not Popeye", code=4)
    found = call("crosscheck", "chess", "--against", "propnet", "--stipulation", "#2")
    assert_refused(found, "propnet solves no problems")


@pytest.mark.sample(6)
@pytest.mark.slow
@pytest.mark.skipif(not POPEYE, reason="there is no popeye")
@pytest.mark.parametrize("name", ["chess", *sorted(path.stem for path in FAIRY.glob("*.lp"))])
def test_popeye_has_the_same_moves(name: str) -> None:
    game = aspgames.load("chess" if name == "chess" else str(FAIRY / f"{name}.lp"))
    if name in ("antichess", "atomic"):
        pytest.skip("Popeye doesn't have them")
    result = go(game, f"popeye:{POPEYE}", games=2, made=60)
    assert not result.findings, result.findings[0].shrunk


# --- its input ------------------------------------------------------------------------------------

PROBLEMS = """BeginProblem
Author N. N.
Origin written for this test, 2026
remark nothing of this line is read: Stipulation #9
Pieces White Kd5 Rh1 Pb7
       Black Kd7
Stip #2
Opti Vari Set Try MaxSol 3
NextProblem
forsyth r3k2r/8/8/3pP3/8/8/8/R3K2R
stipulation H#2.5
option nocastling a1h8 enpassant d7d6d5
next
pieces black k a1 n b2c3 white ng7 ke4
stip ser-h#2 option halfduplex
next
forsyth k.ca5/48/7K
stip #1
cond Circe AprilChess
endproblem
The rest is for people.
beginproblem forsyth K1k stip s#2 condition monochrom endproblem
"""


def test_problems_are_read(tmp_path: Path) -> None:
    first, second, third, fourth, last = read_problems(PROBLEMS)
    assert first.texts == {"author": ["N. N."], "origin": ["written for this test, 2026"]}
    assert first.fen(peer_for(first, book(first, tmp_path))) == "8/1P1k4/8/3K4/8/8/8/7R w - - 0 1"
    assert (first.stipulation, first.wants_all, second.wants_all) == ("#2", True, False)
    assert second.stipulation == "h#2.5"
    fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 1"
    assert second.fen(peer_for(second, book(second, tmp_path))) == fen
    assert book(third, tmp_path).name == "nightrider"
    assert third.fen(peer_for(third, book(third, tmp_path))) == (
        "8/6S1/8/8/4K3/2s5/1s6/k7 w - - 0 1"
    )
    assert fourth.pieces == {"a8": "k", "b8": ".ca", "h1": "K"}
    with pytest.raises(aspgames.BadRequest, match="no rule book has AprilChess"):
        rule_book(fourth, tmp_path)
    assert book(last, tmp_path).name == "monochromatic"


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pieces white kc8 pb6 black ka8 pa7 cond nocap promo q r b s em", "empress+no_captures"),
        ("pieces white ka1 caa2 nb2 black kh8 zh7", "camel+nightrider+zebra"),
        ("pieces white ka1 caa2 black kh8 cond circe", "camel+circe"),
        ("pieces white ka1 caa2 black kh8 cond circe nocapt", "camel+circe+no_captures"),
        ("pieces white ka1 caa2 gb2 black kh8 cond promo q r b s ca g", "camel+grasshopper"),
        (
            "pieces white ka1 caa2 gb2 black kh8 cond promo q r b s ca",
            "camel+grasshopper+only+b+ca+q+r+s",
        ),
        ("pieces white ka1 gb2 black kh8 lh7", "grasshopper+locust"),
        ("pieces white ka1 gb2 black kh8 cond circe", None),
        ("pieces white ka1 gia2 caa3 gb2 black kh8", None),
        ("pieces white ka1 ama2 pra3 black kh8", None),
    ],
)
def test_rule_books_are_put_together(tmp_path: Path, text: str, name: str | None) -> None:
    (problem,) = read_problems(f"begin {text} stip #1 end")
    if name is None:
        assert rule_book(problem, tmp_path) is None
    else:
        game = book(problem, tmp_path)
        assert game.name == name
        position = problem.fen(needed_peer(game, "popeye"))
        assert game.position(position).legal_moves


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pieces white ka1x", "'ka1x' is no piece"),
        ("pieces ka1", "'ka1' is no piece"),
        ("pieces white ka1 black qa1", "two pieces stand on a1"),
        ("pieces white ka1 royal black sd2", "royal stands before no piece"),
        ("forsyth 8/8/8/8/8/8/8/8K", "no Forsyth notation of 64"),
        ("forsyth k?", "no Forsyth notation"),
        ("forsyth .xy", "no Forsyth notation"),
        ("option nox", "the option 'nox' isn't read"),
        ("stip #2 3", "'3' follows the stipulation '#2'"),
        ("option 3", "the option '3' isn't read"),
        ("sstipulation 3ad[#]", "begins with a side, not '3ad[#]'"),
        ("stip #2", "EndProblem is missing"),
    ],
)
def test_what_is_not_read_is_told(text: str, words: str) -> None:
    (problem,) = read_problems(f"BeginProblem\n\n{text}\n")
    assert words in problem.error


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("pieces white kc1 uuc7 black ka1", ["UU (line 2)"]),
        ("pieces white kc1 black ka1\npieces white magic qb3", ["magic pieces (line 3)"]),
        (
            "pieces white jigger gc1 black ka1\noption nullm",
            ["jigger", "the option nullmoves (line 3)"],
        ),
        ("pieces white kc1 uua2 black ka1 cond koeko april", ["UU (line 2)", "April"]),
        ("pieces white kc1 black ka1 cond nonsense", ["nonsense (line 2)"]),
        ("pieces white kc1 black ka1 cond april breton chromatic", ["April", "Breton chromatic ("]),
    ],
)
def test_all_that_is_missing_is_told_and_nothing_else(
    tmp_path: Path, text: str, missing: list[str]
) -> None:
    (problem,) = read_problems(f"begin\n{text} stip #2 end")
    assert not problem.error
    with pytest.raises(aspgames.BadRequest, match="no rule book has") as caught:
        rule_book(problem, tmp_path)
    assert str(caught.value).count("(line") == len(missing)
    assert all(part in str(caught.value) for part in missing)


def test_words_are_those_of_popeye() -> None:
    """Popeye takes a word of even length for a piece of two letters; words may be shortened."""
    for language, letters in ENGLISH.items():
        begin, pieces, white = {
            "english": ("begin", "pieces", "wh"),
            "german": ("anfang", "steine", "w"),
            "french": ("debut", "pieces", "blanc"),
        }[language]
        for theirs, ours in letters.items():
            (problem,) = read_problems(f"{begin} {pieces} {white} {theirs}a1b2, {theirs}; c3")
            name = f".{ours}".upper() if len(ours) == 2 else ours.upper()
            if ours.isdigit():
                name = f"W.{ours}"
            assert problem.pieces == dict.fromkeys(["a1", "b2", "c3"], name)
    (problem,) = read_problems(
        "begin stipulation # 2\nlatex out.tex\nlatexpieces g\ninitialgamearray option variations "
        "Threat 3 NonTrivial 1 2 wh endproblem"
    )
    assert (problem.stipulation, problem.pieces["d8"], len(problem.pieces)) == ("#2", "q", 32)
    assert problem.options == {
        "variations": "", "threat": "3", "nontrivial": "1 2", "whitetoplay": ""
    }  # fmt: skip
    (problem,) = read_problems("anfang forsyth k1D/s stipulation h#3 opt weiss end")
    assert problem.error  # Popeye's German has no such words
    (problem,) = read_problems("anfang forsyth k1D/s forderung h#3 opt weiss end")
    assert (problem.solved, problem.mover) == ("h#2.5", "white")
    assert problem.pieces == {"a8": "k", "c8": "Q", "a7": "s"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "promotions"),
    [("", "bgrsq"), ("noiprom", "bgrsq"), ("promonly q g", "gq"), ("promonly s", "s")],
)
def test_promotions_are_those_that_a_problem_names(
    tmp_path: Path, condition: str, promotions: str
) -> None:
    text = f"begin pieces white ka1 pb7 gc1 black kh6 stip #1 condition {condition} end"
    (problem,) = read_problems(text)
    game = book(problem, tmp_path)
    state = game.position(problem.fen(needed_peer(game, "popeye")))
    found = [move.text[-1] for move in state.legal_moves if "=" in move.text]
    assert sorted(found) == sorted(promotions.replace("s", "n"))


TWINS = """beginproblem pieces white kd5 rh1 pb7 black kd7 stip #2
twin move h1 g1
twin cont exchange b7 g1
twin rem b7 add white qb6 black pa2a3
twin subst r q
twin stip s#2 cond circe
twin rotate 90
twin mirror a1<-->h1
twin mirror a1<-->a8
twin mirror a1<-->h8
twin mirror a8<-->h1
twin shift a1 a2
twin polish
option nocastling a1 endproblem"""


def test_twins_are_read(tmp_path: Path) -> None:
    twins = list(read_problems(TWINS))
    assert [twin.label for twin in twins] == list("abcdefghijklm")
    boards = [twin.fen(peer_for(twin, book(twin, tmp_path))).split()[0] for twin in twins]
    assert boards == [  # Popeye 4.104 has the same moves
        "8/1P1k4/8/3K4/8/8/8/7R",
        "8/1P1k4/8/3K4/8/8/8/6R1",
        "8/1R1k4/8/3K4/8/8/8/6P1",
        "8/3k4/1Q6/3K4/8/p7/p7/7R",
        "8/1P1k4/8/3K4/8/8/8/7Q",
        "8/1P1k4/8/3K4/8/8/8/7R",
        "7R/8/8/8/1k1K4/8/1P6/8",
        "8/4k1P1/8/4K3/8/8/8/R7",
        "7R/8/8/8/3K4/8/1P1k4/8",
        "8/1P6/8/1k1K4/8/8/8/7R",
        "R7/8/8/8/4K1k1/8/6P1/8",
        "1P1k4/8/3K4/8/8/8/7R/8",
        "8/1p1K4/8/3k4/8/8/8/7r",
    ]
    assert (twins[5].stipulation, twins[5].conditions) == ("s#2", ["Circe"])
    assert all(twin.options == {"nocastling": "a1"} for twin in twins)
    (alone,) = read_problems("begin pieces white ka1 stip #2 zero move a1 b1 add black kh8 endp")
    assert alone.pieces == {"b1": "K", "h8": "k"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("ka1", "'ka1' is no change of a twin"),
        ("move A1", "2 squares must follow, not 'A1'"),
        ("move a1 a2", "there is no piece on a1"),
        ("remove x9", "1 square must follow"),
        ("add white Zz9", "'Zz9' is no piece"),
        ("substitute r", "two pieces must follow"),
        ("substitute R Xx", "'R Xx' isn't two pieces"),
        ("rotate 45", "rotated by 90, 180 or 270"),
        ("mirror a1 b1", "mirrored by a1<-->h1"),
        ("shift a1 a8", "would leave the board"),
    ],
)
def test_a_twin_that_cannot_be_is_told(change: str, words: str) -> None:
    text = "begin pieces white kd5 black kd7 stip #2 twin {} twin move d5 e5 endproblem"
    first, bad, good = read_problems(text.format(change))
    assert not first.error
    assert bad.error.startswith("line 1: twin b: ")
    assert words in bad.error
    assert not good.error


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", ["chess", "circe", "grasshopper", "camel"])
def test_what_is_written_is_read_back(tmp_path: Path, name: str) -> None:
    path = "chess" if name == "chess" else str(FAIRY / f"{name}.lp")
    game = aspgames.load(path)
    glyph = {"grasshopper": "G", "camel": "C"}.get(name, "N")
    for fen in (
        f"r3k2r/8/8/3pP3/8/8/8/R3{'K'}1{glyph}R w Kq d6 0 1",
        f"4k3/8/8/8/8/8/{glyph}7/4K3 b - - 0 1",
    ):
        state, peer = game.position(fen), needed_peer(game, "popeye")
        for stipulation in ("#2", "h#2", "h#2.5", "ser-#3"):
            (problem,) = read_problems(problem_text(state, peer, stipulation))
            assert not problem.error
            assert problem.fen(peer_for(problem, game)) == fen
            assert rule_book(problem, tmp_path) == game


def shown(call: Call, text: str, code: int = 0) -> str:
    """What is printed for a problem without board, but the pieces."""
    text = f"begin {text} option noboard end"
    found = call("solve", "--popeye", "-", "--time", "60", stdin=text.encode())
    assert (found.code, found.err) == (code, "")
    return found.out.strip("\n")


def test_variations_and_tries_are_printed_as_popeye_does(call: Call) -> None:
    """Also a try that the only legal reply refutes; the answer is Popeye 4.104's."""
    text = "pieces white kd5 rh1 pb7 black kd7 stip #2 option setplay try variation"
    assert (
        shown(call, text)
        == """
   1.Rh1-h7 + !
      1...Kd7-d8
          2.b7-b8=Q #
          2.b7-b8=R #
      1...Kd7-e8
          2.b7-b8=Q #
          2.b7-b8=R #

   1.b7-b8=Q ? threat:
          2.Rh1-h7 #
    but
      1...Kd7-e7 !

(3+1) C+""".strip("\n")
    )


PLAYS = [
    (
        "pieces white kd5 rh7 pb7 black kd7 stip #2 option postkeyplay",
        " +;1...Kd7-e8;2.b7-b8=Q #;2.b7-b8=R #;1...Kd7-d8;2.b7-b8=Q #;2.b7-b8=R #;;(3+1) C+",
    ),
    (
        "pieces white ka3 qe7 sb8 rg1 pe3f4 black kd5 pc3c4g4h5c7 ba4 stip #2 option postkeyplay",
        " threat:;2.Qe7-e5 #;;(6+7) C+",
    ),
    (
        "pieces white ka1 qd1 black ka3 pa2b4 stip s#2 option postkeyplay",
        " zugzwang.;1...b4-b3;2.Qd1-g4;2...b3-b2 #;;(2+3) C+",
    ),
    (
        "pieces white kd5 rh1 black kd7 stip #2 option postkeyplay",
        " zugzwang.;1...Kd7-e8;refutes.;1...Kd7-c8;refutes.;1...Kd7-c7;refutes.;1...Kd7-d8;refutes."
        ";1...Kd7-e7;refutes.;;(2+1)",
    ),
    (  # a reply that mates at once is shown only if all do: in set play here
        "pieces white ka1 rc4 pg4 black ka3 pa2b3c5g5 stip s#2 option setplay",
        "1...b3-b2 #;;1.Rc4-e4 ! threat:;2.Re4-c4;2...b3-b2 #;;(3+5) C+",
    ),
    (  # here in set play another doesn't
        "pieces white ka1 rc4 pg4 black ka3 pa2b3c5g6 stip s#2 option setplay",
        "1.g4-g5 !;1...b3-b2 #;;(3+5)",
    ),
    (  # here after the key
        "pieces white ka1 rc3 black ka3 pa2b3c5 stip s#3 option setplay",
        "1...c5-c4;2.Rc3*c4;2...b3-b2 #;;1.Rc3-c4 !;1...b3-b2 #;;(2+4)",
    ),
]


@pytest.mark.quick(1)
@pytest.mark.parametrize(("text", "lines"), PLAYS)
def test_set_play_and_play_after_the_key_are_those_of_popeye(
    call: Call, text: str, lines: str
) -> None:
    found = shown(call, text + " variation").split("\n")
    assert [line if line[:2] in (" +", " z", " t") else line.strip() for line in found] == (
        lines.split(";")
    )


def test_changed_play_is_a_table(call: Call) -> None:
    """By S. Loyd, New York Chess Association 1892; a queen's same mate isn't a changed one."""
    text = "forsyth 7K/8/8/8/R4pSk/8/1Q6/2BB1S2 stip #2 option setplay try variation"
    table = shown(call, text).partition("changed play")[2].split("\n")
    assert table[:2] == [
        "   1.Sf1-g3!   1.Qb2-b5?   1.Qb2-e5?            1.Qb2-g7?",
        "   f4-f3          Qb2-h2 #    Sg4-f2 #    Qe5-h2 #, Sg4-f2 #   (Qg7-h6 #)",
    ]
    assert "changed play" not in shown(call, text.replace(" variation", ""))


@pytest.mark.parametrize(
    ("intended", "end"),
    [
        ("2sol.", "(3+1) C+"),
        ("1.2", "(3+1) C+"),
        ("2.1", "intended: 2.1; solutions: 1.2\n\n(3+1)"),
        ("3 solutions", "intended: 3; solutions: 2\n\n(3+1)"),
    ],
)
def test_the_number_of_solutions_may_be_intended(call: Call, intended: str, end: str) -> None:
    text = shown(call, f"pieces white kb3 rh2g8 black ka1 stip h#1 {intended}")
    assert text.endswith(f"\n\n{end}")
    assert "intended" in end or "intended" not in text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("anfang steine weiss kg1 de6 bg2 schwarz kh4 bh6 forderung #2 option verf vari weiteres "
         "steine weiss kd5 th1 bb7 schwarz kd7 forderung #2 option verf vari ende",
         ["Zugzwang.", "Aber", "Drohung:"]),
        ("debut pieces blanc rg1 de6 pg2 noir rh4 ph6 enonce #2 option essai vari asuivre "
         "pieces blanc rd5 th1 pb7 noir rd7 enonce #2 option essai vari fin",
         ["blocus.", "mais", "menace:"]),
    ],
)  # fmt: skip
def test_words_are_those_of_the_language(call: Call, language: str, words: list[str]) -> None:
    found = call("solve", "--popeye", "-", stdin=language.encode())
    assert (found.code, found.err) == (0, "")
    assert all(f" {word}\n" in found.out for word in words)
    assert not any(word in found.out for word in ("zugzwang", "but", "threat"))


@pytest.mark.slow
def test_the_threat_after_a_double_step_is_printed(call: Call) -> None:
    pieces = "white ka3 qe7 sb8 rg1 pe3f2 black kd5 pc3c4g4h5c7 ba4"
    assert (
        shown(call, f"pieces {pieces} stip #2 option variation")
        == """
   1.f2-f4 ! threat:
          2.Qe7-e5 #
      1...g4*f3 ep.
          2.Rg1-g5 #

(6+7) C+""".strip("\n")
    )


@pytest.mark.slow
def test_short_variations_and_the_last_move_of_a_selfmate_have_no_threats(call: Call) -> None:
    """Popeye prints no reply that loses sooner than to the threat, and no zugzwang at the end."""
    pieces = "white ke5 qc7 rh7 black ke8 ra8 bb5 pb6d7e4f2"
    out = shown(call, f"pieces {pieces} stip #4 option variation")
    assert "   1.Ke5-d4 ! threat:\n          2.Qc7-e5 +\n              2...Ke8-d8\n" in out
    assert [line[10:] for line in out.splitlines() if line.startswith("      1...")] == [
        *("Ra8-a4 +", "Bb5-c4", "Ke8-f8", "f2-f1=Q", "f2-f1=R")
    ]
    assert (
        shown(call, "pieces white ka1 qg4 black ka3 pa2b4 stip s#2 option variation")
        == """
   1.Qg4-d1 ! zugzwang.
      1...b4-b3
          2.Qd1-g4
              2...b3-b2 #

(2+3) C+""".strip("\n")
    )


def test_all_lines_of_help_play_are_printed(call: Call) -> None:
    """Short solutions first, and no C+ then; in German, and after a twin's change."""
    text = "pieces white kb3 rh2 black ka1 stip h#1.5"
    lines = shown(call, text).splitlines()
    assert lines[0] == "  1...Rh2-h1 #"
    assert sorted(lines[1:-2]) == sorted(
        f"  1...Rh2-{s}   2.Ka1-b1 R{s}-{s[0]}1 #" for s in ["d2", "e2", "f2", "g2"]
    ) + [f"  1...Rh2-h{n}   2.Ka1-b1 Rh{n}-h1 #" for n in "345678"]
    assert lines[-1] == "(2+1)"
    text = (
        "anfang steine w kb3 th2 sch ka1 forderung h#1 option ohnebrett satz zwilling entf h2 ende"
    )
    found = call("solve", "--popeye", "-", stdin=text.encode())
    assert "a)\n\n  1...Th2-h1 #\n\n  1.Ka1-b1 Th2-h1 #\n\n(2+1) C+\n\nb) entf h2" in found.out


@pytest.mark.slow
def test_a_side_may_have_no_king(call: Call) -> None:
    text = "begin pieces white sa1 black pc2 stip ~1 option noboard nowk {} end"
    found = call("solve", "--popeye", "-", stdin=text.format("nobk").encode())
    assert found.out.split("\n")[1:-2] == ["", "   1.Sa1*c2 !", "", "   1.Sa1-b3 !", ""]
    text = text.replace("~1", "#1").format("")
    found = call("solve", "--popeye", "-", stdin=text.encode())
    assert (found.code, found.err) == (2, "aspgames: line 1: black has no king\n")


@pytest.mark.slow
def test_the_side_that_mates_may_have_no_king(call: Call) -> None:
    mate = b"begin pieces white ra1b7 black kh8 stip #1 option nowk end"
    assert call("solve", "--popeye", "-", "--json", stdin=mate).json["distance"] == 1


@pytest.mark.slow
def test_a_problem_in_anticirce(call: Call) -> None:
    """By R. Bedoni, diagrammes special 13 (1993), 1st prize; the answer is Popeye 4.104's."""
    text = "anfang steine weiss ke3 dg4 sg2 bc7g7 schwarz kf1 bf2 forderung #2 bedingung anticirce "
    text += "option varianten ohnebrett ende"
    found = call("solve", "--popeye", "-", "--time", "120", stdin=text.encode()).out.split("\n")
    found = [line for line in found if line]
    assert found[:2] == ["   1.Sg2-e1 ! Zugzwang.", "      1...Kf1*e1[sKe1->e8]"]
    promoted = [("S", "c7*b8"), ("D", "c7*d8"), ("T", "g7*h8"), ("L", "g7*f8")]
    assert {tuple(found[3:-1][i : i + 2]) for i in range(0, 8, 2)} == {
        (f"      1...f2*e1={one}[s{one}e1->{takes[3:]}]",
         f"          2.{takes}=T[wT{takes[3:]}->a1] #")
        for one, takes in promoted
    }  # fmt: skip


def test_a_limit_shows_what_is_known(call: Call) -> None:
    text = b"begin pieces white kd5 rh1 pb7 black kd7 stip #3 endproblem"
    found = call("solve", "--popeye", "-", "--positions", "60", stdin=text)
    assert found.code == 3
    assert "undecided: no answer within the limits" in found.out
    assert "7   .   P   .  -K   .   .   .   .   7" in found.out


def test_an_error_in_json_is_as_its_schema_says(call: Call) -> None:
    found = call("solve", "--popeye", "-", "--json", stdin=b"begin pieces white kx9 stip #1 end")
    assert check(json.loads(found.out), "error")["kind"] == "bad_request"


def test_a_file_of_problems_is_solved(call: Call, folder: Path) -> None:
    parts = PROBLEMS.splitlines(keepends=True)
    (folder / "problems.inp").write_text("".join([*parts[:7], *parts[15:]]))
    found = call("solve", "--popeye", "problems.inp", "--time", "60")
    assert found.code == 2
    assert "written for this test, 2026" in found.out
    assert "   1.Rh1-h7 + !" in found.out
    assert found.err == (
        "aspgames: line 8: no rule book has AprilChess (line 11): write one, and give it as GAME\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pieces", "words", "move"),
    [
        ("white ka1 pb2 black kd2 pa3 sh1", "cond circe", "b2*a3[+bPa7]"),
        ("white ka1 pb2 black kd2 pa3 sh1", "cond anticirce", "b2*a3[wPa3->a2]"),
        ("white ka1 pb7 black kd2 sa8", "cond anticirce", "b7*a8=Q[wQa8->d1]"),
        ("white ka1 lc3 black kh8 pc4 sh1", "", "Lc3*c4-c5"),
        ("white ke1 pb3 black ke8 pa4", "cond andernach", "b3*a4=b"),
        ("white kh1 caa7 pb7 black kh8 sc8", "", "b7*c8=CA"),
        ("white ke1 ra1 ph2 black ke8", "", "0-0-0"),
    ],
)
def test_moves_are_written_as_popeye_does(
    tmp_path: Path, pieces: str, words: str, move: str
) -> None:
    (problem,) = read_problems(f"begin pieces {pieces} stip #1 {words} end")
    game = book(problem, tmp_path)
    peer = peer_for(problem, game)
    puzzle = Puzzle.read(game.position(problem.fen(peer)), "white", "win", 1)
    play = ProblemPlay(puzzle, Budget(), 1000, no_threats=False)
    text = PopeyeText(problem, peer, "#")
    text.use(play)
    written = [text.move(play.root, *pair) for pair in play.children(play.root)]
    assert move in written
    assert len(set(written)) == len(written)


@pytest.mark.slow
def test_goals_of_moves_are_those_of_popeye(tmp_path: Path) -> None:
    pieces = "white ke1 ra1 pb5 qd1 black ke8 pa6 pc5 qd8"
    text = f"begin pieces {pieces} stip x2 option enpassant c7c6c5 end"
    (problem,) = read_problems(text)
    game = book(problem, tmp_path)
    (tmp_path / "checked.lp").write_text(f'#include "{game.encoding.sources[-1].path}".\n{CHECKED}')
    game, peer = aspgames.load(str(tmp_path / "checked.lp")), peer_for(problem, game)
    puzzle = Puzzle.read(game.position(problem.fen(peer)), "white", "win", 2)
    written = PopeyeText(problem, peer, "x")
    captures = partial(written.reaches, "x")
    play = MoveGoalPlay(puzzle, Budget(), False, captures, "white")
    written.use(play)
    moves = {written.squares(play.root, *pair): pair for pair in play.children(play.root)}
    reached = {
        goal: {name for name, pair in moves.items() if written.reaches(goal, play.root, *pair)}
        for goal in ("x", "ep", "zd8", "+", "00", "~")
    }
    assert reached == {
        "x": {"Ra1*a6", "Qd1*d8", "b5*c6 ep.", "b5*a6"},
        "ep": {"b5*c6 ep."},
        "zd8": {"Qd1*d8"},
        "+": {"Qd1-h5", "Qd1-e2", "Qd1*d8", "Qd1-d7"},
        "00": set(),
        "~": set(moves),
    }
    assert {written.move(play.root, *pair) for pair in play.keys(2)} == {
        *("Ra1*a6 x", "Qd1-h5 +", "Qd1-e2 +", "Qd1*d8 + x", "Qd1-d7 +", "b5*c6 ep. x"),
        "b5*a6 x",
    }


def test_problems_with_json(call: Call) -> None:
    text = "begin pieces white kc7 rh1 black ka8 stip #2 next stip #2 next forsyth kk stip %2 "
    text += "next pieces white kö endp"
    found = call("solve", "--popeye", "-", "--json", stdin=text.encode())
    solved, *errors = map(aspgames.runtime.json_lines.decode, found.out.encode().splitlines())
    assert (solved["game"], solved["distance"], solved["stipulation"]) == ("chess", 1, "#2")
    assert [sorted(error) for error in errors] == [["error", "kind"]] * 3


@pytest.mark.slow
def test_rules_of_ones_own(call: Call, folder: Path) -> None:
    """With two conditions of our rule books, and a file of peers."""
    (folder / "mine.lp").write_text(
        '#include "gallery/fairy/circe.lp".\n#include "gallery/fairy/grasshopper.lp".\n'
    )
    (folder / "peers").mkdir()
    (folder / "peers/mine.lp").write_text(
        '#include "peers/gallery/fairy/grasshopper.lp".\n#include "peers/gallery/fairy/circe.lp".\n'
    )
    text = b"begin pieces white kc7 gh1 black ka8 stip #1 cond circe endp"
    found = call("solve", "mine.lp", "--popeye", "-", "--json", stdin=text)
    assert found.json["verdict"] == "not_forced"


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (["chess", "startpos"], b"begin", "--popeye takes all but GAME"),
        (["--first"], b"begin", "--popeye takes all but GAME"),
        (["--workers", "2"], b"begin", "--popeye takes all but GAME"),
        ([], b"", "there is no problem"),
        ([], b"Stip #2", "line 1: give BeginProblem before 'Stip'"),
        ([], b"begin \xff endp", "is no word"),
        (["breakthrough"], b"begin pieces white ka1 stip #2 endp", "doesn't have breakthrough"),
    ],
)
def test_bad_input(call: Call, arguments: list[str], stdin: bytes, words: str) -> None:
    assert_refused(call("solve", *arguments, "--popeye", "-", stdin=stdin), words)
