"""Proofs that rules have a symmetry.

The rules are a circuit whose inputs are the fluents and moves. A proof compares the circuit with a
copy whose inputs are renamed by the symmetry, and merges gates that have the same inputs. If each
output and its image are one gate, the rules have the symmetry. If not, nothing is known: two
different circuits may compute the same function.

Recursive atoms start as equal and are split until no definition tells them apart (the coarsest
stable partition). Atoms that are still equal then are equal in the least fixpoint.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ..gdl.rules import Facts, Rules
from ..propnet.circuit import FALSE, TRUE, Circuit, Outputs
from ..propnet.net import Net
from ..runtime.errors import BadPosition, LimitReached, RulesError
from .board import Vocabulary
from .symmetry import Symmetry, candidates

_MOST_ROUNDS = 200  # of splitting recursive atoms


class SymmetryProofs:
    """The proven symmetries of one game. Results are kept in the cache."""

    def __init__(self, rules: Rules, vocabulary: Vocabulary) -> None:
        self._rules, self._vocabulary = rules, vocabulary
        self._fluents = {*vocabulary.base, *vocabulary.initial}

    def difference(self, symmetry: Symmetry, facts: Facts = ()) -> str | None:
        """An atom and its image that may differ; None if the symmetry is proven.

        The proof is about all reachable states, those of ``base/1``, and those with the facts.
        Raises ``RulesError`` if the rules have no net, ``LimitReached`` if it is too large.
        """
        if not self._fluents.issuperset(facts) and not self._reached.issuperset(facts):
            seen = {*facts}
            while more := {_image(symmetry, fluent) for fluent in seen} - seen:
                seen |= more
            return self._compared(frozenset(seen)).difference(symmetry)
        asked = f"symmetry: {symmetry.name}"
        found: str = self._rules.remembered(asked, lambda: self._whole.difference(symmetry) or "")
        return found or None

    def all(self) -> tuple[Symmetry, ...]:
        """The proven symmetries, closed under composition. Raises as ``difference`` does."""
        found: dict[Symmetry, None] = {}
        for symmetry in (several := list(candidates(self._vocabulary))):
            if symmetry in found or self.difference(symmetry) is not None:
                continue
            work = [symmetry]
            while work:
                new = work.pop()
                found[new] = None
                made = [*(new.then(old) for old in found), *(old.then(new) for old in found)]
                work += [each for each in dict.fromkeys(made) if each not in found]
        return tuple(symmetry for symmetry in several if symmetry in found)

    def permutations(
        self, facts: Facts, fluents: Sequence[str], certain: Collection[str], exchange: bool = False
    ) -> tuple[tuple[int, ...], ...]:
        """The symmetries that keep the roles, as permutations of numbered fluents.

        With ``exchange``, those that change the roles instead.

        ``fluents`` are those that play from a state with some facts can change; the ``certain``
        ones always hold. The identity is left out. Empty if no symmetry is proven.
        """
        numbers = {fluent: number for number, fluent in enumerate(fluents)}
        found = set[tuple[int, ...]]()
        try:
            for symmetry in self.all():
                keeps = symmetry.roles == self._vocabulary.roles
                if keeps == exchange or self.difference(symmetry, facts):
                    continue
                goes = tuple(numbers.get(symmetry.fluent(fluent), -1) for fluent in fluents)
                if sorted(goes) == sorted(numbers.values()) and set(certain) == set(
                    map(symmetry.fluent, certain)
                ):
                    found.add(goes)
        except (BadPosition, LimitReached, RulesError):  # some fluent has no image
            return ()
        return tuple(sorted(found - {tuple(range(len(fluents)))}))

    @cached_property
    def _reached(self) -> frozenset[str]:
        return frozenset(
            self._rules.remembered("fluents of symmetries", lambda: self._whole.fluents)
        )

    @cached_property
    def _whole(self) -> "_ComparedCircuit":
        return self._compared(frozenset())

    def _compared(self, facts: frozenset[str]) -> "_ComparedCircuit":
        return _ComparedCircuit(self._rules, self._fluents | facts)


class _ComparedCircuit:
    """A game's circuit, to be compared with its images."""

    def __init__(self, rules: Rules, fluents: Collection[str]) -> None:
        """For all states of some fluents, and all reachable states. Raises as ``Net`` does."""
        net = Net(rules, (), tuple(sorted(fluents)), closed=True)
        self._circuit, self._outputs = net.circuit, net.outputs
        self.fluents = frozenset({*fluents, *net.fluents, *net.outputs.next})
        """The fluents of these states."""

    def difference(self, symmetry: Symmetry) -> str | None:
        """An atom and its image that may differ; None if the symmetry is proven."""
        back = {_image(symmetry, fluent): fluent for fluent in self.fluents}
        if back.keys() != self.fluents:
            fluent = min(back.keys() - self.fluents)
            return f"true({back[fluent]}) and true({fluent})"
        does = self._circuit.does
        known = {*does, *self._outputs.legal}
        made = {(symmetry.role(role), symmetry.move(move)): (role, move) for role, move in known}
        if made.keys() != known:
            role, move = min(made.keys() - known)
            return "legal({},{}) and legal({},{})".format(*made[role, move], role, move)
        inputs = {node: fluent for fluent, node in self._circuit.true.items()}
        moves = {node: move for move, node in does.items()}
        here: dict[int, Any] = {**inputs, **moves}
        there: dict[int, Any] = {node: back[fluent] for node, fluent in inputs.items()}
        there |= {node: made[move] for node, move in moves.items()}
        labels = _Labels(self._circuit, (here, there))
        for atom, other, literals in _pairs(self._outputs, symmetry):
            if not labels.same(*literals):
                return f"{atom} and {other}"
        return None


