"""An engine that can't be given positions: its disagreements are made small by playing less."""

import shlex
from dataclasses import replace

import pytest

import aspgames
from aspgames.asp.sources import encodings_folder
from aspgames.crosscheck.engines import engine_names
from aspgames.crosscheck.engines.engine import Answer, Question, Refusal
from aspgames.crosscheck.engines.openspiel_engine import OpenSpielEngine
from aspgames.crosscheck.engines.turn_labels import label_of
from cli_helpers import Call, check
from crosscheck_helpers import go, the_one

pytest.importorskip("pyspiel")


class Planted(OpenSpielEngine):
    """OpenSpiel, where nothing on c4 can move."""

    def answer(self, question: Question) -> Answer | Refusal:
        answer = super().answer(question)
        assert isinstance(answer, Answer)
        return replace(
            answer, turns=frozenset(t for t in answer.turns or () if not t.startswith("c4 "))
        )


@pytest.mark.parametrize("seed", [0, 2])
def test_turns_are_left_out(seed: int) -> None:
    result = go(aspgames.load("breakthrough"), Planted(), games=5, made=0, seed=seed)
    found = the_one(result)
    assert found.kind == "legal"
    assert not found.extra
    assert all(label.startswith("c4 ") for label in found.missing)
    # White comes to c4 in two turns, Black in three; the other side does something meanwhile.
    assert len(found.question.turns) == (4 if "control(white)" in found.question.after else 7)
    assert len(result.findings[0].met.question.turns) >= 6


@pytest.mark.slow
def test_the_report_shows_where_the_game_ends(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_names, "open_engine", lambda *_: Planted())
    found = call("crosscheck", "breakthrough", "--against", "openspiel", "--seed", "1")
    assert found.code == 1
    board = found.out.split("\n\n")[1].splitlines()
    assert "[P]" in board[4], "the piece on c4, in brackets"
    assert "Played:   from the start, " in found.out
    assert "4 are left after" in found.out
    again = shlex.split(found.out.partition("Again:")[2].splitlines()[0])
    report = check(call(*again[1:], "--json").json, "crosscheck")
    assert len(report["disagreements"][0]["moves"]) == 4


def after(name: str, *moves: str) -> tuple[set[str], frozenset[str]]:
    """The turns after some moves, by our rules and by OpenSpiel."""
    state = start = aspgames.load(name).initial
    turns = []
    for move in moves:
        turns.append((str(state.joint(move)[str(state.to_move)]),))
        state = state.play(move)
    question = Question(start.game, start.facts, tuple(turns), state.facts)
    answer = OpenSpielEngine().answer(question)
    assert isinstance(answer, Answer)
    assert answer.to_move == state.to_move
    return {
        label_of(state.game, (move.term,)) for move in state.legal_moves
    }, answer.turns or frozenset()


def test_moves_in_algebraic_notation_are_read_by_the_encodings_own_short_moves() -> None:
    rules, theirs = after("chess", "e4", "d5", "Nf3", "d4", "Be2", "h5", "c4")
    assert {"d4 c3", "d8 d7", "h8 h6"} <= rules  # en passant, too
    assert theirs == rules
    rules, theirs = after(
        "chess", "e4", "d5", "exd5", "c6", "dxc6", "Nf6", "cxb7", "Nd5", "Nf3", "e6", "Bc4", "h6"
    )
    assert {"b7 a8=q", "b7 c8=n", "e1 g1"} <= rules
    assert theirs == rules


def test_openspiel_lets_antichess_decline_to_capture_en_passant() -> None:
    antichess = str(encodings_folder() / "gallery/fairy/antichess.lp")
    rules, theirs = after(antichess, "e4", "h6", "e5", "d5")
    assert rules == {"e5 d6"}
    assert len(theirs) > 20
    rules, theirs = after(antichess, "e4", "d5", "exd5", "Qxd5", "Nc3")
    assert rules == theirs
