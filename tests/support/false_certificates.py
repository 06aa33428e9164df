"""False certificates, each with one error, and the checker's condition against that error.

A game is a graph: ``b w: c d`` is a node b where White (``w``) is on move and can go to c or d. A
move has the name of the node to which it leads. The words of a node:

=========  ========================================================================================
``w b``    the sides on move; without them, no side is on move
``5``      White's goal
``end``    the game is over; ``won`` is ``end 100``
``mute``   the waiting side has no move, not even ``noop``
``quiet``  ``to_move/1`` has no atom
=========  ========================================================================================

Play starts at a.
"""

import gzip
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import aspgames
from aspgames import Game
from aspgames.asp.sources import Source
from aspgames.game.game import game_of_encoding
from aspgames.gdl.encoding import Encoding

FOLDER = Path(aspgames.__file__).parent / "puzzle/proof"

Json = dict[str, Any]

RULES = """\
init(at(a)).
to_move(R)    :- true(at(N)), mover(N,R), not quiet(N).
legal(R,M)    :- true(at(N)), mover(N,R), leads(N,M).
legal(R,noop) :- role(R), true(at(N)), not mover(N,R), not mute(N).
next(at(M))   :- does(R,M), true(at(N)), mover(N,R).
terminal      :- true(at(N)), end(N).
goal(white,V) :- true(at(N)), value(N,V).
"""


def rules_of(graph: str, more: str = "", roles: str = "white;black") -> str:
    """The rules of a graph, and ``more`` rules. Each predicate has a fact."""
    text = (
        f"role({roles}).\n{RULES}leads(0,0). end(0). value(0,0). mute(0). quiet(0). mover(0,0).\n"
    )
    for entry in graph.split("/"):
        head, _, targets = entry.partition(":")
        name, *words = head.replace("won", "end 100").split()
        for word in words:
            if word in ("w", "b"):
                text += f"mover({name},{'white' if word == 'w' else 'black'}). "
            else:
                text += f"value({name},{word}). " if word.isdigit() else f"{word}({name}). "
        text += "".join(f"leads({name},{target}). " for target in targets.split()) + "\n"
    return text + more


@cache
def game(rules: str) -> Game:
    return game_of_encoding(Encoding("graph", "graph.lp", (Source(Path("graph.lp"), rules),)), {})


Change = tuple[str, str]
"""A text that occurs once in the checker's source, and its replacement."""


@dataclass(frozen=True)
class Wrong:
    """A certificate that the checker must refuse, and the reason."""

    rules: str
    claim: Mapping[str, Any]
    reason: str
    without: tuple[Change, ...]
    """The changes that remove the condition from the checker."""

    @property
    def certificate(self) -> Json:
        found = {
            "certificate": 1,
            "game": "graph",
            "const": {},
            "rules": game(self.rules).encoding.fingerprint,
            "position": ["at(a)"],
            "attacker": "white",
            "goal": "score>=1",
            "within": None,
        }
        return found | dict(self.claim)

    def load(self, _name: str, _constants: Mapping[str, Any]) -> Game:
        return game(self.rules)


# --- claims ---------------------------------------------------------------------------------------


def forced(distance: int, line: str, attack: list[Any], defence: list[Any], keys: str = "") -> Json:
    """The claim that the goal is forced."""
    return {
        "verdict": "forced",
        "distance": distance,
        "keys": keys.split(),
        "line": line.split(),
        "attack": {"nodes": attack},
        "defence": {"nodes": defence},
    }


def refuted(*nodes: Any, within: int | None = None) -> Json:
    """The claim that the goal isn't forced."""
    found: Json = {"verdict": "not_forced", "distance": None, "keys": [], "line": []}
    return found | {"within": within, "defence": {"nodes": list(nodes)}}


def move(term: str, to: Any) -> Json:
    return {"move": term, "to": to}


def replies(**targets: Any) -> Json:
    return {"replies": targets}


def plan(*moves: str | None) -> Json:
    return {"plan": list(moves)}


GOOD = "a b: b x / x w: g / g won / "


def attack(target: Any, *nodes: Any) -> Json:
    """The claim that the goal is forced in 1 on ``GOOD``; ``nodes`` follow b."""
    nodes_ = [replies(b=target, x=1), move("g", "goal"), *nodes]
    return forced(1, "x g", nodes_, [move("x", "turns")])


def off(condition: str) -> Change:
    """Make a condition always false."""
    return f"if {condition}:", "if False:"


def gone(rule: str) -> Change:
    """Remove a rule."""
    return f"\n{rule}\n", "\n"


