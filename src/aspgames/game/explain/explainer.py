"""Explains legal moves, the end of the game, goals and successors."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from ...asp.clingo_api import AST, Function, Symbol, Tuple_
from ...asp.clingo_c import parts_of
from ...asp.grounding import Query, parse_statements
from ...asp.node_details import declared_by
from ...asp.nodes import kind_of, name_of
from ...asp.rewrite.clauses import plain_rules
from ...asp.rewrite.failed_conditions import FailedCondition, failed_conditions
from ...asp.statements import DOES, TRUE, Literal, Rule, Signature, needed_rules, rule_of
from ...asp.symbols import known_symbol, parse_symbol
from ...asp.terms import Constants
from ...gdl.rulebook import RuleLine, line_of
from ...gdl.rules import Facts, Rules
from ...runtime.arguments import hint
from ..board import Vocabulary, square_name
from ..fluents import Fluents
from ..phrases import sentence
from .explanation import Explanation, Reason, merged
from .minimal_reasons import MinimalReasons, ReasonNode
from .relevant_rules import Relevant, RelevantRules

_WANTED: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2), ("next", 1))
_UNSETTLED = "as what the rules give isn't one value from 0 to 100, and the game goes on"
_REFUSED: Signature = ("refused", 2)
_SENTENCES: tuple[Signature, ...] = (("because", 3), ("otherwise", 3))
# The conditions are passed in as a joint move: pairs of a predicate below and a condition.
_CONDITIONS = """
holds(C) :- does(holds,C).
fails(C) :- does(fails,C).
never(C) :- does(never,C).
"""
_FREE = re.compile(r"\b(?:_+|_*[A-Z]\w*)\b")  # variables without a value
_MOST_GENERAL = 3  # general sentences in place of one condition; with more, the condition is shown


Said = tuple[Mapping[Symbol, Sequence[str]], Mapping[Symbol, Sequence[str]]]
"""Sentences by conditions, and general sentences, for conditions that would have none."""


class Reasons:
    """Makes the reasons of one explanation."""

    def __init__(
        self, explainer: "Explainer", said: Said, standing: Mapping[str, Sequence[str]]
    ) -> None:
        """``standing`` has the state's facts by the things that they settle."""
        self._explainer, self._standing = explainer, standing
        self._sentences, self._general_ones = said
        self._given: set[ReasonNode] = set()
        self._generally_said: dict[ReasonNode, tuple[Reason, ...]] = {}

    def of(self, nodes: Iterable[ReasonNode]) -> tuple[Reason, ...]:
        """The reasons for some atoms."""
        found: list[Reason] = []
        for node in nodes:
            found += self._say(node, ()) if node.atom in self._sentences else self._below(node)
        return merged(found)

    def _below(self, node: ReasonNode, covered: bool = False) -> Iterator[Reason]:
        """The reasons for an atom, each once; with ``covered`` only those with sentences."""
        asked: dict[ReasonNode, list[AST]] = {}
        for ground in node.grounds:
            for condition in ground.conditions:
                asked.setdefault(condition, []).append(ground.rule)
        for condition, rules in asked.items():
            if condition in self._given:
                continue
            self._given.add(condition)
            if condition.atom in self._sentences:
                yield from self._say(condition, rules)
            elif any(part.atom in self._sentences for part in condition.parts()):
                yield from self._below(condition, covered)
            elif not covered:
                yield from self._generally(condition, rules) or [self._plainly(condition, rules)]

    def _plainly(self, node: ReasonNode, rules: Sequence[AST]) -> Reason:
        return self._reason(node, "", rules, merged(self._below(node)))

    def _generally(self, node: ReasonNode, rules: Sequence[AST]) -> tuple[Reason, ...]:
        """A few reasons with general sentences, for a condition or for those below; else none."""
        if texts := self._general_ones.get(node.atom):
            return tuple(self._reason(node, text, rules, ()) for text in texts)
        if node not in self._generally_said:
            pairs = [(below, [g.rule]) for g in node.grounds for below in g.conditions]
            found = [self._generally(*pair) for pair in pairs]
            if any(found):
                each = zip(pairs, found, strict=True)
                said = merged(chain(*(some or (self._plainly(*pair),) for pair, some in each)))
            self._generally_said[node] = said if any(found) and len(said) <= _MOST_GENERAL else ()
        return self._generally_said[node]

    def _say(self, node: ReasonNode, rules: Sequence[AST]) -> Iterator[Reason]:
        because = merged(self._below(node, covered=True))
        for text in self._sentences[node.atom]:
            yield self._reason(node, text, rules, because)

    def _reason(
        self, node: ReasonNode, sentence: str, rules: Sequence[AST], because: tuple[Reason, ...]
    ) -> Reason:
        facts, absent = set[str](), set[str]()
        for part in node.parts():
            if fluent := part.fluent:
                present = fluent if part.holds else self._excluded_by(fluent)
                (facts if present else absent).add(present or fluent)
        piece = self._explainer.vocabulary.piece
        return Reason(
            condition=node.text,
            holds=node.holds,
            value=node.value,
            sentence=sentence,
            lines=self._explainer.lines(rules),
            facts=tuple(sorted(facts)),
            absent=tuple(sorted(absent)),
            empty=tuple(
                (fluent, square_name(placed[0]))
                for fluent in sorted(absent)
                if not self._instead(fluent) and (placed := piece(fluent))
            ),
            instead=tuple((f, other) for f in sorted(absent) if (other := self._instead(f))),
            because=because,
        )

    def _instead(self, fluent: str) -> str | None:
        """The fact in the place of an absent fluent, if there is one."""
        return next(iter(self._standing.get(self._explainer.thing(fluent), ())), None)

    def _excluded_by(self, fluent: str) -> str | None:
        """The fact that excludes an absent fluent, if there is one."""
        there = self._standing.get(self._explainer.thing(fluent), ())
        return next((fact for fact in there if self._explainer.excludes(fact, fluent)), None)


