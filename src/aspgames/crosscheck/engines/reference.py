"""Our side of a cross-check: the rules' answers for many positions at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from random import Random
from typing import Protocol, TypeVar

from ...game.game import Game
from ...game.notation.joint_moves import is_joint, parse_joint
from ...gdl.reasoner import Consequences, Facts, Reasoner
from ...play.perft import divide
from ...runtime.budget import MOST_RULES, MOST_RULES_UNASKED, Budget
from ...runtime.errors import BadRequest, LimitReached, RulesError
from .engine import Answer, Engine, Question, Refusal, Turn
from .turn_labels import JointMoves, Options, label_of

T = TypeVar("T")

_Step = tuple[int, Turn, Facts, Consequences]
"""A state's place in a list, the plies of a turn, the state after them, and its consequences."""

_SAMPLED = 40  # plies

_Joints = Sequence[Mapping[str, str]]


class _Reasoners(Protocol):
    """A reasoner for lists of states, such as ``BatchReasoner``."""

    def consequences(self, states: Sequence[Facts]) -> list[Consequences]: ...

    def successors(self, states: Sequence[Facts], joints: _Joints) -> list[Facts]: ...


class _OneByOne:
    """Lists of states for a reasoner of single states."""

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner

    def consequences(self, states: Sequence[Facts]) -> list[Consequences]:
        return [self._reasoner.consequences(facts) for facts in states]

    def successors(self, states: Sequence[Facts], joints: _Joints) -> list[Facts]:
        return [self._reasoner.successor(f, j) for f, j in zip(states, joints, strict=True)]


class _WithFallback:
    """A net that grows for positions with new fluents; a fallback if it gets too large."""

    def __init__(self, net: _Reasoners, fallback: _Reasoners) -> None:
        self._current, self._fallback = net, fallback

    def consequences(self, states: Sequence[Facts]) -> list[Consequences]:
        return self._ask(lambda reasoners: reasoners.consequences(states))

    def successors(self, states: Sequence[Facts], joints: _Joints) -> list[Facts]:
        return self._ask(lambda reasoners: reasoners.successors(states, joints))

    def _ask(self, question: Callable[[_Reasoners], list[T]]) -> list[T]:
        try:
            return question(self._current)
        except LimitReached:
            self._current = self._fallback
            return question(self._current)


