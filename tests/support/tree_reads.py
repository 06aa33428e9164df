"""A plugin of mypy: an attribute of clingo's syntax trees is an error outside ``aspgames.asp``."""

from collections.abc import Callable
from pathlib import Path

from mypy.plugin import AttributeContext, FunctionContext, MethodContext, Plugin
from mypy.types import Instance, Type

_TREE = "clingo.ast.AST."


def _refuse(found: AttributeContext | FunctionContext | MethodContext, name: str) -> None:
    place = Path(found.api.path).absolute().as_posix()
    if "/src/aspgames/" in place and "/src/aspgames/asp/" not in place:
        wrong = f"{name!r} of a syntax tree is read outside aspgames.asp: ask asp.nodes for it"
        found.api.fail(wrong, found.context)


class TreeReads(Plugin):
    """Looks at each attribute and each method of ``clingo.ast.AST``."""

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Check an attribute of a node."""

        def check(found: AttributeContext) -> Type:
            _refuse(found, fullname.removeprefix(_TREE))
            return found.default_attr_type

        return check if fullname.startswith(_TREE) else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Check a call of a node's method; all nodes may be compared and written as text."""

        def check(found: MethodContext) -> Type:
            _refuse(found, fullname.removeprefix(_TREE))
            return found.default_return_type

        return check if fullname.startswith(_TREE) and "__" not in fullname else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Check a call of ``getattr``."""

        def check(found: FunctionContext) -> Type:
            kinds = [each for each in found.arg_types[0] if isinstance(each, Instance)]
            if any(f"{kind.type.fullname}." == _TREE for kind in kinds):
                _refuse(found, "getattr")
            return found.default_return_type

        return check if fullname == "builtins.getattr" else None


def plugin(_version: str) -> type[Plugin]:
    """The class that mypy asks for."""
    return TreeReads
