"""What the program uses of clingo's Python API: only this package imports clingo itself."""

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
    "parse_term",
]
