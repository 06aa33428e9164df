"""Rules rewritten so that their instances are grounded as facts: see ``game.explain``."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import count, pairwise

from clingo import String, Symbol, SymbolType, ast, parse_term

from ..clingo_c import nodes_in
from ..dependencies import Dependencies
from ..node_details import make_equation, with_body
from ..nodes import atom_of, is_positive, make_variable, replaced, sides_of, with_names
from ..statements import DOES, TRUE, Literal, Rule, Signature, literal_of, variables_in

Asked = tuple[Signature, str]
"""A predicate, with ``b`` for each bound argument and ``f`` for each free one."""


UNCLEAR: Signature = ("_unclear", 2)
"""The atom for an opaque condition: its name, and the values of its variables."""

COUNTED: Signature = ("_counted", 3)
"""The atom for an opaque condition and its count: name, values, number."""

Counts = Mapping[Signature, int]
"""The place of the argument that a predicate's only rule counts."""

_LESS, _GREATER = ("<", "<="), (">", ">=")
AGGREGATES = (ast.ASTType.BodyAggregate, ast.ASTType.Aggregate)


def plain_rules(statement: ast.AST) -> list[ast.AST]:
    """The rules without pools and intervals that a rule stands for; other statements unchanged.

    ``legal(R,take(1..N)) :- to_move(R), true(pile(N)).`` has one head for each number. So has
    ``legal(R,take(K)) :- to_move(R), true(pile(N)), K = 1..N.``, and there the head is an atom.
    """
    if statement.ast_type is not ast.ASTType.Rule:
        return [statement]
    return [_without_intervals(rule) for rule in statement.unpool()]


def _without_intervals(rule: ast.AST) -> ast.AST:
    """The rule with each interval in an atom replaced by a variable with that range."""
    ranges: list[ast.AST] = []

    def named(node: ast.AST) -> ast.AST:
        left, right = (replaced(side, "Interval", named) for side in (node.left, node.right))
        name = make_variable(node.location, f"_I{len(ranges)}")
        ranges.append(make_equation(node.location, name, node.update(left=left, right=right)))
        return name

    head, *body = (
        replaced(part, "Interval", named)
        if atom_of(part).ast_type is ast.ASTType.SymbolicAtom
        else part
        for part in (rule.head, *rule.body)
    )
    return with_body(rule, [*body, *ranges], head) if ranges else rule


def hidden_predicates(
    rules: Sequence[Rule], changing: Set[Signature], below: Dependencies
) -> Set[Signature]:
    """The predicates with opaque rules.

    A clear rule has one atom as its head. Each condition on the state in its body is an atom or a
    negated atom, or takes the values of its variables from the other conditions. Only finitely
    many instances of it may hold in some state.
    """
    growing = (rule for rule in rules if _may_grow(rule, changing, below))
    hidden = {signature for rule in growing for signature in rule.heads}
    waiting = [rule for rule in rules if not rule.heads & hidden]
    while more := [rule for rule in waiting if not _is_clear(rule, changing, hidden)]:
        hidden.update(signature for rule in more for signature in rule.heads)
        waiting = [rule for rule in waiting if not rule.heads & hidden]
    return hidden


def counted_arguments(rules: Sequence[Rule]) -> Counts:
    """Predicates whose only rule counts, as in ``height(X,H) :- col(X), H = #count { … }.``

    The other arguments have all its variables, so that they have one count each.
    """
    found: dict[Signature, int] = {}
    made = Counter(signature for rule in rules for signature in rule.heads)
    for rule in rules:
        if rule.head is None or rule.head.sign is None:
            continue
        names = {assigned(part.node.atom) for part in rule.literals if part.kind in AGGREGATES}
        terms = [given.variable for given in rule.head.arguments]
        places = [place for place, name in enumerate(terms) if name and name in names]
        others = rule.head.variables.union(*(outside(part.node) for part in rule.literals))
        if len(places) == 1 and others <= {*terms}:
            found |= {signature: places[0] for signature in rule.heads if made[signature] == 1}
    return found


