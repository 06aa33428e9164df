"""What the program uses of clingo's Python API: only this package imports clingo itself."""

from collections.abc import Iterator

from clingo import Backend as Backend
from clingo import Control as Control
from clingo import Function as Function
from clingo import Model as Model
from clingo import Number as Number
from clingo import String as String
from clingo import Symbol as Symbol
from clingo import SymbolType as SymbolType
from clingo import Tuple_ as Tuple_
from clingo import parse_term as parse_term
from clingo.ast import AST as AST
from clingo.backend import HeuristicType as HeuristicType


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