def _pairs(outputs: Outputs, symmetry: Symmetry) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """The pairs to compare: an atom, its image, and their literals."""
    role, move, fluent = symmetry.role, symmetry.move, symmetry.fluent
    tables: list[tuple[str, Mapping[Any, int], Callable[..., Any]]] = [
        ("legal({},{})", outputs.legal, lambda r, m: (role(r), move(m))),
        ("next({})", {(f,): gate for f, gate in outputs.next.items()}, lambda f: (fluent(f),)),
        ("goal({},{})", outputs.goal, lambda r, value: (role(r), value)),
        ("to_move({})", {(r,): gate for r, gate in outputs.to_move.items()}, lambda r: (role(r),)),
    ]
    for form, literals, image in tables:
        for atom in sorted(literals):
            other = image(*atom)
            pair = literals[atom], literals.get(other, FALSE)
            yield form.format(*atom), form.format(*other), pair
    yield "terminal", "terminal", (outputs.terminal, outputs.terminal)


def _image(symmetry: Symmetry, fluent: str) -> str:
    """The image of a fluent; itself if the game has no such image."""
    try:
        return symmetry.fluent(fluent)
    except BadPosition:
        return fluent


class _Labels:
    """Labels for the nodes of a circuit, under two namings of its inputs.

    Nodes with the same label compute the same function.
    """

    def __init__(
        self, circuit: Circuit, namings: tuple[Mapping[int, Any], Mapping[int, Any]]
    ) -> None:
        self._circuit = circuit
        self._known: dict[Any, int] = {}
        definitions: dict[int, int] = {}
        for loop in circuit.loops:
            definitions |= dict(zip(loop.variables, loop.definitions, strict=True))
        classes = [dict.fromkeys(definitions, 0) for _ in namings]
        count = 0
        for _ in range(_MOST_ROUNDS):
            self._known = {}
            self._labels = [self._labels_of(*pair) for pair in zip(namings, classes, strict=True)]
            found: dict[Any, int] = {}
            classes = [
                {
                    v: found.setdefault((before[v], self._label(labels, d)), len(found))
                    for v, d in definitions.items()
                }
                for before, labels in zip(classes, self._labels, strict=True)
            ]
            if len(found) == count:
                return
            count = len(found)
        self._labels = [[0], [0]]  # too many rounds: nothing is proven

    def same(self, here: int, there: int) -> bool:
        """Whether two literals compute the same, the second one under the second naming."""
        first, second = self._labels
        return len(first) > 1 and self._label(first, here) == self._label(second, there)

    def _labels_of(self, naming: Mapping[int, Any], classes: Mapping[int, int]) -> list[int]:
        known, gates = self._known, self._circuit.gates
        labels = [0, known.setdefault("true", 1)]
        for node in range(TRUE + 1, self._circuit.size + 1):
            gate = gates.get(node)
            key: Any
            if gate is not None:
                key = tuple(sorted([labels[n] if n > 0 else -labels[-n] for n in gate]))
            elif node in classes:
                key = ("told", classes[node])
            else:
                key = ("input", naming.get(node, node))
            labels.append(known.setdefault(key, len(known) + 1))
        return labels

    @staticmethod
    def _label(labels: list[int], literal: int) -> int:
        return labels[literal] if literal > 0 else -labels[-literal]
