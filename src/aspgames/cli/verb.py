"""The common parts of all verbs: groups of parameters, limits, and a separate process."""

import math
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import cleandoc
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import click

from ..runtime.budget import SECONDS, Budget
from ..runtime.errors import BadRequest
from .files import refuse_overwriting, refuse_unwritable, written_files
from .program import HelpContext
from .start import begin_work
from .supervisor import supervise

MEMORY = "aspgames.memory"
"""The key in a context's ``meta`` for the limit on memory [bytes], which may be None."""
ROOM = float(1 << 30)  # bytes for the rules and their net, if --memory limits a search
_SETTINGS: dict[Any, dict[str, Any]] = {
    int: {"type": int},
    float: {"type": float},
    bool: {"is_flag": True, "default": False},
    tuple: {"multiple": True},
}
"""Settings of options, by the type of their variables."""


class UnwatchedVerb(click.Command):
    """A verb that runs in the program's first process, without limits."""

    context_class = HelpContext

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        begin_work()
        return super().invoke(ctx)


class Verb(UnwatchedVerb):
    """A verb that runs in its own process, under a supervisor.

    It always has the options ``--time`` and ``--memory``. A function with parameters for them
    (``seconds`` and ``memory``) respects them itself; the supervisor ends it if it doesn't.
    """

    def __init__(self, *arguments: Any, spare: float | None = 0.0, **settings: Any) -> None:
        """``spare``: time beyond ``--time`` [s]; None if ``--time`` limits parts of the work."""
        super().__init__(*arguments, **settings)
        self._spare = spare
        has = {parameter.name for parameter in self.params}
        self._added = [made.make(name, float) for name, made in _LIMITS.items() if name not in has]
        place = next((i for i, p in enumerate(self.params) if p.name == "as_json"), len(has))
        self.params[place:place] = self._added

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb: in its own process, unless a test calls it as a function."""
        begin_work()  # the child inherits the handler of Ctrl-C
        seconds, memory = ctx.params["seconds"], memory_bytes(ctx.params["memory"])
        Budget(seconds)  # refuses invalid limits
        ctx.meta[MEMORY] = memory
        for option in self._added:
            del ctx.params[str(option.name)]
        if ctx.find_root().obj:
            kept_to = "memory" in ctx.params
            most_bytes = memory + ROOM if memory and kept_to else memory
            whole = None if seconds is None or self._spare is None else seconds + self._spare
            late = None if "seconds" in ctx.params else 0.0  # it doesn't end by itself
            code = supervise(whole, most_bytes, late)
            if code is not None:
                return code
        return super().invoke(ctx)


class ParameterGroup:
    """Parameters of a verb: class variables made by ``argument`` and ``option``."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    @classmethod
    def parameters(cls) -> dict[str, click.Parameter]:
        """The parameters by name, those of base classes first."""
        found, kinds = {}, get_type_hints(cls)
        for each in reversed(cls.__mro__):
            for name, made in vars(each).items():
                if isinstance(made, _Parameter):
                    found[name] = made.make(name, kinds[name])
        return found


class _Parameter:
    """A parameter that is made when its name and type are known."""

    def __init__(self, make: Callable[[str, Any], click.Parameter]) -> None:
        self.make = make


def verb(
    *, example: str, watched: bool = True, lists: Mapping[str, str] | None = None, **settings: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a verb from a module's function, with a command that runs as written in its help.

    The module's name is the verb's. The function gets an instance of each ``ParameterGroup`` among
    the types of its parameters; ``as_json`` adds the option ``--json``. A verb that isn't
    ``watched`` runs in the program's first process. ``lists`` has texts of tables for the places
    ``{NAME}`` of the help.
    """

    def decorate(function: Callable[..., Any]) -> click.Command:
        kinds = get_type_hints(function)
        groups = {name: kind for name, kind in kinds.items() if _is_group(kind)}
        parameters = [made for group in groups.values() for made in group.parameters().values()]
        if "as_json" in kinds:
            parameters.append(option("--json", "Print JSON.").make("as_json", bool))

        @wraps(function)
        def callback(**values: Any) -> Any:
            refuse_overwriting(values)
            refuse_unwritable(*written_files(values))
            made = {
                name: group(**{each: values.pop(each) for each in group.parameters()})
                for name, group in groups.items()
            }
            return function(**made, **values)

        help_text = function.__doc__ or ""
        for place, text in (lists or {}).items():
            help_text = help_text.replace(f"{{{place}}}", text.replace("\n", "\n    "))
        name = function.__module__.rpartition(".")[2]
        return click.command(
            name.strip("_").replace("_", "-"),
            cls=Verb if watched else UnwatchedVerb,
            params=parameters,
            help=cleandoc(help_text),
            epilog=f"\b\nExample:\n  {example}",
            **settings,
        )(callback)

    return decorate


def _is_group(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, ParameterGroup)


def argument(**settings: Any) -> Any:
    """A variable of a group that is an argument of the command line, for ``click.Argument``."""
    return _Parameter(lambda name, _: click.Argument([name], **settings))


def option(spec: str, text: str, default: Any = None, **settings: Any) -> Any:
    """A variable of a group that is an option of the command line: ``-o, --output FILE``.

    Its type comes from the variable: a flag for ``bool``, a repeatable option for a tuple. The help
    shows the default. ``settings`` are for ``click.Option``.
    """
    names, _, metavar = spec.replace(", ", ",").partition(" ")

    def parameter(name: str, kind: Any) -> click.Option:
        shown = {} if default is None else {"default": default, "show_default": True}
        kind = get_args(kind)[0] if isinstance(kind, UnionType) else kind
        typed = _SETTINGS.get(get_origin(kind) or kind, {})
        words = [*names.split(","), name]
        return click.Option(words, help=text, metavar=metavar or None, **(shown | typed | settings))

    return _Parameter(parameter)


def memory_bytes(mib: float | None) -> float | None:
    """A limit on memory [bytes]. Raises ``BadRequest`` for an invalid limit."""
    if mib is not None and not 0 < mib * 2**20 < math.inf:
        raise BadRequest(f"the limit on memory must be a finite number above zero, not {mib}")
    return None if mib is None else mib * 2**20


_LIMITS: dict[str, Any] = {
    "seconds": option(
        "--time SECONDS", f"Give up after this time ({SECONDS:g}).", SECONDS, show_default=False
    ),
    "memory": option(
        "--memory MIB",
        "Limit the memory, with --workers that of each process; default: three quarters of "
        "the machine's.",
    ),
}
"""The limits of verbs that don't have their own."""
