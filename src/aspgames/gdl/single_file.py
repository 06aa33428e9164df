"""An encoding as one file: the rules with the files that they include."""

import re
from collections.abc import Mapping

from ..runtime.errors import BadRequest
from .encoding import Encoding


def single_file(encoding: Encoding, constants: Mapping[str, int | str]) -> str:
    """The rules and all included files as one text, which plain clingo takes as well.

    Args:
        encoding: The rules, as an answer-set program.
        constants: The values of its constants.

    Raises:
        BadRequest: The rules are a sheet in KIF.
    """
    if encoding.is_sheet:
        raise BadRequest(
            f"{encoding.name} is a rule sheet: aspgames import makes an encoding of it"
        )

    def defined(found: re.Match[str]) -> str:
        return f"{found[1]}{constants.get(found[2], found[3])}."

    parts = []
    for source in encoding.sources:
        if source.bare.strip():  # not only comments
            text = re.sub(r"(?m)^(#const\s+(\w+)\s*=\s*)([^.]*)\.", defined, source.text.strip())
            text = "\n".join(line.rstrip() for line in text.splitlines())
            parts.append(f"% ===== {source.path.name} =====\n#program base.\n\n{text}\n")
    return "\n".join(parts)
