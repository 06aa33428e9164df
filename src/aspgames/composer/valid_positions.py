"""Which positions an encoding allows, asked of a net: many times faster than the grounder."""

from collections.abc import Container

import numpy as np

from ..game.game import Game
from ..gdl.rules import Facts
from ..propnet.lanes import Lanes, LegalScope
from ..propnet.net import Net, opened_program
from ..propnet.percept_net import with_rules
from ..runtime.errors import RulesError

_REFUSED = "aspgames_refused"
_RULE = f"#program position.\nlegal(R,{_REFUSED}) :- refused(_,_), role(R)."
_MOST_RULES = 150_000  # ground rules


class ValidPositions(Container[Facts]):
    """The valid positions of one game.

    A position is refused where a role has one more move, so the net needs nothing new.
    """

    def __init__(self, game: Game) -> None:
        """Make the net. Raises ``LimitReached`` or ``RulesError`` if there is none.

        There is none for a game that doesn't declare the fluents of its positions.
        """
        if not game.vocabulary.base:
            raise RulesError(f"{game.name} declares no fluents")
        rules = with_rules(game.rules, _RULE)
        parts = "base", "board", "position"
        fluents = tuple(sorted({*game.vocabulary.base, *game.vocabulary.initial}))
        opened = opened_program(
            rules, lambda: rules.encoding.checked(rules.constants, *parts), "of positions"
        )
        net = Net(rules, (), fluents, False, _MOST_RULES, opened=opened)
        self._lanes = Lanes(net.tables())
        numbers = self._lanes.tables.move_numbers
        self._refusals = [n for (_, move), n in numbers.items() if move == _REFUSED]
        self._legal = np.empty((1, len(numbers)), np.bool_)

    def __contains__(self, facts: object) -> bool:
        """Whether the encoding allows a position that leaves out no fluent, as sorted facts."""
        assert isinstance(facts, tuple)
        row = self._lanes.tables.row(facts)
        if row is None:
            return False
        states = np.frombuffer(row, np.uint64).reshape(1, -1)
        self._lanes.fill(states, {"legal": self._legal}, LegalScope.AS_THE_RULES_SAY)
        return not self._legal[0, self._refusals].any()
