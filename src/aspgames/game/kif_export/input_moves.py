"""The relation ``input`` of a rule sheet: every move that a role can ever make.

It has more moves than play can reach, since each argument of a move is bounded by itself.
"""

from collections.abc import Iterable, Sequence

from ...gdl.kif.names import unused
from ...gdl.kif.sheet import Function, SheetLiteral, SheetRule, Variable
from .arithmetic import ArgumentPlace, Arithmetic
from .rule_text import term_of

_MOST = 2000  # terms at one argument


def inputs(arithmetic: Arithmetic, legal: Iterable[Function], taken: set[str]) -> list[SheetRule]:
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
    if any(len(found) > _MOST for found in values.values()):
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
