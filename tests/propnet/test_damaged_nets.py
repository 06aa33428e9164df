"""Nets from a file: for any content of the file, the kernel walks only valid nets."""

import random
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

import aspgames
from aspgames import BadRequest, Game, RulesError, perft, playouts
from aspgames.propnet.counting import PlyNets, _WalkPiece
from aspgames.propnet.gate_tables import Names, Tables
from aspgames.propnet.lanes import Lanes
from aspgames.propnet.single_state import Single
from aspgames.propnet.state_nets import _refused
from aspgames.runtime import cache
from aspgames.runtime.budget import Budget
from awkward import AWKWARD
from circuits import Drawing, drawings, tables_of
from engine_helpers import alone, choose, evaluation, net_of, on_net, random_game, write
from helpers import few_fast, few_or_many
from kernel_tables import Layout

SMALL = aspgames.load("breakthrough", width=3, height=4)
GAMES = {"no loop": ""} | {
    name: text for name, text in AWKWARD.items() if name.startswith("recursion")
}


def unpacked(packed: bytes) -> Tables:
    return Tables.unpack(memoryview(bytearray(packed)))


def parts_of(tables: Tables) -> tuple[bytes, list[int]]:
    """The packed names, and the block's numbers."""
    return tables.names.pack(), list(Layout(tables).block)


def packed(names: bytes, block: list[int]) -> bytes:
    numbers = struct.pack(f"<{len(block)}i", *block)
    head = struct.pack("<QQ", len(names), len(numbers)) + names
    return head + bytes(-len(head) % 64) + numbers


def refused(data: bytes) -> bool:
    try:
        unpacked(data)
    except ValueError:
        return True
    return False


@pytest.fixture(params=sorted(GAMES))
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    text = GAMES[request.param]
    return on_net(write(text, tmp_path) if text else SMALL)


@few_or_many(12, 120, drawing=drawings())
def test_every_net_is_one(drawing: Drawing) -> None:
    tables = tables_of(drawing)
    assert packed(*parts_of(tables)) == tables.pack()
    found = unpacked(tables.pack())
    assert found.names == tables.names
    assert Layout(found).block == Layout(tables).block


def test_no_number_may_be_out_of_bounds(game: Game) -> None:
    names, block = parts_of(net_of(game).tables)
    layout = Layout(net_of(game).tables)
    values = {
        phase.goals + 3 * goal + 1 for phase in layout.phases for goal in range(phase.goal_count)
    }
    for place, number in enumerate(block):
        for wrong in (-1, -(2**31), 2**31 - 1):
            block[place] = wrong
            assert refused(packed(names, block)) == (place not in values), (place, number)
        block[place] = number
    assert not refused(packed(names, block))


def test_the_first_number_out_of_bounds_is_one_too_many(game: Game) -> None:
    names, block = parts_of(net_of(game).tables)
    layout = Layout(net_of(game).tables)

    def refuses(place: int, wrong: int) -> bool:
        changed = [*block]
        changed[place] = wrong
        return refused(packed(names, changed))

    def is_bounded(place: int, count: int, end: int) -> None:
        for at in range(place, place + count):
            assert refuses(at, end)

    fluents, after, moves, roles, slots, most_choices, turns = block[2:9]
    is_bounded(block[9], turns, fluents)
    is_bounded(block[10], turns + 1, len(block) - 23)
    for head in range(1, 6):
        assert refuses(head, block[head] + 1), head
        assert refuses(head, block[head] - 1), head
    for head, wrong in ((6, slots - 1), (7, most_choices - 1), (7, moves + 1), (8, 9)):
        assert refuses(head, wrong), head
    for phase in layout.phases:
        for place, end in ((phase.choice_literals, phase.slots), (phase.marks, phase.slots)):
            is_bounded(place, phase.choice_count, 2 * end)
        is_bounded(phase.choice_moves, phase.choice_count, moves)
        is_bounded(phase.to_move, roles, 2 * phase.slots)
        is_bounded(phase.next, after, 2 * phase.slots)
        is_bounded(phase.next_alone, after, 2 * phase.advance_slots)
        for goal in range(phase.goals, phase.goals + 3 * phase.goal_count, 3):
            assert refuses(goal, roles)
            assert refuses(goal + 2, 2 * phase.slots)
        for role in range(roles):
            first, end = phase.choices + 2 * role, phase.choices + 2 * role + 1
            assert refuses(first, block[first] + 1)
            assert refuses(end, block[end] + 1)
        for move in range(moves):
            effects = layout.effects(phase, move)
            for place, slot in enumerate(effects, block[phase.effect_starts + move]):
                assert refuses(place, phase.gates)
                assert refuses(place, fluents)
                assert slot == effects[0] or refuses(place, effects[0])
        for question, gates in runs(block, phase.programs):
            limit = phase.advance_slots if question == 3 else phase.slots
            for place, slot, width in gates:
                is_bounded(place, width, slot)
                assert slot < limit
        for segments, count in zip(phase.programs[::2], phase.programs[1::2], strict=True):
            for segment in range(segments, segments + 4 * count, 4):
                assert block[segment] == block[segment + 1] or refuses(
                    segment + 1, block[segment + 1] - 1
                )


