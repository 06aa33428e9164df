"""Optional packages, imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import BadRequest


def optional_package(module: str, purpose: str, install: str) -> Any:
    """Import a module. Raises ``BadRequest``, which names what to ``install``, if it is missing."""
    try:
        return import_module(module)
    except ImportError:
        raise BadRequest(
            f'{purpose} needs a package that is missing: pip install "{install}"'
        ) from None
