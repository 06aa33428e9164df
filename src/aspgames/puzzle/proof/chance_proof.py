"""Checking a certificate of a game with chance: each claim has a strategy that proves it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ...runtime.errors import Rejected
from .chance_claim import read_fraction
from .chance_strategy import ChanceStrategy
from .claim import Claim
from .stepper import Probe, Stepper


class ChanceProof:
    """The strategies of a certificate: attacks prove lower bounds, defences upper bounds."""

    def __init__(self, claim: Claim, proofs: Any, stepper: Stepper) -> None:
        """Read the strategies. Raises ``Rejected`` for malformed ones."""
        self.claim, self.stepper = claim, stepper
        self.strategies: list[ChanceStrategy] = []
        self._bounds: list[Fraction] = []
        self._measure, self._top = claim.puzzle.goal.measure
        if not isinstance(proofs, list):
            raise Rejected("proofs: it must be a list of strategies")
        for number, proof in enumerate(proofs):
            place = f"proofs[{number}]"
            if not isinstance(proof, dict) or proof.get("side") not in ("attack", "defence"):
                raise Rejected(f"{place}.side: it must be attack or defence")
            turns, nodes = proof.get("within"), proof.get("nodes")
            if turns is None:
                turns = math.inf
            elif isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
                raise Rejected(f"{place}.within: it must be a whole number from 0 on, or null")
            if not isinstance(nodes, list) or not nodes:
                raise Rejected(f"{place}.nodes: it must be a list of nodes")
            self._bounds.append(read_fraction(proof, self._measure, f"{place}.", self._top))
            numbered, puzzle = dict(enumerate(nodes)), claim.puzzle
            self.strategies.append(
                ChanceStrategy(numbered, proof["side"], turns, puzzle, stepper, place)
            )

    def walks(self) -> list[Iterator[list[Probe]]]:
        """The probes of the checks."""
        return [strategy.walk() for strategy in self.strategies]

    def check(self) -> None:
        """Check the strategies, and then whether they prove the claim."""
        for strategy, stated in zip(self.strategies, self._bounds, strict=True):
            strategy.check()
            strategy.settle()
            found = strategy.values[0]
            if found < stated if strategy.attacks else found > stated:
                where = f"{strategy.name}.{self._measure}"
                raise Rejected(f"{where}: the nodes prove {found}, not {stated}")
        claim, top = self.claim, self._top
        what = "a goal value" if claim.puzzle.goal.expected else "a probability"
        within, asked = claim.puzzle.turns, claim.puzzle.asked
        least, most = (
            getattr(claim, f"{self._measure}_{bound}") for bound in ("at_least", "at_most")
        )
        if least and not self.at_least(least, within):
            raise Rejected(f"proofs: none proves {what} of at least {least}")
        if most < top and not self.below(within, most, is_strict=False):
            raise Rejected(f"proofs: none proves {what} of at most {most}")
        if claim.at_most is not None and not self.at_least(asked, claim.at_most):
            raise Rejected(f"proofs: none proves at least {asked} within {claim.at_most} turns")
        short = claim.not_within
        if short is not None and short >= 0 and not self.below(short, asked, is_strict=True):
            raise Rejected(f"proofs: none proves less than {asked} within {short} turns")
        if claim.distance is not None:
            self.check_keys(claim.distance)
        elif claim.at_most is None and least == most:
            self.check_keys(within)
        elif claim.keys or claim.line:
            raise Rejected("keys: without the distance or the probability there are none")

    def at_least(self, least: Fraction, turns: float) -> bool:
        """Whether an attack proves a lower bound within ``turns`` turns."""
        return any(s.attacks and s.turns <= turns and s.values[0] >= least for s in self.strategies)

    def below(self, turns: float, most: Fraction, is_strict: bool) -> bool:
        """Whether a defence proves an upper bound within ``turns`` turns."""
        return any(
            not s.attacks
            and s.turns >= turns
            and (s.values[0] < most if is_strict else s.values[0] <= most)
            for s in self.strategies
        )

    def check_keys(self, turns: float) -> None:
        """Check that the keys are all moves with the best value within ``turns`` turns."""
        keys, start = set(self.claim.keys), self.stepper.look(self.stepper.start)
        best = max(
            (s.values[0] for s in self.strategies if s.attacks and s.turns <= turns),
            default=Fraction(0),
        )
        if bool(keys) != (start.attacks and not (start.reached or start.over) and best > 0):
            raise Rejected(f"keys: there {'are none to choose' if keys else 'must be some'}")
        if keys and not any(self.gives(s, best, turns) for s in self.strategies if s.attacks):
            raise Rejected(f"proofs: none proves {best} for each key")
        if keys and not any(self.parts(s, best, turns) for s in self.strategies if not s.attacks):
            raise Rejected(f"proofs: none proves at most {best} for the keys, less for other moves")
        self.check_line(turns)

    def gives(self, strategy: ChanceStrategy, best: Fraction, turns: float) -> bool:
        """Whether an attack proves the best value for each key."""
        root = strategy.nodes[0]
        is_root = strategy.turns <= turns and isinstance(root, dict) and "moves" in root
        return is_root and set(root["moves"]) == set(self.claim.keys) and strategy.values[0] >= best

    def parts(self, strategy: ChanceStrategy, best: Fraction, turns: float) -> bool:
        """Whether a defence proves that no move has more, and others than the keys have less."""
        root = strategy.nodes[0]
        if strategy.turns < turns or not isinstance(root, dict) or "replies" not in root:
            return False
        worth = {move: strategy.worth(target) for move, target in root["replies"].items()}
        return all(
            value <= best if move in self.claim.keys else value < best
            for move, value in worth.items()
        )

    def check_line(self, turns: float) -> None:
        """Check that a line, which keys need, comes to the goal in time."""
        claim = self.claim
        has_line = claim.line or claim.keys
        taken = self.stepper.turns_of_line(claim.line, claim.keys) if has_line else 0
        if taken > turns:
            raise Rejected(f"line: it takes {taken} turns of the attacker's, which is too many")
