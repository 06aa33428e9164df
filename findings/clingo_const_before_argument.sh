#!/usr/bin/env bash
# clingo==5.8.3 (pip)
#
# Expected: the parameter of a program part stands for the argument that `Control.ground` is called with,
# as the parameter of a function hides a global of the same name. So `a(t)` in `#program step(t).`,
# grounded for 5, is a(5).
#
# What happens: a constant of that name, whether by `#const` (also behind the part, or in another file) or by
# `-c`, replaces the parameter. The argument is ignored without a message, and all steps of an
# incremental program are the same step: the second time even the redefinition of its atoms goes unnoticed.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q clingo==5.8.3

cat >seen <<'END'
without a constant: a(5) a(6)
#const in front: a(3)
#const behind: a(3)
-c t=3: a(3)
another name: a(5) a(6)
END

cat >run.py <<'END'
import clingo


def ground(program: str, *options: str) -> str:
    messages: list[str] = []
    control = clingo.Control(options, logger=lambda _, text: messages.append(text))
    control.add(program)
    for step in (5, 6):
        control.ground([("step", [clingo.Number(step)])])
        assert control.solve().satisfiable
    assert not messages
    return " ".join(sorted(str(atom.symbol) for atom in control.symbolic_atoms))


PART = "#program step(t). a(t)."
print("without a constant:", ground(PART))
print("#const in front:", ground(f"#const t=3. {PART}"))
print("#const behind:", ground(f"{PART} #program base. #const t=3."))
print("-c t=3:", ground(PART, "-c", "t=3"))
print("another name:", ground(f"#const u=3. {PART}"))
END

venv/bin/python run.py | diff seen -
