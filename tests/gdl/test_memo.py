"""Cached answers about encodings: equal to fresh ones, and dropped when something changes."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import clingo
import pytest

import aspgames
from aspgames import BadConstant, Game, RulesError
from aspgames.asp.terms import Constants
from aspgames.game import game, game_constants
from aspgames.game.board import Vocabulary
from aspgames.game.vocabulary import read_vocabulary
from aspgames.gdl import encoding
from cli_helpers import HEXAPAWN, TICTACTOE


class Clingo:
    """Counts the groundings."""

    groundings = 0

    def needed_for(self, load: Callable[[], object]) -> bool:
        """Whether a process with nothing but the cache grounds anything."""
        for known in (encoding._encoding, game_constants.settle_constants, game._game):
            known.cache_clear()
        before = self.groundings
        load()
        return self.groundings > before


@pytest.fixture
def asked(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clingo]:
    """An empty cache, and a count of groundings from now on."""
    assert not kept.exists()
    counted = Clingo()

    class Control(clingo.Control):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            counted.groundings += 1
            super().__init__(*arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(clingo, "Control", Control)
        yield counted
    # Games that were made here are not kept for other tests.
    for known in (encoding._encoding, game_constants.settle_constants, game._game):
        known.cache_clear()


@pytest.mark.parametrize(
    ("name", "constants"),
    [
        ("amazons", {"stuck": "either"}),
        ("amazons_10x10", {}),
        ("breakthrough", {"width": 3, "height": 11}),
        ("skirmish", {}),
    ],
)
def test_what_is_remembered_is_what_is_read(
    asked: Clingo, name: str, constants: dict[str, Any]
) -> None:
    def load() -> Game:
        found = aspgames.load(name, **constants)
        assert found.initial == found.position("startpos")
        assert isinstance(hash(found), int)
        return found

    assert asked.needed_for(load)
    first = load()
    assert not asked.needed_for(load)
    second = load()
    assert first is not second
    assert first == second
    read = read_vocabulary(second.encoding, second.constants, second.names)
    assert second.vocabulary == read
    assert ordered(second.vocabulary) == ordered(read)
    assert second.encoding.fingerprint == second.encoding._fingerprint()
    assert second.constants == second.encoding.settle_constants(constants)


def ordered(vocabulary: Vocabulary) -> str:
    """A vocabulary as text; ordered parts keep their order."""
    return json.dumps(asdict(vocabulary), default=sorted)


OWN = '#include "pieces.lp".\n#const size = 3.\n#const wide = size.\n' + HEXAPAWN.replace(
    "#const size = 3.\n", ""
).replace("board(size,size)", "board(wide,size)")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "pieces.lp").write_text("piece(pawn).\n")
    (tmp_path / "own.lp").write_text(OWN)
    return tmp_path / "own.lp"


def test_other_constants_are_other_questions(asked: Clingo, own: Path) -> None:
    sizes: list[tuple[Constants, str]] = [
        ({}, "3 wide and 3 high"),
        ({"size": 4}, "4 wide and 4 high"),
        ({"wide": 4}, "4 wide and 3 high"),
        ({"size": 4, "wide": 5}, "5 wide and 4 high"),
    ]
    for constants, size in sizes:
        load = partial(aspgames.load, str(own), **constants)
        assert asked.needed_for(load)
        assert not asked.needed_for(load)
        board = load().board
        assert board is not None
        assert board.size == size


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("own.lp", "init(control(white)).", "init(control(black))."),
        ("own.lp", "size = 3", "size = 4"),
        ("own.lp", '"P"', '"Q"'),
        ("pieces.lp", "piece(pawn).", "piece(pawn). init(cell(2,2,pawn(white)))."),
    ],
)
def test_a_changed_file_is_read_anew(
    asked: Clingo, own: Path, file: str, old: str, new: str
) -> None:
    before = aspgames.load(str(own))
    fen, fingerprint = before.initial.fen, before.encoding.fingerprint
    changed = own.with_name(file)
    changed.write_text(changed.read_text().replace(old, new))
    assert asked.needed_for(lambda: aspgames.load(str(own)))
    after = aspgames.load(str(own))
    assert after.initial.fen != fen
    assert (after.encoding.fingerprint == fingerprint) == (old == '"P"')
    changed.write_text(changed.read_text().replace(new, old))
    assert not asked.needed_for(lambda: aspgames.load(str(own)))
    assert aspgames.load(str(own)).initial.fen == fen


def test_texts_that_are_cut_elsewhere_are_other_texts(asked: Clingo, tmp_path: Path) -> None:
    file, part = tmp_path / "game.lp", tmp_path / "part.lp"

    def load() -> str:
        return "".join(source.text for source in aspgames.load(str(file)).encoding.sources)

    part.write_text("init(a).\n")
    file.write_text('#include "part.lp".role(white). legal(white,m).\n')
    whole = load()
    part.write_text("")
    file.write_text('#include "part.lp".init(a).\nrole(white). legal(white,m).\n')
    assert asked.needed_for(load)
    assert load() == whole


def test_a_game_without_a_title_has_its_own_name(asked: Clingo, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.lp").write_text(TICTACTOE)
        load = partial(aspgames.load, str(tmp_path / f"{name}.lp"))
        assert asked.needed_for(load)
        assert load().title == name
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "one.lp").rename(tmp_path / "elsewhere" / "one.lp")
    assert not asked.needed_for(lambda: aspgames.load(str(tmp_path / "elsewhere" / "one.lp")))


def test_what_is_refused_is_refused_again(asked: Clingo, tmp_path: Path) -> None:
    (tmp_path / "syntax.lp").write_text("role(white).\ninit(a) :- b c.\n")
    (tmp_path / "nobody.lp").write_text("init(a).\n")
    for _ in range(2):
        for constants in ({"width": 1}, {"size": 3}, {"width": "wide"}):
            with pytest.raises(BadConstant):
                aspgames.load("breakthrough", **constants)
        with pytest.raises(RulesError, match=r"syntax\.lp:2"):
            aspgames.load(str(tmp_path / "syntax.lp"))
        with pytest.raises(RulesError, match="nobody can play"):
            aspgames.load(str(tmp_path / "nobody.lp"))
        asked.needed_for(lambda: None)
