"""Public rule sheets of GDL-II: how many load and play, and why others are refused.

Give it the folders of checkouts: sjl/scully, Zac-OS/deep-hi-ggp, YannouRavoet/ggp_python,
Entze/pyggp, hharryyf/gdl-ii2slk, hharryyf/gdl2ssat, radekmie/rg, junwonpk/deepthinker.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

_HIDDEN = re.compile(
    r"\(\s*role\s+random\s*\)|\(\s*sees\s|\bsees\(|\brole\(random\)", re.IGNORECASE
)


def main() -> None:
    """Print a line for each sheet, and how many play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="folders with sheets")
    parser.add_argument("--time", type=float, default=120, help="seconds a sheet (120)")
    asked = parser.parse_args()
    found = Counter[str]()
    for folder in asked.folders:
        for path in sorted([*folder.rglob("*.gdl"), *folder.rglob("*.kif")]):
            if path.is_file() and _HIDDEN.search(path.read_text(errors="replace")):
                verdict = judged(path, asked.time)
                found[verdict.partition(":")[0]] += 1
                print(f"{path.relative_to(folder.parent)}: {verdict}", flush=True)
    print(*(f"{kind}: {number}" for kind, number in found.most_common()), sep=", ")


def judged(path: Path, seconds: float) -> str:
    """Whether a sheet plays, or the reason why not. Infix sheets are imported first."""
    said = ran(seconds, "playout", str(path), "-n", "20")
    if "infix form" not in said:
        return said
    with TemporaryDirectory() as folder:
        imported = str(Path(folder) / "game.lp")
        said = ran(seconds, "import", str(path), "-o", imported)
        return ran(seconds, "playout", imported, "-n", "20") if said == "plays" else said


def ran(seconds: float, *words: str) -> str:
    """``plays``, or the error of a command of aspgames."""
    command = [sys.executable, "-m", "aspgames", *words]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"slow: no answer within {seconds:g} s"
    if ended.returncode == 0:
        return "plays"
    return "refused: " + " ".join(ended.stderr.split()).removeprefix("aspgames: ")


if __name__ == "__main__":
    main()
