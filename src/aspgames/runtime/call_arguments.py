"""Checks of the arguments of calls, and of optional packages: an error is one line."""

from importlib import import_module
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from .arguments import quote
from .budget import Budget
from .errors import AspgamesError, BadRequest


def whole_number(
    value: Any,
    what: str,
    least: int | None = None,
    most: int | None = None,
    error: type[AspgamesError] = BadRequest,
) -> int:
    """A whole number, Python's or numpy's, within bounds. Anything else raises the error."""
    try:
        found = None if isinstance(value, bool) else index(value)
    except TypeError:
        found = None
    if found is None or not ((least is None or found >= least) and (most is None or found <= most)):
        bounds = "" if least is None else f" from {least} {'on' if most is None else f'to {most}'}"
        raise error(f"{what} must be a whole number{bounds}, not {quote(value)}")
    return found


def file_to_replace(path: str | PathLike[str], what: str) -> Path:
    """The file at a path, with links followed. It need not exist. Raises ``BadRequest``."""
    file = Path(fspath(path))
    try:
        if file.is_symlink():
            file = file.resolve()
        if not file.exists() or file.is_file():
            return file
        kind = "is a folder, not a file" if file.is_dir() else "isn't a file"
    except (OSError, RuntimeError, ValueError) as error:
        raise BadRequest(f"{fspath(path)} can't be used: {error}") from None
    raise BadRequest(f"{fspath(path)} {kind} {what}")


def check_budget(value: object) -> Budget:
    """The value, or a budget without limits for None. Raises ``BadRequest``."""
    if value is None:
        return Budget()
    if not isinstance(value, Budget):
        raise BadRequest(f"the budget must be a Budget, not {quote(value)}")
    return value


def check_progress(value: Any) -> None:
    """Raise ``BadRequest`` unless the value is a function."""
    if not callable(value):
        raise BadRequest(f"progress must be a function, not {quote(value)}")


def optional_package(module: str, purpose: str, install: str) -> Any:
    """Import a module. If it is missing, raises ``BadRequest``, which names what to ``install``."""
    try:
        return import_module(module)
    except ImportError:
        raise BadRequest(
            f'{purpose} needs a package that is missing: pip install "{install}"'
        ) from None


def no_show(_text: str) -> None:
    """Show nothing."""
