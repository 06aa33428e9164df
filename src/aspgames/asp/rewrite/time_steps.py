"""Rewrites programs with time steps as encodings of one step (``one_step_rules``).

Such a program chooses an action at each step, ``occurs(A,T)``, and says what holds at the next one.
Here the state is ``true/1``, the action ``does/2``, and the next state ``next/1``. What follows in
a state from other things there keeps its name, without the step. The choice becomes ``legal/2``. A
constraint on an action forbids it. A constraint on a state forbids the actions that lead there, so
all that follows from an action is then derived for each possible one. What must hold at the last
step ends the game and wins it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from itertools import count, pairwise
from operator import itemgetter

from clingo import Function, ast

from ...runtime.errors import RulesError
from ..node_details import bounds_of, elements_of
from ..nodes import (
    NOWHERE,
    is_negated,
    is_positive,
    make_constant,
    make_function,
    make_variable,
    span_of,
    with_atoms,
    with_names,
)
from ..statements import (
    DOES,
    TRUE,
    Literal,
    Rule,
    Signature,
    literal_of,
    rule_of,
    shown,
    variables_in,
)
from .dialects import chosen_in, is_met
from .step_phases import (
    ACTIONS,
    END,
    MOVE,
    NEW,
    OLD,
    SAME,
    START,
    bare,
    dialect_of,
    is_choice,
    made_by,
    phase_of,
    phased,
    refusal,
)

_WIDTH = 100
_FLUENTS = {"holds": "", "true": "", "no_holds": "no", "no_true": "no"}
"""Predicates whose only argument is a fluent, and the name of a term around it."""
_LEGAL = {("legal", 2)}
_OURS = {TRUE, DOES, ("next", 1), ("goal", 2), ("role", 1), *_LEGAL}
_WAITING = "noop"


def one_step_rules(statements: Sequence[ast.AST]) -> tuple[str, list[str]]:
    """The name of the dialect of a program with time steps, and the lines of its encoding.

    Comments among the statements are kept. Raises ``RulesError`` with the place of what can't be
    rewritten, and for programs without time steps.
    """
    dialect = dialect_of(statements)
    try:
        return dialect, _OneStepRules(phased(statements)).lines(statements)
    except RulesError as error:
        text = "" if dialect == "time steps" else f" (the program has {dialect})"
        raise RulesError(f"{error}{text}") from None


def _settled(found: set[Signature], wrong: Callable[[], set[Signature]]) -> set[Signature]:
    """The set without its wrong members, which may make others wrong."""
    while bad := wrong() & found:
        found -= bad
    return found


class _OneStepRules:
    """A program with phases in the names of its atoms, and its rules of one step."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = _without_needless_phases(rules)
        self._texts: list[tuple[tuple[str, int], str]] = []  # the place and the text of each rule
        self._needed: list[tuple[Signature, str]] = []  # what also is derived for another state
        self._tries = False  # whether what follows is derived for each possible move
        self._legal, self._done = "legal", "does"
        every = {s for rule in self._rules for s in rule.heads | rule.body}
        self._names = {bare(s)[0] for s in every}
        self._made_here = {bare(s) for r in self._rules if not is_choice(r) for s in made_by(r)}
        self._classify(every)
        self._rules = [self._resolved(rule) for rule in self._rules]
        self._choices = [r for r in self._rules if is_choice(r)]
        # Whether the first argument of each action is a role.
        self._has_roles = ("does", 2) in self._actions or ("role", 1) in self._made_here
        self._has_roles &= all(number > 1 for _, number in self._actions)

    # --- what the predicates are ------------------------------------------------------------------

    def _classify(self, every: Iterable[Signature]) -> None:
        timed = {bare(s) for s in every if phase_of(s[0])}
        self._actions = {bare(s) for r in self._rules if is_choice(r) for s in made_by(r)}
        self._actions |= {s for s in timed if s[0] in ACTIONS and s not in self._made_here}
        if not self._actions:
            raise RulesError("the rules choose no action, as in 1 { occurs(A,T) : action(A) } 1")
        if both := self._actions & self._made_here:
            raise RulesError(f"{shown(min(both))} is chosen, and also made by a rule")
        self._timed = timed - self._actions
        plain = [r for r in self._rules if r.heads and not is_choice(r)]
        heads = [(bare(head), phase_of(head[0]), rule) for rule in plain for head in rule.heads]
        carried = {s for s, _, r in heads if any(phase_of(b[0]) == OLD for b in r.body)}
        moving = set(self._actions)  # and what follows from them in the same step
        while (
            more := {
                s
                for s, phase, r in heads
                if any(bare(b) in moving and phase_of(b[0]) == phase for b in r.body)
            }
            - moving
        ):
            moving |= more
        moving -= self._actions
        acts = {phase_of(s[0]) for s in every if bare(s) in self._actions}
        self._late = OLD not in acts and (NEW in acts or bool(moving & carried))
        """Whether an action has the step of the state after it, not of the state before it."""
        stored = {s for s, phase, _ in heads if phase != SAME} - moving
        if self._late:
            stored |= carried | {s for s, phase, _ in heads if phase == START}
            read = {s for r in self._rules for s in r.body}
            stored |= {bare(s) for s in read if phase_of(s[0]) in (OLD, END)}
        stored &= self._timed
        derived = self._timed & {s for s, _, _ in heads} - (set() if self._late else moving)
        others = {s for s, phase, _ in heads if phase != SAME}
        self._derived = _settled(
            derived,
            lambda: (
                others
                | {
                    s
                    for s, _, r in heads
                    if any(phase_of(b[0]) and bare(b) not in derived | stored for b in r.body)
                }
            ),
        )
        self._passing = self._timed - self._derived - stored
        """The predicates of what happens in a move, such as ``moved(B,T)``."""

    def _fresh(self, name: str) -> str:
        """The name with underscores that no predicate has."""
        return next(n for k in count() if (n := name + "_" * k) not in self._names)

    # --- atoms and rules in our words -------------------------------------------------------------

    def _resolved(self, rule: Rule) -> Rule:
        """A rule in which actions and what happens in a move have the phase of a move."""
        moving = self._actions | self._passing
        signatures = {*rule.body, *(made_by(rule) | rule.heads if rule.head else ())}
        every = {phase_of(s[0]) for s in signatures} - {"", START}
        phases = {phase_of(s[0]) for s in signatures if bare(s) in moving} - {START}
        if not phases:
            return rule
        if not phases <= ({SAME, NEW} if self._late else {SAME, OLD}) and every != {NEW}:
            raise refusal(rule, "it looks at an action of another step")
        state = NEW if self._late else OLD

        def changed(name: str, terms: Sequence[ast.AST]) -> tuple[str, Sequence[ast.AST]]:
            (one, number), phase = bare((name, len(terms))), phase_of(name)
            if phase in ("", START):
                return name, terms
            if (one, number) in moving:
                return one + MOVE, terms
            return one + (state if phase == SAME or every == {NEW} else phase), terms

        return rule_of(with_atoms(rule.statement, changed))

    def _made(self, node: ast.AST, here: str, tried: Sequence[ast.AST] = ()) -> ast.AST:
        """A part of a rule in our words; ``here`` is the phase of what holds at any one step."""

        def changed(name: str, terms: Sequence[ast.AST]) -> tuple[str, Sequence[ast.AST]]:
            (one, number), phase = bare((name, len(terms))), phase_of(name)
            own = self._static(one, number)
            if not phase:
                return own, terms
            where = here if phase == SAME else OLD if phase == END else phase
            of_move = [*tried, *terms] if where in (NEW, MOVE) else terms
            if (one, number) in self._actions:
                made = self._action(one, terms)
                return (self._fresh("tried"), [*tried, *made]) if tried else (self._done, made)
            if (one, number) in self._passing or ((one, number) in self._derived and where == OLD):
                return own, of_move
            if (one, number) in self._derived:
                if ((one, number), where) not in self._needed:
                    self._needed.append(((one, number), where))
                return self._fresh(f"{'next' if where == NEW else 'first'}_{one}"), of_move
            fluent = _term(one, terms)
            if one in _FLUENTS and len(terms) == 1:
                fluent = _term(_FLUENTS[one], terms) if _FLUENTS[one] else terms[0]
            if where == NEW and tried:
                return self._fresh("after"), [*tried, fluent]
            return {OLD: "true", NEW: "next", START: "init"}[where], [fluent]

        return with_atoms(node, changed)

    def _static(self, name: str, number: int) -> str:
        """The name of a predicate that isn't a fluent: its own, if it means nothing else here."""
        kept = {("goal", 2), ("role", 1), ("legal", 2)} if self._has_roles else set()
        other = (name, number) in (
            _OURS - kept if self._legal == "legal" else _OURS - kept | _LEGAL
        )
        return self._fresh(f"{name}_") if other else name

    def _action(self, name: str, terms: Sequence[ast.AST]) -> list[ast.AST]:
        """The role and the move of an action."""
        role, *rest = terms if self._has_roles else [_term("player", ()), *terms]
        return [role, rest[0] if name in ACTIONS and len(rest) == 1 else _term(name, rest)]

    def _write(
        self, rule: Rule, here: str, head: str = "", body: Iterable[Literal] | None = None
    ) -> None:
        """Add a rule in our words, perhaps with another head or body."""
        literals = rule.literals if body is None else list(body)
        parts = literals if head or not rule.head else [*literals, rule.head]
        phases = {phase for part in parts for phase in _phases(part)}
        tried: list[ast.AST] = []
        if self._tries and (phases & {MOVE, NEW} or (here == NEW and SAME in phases)):
            used = variables_in(rule.statement)
            names = ("Role", "Move")
            tried = [make_variable(NOWHERE, n + "_" * (n in used)) for n in names]
        of_move = f"({','.join(map(str, tried))})"
        shown = [str(self._made(part.node, here, tried)) for part in literals]
        shown = [self._fresh("possible") + of_move] * bool(tried) + shown
        if not head and rule.head:
            head = str(self._made(rule.head.node, here, tried))
        self._add(rule, head.replace("()", of_move), shown)

    def _add(self, rule: Rule | None, head: str, body: Sequence[str]) -> None:
        span = span_of(rule.statement) if rule else None
        found = ((span.file, span.first) if span else ("~", 0)), wrapped(head, body)
        if head not in body and found not in self._texts:  # not init(F) :- init(F)
            self._texts.append(found)

    # --- the whole program ------------------------------------------------------------------------

    def lines(self, statements: Sequence[ast.AST]) -> list[str]:
        """All rules in our words, with the comments among the statements."""
        most, least, limits, ends = self._sorted()
        self._tries = any(map(self._looks_ahead, limits))
        waits = self._choose(most, least, bool(limits))
        self._done = self._fresh("acts") if waits else "does"
        for rule in self._rules:
            if rule.heads and not is_choice(rule):
                self._rule(rule)
        for rule in limits:
            if self._tries:
                self._write(rule, NEW, self._fresh("forbidden") + "()")
                continue
            act = next(part for part in rule.literals if MOVE in _phases(part))
            named = with_names(act.node, (f"Any{n}" for n in count(1)))
            made = str(self._made(named, OLD)).removeprefix(self._done)
            rest = [str(self._made(p.node, OLD)) for p in rule.literals if p is not act]
            body = [self._fresh("possible") + made, *rest]
            self._add(rule, self._fresh("forbidden") + made, body)
        for rule in ends:
            self._write(rule, OLD, self._fresh("unsolved"))
        for one, where in self._needed:  # which grows
            for rule in self._rules:
                if one in map(bare, rule.heads) and not is_choice(rule):
                    self._write(rule, where)
        return self._page(self._frame(bool(limits), bool(ends), waits), statements)

    def _sorted(self) -> tuple[bool, bool, list[Rule], list[Rule]]:
        """Whether constraints allow one action a step at most, and at least; the others by use."""
        most = least = False
        limits, ends = list[Rule](), list[Rule]()
        for rule in self._rules:
            phases = {phase_of(s[0]) for s in rule.body} - {"", START}
            if rule.heads or is_choice(rule) or not phases:
                continue
            acts = [part for part in rule.literals if MOVE in _phases(part)]
            if END in phases and phases != {END}:
                raise refusal(rule, "it joins the last step to another one")
            if END in phases:
                ends.append(rule)
            elif phases == {MOVE} and is_met(
                [literal_of(self._made(part.node, OLD)) for part in rule.literals]
            ):
                terms = [str(given.node) for part in acts for given in part.arguments]
                general = all(re.match("[A-Z_]", term) for term in terms)
                most |= general and len(acts) == 2
                least |= general and len(rule.literals) == 1
            else:
                limits.append(rule)
        return most, least, limits, ends

    def _looks_ahead(self, rule: Rule) -> bool:
        """Whether a constraint needs what follows from an action."""
        acts = [part for part in rule.literals if MOVE in _phases(part)]
        known = {bare(s) for part in acts for s in part.signatures} <= self._actions
        ahead = {phase_of(name) for name, _ in rule.body} & {NEW, SAME}
        return bool(ahead) or len(acts) != 1 or not (known and is_positive(acts[0]))

    def _choose(self, most: bool, least: bool, limited: bool) -> bool:
        """Write the moves; returns whether a role that could move may also wait."""
        waits = False
        if len(self._choices) > 1:
            what = "a second choice at one step; rules here have one move for each role"
            raise refusal(self._choices[1], what)
        self._legal = self._fresh("possible") if limited else "legal"
        for rule in self._choices:
            assert rule.head is not None
            least_one, most_one = _bounds(rule)
            elements = [
                (literal_of(chosen_in(first)), list(map(literal_of, rest)))
                for _, (first, *rest) in elements_of(rule.head.node)
            ]
            own = [part.arguments[int(self._has_roles) :] for part, _ in elements]
            inner = {v for terms in own for given in terms for v in given.variables}
            free = bool(inner & {v for part in rule.literals for v in part.variables})
            if (free or not most_one) and not most:
                raise refusal(rule, "several actions at one step: a role has one move here")
            if NEW in {phase_of(s[0]) for s in rule.heads | rule.body}:
                raise refusal(rule, "the choice looks at the state after the action")
            waits = (free or not least_one) and not least
            body = [p for p in rule.literals if not (is_negated(p) and "terminal" in str(p.node))]
            for part, conditions in elements:
                terms = [given.node for given in part.arguments]
                role, move = self._action(bare(part.signatures[0])[0], terms)
                self._write(rule, OLD, f"{self._legal}({role},{move})", [*conditions, *body])
            turns = any(map(_phases, body))
            if self._has_roles and self._tries and (waits or not turns):
                raise refusal(rule, "a constraint on the state after moves of several roles")
            if self._has_roles and turns:
                self._write(rule, OLD, f"{self._fresh('active')}({role})", body)
                idle = ["role(R)", f"not {self._fresh('active')}(R)"]
                self._add(None, f"legal(R,{_WAITING})", idle)
        return waits

    def _rule(self, rule: Rule) -> None:
        if not rule.plain:
            raise refusal(rule, "it is no rule with one head, and no choice of an action")
        (head,) = rule.heads
        one, phase = bare(head), phase_of(head[0])
        if phase == OLD:
            raise refusal(rule, f"{one[0]} depends on a later step")
        if phase == SAME and one in self._derived:
            self._write(rule, OLD)
            return
        if phase in (SAME, NEW, MOVE):
            self._write(rule, NEW)
        if phase in (SAME, START, ""):
            self._write(rule, START)

    def _frame(self, limited: bool, has_ends: bool, waits: bool) -> list[str]:
        """The rules that join the others."""
        fresh, made = self._fresh, self._made_here
        role, who = ("R", ["role(R)"]) if self._has_roles else ("player", list[str]())
        moves, possible = fresh("movable"), f"{fresh('possible')}(R,M)"
        idle = [f"M != {_WAITING}"] if waits else []
        found: list[tuple[object, str, list[str]]] = [
            (not self._has_roles, "role(player)", []),
            (waits, f"{self._legal}(R,{_WAITING})", ["role(R)"]),
            (waits, f"{fresh('acts')}(R,M)", ["does(R,M)", *idle]),
            (limited, "legal(R,M)", [possible, f"not {fresh('forbidden')}(R,M)"]),
            (self._tries, f"{fresh('tried')}(R,M,R,M)", [possible, *idle]),
            (self._tries, "next(F)", ["does(R,M)", f"{fresh('after')}(R,M,F)"]),
            (has_ends, fresh("solved"), [f"not {fresh('unsolved')}"]),
            (has_ends and ("terminal", 0) not in made, "terminal", [fresh("solved")]),
        ]
        scored = has_ends and not (("goal", 2) in made and self._has_roles)
        found += [
            (scored, f"goal({role},100)", [*who, fresh("solved")]),
            (scored, f"goal({role},0)", [*who, f"not {fresh('solved')}"]),
            (not self._has_roles, moves, ["legal(_,_)"]),
            (not self._has_roles, "terminal", [f"not {moves}"]),
        ]
        return [wrapped(head, body) for wanted, head, body in found if wanted]

    def _page(self, frame: Sequence[str], statements: Sequence[ast.AST]) -> list[str]:
        """The lines of all rules, with the constants that they use, and with comments."""
        words = {word for _, text in self._texts for word in re.findall(r"\w+", text)}
        texts = list(self._texts)
        for one in reversed(statements):
            place = span_of(one).file, span_of(one).first
            if one.ast_type is ast.ASTType.Definition and one.name in words:
                words |= {*re.findall(r"\w+", str(one.value))}
                texts.append((place, str(one)))
            if one.ast_type is ast.ASTType.Comment:
                comment = [f"% {line.strip('%* ')}" for line in one.value.splitlines()]
                texts.insert(0, (place, "\n".join(comment)))
        lines = list[str]()
        for before, text in pairwise(
            ["%", *(text for _, text in sorted(texts, key=itemgetter(0)))]
        ):
            lines += [""] * (text[0] == "%" and before[0] != "%") + [text]
        return [*lines, "", "% The rules of one step.", *frame]


