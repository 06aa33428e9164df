"""aspgames against its peers, side by side in one run.

Run it with: python benchmarks/peers.py [--only SECTION] [--runs N] [--old PATH]

The peers are python-chess, OpenSpiel, Fairy-Stockfish, our own grounder, and an older checkout of
aspgames if one is named. README.md says how to get them and what is measured. Every figure is the
median of several runs, with the smallest and the largest. The ways to do some work take turns, run
by run. A ratio is our speed divided by the peer's: above 1, ours is faster. Counts of the same
paths must agree, or the run stops. Each section has a process of its own.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version

SECTIONS = (
    "loop",
    "playouts",
    "chance",
    "expectimax",
    "sets",
    "perft",
    "start",
    "build",
    "batch",
    "record",
    "memory",
)
"""The modules in ``sections``. Each is imported when it runs, so that ``memory`` stays small."""


def main() -> None:
    """Print the tables of all sections, or of one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", choices=SECTIONS, help="one section instead of all")
    parser.add_argument("--runs", type=int, default=3, help="runs a figure (3)")
    parser.add_argument("--old", help="the checkout of an older version, to compare with")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("there must be at least one run")
    # Nets from another run would cost nothing. Sections that measure the cache name a directory.
    os.environ["ASPGAMES_CACHE"] = "off"
    if options.only:
        import_module(f"sections.{options.only}").section(options.runs, options.old)
        return
    packages = ("clingo", "numpy", "chess", "open_spiel")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"Python {platform.python_version()}, {versions}; {options.runs} runs", flush=True)
    for name in SECTIONS:
        command = [sys.executable, __file__, "--only", name, "--runs", str(options.runs)]
        subprocess.run(command + (["--old", options.old] if options.old else []), check=True)


if __name__ == "__main__":
    main()
