"""Asks clingo's grounder which atoms follow from some statements and the facts of one state.

A ``Query`` is prepared once and asked once for each state. Three things make it cheap. The
statements are parsed once (``ProgramBuilder`` takes them as they are). The predicates that don't
depend on the state are grounded once and passed on as terms. Rules that the wanted predicates don't
need are left out. Each question gets its own ``Control``, so no data of one state can leak into the
next.
"""

import operator
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import clingo
from clingo import ast

from ..runtime.budget import UNLIMITED
from ..runtime.errors import RulesError
from .clingo_c import SharedTerms, facts_of, without_solver
from .parsing import place_of
from .statements import Rule, Signature, changing_predicates, needed_rules, rule_of
from .terms import LARGEST, Constants

Atoms = Mapping[Signature, Sequence[clingo.Symbol]]

_RESULTS: Mapping[str, Callable[[int, int], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "**": operator.pow,
}

_ADDING = threading.Lock()
"""Threads share statements, and clingo counts their references without any lock."""


class Program:
    """Statements prepared for repeated grounding.

    Rules that the wanted predicates don't need are left out. Predicates that don't depend on the
    state are grounded once. What is wanted or used of them is then ``passed`` on (``given``).
    """

    def __init__(
        self,
        statements: Iterable[ast.AST],
        constants: Constants,
        wanted: Iterable[Signature],
        known: Atoms | None = None,
    ) -> None:
        """Ground the predicates that never change, except those whose atoms are ``known``."""
        self.wanted = tuple(wanted)
        self.constants = constants
        needed = needed_rules([rule_of(s) for s in statements], self.wanted)
        self.settled = all(rule.plain for rule in needed)
        """Whether there are no choices and constraints, which would need a solver."""
        self.changing = changing_predicates(needed)
        """The predicates that depend on the state."""
        static = [rule for rule in needed if rule.heads and not rule.heads & self.changing]
        self.rules = [rule for rule in needed if rule not in static]
        """The rules that depend on the state, and the directives."""
        signatures = sorted({signature for rule in static for signature in rule.heads})
        known = {s: known[s] for s in signatures if s in known} if known else {}
        left = [rule for rule in static if not rule.heads <= known.keys()]
        found: Atoms = {}
        if left or not known:
            asked = frozenset[Signature]().union(*(rule.body for rule in left))
            handed = hand_over(signature for signature in known if signature in asked)
            everywhere = [rule for rule in self.rules if rule.plain and not rule.heads]
            rest = [rule.statement for rule in left + everywhere]
            unknown = [signature for signature in signatures if signature not in known]
            found = consequences(constants, [*rest, *handed.values()], unknown, Context(known))
        self.static = {**known, **found}
        used = {*self.wanted}.union(*(rule.body for rule in self.rules))
        self.passed = {s: atoms for s, atoms in self.static.items() if s in used}
        self.given = hand_over(self.passed)

    @property
    def statements(self) -> list[ast.AST]:
        """The statements of the rules."""
        return [rule.statement for rule in self.rules]


class Query:
    """The atoms of some predicates that follow from statements, ``true/1`` and ``does/2``."""

    def __init__(
        self, statements: Iterable[ast.AST], constants: Constants, wanted: Iterable[Signature]
    ) -> None:
        program = Program(statements, constants, wanted)
        state = parse_statements("true(F) :- F = @true(). does(R,M) :- (R,M) = @does().")
        self._constants, self._wanted = constants, program.wanted
        self.statements: Sequence[ast.AST] = [*program.statements, *program.given.values(), *state]
        self.static: Atoms = program.passed
        self.settled = program.settled
        if self.settled and not any(rule.heads for rule in program.rules):
            self.statements = ()  # nothing depends on the state

    def __call__(
        self,
        true: Sequence[clingo.Symbol] = (),
        does: Sequence[clingo.Symbol] = (),
        asked: Sequence[clingo.Symbol] = (),
    ) -> Atoms:
        """The wanted atoms, given the state's fluents and the joint move's ``(role,move)`` pairs.

        A program can read ``asked`` by ``@asked()``. Raises ``RulesError`` unless the program has
        exactly one answer set.
        """
        if not self.statements:
            return {signature: self.static.get(signature, ()) for signature in self._wanted}
        given = {"true": lambda: true, "does": lambda: does, "asked": lambda: asked}
        context = Context(self.static, **given)
        arguments = self._constants, self.statements, self._wanted, context
        return consequences(*arguments) if self.settled else _solved(*arguments)


def consequences(
    constants: Constants,
    statements: Sequence[ast.AST],
    wanted: Iterable[Signature],
    context: object = None,
) -> Atoms:
    """The wanted atoms: from grounding alone if it settles them, else from the only answer set.

    Raises ``RulesError`` with clingo's message, or unless there is exactly one answer set.
    """
    control = ground(constants, statements, context, observe=without_solver)
    found: dict[Signature, Sequence[clingo.Symbol]] = {}
    for signature in wanted:
        atoms = facts_of(control, *signature)
        if atoms is None:
            return _solved(constants, statements, wanted, context)
        found[signature] = atoms
    return found


_ZERO = clingo.Number(0)


class Context:
    """Answers the ``@`` calls by which a program gets the unchanging atoms, and what is given."""

    def __init__(self, static: Atoms, **given: Callable[..., Sequence[clingo.Symbol]]) -> None:
        """``given`` are further functions, by the names of their calls."""
        self._static = static
        self._fine = set[tuple[int, ...]]()  # operations, which are asked about again and again
        vars(self).update(given)

    def static(self, name: clingo.Symbol, arity: clingo.Symbol) -> Sequence[clingo.Symbol]:
        """The atoms of a predicate, as terms."""
        return self._static[name.string, arity.number]

    def arithmetic(
        self, place: clingo.Symbol, sign: clingo.Symbol, left: clingo.Symbol, right: clingo.Symbol
    ) -> clingo.Symbol:
        """The number 0, if a rule's operation has a result within clingo's 32 bits.

        Else raises ``RulesError`` with the rule's file and line (``asp.rewrite.overflow``).
        """
        asked = tuple(map(SharedTerms.number, (place, sign, left, right)))
        if asked not in self._fine:
            self.check(place, sign, left, right)
            self._fine.add(asked)
        return _ZERO

    def check(
        self, place: clingo.Symbol, sign: clingo.Symbol, left: clingo.Symbol, right: clingo.Symbol
    ) -> None:
        """Raise ``RulesError`` as for ``arithmetic``."""
        if abs(result_of(sign, left, right)) > LARGEST:
            wrong = f"{left}{sign.string}{right} is too large"
            raise RulesError(f"{place.string}: {wrong}: numbers go up to {LARGEST:,}")


def result_of(sign: clingo.Symbol, left: clingo.Symbol, right: clingo.Symbol) -> float:
    """The result of an operation, of any size; 0 unless both terms are numbers."""
    if {left.type, right.type} != {clingo.SymbolType.Number}:
        return 0
    one, other = left.number, right.number
    if sign.string == "**":
        other = max(0, min(other, 31))  # enough to leave 32 bits
    return _RESULTS[sign.string](one, other)


def hand_over(signatures: Iterable[Signature]) -> dict[Signature, ast.AST]:
    """The rules by which a grounding gets some predicates that never change."""
    return {signature: _handing_over(*signature) for signature in signatures}


@lru_cache(maxsize=1024)
def _handing_over(name: str, arity: int) -> ast.AST:
    """The rule for one predicate, whose name may be impossible in a file: one with a blank."""
    # A name alone would be read as a constant.
    places = ",".join(f"V{place}" for place in range(arity))
    atom, term = (f"p({places})",) * 2 if arity else ("p", "_")
    (rule,) = parse_statements(f'{atom} :- {term} = @static("{name}",{arity}).')
    symbol = rule.head.atom.symbol.update(name=name)
    head = rule.head.update(atom=rule.head.atom.update(symbol=symbol))
    if not arity:
        return rule.update(head=head)
    (literal,) = rule.body
    compared = literal.atom.update(term=symbol)
    return rule.update(head=head, body=[literal.update(atom=compared)])


def parse_statements(text: str) -> list[ast.AST]:
    """The statements of a text from this package. Raises ``RuntimeError`` for any other text."""
    statements: list[ast.AST] = []
    ast.parse_string(text, statements.append, logger=lambda *_: None)
    return statements[1:]  # the first statement begins the base part


_BEFORE = parse_statements("#program before.")


def ground(
    constants: Constants,
    statements: Iterable[ast.AST],
    context: object = None,
    text: str = "",
    observe: Callable[[clingo.Control], object] | None = None,
    before: Sequence[ast.AST] = (),
) -> clingo.Control:
    """Ground statements and a text in a new control, and return it.

    ``observe`` is called before anything is grounded. The statements ``before`` are grounded first,
    in a separate step. Raises ``RulesError`` with clingo's message, and the exceptions of
    ``context`` and of an observer.
    """
    messages: list[str] = []
    options = [f"-c{name}={value}" for name, value in constants.items()]
    control = clingo.Control(options, logger=lambda _, m: messages.append(m))
    context = context or Context({})
    try:
        if text:
            control.add("base", [], text)
        with _ADDING, ast.ProgramBuilder(control) as builder:
            for statement in (*statements, *_BEFORE, *before):
                builder.add(statement)
        if observe:
            observe(control)
        if before:
            control.ground([("before", [])], context=context)
        control.ground([("base", [])], context=context)
    except RecursionError:
        raise
    except (RuntimeError, UnicodeDecodeError) as error:  # an observer that stops leaves any message
        UNLIMITED.check()  # clingo may lose the exception of a Ctrl-C within a call from it
        message = next((m for m in messages if "error" in m), str(error))
        raise RulesError(unsafe_variables(message) or _plain(message)) from None
    return control


def ground_parts(
    control: clingo.Control,
    parts: Iterable[str],
    arguments: Sequence[clingo.Symbol] = (),
    context: object = None,
) -> None:
    """Ground more parts of a program, all with the same arguments."""
    control.ground([(part, arguments) for part in parts], context)


def unsafe_variables(message: str) -> str | None:
    """clingo's message about a rule's unsafe variables, in one sentence, or None."""
    place = re.match(r"\s*([^\n]*?:[0-9]+):[0-9:-]+: error: unsafe", message)
    found = re.findall(r"note: '(.+?)' is unsafe", message)
    if not place or not found:
        return None
    names = ["_" if name.startswith("#") else name for name in found]  # #Anon0: anonymous
    if len(names) == 1:
        return f"{place[1]}: {names[0]} is unsafe: nothing that holds gives it a value"
    text = f"the variables {', '.join(names)} are unsafe"
    return f"{place[1]}: {text}: nothing that holds gives them values"


def _reasons(rules: Sequence[Rule]) -> Iterator[str]:
    from .dependencies import unstratified  # for errors alone

    for rule, (name, arity) in unstratified(rules):
        yield f" ({name}/{arity} depends on its own negation: {place_of(rule.statement)})"
    for rule in rules:
        if not rule.plain:
            yield f" ({place_of(rule.statement)} is no rule with one atom as its head)"


def _plain(message: str) -> str:
    """A clingo message on one line, without internal parts.

    These are a condition in each rule of a part, and a placeholder for a file's name.
    """
    text = message.replace("[#inc_base];", "").replace(":-[#inc_base]", "").replace("<string>:", "")
    return " ".join(text.split())


def _solved(
    constants: Constants,
    statements: Sequence[ast.AST],
    wanted: Iterable[Signature],
    context: object,
) -> Atoms:
    """The wanted atoms of the only answer set, if grounding alone doesn't settle them."""
    control = ground(constants, statements, context)
    signatures = tuple(wanted)
    answers: list[dict[Signature, list[clingo.Symbol]]] = []
    control.configuration.solve.models = "2"  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        for model in handle:
            answer: dict[Signature, list[clingo.Symbol]] = {s: [] for s in signatures}
            for symbol in model.symbols(atoms=True):
                if (key := (symbol.name, len(symbol.arguments))) in answer and symbol.positive:
                    answer[key].append(symbol)
            answers.append(answer)
    if len(answers) != 1:
        found = "no answer set" if not answers else "more than one answer set"
        reason = next(_reasons([rule_of(statement) for statement in statements]), "")
        raise RulesError(f"the rules don't settle what follows from the state: {found}{reason}")
    return answers[0]
