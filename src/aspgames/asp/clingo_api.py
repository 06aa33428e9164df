"""What the program uses of clingo's Python API: only this package imports clingo itself."""

from collections.abc import Iterator

from clingo import (
    Backend,
    Control,
    Function,
    Model,
    Number,
    String,
    Symbol,
    SymbolType,
    Tuple_,
    parse_term,
)
from clingo.ast import AST
from clingo.backend import HeuristicType

__all__ = [
    "AST",
    "Backend",
    "Control",
    "Function",
    "HeuristicType",
    "Model",
    "Number",
    "String",
    "Symbol",
    "SymbolType",
    "Tuple_",
    "atom_count",
    "atoms_of",
    "has_atom",
    "limit_conflicts",
    "parse_term",
]


def limit_conflicts(control: Control, most: int | None) -> None:
    """Let the solver give up after so many conflicts; None is no limit."""
    control.configuration.solve.solve_limit = f"{most or 'umax'},umax"  # type: ignore[union-attr]


def atoms_of(control: Control, name: str, arity: int) -> Iterator[Symbol]:
    """The ground atoms of a predicate, facts or not."""
    return (atom.symbol for atom in control.symbolic_atoms.by_signature(name, arity))


def atom_count(control: Control) -> int:
    """The number of ground atoms."""
    return len(control.symbolic_atoms)


def has_atom(control: Control, atom: Symbol) -> bool:
    """Whether an atom occurs in the ground program."""
    return atom in control.symbolic_atoms
