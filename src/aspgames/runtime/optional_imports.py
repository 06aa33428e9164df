"""Packages that aspgames doesn't need but for some of its work."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import BadRequest


def optional_package(module: str, purpose: str, install: str) -> Any:
    """A module that is needed for some purpose only.

    Raises ``BadRequest``, which says what to ``install``, if it is missing.
    """
    try:
        return import_module(module)
    except ImportError:
        raise BadRequest(
            f'{purpose} needs a package that is missing: pip install "{install}"'
        ) from None
