"""Constants and terms that make no sense are refused, with file and line."""

from pathlib import Path

import pytest

import aspgames
from aspgames import RulesError
from cli_helpers import Call, assert_refused

GAME = "role(a). init(x). legal(a,m). next(x).\n"
BAD = [
    ("#const w=99999999999999.", "own.lp:2: 99999999999999 is too large"),
    ("#const w=2147483648.", "own.lp:2: 2147483648 is too large"),
    ("#const w=0x1ffffffff.", "own.lp:2: 0x1ffffffff is too large"),
    ("\n\np(X) :- X = 1+\n4294967297.", "own.lp:5: 4294967297 is too large"),
    ("#const k=1.\n#const k=2.", "own.lp:3: the constant k is defined in"),
    ("#const k=1.\n#program board.\n#const k=1.", "own.lp:4: the constant k is defined in"),
    ("#const k=1. [override]", "own.lp:2: constants are set from outside"),
    ("#const k=l. #const l=k.", "cyclic constant definition"),
    ("#const k=k+1.", "own.lp:2: the constant k has no value"),
    ("\n#const k=1/0.", "own.lp:3: the constant k has no value"),
    ("#const k=1\\0.", "own.lp:2: the constant k has no value"),
    ("#const k=f(nobody+1).", "own.lp:2: the constant k has no value"),
    ("\nboard(3,3).\np(X) :- X = 1" + "+1-1" * 300 + ".", "own.lp:4: a term has more than"),
    ("p(" + "-" * 300 + "1).", "own.lp:2: a term has more than"),
    ("p(" + "~" * 300 + "1).", "own.lp:2: a term has more than"),
    ("p(1" + " ** (1)" * 300 + ").", "own.lp:2: a term has more than"),
    ("p(1" + "..1" * 300 + ").", "own.lp:2: a term has more than"),
]


@pytest.mark.parametrize(("text", "words"), BAD, ids=[text[:30] for text, _ in BAD])
def test_what_makes_no_sense_is_refused(text: str, words: str, tmp_path: Path, call: Call) -> None:
    file = tmp_path / "own.lp"
    file.write_text(GAME + text)
    with pytest.raises(RulesError) as refused:
        aspgames.load(str(file))
    assert words in str(refused.value)
    assert str(file) in str(refused.value)
    assert_refused(call("legal", str(file)), words)


def test_what_makes_sense_is_read(tmp_path: Path) -> None:
    file = tmp_path / "own.lp"
    file.write_text(
        GAME + "#const k=2147483647. #const l=k-0x10. #const m=f(l,x99999999999). "
        'p("99999999999"). % 99999999999\np(1' + "+1" * 60 + ")."
    )
    game = aspgames.load(str(file))
    assert game.constants == {"k": 2147483647, "l": 2147483631, "m": "f(2147483631,x99999999999)"}
    assert aspgames.load(str(file), k=20).constants["l"] == 4
