#!/usr/bin/env bash
# clingo==5.8.3 (pip)
#
# Expected: `#include` puts a file's rules in the place of the directive. So a rule behind it belongs to the
# same `#program` part as the rule before it, or, if each file stands for itself, the included rules
# belong to `base`.
#
# What happens: it is the other way round. The included rules join the part of the file that includes
# them, and the rules behind the directive belong to `base`, even if the included file is empty. A file
# that is included a second time is left out, and then the part goes on.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q clingo==5.8.3

cat >seen <<'END'
without #include: step has after before
#include "shared.lp".: step has before shared
#include "empty.lp".: step has before
twice: step has after before shared
END

echo 'shared.' >shared.lp
echo '% no rule' >empty.lp
cat >run.py <<'END'
from pathlib import Path

import clingo


def part(name: str, between: str) -> None:
    Path("main.lp").write_text(f"#program step.\nbefore.\n{between}\nafter.\n")
    control = clingo.Control(logger=lambda *_: None)
    control.load("main.lp")
    control.ground([("step", [])])
    print(f"{name}: step has", *sorted(str(atom.symbol) for atom in control.symbolic_atoms))


part("without #include", "")
part('#include "shared.lp".', '#include "shared.lp".')
part('#include "empty.lp".', '#include "empty.lp".')
part("twice", '#include "shared.lp".\n#program step.\n#include "shared.lp".')
END

venv/bin/python run.py | diff seen -
