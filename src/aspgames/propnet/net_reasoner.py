"""A fast reasoner: one net for all states with some fluents."""

from collections.abc import Iterable, Mapping

from ..gdl.reasoner import Consequences, Reasoner
from ..gdl.reasoner.net_answer import consequences_of
from ..gdl.rules import Facts, Rules
from ..runtime.errors import LimitReached
from .net import Net
from .single_state import Single


class NetReasoner:
    """A ``Reasoner`` whose net grows when a state has another fluent."""

    def __init__(
        self,
        rules: Rules,
        fluents: Iterable[str],
        most_rules: int = 150_000,
        grounder: Reasoner | None = None,
    ) -> None:
        """Build the net of all states with only these fluents. Raises the errors of ``Net``.

        When the net gets too large, the ``grounder`` answers from then on, if there is one.
        """
        self._rules, self._most_rules, self._grounder = rules, most_rules, grounder
        self._instead: Reasoner | None = None
        self._build(fluents)

    def _build(self, fluents: Iterable[str]) -> None:
        net = Net(self._rules, (), sorted(fluents), closed=True, most_rules=self._most_rules)
        self._single = Single(net.tables())
        self._tables = self._single.tables

    def consequences(self, facts: Facts) -> Consequences:
        """Legal moves, end, values and side on move of a state."""
        row, names = self._row(facts), self._tables.names
        if self._instead:
            return self._instead.consequences(facts)
        return consequences_of(self._single.ask(row), names.roles, names.terms)

    def successor(self, facts: Facts, joint: Mapping[str, str]) -> Facts:
        """The state after a joint move, which must be legal."""
        row, numbers = self._row(facts), self._tables.move_numbers
        if self._instead:
            return self._instead.successor(facts, joint)
        moves = [numbers.get((role, joint.get(role, "")), -1) for role in self._tables.names.roles]
        return self._tables.facts(self._single.play(row, moves))

    def _row(self, facts: Facts) -> bytes:
        row = self._tables.row(facts)
        try:
            if row is None and not self._instead:
                self._build({*self._tables.names.fluents, *facts})
                row = self._tables.row(facts)
        except LimitReached:
            if not self._grounder:
                raise
            self._instead = self._grounder
        return row or b""