def runs(block: list[int], programs: list[int]) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
    """For each run its question, and the place of the operands, slot and width of its gates."""
    for question in range(4):
        segments, count = programs[2 * question : 2 * question + 2]
        for segment in range(segments, segments + 4 * count, 4):
            at = block[segment]
            while at < block[segment + 1]:
                positive, negative, gates, slot = block[at : at + 4]
                width = positive + negative
                yield (
                    question,
                    [(at + 4 + gate * width, slot + gate, width) for gate in range(gates)],
                )
                at += 4 + gates * width


@few_or_many(50, 1000, data=st.data())
def test_what_is_taken_for_a_net_can_be_walked(data: st.DataObject) -> None:
    """The sanitizers of CI report any access outside the block."""
    tables = net_of(on_net(SMALL)).tables
    names, block = parts_of(tables)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(block) - 1))
        near = st.integers(block[place] - 3, block[place] + 3)
        number = data.draw(near | st.integers(-3, 300) | st.sampled_from(block))
        block[place] = max(-(2**31), min(number, 2**31 - 1))
    try:
        found = unpacked(packed(names, block))
    except ValueError:
        return
    walk_all(found)


def walk_all(tables: Tables) -> None:
    """Ask the kernel every possible question."""
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 2**63, (40, tables.row_bytes // 8), np.uint64)
    lanes, single = Lanes(tables), Single(tables)
    try:
        evaluation(lanes, rows)
        chosen = choose(lanes, rows, rows[:, 0].copy(), 1)
        after = lanes.play(rows, chosen)
        assert after.shape == rows.shape
    except (RulesError, BadRequest):
        pass
    for row in rows:
        try:
            said = single.ask(row.tobytes())
        except RulesError:
            continue
        assert len(said) >= 3 + 3 * tables.roles
        for move in range(tables.moves):
            single.play(row.tobytes(), [move] * tables.roles)


NAMES: dict[str, Callable[[bytes], bytes]] = {
    "one list less": lambda names: names[: names.rindex(b"\0")],
    "one list more": lambda names: names + b"\0",
    "no list": lambda _: b"",
    "one name more": lambda names: names.replace(b"control(white)", b"control(white)\na", 1),
    "one name less": lambda names: names.replace(b"control(black)\n", b"", 1),
    "one next fluent more": lambda names: names + b"\na",
    "one move less": lambda names: names.replace(b"noop\n", b"", 1),
    "no text": lambda names: names.replace(b"control(white)", b"control(\xff)", 1),
    "one role more": lambda names: b"green\n" + names,
    "a bound that is no number": lambda names: names.replace(b"\n0\n", b"\nzero\n", 1),
}


@pytest.mark.parametrize("damage", NAMES.values(), ids=NAMES)
def test_names_that_are_not_those_of_the_block_are_refused(
    damage: Callable[[bytes], bytes],
) -> None:
    names, block = parts_of(net_of(on_net(SMALL)).tables)
    changed = damage(names)
    assert changed != names or b"\n0\n" not in names
    assert refused(packed(changed, block)) == (changed != names)


def test_the_moves_of_the_roles_follow_each_other() -> None:
    tables = net_of(on_net(SMALL)).tables
    names, (_, block) = tables.names, parts_of(tables)
    first = names.bounds[1]
    for bounds in ((0, first, first, first), (1, first, first, names.bounds[3]), (0, 1, 2, 3), ()):
        wrong = Names(
            names.roles,
            bounds,
            names.certain,
            names.fluents,
            names.terms,
            names.lasting,
            names.after,
        )
        assert refused(packed(wrong.pack(), block))


def test_what_has_another_length_is_refused() -> None:
    whole = net_of(on_net(SMALL)).tables.pack()
    assert not refused(whole)
    for data in (b"", whole[:15], whole[:16], whole[:-1], whole[:-4], whole + b"\0", bytes(5000)):
        assert refused(data)
    for place in range(16):
        for bit in (0, 6, 7):
            assert refused(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])


