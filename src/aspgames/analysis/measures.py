"""Measures that bound play: weights of fluents, such that every step increases their sum.

The module guesses a measure from known steps, and clingo looks for a step that doesn't increase it.
Such a step is one more known step. If there is no such step, the measure is proved
(counterexample-guided synthesis of a ranking function; Floyd 1967, *Assigning Meanings to
Programs*).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..asp.clingo_api import SymbolType
from ..asp.literal_program import best_answer
from ..asp.symbols import known_symbol
from ..propnet.invariants import Group
from ..propnet.transitions import Transition, Transitions
from ..runtime.budget import Budget

_NUMBER = r"(?<=[(,])-?[0-9]+(?=[,)])"  # a number that is an argument, not part of a name
_ANY = "?"  # replaces a number; no fluent contains it except in strings
_MOST_STEPS = 300  # known steps for the first guess
_MOST_GUESSES = 200
_MOST_CORRECTIONS = 40  # of a counter
_MOST_FEATURES = 120
_DIGITS = 5  # of a number with a weight
_SECONDS = 2.0  # for clingo to simplify a guess

_Features = Callable[[str], Mapping[str, int]]
"""The features of a fluent, each with its multiplicity. Features get weights."""

_GUESS = """
1 { weight(I,V) : V = -most..most } 1 :- feature(I).
:- step(S), #sum { V*C,I : weight(I,V), adds(S,I,C) } < 1.
#minimize { |V|,I : weight(I,V) }.
#show weight/2.
"""


@dataclass(frozen=True)
class Measure:
    """A sum to which every step of play adds at least 1."""

    text: str
    """The reason why it increases, as a sentence."""
    weights: Mapping[str, int]
    """The weights of open fluents; others have weight 0."""

    @property
    def fits(self) -> bool:
        """Whether clingo can add the weights: its numbers have 32 bits."""
        return 2 * sum(map(abs, self.weights.values())) < 1 << 30

    def of(self, state: Iterable[str]) -> int:
        """The sum in a state."""
        return sum(self.weights.get(fluent, 0) for fluent in state)

    def highest(self, groups: Iterable[Group]) -> int:
        """An upper bound of the sum, if at most one fluent of each group holds."""
        left = {fluent: weight for fluent, weight in self.weights.items() if weight}
        total = 0

        def best(group: Group) -> int:
            weights = [self.weights.get(fluent, 0) for fluent in group.fluents]
            return max(weights) if group.exactly else max(0, *weights)

        def saved(group: Group) -> int:
            return sum(max(0, self.weights.get(f, 0)) for f in group.fluents) - best(group)

        for group in sorted(groups, key=saved, reverse=True):
            if saved(group) > 0 and all(
                f in left or not self.weights.get(f) for f in group.fluents
            ):
                total += best(group)
                for fluent in group.fluents:
                    left.pop(fluent, None)
        return total + sum(max(0, weight) for weight in left.values())


class Guesses:
    """Looks for measures of a game."""

    def __init__(
        self, transitions: Transitions, steps: Iterable[Transition], budget: Budget
    ) -> None:
        self._transitions, self._budget = transitions, budget
        self._steps = list(steps)

    def counters(self, groups: Iterable[Group]) -> Iterator[Measure]:
        """Groups in which exactly one fluent holds, and a replaced fluent never returns."""
        for group in groups:
            if group.exactly and (measure := self._counter(group)):
                yield measure

    def _counter(self, group: Group) -> Measure | None:
        edges: set[tuple[str, str]] = set()
        steps: Iterable[Transition] = self._steps
        for _ in range(_MOST_CORRECTIONS):
            for step in steps:
                before, after = (state & group.set for state in (step.before, step.after))
                edges |= {(one, other) for one in before for other in after}
            if not (levels := _levels(edges)):
                return None
            measure = Measure(
                f"every ply leads from one {_common(group.fluents)} to another, and never back",
                levels,
            )
            if not measure.fits:
                return None
            missed = self.fails(measure)
            if missed is None:
                return measure
            steps = [missed]
        return None

    def sums(self) -> Iterator[Measure]:
        """A sum with equal weights for similar fluents, if there is one."""
        for features, most in (_alike, 2), (_alike, 8), (_placed, 2), (_placed, 16):
            if measure := self._sum(features, most):
                yield measure
                return

    def _sum(self, features: _Features, most: int) -> Measure | None:
        of = {fluent: features(fluent) for fluent in self._transitions.fluents}
        names = list(dict.fromkeys(name for found in of.values() for name in found))
        if len(names) > _MOST_FEATURES:
            return None
        seen: dict[tuple[tuple[str, int], ...], None] = {}
        for step in self._steps:
            seen.setdefault(_added(step, of))
            if len(seen) == _MOST_STEPS:
                break
        for _ in range(_MOST_GUESSES):
            if (chosen := _weights(names, list(seen), most, self._budget)) is None:
                return None
            weights = {
                fluent: sum(chosen[name] * times for name, times in found.items())
                for fluent, found in of.items()
            }
            measure = Measure(_text(chosen), weights)
            if not measure.fits:
                return None
            missed = self.fails(measure)
            if missed is None:
                return measure
            seen[_added(missed, of)] = None
        return None

    def fails(self, measure: Measure) -> Transition | None:
        """A step that doesn't increase a measure, or None."""
        transitions = self._transitions
        weights = [(f, w) for f, w in measure.weights.items() if w]
        up = [(transitions.gained[f], w) for f, w in weights]
        down = [(transitions.lost[f], -w) for f, w in weights]
        with transitions.writing():
            grows = transitions.at_least(1, up + down)
        return transitions.example(transitions.by_move, *transitions.played, -grows)


