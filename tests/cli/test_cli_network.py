"""``aspgames match --net``: networks in ONNX files."""

import sys
from pathlib import Path
from typing import Any

import pytest

from aspgames import load
from cli_helpers import Call, assert_refused, check

MATCH = ["match", "breakthrough", "-c", "width=4", "-c", "height=5", "--time", "0.1", "--net"]


def write(path: Path, moves: int, favourite: int, shape: tuple[int, ...] = ()) -> str:
    """Write a network that prefers one move and sees a draw everywhere."""
    import onnx.parser  # here, because it takes long

    shape = shape or load("breakthrough", width=4, height=5).observation.shape
    sizes = ",".join(map(str, shape))
    model = onnx.parser.parse_model(f"""
        <ir_version: 8, opset_import: ["": 17]>
        network (float[n,{sizes}] observation) => (float[n,{moves}] priors, float[n] values)
        <int64 moves = {{{moves}}}, float[2] others_and_favourite = {{0, 1}}> {{
            batch = Shape <end = 1> (observation)
            values = ConstantOfShape (batch)
            favourites = ConstantOfShape <value = int64[1] {{{favourite}}}> (batch)
            priors = OneHot (favourites, moves, others_and_favourite)
        }}""")
    onnx.save(model, str(path))
    return str(path)


@pytest.mark.quick(1)
@pytest.mark.parametrize("relative", [True, False])
def test_a_network_plays_its_favourite_move(call: Call, tmp_path: Path, relative: bool) -> None:
    game = load("breakthrough", width=4, height=5)
    if relative:  # black sees its b4 as b2
        moves: list[Any] = list(game.relative.moves)
        favourite: Any = "move(2,2,2,3)"
    else:
        moves = [(move.role, move.term) for move in game.moves]
        favourite = ("black", "move(2,4,2,3)")
    file = write(tmp_path / "net.onnx", len(moves), moves.index(favourite))
    result = call(*MATCH, file, "--json", stdin=b"a2-a3\n")
    assert (result.code, result.err) == (0, "")
    start, *events = [check(line, "match_event") for line in result.lines]
    assert start["against"] == "network"
    assert [event["move_text"] for event in events if "move_text" in event] == ["a2-a3", "b4-b3"]


def test_other_files_are_refused(call: Call, tmp_path: Path) -> None:
    missing, text = str(tmp_path / "missing.onnx"), tmp_path / "text.onnx"
    text.write_bytes(b"no network \xff")
    assert_refused(call(*MATCH, missing, stdin=b""), "missing.onnx can't be read: No such file")
    assert_refused(call(*MATCH, str(text), stdin=b""), "text.onnx is no network in ONNX")
    assert_refused(call(*MATCH, str(text), "--against", "engine", stdin=b""), "one opponent")
    other = write(tmp_path / "other.onnx", 162, 0, (4, 6, 6))
    assert_refused(call(*MATCH, other, stdin=b""), "('n', 4, 5, 4)", "['n', 4, 6, 6]")
    few = write(tmp_path / "few.onnx", 7, 0)
    assert_refused(call(*MATCH, few, stdin=b""), "has 7", "for the moves of both roles")


def test_outputs_that_are_wrong_are_named(call: Call, tmp_path: Path) -> None:
    import onnx

    file, net = str(tmp_path / "swapped.onnx"), onnx.load(write(tmp_path / "net.onnx", 162, 0))
    first, second = list(net.graph.output)
    del net.graph.output[:]
    net.graph.output.extend([second, first])
    onnx.save(net, file)
    assert_refused(
        call(*MATCH, file, stdin=b""),
        "swapped.onnx: the outputs are swapped: the weights, priors ['n', 162], are the first one",
    )


def test_without_onnxruntime(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert_refused(call(*MATCH, str(tmp_path), stdin=b""), 'pip install "aspgames[onnx]"')