def _is_clear(rule: Rule, changing: Set[Signature], hidden: Set[Signature]) -> bool:
    if rule.head is None or not is_positive(rule.head):
        return False
    unclear = [part for part in rule.literals if _is_unclear(part, changing, hidden)]
    clear = [part for part in rule.literals if not _is_unclear(part, changing, hidden)]
    known = _given_by(clear)
    asked = rule.head.variables.union(*(part.variables for part in clear))
    guards = {name for part in unclear for name in outside(part.node)}
    return guards <= known and all(part.variables & asked <= known for part in unclear)


def _may_grow(rule: Rule, changing: Set[Signature], below: Dependencies) -> bool:
    """Whether a rule makes terms from its own without end, unless the state ends it."""
    again, limited, made = set[str](), set[str](), [rule.statement.head]
    largest, least = set[str](), set[str]()
    for part in rule.literals:
        recursive = any(below.reaches(s, h) for s in part.signatures for h in rule.heads)
        positive = getattr(part.node, "sign", None) == ast.Sign.NoSign
        if recursive and positive:
            again |= part.variables
        elif part.compares and _is_assignment(part.node.atom):
            made.append(part.node.atom.guards[0].term)
        elif part.compares:
            terms, signs = sides_of(part.node.atom)
            for (left, right), sign in zip(pairwise(terms), signs, strict=True):
                for names, wrong in ((largest, _GREATER), (least, _LESS)):
                    names |= variables_in(left) if sign not in wrong else set()
                for names, wrong in ((largest, _LESS), (least, _GREATER)):
                    names |= variables_in(right) if sign not in wrong else set()
        elif positive or changing.isdisjoint(part.signatures):
            limited |= part.variables
    for node in (node for term in made for node in nodes_in(term)):
        if node.ast_type is ast.ASTType.BinaryOperation:
            minus = node.operator_type == ast.BinaryOperator.Minus
            if variables_in(node) & again - limited - (least if minus else largest):
                return True
    return False


class Clause:
    """A clear rule, ready to be rewritten."""

    def __init__(
        self,
        rule: Rule,
        place: int,
        changing: Set[Signature],
        hidden: Set[Signature],
        counts: Counts,
        below: Dependencies,
    ) -> None:
        self.heads, self.statement = rule.heads, rule.statement
        self._place = place
        self._head = _Atom(rule.statement.head)
        body = rule.literals
        known = _given_by([part for part in body if not _is_unclear(part, changing, hidden)])
        several = sum(not changing.isdisjoint(part.signatures) for part in body) > 1
        self._body: list[_Atom | _Fixed | Unclear] = []
        for number, part in enumerate(body):
            if _is_unclear(part, changing, hidden):
                self._body.append(Unclear(part.node, f"{place}_{number}", known, counts))
            elif changing.isdisjoint(part.signatures):
                self._body.append(_Fixed(part))
            else:
                self._body.append(_Atom(part.node, number, several))
        self.unclear = [part for part in self._body if isinstance(part, Unclear)]
        self.signs = [part.positive for part in self._body if not isinstance(part, _Fixed)]
        """For each condition on the state whether it is an atom, not a negated one."""
        atoms = (part for part in self._body if isinstance(part, _Atom))
        self._recursive = {a for a in atoms if below.reaches(a.signature, self._head.signature)}

    def rewritten(self, bound: str) -> tuple[str, set[Asked]]:
        """The rewritten rules if some arguments are bound, and the predicates that they need."""
        arguments = zip(self._head.arguments, bound, strict=True)
        asked = [a if _can_be_asked(a) else None for a, b in arguments if b == "b"]
        known = {name for argument in asked if argument for name in variables_in(argument)}
        asks = demand(self._head.signature, bound)
        first = _atom(asks, [str(a) if a else "_" for a in asked])
        fixed = self._fixed(known)
        given = [first, *(part.text for part in fixed)]
        listed = {name for part in fixed for name in part.listed}
        same = {name for a in asked if a and not _computes(a) for name in variables_in(a)} | listed
        texts, needed, conditions, possible = [], set[Asked](), [], [first]
        for part in self._body:
            if isinstance(part, _Fixed):
                possible.append(part.text)
                continue
            conditions.append(part.condition)
            if isinstance(part, Unclear):
                continue
            if part.positive:
                possible.append(f"_possible({part.text})")
            meant, terms = "", []
            for argument in part.arguments:
                # A demand that computes another one of itself, such as h(X-1) of h(X), would have
                # no end: it leaves the argument free, unless a table lists the values.
                values = known if part not in self._recursive else listed
                plain = argument.ast_type is ast.ASTType.Variable and part in self._recursive
                is_bound = variables_in(argument) <= (same if plain else values)
                meant += "b" if is_bound else "f"
                terms += [str(argument)] * is_bound
            if part.signature not in (TRUE, DOES):
                needed.add((part.signature, meant))
                texts.append(_rule(_atom(demand(part.signature, meant), terms), given))
            elif part.signature == TRUE and terms:
                texts.append(_rule(f"_open({terms[0]})", given))
        tuple_ = f"({','.join(conditions)},)" if conditions else "()"
        texts.append(_rule(f"_instance({self._place},{self._head.text},{tuple_})", possible))
        for part in self._body:
            if isinstance(part, _Atom) and part.some:
                # A number below 0 tells that the one condition is an atom.
                head = f"_instance({-1 - self._place},{part.some},({part.text},))"
                texts.append(_rule(head, [*possible, f"_possible({part.text})"]))
        return "\n".join(texts), needed

    def _fixed(self, known: set[str]) -> "list[_Fixed]":
        """The conditions independent of the state that restrict or extend the known variables."""
        found: list[_Fixed] = []
        rest = [part for part in self._body if isinstance(part, _Fixed)]
        while more := [part for part in rest if part.says_more(known)]:
            found += more
            rest = [part for part in rest if part not in more]
            known.update(name for part in more for name in part.variables)
        return found


