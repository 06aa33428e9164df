"""The command line: one module for each verb."""

import _signal  # type: ignore[import-not-found] # in every Python; signal itself imports others, which a Ctrl-C could break
import os


def main(arguments: list[str] | None = None) -> None:
    """Run a command line and exit with its code. Any error is one line on standard error."""
    try:  # noqa: SIM105 (contextlib imports others)
        _signal.signal(_signal.SIGINT, _end)
    except ValueError:  # not the main thread: it has no signals to handle
        pass
    from .start import start  # here, so that a Ctrl-C during the imports is handled, too

    start(arguments)


def _end(*_: object) -> None:
    """End at once: nothing has begun.

    Within an import, Python may turn an exception into another one. A verb replaces this handler
    when its work begins.
    """
    try:  # noqa: SIM105
        os.write(2, b"aspgames: interrupted\n")
    except OSError:  # standard error is closed
        pass
    os._exit(130)
