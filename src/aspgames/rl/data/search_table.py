"""The results of tree searches as a table, to train on."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ...agents.mcts.puct import TreeResult
from ...play.batch import Batch
from ...propnet.lanes import Rows
from ...runtime.budget import MOST_RULES
from ...runtime.errors import BadRequest
from .columns import arrow
from .position_columns import PositionTexts


def search_table(batch: Batch, found: TreeResult, temperature: npt.ArrayLike = 0.0) -> Any:
    """The states of a batch and what ``mcts.search`` has found in them, before ``batch.step``.

    Args:
        batch: The batch that was searched.
        found: The result of the search.
        temperature: That of the search.

    Returns:
        A ``pyarrow.Table`` with a row for each state in which the game goes on: ``state``, its
        number in the batch; ``position``, ``to_move`` and ``number``, as in files of games;
        ``legal``, the numbers of the legal moves in ``game.moves``; ``visits`` of each of these;
        ``value``, the mean result for the role on move, from -1 to 1; and ``temperature``.

    Raises:
        BadRequest: The batch has other states, or pyarrow is missing.
    """
    pa = arrow()
    game, numbers = batch.game, np.flatnonzero(found.moves >= 0).astype(np.int32)
    if len(batch) != len(found.moves) or (batch.is_terminal != (found.moves < 0)).any():
        raise BadRequest("the search was of other states than those of the batch now")
    legal, visits = batch.legal_of(numbers), found.visits[numbers]
    if (visits[~legal] != 0).any():
        raise BadRequest("the search was of other states than those of the batch now")
    ends = np.cumsum(legal.sum(axis=1), dtype=np.int32)
    starts = pa.array(np.concatenate([np.zeros(1, np.int32), ends]))
    net = game.nets.from_the_start(MOST_RULES)
    texts = PositionTexts(game.vocabulary.board, net.tables)
    rows: Rows = batch.holds_bits_of(numbers).view(np.uint64)
    roles = pa.DictionaryArray.from_arrays(pa.array(batch.to_move[numbers]), list(game.roles))
    heat = np.broadcast_to(np.asarray(temperature, np.float32), len(batch))
    return pa.table(
        {
            "state": numbers,
            "position": texts.of(rows),
            "to_move": roles.cast(pa.string()),
            "number": found.moves[numbers],
            "legal": pa.ListArray.from_arrays(starts, np.nonzero(legal)[1].astype(np.int32)),
            "visits": pa.ListArray.from_arrays(starts, visits[legal]),
            "value": found.values[numbers],
            "temperature": heat[numbers],
        }
    )
