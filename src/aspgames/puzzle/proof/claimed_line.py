"""Checking the line of a certificate by play."""

from __future__ import annotations

from ...asp.terms import shorten
from ...runtime.errors import Rejected
from .claim import Claim
from .stepper import Probe, Stepper


def turns_of_line(claim: Claim, stepper: Stepper) -> int:
    """The turns that the attacker begins in a claim's line.

    Raises ``Rejected`` unless it begins with a key, is legal, and comes to the goal at its end. A
    turn goes on through the moves of ``random``.
    """
    state, goes_on, turns = stepper.start, False, 0
    line, keys = claim.line, claim.keys
    if keys and (not line or line[0] not in keys):
        raise Rejected("line: it doesn't begin with a key")
    for place, term in enumerate(line):
        answer = stepper.ask(Probe(state, move=term))
        if answer.view.reached:
            raise Rejected(f"line[{place}]: the goal stands before")
        if term not in answer.after:
            raise Rejected(f"line[{place}]: {shorten(term)!r} is not legal there")
        turns += claim.puzzle.begins_turn(goes_on, answer.view.attacks)
        goes_on = answer.view.attacks or (answer.view.rolls and goes_on)
        state = answer.after[term]
    if not stepper.look(state).reached:
        raise Rejected("line: it doesn't come to the goal")
    return turns
