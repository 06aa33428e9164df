"""Writes an encoding as a rule sheet in KIF, as far as KIF can express it.

Rules that KIF can express stay rules, with their comments. Other rules that are independent of the
state become the facts that follow from them. In the rest, arithmetic and comparisons become
relations (``arithmetic``).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from ...asp.clingo_api import AST, Symbol
from ...asp.clingo_c import facts_of
from ...asp.dependencies import Dependencies, unstratified
from ...asp.grounding import Context, Program, Query, ground, hand_over, parse_statements
from ...asp.node_details import with_head
from ...asp.nodes import kind_of, span_of, unpooled
from ...asp.parsing import place_of
from ...asp.sources import Source
from ...asp.statements import Signature, dependent_predicates, needed_rules, rule_of
from ...asp.symbols import known_symbol
from ...gdl.kif.names import unused
from ...gdl.kif.sheet import (
    KEYWORDS,
    Function,
    SheetLiteral,
    SheetRule,
    Term,
    Variable,
    variables_of,
)
from ...runtime.errors import RulesError
from ..fluents import Fluents
from ..game import Game
from ..phrases import text_of
from .arithmetic import ArgumentPlace, Arithmetic, whole_of
from .counts import CountRules, is_count, without_counts
from .kif_text import KifWriter
from .rule_text import (
    ANONYMOUS,
    Comparison,
    Inexpressible,
    ReadRule,
    read_rule,
    replaced,
    term_of,
    without_tuples,
)

_MOST_TERMS = 2000  # terms at one argument of a move
_WANTED = [(name, arity) for name, arity in KEYWORDS.items() if name not in ("true", "does")]


@dataclass
class _Passage:
    """One statement of an encoding as rules and facts of a sheet."""

    statement: AST
    comments: list[str]
    rules: list[ReadRule] = field(default_factory=list)
    facts: list[Function] = field(default_factory=list)
    counts: list[CountRules] = field(default_factory=list)

    def goes_on(self, other: "_Passage") -> bool:
        """Whether this passage and another one are facts on the same line."""
        same = span_of(self.statement)[:2] == span_of(other.statement)[:2]
        return same and not any(rule.body for rule in (*self.rules, *other.rules))


def sheet_of_game(game: Game) -> str:
    """The rule sheet of a game, as text.

    Raises ``RulesError`` with file and line for a rule that KIF can't express.
    """
    try:
        return _Export(game).text()
    except Inexpressible as what:
        raise RulesError(f"{game.encoding.reference}: KIF can't express {what}") from None


class _Export:
    def __init__(self, game: Game) -> None:
        self._game = game
        statements = game.encoding.statements("base")
        rules = [rule_of(statement) for statement in statements]
        self._needed = needed_rules(rules, _WANTED)
        for rule, (name, arity) in unstratified(self._needed):
            _refuse(rule.statement, f"{name}/{arity} depends on its own negation")
        names = {name for rule in rules for name, _ in rule.heads | rule.body}
        self._taken = {*names, *KEYWORDS}
        self._program = Program(statements, game.constants, _WANTED)
        self._some: dict[Function, str] = {}

    def text(self) -> str:
        passages = self._passages()
        base = self._base()
        counted = self._count(passages)
        arithmetic = self._arithmetic(passages, counted)
        rules = [[*self._rules(passage, arithmetic)] for passage in passages]
        arithmetic.ground()
        relations = [
            (relation, [_renamed(relation.name, atom) for atom in relation.atoms])
            for relation in arithmetic.relations.values()
        ]
        moves = self._inputs(arithmetic, passages) if base else []
        stated = [*(passage.facts for passage in passages), counted, *(a for _, a in relations)]
        every = [rule for some in rules for rule in some]
        every += moves
        every += (SheetRule(fact, ()) for some in (base, *stated) for fact in some)
        writer = KifWriter(every, self._game.vocabulary.kif_names, self._kif_relations())
        title = " ".join(self._game.title.split())
        lines = [f"; {title}", ""]
        file = ""
        for passage, some_rules in zip(passages, rules, strict=True):
            before, file = file, span_of(passage.statement).file
            if before not in ("", file) and (passage.comments or [""])[0]:
                lines.append("")
            lines += passage.comments
            facts = [*(r.head for r in some_rules if not r.body), *passage.facts]
            lines += writer.facts(facts)
            lines += (writer.rule(rule) for rule in some_rules if rule.body)
        if base:
            lines += ["", "; Every fluent there is.", *writer.facts(base)]
        if moves:
            lines += ["", "; What moves are made of. (Some of these are never legal.)"]
            lines += writer.facts(rule.head for rule in moves if not rule.body)
            lines += (writer.rule(rule) for rule in moves if rule.body)
        if counted:
            lines += [
                "",
                "; What is counted, each element between two places.",
                *writer.facts(counted),
            ]
        for relation, atoms in relations:
            arguments = "".join(f" ?{number}" for number in range(1, relation.arity + 1))
            heading = f"; ({relation.name}{arguments}): {relation.formula}"
            lines += ["", heading, *writer.facts(atoms)]
        return "\n".join([*lines, ""])

    def _arithmetic(self, passages: Iterable[_Passage], facts: Iterable[Function]) -> Arithmetic:
        rules = [rule for passage in passages for rule in passage.rules]
        rules += (ReadRule(fact, ()) for fact in facts)
        base = self._game.vocabulary.base
        return Arithmetic(self._program, self._game.constants, rules, base, self._taken)

    def _count(self, passages: Sequence[_Passage]) -> list[Function]:
        """Add the rules that count to the passages; returns the facts about the elements."""
        counts = [(count, passage) for passage in passages for count in passage.counts]
        arithmetic = self._arithmetic(passages, ())
        for count, passage in counts:
            try:
                passage.rules[:0] = [*count.holding, *count.starts, *count.steps(arithmetic)]
                if not arithmetic.asked.isdisjoint(
                    name for each, _ in counts for name in each.names
                ):
                    raise Inexpressible("a count of elements that depend on a count")
            except Inexpressible as what:
                _refuse(passage.statement, f"KIF can't express {what}")
        return [fact for count, _ in counts for fact in count.facts]

    # --- the encoding's statements ----------------------------------------------------------------

    def _passages(self) -> list[_Passage]:
        passages: list[_Passage] = []
        needed, left_out = set(self._needed), self._left_out()
        comments = _Comments(self._game.encoding.sources, self._game.encoding.parts.values())
        for statement in self._game.encoding.parts.get("base", ()):
            if kind_of(statement) in ("Definition", "Defined"):
                continue
            rule = rule_of(statement)
            if rule not in needed and rule.heads & left_out:
                continue
            passage = _Passage(statement, comments.above(statement))
            try:
                self._read(statement, passage)
            except Inexpressible as what:
                _refuse(statement, f"KIF can't express {what}")
            if passages and passages[-1].goes_on(passage):
                passages[-1].rules += passage.rules
                passages[-1].facts += passage.facts
            else:
                passages.append(passage)
        return passages

    def _left_out(self) -> set[Signature]:
        """The predicates that no rule of the game needs and that KIF can't express."""
        rules = [rule_of(s) for s in self._game.encoding.parts.get("base", ())]
        beside = [rule for rule in rules if rule.heads and rule not in self._needed]
        found: set[Signature] = {("to_move", 1)}
        for rule in beside:
            try:
                self._read(rule.statement, _Passage(rule.statement, []))
            except Inexpressible:
                found |= rule.heads
        return dependent_predicates(beside, found)

    def _read(self, statement: AST, passage: _Passage) -> None:
        """Read a statement as rules, or as facts. Raises ``Inexpressible``."""
        is_static = not rule_of(statement).heads & self._program.changing
        for one in unpooled(statement):
            found: list[ReadRule] = []
            try:
                found = self._rules_of(one, passage, is_static)
                is_said = not any(rule.comparisons for rule in found)
            except Inexpressible:
                if not is_static or not rule_of(one).plain:
                    raise
                is_said = False
            if is_said or not is_static:
                passage.rules += found
            else:
                passage.facts += self._facts(one)

    def _rules_of(self, statement: AST, passage: _Passage, is_static: bool) -> list[ReadRule]:
        """The rules of a statement, without counts. Raises ``Inexpressible``."""

        def read(text: str) -> list[ReadRule]:
            place = place_of(statement)
            found = (r for s in parse_statements(text) for r in read_rule(s, self._game.constants))
            return [replace(rule, place=place) for rule in found]

        rule = rule_of(statement)
        if is_static or not any(is_count(part.node) for part in rule.literals):
            return read_rule(statement, self._game.constants)
        below = Dependencies(self._needed)
        counted = {s for part in rule.literals if is_count(part.node) for s in part.signatures}
        if any(below.reaches(s, head) for s in counted for head in rule.heads):
            raise Inexpressible("a count of what depends on it")
        text, counts = without_counts(statement, read, self._taken)
        passage.counts += counts
        return read(text)

    def _facts(self, statement: AST) -> Iterator[Function]:
        """The facts that follow from a static rule. Raises ``Inexpressible``."""
        rule = rule_of(statement)
        (signature,) = rule.heads
        if rule.head is None or signature not in self._program.static:
            raise Inexpressible("a predicate that no rule uses")
        name, arity = signature
        own = f"__f_{name}"
        changed = with_head(statement, own, [argument.node for argument in rule.head.arguments])
        control = ground(
            self._game.constants,
            [changed, *hand_over(self._program.static).values()],
            Context(self._program.static),
        )
        found = facts_of(control, own, arity)
        if found is None:
            raise Inexpressible("a rule that grounding doesn't settle")
        for symbol in sorted(found):
            yield without_tuples(_renamed(name, symbol))

    def _rules(self, passage: _Passage, arithmetic: Arithmetic) -> Iterator[SheetRule]:
        for found in passage.rules:
            more: list[SheetRule] = []
            body = []
            for part in found.body:
                if isinstance(part, Comparison):
                    try:
                        relation = arithmetic.relation(part, found)
                    except Inexpressible as what:
                        _refuse(passage.statement, f"KIF can't express {what}")
                    arguments = tuple(map(Variable, part.variables))
                    body.append(SheetLiteral(Function(relation.name, arguments)))
                elif part.negated:
                    body.append(SheetLiteral(self._whether(part.atom, more), negated=True))
                else:
                    body.append(part)
            yield from more
            yield SheetRule(found.head, tuple(dict.fromkeys(body)))

    def _whether(self, atom: Function, more: list[SheetRule]) -> Function:
        """A negated atom without anonymous variables: a new relation stands for ``p(X,_)``."""
        names = tuple(dict.fromkeys(variables_of(atom.arguments)))
        named = tuple(name for name in names if not name.startswith(ANONYMOUS))
        if named == names:
            return atom
        numbered: dict[str, Term] = {
            name: Variable(f"{ANONYMOUS if name not in named else 'X'}{number}")
            for number, name in enumerate(names)
        }
        pattern = replaced(atom, numbered)
        if pattern not in self._some:
            _, whole = whole_of(pattern)
            of = whole.name if isinstance(whole, Function) else atom.name
            name = self._some[pattern] = unused(f"some_{of}", self._taken)
            head = Function(name, tuple(numbered[name] for name in named))
            more.append(SheetRule(head, (SheetLiteral(pattern),)))
        return Function(self._some[pattern], tuple(map(Variable, named)))

    # --- beside the statements --------------------------------------------------------------------

    def _base(self) -> list[Function]:
        game = self._game
        listed = {str(s.arguments[0]) for s in self._program.static.get(("base", 1), ())}
        missing = sorted(game.vocabulary.base - listed, key=known_symbol)
        if not missing or not Fluents(game.rules, game.vocabulary).are_known:
            return []
        return [Function("base", (term_of(known_symbol(fluent)),)) for fluent in missing]

    def _inputs(self, arithmetic: Arithmetic, passages: Iterable[_Passage]) -> list[SheetRule]:
        if any(("input", 2) in rule.heads for rule in self._needed):
            return []
        rules = [rule.head for passage in passages for rule in passage.rules]
        facts = [fact for passage in passages for fact in passage.facts]
        try:
            legal = [head for head in (*rules, *facts) if head.name == "legal"]
            return _inputs(arithmetic, legal, self._taken)
        except (Inexpressible, RulesError):
            return []

    def _kif_relations(self) -> dict[str, str]:
        statements = self._game.encoding.statements("base", "board")
        query = Query(statements, self._game.constants, [("kif_relation", 2)])
        pairs = (symbol.arguments for symbol in query()["kif_relation", 2])
        return {str(name): text_of(text) for name, text in pairs}


