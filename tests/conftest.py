"""Before any test: the search is compiled once, not by every worker at the same time."""

from __future__ import annotations

import os

import pytest

import aspgames


def pytest_configure(config: pytest.Config) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ and not config.option.collectonly:
        position = aspgames.load("breakthrough", width=2, height=4).initial
        aspgames.solve(position, attacker="white", goal="win", within=1)
