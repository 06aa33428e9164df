"""The values of an encoding's constants, as clingo computes them."""

import re
from collections.abc import Mapping, Sequence

import clingo
from clingo import ast

from ..runtime.errors import RulesError, one_line
from .clingo_api import atoms_of
from .nodes import add_statements
from .parsing import place_of
from .rewrite.domains import value_range
from .terms import LARGEST

_NUMBER = re.compile(r"-?[0-9]+\Z")


def evaluate(definitions: Sequence[ast.AST], given: Mapping[str, int | str]) -> dict[str, str]:
    """The values of all constants. A default may contain other constants.

    Raises ``RulesError`` with file and line for a constant without exactly one value.
    """
    places = _places(definitions)
    messages: list[str] = []
    options = [f"-c{name}={value}" for name, value in given.items()]
    control = clingo.Control(options, logger=lambda _, message: messages.append(message))
    try:
        add_statements(control, definitions)
        names = sorted(places)
        control.add("base", [], "".join(f'value("{name}",{name}).' for name in names))
        control.ground([("base", [])])
    except RuntimeError as error:
        message = next((m for m in messages if "error" in m), str(error))
        raise RulesError(one_line(message)) from None
    values: dict[str, str] = {}
    for atom in atoms_of(control, "value", 2):
        name, value = atom.arguments[0].string, str(atom.arguments[1])
        if name in values:
            raise RulesError(f"{places[name]}: the constant {name} has several values")
        values[name] = value
    for name in names:
        if name not in values:
            raise RulesError(f"{places[name]}: the constant {name} has no value")
    numbers = {name: int(value) for name, value in values.items() if _NUMBER.match(value)}
    for statement in definitions:
        if statement.name not in given and not value_range(statement.value, {}, numbers).fits:
            wrong = f"the value of the constant {statement.name} is too large"
            raise RulesError(f"{places[statement.name]}: {wrong}: numbers go up to {LARGEST:,}")
    return {name: values[name] for name in names}


def _places(definitions: Sequence[ast.AST]) -> dict[str, str]:
    places: dict[str, str] = {}
    for statement in definitions:
        place = place_of(statement)
        if statement.name in places:
            first = places[statement.name]
            raise RulesError(f"{place}: the constant {statement.name} is defined in {first}, too")
        if not statement.is_default:
            raise RulesError(f"{place}: constants are set from outside: [override] can't be used")
        places[statement.name] = place
    return places
