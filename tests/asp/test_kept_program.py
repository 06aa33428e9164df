"""Programs kept as text give the answers of those that were prepared."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import clingo
import pytest

import aspgames
from aspgames.asp.clingo_api import AST
from aspgames.asp.grounding import parse_statements
from aspgames.asp.kept_program import KeptQuery
from aspgames.gdl.reasoner.grounder import Grounder
from aspgames.propnet.open_grounding import OpenProgram


class Kept:
    """A cache of one answer."""

    text: str | None = None

    def __call__(self, ask: Callable[[], Any]) -> Any:
        self.text = self.text or json.dumps(ask())
        return json.loads(self.text)


def lost() -> Sequence[AST]:
    raise AssertionError("the statements are asked for again")


@pytest.mark.parametrize("name", ["breakthrough", "chess", "checkers", "bulls_and_cows"])
def test_a_kept_program_is_grounded_to_the_same_rules(name: str) -> None:
    game, recall = aspgames.load(name), Kept()
    rules = game.rules
    encoding, constants = rules.encoding, rules.constants
    first = OpenProgram(lambda: encoding.checked(constants, "base"), constants, recall)
    again = OpenProgram(lost, constants, recall)
    assert again._program.statements is not first._program.statements
    one, other = (program.ground((), game.initial.facts, False).shown for program in (first, again))
    assert one == other


def test_later_processes_need_no_syntax_trees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASPGAMES_CACHE", str(tmp_path))
    game = aspgames.load("skirmish")
    state = game.initial
    first = Grounder(game.rules)
    told = first.consequences(state.facts)
    later = Grounder(game.rules)
    monkeypatch.setattr(type(game.encoding), "checked", lost)
    assert later.consequences(state.facts) == told
    with pytest.raises(TypeError):
        later.successor(state.facts, {})  # this program isn't kept yet


@pytest.mark.parametrize(
    ("text", "wanted", "is_kept"),
    [
        ('a(X,-1) :- b(X). b((1,f("x y"))). c(X) :- a(X,_), true(_).', ("c", 1), True),
        ("'odd(X) :- true(X). c(X) :- 'odd(X), not true(2).", ("c", 1), True),
        ("c(Y) :- true(X).", ("c", 1), False),  # unsafe: the message names the file's line
        ("c(f(" + 70 * "f(" + "1" + 70 * ")" + ")).", ("c", 1), False),
    ],
)
def test_what_is_kept(text: str, wanted: tuple[str, int], is_kept: bool) -> None:
    recall = Kept()

    def ask() -> Sequence[AST]:
        return parse_statements(text)

    queries = [KeptQuery(ask, {}, [wanted], recall) for _ in range(2)]
    assert (recall.text != "null") == is_kept
    if is_kept:
        one, other = (query([clingo.Number(1)]) for query in queries)
        assert one[wanted] == other[wanted] != []


def test_only_the_atoms_that_a_state_needs_are_kept() -> None:
    """Checks of arithmetic, and the tables from which others are made, may be very many."""
    text = "a(1..9). b(X) :- a(X), X > 7. d(0). c(X) :- true(X), b(X)."
    query = KeptQuery(lambda: parse_statements(text), {}, [("c", 1), ("d", 1)], Kept())
    assert query.static.keys() == {("b", 1), ("d", 1)}
    assert [*map(str, query([clingo.Number(8)])["c", 1])] == ["c(8)"]
