"""Rule sheets that are sent to others."""

from __future__ import annotations

from pathlib import Path

from ..errors import BadRequest, UnknownGame
from ..gdl.importing import text_of
from ..ggp.messages import read_rules


def read_sheet_rules(path: str) -> str:
    """The rules of a sheet as messages have them. Raises ``AspgamesError``."""
    if not path.endswith(".kif"):
        raise BadRequest(f"{path} is no rule sheet: its name must end in .kif")
    if not Path(path).is_file():
        raise UnknownGame(f"there is no file {path!r}")
    try:
        return read_rules(text_of(Path(path)))
    except BadRequest as error:
        raise BadRequest(f"{path}: {error}") from None
