"""Functions of clingo's C API that its Python module lacks, or that are slower there.

They are reached through private names of clingo's ``cffi`` module.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

import clingo
from clingo import ast

try:
    from clingo._internal import _ffi, _lib  # type: ignore[attr-defined]
except ImportError as error:
    needed = "clingo._internal with _ffi and _lib, as clingo 5.8 has them"
    raise ImportError(f"aspgames needs {needed}; this is {clingo.__version__}") from error

Address = int
_TYPES = {kind.value: kind for kind in ast.ASTType}
_NAME, _ARGUMENTS = _lib.clingo_ast_attribute_name, _lib.clingo_ast_attribute_arguments
ATOM, SYMBOL = _lib.clingo_ast_attribute_atom, _lib.clingo_ast_attribute_symbol


def observe(control: clingo.Control, callbacks: Mapping[str, Address], data: Address) -> None:
    """Pass the ground rules of a control to functions in C instead of its solver.

    ``callbacks`` are named like the members of ``clingo_ground_program_observer_t``.
    """
    observer = _ffi.new("clingo_ground_program_observer_t *")
    for name, address in callbacks.items():
        setattr(observer, name, _ffi.cast(_ffi.typeof(getattr(observer, name)), address))
    pointer = _ffi.cast("void *", data)
    _check(_lib.clingo_control_register_observer(control._rep, observer, True, pointer))


def without_solver(control: clingo.Control) -> None:
    """Don't pass the ground rules of a control to its solver, which would take most of the time."""
    observe(control, {}, 0)


def addresses(functions: Iterable[str]) -> list[Address]:
    """The addresses of some functions of the API."""
    return [int(_ffi.cast("uintptr_t", _ffi.addressof(_lib, name))) for name in functions]


def facts_of(
    control: clingo.Control, name: str, arity: int, known: int = 0
) -> list[clingo.Symbol] | None:
    """The atoms of a predicate, in the order of their derivation; None unless all are facts.

    The first ``known`` atoms are left out.
    """
    atoms = _facts(control, name, arity, known)
    if atoms is None:
        return None
    return [clingo.Symbol(atom) for atom in atoms]  # type: ignore[no-untyped-call]


def arguments_of(
    control: clingo.Control, name: str, arity: int, known: int = 0
) -> list[list[int]] | None:
    """The arguments of the same atoms, each as clingo's number for it (``Symbol._rep``)."""
    atoms = _facts(control, name, arity, known)
    arguments, size = _ffi.new("clingo_symbol_t const **"), _ffi.new("size_t *")
    found = []
    for atom in atoms or ():
        _lib.clingo_symbol_arguments(atom, arguments, size)
        found.append(_ffi.unpack(arguments[0], arity))
    return None if atoms is None else found


class SharedTerms(dict[int, clingo.Symbol]):
    """SharedTerms by clingo's numbers for them, each with one object."""

    def __init__(self) -> None:
        super().__init__()
        self._arguments, self._size = _ffi.new("clingo_symbol_t const **"), _ffi.new("size_t *")

    def __missing__(self, number: int) -> clingo.Symbol:
        self[number] = clingo.Symbol(number)  # type: ignore[no-untyped-call]
        return self[number]

    @staticmethod
    def number(term: clingo.Symbol) -> int:
        """clingo's number for a term."""
        return int(term._rep)

    def arguments(self, number: int) -> list[int]:
        """The arguments of a term."""
        _lib.clingo_symbol_arguments(number, self._arguments, self._size)
        size = self._size[0]
        return list(_ffi.unpack(self._arguments[0], size)) if size else []


