"""Chances and percepts in the output of the verbs and of the oracle."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import aspgames
from aspgames import RulesError
from aspgames.game.notation.joint_moves import format_ply
from cli_helpers import Call, assert_refused, check, jsonl
from paths import ROOT
from thoroughly import amount

SHEET = """\
(role Random) (role Guesser) (init (on random))
(<= (legal random (toss ?x)) (true (on random)) (side ?x)) (side Heads) (side Tails)
(<= (legal random noop) (true (on guesser)))
(<= (legal guesser noop) (true (on random)))
(<= (legal guesser (guess ?x)) (true (on guesser)) (side ?x))
(<= (next (on guesser)) (true (on random)))
(<= (next (fell ?x)) (does random (toss ?x)))
(<= (next (fell ?x)) (true (fell ?x)))
(<= (next over) (does guesser (guess ?x)))
(<= terminal (true over))
(<= (goal guesser 100) (true over)) (goal random 0)
(<= (sees guesser tossed) (does random (toss ?x)))
(<= (sees guesser (was ?x)) (does guesser (guess ?y)) (true (fell ?x)))
"""


@pytest.fixture
def coin(folder: Path) -> str:
    (folder / "coin.kif").write_text(SHEET)
    return "coin.kif"


def test_json_has_fractions_and_percepts(call: Call, coin: str) -> None:
    start = check(json.loads(call("legal", coin, "--json").out), "state")
    assert start["chance"] == [["toss(heads)", "1/2"], ["toss(tails)", "1/2"]]
    assert "sees" not in start
    moves = [coin, "startpos", "toss(heads)", "guess(tails)", "--json"]
    end = check(json.loads(call("play", *moves).out), "state")
    assert (end["chance"], end["sees"]) == ([], {"guesser": ["was(heads)"]})


def test_people_read_them_too(call: Call, coin: str) -> None:
    assert "chance: toss(heads) 1/2  toss(tails) 1/2" in call("legal", coin).out
    assert "chance: toss(heads) 1/2" in call("show", coin).out
    assert "guesser sees: tossed" in call("play", coin, "startpos", "toss(tails)").out


def test_the_oracle_answers_in_the_sheets_spelling(call: Call, coin: str) -> None:
    asked = {"op": "play", "game": "coin", "notation": "kif", "moves": ["(toss heads)"]}
    found = call("serve", "--load", coin, stdin=jsonl(asked, {"op": "legal", "game": "coin"}))
    played, legal = (check(json.loads(line), "state") for line in found.out.splitlines())
    assert played["sees"] == {"Guesser": ["tossed"]}
    assert legal["chance"] == [["toss(heads)", "1/2"], ["toss(tails)", "1/2"]]


def test_a_view_has_what_the_role_knows(call: Call, coin: str) -> None:
    moves = [coin, "startpos", "toss(heads)", "--as", "guesser"]
    view = check(json.loads(call("play", *moves, "--json").out), "state")
    assert (view["role"], view["states"], view["facts"]) == ("guesser", 2, ["on(guesser)"])
    assert view["legal"] == {"guesser": ["guess(heads)", "guess(tails)"]}
    assert view["sees"] == {"guesser": ["tossed"]}
    told = call("play", *moves).out
    assert "2 states fit what guesser knows" in told
    assert "guesser plays noop and sees tossed" in told
    spelled = call("play", coin, "startpos", "(toss Heads)", "--as", "Guesser", "--notation", "kif")
    assert "Guesser may play: (guess Heads)  (guess Tails)" in spelled.out
    assert "a view is of guesser" in call("legal", coin, "--as", "random").err


SECRET = """
    % Chance picks a or b in secret. Who moves then, whether Black moves beside White, what White
    % may play, and the values depend on it.
    role(white;black;random). init(step(0)). secret(M) :- true(picked(M)).
    moves(random)  :- true(step(0)).
    moves(black)   :- true(step(1)), secret(a).
    moves(random)  :- true(step(1)), secret(b).
    moves(white)   :- true(step(2)).
    moves(black)   :- true(step(2)), secret(a).
    to_move(R)     :- moves(R), 1 = { moves(S) : role(S) }.
    legal(R,noop)  :- role(R), not moves(R).
    legal(R,(a;b)) :- moves(R).
    legal(white,M) :- moves(white), secret(M).
    legal(white,only(M)) :- moves(white), secret(M).
    next(picked(M)) :- does(random,M), true(step(0)).
    next(picked(M)) :- true(picked(M)).
    next(step(N+1)) :- true(step(N)), N < 3.
    sees(white,started) :- true(step(0)).
    terminal :- true(step(3)).
    goal(white,100) :- secret(a). goal(white,0) :- not secret(a). goal(black,7) :- secret(b)."""

BLIND = """
    % Chance hides a piece, or doesn't, where White's man goes.
    role(white;random). init(cell(1,1,man)). init(hiding). to_move(random) :- true(hiding).
    to_move(white) :- not true(hiding). legal(R,noop) :- role(R), not to_move(R).
    legal(random,(hide;wait)) :- true(hiding). next(cell(1,2,it)) :- does(random,hide).
    legal(white,move(1,1,1,2)) :- true(cell(1,1,man)), not true(hiding).
    next(cell(1,1,man)) :- true(hiding). next(cell(1,2,man)) :- does(white,move(_,_,_,_)).
    sees(white,hidden) :- true(hiding). terminal :- true(cell(1,2,man)). goal(white,0).
    #program board.
    board(1,2). base(cell(1,1..2,(man;it))). base(hiding).
    glyph(man,"M"). glyph(it,"I").
    notation(move,"@x@")."""


@pytest.mark.parametrize(
    ("name", "role", "plies"),
    [
        ("kuhn_poker", "white", 4),
        ("secret.lp", "white", 1),
        ("secret.lp", "white", 2),
        pytest.param("phantom_tictactoe", "black", 2, marks=pytest.mark.slow),
        pytest.param("leduc_poker", "black", 2, marks=pytest.mark.slow),
        pytest.param("monty_hall", "player", 2, marks=pytest.mark.slow),
    ],
)
def test_no_output_of_a_view_shows_what_the_role_does_not_know(
    call: Call, folder: Path, name: str, role: str, plies: int
) -> None:
    """The same for all plays that look alike to the role."""
    (folder / "secret.lp").write_text(SECRET)
    start, rng = aspgames.load(name).initial, Random(1)
    shown = defaultdict[object, set[str]](set)
    plays = defaultdict[object, set[str]](set)
    requests, keys = [], []
    for _ in range(amount(8, 30)):
        state, view, moves = start, start.view(role), list[str]()
        while len(moves) < plies and not state.is_terminal:
            chosen = {each: rng.choice(legal) for each, legal in state.legal.items()}
            joint = {each: move.term for each, move in chosen.items()}
            moves.append(format_ply(joint, state.consequences.movers))
            view = view.after(joint[role], state.sees(joint)[role])
            state = state.play(joint)
        for more in ((), ("--json",), ("--notation", "kif")):
            terms = [state.game.kif.joint_text(move) for move in moves] if more[1:] else moves
            told = call("play", name, "startpos", *terms, "--as", role, *more)
            assert told.code == 0
            shown[view.history, more].add(told.out + told.err)
        plays[view.history].add(str(moves))
        game = name.removesuffix(".lp")
        requests.append({"op": "play", "game": game, "moves": moves, "as": role})
        keys.append((view.history, "serve"))
    load = ("--load", name) if "." in name else ()
    for key, line in zip(
        keys, call("serve", *load, stdin=jsonl(*requests)).out.splitlines(), strict=True
    ):
        check(json.loads(line), "state")
        shown[key].add(line)
    for outputs in shown.values():
        assert outputs == {min(outputs)}
    assert max(map(len, plays.values())) > 1


@pytest.mark.parametrize(
    ("name", "role", "typed"),
    [
        ("kuhn_poker", "white", ""),
        ("phantom_tictactoe", "white", "b2"),
        pytest.param("leduc_poker", "black", "", marks=pytest.mark.slow),
        pytest.param("battleship", "black", "a1-right", marks=pytest.mark.slow),
        ("secret.lp", "white", "only(c)"),
        ("blind.lp", "white", "a1xa2"),
    ],
)
def test_no_output_of_a_match_shows_what_the_person_does_not_know(
    call: Call, folder: Path, name: str, role: str, typed: str
) -> None:
    """Matches that look alike to the person print the same, whatever the others do."""
    (folder / "secret.lp").write_text(SECRET)
    (folder / "blind.lp").write_text(BLIND)
    start = aspgames.load(name).initial
    asked = f"moves\nshow\nhint\nfen\nfacts\nwhy a\nnonsense\nb b\n{typed}\nmoves\nshow\n"
    printed = defaultdict[object, set[str]](set)
    plays = defaultdict[object, set[str]](set)
    for seed in range(amount(6, 20)):
        for more in ((), ("--json",), *[("--notation", "kif")] * (seed < 3)):
            words = f"match {name} --as {role} --against random --seed {seed} --record m.json"
            told = call(*words.split(), *more, stdin=asked.encode())
            match = json.loads((folder / "m.json").read_text())
            state, view = start, start.view(role)
            for move in match["moves"]:
                joint = state.joint(move)
                view = view.followed_by(joint[role], state.sees(joint)[role])
                state = state.play(move)
            over = str(state.goals) if state.is_terminal else ""
            printed[view.history, over, more].add(told.out + told.err)
            plays[view.history, over, more].add(str(match["moves"]))
    for outputs in printed.values():
        assert outputs == {min(outputs)}
    assert max(map(len, plays.values())) > 1


def test_a_view_has_chances_that_are_the_same_in_all_states(call: Call) -> None:
    words = ("play", "liars_dice", "startpos", "die(3)", "--as")
    black = call(*words, "black").out
    assert "6 states fit" in black
    assert "chance: die(1) 1/6  die(2) 1/6" in black
    dealt = ("play", "kuhn_poker", "startpos", "deal(king)", "--as")
    assert "chance: deal(jack) 1/2  deal(queen) 1/2" in call(*dealt, "white").out
    assert "chance" not in call(*dealt, "black").out


def test_chance_rolls_in_a_match_against_random_moves(call: Call) -> None:
    game = ["match", "pig", "-c", "target=6", "--seed", "1"]
    lines = [f"{move}\n".encode() for move in ("roll", "stop") * 20]
    played = call(*game, stdin=b"".join(lines))
    assert played.code == 0
    assert "against random moves" in played.out
    assert "random plays die(" in played.out
    assert "the match is over" in played.out
    assert "you can play white or black" in call(*game, "--as", "random").err


DICE = [str(ROOT / "tests/data/dice.lp"), "--goal", "win", "--within", "2"]


@pytest.mark.parametrize("weights", ["", "weight(M,1) :- legal(random,M), M != noop."])
def test_each_verb_names_a_state_where_chance_has_no_move(
    call: Call, folder: Path, weights: str
) -> None:
    (folder / "rare.lp").write_text(
        weights
        + """
        role(player;random). init(at(1)). legal(player,noop). to_move(random) :- true(at(_)).
        legal(random,die(1..9)) :- true(at(N)), N < 6. legal(random,noop) :- true(end).
        next(at(N+1)) :- does(random,die(1)), true(at(N)).
        next(end) :- does(random,die(2..9)). terminal :- true(end). goal(player,100)."""
    )
    says = "rare.lp: random has no move in a state that isn't terminal: at(6); give it one"
    for verb in (
        "playout rare.lp -n 100000",  # one game in 59,049
        "solve rare.lp --goal win",
        "table rare.lp -o rare.arrow",
        "record rare.lp at(5) -n 90 -o rare.parquet",
        "playout rare.lp at(5) -n 90 --reasoner grounder",
        "show rare.lp at(6)",
        "legal rare.lp at(6)",
        "legal rare.lp at(6) --json",
        "play rare.lp at(5) die(1)",
        "play rare.lp at(5) die(1) noop",
        "perft rare.lp at(6) --depth 1 --divide --reasoner propnet",
        "perft rare.lp --depth 6",
        "perft rare.lp --depth 9 --workers 2",
        "perft rare.lp at(5) --depth 2 --divide --reasoner grounder",
    ):
        assert_refused(call(*verb.split()), says)
    assert call("perft", "rare.lp", "--depth", "5").out == "9 nodes\n"
    stuck = aspgames.load("rare.lp").position("at(6)")
    assert stuck.chance == (), "positions that crosscheck makes at random may be stuck"
    with pytest.raises(RulesError, match="random has no move"):
        stuck.roll(1)


@pytest.mark.parametrize(
    ("weight", "wrong"),
    [
        (
            "weight(die(1),0).",
            "weight(die(1),0): a move has one weight, a whole number of at least 1",
        ),
        ("weight(die(1),3..4).", "weight(die(1),4): a move has one weight, a whole number"),
        ("", "weight/2 gives chances to some moves of random and none to die(1)"),
    ],
)
def test_each_verb_names_a_wrong_weight(call: Call, folder: Path, weight: str, wrong: str) -> None:
    rules = (ROOT / "tests/data/dice.lp").read_text()
    (folder / "loaded.lp").write_text(rules + weight + "weight(die(2..6),1).")
    place = f"loaded.lp:{len(rules.splitlines()) + 1}"
    for verb in (
        "solve --goal win",
        "playout -n 10",
        "table -o loaded.arrow",
        "show to(roll)",
        "legal to(roll)",
        "play startpos roll",
    ):
        name, *more = verb.split()
        assert_refused(call(name, "loaded.lp", *more), f"{place}: {wrong}")


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("--chance 2/3", "white can win with probability at least 0.5378086419 and at most 0.7514"),
        ("--goal score", "white can expect a goal value of from 53.7808641975 to 75.14294934"),
    ],
)
def test_a_stopped_puzzle_has_bounds_with_a_certificate(
    call: Call, folder: Path, asked: str, known: str
) -> None:
    pig = "solve pig -c target=12 --attacker white --goal win --within 6 --certificate proof.json"
    stopped = call(*pig.split(), *asked.split(), "--positions", "600")
    assert "Undecided: the limits are reached; " in stopped.out
    assert known in stopped.out
    assert (stopped.code, stopped.err) == (3, "")
    assert known in call("verify", "proof.json").out
    assert check(json.loads((folder / "proof.json").read_text()), "certificate")
    unknown = call(*pig.split(), *asked.split(), "--positions", "1")
    assert unknown.err == "aspgames: there is no certificate: no bound is known\n"


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("mastermind --goal win", "; at best with a probability from 0 to 1."),
        ("pig --attacker white --goal win", "; white can win with probability at least 0 and at"),
        ("pig --attacker white --goal score", "; white can expect a goal value of from 0 to 100."),
    ],
)
def test_bounds_are_told_before_the_search(call: Call, asked: str, known: str) -> None:
    stopped = call("solve", *asked.split(), "--time", "0.000001")
    assert f"Undecided: the limits are reached{known}" in stopped.out
    assert "the search hadn't begun" in stopped.out


@pytest.mark.parametrize("verb", ["show", "legal"])
def test_a_percept_with_a_variable_is_told(call: Call, folder: Path, verb: str) -> None:
    rules = (ROOT / "tests/data/dice.lp").read_text()
    (folder / "vague.lp").write_text(rules + "sees(player,was(X)) :- does(random,die(N)).")
    assert_refused(call(verb, "vague.lp"), "vague.lp:16: X is unsafe")


def test_a_puzzle_has_a_probability_and_a_certificate(call: Call, folder: Path) -> None:
    enough = call("solve", *DICE, "--chance", "1/4", "--certificate", "proof.json", "--json")
    found = check(json.loads(enough.out), "solution")
    assert (enough.code, found["verdict"], found["probability"]) == (0, "forced", "11/36")
    proof = json.loads((folder / "proof.json").read_text())
    assert [len(each["nodes"]) for each in check(proof, "certificate")["proofs"]] == [4, 4, 2]
    told = call("verify", "proof.json", "--json")
    assert check(json.loads(told.out), "verification")["probability"] == "11/36"
    assert "11/36 within 2 turns; with at least 1/4 in 2 turns, by roll (" in (
        call("verify", "proof.json").out
    )
    short = call("solve", *DICE, "--json")
    assert (short.code, check(json.loads(short.out), "solution")["keys"]) == (1, ["roll"])
    proof["probability"] = proof["proofs"][0]["probability"] = "12/36"
    (folder / "proof.json").write_text(json.dumps(proof))
    wrong = call("verify", "proof.json")
    assert wrong.code == 1
    assert "proofs[0].probability: the nodes prove 11/36, not 1/3" in wrong.out


def test_the_oracle_solves_with_chance(call: Call) -> None:
    asked = {"op": "solve", "game": "dice", "position": "startpos", "goal": "win", "within": 1}
    lines = jsonl(asked, asked | {"chance": "1/6"}, asked | {"chance": "2"})
    found = [*map(json.loads, call("serve", "--load", DICE[0], stdin=lines).out.splitlines())]
    assert [each.get("probability") for each in found] == ["1/6", "1/6", None]
    assert [each.get("verdict") for each in found] == ["not_forced", "forced", None]
    assert check(found[2], "error")["kind"] == "bad_request"


@pytest.mark.parametrize("more", [["--all-lines"], ["--certificate", "a.gz"], ["--resume", "a"]])
def test_what_puzzles_with_chance_lack_is_refused(call: Call, more: list[str]) -> None:
    assert_refused(call("solve", *DICE, *more), "chance")


def test_bounds_that_more_turns_only_narrow(call: Call) -> None:
    """A six comes at last, with probability 1, and never surely: no limit is reached."""
    found = call("solve", DICE[0], "--goal", "win")
    assert "Undecided: the bounds are less than 2^-32 apart; " in found.out
    assert (found.code, "at most 1.\n" in found.out) == (3, True)


def test_a_game_of_chance_alone_is_refused(call: Call, folder: Path) -> None:
    (folder / "alone.lp").write_text(
        "role(random). init(s). legal(random,(a;b)) :- true(s). terminal :- not true(s)."
    )
    assert_refused(call("table", "alone.lp", "-o", "a.arrow"), "nobody plays alone but random")
    assert_refused(call("equilibrium", "alone.lp"), "alone has random alone: 'playout' plays it")
    assert_refused(call("solve", "alone.lp", "--attacker", "random", "--goal", "win"), "one role")


def test_expected_goals_are_printed_and_proved(call: Call, tmp_path: Path) -> None:
    ask = ("solve", str(ROOT / "tests/data/dice.lp"), "--goal", "score", "--within", "2")
    found = call(*ask, "--json")
    assert (found.code, check(found.json, "solution")["expected"]) == (0, "275/9")
    assert "player can expect a goal value of 275/9 within 2 turns." in call(*ask).out
    file = str(tmp_path / "score.json")
    assert call(*ask, "--certificate", file).code == 0
    check(json.loads(Path(file).read_text()), "certificate")
    assert "Verified: player can expect a goal value of 275/9 within 2 turns, by roll" in (
        call("verify", file).out
    )
    assert check(call("verify", file, "--json").json, "verification")["expected"] == "275/9"


def test_a_table_of_chance_is_printed_and_asked(call: Call, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = str(tmp_path / "pig.arrow")
    made = call(
        "table", str(ROOT / "tests/data/small_pig.lp"), "-c", "target=4", "-o", file, "--json"
    )
    low, high = map(Fraction, check(made.json, "table")["expected"]["white"])
    assert 0 < high - low < 1e-12
    ask = (
        "solve",
        str(ROOT / "tests/data/small_pig.lp"),
        "-c",
        "target=4",
        "startpos",
        "--attacker",
        "white",
    )
    found = call(*ask, "--goal", "win", "--table", file, "--chance", "7/10", "--json")
    report = check(found.json, "solution")
    assert (report["verdict"], report["keys"]) == ("forced", ["roll"])
    assert Fraction(report["probability_at_least"]) == low / 100
    whole = call("table", "--verify", file, "--whole").out
    assert whole == call("table", "--verify", file, "--samples", "9999").out  # the start is one
    assert "Verified: " in whole


@pytest.mark.parametrize("name", ["kuhn_poker", pytest.param("backgammon", marks=pytest.mark.slow)])
def test_files_keep_the_moves_of_chance(call: Call, tmp_path: Path, name: str) -> None:
    """From Parquet to JSON lines, to PGN, and back to Parquet: the same games, rolls included."""
    pytest.importorskip("pyarrow")
    files = [str(tmp_path / f"games.{ending}") for ending in ("parquet", "jsonl", "pgn")]
    assert call("record", name, "-n", "3", "--seed", "1", "-o", files[0]).code == 0
    for one, other in zip(files, [*files[1:], files[0]], strict=True):
        assert call("convert", name, one, "-o", other).code == 0
    games = [aspgames.record.read(file) for file in files]
    replayed = [[[s.facts for s in record.replay()] for record in found] for found in games]
    assert replayed[0] == replayed[1] == replayed[2]
    assert all("deal(" in r.moves[0] or "roll(" in r.moves[0] for r in games[0])


def test_a_view_is_drawn(call: Call, tmp_path: Path) -> None:
    position = "AB#1a/1B#bb b 3"
    drawn = call("show", "battleship", position, "--as", "white", "--svg", str(tmp_path / "v.svg"))
    assert "Picture: " in drawn.out
    assert "white may play: noop" in drawn.out
    assert (tmp_path / "v.svg").read_text() == aspgames.load("battleship").position(position).svg()


def test_a_match_takes_only_moves_that_the_person_knows(call: Call, folder: Path) -> None:
    """With a low card, whether a or b is legal would tell the card."""
    (folder / "card.lp").write_text("""
        role(white;random). init(deal). legal(random,(a;b)) :- true(deal).
        legal(random,noop) :- not true(deal). legal(white,noop) :- true(deal).
        legal(white,(pass;M)) :- true(card(M)). next(card(M)) :- does(random,M), M != noop.
        sees(white,low) :- does(random,(a;b)). terminal :- not true(deal), not true(card(_)).
        goal(white,0).""")
    for seed in "123":
        played = call("match", "card.lp", "--seed", seed, stdin=b"a\nb\npass\n")
        for move in "ab":
            assert f"white doesn't know that {move} is legal" in played.out + played.err
        assert "Game over" in played.out
