"""Optional packages, imported on demand."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import BadRequest


def optional_package(module: str, purpose: str, install: str) -> Any:
    """Import a module. If it is missing, raises ``BadRequest``, which names what to ``install``."""
    try:
        return import_module(module)
    except ImportError:
        raise BadRequest(
            f'{purpose} needs a package that is missing: pip install "{install}"'
        ) from None