def _without_needless_phases(rules: Sequence[Rule]) -> list[Rule]:
    """The rules without phases of what never changes, such as all facts of telingo's programs."""
    seen = {s for r in rules for s in r.heads | r.body if phase_of(s[0])}
    starting = set(map(bare, seen)) - {bare(s) for s in seen if phase_of(s[0]) != START}
    made = [(bare(s), phase_of(s[0]), r) for r in rules for s in made_by(r)]
    constant = {s for s, phase, r in made if phase == SAME and not is_choice(r)}
    others = {s for s, phase, r in made if phase != SAME or is_choice(r)}
    constant = starting | _settled(
        constant,
        lambda: (
            others
            | {
                s
                for s, _, r in made
                if any(phase_of(b[0]) and bare(b) not in constant for b in r.body)
            }
        ),
    )

    def changed(name: str, terms: Sequence[ast.AST]) -> tuple[str, Sequence[ast.AST]]:
        one = bare((name, len(terms)))
        return one[0] if one in constant else name, terms

    return [rule_of(with_atoms(rule.statement, changed)) for rule in rules]


def _phases(part: Literal) -> set[str]:
    return {phase_of(name) for name, _ in part.signatures} - {""}


def _bounds(rule: Rule) -> tuple[bool, bool]:
    """Whether a rule chooses one atom at least, and at most."""
    assert rule.head is not None
    found = {"".join(text.split()) for text in bounds_of(rule.head.node, "N")}
    one = {"1=N", "N=1"}
    return bool(found & {"1<=N", "N>=1", *one}), bool(found & {"N<=1", "1>=N", *one})


def _term(name: str, terms: Sequence[ast.AST]) -> ast.AST:
    if not terms:
        return make_constant(NOWHERE, Function(name))
    return make_function(NOWHERE, name, terms)


def wrapped(head: str, body: Sequence[str]) -> str:
    """A rule as lines of text."""
    body = [part for part in body if part != "#true"]
    sign = "; " if any(" : " in part for part in body) else ", "
    text = f"{head} :- {sign.join(body)}." if body else f"{head}."
    if '"' in text:
        return text  # which may have blanks
    text = re.sub(r"(?<=[(,])\(([^(),]*)\)(?=[),])|(?<== )\(([^(),]*)\)", r"\1\2", text)
    joined = text.replace("not ", "not\0")
    lines = textwrap.wrap(joined, _WIDTH, subsequent_indent="    ", break_long_words=False)
    return "\n".join(lines).replace("\0", " ")