def _levels(edges: Iterable[tuple[str, str]]) -> dict[str, int]:
    after: dict[str, set[str]] = {}
    entering: Counter[str] = Counter()
    for one, other in edges:
        after.setdefault(one, set()).add(other)
        entering[other] += 1
    levels = {node: 0 for node in after if not entering[node]}
    left = list(levels)
    while left:
        node = left.pop()
        for other in after.get(node, ()):
            levels[other] = max(levels.get(other, 0), levels[node] + 1)
            entering[other] -= 1
            if not entering[other]:
                left.append(other)
    return {} if any(entering.values()) else levels


def _added(step: Transition, of: Mapping[str, Mapping[str, int]]) -> tuple[tuple[str, int], ...]:
    total: Counter[str] = Counter()
    for sign, fluents in (1, step.after - step.before), (-1, step.before - step.after):
        for fluent in fluents:
            for name, times in of[fluent].items():
                total[name] += sign * times
    return tuple(sorted((name, times) for name, times in total.items() if times))


def _weights(
    names: Sequence[str], steps: Sequence[tuple[tuple[str, int], ...]], most: int, budget: Budget
) -> dict[str, int] | None:
    """Small weights with which each step increases the sum, or None."""
    budget.check()
    number = {name: place for place, name in enumerate(names)}
    facts = [f"feature(0..{len(names) - 1})."]
    for place, step in enumerate(steps):
        facts.append(f"step({place}).")
        facts += [f"adds({place},{number[name]},{times})." for name, times in step]
    clock = Budget(_SECONDS)

    def goes_on() -> bool:
        budget.check()
        return clock.seconds < _SECONDS

    best = best_answer(_GUESS + "".join(facts), options=[f"-cmost={most}"], goes_on=goes_on)
    if best is None:
        return None
    pairs = ([a.number for a in atom.arguments] for atom in best)
    return {names[place]: weight for place, weight in pairs}


def _alike(fluent: str) -> dict[str, int]:
    symbol = known_symbol(fluent)
    if symbol.type is not SymbolType.Function:
        return {fluent: 1}
    arguments = symbol.arguments
    wild = [_ANY] * len(arguments)
    found = {_term(symbol.name, wild): 1}
    for place, argument in enumerate(arguments):
        if argument.type is not SymbolType.Number:
            found[_term(symbol.name, [*wild[:place], str(argument), *wild[place + 1 :]])] = 1
    return found


def _placed(fluent: str) -> dict[str, int]:
    form = re.sub(_NUMBER, _ANY, fluent)
    found = {form: 1}
    for place, number in enumerate(re.findall(_NUMBER, fluent), 1):
        if len(number) <= _DIGITS:
            found[f"{form}#{place}"] = int(number)
    return found


def _term(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({','.join(arguments)})" if arguments else name


def _common(fluents: Sequence[str]) -> str:
    symbols = [known_symbol(fluent) for fluent in fluents]
    columns = zip(*(symbol.arguments for symbol in symbols), strict=True)
    arguments = [str(column[0]) if len(set(column)) == 1 else "_" for column in columns]
    return _term(symbols[0].name, arguments)


def _text(chosen: Mapping[str, int]) -> str:
    forms: dict[str, dict[int, int]] = {}
    for name, weight in chosen.items():
        form, _, place = name.partition("#")
        if weight:
            forms.setdefault(form, {})[int(place or 0)] = weight
    counts = []
    for form, weights in forms.items():
        letters = dict(zip((place for place in sorted(weights) if place), "NMLKJ", strict=False))
        parts = form.split(_ANY)
        named = parts[0] + "".join(
            letters.get(place, "_") + part for place, part in enumerate(parts[1:], 1)
        )
        products = [f"{weights[place]}*{letter}" for place, letter in letters.items()]
        products += [str(weights[0])] if 0 in weights else []
        counts.append(f"each {named} counts {'+'.join(products).replace('+-', '-')}")
    if not counts:
        return "nobody can ever move"
    return f"every ply adds to the sum in which {' and '.join(counts)}"