class Unclear:
    """An opaque condition on the state, such as an aggregate."""

    def __init__(self, part: ast.AST, name: str, known: Set[str], counts: Counts) -> None:
        denied = part.ast_type is ast.ASTType.Literal and part.sign == ast.Sign.Negation
        self._part = part.update(sign=ast.Sign.NoSign) if denied else part
        self.positive = not denied
        self._variables = sorted(variables_in(part) & known)
        self._values = "".join(f"{variable}," for variable in self._variables)
        self._counts = counts
        self.name = name

    @property
    def condition(self) -> str:
        """The atom for it."""
        return f'{UNCLEAR[0]}("{self.name}",({self._values}))'

    @property
    def rules(self) -> str:
        """The rules for its atom, and for its count."""
        asked = f'("{self.name}",({self._values}))'
        rules = [_rule(self.condition, [f"{asked} = @asked()", str(self._part)])]
        if case := failing_case(self._part):
            head = f'{COUNTED[0]}("{self.name}",({self._values}),{case[0]})'
            rules.append(_rule(head, [f"{asked} = @asked()", *case[1]]))
        if part := counted(self._part, "_Value", self._counts):
            value = part.atom if _is_atom(part) else "_Value"
            head = f'{COUNTED[0]}("{self.name}",({self._values}),{value})'
            rules.append(_rule(head, [f"{asked} = @asked()", str(part)]))
        return "\n".join(rules)

    def text(self, values: Sequence[Symbol]) -> str:
        """The condition with values for its variables."""
        replaced = Replaced(dict(zip(self._variables, values, strict=True)))
        return str(replaced.visit(self._part))


class _Fixed:
    """A condition independent of the state."""

    def __init__(self, literal: Literal) -> None:
        self.text, self.variables = str(literal.node), literal.variables
        # The variables whose values are those of a table.
        self.listed = read_off(literal.node.atom.symbol) if is_positive(literal) else set[str]()
        self._gives = self.listed | _assigned_by(literal)

    def says_more(self, known: set[str]) -> bool:
        """Whether its variables are known, or it gives values to the rest of them."""
        new = self.variables - known
        return not new or (new <= self._gives and new != self.variables)


