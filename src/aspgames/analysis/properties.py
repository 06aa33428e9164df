"""What is proved of a game before it is played, for interfaces that want it declared."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from ..game.game import Game
from ..gdl.memo import remembered
from ..propnet.net import net_for
from ..runtime.arguments import told
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.errors import BadRequest, LimitReached
from .fluent_phases import Phases, phases
from .refutations import Refutations

_SECONDS = 20.0  # for what is searched for: a step that breaks something, a measure
_MOST_NODES = 100_000  # of the circuit that the solver is given ...
_MOST_NODES_OF_A_BOUND = 10_000  # ... and where it looks for a measure, which takes longest


@dataclass(frozen=True)
class Properties:
    """What holds of all play from a game's start; ``None`` and ``False`` where it isn't proved."""

    take_turns: bool
    """Never does more than one role have a choice: at most one has several legal moves."""
    lowest: int
    """No role has less than this when the game is over ..."""
    highest: int
    """... and none more than this."""
    total: int | None
    """What the goals of all roles add up to whenever the game is over."""
    bound: int | None
    """The plies within which play ends."""


def properties(game: Game) -> Properties:
    """What is proved of a game: whether roles take turns, what goals there can be, when it ends.

    It is what interfaces ask for that want a game's kind to be declared. The proofs take some
    seconds, 20 at most once there is a net of the game, and are kept on disk; where that is too
    short, or nothing is found, less is said to be proved. Raises ``RulesError`` where
    the rules have no net, ``LimitReached`` where it would be too large.

    >>> import aspgames
    >>> aspgames.properties(aspgames.load("breakthrough"))
    Properties(take_turns=True, lowest=0, highest=100, total=100, bound=241)
    """
    if not isinstance(game, Game):
        raise BadRequest(f"properties are those of a Game, as load gives it, not of {told(game)}")
    found = remembered(
        game.encoding, "properties", game.constants, lambda: asdict(_properties(game))
    )
    return Properties(**found)


def _properties(game: Game) -> Properties:
    initial = game.initial
    if initial.is_terminal:
        values = initial.goals.values()
        return Properties(True, min(values), max(values), sum(values), 0)
    net = net_for(game.rules, initial.facts, MOST_RULES)
    budget = Budget(_SECONDS)
    several: list[Phases] = []
    with suppress(LimitReached):
        several += phases(net, initial.facts, budget)
    possible = {max(0, value) for _, value in net.outputs.goal}
    found = Properties(
        take_turns=len(game.roles) == 1 or any(each.take_turns for each in several),
        lowest=0,  # also the value of a role for which the rules derive none
        highest=max(possible, default=0),
        total=next((each.total for each in several if each.total is not None), None),
        bound=min((n for each in several if (n := each.longest) is not None), default=None),
    )
    with suppress(LimitReached):
        if net.circuit.size <= _MOST_NODES:
            refutations = Refutations(game, net, several, budget)
            if not found.take_turns:
                found = replace(found, take_turns=refutations.take_turns())
            found = replace(found, lowest=refutations.lowest())
            if found.total is None:
                found = replace(found, total=refutations.total())
            if found.bound is None and net.circuit.size <= _MOST_NODES_OF_A_BOUND:
                found = replace(found, bound=refutations.bound())
    return found