# --- from the cache -------------------------------------------------------------------------------


@pytest.fixture
def keys(kept: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys under which nets are stored from now on."""
    monkeypatch.setattr("aspgames.propnet.state_nets._WORTH_SECONDS", 0.0)
    found: list[str] = []
    put = cache.put

    def noting(key: str, kind: str, data: bytes) -> None:
        if kind == "net":
            found.append(key)
        put(key, kind, data)

    monkeypatch.setattr(cache, "put", noting)
    assert not kept.exists()
    return found


def answers(game: Game) -> list[object]:
    """Some answers that need a game's stored nets."""
    game = alone(game)
    played = playouts(game.initial, 20, seed=1, reasoner="propnet", threads=1)
    rng = random.Random(1)
    states = [state.facts for state, _ in random_game(game.initial, rng)]
    plies = PlyNets(game.rules, game.initial.facts)
    walk = _WalkPiece(plies, 0, b"", 1, 3)
    while walk.step():
        pass
    return [played.results, played.lengths, states, walk.paths]


def test_what_the_cache_has_in_place_of_a_net_makes_no_difference(
    keys: list[str], tmp_path: Path
) -> None:
    """A net of another kind, a net without the start's fluents, or no net at all."""
    expected = answers(SMALL)
    of_game = list(keys)
    nets = [bytes(cache.get(key, "net") or b"") for key in of_game]
    assert len(nets) == len(set(nets)) == 4
    other = on_net(write(AWKWARD["recursion through the state"], tmp_path))
    for data in (*nets, net_of(other).tables.pack(), b"", bytes(200), nets[0][:-4]):
        for key in of_game:
            cache.put(key, "net", data)
        assert answers(SMALL) == expected
    assert perft(SMALL.initial, 3) == expected[-1]


@pytest.mark.sample(9)
@pytest.mark.parametrize("seed", few_fast(3, 30))
def test_a_damaged_net_whose_checksum_is_right(keys: list[str], tmp_path: Path, seed: int) -> None:
    """Answers may be wrong. The sanitizers of CI report any access outside the kernel's memory."""
    answers(SMALL)
    chance = random.Random(seed)
    for key in set(keys):
        tables, found = unpacked(bytes(cache.get(key, "net") or b"")), b""
        while not found or refused(found):
            names, block = parts_of(tables)
            for _ in range(chance.randint(1, 5)):
                place = chance.randrange(len(block))
                block[place] += chance.randint(-4, 4)
            found = packed(names, block)
        cache.put(key, "net", found)
    game, budget = alone(SMALL), Budget(2)
    for ask in (
        lambda: answers(SMALL),
        lambda: aspgames.solve(game.initial, attacker="white", goal="win", within=3, budget=budget),
        lambda: aspgames.make_table(game.initial, tmp_path / "table", budget=budget),
    ):
        # A state may have no legal move, or a move of the other side.
        with suppress(aspgames.AspgamesError, LookupError):
            ask()


@pytest.mark.parametrize("data", [b"", b"[1", b"3", b'["a", "b"]', b"[true, 3]", b"\xff"])
def test_a_damaged_limit_counts_as_missing(kept: Path, data: bytes) -> None:
    assert not kept.exists()
    cache.put("net", "refused", b'[5, "too large"]')
    assert _refused("net") == (5, "too large")
    cache.put("net", "refused", data)
    assert _refused("net") == (0, "")
