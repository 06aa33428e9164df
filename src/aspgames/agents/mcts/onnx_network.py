"""Evaluation by a neural network from an ONNX file, with onnxruntime."""

from contextlib import suppress
from typing import Any

from ...game.game import Game
from ...propnet.array_layout import Floats
from ...propnet.lanes import Flags
from ...runtime.call_arguments import optional_package
from ...runtime.errors import BadRequest


class OnnxNetwork:
    """An evaluation for ``search``, from a file.

    The input has the shape ``(n, *game.observation.shape)``. The first output is a weight of each
    move, ``(n, moves)``; the second one is the value for the role on move, from -1 to 1, ``(n,)``.
    The moves are ``game.relative.moves`` or ``game.moves``: the number of weights tells which.
    """

    def __init__(self, path: str, game: Game) -> None:
        """Raises ``BadRequest`` if the file isn't a network for the game."""
        runtime = optional_package("onnxruntime", "a network", "aspgames[onnx]")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            with open(path, "rb"):  # onnxruntime doesn't say why a file can't be read
                self._session = runtime.InferenceSession(path, options)
        except OSError as error:
            raise BadRequest(f"{path} can't be read: {error.strerror}") from None
        except Exception as error:  # its exceptions have no class in common
            raise BadRequest(
                f"{path} is no network in ONNX: {str(error).splitlines()[0]}"
            ) from None
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        shape = game.observation.shape
        if len(inputs) != 1 or len(outputs) != 2 or tuple(inputs[0].shape[1:]) != shape:
            seen = "; ".join(f"{each.name} {each.shape}" for each in (*inputs, *outputs))
            raise BadRequest(
                f"{path}: a network for {game.name} has one input, {('n', *shape)}, and two "
                f"outputs, weights and values; this one has {seen}"
            )
        weights, values = (tuple(output.shape) for output in outputs)
        if len(weights) < 2 <= len(values):
            raise BadRequest(
                f"{path}: the outputs are swapped: the weights, {outputs[1].name} "
                f"{outputs[1].shape}, are the first one, the values the second one"
            )
        self._path, self._input, found = path, inputs[0].name, weights[-1]
        self.relative = found != len(game.moves)
        """Whether it sees and numbers everything from the view of the role on move."""
        if not self.relative:
            return
        needed, wanted = f"{len(game.moves)} weights, one for each move of both roles", None
        with suppress(BadRequest):  # no symmetry exchanges the roles
            wanted = len(game.relative.moves)
            needed = f"{wanted} weights, or {len(game.moves)} for the moves of both roles"
        if found != wanted:
            raise BadRequest(
                f"{path}: a network for {game.name} has {needed}; this one has {found}"
            )

    def __call__(self, seen: Floats, _legal: Flags) -> tuple[Any, Any]:
        """The weights and the values of some states. Raises ``BadRequest`` for other shapes."""
        weights, values = self._session.run(None, {self._input: seen})
        if len(weights) != len(seen) or values.size != len(seen):
            raise BadRequest(
                f"{self._path}: for {len(seen)} states, the network gives weights of the shape "
                f"{weights.shape} and values of the shape {values.shape}"
            )
        return weights, values.reshape(len(seen))
