"""Constants of a game: the values that users give, checked and completed."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..gdl.encoding import Encoding, constant_value
from ..runtime.errors import BadConstant

ConstantValues = tuple[tuple[str, int | str], ...]
"""Names and values of constants, hashable."""


@lru_cache(maxsize=256)
def settle_constants(encoding: Encoding, given: ConstantValues) -> ConstantValues:
    """All constants of an encoding with the values in force, sorted. Raises ``BadConstant``."""
    settled = encoding.settle_constants(dict(given))
    allowed = allowed_values(encoding) if given else {}
    for name, value in settled.items():
        if name in allowed and str(value) not in allowed[name]:
            choice = _choice(allowed[name])
            raise BadConstant(f"{encoding.name}: {name} must be {choice}, not {value}")
    return tuple(settled.items())


def allowed_values(encoding: Encoding) -> Mapping[str, list[str]]:
    """The values that the encoding allows for its constants, by name; a name may be missing."""

    def ask() -> dict[str, list[str]]:
        from ..asp.grounding import Query

        query = Query(encoding.statements("board"), encoding.constants, [("allowed", 2)])
        allowed: dict[str, list[str]] = {}
        for symbol in sorted(query()["allowed", 2]):
            name, value = map(str, symbol.arguments)
            allowed.setdefault(name.strip('"'), []).append(value)
        return allowed

    found: dict[str, list[str]] = encoding.remembered("allowed values", {}, ask)
    return found


def _choice(values: Sequence[str]) -> str:
    numbers = [n for n in map(constant_value, values) if isinstance(n, int)]
    if len(numbers) == len(values) > 2 and numbers[-1] - numbers[0] == len(values) - 1:
        return f"a whole number from {numbers[0]} to {numbers[-1]}"
    return " or ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