def laxer(rule: str, part: str) -> Change:
    """Remove a part of a rule's body."""
    assert part in rule
    return f"\n{rule}", "\n" + rule.replace(part, "")


def stream_of(objects: Iterable[Any]) -> BytesIO:
    """A streamed certificate, of its lines."""
    return BytesIO(gzip.compress("".join(json.dumps(each) + "\n" for each in objects).encode()))


@contextmanager
def checker_without(
    changes: Iterable[Change], folder: Path
) -> Iterator[Callable[[str], ModuleType]]:
    """The modules of a copy of the checker with changed text, by name."""
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    (folder / "certificate.py").unlink()  # not a part of the checker
    files = [file for file in folder.iterdir() if file.suffix in (".py", ".lp")]
    for old, new in changes:
        (file,) = (file for file in files if old in file.read_text())
        text = file.read_text()
        assert text.count(old) == 1, old
        file.write_text(text.replace(old, new))
    before = set(sys.modules)
    spec = spec_from_file_location(
        "aspgames.puzzle.changed", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    sys.modules["aspgames.puzzle.changed"] = module_from_spec(spec)
    try:
        yield lambda name: import_module(f"aspgames.puzzle.changed.{name}")
    finally:
        for module in set(sys.modules) - before:
            del sys.modules[module]


WRONG: dict[str, Wrong] = {}


def wrong(
    name: str, graph: str, claim: Mapping[str, Any], reason: str, *without: Change, **rules: str
) -> None:
    """Add a certificate that the checker must refuse."""
    assert name not in WRONG
    WRONG[name] = Wrong(rules_of(graph, **rules), claim, reason, without)


# fmt: off

# --- the claim ------------------------------------------------------------------------------------

ONE = "a b: b / b w: c / c won"
IN_ONE = forced(1, "b c", [replies(b=1), move("c", "goal")], [move("b", "turns")])
KEY = "a w: b / b won"
BY_KEY = forced(1, "b", [{"moves": {"b": "goal"}}], [replies(b="turns")], "b")

wrong(
    "a distance above within", ONE, IN_ONE | {"within": 0}, "distance: it is more than within",
    off("puzzle.within is not None and at_most > puzzle.within"),
)
wrong(
    "a truth value as distance", ONE, IN_ONE | {"distance": True},
    "distance: a forced goal has one",
    (" and not isinstance(value, bool)", ""),
)
wrong(
    "a line of a goal that isn't forced", "a b: b / b end",
    refuted(move("b", "over")) | {"line": ["b"]}, "line: a goal that isn't forced has none",
    off("value not in (None, ())"),
)
wrong(
    "rules that have changed", ONE, IN_ONE | {"rules": "0" * 64},
    "rules: the rules of graph are not those",
    off('certificate.get("rules") != game.encoding.fingerprint'),
)
wrong(
    "a constant left out", ONE, IN_ONE, "const: it must have all constants",
    off("dict(game.constants) != constants"), more="#const n = 1.",
)
wrong(
    "a fact written in another way", ONE, IN_ONE | {"position": ["true(at(a))"]},
    "position: it must have all facts", off("found != tuple(sorted(facts))"),
)
wrong(
    "a key twice", KEY, BY_KEY | {"keys": ["b", "b"]}, "keys: a term is there twice",
    off('len(set(texts)) < len(texts) and name != "line"'),
)
wrong(
    "a distance that is too long", "a b: b / b w: c d / c won / d b: e / e w: c",
    forced(2, "b d e c", [replies(b=1), move("c", "goal")], [move("b", "turns")]),
    "the attacker isn't out of turns",
    ("not_within = distance - 1", "not_within = distance - 2"),
)
wrong(
    "a distance without a defence against fewer turns",
    "a b: b / b w: c d / c won / d b: e / e w: c",
    forced(2, "b d e c", [replies(b=1), move("c", "goal")], []),
    "defence.nodes: it must be a list of nodes",
    ("if claim.not_within is not None:\n        others", "if False:\n        others"),
)
wrong(
    "a refutation for too few turns", ONE, refuted(move("b", "turns")),
    "the attacker isn't out of turns",
    ('"defence", claim.puzzle.turns', '"defence", 0'),
)

# The goal is forced in 2, which a limit left unknown.
TWO = "a w: b d / b b: c / c w: e / e won / d end"
BRACKET = {
    "verdict": "forced",
    "distance": None,
    "at_most": 2, "not_within": 1, "keys_complete": False,
    "keys": ["b"],
    "line": [],
    "attack": {"nodes": [{"moves": {"b": 1}}, replies(c=2), move("e", "goal")]},
    "defence": {"nodes": [replies(b=1, d="over"), move("c", "turns")]},
}
wrong(
    "a line without a distance", TWO, BRACKET | {"line": ["b", "c", "e"]},
    "line: without a distance there is none", off("line"),
)
wrong(
    "too small a number of turns that suffices", TWO, BRACKET | {"at_most": 1, "not_within": None},
    "the attacker is out of turns",
    ("claim.at_most, claim.keys", "claim.at_most + 1, claim.keys"),
)
wrong(
    "too large a number of turns that is refuted", TWO, BRACKET | {"not_within": 2},
    "the attacker isn't out of turns",
    ('"defence", claim.not_within', '"defence", claim.not_within - 1'),
)
wrong(
    "a number of turns as text", TWO, BRACKET | {"not_within": "1"},
    "not_within: it must be a whole number",
    off("not (not_within is None or is_whole(not_within))"),
    ('"defence", claim.not_within', '"defence", int(claim.not_within)'),
)

# --- keys and the line ----------------------------------------------------------------------------

wrong(
    "keys left out", KEY, forced(1, "b", [move("b", "goal")], ["turns"]),
    "keys: there must be some", off("bool(keys) != chooses"),
)
NOT_THE_KEYS = off("tells_keys and self.attacks and set(targets) != set(self.keys)")
wrong(
    "an attack whose root lists no keys", "a w: b z / b won / z end",
    forced(1, "b", [move("b", "goal")], [replies(b="turns", z="turns")], "b z"),
    r"attack.nodes\[0\]: here it must have moves",
    off("tells_keys and (not isinstance(node, dict) or set(node) != {root})"), NOT_THE_KEYS,
)
wrong(
    "a defence whose root tells no keys", "a w: b c / b won / c won",
    forced(1, "b", [{"moves": {"b": "goal"}}], ["turns"], "b"),
    r"defence.nodes\[0\]: here it must have replies",
    off("tells_keys and (not isinstance(node, dict) or set(node) != {root})"),
)
wrong(
    "a list of keys after the root", ONE,
    forced(1, "b c", [replies(b=1), {"moves": {}}], [move("b", "turns")]),
    r"attack.nodes\[1\]: it isn't a node",
    off("set(node) not in self.forms(number)"),
)
wrong(
    "a key that isn't shown", "a w: b z / b won / z end",
    forced(1, "b", [{"moves": {"b": "goal"}}], [replies(b="turns", z="turns")], "b z"),
    "moves: they must be the keys", NOT_THE_KEYS,
)
wrong(
    "a key that isn't legal",
    KEY + "/ z won",
    forced(1, "b", [{"moves": {"b": "goal", "z": "goal"}}], [replies(b="turns")], "b z"),
    r"attack.nodes\[0\]: 'z' is not legal there", off("term not in legal"),
)
wrong(
    "a key left out",
    "a w: b c / b b: d / d w: g / c b: e / e w: g / g won",
    forced(2, "b d g", [{"moves": {"b": 1}}, replies(d=2), move("g", "goal")],
           [replies(b=1, c=2), move("d", "turns"), move("e", "turns")], "b"),
    r"defence.nodes\[2\], to: the attacker isn't out of turns there",
    ("left += 1", "pass"),
)
wrong(
    "a key refuted for a turn that isn't granted", KEY,
    BY_KEY | {"defence": {"nodes": [replies(b="over")]}}, "there is no turn for a key",
    off('target != "turns"'),
)
wrong(
    "a line that doesn't begin with a key", "a w: b c / b won / c b: d e / d won / e end",
    forced(1, "c d", [{"moves": {"b": "goal"}}], [replies(b="turns", c=1), move("e", "over")], "b"),
    "line: it doesn't begin with a key", off("keys and (not line or line[0] not in keys)"),
)
wrong(
    "a line past the goal", "a w: b / b w 1: c / c won", BY_KEY | {"line": ["b", "c"]},
    r"line\[1\]: the goal stands before", off("answer.view.reached"),
)
wrong(
    "a line with a move that isn't legal", ONE, IN_ONE | {"line": ["c"]},
    r"line\[0\]: 'c' is not legal there", off("term not in answer.after"),
)
wrong(
    "a line that doesn't come to the goal", "a w: b / b b: c d / c won / d won",
    forced(1, "b", [{"moves": {"b": 1}}, replies(c="goal", d="goal")], [replies(b="turns")], "b"),
    "line: it doesn't come to the goal", off("not stepper.look(state).reached"),
)
wrong(
    "a line of other turns", "a w: b / b w: c d / c won / d b: e / e w: c",
    forced(1, "b d e c", [{"moves": {"b": 1}}, move("c", "goal")], [replies(b="turns")], "b"),
    "line: it takes 2 turns", off("turns != self.claim.distance"),
)

# --- nodes ----------------------------------------------------------------------------------------

wrong(
    "a reply left out", GOOD + "b end",
    forced(1, "x g", [replies(x=1), move("g", "goal")], [move("x", "turns")]),
    r"attack.nodes\[0\]: the reply b is missing", off("term not in targets"),
)
wrong(
    "a reply that isn't legal",
    ONE,
    IN_ONE | {"attack": {"nodes": [replies(b=1, z="goal"), move("c", "goal")]}},
    r"attack.nodes\[0\]: 'z' is not legal there", off("term not in legal"),
)
wrong(
    "a stuck defender in an attack", GOOD + "b w: c / c b", attack(2, move("c", 3), replies()),
    r"attack.nodes\[3\]: the defender is stuck there", off("not legal and self.attacks"),
)
wrong(
    "a move that isn't legal", GOOD + "b w: c / c end", attack(2, move("g", "goal")),
    r"attack.nodes\[2\]: 'g' is not legal there", off("term not in legal"),
)
OTHER_SIDE = off(
    "not view.rolls and view.attacks != (self.attacks if is_own else not self.attacks)"
)
wrong(
    "an attack that chooses for the defender", GOOD + "b b: c y / c won / y end",
    attack(2, move("c", "goal")), r"attack.nodes\[2\]: the other side is on move there", OTHER_SIDE,
)
wrong(
    "a defence that chooses for the attacker", "a b: b / b w: c d / c won / d end",
    refuted(move("b", 1), move("d", "over")),
    r"defence.nodes\[1\]: the other side is on move there", OTHER_SIDE,
)
wrong(
    "a defence that goes on past the goal", "a b: b / b w 1: c / c end",
    refuted(move("b", 1), replies(c="over")), r"defence.nodes\[1\]: the goal stands there",
    off("view.reached"),
)
wrong(
    "an attack that goes on past the goal", "a b: b / b w: c / c b 1: d / d won",
    IN_ONE | {"attack": {"nodes": [replies(b=1), move("c", 2), replies(d="goal")]}},
    r"attack.nodes\[2\]: the goal stands there", off("view.reached"),
)
wrong(
    "a node to which nothing leads", ONE,
    IN_ONE | {"defence": {"nodes": [move("b", "turns"), "turns"]}},
    r"defence.nodes\[1\]: no edge leads to it",
    off("number not in self.arrivals"),
)
wrong(
    "a node with more than it must have", ONE,
    IN_ONE | {"defence": {"nodes": [move("b", "turns") | {"replies": {}}]}}, "it isn't a node",
    off("set(node) not in self.forms(number)"),
    ("(kind,) = node.keys()", "(kind, *_) = node.keys()"),
)

# --- turns ----------------------------------------------------------------------------------------

TWO = GOOD + "b w: c / c b: d / d w: g"
OUT = off("left < 0 and self.attacks")
wrong(
    "an attack that takes a turn too many", TWO,
    attack(2, move("c", 3), replies(d=4), move("g", "goal")),
    r"attack.nodes\[4\]: the attacker is out of turns there", OUT,
)
wrong(
    "turns that aren't counted", TWO, attack(2, move("c", 3), replies(d=4), move("g", "goal")),
    r"attack.nodes\[4\]: the attacker is out of turns there",
    ("[term], left - begins, left", "[term], left - begins * (not self.attacks), left"),
)
wrong(
    "the first turn that isn't counted",
    "a w: b / b b: c x / c w: x / x won",
    forced(1, "b x", [{"moves": {"b": 1}}, replies(c=2, x="goal"), move("x", "goal")],
           [replies(b="turns")], "b"),
    r"attack.nodes\[2\]: the attacker is out of turns there",
    ("self.stepper.start, turns - 1", "self.stepper.start, turns - (not self.attacks)"),
)
wrong(
    "two turns of one role that are counted as one",
    "a w: b x / b w: x / x won",
    forced(1, "x", [{"moves": {"b": plan("x"), "x": "goal"}}], [replies(b="turns", x="turns")],
           "b x"),
    r"attack.nodes\[0\], b: the plan doesn't hold: the attacker is out of turns",
    ("self.puzzle.begins_turn(goes_on, True)", "not goes_on"),
    roles="white",
)
# The strictest turns of all edges are stated for a node. An edge that leaves it others is rejected.
ON_MOVE = off("sign * known.turns_on_move > sign * arrival.turns_on_move")
WAITING = off("sign * known.turns_waiting > sign * arrival.turns_waiting")
FIRST_ON_MOVE = "known.turns_on_move = stricter(known.turns_on_move, end.turns_on_move)", "pass"
FIRST_WAITING = "known.turns_waiting = stricter(known.turns_waiting, end.turns_waiting)", "pass"
AN_ATTACK = (
    "a b: c b / b w: f / c b: d / f b: d / x end / d w: g / g won",
    forced(1, "c d g",
           [replies(c=1, b=2), replies(d=4), move("f", 3), replies(d=4), move("g", "goal")],
           [move("b", "turns")]),
    r"attack.nodes\[4\]: the attacker is out of turns there",
)
A_DEFENCE = (
    "a w: c b / b w: d / c b: d / d w: g / g won",
    refuted(replies(c=1, b=2), move("d", 3), replies(d=3), "turns", within=1),
    r"defence.nodes\[3\]: the attacker isn't out of turns there",
)
wrong(
    "turns of the first edge alone, with the attacker on move, in an attack",
    *AN_ATTACK,
    FIRST_ON_MOVE, ON_MOVE,
)
wrong(
    "turns of the first edge alone, with the defender on move, in an attack",
    "a b: c b / b w: d / c b: d / d b: h / h w: g / g won",
    forced(1, "c d h g",
           [replies(c=1, b=2), replies(d=3), move("d", 3), replies(h=4), move("g", "goal")],
           [move("b", "turns")]),
    r"attack.nodes\[4\]: the attacker is out of turns there",
    FIRST_WAITING, WAITING,
)
wrong(
    "turns of the first edge alone, with the attacker on move, in a defence",
    *A_DEFENCE,
    FIRST_ON_MOVE, ON_MOVE,
)
LATE = "a w: c b / c b: e / e w: d / d b: h / h w: g / g won / "
wrong(
    "turns of the first edge alone, with the defender on move, in a defence",
    LATE + "b w: d",
    refuted(replies(c=1, b=3), move("e", 2), replies(d=4), replies(d=4), move("h", "turns"),
            within=2),
    r"defence.nodes\[4\], to: the attacker isn't out of turns there",
    FIRST_WAITING, WAITING,
)
wrong(
    "the most turns in an attack",
    *AN_ATTACK,
    ("stricter = min if self.attacks else max", "stricter = max"), ON_MOVE, WAITING,
)
wrong(
    "the fewest turns in a defence",
    *A_DEFENCE,
    ("stricter = min if self.attacks else max", "stricter = min"), ON_MOVE,
)

# --- edges ----------------------------------------------------------------------------------------

wrong(
    "an edge to a node of another position", GOOD + "b w: y / y end",
    forced(1, "x g", [replies(x=1, b=1), move("g", "goal")], [move("x", "turns")]),
    r"attack.nodes\[0\]: b: node 1 is another state$",
    off("known.state != arrival.state"),
)
wrong(
    "an edge back in an attack", GOOD + "b w: c / c b: b", attack(2, move("c", 3), replies(b=2)),
    r"attack.nodes\[3\]: b: an edge must not lead back, as to node 2",
    off("known.place >= place and not self.may_return"), ON_MOVE, WAITING,
)
wrong(
    "an edge to its own node in an attack", GOOD + "b b: b", attack(2, replies(b=2)),
    r"attack.nodes\[2\]: b: an edge must not lead back, as to node 2",
    ("known.place >= place", "known.place > place"),
)
wrong(
    "an edge to a node before the first", ONE, refuted(move("b", -1)),
    "to: there is no node -1", off("known is None"),
)
wrong(
    "an edge to a node after the last", ONE, refuted(move("b", 1)),
    "to: there is no node 1", off("known is None"),
)
wrong(
    "a truth value as a node's number", ONE,
    IN_ONE | {"attack": {"nodes": [replies(b=True), move("c", "goal")]}}, "it isn't a node",
    ("if isinstance(target, bool) or not isinstance", "if not isinstance"),
)
wrong(
    "an edge back to a node that holds for fewer turns, with the attacker on move",
    "a w: c b / b w: d / c b: d / d w: g / g won",
    refuted(replies(c=1, b=3), move("d", 2), "turns", replies(d=2), within=1),
    r"defence.nodes\[3\]: d: node 2 is for other turns of the attacker on move", ON_MOVE,
)
wrong(
    "an edge to its own node that holds for fewer turns",
    "a w: a b / b won",
    forced(1, "b", [{"moves": {"b": "goal"}}], [replies(a=0, b="turns")], "b"),
    "a: node 0 is for other turns of the attacker on move", ON_MOVE, WAITING,
)
wrong(
    "an edge back to a node that holds for fewer turns, with the defender on move",
    LATE + "b b: d",
    refuted(replies(c=1, b=4), move("e", 2), replies(d=3), move("h", "turns"), move("d", 3),
            within=2),
    r"defence.nodes\[4\]: to: node 3 is for other turns$", WAITING,
)

# --- leaves ---------------------------------------------------------------------------------------

wrong(
    "a goal that doesn't stand", GOOD + "b w: c / c end", attack(2, move("c", "goal")),
    r"attack.nodes\[2\], to: the goal doesn't stand there",
    off("self.attacks and not view.reached and not is_plan"),
)
wrong(
    "a goal that stands at a leaf of a defence", "a b: b / b won", refuted(move("b", "over")),
    r"defence.nodes\[0\], to: the goal stands there", off("not self.attacks and view.reached"),
)
wrong(
    "a game that isn't over", ONE, refuted(move("b", "over")), "the game isn't over there",
    ('elif leaf == "over" and not view.over:', "elif False:"),
)
wrong(
    "turns that aren't used up", ONE, refuted(move("b", "turns"), within=1),
    "the attacker isn't out of turns there",
    ('elif leaf == "turns" and not (view.attacks and turns < 0):', "elif False:"),
)
wrong(
    "turns that are used up with the defender on move", "a b: b / b w: c / c b: d / d end",
    refuted(move("b", 1), replies(c="turns"), within=0), "the attacker isn't out of turns there",
    ("not (view.attacks and turns < 0)", "not (turns < 0)"),
)
wrong(
    "a leaf of the other side's strategy", ONE, refuted(move("b", "goal")), "it isn't a node",
    off("not is_plan and leaf not in _LEAVES[self.side]"),
)

# --- plans ----------------------------------------------------------------------------------------

HOLD = "the plan doesn't hold: "
wrong(
    "a plan that takes a turn too many", TWO, attack(plan("c", None, "g")),
    HOLD + "it begins 1 more turns", off("self.attacks and begun > self.turns"),
)
wrong(
    "a plan where no turn is left", TWO, attack(2, move("c", 3), replies(d=plan("g"))),
    HOLD + "the attacker is out of turns", off("self.attacks and begun > self.turns"),
)
wrong(
    "a plan's move in another form", "a b: b x / x w: g / g won / b w: 2 / 2 won",
    attack(plan("1+1")), HOLD + "'1\\+1' is no move",
    ("return None if wrong is None else", "return None if True else"),
)
wrong(
    "a plan's move that isn't legal", GOOD + "b w: c / c end", attack(plan("g")),
    HOLD + "g is not legal", gone("bad(P,k) :- live(P,k), mine(P,k), own(R,P,k), not made(R,P,k)."),
)
wrong(
    "a plan's move where the other side is on move", GOOD + "b b: c / c end", attack(plan("noop")),
    HOLD + "white is not on move", gone("bad(P,k) :- live(P,k), mine(P,k), not on_move(P,k)."),
)
wrong(
    "a plan's reply where its own side is on move", GOOD + "b w: c / c end", attack(plan(None)),
    HOLD + "black is not on move", gone("bad(P,k) :- live(P,k), not mine(P,k), not to_reply(P,k)."),
)
wrong(
    "a plan's game that ends without the goal", GOOD + "b w: c / c end", attack(plan("c", None)),
    HOLD + "after c, the game is over without the goal",
    gone("bad(P,k) :- attack(P,k), alive(P,k), s_terminal(P,k), not reached(P,k)."),
)
wrong(
    "a plan that doesn't come to the goal", GOOD + "b w: c / c b: d / d end", attack(plan("c")),
    HOLD + "after c, the goal doesn't stand",
    gone("bad(P,k) :- attack(P,k), alive(P,k), ends(P,k), not reached(P,k)."),
)
wrong(
    "a stuck defender in a plan", GOOD + "b w: c / c b", attack(plan("c", None)),
    HOLD + "after c, black is stuck",
    gone("bad(P,k) :- attack(P,k), live(P,k), not mine(P,k), other(R,P,k), not able(R,P,k)."),
)
wrong(
    "a plan that fails after one of two replies", GOOD + "b w: c / c b 0: d e / d won / e end",
    attack(plan("c", None)), HOLD + "after c e, the game is over without the goal",
    ("{ m_does(R,M,P,plan,k) : s_legal(R,M,P,k) } 1", "m_does(R,d,P,plan,k)"),
)
wrong(
    "a plan past the first ply", GOOD + "b w: c / c w: e / e end", attack(plan("c", "g")),
    HOLD + "after c, g is not legal", gone("alive(P,k)    :- situation(P,k), goes_on(P,k-1)."),
)
wrong(
    "a defender's plan past the goal", "a b: b / b w 1: c / c end", refuted(plan("b"), within=0),
    HOLD + "after b, the goal stands", gone("bad(P,k) :- defence(P,k), alive(P,k), reached(P,k)."),
)
wrong(
    "a defender's plan after which it is on move", "a b: b / b b: c / c won",
    refuted(plan("b"), within=0), HOLD + "after b, the attacker can go on",
    gone("bad(P,k) :- held_out(P,k), other(R,P,k), not turn(R,P,k)."),
)
wrong(
    "a defender's plan after which a turn is left", ONE, refuted(plan("b"), within=1),
    HOLD + "after b, the attacker can go on", gone("bad(P,k) :- held_out(P,k), not spent(P,k)."),
)
wrong(
    "a defender's plan after which a side isn't stuck", ONE, refuted(plan("b"), within=1),
    HOLD + "after b, the attacker can go on",
    laxer("stuck(P,k)    :- turn(R,P,k), not able(R,P,k).", ", not able(R,P,k)"),
)
wrong(
    "a defender's plan after which the ply is forced", "a b: b / b / noop won",
    refuted(plan("b"), within=0), HOLD + "after b, the attacker can go on",
    gone("bad(P,k) :- held_out(P,k), other(R,P,k), not turn(R,P,k)."),
    more="next(at(noop)) :- does(black,noop), true(at(b)).",
)
wrong(
    "plans whose moves are swapped", "a b: b x / b w: g / x w: h / g won / h won",
    forced(1, "b g", [replies(b=plan("h"), x=plan("g"))], [move("b", "turns")]),
    HOLD + "[gh] is not legal",
    ('(M,N,P) = @given("planned"), chosen(N,P).', '(M,N,P) = @given("planned").'),
)
wrong(
    "one plan of several", "a b: b c x / b w: g / c w: h / x w: y / g won / h won / y end",
    forced(1, "b g", [replies(b=plan("g"), x=plan("y"), c=plan("h"))], [move("b", "turns")]),
    r"attack.nodes\[0\], x: the plan doesn't hold: after y, the game is over",
    ("for each in range(len(group))]", "for each in (0, len(group) - 1)]"),
)
wrong(
    "a plan that leaves a turn beside one that doesn't",
    "a w: c b / c b: e / e w: f / f b: h / h w: g / b b: h / g won",
    refuted(replies(c=1, b=4), move("e", 2), replies(f=3), plan("h"), plan("h"), within=2),
    HOLD + "after h, the attacker can go on",
    ("self.attacks, self.spent(puzzle), *(", "self.attacks, *("),
)

# --- positions ------------------------------------------------------------------------------------

ONE_SIDE = "puzzles are for games in which one side moves at a time"
wrong(
    "a side that waits and can't even pass", GOOD + "b w mute: c / c won",
    attack(2, move("c", "goal")), ONE_SIDE,
    gone("unsettled(P,k) :- waits(R,P,k), not s_terminal(P,k), not able(R,P,k)."),
)
wrong(
    "a side that waits and has a choice", GOOD + "b w: c / c won", attack(2, move("c", "goal")),
    ONE_SIDE,
    gone("unsettled(P,k) :- waits(R,P,k), not s_terminal(P,k), 2 #count { M : s_legal(R,M,P,k) }."),
    more="legal(black,jump) :- true(at(b)).",
)
wrong(
    "two sides on move", GOOD + "b w b quiet: c d / c won / d won", attack(2, move("c", "goal")),
    ONE_SIDE,
    laxer("turn(R,P,k)      :- candidate(R,P,k), not rival(R,P,k), role(R).", ", not rival(R,P,k)"),
)
VALUE = "value(R,V,P,k) :- s_goal(R,V,P,k), side(R), 0 <= V, V <= 100, not several(R,P,k)."
wrong(
    "two values", GOOD + "b w: c / c won 0", attack(2, move("c", "goal")), ONE_SIDE,
    laxer(VALUE, ", not several(R,P,k)"),
)
wrong(
    "a value that is no number", GOOD + "b w: c / c end",
    attack(2, move("c", "goal")) | {"goal": "score>=51"}, ONE_SIDE, laxer(VALUE, ", V <= 100"),
    more="goal(white,much) :- true(at(c)).",
)
wrong(
    "an end without a value", "a b: b / b end", refuted(move("b", "over")), ONE_SIDE,
    gone("unsettled(P,k) :- s_goal(R,V,P,k), s_terminal(P,k), side(R), not value(R,V,P,k)."),
    more="goal(white,much) :- true(at(b)).",
)
wrong(
    "a negative value", "a b: b / b end", refuted(move("b", "over")), ONE_SIDE,
    laxer(VALUE, ", 0 <= V"), more="goal(white,-5) :- true(at(b)).",
)
wrong(
    "a value of an unknown role", GOOD + "b w: c / c won", attack(2, move("c", "goal")), ONE_SIDE,
    gone("unsettled(P,k) :- s_goal(R,V,P,k), not role(R)."), more="goal(red,5) :- true(at(b)).",
)
wrong(
    "a move of an unknown role", GOOD + "b w: c / c won", attack(2, move("c", "goal")), ONE_SIDE,
    gone("unsettled(P,k) :- able(R,P,k), not role(R)."), more="legal(red,stop) :- true(at(b)).",
)
wrong(
    "a plan to where both sides choose", GOOD + "b w: c / c w 1: d", attack(plan("c")),
    HOLD + "after c, several sides have a choice", gone("bad(P,k) :- alive(P,k), unsettled(P,k)."),
    more="legal(black,jump) :- true(at(c)).",
)

TRAP = "a w: b z / b b / "
TRAPPED = forced(
    1, "b", [{"moves": {"b": "goal", "z": "goal"}}], [replies(b="turns", z="turns")], "b z"
)
wrong(
    "a trap of the side that waits", TRAP + "z end mute", TRAPPED | {"goal": "trap"},
    r"attack.nodes\[0\], z: the goal doesn't stand there",
    ("defender(R), turn(R,P,k), not able(R,P,k).",
     "defender(R), situation(P,k), not able(R,P,k)."),
)
wrong(
    "no value where 0 is enough", "a b: b / b end",
    refuted(move("b", "over")) | {"goal": "score>=0"}, r"defence.nodes\[0\]: the goal stands there",
    ("reached(P,k) :- least(0), situation(P,k).", ""),
)
ASKED_FOR = (
    'edge(P,M,k)       :- (P,M) = @given("asked"), plays(R,P,k), s_legal(R,M,P,k), not over(P,k).'
)
wrong(
    "a move after the end", GOOD + "b w: c / c w end: d / d won",
    attack(2, move("c", 3), move("d", "goal")), r"attack.nodes\[3\]: 'd' is not legal there",
    laxer(ASKED_FOR, ", not over(P,k)"),
)
wrong(
    "replies after the end",
    GOOD + "b w: c / c b end: d / d won",
    attack(2, move("c", 3), replies(d="goal")),
    r"attack.nodes\[3\]: 'd' is not legal there",
    laxer('edge(P,M,k)       :- P = @given("open"), plays(R,P,k), s_legal(R,M,P,k), not over(P,k).',
          ", not over(P,k)"),
)
wrong(
    "a move of the waiting side", GOOD + "b w: c / c end / noop won",
    attack(2, move("noop", "goal")), r"attack.nodes\[2\]: 'noop' is not legal there",
    laxer(ASKED_FOR, " plays(R,P,k),"),
)
wrong(
    "a move of the waiting side, as if its ply were forced", GOOD + "b w: c / c end / noop won",
    attack(2, move("noop", "goal")), r"attack.nodes\[2\]: 'noop' is not legal there",
    laxer("plays(R,P,k) :- defender(R), situation(P,k), not taken(P,k).", ", not taken(P,k)"),
    more="next(at(noop)) :- does(black,noop), true(at(b)).",
)

# --- rules that the checker supports --------------------------------------------------------------

PLANNED = GOOD + "b w: c / c end"
wrong(
    "a choice", "a b: b / b end", refuted(move("b", "over")),
    "a choice or a constraint: the rules don't settle what follows", off("not program.settled"),
    off("atoms is None"), ("known + len(atoms)", "known + len(atoms := atoms or [])"),
    more="{ gift } :- true(at(b)). goal(white,1) :- gift.",
)
wrong(
    "a constraint", GOOD + "b w: c / c won", attack(plan("c")),
    "a choice or a constraint: the rules don't settle what follows", off("not program.settled"),
    more=":- true(at(c)).",
)
wrong(
    "recursion through negation", PLANNED, attack(plan("c")), "the rules recur through negation",
    off("recursion(rule, tested)"),
    more="odd :- true(at(c)), not odd. goal(white,0) :- odd.",
)
wrong(
    "classical negation", PLANNED, attack(plan("c")), "the rules negate classically",
    off('any(name.startswith("-") for name, _ in heads)'),
    more="odd :- true(at(c)). -odd :- true(at(c)). goal(white,0) :- odd, -odd.",
)
wrong(
    "rules for what is given", PLANNED + "/ e won", attack(plan("c")),
    "the rules define true/1 or does/2, which are given", off("heads & {TRUE, DOES}"),
    more="true(at(e)) :- true(at(c)).",
)

# fmt: on