class _Comments:
    """The comments of some files, by the statements that they stand above."""

    def __init__(self, sources: Iterable[Source], parts: Iterable[Sequence[AST]]) -> None:
        self._lines = {source.name: source.text.split("\n") for source in sources}
        self._ends: dict[str, dict[int, int]] = {}
        for statement in (s for part in parts for s in part):
            file, first, last = span_of(statement)
            ends = self._ends.setdefault(file, {})
            ends[first] = max(last, ends.get(first, 0))

    def above(self, statement: AST) -> list[str]:
        """The comments and blank lines above a statement, each returned once."""
        file, first, _ = span_of(statement)
        ends = self._ends.get(file, {})
        if first not in ends:
            return []
        after = max((end for line, end in ends.items() if line < first), default=0)
        del ends[first]
        ends[first - 1] = first
        found: list[str] = []
        for line in self._lines[file][after : first - 1]:
            text = line.strip()
            if text.startswith("%") and not text.startswith("%*"):
                found.append(f"; {text.lstrip('%').strip()}".rstrip())
            elif not found or found[-1]:
                found.append("")
        return found


def _refuse(statement: AST, what: str) -> NoReturn:
    raise RulesError(f"{place_of(statement)}: {what}")


def _renamed(name: str, atom: Symbol) -> Function:
    """An atom of a predicate of our own, renamed. Raises ``Inexpressible``."""
    return Function(name, tuple(map(term_of, atom.arguments)))


