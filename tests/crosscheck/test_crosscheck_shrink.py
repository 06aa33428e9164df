"""Disagreements made small: what is left of them, and what is left alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import aspgames
from aspgames import BadRequest, Game
from aspgames.crosscheck.compare.disagreement import Disagreement, Judge
from aspgames.crosscheck.engines.engine import Answer, Question, Refusal, asked
from aspgames.crosscheck.reduce.shrinker import Shrinker, moved_turn, smaller_games
from aspgames.game.game import game_of_encoding
from aspgames.game.positions import shifted_pieces
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import EngineFailed
from aspgames.runtime.minimization import leave_out
from crosscheck_helpers import Change, Changed, played, shrunk
from engine_helpers import write

Condition = Callable[[Question], bool]

GAME = aspgames.load("breakthrough", width=3, height=6)
SMALL = aspgames.load("breakthrough", width=3, height=4)

STONES = """
% Stones anywhere on a board of any size; somebody is on move, and counts the steps.
#include "shared/alternating.lp".
#include "shared/board.lp".
#const width = 5.
#const height = 4.
board(width,height).
init(control(white)).
init(step(1)).
legal(R,put(X,Y)) :- to_move(R), empty(X,Y).
next(cell(X,Y,stone)) :- true(cell(X,Y,stone)).
next(cell(X,Y,stone)) :- does(_,put(X,Y)).
next(step(N+1)) :- true(step(N)), N < 40.
terminal :- true(step(40)).
goal(R,0) :- role(R).
#program board.
base(step(1..40)).
board_constants("width","height").
allowed("width",1..26). allowed("height",1..26).
glyph(stone,"S").
fen_field(2,N,step(N)) :- N = 1..40.
notation(put,"@").
#program position.
refused("no stone stands on {} where {} is the last step",((1,1),39)) :-
    true(cell(1,1,stone)), true(step(39)).
"""


@pytest.fixture(scope="module")
def stones(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return write(STONES, tmp_path_factory.mktemp("stones"))


def wrong_if(condition: Condition) -> Change:
    """Says that the game is over where it isn't, and the other way round, under a condition."""
    return lambda q, answer: (
        replace(answer, terminal=not answer.terminal) if condition(q) else answer
    )


class Alone(Shrinker):
    """A shrinker whose passes are run one by one."""

    def __init__(self, change: Change, question: Question, **attributes: bool) -> None:
        self.told: list[int] = []
        judge = Judge(Changed(change, **attributes), None)
        found = judge.disagreement(question)
        assert found
        super().__init__(judge, Budget(60), self.told.append)
        self._first = self._best = found

    @property
    def best(self) -> Question:
        """What the disagreement is about by now."""
        return self._best.question

    @property
    def last_tried(self) -> Question:
        return list(self._tried)[-1]


def stands(square: str, fact: str = "white") -> Condition:
    return lambda question: f"cell({square},{fact})" in question.after


def position(game: Game, *facts: str, made: bool = True) -> Question:
    return asked(game, game.from_facts(facts).facts, made=made)


# --- an engine that answers alike -----------------------------------------------------------------


def test_what_is_asked_again_must_be_answered_as_before() -> None:
    """A question that was agreed on, if there is one, and then the one that wasn't."""
    start, later = played(SMALL), played(SMALL, "c2xb3")
    shrinker = Alone(wrong_if(lambda question: bool(question.turns)), later)
    shrinker.confirm(shrinker._best, None)
    shrinker.confirm(shrinker._best, start)
    with pytest.raises(EngineFailed, match="doesn't repeat its answer"):
        shrinker.confirm(shrinker._best, later)
    shrinker._judge = Judge(Changed(lambda _, answer: answer), None)
    for agreed in (None, start):
        with pytest.raises(EngineFailed, match="doesn't repeat its answer"):
            shrinker.confirm(shrinker._best, agreed)


# --- play less ------------------------------------------------------------------------------------

ROUNDS = ("a2-a3", "c5-c4", "c2-c3", "a5-a4", "b2-b3")


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_where_positions_are_set_up_the_last_turns_are_kept(kept: int) -> None:
    def wrong(question: Question) -> bool:
        return len(question.turns) >= kept and stands("1,3")(question)

    found = shrunk(wrong_if(wrong), played(GAME, *ROUNDS[:4])).question
    assert (len(found.turns), found.made) == (kept, True)
    assert sum(fact.startswith("cell") for fact in found.facts) <= 1 + kept


