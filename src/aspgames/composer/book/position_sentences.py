"""Nets of sentences about positions: why the rules refuse one, what has ended the game, and the
chances of ``random``'s moves.

A net's roles are the sentences, and a role's goal is 1 where its sentence is true. So a page asks
it as it asks the net of the rules, about the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count

from ...asp.clingo_api import AST, Function, String, Symbol, SymbolType, Tuple_, parse_term
from ...asp.grounding import parse_statements
from ...asp.nodes import atom_of, is_negated, is_positive
from ...asp.statements import Rule, Signature, needed_rules, rule_of
from ...game.game import Game
from ...game.phrases import sentence, text_of
from ...gdl.encoding import Encoding
from ...gdl.predicates import CHANCE
from ...gdl.rulebook import line_of
from ...propnet.circuit import Circuit, Outputs, build
from ...propnet.gate_tables import Tables
from ...propnet.open_grounding import OpenProgram
from ...propnet.table_writer import write_tables
from ...runtime.budget import Budget
from ...runtime.errors import AspgamesError, RulesError

_ASKED: tuple[Signature, ...] = (("goal", 2),)
_SENTENCES = """
goal(refused(S,A),1) :- refused(S,A).
goal(over(S,A),1)    :- because(_,S,A).
goal(over(S,A),1)    :- otherwise(_,S,A), not because(_,_,_).
#defined otherwise/3.
#defined because/3.
goal(refused("the position lacks {}",(F,)),1) :- default(F), not true(F).
"""
HOLE = "\1"
"""It stands for an argument in the form of a sentence."""
_ANONYMOUS = re.compile(r"\b_\b")


def position_sentences(
    game: Game, tables: Tables, budget: Budget
) -> tuple[list[tuple[str, str, int, str]], Tables] | None:
    """Parts of sentences, and their net with the rows of ``tables``; None if there is none.

    A part is a kind, a form with ``HOLE`` for each argument, an argument's place, and its text.
    It is true if a true sentence has it. So a hole is filled if it has one true part, or is alone.

    The kinds are ``refused``; ``over`` for what has ended the game, as explanations have it; and
    ``rule`` for the comment of the rule that has ended the game. Sentences about the end are left
    out if their rules can't be a net.
    """
    for endings in (True, False):
        try:
            circuit, goals = _goals(partial(_statements, game, endings), game, tables, budget)
            parts: dict[tuple[str, str, int, str], list[int]] = {}
            for atom, literal in goals:
                for part in _parts(atom):
                    parts.setdefault(part, []).append(literal)
        except AspgamesError:
            budget.check()
            continue
        if parts:
            ones = [circuit.disjunction(literals) for literals in parts.values()]
            return list(parts), _net_of(ones, circuit, tables)
    return None


def weights_of_moves(
    game: Game, tables: Tables, budget: Budget
) -> tuple[list[tuple[int, int]], Tables]:
    """The moves of ``random`` by number, each with a number of chances, and the net of these.

    A pair is true in a position if ``weight/2`` gives the move so many chances there.
    Raises ``RulesError`` if that is no whole number of at least 1.
    """
    rules = f"goal(chances(M,N),1) :- legal({CHANCE},M), weight(M,N)."
    statements = [*game.encoding.checked(game.constants, "base"), *parse_statements(rules)]
    asked = [rule.statement for rule in needed_rules(list(map(rule_of, statements)), _ASKED)]
    circuit, goals = _goals(lambda: asked, game, tables, budget)
    pairs, ones = list[tuple[int, int]](), list[int]()
    for atom, literal in goals:
        move, number = atom.arguments
        if number.type is not SymbolType.Number or number.number < 1:
            raise RulesError(f"weight/2: {number} is no whole number of at least 1")
        if (CHANCE, str(move)) in tables.move_numbers:
            pairs.append((tables.move_numbers[CHANCE, str(move)], number.number))
            ones.append(literal)
    return pairs, _net_of(ones, circuit, tables)


def _goals(
    statements: Callable[[], Sequence[AST]], game: Game, tables: Tables, budget: Budget
) -> tuple[Circuit, list[tuple[Symbol, int]]]:
    """A circuit of rules, and its literals for the goals of those that are no roles of the game."""
    known = tables.names.certain, tables.names.fluents
    program = OpenProgram(statements, game.constants)
    circuit, outputs = build(program.ground(*known, False, budget=budget))
    goals = ((role, literal) for (role, _), literal in outputs.goal.items())
    return circuit, [(parse_term(role), one) for role, one in goals if role not in game.roles]


def _net_of(literals: Sequence[int], circuit: Circuit, tables: Tables) -> Tables:
    """A net with a role for each literal, whose goal is 1 where the literal is true."""
    names = list(map(str, range(len(literals))))
    goals = {(name, 1): literal for name, literal in zip(names, literals, strict=True)}
    known = tables.names.certain, tables.names.fluents
    return write_tables(names, circuit, Outputs(goal=goals), *known, True, ())


def _parts(atom: Symbol) -> Iterator[tuple[str, str, int, str]]:
    form, arguments = atom.arguments
    holes = Tuple_([String(HOLE) for _ in arguments.arguments])
    text = sentence(Function(atom.name, [form, holes]))
    for place, term in enumerate(arguments.arguments or [holes]):
        yield atom.name, text, place, text_of(term)


def _statements(game: Game, endings: bool) -> Sequence[AST]:
    """The rules for the sentences, with or without those about the end of the game."""
    encoding, rules = game.encoding, [_SENTENCES]
    statements = list(encoding.checked(game.constants, "base", "board", "position"))
    if endings:
        statements += (*encoding.parts.get("why", ()), *encoding.sentences)
        base = [rule_of(statement) for statement in encoding.statements("base")]
        for rule, comment in _endings(encoding, base, ("terminal", 0)):
            rules += _stated(rule)
            if comment:
                body = "; ".join(_conditions(rule)) or "#true"
                form = String(comment.replace("{", "{{").replace("}", "}}"))
                rules.append(f"goal(rule({form},()),1) :- {body}.")
    statements += parse_statements("\n".join(rules))
    return [rule.statement for rule in needed_rules(list(map(rule_of, statements)), _ASKED)]


def _endings(
    encoding: Encoding, rules: Sequence[Rule], wanted: Signature, above: str = ""
) -> Iterator[tuple[Rule, str]]:
    """The rules for a predicate and for predicates that are their only conditions, with comments.

    Each comment is as near as possible to the conditions; a rule without one speaks for itself. A
    rule with rules below has none.
    """
    for rule in rules:
        if wanted not in rule.heads or not rule.plain:
            continue
        line = line_of(encoding, rule.statement)
        comment = line.comment or above
        below: list[tuple[Rule, str]] = []
        if len(rule.literals) == 1 and is_positive(rule.literals[0]):
            (only,) = rule.literals
            if all(given.variable or str(given.node) == "_" for given in only.arguments):
                others = [other for other in rules if other is not rule]
                below = list(_endings(encoding, others, only.signatures[0], comment))
        yield rule, "" if below else comment or f"Its rule: {line.rule}"
        yield from below


def _conditions(rule: Rule) -> list[str]:
    """The conditions of a rule, with names for the anonymous variables of positive atoms."""
    numbers = count()
    return [
        _ANONYMOUS.sub(lambda _: f"Any{next(numbers)}", str(literal.node))
        if is_positive(literal)
        else str(literal.node)
        for literal in rule.literals
    ]


def _stated(rule: Rule) -> Iterator[str]:
    """What holds and what fails where a rule applies, for the sentences: see ``Explainer``."""
    conditions = _conditions(rule)
    body = "; ".join(conditions) or "#true"
    assert rule.head is not None  # these rules derive an atom
    yield f"holds({rule.head.node}) :- {body}."
    for condition, literal in zip(conditions, rule.literals, strict=True):
        if literal.signatures == (("to_move", 1),):
            continue  # whose turn it is ends no game
        if is_positive(literal):
            yield f"holds({condition}) :- {body}."
        elif is_negated(literal) and not _ANONYMOUS.search(condition):
            yield f"fails({atom_of(literal.node)}) :- {body}."