@dataclass(frozen=True)
class _Asked:
    """The rules grounded for atoms of one form in one state: see ``RelevantRules``."""

    facts: Facts
    bound: str
    does: Sequence[Symbol]
    relevant: Relevant
    minimal: MinimalReasons
    standing: Mapping[str, Sequence[str]]
    """The facts by the things that they settle."""

    def alike(self, atom: Symbol) -> list[Symbol]:
        """The possible atoms with the same bound arguments."""
        heads = {instance.head for instance in self.relevant.instances} | self.relevant.holding
        found = (head for head in heads if head.match(atom.name, len(self.bound)))
        return sorted(head for head in found if _agrees(head, atom, self.bound))


class Explainer:
    """Explains the states of one game."""

    def __init__(self, rules: Rules, vocabulary: Vocabulary) -> None:
        encoding, constants = rules.encoding, rules.constants
        self._encoding, self._constants, self.vocabulary = encoding, constants, vocabulary
        self._fluents = Fluents(rules, vocabulary)
        self._excluded: dict[tuple[str, str], bool] = {}

    @cached_property
    def _rules(self) -> RelevantRules:
        return RelevantRules(self._encoding.statements("base"), self._constants, _WANTED)

    def knows(self, move: str) -> bool:
        """Whether some rule for ``legal/2`` may derive a move."""
        return bool(self._rules_for(_atom("legal", self.vocabulary.roles[0], move), "fb"))

    def is_possible(self, moves: Iterable[str]) -> bool:
        """Whether one of some moves may be legal for some role in some position.

        Where the fluents are unknown, a move is possible if each of its arguments is.
        """
        if self._fluents.all is None:
            return any(self._fluents.moves.has(known_symbol(move)) for move in moves)
        atoms = [_atom("legal", role, move) for role in self.vocabulary.roles for move in moves]
        around = self._fluents.around(self.vocabulary.initial)
        relevant = self._rules(atoms, "bb", (), around)
        heads = {instance.head for instance in relevant.instances} | relevant.certain
        return any(relevant.is_hidden(atom) or atom in heads for atom in atoms)

    def legal(self, facts: Facts, role: str, claims: Mapping[str, str]) -> Iterator[Explanation]:
        """Why moves are legal for a role or aren't, apart from the end of the game.

        ``claims`` has each move with its claim. The rules are grounded once for all of them.
        """
        atoms = {_atom("legal", role, move): claim for move, claim in claims.items()}
        return self._explanations(facts, atoms, "bb") if atoms else iter(())

    def terminal(self, facts: Facts, claim: str) -> Explanation:
        """Why the game is over, or isn't."""
        return next(self._explanations(facts, {_atom("terminal"): claim}, ""))

    def goal(self, facts: Facts, claim: str, role: str, value: int) -> Explanation:
        """Why a role has its value; for the value 0, perhaps why the rules derive none."""
        return next(self._explanations(facts, {_atom("goal", role, str(value)): claim}, "bf"))

    def next(self, facts: Facts, claim: str, joint: Mapping[str, str], fluent: str) -> Explanation:
        """Why a fluent holds or doesn't after a joint move."""
        does = [Tuple_([known_symbol(r), known_symbol(m)]) for r, m in joint.items()]
        return next(self._explanations(facts, {_atom("next", fluent): claim}, "b", does))

    def _explanations(
        self, facts: Facts, claims: Mapping[Symbol, str], bound: str, does: Sequence[Symbol] = ()
    ) -> Iterator[Explanation]:
        """Why some atoms hold or don't; see ``RelevantRules`` for ``bound`` and ``does``."""
        relevant = self._rules(list(claims), bound, facts, self._fluents.around(facts), does)
        given = {_atom("true", fact) for fact in facts}
        given |= {Function("does", pair.arguments) for pair in does}
        minimal = MinimalReasons(relevant, given, self.thing)
        standing: dict[str, list[str]] = {}
        for fact in facts:
            standing.setdefault(self.thing(fact), []).append(fact)
        asked = _Asked(facts, bound, does, relevant, minimal, standing)
        return (self._explanation(asked, atom, claim) for atom, claim in claims.items())

    def _explanation(self, asked: "_Asked", atom: Symbol, claim: str) -> Explanation:
        """Why an atom holds or doesn't.

        If an atom with free arguments fails, why all atoms of its form fail.
        """
        relevant, nodes = asked.relevant, asked.minimal([atom])
        if "f" in asked.bound:
            others = asked.minimal(asked.alike(atom) or [atom])
            holding = tuple(node for node in others if node.holds)
            if not holding:
                nodes = others
            elif [node.atom for node in holding] != [atom]:
                nodes, claim = holding, f"{claim}, {_UNSETTLED}"
        found = dict.fromkeys(part for node in nodes for part in node.parts())
        hidden = any(relevant.is_hidden(part.atom) for part in found)
        always = not hidden and not any(part.fluent for part in found)
        never = always and not any(n.holds for n in nodes) and self._fluents.are_known
        unknown = self._unknown((atom.name, len(atom.arguments))) if never else ""
        if unknown:
            reason = Reason(
                str(atom), False, "", unknown, self.lines(self._rules_for(atom, asked.bound))
            )
            return Explanation(claim, str(atom), False, never, (reason,))
        stated = [("holds" if part.holds else "fails", part.atom) for part in found]
        stated += [("never", atom)] if never else []
        reasons = Reasons(self, self._said(asked.facts, stated), asked.standing)
        return Explanation(
            claim=claim,
            condition=str(atom),
            holds=nodes[0].holds and len(nodes) == 1 and nodes[0].atom == atom,
            never=never,
            reasons=reasons.of(nodes)
            or (() if nodes[0].holds else self._failed(asked, atom, never))
            or (self._at_once(atom, asked.bound, nodes[0].holds, hidden),),
            whole=not hidden,
        )

    def _failed(self, asked: "_Asked", atom: Symbol, never: bool) -> tuple[Reason, ...]:
        """The first condition of each rule that fails in a state; if it ``never`` holds, in all."""
        rules = self._rules_for(atom, asked.bound)
        true = [known_symbol(fact) for fact in asked.facts]
        base = self._encoding.statements("base")
        known = true, asked.does, self._rules.counts
        found = failed_conditions(rules, atom, asked.bound, base, self._constants, *known, never)
        return merged(self._failed_reason(asked.facts, atom, failed) for failed in found)

    def _failed_reason(self, facts: Facts, asked: Symbol, failed: FailedCondition) -> Reason:
        lines = self.lines([failed.rule])
        any_term = _FREE.sub('"_"', failed.text)
        some = f"_some({any_term})" if any_term != failed.text else failed.text
        atom = parse_symbol(some)
        reason = Reason(failed.text, failed.holds, failed.value, lines=lines)
        if atom is not None:
            because, general = self._said(facts, [("holds" if failed.holds else "fails", atom)])
            texts = because.get(atom) or general.get(atom)
            return replace(reason, value="", sentence=texts[0]) if texts else reason
        comment = lines[0].comment
        if comment and asked.arguments and failed.text.startswith(f"{asked.arguments[-1]} = "):
            # The rule is about other moves, and its comment says which.
            return replace(reason, value="", sentence=f"the rule is: {comment}")
        return reason

    @cached_property
    def _sentences(self) -> Query | None:
        """Asks for the sentences of conditions; None if the game has none."""
        encoding = self._encoding
        if not encoding.sentences and "why" not in encoding.parts:
            return None
        rules = encoding.statements("base", "board", "why")
        every = [*rules, *encoding.sentences, *parse_statements(_CONDITIONS)]
        return Query(every, self._constants, _SENTENCES)

    def _said(self, facts: Facts, stated: Iterable[tuple[str, Symbol]]) -> Said:
        """The sentences for some conditions, each given with ``holds``, ``fails`` or ``never``.

        Raises ``RulesError`` for a sentence whose arguments don't fit.
        """
        found: tuple[dict[Symbol, list[str]], dict[Symbol, list[str]]] = {}, {}
        if self._sentences is not None:
            does = [Tuple_([Function(word), atom]) for word, atom in stated]
            atoms = self._sentences([known_symbol(fact) for fact in facts], does)
            for kind, texts in zip(_SENTENCES, found, strict=True):
                for symbol in sorted(atoms[kind]):
                    texts.setdefault(symbol.arguments[0], []).append(sentence(symbol))
        return found

    def _at_once(self, atom: Symbol, bound: str, holds: bool, hidden: bool) -> Reason:
        """The reason if nothing in the state is one: the rules."""
        if hidden:
            stated = "one of these rules applies" if holds else "none of these rules applies"
        else:
            stated = "it is so in every position" if holds else "no rule applies"
        return Reason(str(atom), holds, "", stated, self.lines(self._rules_for(atom, bound)))

    def lines(self, rules: Iterable[AST]) -> tuple[RuleLine, ...]:
        """Rules as their files show them, each once."""
        return tuple(dict.fromkeys(line_of(self._encoding, rule) for rule in rules))

    def _rules_for(self, atom: Symbol, bound: str) -> list[AST]:
        heads = ((rule.head, rule.statement) for rule in self._plain)
        return [s for head, s in heads if head and _is_like(head, atom, bound, self._constants)]

    @cached_property
    def _plain(self) -> list[Rule]:
        """The statements of the base part, without pools and intervals."""
        statements = self._encoding.statements("base")
        return [rule_of(plain) for statement in statements for plain in plain_rules(statement)]

    def _unknown(self, wanted: Signature) -> str:
        """A message about an undefined predicate on which the wanted one depends; else empty."""
        rules = [rule_of(statement) for statement in self._encoding.statements("base")]
        defined = {TRUE, DOES, *declared_by(rules)}.union(*(rule.heads for rule in rules))
        for rule in needed_rules(rules, [wanted]):
            for name, arity in sorted(rule.body - defined):
                place = line_of(self._encoding, rule.statement).place
                meant = hint(name, {other for other, _ in defined})
                return f"no rule defines {name}/{arity}, which {place} asks for{meant}"
        return ""

    def excludes(self, fact: str, other: str) -> bool:
        """Whether no position has both of two fluents."""
        key = min(fact, other), max(fact, other)
        if key not in self._excluded:
            alone = self._refused(fact) | self._refused(other)
            self._excluded[key] = bool(self._refused(fact, other) - alone)
        return self._excluded[key]

    def _refused(self, *facts: str) -> set[Symbol]:
        return set(self._refusals([known_symbol(fact) for fact in facts])[_REFUSED])

    @cached_property
    def _refusals(self) -> Query:
        statements = self._encoding.statements("base", "board", "position")
        return Query(statements, self._constants, (_REFUSED,))

    def thing(self, fluent: str) -> str:
        """The thing in a state that decides whether a fluent holds: a square, a field, itself."""
        board = self.vocabulary.board
        placed = board.placement(fluent) if board else None
        if board and placed and placed[1] in (*board.glyphs, *board.empty):
            return square_name(placed[0])
        if board and (field := board.field_texts.get(fluent)):
            return f"field {field[0]}"
        return fluent