@pytest.mark.parametrize(
    ("needed", "left"),
    [
        (set(), []),
        ({"a2-a3", "a5-a4"}, ["a2-a3", "a5-a4"]),
        ({"c2-c3", "c5-c4"}, ["c2-c3", "c5-c4"]),
        ({"a2-a3", "b2-b3", "a5-a4"}, ["a2-a3", "a5-a4", "b2-b3"]),
        ({"c2-c3", "b2-b3", "c5-c4", "b5-b4"}, ["c2-c3", "c5-c4", "b2-b3", "b5-b4"]),
        ({"b2-b3"}, ["b2-b3"]),
        ({"c2-c3", "a5-a4", "c5-c4", "a2-a3"}, ["a2-a3", "c5-c4", "c2-c3", "a5-a4"]),
    ],
)
def test_where_they_are_not_turns_of_each_side_are_left_out(
    needed: set[str], left: list[str]
) -> None:
    wrong = wrong_if(lambda question: needed <= set(question.texts()))
    game = [*ROUNDS, *{"b5-b4"} & needed]
    found = shrunk(wrong, played(GAME, *game), sets_up=False).question
    assert found.texts() == left
    assert found.facts == GAME.initial.facts
    assert not found.made


def test_a_shorter_game_is_found_that_comes_to_the_same() -> None:
    """No round of this capture can be left out, but another capture takes three plies."""
    game = ("a2-a3", "c5-c4", "a3-a4", "c4-c3", "b2xc3")
    wrong = wrong_if(
        lambda q: len([f for f in q.after if f[:4] == "cell" and f.endswith("black)")]) == 5
    )
    found = shrunk(wrong, played(GAME, *game), sets_up=False).question
    assert len(found.turns) == 3


@pytest.mark.parametrize(
    ("game", "condition", "left"),
    [
        (("a2-b3", "a5-a4", "a1-a2", "b5-b4", "b3-c4", "a6-a5"), stands("3,4"), 4),
        (ROUNDS[:2], lambda _: True, 0),
    ],
)
def test_a_game_anew_has_a_whole_round_less(
    game: Sequence[str], condition: Condition, left: int
) -> None:
    shrinker = Alone(wrong_if(condition), played(GAME, *game), sets_up=False)
    shrinker._played_anew()
    assert len(shrinker.best.turns) == left


def test_a_game_that_ends_early_is_no_shorter_one() -> None:
    long = ("c2xb3", "c4xb3", "b2xa3", "b4xa3", "b1-b2", "b3xa2")
    question = played(SMALL, *long)
    wrong = wrong_if(lambda q: len(q.turns) == len(long))
    assert shrunk(wrong, question, sets_up=False).question == question


# --- take away ------------------------------------------------------------------------------------


def test_chunks_are_left_out_from_half_of_all_to_single_units() -> None:
    tried: list[str] = []

    def keep(rest: Sequence[str]) -> bool:
        tried.append("".join(rest))
        return {"c", "h"} <= set(rest)

    leave_out("abcdefgh", keep)
    assert tried == ["efgh", "abcd", "cdefgh", "efgh", "cdgh", "cd", "dgh", "cgh", "ch", "c"]
    tried.clear()
    leave_out("abcdefgh", keep, unit=2)
    assert tried == ["efgh", "abcd", "cdefgh", "efgh", "cdgh", "cd"]
    for whole, unit, expected in (("h", 1, [""]), ("", 1, []), ("abc", 2, ["c", "ab"])):
        tried.clear()
        leave_out(whole, keep, unit)
        assert tried == expected


def test_facts_are_taken_away_until_one_is_left(tmp_path: Path) -> None:
    """Of none there is no position."""
    game = write("role(a). init((x;y)). to_move(a). legal(a,m). base(x). base(y).", tmp_path)
    found = shrunk(wrong_if(lambda _: True), asked(game, ("x", "y"), made=True))
    assert found.question.facts == ("y",)


# --- draw anew ------------------------------------------------------------------------------------


def test_two_pieces_that_are_right_alone_are_put_elsewhere(stones: Game) -> None:
    """Three are wrong anywhere, and two only beside each other."""

    def wrong(question: Question) -> bool:
        found = [fact for fact in question.after if fact.startswith("cell")]
        columns = sorted(int(fact[5]) for fact in found)
        return len(found) > 2 or (len(found) == 2 and columns[1] - columns[0] == 1)

    apart = [f"cell({x},1,stone)" for x in (1, 3, 5)]
    found = shrunk(wrong_if(wrong), position(stones, *apart, "control(white)", "step(1)"))
    assert sum(fact.startswith("cell") for fact in found.question.facts) == 2


