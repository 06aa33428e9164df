"""Proved properties of a game, for interfaces that declare them."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

import numpy as np

from ..game.game import Game, check_game
from ..game.view import percept_net
from ..propnet.net import Net
from ..propnet.reachable_nets import net_for
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.call_arguments import no_show
from ..runtime.errors import LimitReached
from .fluent_phases import Phases, phases
from .net_sample import NetSample
from .play_proofs import PlayProver
from .refutations import Refutations

_SECONDS = 20.0  # the time limit for all searches together
_SECONDS_OF_A_BOUND = 5.0  # the time limit for the bound alone
_MOST_NODES = 100_000, 10_000
"""Nodes of a circuit for the search for counterexamples, and for the search for a bound."""
_MOST_STATES = 100_000  # of a game with chance or hidden information
_MOST_NODES_QUICKLY = 5_000, 1_500  # the same for searches that take a second


@dataclass(frozen=True)
class Properties:
    """Properties of all play from a game's start; ``None`` and ``False`` mean "not proved"."""

    take_turns: bool
    """Whether at most one player has several legal moves in each state."""
    lowest: int
    """A lower bound of all goal values at the end."""
    highest: int
    """An upper bound of all goal values at the end."""
    total: int | None
    """The sum of all players' goal values at every end."""
    bound: int | None
    """The plies within which play ends."""


def properties(
    game: Game, *, quick: bool = False, progress: Callable[[str], None] = no_show
) -> Properties:
    """Prove whether roles take turns, the range of goal values, and when a game ends.

    The proofs take up to 20 seconds after the net is made, and are cached on disk. A property
    without a proof in that time counts as not proved.

    Args:
        game: The game.
        quick: Whether to leave out what takes long: most proofs about large games.
        progress: Called with a line of text before each proof.

    Raises:
        RulesError: No net can be made from the rules, or time passes in them (``time``).
        LimitReached: The net would be too large.

    >>> import aspgames
    >>> aspgames.properties(aspgames.load("breakthrough"))
    Properties(take_turns=True, lowest=0, highest=100, total=100, bound=241)
    """
    check_game(game)
    question = "properties, quick" if quick else "properties"
    found = game.rules.remembered(question, lambda: asdict(_properties(game, quick, progress)))
    return Properties(**found)


def _properties(game: Game, quick: bool, progress: Callable[[str], None]) -> Properties:
    initial = game.initial
    if initial.is_terminal:
        values = initial.goals.values()
        return Properties(True, min(values), max(values), sum(values), 0)
    progress("making the net")
    if (game.chance or game.hidden) and (exact := _enumerated(game)):
        return exact
    net = _net_of(game)
    budget = Budget(_SECONDS)
    several: list[Phases] = []
    with suppress(LimitReached):
        several += phases(net, initial.facts, budget)
    possible = {max(0, value) for _, value in net.outputs.goal}
    found = Properties(
        take_turns=len(game.players) == 1 or any(each.take_turns for each in several),
        lowest=0,  # also the value of a role without a derived value
        highest=max(possible, default=0),
        total=next((each.total for each in several if each.total is not None), None),
        bound=_bound_of(several),
    )
    most, most_of_a_bound = _MOST_NODES_QUICKLY if quick else _MOST_NODES
    with suppress(LimitReached):
        if net.circuit.size <= most:
            progress("playing random games")
            refutations = Refutations(game, net, several, budget)
            if not found.take_turns:
                progress("whether roles take turns")
                found = replace(found, take_turns=refutations.take_turns())
            progress("the goals")
            found = replace(found, lowest=refutations.lowest())
            if found.total is None:
                found = replace(found, total=refutations.total())
            if found.bound is None and net.circuit.size <= most_of_a_bound:
                progress("whether play ends")
                found = replace(found, bound=refutations.bound())
    return found


def _enumerated(game: Game) -> Properties | None:
    """The properties of all states that play reaches; None for more than 100,000 states."""
    net = percept_net(game.initial)
    players = [net.roles.index(role) for role in game.players]
    rows, known, plies, work = net.start, {net.start.tobytes()}, 0, 0
    take_turns, goals, totals = True, set[int](), set[int]()
    while len(rows):
        answers = net.answers(rows)
        over, mine = answers.terminal, answers.goals[:, players]
        goals.update(mine[over].reshape(-1).tolist())
        totals.update(mine[over].sum(1).tolist())
        take_turns &= bool(((answers.counts[~over][:, players] > 1).sum(1) < 2).all())
        try:
            rows = np.unique(net.joint_moves(rows[~over], most=_MOST_STATES).rows, axis=0)
        except LimitReached:
            return None
        before = len(known)
        known.update(row.tobytes() for row in rows)
        work, plies = work + len(rows), plies + bool(len(rows))
        if len(known) > before:
            if work > _MOST_STATES:
                return None
        elif work > _MOST_STATES or plies > len(known):
            break  # play may go round
    total = totals.pop() if len(totals) == 1 else None
    least, most = min(goals, default=0), max(goals, default=0)
    return Properties(take_turns, least, most, total, None if len(rows) else plies)


def longest_play(game: Game, budget: Budget) -> int | None:
    """The plies within which play provably ends; None without a proof in a few seconds."""
    if budget.seconds_left < _SECONDS_OF_A_BOUND:
        return None

    def prove() -> int | None:
        net = _net_of(game)
        limit = Budget(_SECONDS_OF_A_BOUND)
        with suppress(LimitReached):
            if bound := _bound_of(phases(net, game.initial.facts, limit)):
                return bound
            sample = NetSample(game, limit)
            if not sample.returns:
                prover = PlayProver(net, game.roles, game.initial.facts, sample.steps, limit)
                return prover.prove().bound
        return None

    found: int | None = game.rules.remembered("longest", prove)
    return found


def _net_of(game: Game) -> Net:
    facts = game.initial.facts
    net = net_for(game.rules, facts, MOST_RULES)
    game.nets.tables_from(facts, MOST_RULES, made=net)
    return net


def _bound_of(several: Iterable[Phases]) -> int | None:
    return min((n for each in several if (n := each.longest) is not None), default=None)
