"""From a question about a state to its explanation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import clingo
from clingo import ast

from ..board import Vocabulary, placement, square_name
from ..encoding import Constants, Encoding
from ..errors import LimitReached
from ..grounding import Signature
from ..propnet.open_grounding import OpenProgram
from ..reasoner import Facts
from ..rulebook import line_of
from ..symbols import known_symbol
from .explanation import Explanation, Reason, merged
from .relevant import RelevantRules
from .sentences import Sentences
from .smallest import Node, explained

_WANTED: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))
_MOST_RULES = 200_000
_SYMBOLIC = ast.ASTType.SymbolicAtom


class Explainer:
    """Explains the states of one game: its rules and sentences, made ready."""

    def __init__(self, encoding: Encoding, constants: Constants, vocabulary: Vocabulary) -> None:
        self._encoding, self._constants, self._vocabulary = encoding, constants, vocabulary
        self._fluents = sorted(vocabulary.base)  # the same explanation in every process
        self._rules = RelevantRules(encoding.statements("base"), constants, _WANTED)
        self._sentences = Sentences(encoding, constants)

    def knows(self, move: str) -> bool:
        """Whether some rule for ``legal/2`` has a move of this name and as many arguments."""
        return bool(self._rules_for(_atom("legal", self._vocabulary.roles[0], move), "fb"))

    def legal(self, facts: Facts, claim: str, role: str, move: str) -> Explanation:
        """Why a move is legal for a role or isn't, whether or not the game is over."""
        return self._explanation(facts, claim, _atom("legal", role, move), "bb")

    def terminal(self, facts: Facts, claim: str) -> Explanation:
        """Why the game is over, or isn't."""
        return self._explanation(facts, claim, _atom("terminal"), "")

    def goal(self, facts: Facts, claim: str, role: str, value: int) -> Explanation:
        """Why a role has its value. One to which the rules give none has 0: why they don't."""
        return self._explanation(facts, claim, _atom("goal", role, str(value)), "bf")

    def _explanation(
        self, facts: Facts, claim: str, atom: clingo.Symbol, bound: str
    ) -> Explanation:
        """Why an atom holds or doesn't; see ``RelevantRules`` for ``bound``.

        Where an atom doesn't hold that is bound in part, why none like it holds.
        """
        relevant = self._rules(atom, bound, facts, self._possible(facts))
        settled = {self._thing(fact): fact for fact in facts}
        true = frozenset(map(known_symbol, facts))
        nodes = explained([atom], relevant, true, self._thing)
        if "f" in bound and not nodes[0].holds:
            heads = {instance.head for instance in relevant.instances}
            alike = sorted(head for head in heads if head.match(atom.name, len(atom.arguments)))
            nodes = explained(alike or [atom], relevant, true, self._thing)
        found = dict.fromkeys(part for node in nodes for part in node.parts())
        never = not any(node.holds for node in nodes) and not any(
            part.fluent or part.atom in relevant.opaque for part in found
        )
        said = [("holds" if part.holds else "fails", part.atom) for part in found]
        said += [("never", atom)] if never else []
        reasons = _Reasons(self._encoding, self._sentences(facts, said), settled, self._thing)
        return Explanation(
            claim=claim,
            condition=str(atom),
            holds=nodes[0].holds,
            never=never and bool(self._vocabulary.base) and relevant.complete,
            reasons=reasons.of(nodes) or (self._at_once(atom, bound, nodes[0].holds),),
        )

    def _possible(self, facts: Facts) -> Sequence[str]:
        """The fluents that may hold: those the encoding lists, or else that can be reached."""
        if not self._vocabulary.base and not set(facts) <= set(self._fluents):
            known = {*self._vocabulary.initial, *facts}
            program = OpenProgram(self._encoding.statements("base"), self._constants)
            try:
                rules = program.ground((), sorted(known), closed=True, most_rules=_MOST_RULES)
            except LimitReached:  # without end, such as a counter's: then those that there are
                return sorted(known)
            reached = {name[1] for name, _ in rules.shown if name[0] == "true"}
            self._fluents = sorted(reached | known)
        return self._fluents

    def _at_once(self, atom: clingo.Symbol, bound: str, holds: bool) -> Reason:
        """The reason where nothing in the state is one: the rules that there are."""
        lines = tuple(line_of(self._encoding, rule) for rule in self._rules_for(atom, bound))
        said = "it is so in every position" if holds else "no rule applies"
        return Reason(str(atom), holds, said, lines, (), (), ())

    def _rules_for(self, atom: clingo.Symbol, bound: str) -> list[ast.AST]:
        statements = self._encoding.statements("base")
        rules = (s for s in statements if s.ast_type is ast.ASTType.Rule)
        return [rule for rule in rules if _is_like(rule.head, atom, bound)]

    def _thing(self, fluent: str) -> str:
        """The thing in a state that settles whether a fluent holds."""
        board = self._vocabulary.board
        if board and (placed := placement(fluent)) and placed[1] in board.glyphs:
            return square_name(placed[0])
        if board and (field := board.field_texts.get(fluent)):
            return f"field {field[0]}"
        return fluent