def test_a_piece_less_and_the_others_anywhere(stones: Game) -> None:
    """Until a draw succeeds; facts that aren't pieces stay."""
    question = position(stones, "cell(1,1,stone)", "cell(2,1,stone)", "control(black)", "step(7)")
    lower = wrong_if(lambda q: {"control(black)", "step(7)"} <= set(q.after) and not high(q))

    def high(question: Question) -> bool:
        """A single stone stands where it isn't wrong: above the lowest rank."""
        rows = [fact[7] for fact in question.after if fact.startswith("cell")]
        return len(rows) == 1 and rows != ["1"]

    shrinker = Alone(lower, question)
    shrinker._drawn_anew()
    (stone, *rest) = shrinker.best.facts
    assert (stone[6:], rest) == (",1,stone)", ["control(black)", "step(7)"])
    assert shrinker.last_tried == shrinker.best
    assert 1 < shrinker.tried < 20


@pytest.mark.parametrize(("count", "left"), [(1, 1), (2, 1), (6, 5), (7, 7)])
def test_there_are_some_pieces_and_not_too_many(stones: Game, count: int, left: int) -> None:
    squares = [(x, y) for y in (1, 2) for x in range(1, 6)][:count]
    stones_there = [f"cell({x},{y},stone)" for x, y in squares]
    question = position(stones, *stones_there, "control(white)", "step(7)")
    shrinker = Alone(wrong_if(lambda _: True), question)
    shrinker._drawn_anew()
    assert len(shrinker.best.facts) == left + 2


def test_what_can_not_stand_on_a_square_is_not_put_there(tmp_path: Path) -> None:
    text = """
        role(a). to_move(a). legal(a,m). init(cell(1,1,red)). next(F) :- true(F).
        base(cell(1..2,1,(red;blue))). base(cell(3..9,1,red)).
    """
    game = write(text, tmp_path)
    facts = ("cell(1,1,blue)", "cell(3,1,red)", "cell(4,1,red)")
    shrinker = Alone(
        wrong_if(lambda q: q.after == facts or "cell(2,1,blue)" in q.after),
        asked(game, facts, made=True),
    )
    shrinker._drawn_anew()
    assert "cell(2,1,blue)" in shrinker.best.facts
    assert len(shrinker.best.facts) <= 2


def test_where_it_needs_a_turn_one_is_drawn(stones: Game) -> None:
    facts = stones.from_facts(["cell(1,1,stone)", "cell(2,1,stone)", "control(white)"]).facts
    after = stones.state(facts).play("put(3,3)").facts
    question = Question(stones, facts, (("put(3,3)",),), after, True)
    shrinker = Alone(wrong_if(lambda q: len(q.turns) == 1), question)
    shrinker._drawn_anew()
    assert len(shrinker.best.turns) == 1
    assert sum(fact.startswith("cell") for fact in shrinker.best.facts) == 1
    still = Alone(wrong_if(lambda q: not q.turns), asked(stones, facts, made=True))
    still._drawn_anew()
    assert sum(fact.startswith("cell") for fact in still.best.facts) == 1


# --- turn counters back ---------------------------------------------------------------------------


@pytest.mark.parametrize("least", [1, 2, 3, 17, 35, 36, 37])
def test_a_counter_is_turned_back_as_far_as_it_goes(stones: Game, least: int) -> None:
    def wrong(question: Question) -> bool:
        steps = (int(fact[5:-1]) for fact in question.after if fact.startswith("step"))
        return max(steps, default=0) >= least

    question = position(stones, "cell(4,3,stone)", "control(black)", "step(37)")
    found = shrunk(wrong_if(wrong), question).question
    assert found.facts == ("control(black)", f"step({least})")


# --- a smaller board ------------------------------------------------------------------------------


def test_smaller_boards_begin_with_the_smallest(stones: Game) -> None:
    def sizes(game: Game) -> list[tuple[int, int]]:
        boards = [found.board for found in smaller_games(game)]
        return [(board.width, board.height) for board in boards if board]

    small = game_of_encoding(stones.encoding, {"width": 3, "height": 2})
    assert sizes(small) == [(1, 1), (1, 2), (2, 1), (3, 1), (2, 2)]
    assert sizes(aspgames.load("breakthrough", width=4, height=5)) == [
        (2, 4),
        (2, 5),
        (3, 4),
        (3, 5),
        (4, 4),
    ]
    assert sizes(aspgames.load("skirmish")) == []


def test_without_a_board_there_is_no_smaller_one(tmp_path: Path) -> None:
    game = write("role(a). init(x). to_move(a). legal(a,m).", tmp_path)
    assert game.board is None
    assert list(smaller_games(game)) == []


