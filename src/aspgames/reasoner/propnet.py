"""The fast reasoner for single states: a net of a state and all that can follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress

from ..engine.net import Net, net_for
from . import Consequences, Facts, Rules, the_one_on_move


class Propnet:
    """See ``Reasoner`` for the protocol that this class follows."""

    def __init__(self, rules: Rules, facts: Facts) -> None:
        """Build the net for the state with these facts and those that can follow.

        Fluents that can never change again (an Amazons arrow) are constants in it. Raises
        ``RulesError`` where the rules choose or recur through negation, and ``LimitReached`` where
        the reachable fluents have no end or the net would be too large.
        """
        self._rules = rules
        self._net = net_for(rules, facts)

    def consequences(self, facts: Facts) -> Consequences:
        """Legal moves, end, values and side on move, from one evaluation."""
        net, true = self._lanes(facts)
        answer = net.ask(1, true)
        moves: dict[str, list[str]] = {role: [] for role in self._rules.roles}
        for role, term in compress(net.moves, answer.legal):
            moves.setdefault(role, []).append(term)
        legal = {role: tuple(terms) for role, terms in moves.items()}
        judgement = net.judge(1, true)
        goals = dict.fromkeys(self._rules.roles, 0)
        goals |= {role: value for (role, value), lane in judgement.goals.items() if lane}
        on_move = [role for role, lane in judgement.to_move.items() if lane]
        return Consequences(legal, bool(answer.terminal), goals, the_one_on_move(on_move, legal))

    def successor(self, facts: Facts, joint: Mapping[str, str]) -> Facts:
        """The state after a joint move, from one evaluation of the rules for ``next``."""
        net, true = self._lanes(facts)
        does = [0] * len(net.moves)
        for move in joint.items():
            does[net.place[move]] = 1
        return tuple(compress(net.after, net.advance(1, true, does)))

    def _lanes(self, facts: Facts) -> tuple[Net, list[int]]:
        """A net that knows all the facts, and the lanes of its fluents."""
        holds = set(facts)
        if not holds.issuperset(self._net.certain) or not holds.issubset(self._net.known):
            # A position that the net's first one doesn't lead to: a net for both.
            known = sorted(self._net.known | holds)
            self._net = Net(self._rules, (), known, closed=True)
        return self._net, list(map(holds.__contains__, self._net.fluents))
