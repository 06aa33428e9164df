"""Each planted bug is found and made as small as it goes, with the rule that decides it."""

import shlex
import sys
from pathlib import Path

import pytest

from cli_helpers import check, run
from paths import SUPPORT
from planted_engine import BUGS

ENGINE = SUPPORT / "planted_engine.py"
# A second or two; the others take longer, mostly for the nets of their games.
QUICK = {"a side without pieces not ended"}


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in BUGS]
)
def test_a_planted_bug_is_found_and_made_small(tmp_path: Path, name: str) -> None:
    bug = BUGS[name]
    command = shlex.join([sys.executable, str(ENGINE), name])
    constants = [word for constant in bug.constants for word in ("-c", constant)]
    found = run(
        "crosscheck", bug.game, *constants, "--against", f"cmd:{command}", "--time", "60", "--json",
        cwd=tmp_path, timeout=180,
    )  # fmt: skip
    assert found.code == 1, found.err
    report = check(found.json, "crosscheck")
    assert not report["agree"]
    (disagreement,) = report["disagreements"]
    assert disagreement["kind"] == bug.kind
    pieces = [fact for fact in disagreement["position"] if fact.startswith("cell(")]
    assert len(pieces) == bug.pieces, disagreement["fen"]
    if bug.decided_by:
        first = disagreement["decided_by"][0]
        assert first["rule"] == bug.decided_by
        assert first["exact"]

    if bug.because:
        assert bug.because in " ".join(r["sentence"] for r in disagreement["why"]["reasons"])

    # The command that the report gives shows it again.
    again = run(*shlex.split(disagreement["reproduce"])[1:], "--json", cwd=tmp_path, timeout=180)
    assert again.code == 1, again.err
    assert again.json["disagreements"][0]["position"] == disagreement["position"]
    assert again.json["disagreements"][0]["kind"] == bug.kind
