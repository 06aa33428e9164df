"""Examines an encoding for likely mistakes (see ``lint``)."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise

from ..asp.clingo_api import AST, SymbolType
from ..asp.clingo_c import parts_of, signature_of
from ..asp.dependencies import Dependencies, unstratified
from ..asp.node_details import declared_by, operator_of
from ..asp.nodes import is_positive, kind_of, name_of, span_of, unpooled
from ..asp.parsing import parse
from ..asp.rewrite.clauses import variable_counts
from ..asp.rewrite.domains import Domains, Terms
from ..asp.sources import Source, encodings_folder
from ..asp.statements import (
    DOES,
    TRUE,
    Argument,
    Literal,
    Rule,
    Signature,
    atoms_in,
    constants_of,
    rule_of,
    short_place,
    shown,
    symbols_in,
    variables_in,
)
from ..asp.terms import LARGEST
from .encoding import Encoding
from .predicates import GAME, GIVEN, TELLING

_Found = Iterator[tuple[Rule, str]]
_Mistake = tuple[str, str, int | None, str, bool]

_SHOWN_VALUES = 5
_WORDS = GAME | GIVEN | TELLING
_EMPTY = "there is no init/1, so nothing holds at the start: write init(F) for what does"
_NEEDED = {
    "legal": "there is no legal/2, so nobody can move: write legal(R,M) for each move of a role",
    "next": "there is no next/1, so nothing holds after a move: write next(F) for what does",
    "terminal": "there is no terminal, so the game never ends",
    "goal": "there is no goal/2, so nobody can win",
}
_CHANGES = {"next": 1, "init": 1, "base": 1, "default": 1}  # heads that make fluents
_BEFORE_MOVES = {("legal", 2), ("terminal", 0), ("goal", 2), ("init", 1), ("role", 1)}
_BEFORE_MOVES |= {("to_move", 1), ("weight", 2)}
_OF_A_ROLE = {("legal", 2): "legal(R,M)", DOES: "does(R,M)", ("sees", 2): "sees(R,P)"}
_SENTENCES = {("refused", 2): 0, ("in_words", 3): 1, ("because", 3): 1}  # the place of the text
_IGNORED = {
    "Minimize": "nothing is optimized: #minimize, #maximize and :~ have no effect",
    "External": "#external has no effect: the atom never holds",
    "Heuristic": "#heuristic has no effect",
    "Edge": "#edge has no effect",
    "ProjectAtom": "#project has no effect",
    "ProjectSignature": "#project has no effect",
}
_GIVEN_WORDS = {
    TRUE: "is given: write init/1 for the start, and next/1 for what a move brings",
    DOES: "is given: write legal/2 for the moves; each role makes one of them",
}
_TIMED = (
    (("legal", 3), "legal(R,M)"),
    (("does", 3), "does(R,M)"),
    (("occurs", 2), "does(R,M)"),
    (("holds", 2), "true(F) and next(F)"),
    (("goal", 3), "goal(R,N)"),
    (("terminal", 1), "terminal"),
)
_CONSTRAINT = (
    "a constraint forbids no move: a state in which its body holds is an error; "
    "put the condition into legal/2 or terminal"
)
_TERMS = {("init", 1): ("true", 0), ("next", 1): ("true", 0), TRUE: ("true", 0)}
_TERMS |= {("legal", 2): ("does", 1), DOES: ("does", 1)}
_LOOP = "loop_through_negation"
_TURN = re.compile(r"\((-?(?:\d+|[a-z]\w*)-|-1\*)_*[A-Z]\w*\)")
_LARGE_NUMBER = 1 << 27  # numbers of clingo have 32 bits
_MISSPELT_STATEMENTS = 3  # statements; a misspelt word has no more
_MOST_STATEMENTS = 2_000  # statements; larger encodings are generated
_LIKENESS = 0.7  # the similarity, from 0 to 1, at which one word may be a misspelling of another


@dataclass
class TermKind:
    """The names and arities of all fluents, or of all moves."""

    made: dict[Signature, Rule] = field(default_factory=dict)
    asked: dict[Signature, Rule] = field(default_factory=dict)
    makes_any: bool = False
    """Whether a variable stands for some, so that there may be others."""
    asks_any: bool = False


class Linter:
    """Examines an encoding once."""

    def __init__(self, encoding: Encoding, own: Collection[str]) -> None:
        """``own`` are the names of the files to examine."""
        self._main = encoding.sources[-1].path.name
        self._is_sheet, self._adaptations = encoding.is_sheet, encoding.adaptations
        parts = *encoding.parts.values(), encoding.sentences
        every = [statement for part in parts for statement in part][: _MOST_STATEMENTS + 1]
        self._rules = (
            [rule_of(statement) for statement in every] if len(every) <= _MOST_STATEMENTS else []
        )
        self._own = {r: None for r in self._rules if span_of(r.statement).file in own}
        base = {id(statement) for statement in encoding.parts.get("base", ())}
        self._base = [rule for rule in self._rules if id(rule.statement) in base]
        self._heads = {signature for rule in self._rules for signature in rule.heads}
        self._used = {signature for rule in self._rules for signature in rule.body}
        self._below = Dependencies(self._rules)
        # Relations of a sheet that encodings use otherwise got an underscore.
        self._renamed = {s for s in self._heads if encoding.is_sheet and s[0].endswith("_")}
        self.fluents, self.moves = TermKind(), TermKind()
        self._carried: set[Signature] = set()
        self._collect()

    def found(self) -> Iterator[_Mistake]:
        """The mistakes, in the order of the lines: the fields of a ``Mistake``."""
        if not self._own:
            return
        found = [
            (kind, *_split(short_place(rule.statement)), sentence, certain)
            for kind, certain, looked in (
                ("undefined", False, self._undefined()),
                ("unused", False, self._unused()),
                ("unknown_term", False, self._unknown_terms()),
                ("unread", False, self._unread()),
                ("lost", False, self._lost()),
                ("no_such_value", False, self._values()),
                ("text_for_name", False, self._texts_for_names()),
                ("ignored", True, self._ignored()),
                ("moves_too_early", True, self._early_moves()),
                ("captured", True, self._captured()),
                ("not_a_role", True, self._no_roles()),
                ("constraint", True, self._constraints()),
                ("dialect", True, self._other_words()),
                ("large_number", False, self._large_numbers()),
                ("sentence", True, self._sentences()),
                ("unknown_term", True, self._conditions()),
                (_LOOP, False, self._negative_loops()),
                ("single_variable", True, self._single_variables()),
                ("growing", False, self._growing()),
                ("growing", True, self._endless()),
            )
            for rule, sentence in looked
        ]
        found += (("adapted", *_split(place), note, True) for place, note in self._adaptations)
        for name, sentence in _NEEDED.items():
            if (name, len(GAME[name])) not in self._heads:
                yield "missing", self._main, None, sentence, False
        for sentence in self._undefined_in_shared_files():
            yield "undefined", self._main, None, sentence, False
        for sentence in self._never_begun():
            yield "never_holds", self._main, None, sentence, False
        if ("init", 1) not in self._heads:  # perhaps on purpose
            yield "empty_start", self._main, None, _EMPTY, False
        sure = {each[1:3] for each in found if each[-1]}
        yield from sorted(
            each for each in set(found) if each[0] != "growing" or each[-1] or each[1:3] not in sure
        )

    @property
    def _own_base(self) -> Iterable[Rule]:
        return [rule for rule in self._base if rule in self._own]

    @cached_property
    def _domains(self) -> Domains:
        """The terms of each predicate, with an atom for each argument of a pool."""
        return Domains(rule_of(one) for rule in self._base for one in unpooled(rule.statement))

    # --- words ------------------------------------------------------------------------------------

    @cached_property
    def _known(self) -> set[Signature]:
        given = {(name, len(form)) for name, form in GIVEN.items()}
        return self._heads | declared_by(self._rules) | given

    def _unknown_in(self, rules: Iterable[Rule]) -> Iterator[tuple[Rule, Signature]]:
        """The predicates that no rule defines, each once, with the first rule that needs it."""
        first: dict[Signature, Rule] = {}
        for rule in rules:
            for signature in sorted(rule.body - self._known - first.keys()):
                first[signature] = rule
                yield rule, signature

    def _undefined(self) -> _Found:
        for rule, signature in self._unknown_in(self._own):
            file = _sharing().get(signature)
            more = f'; {file} defines it (#include "{file}".)' if file else ""
            more = more or _meant(signature, self._known)
            yield rule, f"{shown(signature)} is never defined{more}"

    def _undefined_in_shared_files(self) -> Iterator[str]:
        """What files that come with aspgames ask of the game that includes them."""
        for rule, signature in self._unknown_in(r for r in self._base if r not in self._own):
            where = f"{shown(signature)} is never defined; {short_place(rule.statement)}"
            yield f"{where} needs it, a rule of a file that this one includes"

    def _unused(self) -> _Found:
        wanted = {(name, len(form)) for name, form in _WORDS.items()}
        made: dict[Signature, list[Rule]] = defaultdict(list)
        for rule in self._own:
            for signature in rule.heads - self._used - wanted - self._renamed:
                made[signature].append(rule)
        for signature, rules in made.items():
            alike = {each for each in wanted if signature[0] == each[0] or signature[1] == each[1]}
            if len(rules) <= _MISSPELT_STATEMENTS and (meant := _meant(signature, alike)):
                yield rules[0], f"{shown(signature)} is never used{meant}"

    def _collect(self) -> None:
        kinds = dict.fromkeys(_CHANGES.items(), (self.fluents, 0))
        kinds["legal", 2] = self.moves, 1
        asking = {("true", 1): (self.fluents, 0), ("does", 2): (self.moves, 1)}
        for rule in self._rules:
            for atom in _atoms(rule.head):
                if found := kinds.get(signature_of(atom)):
                    kind, place = found
                    if signature := _signature(parts_of(atom)[place]):
                        kind.made.setdefault(signature, rule)
                        self._carried |= {signature} if name_of(atom) == "next" else set()
                    else:
                        kind.makes_any = True
            for atom in _atoms(*rule.literals):
                if found := asking.get(signature_of(atom)):
                    kind, place = found
                    signature = _signature(parts_of(atom)[place])
                    if signature and kind.asked.get(signature) not in self._own:
                        kind.asked[signature] = rule
                    elif not signature:  # next(F) :- true(F), … asks for nothing itself
                        kind.asks_any |= rule.heads != {("next", 1)}

    def _unknown_terms(self) -> _Found:
        for kind, sentence in (
            (self.fluents, "no rule makes the fluent {} true"),
            (self.moves, "no move is called {}"),
        ):
            for signature, rule in kind.asked.items():
                if signature not in kind.made and not kind.makes_any and rule in self._own_base:
                    yield rule, sentence.format(shown(signature)) + _meant(signature, kind.made)

    def _unread(self) -> _Found:
        kind = self.fluents
        for signature, rule in kind.made.items():
            meant = (
                "" if signature in kind.asked or kind.asks_any else _meant(signature, kind.asked)
            )
            if meant and rule in self._own:
                yield rule, f"no rule asks for the fluent {shown(signature)}{meant}"

    def _lost(self) -> _Found:
        kind = self.fluents
        for signature, rule in kind.made.items():
            lost = not (kind.makes_any or signature in self._carried) and signature in kind.asked
            if signature[1] and lost and rule in self._own:
                what = f"{shown(signature)} holds at the start and is lost with the first move"
                yield rule, f"{what}: no rule of next/1 carries it on"

    def _never_begun(self) -> Iterator[str]:
        """A fluent that only rules make which need it already, as without its ``init/1``."""
        if self.fluents.makes_any or self.moves.makes_any:
            return
        every = [rule_of(one) for rule in self._base for one in unpooled(rule.statement)]
        rules = [
            (_things(rule.head), _things(*filter(is_positive, rule.literals if rule.plain else ())))
            for rule in every
        ]
        possible = _possible(rules, set())
        left = [
            fluent
            for fluent in self.fluents.made
            if all(("true", fluent) in needs for made, needs in rules if ("true", fluent) in made)
        ]
        then = {fluent: _possible(rules, {("true", fluent)}) for fluent in left}
        if left and len(then[first := max(left, key=lambda each: len(then[each]))]) > len(possible):
            place = short_place(self.fluents.made[first].statement)
            form = f"{first[0]}({','.join('…' * first[1])})" if first[1] else first[0]
            what = f"the fluent {shown(first)} never holds: {place} makes it, but needs it already"
            yield f"{what}; write init({form}) for the start"

    def _values(self) -> _Found:
        """Conditions with a name that an argument never is, and that looks like one that it is.

        Any other name is reported for predicates of files that come with aspgames.
        """
        named = constants_of(self._rules)
        domains = self._domains
        shared = self._heads - {s for rule in self._own for s in rule.heads}
        for rule in self._own_base:
            for literal in rule.literals:
                for signature in literal.signatures if literal.arguments else ():
                    places = zip(literal.arguments, domains.of(signature), strict=True)
                    for place, (given, terms) in enumerate(places, start=1):
                        for one, values, where in _pairs(given, terms, shown(signature), place):
                            name = one.constant
                            if name.lstrip("-").isdigit() or {name, *values} & named:
                                continue
                            near = get_close_matches(name.strip('"'), values, n=1, cutoff=_LIKENESS)
                            if name and name not in values and (near or signature in shared):
                                has = ", ".join(near or sorted(values)[:_SHOWN_VALUES])
                                yield rule, f"{where} is never {name}; did you mean {has}?"

    def _texts_for_names(self) -> _Found:
        names = {
            str(symbol)
            for rule in self._base
            for symbol in symbols_in(rule.statement)
            if symbol.type is SymbolType.Function
        }
        for rule in self._own_base:
            for symbol in symbols_in(rule.statement):
                if symbol.type is SymbolType.String and (name := symbol.string) in names:
                    yield rule, f'the text "{name}" is never equal to {name}, another rule\'s name'

    def _ignored(self) -> _Found:
        for rule in self._own:
            if sentence := _IGNORED.get(kind_of(rule.statement)):
                yield rule, sentence

    def _early_moves(self) -> _Found:
        """What is asked of a state can't depend on moves, which aren't made yet."""
        for rule in self._own_base:
            for head in sorted(rule.heads) if DOES in rule.body else ():
                asking = [s for s in sorted(_BEFORE_MOVES) if self._below.reaches(s, head)]
                if asking:
                    way = "" if asking[0] == head else f" by {shown(head)}"
                    what = f"{shown(asking[0])} depends on does/2{way}"
                    yield rule, f"{what}, but no move is made yet when it is asked for"

    def _no_roles(self) -> _Found:
        """Terms in the place of a role that are none, as in ``legal(noop,R)``."""
        roles = self._domains.of(("role", 1))[0]
        if roles.any or not roles.constants:
            return
        named = constants_of(self._rules)
        for rule in self._own_base:
            for atom in _atoms(rule.head, *rule.literals):
                form = _OF_A_ROLE.get(signature_of(atom))
                first = _signature(parts_of(atom)[0]) if form else None
                if first and not (first[1] == 0 and first[0] in roles.constants | named):
                    text = f"{parts_of(atom)[0]} is no role"
                    yield rule, f"{atom}: {text}; the role is the first argument, as in {form}"

    def _constraints(self) -> _Found:
        """Constraints on states, which forbid no move that leads there."""
        for rule in self._own_base:
            asked = rule.body if rule.head and not rule.heads else frozenset[Signature]()
            if any(self._below.reaches(s, given) for s in asked for given in (TRUE, DOES)):
                yield rule, _CONSTRAINT

    def _other_words(self) -> _Found:
        """Predicates of programs with time steps, and rules for what is given."""
        words = dict(_GIVEN_WORDS)
        if ("legal", 2) not in self._heads:
            what = "has a time step: aspgames import makes rules of one step, with"
            words |= {s: f"{what} {f}" for s, f in _TIMED}
        for rule in self._own_base:
            for head in sorted(rule.heads & words.keys()) if rule.plain else ():
                yield rule, f"{shown(head)} {words.pop(head)}"

    def _captured(self) -> _Found:
        defined = constants_of(rule for rule in self._rules if rule not in self._own)
        shared: dict[str, Rule] = {}
        for rule in self._rules:
            if rule not in self._own:
                for symbol in symbols_in(rule.statement):
                    shared.setdefault(str(symbol), rule)
        for rule in self._own:
            for name in constants_of([rule]) & shared.keys() - defined:
                where = short_place(shared[name].statement)
                yield rule, f"#const {name} replaces the name {name} in {where}, too: rename it"

    def _large_numbers(self) -> _Found:
        for rule in self._own_base if not self._is_sheet else ():
            for symbol in symbols_in(rule.statement):
                if symbol.type is SymbolType.Number and abs(symbol.number) >= _LARGE_NUMBER:
                    what = f"{symbol} is near the largest number, {LARGEST}"
                    yield rule, f"{what}: arithmetic beyond it is an error"

    def _sentences(self) -> _Found:
        for rule in self._own:
            for atom in _atoms(rule.head):
                place = _SENTENCES.get(signature_of(atom))
                if place is None:
                    continue
                text, values = parts_of(atom)[place : place + 2]
                is_text = kind_of(text) == "SymbolicTerm"
                if is_text and kind_of(values) == "Function" and not name_of(values):
                    places, number = str(text).count("{}"), len(parts_of(values))
                    if places != number:
                        yield (
                            rule,
                            f"{text} has {places} places {{}}, and the tuple {number} values",
                        )

    def _conditions(self) -> _Found:
        """Explanations of conditions that no rule has."""
        asking = {("holds", 1), ("fails", 1), ("never", 1), ("because", 3)}
        for rule in self._own:
            for atom in _atoms(rule.head, *rule.literals):
                if signature_of(atom) not in asking:
                    continue
                condition = parts_of(atom)[0]
                signature = _signature(condition)
                if signature and signature not in self._known:
                    yield rule, f"no rule has {shown(signature)}{_meant(signature, self._known)}"
                elif signature in (("legal", 2), DOES) and not self.moves.makes_any:
                    move = _signature(parts_of(condition)[1])
                    if move and move not in self.moves.made:
                        said = _meant(move, self.moves.made)
                        yield rule, f"no move is called {shown(move)}{said}"

    def _single_variables(self) -> _Found:
        """Variables that stand only once in a rule, and so ask for nothing."""
        for rule in self._own if not self._is_sheet else ():
            for name, number in variable_counts(rule.statement).items():
                if number == 1 and not name.startswith("_"):
                    what = f"{name} stands only once in this rule, so it may be anything"
                    yield rule, f"{what}; write _ if that is meant"

    # --- recursion --------------------------------------------------------------------------------

    def _negative_loops(self) -> _Found:
        """Predicates that depend on their own negation, each loop once."""
        loops: dict[frozenset[Signature], list[tuple[Rule, Signature, list[Signature]]]] = {}
        for rule, negated in unstratified(self._rules):
            for head in rule.heads if rule in self._own else ():
                if way := self._way(negated, head):
                    loops.setdefault(frozenset(way), []).append((rule, negated, way))
        for found in loops.values():
            rule, negated, way = found[0]
            steps = [f"{shown(way[-1])} needs not {shown(negated)}"]
            steps += [
                f"{shown(one)} for {shown(other)} ({self._place_of(one, other)})"
                for one, other in pairwise(way)
            ]
            first = min(each for _, each, _ in found)
            yield rule, f"{shown(first)} depends on its own negation: {', '.join(steps)}"

    def _way(self, start: Signature, end: Signature) -> list[Signature]:
        """The shortest path from a predicate to one that it depends on."""
        ways: dict[Signature, list[Signature]] = {start: [start]}
        for predicate in (queue := [start]):
            if predicate == end:
                return ways[end]
            for rule in self._rules:
                for other in sorted(rule.body) if predicate in rule.heads else ():
                    if other not in ways:
                        ways[other] = [*ways[predicate], other]
                        queue.append(other)
        return []

    def _place_of(self, head: Signature, body: Signature) -> str:
        rules = (rule for rule in self._rules if head in rule.heads and body in rule.body)
        return short_place(next(rules).statement)

    def _growing(self) -> _Found:
        """Terms that grow from round to round of the grounding, or from move to move."""
        turned: dict[Signature, set[str]] = defaultdict(set)
        for rule in self._rules:
            for term in _made(rule.head) if rule.head else ():
                turned[_maker(rule)].add(_turn(term))
        for rule in self._own:
            if not rule.head or not rule.plain or len(rule.heads) != 1:
                continue
            head = next(iter(rule.heads))
            inner: set[str] = set()
            outer: set[str] = set()
            for literal in rule.literals:
                again = self._again(literal, head) or (
                    not literal.sign and (head, literal.signatures) == (("next", 1), (TRUE,))
                )
                (inner if again else outer).update(variables_in(literal.node))
            for term in _made(rule.head):
                if _turn(term) and len(turned[_maker(rule)]) == 1:
                    continue  # 3-N: the second time, it is N again
                if (variables := variables_in(term)) and variables <= inner - outer:
                    yield rule, f"{shown(head)} may grow without end: give {term} a bound"
                    break

    def _endless(self) -> _Found:
        """Terms that grow without end, because the last round meets all their conditions."""
        below = self._below
        started = {
            head
            for rule in self._rules
            for head in rule.heads
            if not any(below.reaches(other, head) for other in rule.body)
        }
        for rule, sentence in self._growing():
            assert rule.head is not None  # one that grows has a head
            (head,) = rule.heads
            plain = [given.variable for literal in rule.literals for given in literal.arguments]
            again = all(self._again(literal, head) for literal in rule.literals)
            again &= any(_enlarges(term) for term in _made(rule.head))
            loop = {s for s in started if below.reaches(head, s) and below.reaches(s, head)}
            if again and loop and all(plain) and len(set(plain)) == len(plain):
                yield rule, sentence

    def _again(self, literal: Literal, head: Signature) -> bool:
        return not literal.sign and any(self._below.reaches(s, head) for s in literal.signatures)


def _things(*parts: Literal | None) -> set[tuple[str, Signature]]:
    """The fluents (``true``), moves (``does``) and other predicates in some parts of a rule."""
    found = set[tuple[str, Signature]]()
    for atom in _atoms(*parts):
        signature = signature_of(atom)
        word, place = _TERMS.get(signature, ("", 0))
        if inner := _signature(parts_of(atom)[place]) if word else signature:
            found.add((word, inner))
    return found


def _possible(
    rules: Sequence[tuple[set[tuple[str, Signature]], set[tuple[str, Signature]]]],
    known: set[tuple[str, Signature]],
) -> set[tuple[str, Signature]]:
    """What rules may derive, each a pair of what it derives and what it needs."""
    while more := [made for made, needed in rules if needed <= known and not made <= known]:
        known = known.union(*more)
    return known


def _split(place: str) -> tuple[str, int]:
    file, _, line = place.rpartition(":")
    return file, int(line)


def _pairs(
    given: Argument, terms: Terms, where: str, place: int
) -> Iterator[tuple[Argument, set[str], str]]:
    """An argument and all within it, each with its possible names and its place in words."""
    where = f"argument {place} of {where}"
    if not terms.any and terms.constants:
        yield given, terms.constants, where
    if given.function in terms.functions and not terms.any:
        inner = zip(given.parts, terms.functions[given.function], strict=True)
        for number, (part, its) in enumerate(inner, start=1):
            yield from _pairs(part, its, shown(given.function), number)


def _meant(signature: Signature, known: Iterable[Signature]) -> str:
    """The end of a sentence with the word that was likely meant, or an empty text."""
    name, arity = signature
    arities: Mapping[str, set[int]] = defaultdict(set)
    for other, arguments in known:
        arities[other].add(arguments)
    if name in arities:
        number = " or ".join(map(str, sorted(arities[name])))
        form = f"{name}({','.join(_WORDS[name])})" if _WORDS.get(name) else ""
        return f"; {form or name} has {number} argument{'s' * (number != '1')}, not {arity}"
    near = sorted(
        get_close_matches(name, arities, n=3, cutoff=_LIKENESS),
        key=lambda other: (arity not in arities[other], not _swapped(name, other)),
    )
    if not near:
        return ""
    least = min(arities[near[0]], key=lambda number: (number != arity, number))
    return f"; did you mean {near[0]}/{least}?"


def _swapped(name: str, other: str) -> bool:
    differing = [place for place, (a, b) in enumerate(zip(name, other, strict=False)) if a != b]
    return len(differing) == 2 and any(b - a == 1 for a, b in pairwise(differing))


def _sharing() -> Mapping[tuple[str, int], str]:
    found: dict[tuple[str, int], str] = {}
    folder = encodings_folder()
    for name in ("shared/players.lp", "shared/alternating.lp", "shared/board.lp"):
        text = re.sub(r"#include.*", "", (folder / name).read_text(encoding="utf-8"))
        for statement in parse(Source(folder / name, text)):
            for signature in rule_of(statement).heads:
                found.setdefault(signature, name)
    return found


def _atoms(*parts: Literal | None) -> Iterator[AST]:
    """The terms of the atoms in some parts of a rule."""
    terms = (term for part in parts if part for term in atoms_in(part.node))
    return (term for term in terms if kind_of(term) == "Function")


def _signature(term: AST) -> tuple[str, int] | None:
    if kind_of(term) == "Function":
        return signature_of(term)
    if kind_of(term) == "SymbolicTerm":
        return str(term), 0
    return None


def _maker(rule: Rule) -> Signature:
    """The predicate that a rule derives, or the fluent."""
    (atom, *_) = *_atoms(rule.head), None
    if atom is None:
        return "", 0
    inner = _signature(parts_of(atom)[0]) if signature_of(atom) == ("next", 1) else None
    return inner or signature_of(atom)


def _turn(term: AST) -> str:
    """A term such as ``3-N`` or ``-1*N`` without its variable, else an empty text."""
    found = _TURN.fullmatch(str(term))
    return found[1] if found else ""


def _enlarges(term: AST) -> bool:
    """Whether a term is always a new one, unlike ``N/2``."""
    return kind_of(term) == "Function" or operator_of(term) in "+-"


def _made(head: Literal) -> Iterator[AST]:
    for atom in _atoms(head):
        arguments = parts_of(atom)
        if signature_of(atom) == ("next", 1):
            arguments = parts_of(arguments[0])
        for term in arguments:
            if kind_of(term) in ("BinaryOperation", "Function") and variables_in(term):
                yield term
