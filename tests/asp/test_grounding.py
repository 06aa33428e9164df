"""What clingo calls while it grounds: a Ctrl-C there, and operations that leave 32 bits."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import clingo
import pytest
from clingo import Number, String

from aspgames.asp.grounding import Context, ground, parse_statements
from aspgames.asp.kept_program import complaints
from aspgames.asp.parsing import parse
from aspgames.asp.sources import Source
from aspgames.runtime.budget import interrupt, resume
from aspgames.runtime.errors import Interrupted, RulesError


class Lost:
    """Presses Ctrl-C within a call from clingo, which then reports another error."""

    def __getattr__(self, _name: str) -> object:
        return self

    def __call__(self, *_arguments: object, **_named: object) -> object:
        with contextlib.suppress(Interrupted):
            interrupt()
        raise RuntimeError("no message")


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    resume()


def test_a_ctrl_c_is_never_an_error_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    statements = parse_statements("p(@count()).")
    context = Context({}, count=Lost())  # type: ignore[arg-type]
    with pytest.raises(Interrupted):
        ground({}, statements, context)
    resume()
    monkeypatch.setattr(clingo.Control, "ground", Lost())
    with pytest.raises(Interrupted):
        complaints(statements)
    resume()
    monkeypatch.setattr("clingo.ast.parse_string", Lost())
    with pytest.raises(Interrupted):
        list(parse(Source(Path("rules.lp"), "p.")))


@pytest.mark.parametrize(
    "large", [("*", 60_000, 60_000), ("*", 3_000_000, 1_000), ("**", 60_000, 1_000)]
)
def test_an_operation_that_fits_says_nothing_of_others(large: tuple[str, int, int]) -> None:
    context = Context({})
    sign, *numbers = large
    for _ in range(2):
        assert context.arithmetic(
            String("a.lp:1"), String("*"), Number(60_000), Number(1_000)
        ) == Number(0)
        with pytest.raises(RulesError, match=r"^a\.lp:1: .* is too large"):
            context.arithmetic(String("a.lp:1"), String(sign), *map(Number, numbers))
