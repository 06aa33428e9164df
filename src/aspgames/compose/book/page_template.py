"""Pages that need nothing but themselves: a template, filled, that runs and applies what it holds.

Where a browser is told by a hash what may run, nothing that a user's game says can.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from ..._version import __version__

_FOLDER = resources.files(__package__)


def embedded(data: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end that."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def filled(
    template: str, values: Mapping[str, str], styles: Sequence[str], scripts: Sequence[str]
) -> str:
    """A template with its places filled, and with the hashes of what it may run and apply.

    ``styles`` are names of files, or styles themselves, which have a brace.
    """
    style = "\n".join(text if "{" in text else read(text) for text in styles)
    script = "\n".join(map(read, scripts))
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {_hash(style)}; script-src {_hash(script)}"
    )
    places = {"version": __version__, **values}
    places |= {"policy": policy, "style": style, "script": script, "player": read("player.html")}
    return _fill(_fill(read(template), {"player": places["player"]}), places)


def _fill(template: str, places: Mapping[str, str]) -> str:
    """The template with what is known put into its places, the others left as they are."""
    return re.sub(r"\{\{(\w+)\}\}", lambda place: places.get(place[1], place[0]), template)


def read(name: str) -> str:
    """The text of a file of this package."""
    return _FOLDER.joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