def test_pieces_and_moves_go_elsewhere_and_all_else_stays() -> None:
    before = ("cell(2,3,white)", "cell(3,4,black)", "control(white)")
    after = ("cell(3,1,white)", "cell(4,2,black)", "control(white)")
    assert shifted_pieces(GAME.vocabulary, before, GAME.vocabulary, 1, -2) == after
    assert moved_turn(GAME, ("move(2,3,3,4)", "noop"), 1, -2) == ("move(3,1,4,2)", "noop")


@pytest.mark.parametrize(
    ("square", "wanted", "size", "step"),
    [
        ((5, 4), (1, 1), (1, 1), 7),
        ((1, 1), (3, 2), (3, 2), 7),
        ((5, 4), (1, 3), (1, 3), 7),
        ((3, 2), (4, 1), (4, 1), 7),
        ((4, 3), (2, 1), (2, 1), 39),  # where a stone on a1 is refused
    ],
)
def test_pieces_go_anywhere_on_a_smaller_board(
    stones: Game, square: tuple[int, int], wanted: tuple[int, int], size: tuple[int, int], step: int
) -> None:
    def wrong(question: Question) -> bool:
        x, y = square if question.game == stones else wanted
        return {f"cell({x},{y},stone)", f"step({step})"} <= set(question.after)

    held = f"cell({square[0]},{square[1]},stone)", "control(white)", f"step({step})"
    found = shrunk(wrong_if(wrong), position(stones, *held)).question
    assert found.facts == (f"cell({wanted[0]},{wanted[1]},stone)", *held[1:])
    board = found.game.board
    assert board
    assert (board.width, board.height) == size


def test_a_position_without_pieces_stays_on_its_board(stones: Game) -> None:
    question = position(stones, "control(white)", "step(7)")
    assert shrunk(wrong_if(lambda q: "step(7)" in q.after), question).question == question


@pytest.mark.parametrize("how", ["doesn't have", "refuses", "disagrees on", "has"])
def test_boards_on_which_the_engine_is_another_game_are_left_alone(
    stones: Game, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those on which it doesn't agree at the start: it is asked once for each."""
    asked_at_the_start: list[Game] = []

    def narrow(game: Game) -> bool:
        return int(game.constants["width"]) < 3

    def answer(question: Question, right: Answer) -> Answer | Refusal:
        if question.after == question.game.initial.facts:
            asked_at_the_start.append(question.game)
            if narrow(question.game) and how == "refuses":
                return Refusal("no")
            if narrow(question.game) and how == "disagrees on":
                return replace(right, goals={"white": 7})
            return right
        stone = any(fact.startswith("cell") for fact in question.after)
        return replace(right, terminal=not right.terminal) if stone else right

    has = Changed.check

    def check(engine: Changed, game: Game) -> None:
        if narrow(game) and how == "doesn't have":
            raise BadRequest("no")
        has(engine, game)

    monkeypatch.setattr(Changed, "check", check)
    question = position(stones, "cell(2,2,stone)", "control(white)", "step(7)")
    found = shrunk(answer, question).question
    width = 1 if how == "has" else 3
    assert dict(found.game.constants) == {"width": width, "height": 1}
    assert len(asked_at_the_start) == len(set(asked_at_the_start))


# --- what is kept ---------------------------------------------------------------------------------


def test_other_answers_count_where_the_engine_refuses_to_be_set_up() -> None:
    def none_set_up(question: Question, answer: Answer) -> Answer | Refusal:
        return replace(answer, terminal=True) if question.turns else Refusal("no")

    found = shrunk(none_set_up, played(GAME, "a2-a3", made=True))
    assert (found.kind, len(found.question.turns), len(found.question.facts)) == ("terminal", 1, 3)


def test_no_question_is_asked_twice() -> None:
    questions: list[Question] = []

    def wrong(question: Question, answer: Answer) -> Answer:
        questions.append(question)
        is_wrong = {"cell(1,2,white)", "cell(3,3,black)"} <= set(question.after)
        return replace(answer, terminal=answer.terminal != is_wrong)

    judge = Judge(Changed(wrong), None)
    found = judge.disagreement(played(SMALL, "c2xb3"))
    assert isinstance(found, Disagreement)
    told: list[int] = []
    shrinker = Shrinker(judge, Budget(60), told.append)
    shrinker.shrink(found)
    assert told == list(range(1, shrinker.tried + 1))
    assert shrinker.tried > 10
    assert len(questions) == len(set(questions))
