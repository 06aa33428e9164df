#!/usr/bin/env bash
# gymnasium==1.4.0, numpy==2.4.6 (pip)
#
# Expected: `Box.sample` draws each number of a bounded box uniformly (its docstring). A box with all
# integers of 64 bits, as for hashes of positions, gives other numbers with each draw.
#
# What happens: the sampler adds one to the upper bound in int64, so the largest integer wraps around.
# - All of int64: the interval is empty, and every draw is the smallest integer.
# - All of uint64: the bound becomes 0, and every draw is 0.
# - From 0 to the largest int64: numpy raises, since the interval is reversed.
# Integers of 32 bits are drawn as documented.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q gymnasium==1.4.0 numpy==2.4.6

cat >seen <<'END'
int32: more than 900 values
int64: always -9223372036854775808
uint64: always 0
int64 from 0: ValueError
END

cat >run.py <<'END'
import numpy as np
from gymnasium.spaces import Box


def draws(low: int, high: int, dtype: type) -> str:
    box = Box(low, high, (1000,), dtype)
    box.seed(1)
    try:
        found = {int(number) for number in box.sample()}
    except ValueError:
        return "ValueError"
    if len(found) == 1:
        return f"always {found.pop()}"
    return "more than 900 values" if len(found) > 900 else f"{len(found)} values"


for dtype in (np.int32, np.int64, np.uint64):
    limits = np.iinfo(dtype)
    print(f"{dtype.__name__}:", draws(int(limits.min), int(limits.max), dtype))
print("int64 from 0:", draws(0, int(np.iinfo(np.int64).max), np.int64))
END

venv/bin/python run.py | diff seen -
