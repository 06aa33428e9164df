"""All code that reads, describes or checks goals knows every kind of goal."""

import json
import re
from importlib import resources

import pytest

from aspgames import BadRequest
from aspgames.puzzle.goal import GOAL_LIST, GOAL_MEANINGS, GOAL_TEXTS, Goal, GoalKind
from aspgames.puzzle.proof import situations
from cli_helpers import Call
from paths import ROOT

GOALS = [Goal(kind, 20 * (kind is GoalKind.SCORE)) for kind in GoalKind]
SCHEMA = json.loads((ROOT / "docs/schemas/puzzle.schema.json").read_text())["properties"]["goal"]


def test_each_kind_is_read_as_it_is_written() -> None:
    assert [goal.kind for goal in GOALS] == list(GoalKind)
    for goal in GOALS:
        assert Goal.parse(goal.text) == goal
        assert re.search(SCHEMA["pattern"], goal.text)
    assert all(re.search(SCHEMA["pattern"], score) for score in ("score", "score:7"))


@pytest.mark.parametrize("text", ["", "loss", "Trap", "win\n", "score>=", "score>=-1", 7, None])
def test_an_unknown_kind_is_refused(text: object) -> None:
    with pytest.raises(BadRequest, match=f"the goal must be {GOAL_LIST}, not "):
        Goal.parse(text)


def test_no_schema_lists_the_kinds() -> None:
    texts = {file.name: file.read_text() for file in ROOT.glob("docs/schemas/*.json")}
    assert not [name for name, text in texts.items() if "stalemate" in text]


@pytest.mark.parametrize("verb", ["solve", "compose", "match"])
def test_the_help_names_all_kinds(verb: str, call: Call) -> None:
    text = " ".join(call(verb, "--help").out.split())
    assert f"{GOAL_LIST} (also score:N)" in text
    if verb == "solve":
        assert all(meaning in text for meaning in GOAL_MEANINGS)


def test_the_docs_explain_all_kinds() -> None:
    text = (ROOT / "docs/puzzles.md").read_text().replace('"', "")
    assert all(f"\n| `{name}` |" in text for name in GOAL_TEXTS)


def test_the_checker_has_a_part_for_each_kind() -> None:
    text = (resources.files(situations.__package__) / "puzzle.lp").read_text(encoding="utf-8")
    for kind in GoalKind:
        assert re.search(rf"^#program {kind}\(k\)\.\nreached\(P,k\) :- ", text, re.MULTILINE)


def test_the_words_for_each_kind() -> None:
    told = {goal.kind: goal.words("Black", "White") for goal in GOALS}
    assert not any("{" in text for words in told.values() for text in words)
    for kind, words in {
        "trap": ("force a trap", "trap Black", "trapping Black", "trapped Black"),
        "win": ("win", "win", "winning", "won"),
        "lose": ("force its own loss", "lose", "losing", "lost"),
        "draw": ("force a draw", "draw", "drawing", "drawn"),
        "stalemate": (
            "force a stalemate",
            "stalemate Black",
            "stalemating Black",
            "stalemated Black",
        ),
        "score": ("score 20 points", "score 20 points", "scoring 20 points", "scored 20 points"),
    }.items():
        found = told[GoalKind(kind)]
        assert (found.force, found.do, found.doing, found.done) == words
    assert Goal(GoalKind.SCORE, 1).words().force == "score 1 point"
