"""The names in a game's rules that a checker needs: roles, and the fluents that the rules list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..asp.terms import Constants
from ..gdl.encoding import Encoding
from ..gdl.predicates import CHANCE, NAMED


@dataclass(frozen=True)
class RuleNames:
    """The roles, the fluents, and what the rules have of later languages. No state is needed."""

    roles: tuple[str, ...]
    initial: tuple[str, ...]
    """The fluents of the initial state, sorted."""
    base: frozenset[str]
    """The fluents that ``base/1`` lists; empty if it lists none."""
    extensions: Mapping[str, str]
    """What the rules have of later languages: see ``gdl.extensions``."""
    weighted: bool
    """Whether ``weight/2`` gives the chances of the role ``random``."""

    @property
    def chance(self) -> bool:
        """Whether the role ``random`` moves by chance."""
        return "chance" in self.extensions

    @property
    def hidden(self) -> bool:
        """Whether roles see only what ``sees/2`` says."""
        return "hidden" in self.extensions

    @property
    def players(self) -> tuple[str, ...]:
        """The roles that choose: all but ``random``."""
        return tuple(role for role in self.roles if role != CHANCE)


def rule_names(encoding: Encoding, constants: Constants) -> RuleNames:
    """The names in an encoding's rules, from the cache if they were read before."""

    def read() -> dict[str, Any]:
        from ..asp.grounding import Query
        from ..gdl.extensions import extensions, is_weighted

        # A sheet's base/1 may be huge or wrong.
        asked = [("role", 1), ("init", 1), *([] if encoding.is_sheet else [("base", 1)])]
        atoms = Query(encoding.checked(constants, "base", "board", only=NAMED), constants, asked)()
        roles, initial, base = (
            tuple(str(atom.arguments[0]) for atom in atoms.get((name, 1), ()))
            for name in ("role", "init", "base")
        )
        return {
            "roles": roles,
            "initial": sorted(initial),
            "base": base,
            "extensions": extensions(encoding, roles),
            "weighted": is_weighted(encoding, roles),
        }

    found = encoding.remembered("names", constants, read)
    return RuleNames(
        roles=tuple(found["roles"]),
        initial=tuple(found["initial"]),
        base=frozenset(found["base"]),
        extensions=found["extensions"],
        weighted=found["weighted"],
    )
