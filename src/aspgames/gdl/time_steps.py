"""A program with time steps as an encoding."""

import re
from pathlib import Path

from ..asp.parsing import parse
from ..asp.rewrite.time_steps import one_step_rules
from ..asp.sources import Source, read_sources

_INCREMENTAL = re.compile(r"#include\s*<incmode>\s*\.")


def encoding_of_program(path: Path) -> str:
    """A program with time steps as the text of an encoding (``asp.rewrite.time_steps``).

    Raises ``RulesError`` for a file that can't be read or rewritten.
    """
    sources = read_sources(path.absolute())
    bare = [Source(Path(s.path.name), _INCREMENTAL.sub("", s.text)) for s in sources]
    statements = [statement for source in bare for statement in parse(source, comments=True)]
    dialect, rules = one_step_rules(statements)
    name = re.sub(r"[\W_]+", " ", path.stem).strip().capitalize()
    lines = [f"% {name}: the rules of {path.name}, which has {dialect}.", "", *rules, ""]
    lines += ["#program board.", "", f'title("{name}").', ""]
    return "\n".join(lines)