def _facts(control: clingo.Control, name: str, arity: int, known: int) -> list[int] | None:
    atoms = control.symbolic_atoms._rep
    signature = _ffi.new("clingo_signature_t *")
    at = _ffi.new("clingo_symbolic_atom_iterator_t *")
    answer, symbol = _ffi.new("bool *"), _ffi.new("clingo_symbol_t *")
    _check(_lib.clingo_signature_create(name.encode(), arity, True, signature))
    _check(_lib.clingo_symbolic_atoms_begin(atoms, signature, at))
    following, is_valid = _lib.clingo_symbolic_atoms_next, _lib.clingo_symbolic_atoms_is_valid
    is_fact, term = _lib.clingo_symbolic_atoms_is_fact, _lib.clingo_symbolic_atoms_symbol
    found = []
    for _ in range(known):
        following(atoms, at[0], at)
    while is_valid(atoms, at[0], answer) and answer[0]:
        if not is_fact(atoms, at[0], answer) or not answer[0]:
            return None
        _check(term(atoms, at[0], symbol))
        found.append(symbol[0])
        _check(following(atoms, at[0], at))
    return found


def nodes_in(node: ast.AST, *kinds: ast.ASTType | str) -> Iterator[ast.AST]:
    """A node and all its descendants, or those of some types, from left to right."""
    wanted = [(ast.ASTType[kind] if isinstance(kind, str) else kind).value for kind in kinds]
    left = [node]
    while left:
        node = left.pop()
        kind, parts = _kind_and_parts(node)
        if not wanted or kind in wanted:
            yield node
        left += reversed(parts)


def type_of(node: ast.AST) -> ast.ASTType:
    """The type of a node."""
    kind = _ffi.new("int *")
    _lib.clingo_ast_get_type(node._rep, kind)
    return _TYPES[kind[0]]


def child_of(node: ast.AST, attribute: int) -> ast.AST:
    """The node that is an attribute of a node: a literal's ``ATOM``, an atom's ``SYMBOL``."""
    child = _ffi.new("clingo_ast_t **")
    _check(_lib.clingo_ast_attribute_get_ast(node._rep, attribute, child))
    return ast.AST(child[0])  # type: ignore[no-untyped-call]


def signature_of(term: ast.AST) -> tuple[str, int]:
    """The name and the number of arguments of a function, or of an atom's term."""
    name, arity = _ffi.new("char const **"), _ffi.new("size_t *")
    _check(_lib.clingo_ast_attribute_get_string(term._rep, _NAME, name))
    _check(_lib.clingo_ast_attribute_size_ast_array(term._rep, _ARGUMENTS, arity))
    return _ffi.string(name[0]).decode(), arity[0]


def parts_of(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, in order: a rule's head and conditions, a function's arguments."""
    return _kind_and_parts(node)[1]


def _kind_and_parts(node: ast.AST) -> tuple[int, list[ast.AST]]:
    rep, kind = node._rep, _ffi.new("int *")
    _lib.clingo_ast_get_type(rep, kind)
    found: list[ast.AST] = []
    if not (attributes := _child_attributes(kind[0])):
        return kind[0], found
    size, part = _ffi.new("size_t *"), _ffi.new("clingo_ast_t **")
    for attribute, get in attributes:
        if get is not None:
            _check(get(rep, attribute, part))
            if part[0]:
                found.append(ast.AST(part[0]))  # type: ignore[no-untyped-call]
            continue
        _check(_lib.clingo_ast_attribute_size_ast_array(rep, attribute, size))
        for index in range(size[0]):
            _check(_lib.clingo_ast_attribute_get_ast_at(rep, attribute, index, part))
            found.append(ast.AST(part[0]))  # type: ignore[no-untyped-call]
    return kind[0], found


@cache
def _child_attributes(kind: int) -> list[tuple[int, Callable[..., bool] | None]]:
    """The attributes of a type of node that hold nodes, with their reader; None for an array."""
    getters = {
        _lib.clingo_ast_attribute_type_ast: _lib.clingo_ast_attribute_get_ast,
        _lib.clingo_ast_attribute_type_optional_ast: _lib.clingo_ast_attribute_get_optional_ast,
        _lib.clingo_ast_attribute_type_ast_array: None,
    }
    constructor = _lib.g_clingo_ast_constructors.constructors[kind]
    arguments = [constructor.arguments[place] for place in range(constructor.size)]
    return [(each.attribute, getters[each.type]) for each in arguments if each.type in getters]


def _check(fine: bool) -> None:
    if not fine:
        raise RuntimeError(_ffi.string(_lib.clingo_error_message()).decode())
