"""Our side of a cross-check: the rules' answers for many positions at once."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from random import Random

from ...game.game import Game
from ...game.notation.joint_moves import is_joint, parse_joint
from ...game.view import net_of_views
from ...gdl.reasoner import Consequences, Reasoner
from ...gdl.rules import Facts
from ...play.perft import divide
from ...runtime.budget import MOST_RULES, MOST_RULES_UNASKED, Budget
from ...runtime.errors import BadRequest, LimitReached, RulesError
from .engine import EVERYTHING, Answer, Engine, Question, Refusal, Turn
from .turn_labels import JointMoves, Options, label_of

_SAMPLE_PLIES = 40  # plies


class Reference:
    """The rules of a game as an engine would answer them, by plies or by whole turns."""

    def __init__(self, game: Game, whole_turns: bool, reasoner: str | None = None) -> None:
        """``reasoner`` is as for ``perft``."""
        self.game = game
        self._label = lru_cache(maxsize=1 << 16)(partial(label_of, game))
        self._whole_turns = whole_turns
        self._reasoner = _choose_reasoner(game, reasoner)
        self.fast = self._reasoner is not game.grounder
        """Whether there is a net."""
        self._said = lru_cache(maxsize=1 << 10)(self._reasoner.consequences)
        """The consequences of the last states, because play continues from them."""

    def ask(self, facts: Facts) -> tuple[Answer, Options]:
        """The answer and the turns for a state."""
        said = self._said(facts)
        if self._whole_turns:
            options: Options = self._turns(facts, said)
        else:
            options = _plies_of(said)
        legal = {role: frozenset(said.playable(role)) for role in said.legal}
        placed = tuple(fact for fact in facts if self.game.vocabulary.piece(fact))
        turns = None if isinstance(options, JointMoves) else frozenset(options)
        mover = said.to_move or ""
        answer = Answer(facts, placed, mover, said.terminal, said.goals, legal, turns)
        return answer, options

    def answer(self, question: Question, after: Facts | None = None) -> tuple[Answer, Options]:
        """The answer to a question with chance and percepts, and the turns.

        ``after`` is the state to answer about, if it is known.
        """
        *plies, last = question.plies or [""]
        hidden, sees = self.game.hidden, None if self.game.hidden else EVERYTHING
        if last and (hidden or after is None):
            before = self.play(question.facts, tuple(plies))
            sees = self._percepts(before, last) if hidden else sees
            after = self.play(before, (last,)) if after is None else after
        answer, options = self.ask(question.facts if after is None else after)
        if self.game.chance and not answer.terminal:
            rolls = self.game.state(answer.facts or ()).chance
            answer = replace(answer, chance=frozenset(f"{move.term} {p}" for move, p in rolls))
        return replace(answer, sees=sees), options

    def _percepts(self, before: Facts, ply: str) -> frozenset[str]:
        """What a ply shows to the roles, by the net if there is one."""
        joint = _joint(self._said(before), ply)
        net = net_of_views(self.game.initial) if self.fast else None
        if net is not None and net.tables.row(before) is not None:
            seen: Mapping[str, tuple[str, ...]] = net.seen(before, joint)
        else:
            seen = self.game.grounder.percepts(before, joint)
        players = self.game.players
        return frozenset(f"sees({role},{each})" for role in players for each in seen[role])

    def play(self, facts: Facts, turn: Turn) -> Facts:
        """The state after a turn, which must be legal."""
        for ply in turn:
            facts = self._reasoner.successor(facts, _joint(self._said(facts), ply))
        return facts

    def is_draw_by_rule(self, facts: Facts) -> bool:
        """Whether a draw ends the game, although the side on move could go on."""
        said = self._said(facts)
        if not said.terminal or len(set(said.values.values())) > 1 or len(said.legal) < 2:
            return False
        return bool(said.legal.get(said.to_move or "", ()))

    def label(self, turn: Turn) -> str:
        """The label of a turn."""
        return self._label(turn) if self._whole_turns else turn[0]

    @cached_property
    def single(self) -> bool:
        """Whether all plies are whole turns, by the first plies of a random game.

        With hidden information, an attempt may fail now and then, and the side tries again.
        """
        if self.game.hidden:
            return False
        state, random = self.game.initial, Random(1)
        for _ in range(_SAMPLE_PLIES):
            if not all(state.legal.values()) or not state.legal_moves:
                return True
            before, state = state, state.play(random.choice(state.legal_moves))
            if state.to_move == before.to_move and not state.is_terminal:
                return False
        return True

    def _turns(self, facts: Facts, said: Consequences) -> dict[str, Turn]:
        """The turns of a state, each with all plies until another side is on move."""
        if self.single:
            return {self._label((ply,)): (ply,) for ply in self._plies(said)}
        found: dict[str, Turn] = {}
        begun: list[tuple[Turn, Facts, Consequences]] = [((), facts, said)]
        while begun:
            going = []
            for turn, before, said in begun:
                # A shot that ends a turn shows that all shots do, so most need not be played. First
                # plies of a turn, and others of their kind, may differ: some capture and go on.
                plies, ends = self._plies(said), False
                for number, ply in enumerate(plies):
                    if number and ends and turn and _kind(ply) != _kind(turn[0]):
                        found[self._label((*turn, ply))] = (*turn, ply)
                        continue
                    after = self._reasoner.successor(before, _joint(said, ply))
                    then = self._said(after)
                    ends = ends if number else then.to_move != said.to_move
                    if then.to_move == said.to_move and not then.terminal:
                        going.append(((*turn, ply), after, then))
                    else:
                        found[self._label((*turn, ply))] = (*turn, ply)
            begun = going
        return found

    def _plies(self, said: Consequences) -> tuple[str, ...]:
        mover, *others = said.movers
        if others and not said.terminal:
            raise _no_turns(self.game)
        if not all(map(said.playable, said.legal)):
            return ()  # a waiting role has no move, so play can't continue
        return said.playable(mover)


def refuse_unless_two_sides(game: Game) -> None:
    """Raise ``BadRequest`` for a game that engines of whole turns can't play."""
    start = game.initial
    if len(game.players) != 2 or (len(start.consequences.movers) > 1 and not start.is_terminal):
        raise _no_turns(game)