def _is_like(head: Literal, atom: Symbol, bound: str, constants: Constants) -> bool:
    """Whether a rule may derive an atom, judged by its bound arguments."""
    if (atom.name, len(atom.arguments)) not in head.signatures:
        return False
    return head.sign is None or all(
        _may_be(argument.node, given, constants)
        for argument, given, is_bound in zip(head.arguments, atom.arguments, bound, strict=True)
        if is_bound == "b"
    )


def _may_be(term: AST, given: Symbol, constants: Constants) -> bool:
    if kind_of(term) == "SymbolicTerm":
        name = str(term)
        return given == known_symbol(str(constants.get(name, name)))
    if kind_of(term) == "Function":
        parts = parts_of(term)
        return given.match(name_of(term), len(parts)) and all(
            _may_be(part, value, constants)
            for part, value in zip(parts, given.arguments, strict=True)
        )
    return True


def _agrees(one: Symbol, other: Symbol, bound: str) -> bool:
    """Whether two atoms of a predicate have the same bound arguments."""
    pairs = zip(one.arguments, other.arguments, bound, strict=True)
    return all(a == b for a, b, is_bound in pairs if is_bound == "b")


def _atom(name: str, *arguments: str) -> Symbol:
    return Function(name, [known_symbol(argument) for argument in arguments])