class _Atom:
    """A condition on the state, or a head."""

    def __init__(self, literal: ast.AST, number: int = 0, several: bool = False) -> None:
        # Two negations cancel out: rules that recur through negation are refused.
        self.positive = literal.sign != ast.Sign.Negation
        named = with_names(literal.atom.symbol, (f"_V{number}_{blank}" for blank in count(1)))
        self.text = str(named)
        self.arguments: list[ast.AST] = list(named.arguments)
        self.signature: Signature = (named.name, len(self.arguments))
        anonymous = (several or not self.positive) and str(literal.atom.symbol) != self.text
        pattern = Replaced({"_": String("_")}).visit(literal.atom.symbol)
        self.some = f"_some({pattern})" if anonymous else ""
        """The atom for ``not p(_)``, or ``p(_)`` beside other conditions: some such atom holds."""

    @property
    def condition(self) -> str:
        """The atom of the condition in an instance."""
        return self.some or self.text


class Replaced(ast.Transformer):
    """Replaces variables by values, and computes."""

    def __init__(self, values: dict[str, Symbol]) -> None:
        self._values = values

    def visit_BinaryOperation(self, node: ast.AST) -> ast.AST:  # noqa: N802
        """Replace an operation on numbers by its result."""
        node = node.update(**self.visit_children(node))
        try:
            return ast.SymbolicTerm(node.location, parse_term(str(node)))
        except RuntimeError:
            return node

    def visit_Variable(self, node: ast.AST) -> ast.AST:  # noqa: N802
        """Replace a variable."""
        if node.name not in self._values:
            return node
        return ast.SymbolicTerm(node.location, self._values[node.name])


def demand(signature: Signature, bound: str) -> str:
    """The predicate that demands the atoms of another one."""
    return f"_asked_{signature[0]}_{bound}"


def _is_atom(part: ast.AST) -> bool:
    return (
        part.ast_type is ast.ASTType.Literal
        and part.atom.ast_type is ast.ASTType.SymbolicAtom
        and part.atom.symbol.ast_type is ast.ASTType.Function
    )


def _is_unclear(part: Literal, changing: Set[Signature], hidden: Set[Signature]) -> bool:
    """Whether a part of a body depends on the state and is opaque."""
    return not changing.isdisjoint(part.signatures) and (
        part.sign is None or not hidden.isdisjoint(part.signatures)
    )


def _assigned_by(part: Literal) -> set[str]:
    """The variable that a comparison such as ``N = M+1`` gives a value; nothing for others."""
    is_one = part.compares and is_positive(part.node) and _is_assignment(part.node.atom)
    return {part.node.atom.term.name} if is_one else set()


def _given_by(body: Sequence[Literal]) -> set[str]:
    """The variables that get values from a body."""
    atoms = (part.node.atom.symbol for part in body if is_positive(part))
    found = set[str]().union(*map(read_off, atoms))
    values = [(part.node.atom.guards[0], _assigned_by(part)) for part in body if _assigned_by(part)]
    while (
        more := {n for right, name in values if variables_in(right) <= found for n in name} - found
    ):
        found |= more
    return found


def outside(part: ast.AST) -> set[str]:
    """The variables of a condition outside the elements of an aggregate."""
    if part.ast_type is not ast.ASTType.Literal:
        return set()
    if part.atom.ast_type not in AGGREGATES:
        return variables_in(part)
    guards = (part.atom.left_guard, part.atom.right_guard)
    return {name for guard in guards if guard for name in variables_in(guard)}


def read_off(term: ast.AST) -> set[str]:
    """The variables whose values follow when a term is matched."""
    if term.ast_type is ast.ASTType.Function:
        return {name for part in term.arguments for name in read_off(part)}
    return variables_in(term) if _can_be_asked(term) else set()


