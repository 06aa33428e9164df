"""The type and the parameters of a game for OpenSpiel."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from urllib.parse import unquote

import numpy as np

from ..game.game import Game
from ..game.game import load as load_rules
from ..gdl.predicates import CHANCE
from ..play.batch import Batch
from ..runtime.arguments import quote
from ..runtime.call_arguments import optional_package
from ..runtime.errors import BadConstant, BadRequest

pyspiel: Any = optional_package("pyspiel", "aspgames.openspiel", "aspgames[openspiel]")

SHORT_NAME = "aspgames"
"""OpenSpiel's name for all of these games; the parameter ``game`` selects one."""

LONGEST = 1000
"""The limit on a game's plies if no bound on its length is proved."""

PARAMETERS: dict[str, Any] = {
    "game": "",
    "const": {"name": ""},
    "max_game_length": 0,
    "prove": False,
}
_RESERVED = "%(),=\n"
"""Characters that OpenSpiel can't read in a parameter's text; they are percent-encoded."""
_GAMES = 100  # random games that show whether players take turns


def rules_of(parameters: Mapping[str, Any]) -> Game:
    """The game that parameters select. Raises the same as ``load``."""
    if not parameters.get("game"):
        raise BadRequest(f"the parameter game is missing: {SHORT_NAME}(game=breakthrough)")
    constants = {
        name: _value(v) for name, v in parameters.get("const", {}).items() if name != "name"
    }
    return load_rules(unquote(str(parameters["game"])), **constants)


def _value(given: Any) -> int | str:
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int):
        return given
    if not isinstance(given, str):
        raise BadConstant(f"a constant's value is a number or a name, not {quote(given)}")
    return unquote(given)


def quoted(value: int | str) -> int | str:
    """A value as OpenSpiel reads it: with percent signs for some characters."""
    if not isinstance(value, str):
        return value
    return "".join(f"%{ord(each):02X}" if each in _RESERVED else each for each in value)


def type_of(
    title: str,
    dynamics: str,
    utility: str,
    players: tuple[int, int],
    rules: Game | None = None,
    has_tensor: bool = False,
) -> Any:
    """OpenSpiel's type of a game."""
    kinds = pyspiel.GameType
    chances = "EXPLICIT_STOCHASTIC" if rules and rules.chance else "DETERMINISTIC"
    knows = "IMPERFECT_INFORMATION" if rules and rules.hidden else "PERFECT_INFORMATION"
    return kinds(
        short_name=SHORT_NAME,
        long_name=title,
        dynamics=getattr(kinds.Dynamics, dynamics),
        chance_mode=getattr(kinds.ChanceMode, chances),
        information=getattr(kinds.Information, knows),
        utility=getattr(kinds.Utility, utility),
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=has_tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


def seems_to_take_turns(game: Game) -> bool:
    """Whether no two players choose at once in some random games."""
    batch, rng = Batch(game, _GAMES, joint=True), np.random.default_rng(0)
    for _ in range(LONGEST):
        if batch.is_terminal.all() or not batch.legal.any():
            break
        own = [game.moves.of(role) for role in game.roles]
        legal = [batch.legal[:, each.start : each.stop] for each in own]
        many = [each.sum(1) > 1 for each, r in zip(legal, game.roles, strict=True) if r != CHANCE]
        if (np.sum(many, axis=0) > 1).any():
            return False
        # The moves' weights don't matter.
        drawn = [(each * rng.random(each.shape)).argmax(1) for each in legal]
        batch.step(np.stack([n + each.start for n, each in zip(drawn, own, strict=True)], axis=1))
    return True


def constant_sum(worth: Mapping[int, int], total: int, players: int) -> float | None:
    """The sum of the players' payoffs if their goals have a sum; None without a line for both."""
    (low, at_low), *_, (high, at_high) = sorted(worth.items()) * 2
    slope = Fraction(at_high - at_low, max(1, high - low))
    if any(at_low + slope * (goal - low) != payoff for goal, payoff in worth.items()):
        return None
    return float(players * (at_low - slope * low) + slope * total)
