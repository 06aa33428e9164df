"""Rules that never fire: their bodies hold in no reachable state.

Random games show most rules that fire. For the rest, clingo's grounder finds out whether they have
any instance if every reachable fluent is open, and every fluent of ``base/1``.
"""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from ..asp.clingo_api import AST, Number, Symbol, Tuple_, atoms_of
from ..asp.dependencies import Dependencies
from ..asp.grounding import Context, Program, Query, ground, parse_statements
from ..asp.node_details import with_body, with_head
from ..asp.nodes import NOWHERE, make_constant, span_of
from ..asp.sources import encodings_folder
from ..asp.statements import DOES, TRUE, Literal, Rule, rule_of
from ..asp.symbols import known_symbol
from ..game.game import Game
from ..propnet.open_grounding import GroundRules
from ..runtime.budget import MOST_RULES_UNASKED, Budget
from ..runtime.errors import LimitReached
from .check_report import NOTE, WARNING, Finding
from .sampled_play import SampledGame

_MOST_STATES = 300
_MOST_IDLE = 30  # states in a row that show no other rule
_FIRES = ("_rule_fires", 1)
_OPEN = parse_statements("""
{ true(F) } :- F = @possible().
{ true(F) } :- next(F).
{ does(R,M) } :- legal(R,M).
""")


class Firing:
    """Looks for the rules of a game that never fire."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._base = game.encoding.statements("base")
        self._rules = [rule_of(statement) for statement in self._base]
        self._below = Dependencies(self._rules)
        shared = encodings_folder() / "shared"
        self.left = {
            n: rule
            for n, rule in enumerate(self._rules)
            if rule.literals and rule.heads and shared not in _file(rule).parents
        }
        """The rules that haven't fired so far, by number; without those of shared files."""
        self._all = dict(self.left)
        self.states = 0
        """The number of states examined."""

    def see(self, lines: Iterable[SampledGame], budget: Budget) -> None:
        """Remove the rules that fire in random games, within the time limit."""
        if not self.left:
            return
        query = Query([*self._base, *self._marked], self._game.constants, [_FIRES])
        met = [
            (state, line.joints[place] if place < len(line.joints) else {})
            for line in lines
            for place, state in enumerate(line.states)
        ]
        random.Random(len(met)).shuffle(met)
        met.sort(key=lambda pair: bool(pair[1]))  # rules about the end fire in last states
        idle = 0
        try:
            for state, does in met[:_MOST_STATES]:
                if not self.left or idle > _MOST_IDLE:
                    return
                left = len(self.left)
                budget.check()
                found = query(
                    [known_symbol(fact) for fact in state.facts],
                    [Tuple_(list(map(known_symbol, each))) for each in does.items()],
                )
                self.states += 1
                self._fired(found[_FIRES])
                idle = idle + 1 if len(self.left) == left else 0
        except LimitReached:
            return

    def findings(self, games: int, budget: Budget) -> list[Finding]:
        """The rules that never fire, and those that didn't fire in the random games."""
        if not self.left:
            return []
        unseen = dict(self.left)
        try:
            self._prove(budget)
        except LimitReached:
            proved: Mapping[int, Rule] = {}
        else:
            proved = self.left
        return [
            _finding(rule, True, None, None)
            if number in proved
            else _finding(rule, False, games, self.states)
            for number, rule in self._whole(unseen).items()
            if not self._follows(rule, unseen.values())
        ]

    def _follows(self, rule: Rule, unseen: Collection[Rule]) -> bool:
        """Whether a rule waits for an option of the game, or for another rule that didn't fire."""
        options = [part for part in rule.literals if part.compares and not part.variables]
        if options:
            query = Query([_marked(rule, 0, options)], self._game.constants, [_FIRES])
            if not query()[_FIRES]:
                return True
        for literal in rule.literals:
            for signature in literal.signatures if literal.sign == 0 else ():
                others = [each for each in self._rules if signature in each.heads]
                if not others and signature not in (TRUE, DOES):
                    return True  # an option that isn't used; the linter reports other such names
                if others and all(
                    each in unseen and not any(self._below.reaches(s, h) for s in each.body)
                    for each in others
                    for h in rule.heads
                ):
                    return True
        return False

    def _whole(self, unseen: dict[int, Rule]) -> dict[int, Rule]:
        """Merge the rules that come from one rule of a sheet with an ``or``."""
        if not self._game.encoding.is_sheet:
            return unseen
        fired = {_place(rule) for number, rule in self._all.items() if number not in unseen}
        first = {_place(rule): number for number, rule in reversed(unseen.items())}
        return {
            number: rule
            for number, rule in unseen.items()
            if _place(rule) not in fired and first[_place(rule)] == number
        }

    def _prove(self, budget: Budget) -> None:
        wanted = [_FIRES, ("next", 1), ("legal", 2)]
        program = Program([*self._base, *self._marked], self._game.constants, wanted)
        vocabulary = self._game.vocabulary
        possible = list(map(known_symbol, sorted({*vocabulary.initial, *vocabulary.base})))
        rules = GroundRules(MOST_RULES_UNASKED, budget)
        statements = [*program.statements, *program.given.values(), *_OPEN]
        context = Context(program.static, possible=lambda: possible)
        try:
            control = ground(program.constants, statements, context, observe=rules.observe)
        finally:
            rules.check()
        self._fired(atoms_of(control, *_FIRES))

    @property
    def _marked(self) -> list[AST]:
        return [_marked(r, number, r.literals) for number, r in self.left.items()]

    def _fired(self, atoms: Iterable[Symbol]) -> None:
        for atom in atoms:
            self.left.pop(atom.arguments[0].number, None)


def _marked(rule: Rule, number: int, body: Sequence[Literal]) -> AST:
    """A rule that tells by its number that the body of a rule holds."""
    marked = with_head(rule.statement, _FIRES[0], [make_constant(NOWHERE, Number(number))])
    return with_body(marked, (part.node for part in body))


def _file(rule: Rule) -> Path:
    return Path(span_of(rule.statement).file)


def _place(rule: Rule) -> int:
    return span_of(rule.statement).first


def _finding(rule: Rule, proved: bool, games: int | None, states: int | None) -> Finding:
    file, line = _file(rule).name, _place(rule)
    if proved:
        text = "the rule never fires: its body holds in no reachable state, whatever is played"
        return Finding("never_fires", WARNING, text, file=file, line=line)
    text = "the rule was not seen to fire"
    return Finding("not_seen_to_fire", NOTE, text, False, file, line, games, states)