def _inputs(arithmetic: Arithmetic, legal: Iterable[Function], taken: set[str]) -> list[SheetRule]:
    """The rules and facts for ``input``, given the heads of the rules for ``legal``.

    Empty if a head has a variable for the move, or if there are too many moves. Raises
    ``Inexpressible``, and ``RulesError`` if the moves have no bound.
    """
    moves: dict[tuple[str, int], None] = {}
    for head in legal:
        move = head.arguments[1]
        if isinstance(move, Variable):
            return []
        moves[move.name, len(move.arguments)] = None
    places = [ArgumentPlace("does", name, arity, n) for name, arity in moves for n in range(arity)]
    values = arithmetic.values(places)
    if any(len(found) > _MOST_TERMS for found in values.values()):
        return []
    rules: list[SheetRule] = []
    names: dict[Sequence[Function], str] = {}
    for name, arity in moves:
        variables = [Variable(f"X{number}") for number in range(1, arity + 1)]
        body = [SheetLiteral(Function("role", (Variable("R"),)))]
        for number, variable in enumerate(variables):
            terms = tuple(map(term_of, values[ArgumentPlace("does", name, arity, number)]))
            if terms not in names:
                relation = names[terms] = unused(f"{name}_{number + 1}", taken)
                rules += (SheetRule(Function(relation, (term,)), ()) for term in terms)
            body.append(SheetLiteral(Function(names[terms], (variable,))))
        head = Function("input", (Variable("R"), Function(name, tuple(variables))))
        rules.append(SheetRule(head, tuple(body)))
    return rules
