"""What the cross-check calls a disagreement, and what it makes of one, to the letter."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

import aspgames
from aspgames.crosscheck.compare.disagreement import Compared, Disagreement, Judge
from aspgames.crosscheck.crosscheck_report import finding_text
from aspgames.crosscheck.engines.engine import Answer, Question, Refusal, asked
from aspgames.crosscheck.reduce.shrinker import Shrinker
from aspgames.runtime.budget import Budget
from crosscheck_helpers import SMALL, Change, Changed, changing, go, played, shrunk


def compared(change: Change, *questions: Question, **attributes: bool) -> list[Compared]:
    return list(Judge(Changed(change, **attributes), "propnet").compare(questions))


def disagreement(answer: Change, question: Question) -> Disagreement:
    (one,) = compared(answer, question)
    assert one.disagreement
    assert not one.skipped
    return one.disagreement


GAP = asked(SMALL, SMALL.position("3/p1p/1P1/3 w").facts)
WHITE = {"move(2,2,1,3)", "move(2,2,2,3)", "move(2,2,3,3)"}


# --- comparing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "kind", "missing", "extra"),
    [
        ({"facts": GAP.after[1:]}, "facts", GAP.after[:1], ()),
        ({"facts": (*GAP.after, "x")}, "facts", (), ("x",)),
        ({"facts": None, "placed": ("cell",)}, "facts", GAP.after[:3], ("cell",)),
        ({"to_move": "black"}, "to_move", ("white",), ("black",)),
        ({"terminal": True}, "terminal", ("going on",), ("over",)),
        ({"legal": {"white": WHITE - {"move(2,2,2,3)"}}}, "legal", ("move(2,2,2,3)",), ()),
        ({"legal": {"white": WHITE | {"a", "b"}}}, "legal", (), ("a", "b")),
        ({"legal": {"white": WHITE, "black": set()}}, "legal", ("noop",), ()),
        ({"legal": {"white": WHITE, "red": {"c"}}}, "legal", (), ("c",)),
        ({"legal": None, "turns": WHITE - {"move(2,2,1,3)"}}, "legal", ("move(2,2,1,3)",), ()),
        ({"goals": {"white": 0, "black": 5}}, "goals", ("black 0",), ("black 5",)),
        ({"goals": {"white": 0}}, "goals", ("black 0",), ()),
    ],
)  # fmt: skip
def test_what_is_missing_and_what_is_extra(
    fields: dict[str, Any], kind: str, missing: tuple[str, ...], extra: tuple[str, ...]
) -> None:
    found = disagreement(changing(**fields), GAP)
    assert (found.kind, found.missing, found.extra) == (kind, missing, extra)
    assert found.sort == (kind, bool(missing), bool(extra))
    assert set(found.options or ()) == WHITE
    assert isinstance(found.ours, Answer)
    assert isinstance(found.theirs, Answer)
    assert found.ours.terminal is False


def test_what_decides_the_rest_is_named_first() -> None:
    wrong = {
        "facts": (),
        "to_move": "black",
        "terminal": True,
        "legal": {"white": set()},
        "goals": {},
    }
    kinds = list(wrong)
    for kind in kinds:
        assert disagreement(changing(**wrong), GAP).kind == kind
        del wrong[kind]
    silent = dict.fromkeys([*kinds, "placed", "turns"])
    assert compared(changing(**silent), GAP)[0].disagreement is None
    assert compared(changing(), GAP) == [Compared(GAP, {move: (move,) for move in WHITE})]


def test_what_is_not_said_of_a_finished_game_is_not_held_against_an_engine() -> None:
    over = asked(SMALL, SMALL.position("1P1/3/p2/3 b").facts)
    (found,) = compared(changing(terminal=None, goals=None), over)
    assert not found.disagreement


def test_an_answer_too_few_is_a_defect() -> None:
    """Engines see to it that each question has its answer, or fail."""

    class Short(Changed):
        def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
            yield from super().answers(questions[1:])

    with pytest.raises(ValueError, match="shorter"):
        list(Judge(Short(changing()), "propnet").compare([GAP, GAP]))


def test_who_leads_has_not_won_yet() -> None:
    """The goals of a game that goes on say nothing of its end."""
    skirmish = aspgames.load("skirmish")
    position = skirmish.position("7k/8/2#2#2/8/3R4/2#2#2/8/K7 w 3 0 9")
    judge = Judge(Changed(changing(), plays_on=True), "grounder")
    (found,) = judge.compare([asked(skirmish, position.facts, made=True)])
    assert not found.skipped


def test_each_question_has_its_own_answer() -> None:
    """Also beside others, and in their order; none has no answers."""
    questions = [asked(SMALL, SMALL.initial.play(move).facts) for move in SMALL.initial.legal_moves]

    def wrong(question: Question, answer: Answer) -> Answer:
        return replace(answer, terminal=True) if question in questions[1:3] else answer

    found = compared(wrong, *questions)
    assert [one.question for one in found] == questions
    assert [bool(one.disagreement) for one in found] == [q in questions[1:3] for q in questions]
    assert compared(wrong) == []


@pytest.mark.parametrize(
    ("made", "turns", "kind"),
    [(True, (), None), (True, (("move(2,2,2,3)",),), "refused"), (False, (), "refused")],
)
def test_only_what_is_made_up_may_be_refused(made: bool, turns: Any, kind: str | None) -> None:
    after = SMALL.state(GAP.facts).play("b2-b3").facts if turns else GAP.facts
    question = Question(SMALL, GAP.facts, turns, after, made)
    (found,) = compared(lambda _question, _answer: Refusal("no"), question)
    assert found.skipped == ("refused: no" if kind is None else "")
    assert (found.disagreement.kind if found.disagreement else None) == kind
    judge = Judge(Changed(lambda q, a: a if q.made else Refusal("no")), "propnet")
    assert judge.accepts(question)
    assert not Judge(Changed(lambda _q, _a: Refusal("no")), "propnet").accepts(question)


@pytest.mark.parametrize("plays_on", [True, False])
@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize(
    ("fen", "won"), [("1P1/3/p2/3 w", True), ("1P1/3/p2/3 b", False), ("3/1P1/p2/3 w", False)]
)
def test_who_plays_on_is_not_asked_where_the_side_on_move_has_won(
    fen: str, won: bool, made: bool, plays_on: bool
) -> None:
    question = asked(SMALL, SMALL.position(fen).facts, made=made)
    (found,) = compared(changing(goals={}), question, plays_on=plays_on)
    assert bool(found.skipped) == (won and made and plays_on)
    assert bool(found.disagreement) == (not found.skipped)


# --- making it small ------------------------------------------------------------------------------


PIECES = {"cell(1,2,white)", "cell(3,3,black)"}


def wrong_with(pieces: set[str], **fields: Any) -> Change:
    """Wrong where some facts hold."""
    return lambda q, answer: replace(answer, **fields) if pieces <= set(q.after) else answer


def test_only_what_it_takes_is_left() -> None:
    """Two pieces on certain squares, and no move."""
    found = shrunk(wrong_with(PIECES, terminal=True), played(SMALL, "c2xb3"))
    assert found.question.facts == found.question.after == (*sorted(PIECES), "control(black)")
    assert (found.kind, found.question.turns) == ("terminal", ())


def test_another_disagreement_is_not_taken_for_the_same() -> None:
    """Neither one of another kind nor one that lacks what the first has besides."""
    more = GAP.after

    def wrong(question: Question, answer: Answer) -> Answer:
        legal = dict(answer.legal or {})
        if more == question.after:
            return replace(answer, legal=legal | {"white": legal["white"] | {"more"}})
        if len(question.after) == len(more) - 1 and not answer.terminal:
            return replace(answer, legal=legal | {"white": frozenset({"more"})})
        return replace(answer, terminal=True)

    found = shrunk(wrong, GAP)
    assert found.question.after == GAP.after
    assert (found.missing, found.extra) == ((), ("more",))


def test_extra_moves_are_not_taken_for_missing_ones() -> None:
    def wrong(question: Question, answer: Answer) -> Answer:
        legal = dict(answer.legal or {})
        white = set(sorted(legal["white"])[1:])
        if question.after != GAP.after:
            white.add("x")
        return replace(answer, legal=legal | {"white": frozenset(white)})

    assert shrunk(wrong, GAP).question.after == GAP.after


def test_a_refusal_counts_only_where_the_engine_takes_the_position() -> None:
    """It refuses what follows from a certain move, and anything with fewer than four pieces."""

    def wrong(question: Question, answer: Answer) -> Answer | Refusal:
        few = len(question.facts) < 5
        return Refusal("no") if few or "cell(1,3,white)" in question.after else answer

    found = shrunk(wrong, played(SMALL, "b2xa3"))
    assert found.kind == "refused"
    assert len(found.question.facts) == 5
    assert found.question.turns == (("move(2,2,1,3)",),)


def test_what_an_interruption_leaves_is_a_disagreement() -> None:
    judge = Judge(Changed(wrong_with(PIECES, terminal=True)), None)
    found = judge.disagreement(played(SMALL))
    assert found
    assert Shrinker(judge, Budget(1e-9)).shrink(found) is found


def test_a_disagreement_is_found_among_many_that_agree() -> None:
    result = go(SMALL, Changed(wrong_with({"cell(2,3,white)"}, goals={"white": 7})), games=2)
    (finding,) = result.findings
    assert finding.shrunk.kind == "goals"
    piece, side = finding.shrunk.question.after
    assert piece == "cell(2,3,white)"
    assert side.startswith("control(")


# --- answers of another form, and mistakes that no line decides -----------------------------------


def renamed(answer: Answer) -> Answer:
    legal = (answer.legal or {}).items()
    moves = {role: frozenset(m.replace("mov", "go") for m in its) for role, its in legal}
    return replace(answer, legal=moves)


def of_squares(answer: Answer) -> Answer:
    return replace(answer, facts=tuple(f.replace("cell", "square") for f in answer.facts or ()))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (renamed, "no rule has a move of the form goe("),
        (of_squares, "the game has no fluent of the form square("),
        (lambda answer: replace(answer, to_move="W"), "W is not a role; the roles are "),
    ],
)
def test_an_answer_of_another_form(change: Callable[[Answer], Answer], said: str) -> None:
    result = go(SMALL, Changed(lambda _question, answer: change(answer)), games=3, made=5)
    (finding,) = result.findings
    text = finding_text(result, finding)
    assert f"Form:     {said}" in text
    assert "Decided by" not in text
    assert "By the rules" not in text


@pytest.mark.parametrize("is_exchanged", [False, True])
def test_no_line_decides_what_no_line_says(is_exchanged: bool) -> None:
    def wrong(_question: Question, answer: Answer) -> Answer:
        white, black = (answer.goals or {}).values()
        goals = {"white": black, "black": white} if is_exchanged else {"white": 50, "black": black}
        return replace(answer, goals=goals)

    (finding,) = go(SMALL, Changed(wrong), games=20, made=50).findings
    assert finding.shrunk.kind == "goals"
    assert all("goal(" in deciding.line.rule for deciding in finding.lines)
