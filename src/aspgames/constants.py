"""The values of an encoding's constants, as clingo computes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import clingo
from clingo import ast


def evaluate(definitions: Sequence[ast.AST], given: Mapping[str, int | str]) -> dict[str, str]:
    """The terms that all constants stand for; a default may have other constants in it."""
    names = sorted({statement.name for statement in definitions})
    control = clingo.Control([f"-c{name}={value}" for name, value in given.items()])
    with ast.ProgramBuilder(control) as builder:
        for statement in definitions:
            builder.add(statement)
    control.add("base", [], "".join(f'value("{name}",{name}).' for name in names))
    control.ground([("base", [])])
    atoms = control.symbolic_atoms.by_signature("value", 2)
    values = {a.symbol.arguments[0].string: str(a.symbol.arguments[1]) for a in atoms}
    return {name: values[name] for name in names}
