"""Which predicates depend on which, and on their own negations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from .statements import Argument, Literal, Rule, Signature, constants_of


class Dependencies:
    """Which predicates depend on which."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._uses: dict[Signature, set[Signature]] = {}
        for rule in rules:
            for head in rule.heads:
                self._uses.setdefault(head, set()).update(rule.body)
        self._found: dict[Signature, set[Signature]] = {}

    def reaches(self, start: Signature, end: Signature) -> bool:
        """Whether ``start`` is ``end`` or depends on it."""
        found = self._found.get(start)
        if found is None:
            found = self._found[start] = {start}
            left = [start]
            while left:
                more = self._uses.get(left.pop(), set()) - found
                found |= more
                left.extend(more)
        return end in found


def unstratified(rules: Sequence[Rule]) -> Iterator[tuple[Rule, Signature]]:
    """The rules with a negated predicate that depends on the predicate of the rule's head.

    ``goal(robot,100) :- not goal(robot,0).`` is stratified if 0 does not depend on 100: atoms that
    don't unify count as different.
    """
    below = Dependencies(rules)
    named = constants_of(rules)
    by_head: dict[Signature, list[Rule]] = {}
    for rule in rules:
        for head in rule.heads:
            by_head.setdefault(head, []).append(rule)
    for rule in rules:
        for literal in rule.literals:
            for signature in literal.signatures if literal.sign else ():
                if any(below.reaches(signature, head) for head in rule.heads) and _rests_on(
                    literal, rule, by_head, named
                ):
                    yield rule, signature


def _rests_on(
    literal: Literal, rule: Rule, by_head: Mapping[Signature, Sequence[Rule]], named: Set[str]
) -> bool:
    """Whether the atoms of a literal may depend on the atoms that a rule derives.

    ``named`` are the constants that have a definition.
    """
    seen, left = set[Rule](), [literal]
    while left:
        asked = left.pop()
        for signature in asked.signatures:
            for other in by_head.get(signature, ()):
                if other not in seen and _may_be(asked, other.head, named):
                    if other is rule:
                        return True
                    seen.add(other)
                    left += other.literals
    return False


def _may_be(asked: Literal, head: Literal | None, named: Set[str]) -> bool:
    if asked.sign is None or head is None or head.sign is None:
        return True
    pairs = zip(asked.arguments, head.arguments, strict=True)
    return all(_may_be_the_same(one, other, named) for one, other in pairs)


def _may_be_the_same(one: Argument, other: Argument, named: Set[str]) -> bool:
    if {one.constant, other.constant} & named:
        return True
    if one.constant and other.constant:
        return one.constant == other.constant
    if one.function and other.function:
        return one.function == other.function and all(
            _may_be_the_same(*pair, named) for pair in zip(one.parts, other.parts, strict=True)
        )
    return not ((one.function and other.constant) or (one.constant and other.function))
