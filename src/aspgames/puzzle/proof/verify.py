"""Checking certificates with clingo alone (``docs/certificates.md``).

This module doesn't know how puzzles are solved. clingo answers questions about many states at a
time, and checks the plans at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ...game.game_rules import load_rules
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Rejected
from .claim import Claim, LoadGame, read_claim
from .plans import counterexample
from .stepper import Probe, Stepper
from .strategy import Strategy

Progress = Callable[[int, int], None]
"""Takes the numbers of edges and plans checked so far."""


def _tell_nobody(edges: int, plans: int) -> None:
    """A ``Progress`` that does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification(Claim):
    """A proved claim, and the size of the check."""

    nodes: int
    """The number of nodes in both strategies."""
    edges: int
    """The number of moves between them."""
    plans: int
    """The number of plans that clingo checked."""
    seconds: float
    """The time for the check [s]."""


def verify(
    certificate: Mapping[str, Any],
    budget: Budget | None = None,
    load: LoadGame = load_rules,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Check a certificate, a JSON object, with clingo alone.

    Args:
        certificate: The certificate.
        budget: The time limit.
        load: Finds the game by name and constants.
        progress: Takes the numbers of edges and plans checked so far.

    Raises:
        Rejected: The certificate is wrong.
        BadRequest: The object isn't a certificate.
        LimitReached: The budget runs out, or the game is too large.
        UnknownGame: ``load`` doesn't find the game.
    """
    budget = budget or Budget()
    claim = read_claim(certificate, load)
    try:
        if claim.puzzle.chance is not None:
            from .chance_claim import read_odds  # few games need it

            claim = read_odds(certificate, claim)
            if claim.puzzle.state.game.hidden:
                return _verify_hidden(claim, certificate, budget, progress or _tell_nobody)
            return _verify_chance(claim, certificate.get("proofs"), budget, progress)
        proof = Proof(claim, Stepper(claim.puzzle, budget), progress)
        for side, turns, keys in required(claim):
            proof.add(certificate.get(side), side, turns, keys)
        proof.check()
    except BadRequest as error:
        raise Rejected(str(error)) from None
    nodes = sum(len(strategy.nodes) for strategy in proof.strategies)
    return verified(claim, budget, nodes, proof.edges, proof.plans)


def _verify_hidden(
    claim: Claim, given: Mapping[str, Any], budget: Budget, progress: Progress
) -> Verification:
    """Check a certificate with hidden information. Raises as ``verify`` does."""
    from .hidden_bounds import BoundsCheck  # modules that few games need
    from .hidden_plan import PlanCheck
    from .hidden_steps import HiddenSteps

    if claim.keys or claim.line or claim.distance is not None:
        raise Rejected("distance: with hidden information at_most and not_within are proved")
    steps, nodes = HiddenSteps(claim, budget, progress), 0
    if claim.probability_at_least:
        nodes += PlanCheck(claim, steps).check(given.get("plan"))
    if claim.not_within is not None or claim.probability_at_most != 1:
        nodes += BoundsCheck(claim, steps).check(given.get("bounds"))
    return verified(claim, budget, nodes, steps.edges, 0)


def _verify_chance(
    claim: Claim, proofs: Any, budget: Budget, progress: Callable[[int, int], None] | None
) -> Verification:
    """Check the strategies of a game with chance. Raises as ``verify`` does."""
    from .chance_proof import ChanceProof  # few games need it

    chances = ChanceProof(claim, proofs, Stepper(claim.puzzle, budget))
    proof = Proof(claim, chances.stepper, progress)
    proof.prepare(proof.walk_line(), *chances.walks())
    chances.check()
    nodes = sum(len(strategy.nodes) for strategy in chances.strategies)
    edges = sum(strategy.edges for strategy in chances.strategies)
    return verified(claim, budget, nodes, edges, 0)


def verified(claim: Claim, budget: Budget, nodes: int, edges: int, plans: int) -> Verification:
    """A claim that is proved, with the size of the check."""
    known = {each.name: getattr(claim, each.name) for each in fields(claim)}
    seconds = budget.seconds
    return Verification(**known, nodes=nodes, edges=edges, plans=plans, seconds=seconds)


def required(claim: Claim) -> list[tuple[str, float, tuple[str, ...]]]:
    """The strategies that prove a claim: side, turns, and the keys that its root must show."""
    if claim.at_most is None:
        return [("defence", claim.puzzle.turns, ())]
    found: list[tuple[str, float, tuple[str, ...]]] = [("attack", claim.at_most, claim.keys)]
    if claim.not_within is not None:
        others = () if claim.distance is None else claim.keys
        found.append(("defence", claim.not_within, others))
    return found


class Proof:
    """Strategies that prove a claim, and its line."""

    def __init__(
        self, claim: Claim, stepper: Stepper, progress: Callable[[int, int], None] | None = None
    ) -> None:
        self.claim, self.stepper, self.budget = claim, stepper, stepper.budget
        self.progress = progress or _tell_nobody
        self.strategies: list[Strategy] = []
        self.plans = 0
        """The number of plans that hold."""

    def add(self, found: Any, side: str, turns: float, keys: tuple[str, ...]) -> None:
        """Add a strategy of a certificate."""
        nodes = found.get("nodes") if isinstance(found, dict) else None
        if not isinstance(nodes, list) or not nodes:
            raise Rejected(f"{side}.nodes: it must be a list of nodes")
        numbered = dict(enumerate(nodes))
        self.strategies.append(
            Strategy(numbered, side, turns, keys, self.claim.puzzle, self.stepper)
        )

    @property
    def edges(self) -> int:
        """The number of edges checked."""
        return sum(strategy.edges for strategy in self.strategies)

    def check(self) -> None:
        """Check everything, the plans last."""
        distance, keys = self.claim.distance, self.claim.keys
        self.prepare(self.walk_line(), *(strategy.walk() for strategy in self.strategies))
        if distance is not None:
            chooses = self.stepper.look(self.stepper.start).attacks and distance > 0
            if bool(keys) != chooses:
                raise Rejected(f"keys: there {'must be some' if chooses else 'are none to choose'}")
            turns = self.stepper.turns_of_line(self.claim.line, keys)
            if turns != self.claim.distance:
                raise Rejected(f"line: it takes {turns} turns of the attacker's, not the distance")
        for strategy in self.strategies:
            strategy.check()
        self.stepper.forget()
        self.progress(self.edges, 0)
        self.check_plans()

    def prepare(self, *walks: Iterator[list[Probe]]) -> None:
        """Answer the probes of the checks, many at a time.

        Each walk yields the probes that it needs next. A walk stops at an error, which its check
        reports.
        """
        while wanted := [probes for walk in walks if (probes := next(walk, None))]:
            self.budget.check()
            self.stepper.prepare(probe for probes in wanted for probe in probes)
            self.progress(self.stepper.edges, 0)

    def walk_line(self) -> Iterator[list[Probe]]:
        """The probes for the check of the line."""
        state = self.stepper.start
        for term in self.claim.line:
            probe = Probe(state, move=term)
            yield [probe]
            after = self.stepper.ask(probe).after
            if term not in after:
                return
            state = after[term]
        yield [Probe(state)]

    def check_plans(self) -> None:
        """Check all plans with clingo."""

        def held(plans: int) -> None:
            self.plans += plans
            self.progress(self.edges, self.plans)

        plans = [planned for strategy in self.strategies for planned in strategy.plans]
        puzzle, fluents = self.claim.puzzle, self.stepper.fluents
        failure = counterexample(puzzle, plans, fluents, self.budget, held)
        if failure:
            planned, reason = failure
            raise Rejected(f"{planned.place}: the plan doesn't hold: {reason}")