class Reference:
    """The rules of a game as an engine would answer them, by plies or by whole turns."""

    def __init__(self, game: Game, whole_turns: bool, reasoner: str | None = None) -> None:
        """``reasoner`` is as for ``perft``."""
        self.game = game
        self._label = lru_cache(maxsize=1 << 16)(partial(label_of, game))
        self._whole_turns = whole_turns
        self._reasoners = _choose_reasoners(game, reasoner)
        self.fast = not isinstance(self._reasoners, _OneByOne)
        """Whether many states take hardly longer than one."""
        self._said: dict[Facts, Consequences] = {}
        """The consequences of the last states, because play continues from them."""

    def ask(self, states: Sequence[Facts]) -> list[tuple[Answer, Options]]:
        """The answer and the turns for each state."""
        found = self._reasoners.consequences(states)
        self._said = dict(zip(states, found, strict=True))
        options = self._options(states, found)
        return [
            (self._answer(facts, said, playable), playable)
            for facts, said, playable in zip(states, found, options, strict=True)
        ]

    def play(self, states: Sequence[Facts], turns: Sequence[Turn]) -> list[Facts]:
        """The state after each state's turn, which must be legal there."""
        after = list(states)
        for ply in range(max(map(len, turns), default=0)):
            going = [place for place, turn in enumerate(turns) if len(turn) > ply]
            now = [after[place] for place in going]
            asked = [facts for facts in now if facts not in self._said]
            known = self._said | dict(zip(asked, self._reasoners.consequences(asked), strict=True))
            said = [known[facts] for facts in now]
            joints = [_joint(s, turns[p][ply]) for s, p in zip(said, going, strict=True)]
            for place, facts in zip(going, self._reasoners.successors(now, joints), strict=True):
                after[place] = facts
        return after

    def label(self, turn: Turn) -> str:
        """The label of a turn."""
        return self._label(turn) if self._whole_turns else turn[0]

    def _answer(self, facts: Facts, said: Consequences, options: Options) -> Answer:
        legal = {role: frozenset(said.playable(role)) for role in said.legal}
        placed = tuple(fact for fact in facts if self.game.vocabulary.piece(fact))
        turns = None if isinstance(options, JointMoves) else frozenset(options)
        return Answer(facts, placed, said.to_move or "", said.terminal, said.goals, legal, turns)

    def _options(self, states: Sequence[Facts], found: Sequence[Consequences]) -> list[Options]:
        if not self._whole_turns:
            return [_plies_of(said) for said in found]
        plies = [self._plies(said) for said in found]
        if self.single:
            return [{self._label((ply,)): (ply,) for ply in playable} for playable in plies]
        return self._whole(states, found)

    @cached_property
    def single(self) -> bool:
        """Whether all plies are whole turns, by the first plies of a random game."""
        state, random = self.game.initial, Random(1)
        for _ in range(_SAMPLED):
            if not all(state.legal.values()) or not state.legal_moves:
                return True
            before, state = state, state.play(random.choice(state.legal_moves))
            if state.to_move == before.to_move and not state.is_terminal:
                return False
        return True

    def _whole(self, states: Sequence[Facts], found: Sequence[Consequences]) -> list[Options]:
        """The turns of states, each with all plies until another side is on move."""
        whole: list[dict[str, Turn]] = [{} for _ in states]
        begun = [
            (place, Turn(), s, said)
            for (place, s), said in zip(enumerate(states), found, strict=True)
        ]
        while begun:
            # A shot that ends a turn shows that all shots do, so most need not be played. First
            # plies of a turn, and others of their kind, may differ: some capture and go on.
            begun = [b for b in begun if self._plies(b[3])]
            probes = self._after([(b, self._plies(b[3])[0]) for b in begun])
            going = []
            for step, probe in zip(begun, probes, strict=True):
                place, turn, _, said = step
                for ply in self._plies(said):
                    first = not turn or _kind(ply) == _kind(turn[0])
                    if first or probe[3].to_move == said.to_move:
                        going.append((step, ply))
                    else:
                        whole[place][self._label((*turn, ply))] = (*turn, ply)
            begun = []
            for ((place, _, _, before), _), step in zip(going, self._after(going), strict=True):
                if step[3].to_move == before.to_move and not step[3].terminal:
                    begun.append(step)
                else:
                    whole[place][self._label(step[1])] = step[1]
        return list(whole)

    def _after(self, steps: Sequence[tuple[_Step, str]]) -> list[_Step]:
        states = [facts for (_, _, facts, _), _ in steps]
        after = self._reasoners.successors(states, [_joint(step[3], ply) for step, ply in steps])
        said = self._reasoners.consequences(after)
        return [
            (place, (*turn, ply), facts, then)
            for ((place, turn, _, _), ply), facts, then in zip(steps, after, said, strict=True)
        ]

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
    if len(game.roles) != 2 or (len(start.consequences.movers) > 1 and not start.is_terminal):
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


def _choose_reasoners(game: Game, reasoner: str | None) -> _Reasoners:
    """The net of all positions of a game, or clingo's grounder if the net would be too large.

    Raises ``RulesError`` and ``LimitReached`` if ``reasoner`` is ``"propnet"``.
    """
    from ...propnet.batch_reasoner import BatchReasoner  # numpy is loaded only if necessary

    if reasoner != "grounder":
        try:
            most = MOST_RULES if reasoner else MOST_RULES_UNASKED
            fluents = game.vocabulary.base.union(game.initial.facts)
            found = BatchReasoner(game.rules, fluents, most)
        except (RulesError, LimitReached):
            if reasoner == "propnet":
                raise
        else:
            return found if reasoner else _WithFallback(found, _OneByOne(game.reasoner))
    return _OneByOne(game.reasoner)


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

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """Its answers; it also computes the successors by itself."""
        if not questions:
            return
        self.check(questions[0].game)
        rules = self._rules[questions[0].game]
        plies = [tuple(question.plies) for question in questions]
        after = rules.play([question.facts for question in questions], plies)
        yield from (answer for answer, _ in rules.ask(after))

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """Its perft, if that ends in time."""
        budget = Budget(self._timeout)
        try:
            return divide(question.state, depth, reasoner=self.name, budget=budget)
        except (RulesError, LimitReached):
            return None
