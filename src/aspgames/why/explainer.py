"""From a question about a state to its explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import clingo
from clingo import ast

from ..board import Vocabulary, placement, square_name
from ..encoding import Constants, Encoding
from ..engine.open_grounding import OpenProgram
from ..errors import LimitReached
from ..grounding import Signature
from ..reasoner import Facts
from ..rulebook import line_of
from ..symbols import known_symbol
from .explanation import Explanation, Reason
from .reasons import Reasons
from .relevant import RelevantRules
from .sentences import Sentences
from .smallest import explained

_WANTED: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2), ("next", 1))
_MOST_RULES = 200_000
_SYMBOLIC = ast.ASTType.SymbolicAtom


class Explainer:
    """Explains the states of one game: its rules and sentences, made ready."""

    def __init__(self, encoding: Encoding, constants: Constants, vocabulary: Vocabulary) -> None:
        self._encoding, self._constants, self._vocabulary = encoding, constants, vocabulary
        self._fluents = sorted(vocabulary.base)  # the same explanation in every process
        self._endless = False
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

    def next(self, facts: Facts, claim: str, joint: Mapping[str, str], fluent: str) -> Explanation:
        """Why a fluent holds or doesn't after a joint move."""
        does = [clingo.Tuple_([known_symbol(r), known_symbol(m)]) for r, m in joint.items()]
        return self._explanation(facts, claim, _atom("next", fluent), "b", does)

    def _explanation(
        self,
        facts: Facts,
        claim: str,
        atom: clingo.Symbol,
        bound: str,
        does: Sequence[clingo.Symbol] = (),
    ) -> Explanation:
        """Why an atom holds or doesn't; see ``RelevantRules`` for ``bound`` and ``does``.

        Where an atom doesn't hold that is bound in part, why none like it holds.
        """
        relevant = self._rules(atom, bound, facts, self._possible(facts), does)
        settled = {self.thing(fact): fact for fact in facts}
        given = {_atom("true", fact) for fact in facts}
        given |= {clingo.Function("does", pair.arguments) for pair in does}
        nodes = explained([atom], relevant, given, self.thing)
        if "f" in bound and not nodes[0].holds:
            heads = {instance.head for instance in relevant.instances}
            alike = sorted(head for head in heads if head.match(atom.name, len(atom.arguments)))
            nodes = explained(alike or [atom], relevant, given, self.thing)
        found = dict.fromkeys(part for node in nodes for part in node.parts())
        never = not any(node.holds for node in nodes) and not any(
            part.fluent or part.atom in relevant.opaque for part in found
        )
        said = [("holds" if part.holds else "fails", part.atom) for part in found]
        said += [("never", atom)] if never else []
        reasons = Reasons(self._encoding, self._sentences(facts, said), settled, self.thing)
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
            self._fluents = sorted(self._reached({*self._vocabulary.initial, *facts}))
        return self._fluents

    def _reached(self, known: set[str]) -> set[str]:
        """The fluents that can follow from some; without an end to them, these themselves."""
        if self._endless:
            return known
        program = OpenProgram(self._encoding.statements("base"), self._constants)
        try:
            rules = program.ground((), sorted(known), closed=True, most_rules=_MOST_RULES)
        except LimitReached:
            self._endless = True
            return known
        return known.union(*rules.shown["true"].arguments) if "true" in rules.shown else known

    def _at_once(self, atom: clingo.Symbol, bound: str, holds: bool) -> Reason:
        """The reason where nothing in the state is one: the rules that there are."""
        lines = tuple(line_of(self._encoding, rule) for rule in self._rules_for(atom, bound))
        said = "it is so in every position" if holds else "no rule applies"
        return Reason(str(atom), holds, said, lines, (), (), ())

    def _rules_for(self, atom: clingo.Symbol, bound: str) -> list[ast.AST]:
        statements = self._encoding.statements("base")
        rules = (s for s in statements if s.ast_type is ast.ASTType.Rule)
        return [rule for rule in rules if _is_like(rule.head, atom, bound)]

    def thing(self, fluent: str) -> str:
        """The thing in a state that settles whether a fluent holds."""
        board = self._vocabulary.board
        if board and (placed := placement(fluent)) and placed[1] in board.glyphs:
            return square_name(placed[0])
        if board and (field := board.field_texts.get(fluent)):
            return f"field {field[0]}"
        return fluent


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