def _no_turns(game: Game) -> BadRequest:
    return BadRequest(
        f"{game.name} is not played by two sides in turn, and such an engine knows no other games"
    )


def _plies_of(said: Consequences) -> Options:
    """The single plies: moves, or joint moves if several roles choose."""
    if not all(map(said.playable, said.legal)):
        return {}  # a waiting role has no move, so play can't continue
    movers = said.movers
    if len(movers) > 1:
        return JointMoves({role: said.playable(role) for role in movers})
    return {ply: (ply,) for ply in said.playable(movers[0])}


def _kind(ply: str) -> str:
    return ply.partition("(")[0]


def _joint(said: Consequences, ply: str) -> dict[str, str]:
    waiting = {role: moves[0] for role, moves in said.legal.items()}
    return waiting | (parse_joint(ply) if is_joint(ply) else {said.movers[0]: ply})


def _choose_reasoner(game: Game, reasoner: str | None) -> Reasoner:
    """The net of all positions of a game, or clingo's grounder if the net would be too large.

    Raises ``RulesError`` and ``LimitReached`` if ``reasoner`` is ``"propnet"``.
    """
    if reasoner == "grounder":
        return game.grounder
    from ...propnet.net_reasoner import NetReasoner  # clingo is loaded only if necessary

    try:
        most = MOST_RULES if reasoner else MOST_RULES_UNASKED
        fluents = game.vocabulary.base.union(game.initial.facts)
        return NetReasoner(game.rules, fluents, most, None if reasoner else game.grounder)
    except (RulesError, LimitReached):
        if reasoner == "propnet":
            raise
        return game.grounder


class OwnEngine(Engine):
    """One of our reasoners; the rules' side uses the other one."""

    whole_turns = False
    plays_on = False

    def __init__(self, name: str, timeout: float = 10.0) -> None:
        """``name`` is ``"grounder"`` or ``"propnet"``; ``timeout`` is for each perft [s]."""
        self.name = name
        self._timeout = timeout
        self._rules: dict[Game, Reference] = {}

    def check(self, game: Game) -> None:
        """Prepare the reasoner. Raises ``RulesError`` and ``LimitReached``."""
        if game not in self._rules:
            self._rules[game] = Reference(game, whole_turns=False, reasoner=self.name)

    def answer(self, question: Question) -> Answer | Refusal:
        """Its answer; it also computes the successors by itself."""
        self.check(question.game)
        return self._rules[question.game].answer(question)[0]

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """Its perft, if that ends in time."""
        budget = Budget(self._timeout)
        try:
            return divide(question.state, depth, reasoner=self.name, budget=budget)
        except (RulesError, LimitReached):
            return None
