"""The engine in games with chance and hidden information."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

import aspgames
from aspgames.agents.mcts.player import Player
from aspgames.agents.mcts.tree_search import PlayerOptions
from aspgames.game.view import History, history_text, view_of
from cli_helpers import Call, assert_refused, jsonl
from paths import ROOT
from thoroughly import amount

PIG = aspgames.load(ROOT / "tests/data/small_pig.lp", target=8)


def choice(player: Player, known: aspgames.State | aspgames.View, role: str, games: int) -> str:
    *_, thought = player.think(known, role, aspgames.Budget(None), games)
    return thought.move


def result(game: aspgames.Game, role: str, player: Player, games: int, seed: int) -> int:
    """The goal of a role that the player plays, against random moves; percepts by the grounder."""
    rng, state = random.Random(seed), game.initial
    history: History = ()
    while not state.is_terminal:
        joint = {r: rng.choice(moves).term for r, moves in state.legal.items()}
        if state.chance:
            joint["random"] = state.draw(rng).term
        if len(state.legal[role]) > 1:
            known = view_of(game.initial, role, history) if game.hidden else state
            joint[role] = choice(player, known, role, games)
        if game.hidden:
            history = (*history, (joint[role], state.sees(joint)[role]))
        state = state.play(joint)
    return state.goals[role]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "constants", "games", "least"),
    [  # the mean goal of both roles; two random players have 50
        ("kuhn_poker", {}, 300, 55),
        ("leduc_poker", {}, 300, 53),
        ("phantom_tictactoe", {}, 60, 75),
        (ROOT / "tests/data/small_pig.lp", {"target": 20}, 60, 65),
    ],
)
def test_it_beats_random_moves(
    name: str | Path, constants: dict[str, int], games: int, least: int
) -> None:
    game, number = aspgames.load(name, **constants), amount(games // 3, games)
    player = Player(game, PlayerOptions(seed=1))
    means = [
        sum(result(game, role, player, 200, seed) for seed in range(number)) / number
        for role in game.players
    ]
    assert sum(means) / len(means) >= least


def best(state: aspgames.State, depth: int) -> Fraction:
    """White's best mean goal by expectation over all moves, in so many plies; else 50."""
    if state.is_terminal or not depth:
        return Fraction(state.goals["white"] if state.is_terminal else 50)
    if state.chance:
        return sum((p * best(state.play(m), depth - 1) for m, p in state.chance), Fraction())
    values = [best(state.play(move), depth - 1) for move in state.legal_moves]
    return max(values) if state.to_move == "white" else min(values)


def test_chance_is_weighed_as_by_brute_force() -> None:
    """White has 5 of 8 and has thrown 3: to hold wins at once."""
    player = Player(PIG, PlayerOptions(seed=1))
    for text in (
        "turn(white) score(white,5) score(black,4) sum(3) choosing",
        "turn(white) score(white,2) score(black,6) sum(2) choosing",
    ):
        state = PIG.position(text)
        values = {move.term: best(state.play(move), 4) for move in state.legal_moves}
        assert choice(player, state, "white", 1500) == max(values, key=lambda m: values[m])


def test_the_king_bets_and_the_jack_never_calls() -> None:
    """Dominated moves of Kuhn poker: to fold with the king after a bet, to call with the jack."""
    game = aspgames.load("kuhn_poker")
    player = Player(game, PlayerOptions(seed=1))
    for card, move in (("king", "bet"), ("jack", "pass")):
        history = (("noop", ()), ("noop", (f"card({card})",)), ("noop", ("bet",)))
        assert choice(player, view_of(game.initial, "black", history), "black", 600) == move


def test_what_it_does_not_know_changes_nothing() -> None:
    """The same view, the same seed: the same move, whatever is the case."""
    game, moves = aspgames.load("kuhn_poker"), []
    for dealt in ("deal(jack)", "deal(queen)"):
        state = game.initial
        history: History = ()
        for move in ("deal(king)", dealt):
            history = (*history, ("noop", state.sees(move)["white"]))
            state = state.play(move)
        assert history_text(history) == "noop sees card(king) / noop"
        player = Player(game, PlayerOptions(seed=3))
        moves.append(choice(player, view_of(game.initial, "white", history), "white", 100))
    assert moves[0] == moves[1]