def _can_be_asked(term: ast.AST) -> bool:
    """Whether the grounder can solve a term for its variables."""
    if term.ast_type is ast.ASTType.BinaryOperation:
        sides = term.left, term.right
        one = sum(1 for side in sides for _ in nodes_in(side, ast.ASTType.Variable))
        adds = (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus)
        return one == 0 or (
            one == 1 and term.operator_type in adds and all(map(_can_be_asked, sides))
        )
    unary, interval = ast.ASTType.UnaryOperation, ast.ASTType.Interval
    if term.ast_type is unary and term.operator_type == ast.UnaryOperator.Minus:
        return _can_be_asked(term.argument)
    if term.ast_type in (unary, interval):
        return not variables_in(term)
    if term.ast_type is ast.ASTType.Function:
        return all(map(_can_be_asked, term.arguments))
    return True


def _computes(term: ast.AST) -> bool:
    operations = ast.ASTType.BinaryOperation, ast.ASTType.UnaryOperation
    return any(True for _ in nodes_in(term, *operations))


def _is_assignment(comparison: ast.AST) -> bool:
    return comparison.term.ast_type is ast.ASTType.Variable and is_equation(comparison)


def is_equation(comparison: ast.AST) -> bool:
    """Whether a comparison says that two terms are equal."""
    return sides_of(comparison)[1] == ["="]


def assigned(aggregate: ast.AST) -> str:
    """The variable that gets an aggregate's value; empty if there is none."""
    guards = [aggregate.left_guard, aggregate.right_guard]
    equal = (g for g in guards if g and g.comparison == ast.ComparisonOperator.Equal)
    return next((g.term.name for g in equal if g.term.ast_type is ast.ASTType.Variable), "")


def variable_counts(node: ast.AST) -> Mapping[str, int]:
    """How often each variable occurs in a node."""
    return Counter(part.name for part in nodes_in(node, ast.ASTType.Variable))


def denied(literal: ast.AST) -> ast.AST:
    """The negation of a literal whose atom recurs through no negation: two of them cancel out."""
    negated = literal.sign == ast.Sign.Negation
    return literal.update(sign=ast.Sign.NoSign if negated else ast.Sign.Negation)


def failing_case(part: ast.AST) -> tuple[str, list[str]] | None:
    """A text for an instance of a conditional literal, and the conditions on which it fails."""
    if part.ast_type is not ast.ASTType.ConditionalLiteral:
        return None
    literal = part.literal
    message = "holds" if literal.sign == ast.Sign.Negation else "does not hold"
    name = str(literal.atom)
    name = name if _is_atom(literal) else f'"{name}"' if '"' not in name else "some"
    return f'({name},"{message}")', [*map(str, part.condition), str(denied(literal))]


def is_case(value: Symbol) -> bool:
    """Whether a value is the instance of a conditional literal, not a count."""
    return value.type is SymbolType.Function and value.match("", 2)


def case_text(case: Symbol) -> str:
    """An instance and whether it holds, in words."""
    instance, text = (str(each).strip('"') for each in case.arguments)
    return f"{instance} {text}"


def counted(part: ast.AST, name: str, counts: Counts) -> ast.AST | None:
    """The condition that gives a variable the number with which the part compares a count."""
    if literal_of(part).kind in AGGREGATES and not assigned(part.atom):
        guard = ast.Guard(ast.ComparisonOperator.Equal, ast.Variable(part.location, name))
        atom = part.atom.update(left_guard=guard, right_guard=None)
        return part.update(sign=ast.Sign.NoSign, atom=atom)
    if not _is_atom(part) or part.sign != ast.Sign.NoSign:
        return None
    symbol = part.atom.symbol
    place = counts.get((symbol.name, len(symbol.arguments)))
    if place is None:
        return None
    terms = list(symbol.arguments)
    terms[place] = ast.Variable(part.location, name)
    return part.update(atom=part.atom.update(symbol=symbol.update(arguments=terms)))


def _atom(name: str, terms: Sequence[str]) -> str:
    return f"{name}({','.join(terms)})" if terms else name


def _rule(head: str, body: Sequence[str]) -> str:
    return f"{head} :- {'; '.join(body)}."
