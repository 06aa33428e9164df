"""Scripts in a new Python process, and the modules that they import."""

import sys
from pathlib import Path

from cli_helpers import Run, run


def python(
    script: str, *arguments: str, cwd: Path | None = None, environment: dict[str, str] | None = None
) -> Run:
    """The result of a script."""
    return run("-c", script, *arguments, cwd=cwd, environment=environment, program=[sys.executable])


def imported_by(statements: str) -> set[str]:
    """The modules that some statements import in a new process."""
    result = python(f"import sys\n{statements}\nprint('\\n', *sys.modules)")
    assert (result.code, result.err) == (0, "")
    return set(result.out.splitlines()[-1].split())


def imported_by_program(*arguments: str) -> set[str]:
    """The modules that the program imports for a command line."""
    return imported_by(
        "from aspgames.cli import main\n"
        f"try: main({list(arguments)})\n"
        "except SystemExit as ended: assert ended.code == 0"
    )