class _Reasons:
    """Turns what was chosen into reasons: what has a sentence, or else rule by rule."""

    def __init__(
        self,
        encoding: Encoding,
        sentences: Mapping[clingo.Symbol, Sequence[str]],
        settled: Mapping[str, str],
        thing: Callable[[str], str],
    ) -> None:
        self._encoding = encoding
        self._sentences, self._settled, self._thing = sentences, settled, thing
        self._given: set[Node] = set()

    def of(self, nodes: Iterable[Node]) -> tuple[Reason, ...]:
        """The reasons for some atoms."""
        found: list[Reason] = []
        for node in nodes:
            found += self._told(node, ()) if node.atom in self._sentences else self._below(node)
        return merged(found)

    def _below(self, node: Node, covered: bool = False) -> Iterator[Reason]:
        """The reasons for an atom, each once; if it is covered, only those in sentences."""
        asked: dict[Node, list[ast.AST]] = {}
        for ground in node.grounds:
            for condition in ground.conditions:
                asked.setdefault(condition, []).append(ground.rule)
        for condition, rules in asked.items():
            if condition in self._given:
                continue
            self._given.add(condition)
            if condition.atom in self._sentences:
                yield from self._told(condition, rules)
            elif any(part.atom in self._sentences for part in condition.parts()):
                yield from self._below(condition, covered)
            elif not covered:
                yield self._reason(condition, "", rules, merged(self._below(condition)))

    def _told(self, node: Node, rules: Sequence[ast.AST]) -> Iterator[Reason]:
        because = merged(self._below(node, covered=True))
        for sentence in self._sentences[node.atom]:
            yield self._reason(node, sentence, rules, because)

    def _reason(
        self, node: Node, sentence: str, rules: Sequence[ast.AST], because: tuple[Reason, ...]
    ) -> Reason:
        facts, absent = set[str](), set[str]()
        for part in node.parts():
            if fluent := part.fluent:
                present = fluent if part.holds else self._settled.get(self._thing(fluent))
                (facts if present else absent).add(present or fluent)
        return Reason(
            condition=node.text,
            holds=node.holds,
            sentence=sentence,
            lines=tuple(dict.fromkeys(line_of(self._encoding, rule) for rule in rules)),
            facts=tuple(sorted(facts)),
            absent=tuple(sorted(absent)),
            because=because,
        )


def _is_like(head: ast.AST, atom: clingo.Symbol, bound: str) -> bool:
    """Whether a rule's head has an atom's predicate, and in what is bound its functions' names."""
    if head.ast_type is not ast.ASTType.Literal or head.atom.ast_type is not _SYMBOLIC:
        return False
    term = head.atom.symbol
    if term.ast_type is not ast.ASTType.Function or not atom.match(term.name, len(term.arguments)):
        return False
    arguments = zip(term.arguments, atom.arguments, bound, strict=True)
    return all(
        _may_be(argument, given) for argument, given, is_bound in arguments if is_bound == "b"
    )


def _may_be(term: ast.AST, given: clingo.Symbol) -> bool:
    if term.ast_type is ast.ASTType.SymbolicTerm:
        return bool(term.symbol == given)
    if term.ast_type is ast.ASTType.Function:
        return given.match(term.name, len(term.arguments))
    return True


def _atom(name: str, *arguments: str) -> clingo.Symbol:
    return clingo.Function(name, [known_symbol(argument) for argument in arguments])