def test_a_view_that_nothing_fits_ends_with_a_reason() -> None:
    game = aspgames.load("kuhn_poker")
    view = view_of(game.initial, "white", (("noop", ("card(ace)",)),))
    assert not view.states
    with pytest.raises(aspgames.BadRequest, match="no state fits"):
        choice(Player(game), view, "white", 10)


# --- at the prompt --------------------------------------------------------------------------------


def test_a_person_sees_its_own_side_only(call: Call) -> None:
    """White's output is the same whatever card Black has, while the moves are the same."""
    outputs: dict[str, set[tuple[str, str]]] = {}
    for seed in range(12):
        words = "match", "kuhn_poker", "--against", "random", "--seed", str(seed)
        asked = b"fen\nfacts\nwhy bet\nhint\nshow\nraise\nmoves\n"
        told = call(*words, stdin=asked).out
        shown = call(*words, "--json", stdin=asked).out
        assert told.count("would tell what you don't know") == 4
        card = next(c for c in ("jack", "queen", "king") if f"card({c})" in told)
        outputs.setdefault(card, set()).add((told, shown))
        assert not [s for s in told.splitlines() if "deal(" in s and not s.startswith("chance: ")]
    assert {card: len(each) for card, each in outputs.items()} == dict.fromkeys(outputs, 1)


def test_a_match_against_the_engine(call: Call) -> None:
    words = "match", "kuhn_poker", "--against", "engine", "--level", "easy", "--seed", "1"
    played = call(*words, stdin=b"bet\nbet\n")
    assert (played.code, "Game over: white" in played.out) == (0, True)
    assert_refused(call(*words, "--as", "white", "--as", "black"), "one person plays")
    assert_refused(call("match", "kuhn_poker", "--against", "solver"), "means chance")
    events = call(*words, "--json", stdin=jsonl()).out.splitlines()
    assert all('"move": null' in line or '"move":null' in line for line in events[1:-1])


def test_the_engine_rolls_by_the_rules(call: Call) -> None:
    words = "match", "pig", "-c", "target=6", "--against", "engine", "--level", "easy"
    played = call(*words, stdin=b"roll\nstop\n" * 10)
    assert played.code == 0
    assert "random plays die(" in played.out


def test_a_policy_gets_its_view_and_rolls_nothing(call: Call, folder: Path) -> None:
    (folder / "mine.py").write_text(
        "def choose(known, role):\n"
        "    open('known.txt', 'a').write(f'{role} {type(known).__name__}\\n')\n"
        "    return known.legal_moves[-1] if role == known.role else 1 / 0\n"
    )
    played = call("match", "kuhn_poker", "--against", "mine.py:choose", stdin=b"bet\nbet\n")
    assert (played.code, set((folder / "known.txt").read_text().split("\n"))) == (
        0,
        {"black View", ""},
    )


LOADED = """
role(guesser). role(random). init(control(guesser)).
legal(guesser,(heads;tails)) :- true(control(guesser)).
legal(guesser,noop) :- true(control(random)).
legal(random,(heads;tails)) :- true(control(random)).
legal(random,noop) :- true(control(guesser)).
next(guess(M)) :- does(guesser,M), M != noop.
next(guess(M)) :- true(guess(M)).
next(coin(M)) :- does(random,M), M != noop.
next(control(random)) :- true(control(guesser)).
weight(heads,HEADS). weight(tails,TAILS).
terminal :- true(coin(_)).
goal(guesser,100) :- true(guess(M)), true(coin(M)).
goal(guesser,0) :- true(guess(M)), not true(coin(M)).
"""
"""A coin that is loaded; the guess comes first."""


@pytest.mark.parametrize("hidden", [False, True])
def test_weights_are_weighed(tmp_path: Path, hidden: bool) -> None:
    """The engine guesses the side on which the coin falls nine times of ten."""
    for heads, tails, best in ((9, 1, "heads"), (1, 9, "tails")):
        rules = LOADED.replace("HEADS", str(heads)).replace("TAILS", str(tails))
        path = tmp_path / f"{best}.lp"
        path.write_text(rules + "sees(guesser,done) :- does(random,_).\n" * hidden)
        state = aspgames.load(path).initial
        for seed in range(3):
            player = Player(state.game, PlayerOptions(seed=seed))
            thoughts = list(player.think(state, "guesser", aspgames.Budget(), 400))
            assert thoughts[-1].move == best
