"""The rest of a claim about a game with chance or hidden information: probabilities, or values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...runtime.errors import Rejected
from .claim import Claim, is_whole

_FRACTION = r"[0-9]{1,4000}(/[1-9][0-9]{0,3999})?"  # Python reads no longer number


def read_odds(certificate: Mapping[str, Any], claim: Claim) -> Claim:
    """The claim with its bounds. Raises ``Rejected`` if its parts don't fit."""
    at_most, not_within = certificate.get("at_most"), certificate.get("not_within")
    numbers = {"distance": claim.distance, "at_most": at_most, "not_within": not_within}
    for name, value in numbers.items():
        if not (value is None or is_whole(value)):
            raise Rejected(f"{name}: it must be a whole number from 0 on, or null")
        if value is not None and claim.puzzle.within is not None and value > claim.puzzle.within:
            raise Rejected(f"{name}: it is more than within")
    if claim.distance is not None and (at_most, not_within) != (None, None):
        raise Rejected("distance: with it there is neither at_most nor not_within")
    goal, asked = claim.puzzle.goal, claim.puzzle.asked
    what, top = goal.measure
    bounds: dict[str, Any] = {
        name: read_fraction(certificate, name if name in certificate else what, most=top)
        for name in (f"{what}_at_least", f"{what}_at_most")
    }
    least, most = bounds.values()
    open_ = "not_forced" if most < asked else "unknown"
    true = "forced" if goal.expected or least >= asked else open_
    if claim.verdict != true:
        raise Rejected(f"verdict: by the probability it is {true}")
    if goal.expected:
        if set(numbers.values()) != {None}:
            raise Rejected("distance: the goal score has none, nor at_most and not_within")
    elif (claim.distance is not None or at_most is not None) != (true == "forced"):
        raise Rejected("distance: a forced goal has one, or at_most, and no other goal")
    return replace(
        claim,
        at_most=claim.distance if at_most is None else at_most,
        not_within=not_within if claim.distance is None else claim.distance - 1,
        **bounds,
    )


def read_fraction(given: Mapping[str, Any], name: str, place: str = "", most: int = 1) -> Fraction:
    """A probability, or a number up to ``most``, as text. Raises ``Rejected``."""
    text = given.get(name)
    if isinstance(text, str) and re.fullmatch(_FRACTION, text) and Fraction(text) <= most:
        return Fraction(text)
    raise Rejected(f"{place}{name}: it must be a fraction from 0 to {most}, as text")
