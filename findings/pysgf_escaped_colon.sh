#!/usr/bin/env bash
# pysgf==1.0.0 (pip), sgfmill==1.1.1 (pip)
#
# Expected: in SGF a backslash makes the next character plain text: `\:` is a colon, which a composed
# property such as AP, LB or AR needs, and a backslash at the end of a line joins two lines (FF[4], "SimpleText"
# and "Text"). A file that is read and written again is the same file, or one with the same meaning.
#
# What happens: pysgf takes a backslash away only before a closing bracket and before another backslash. Any
# other stays in the value and is written as two. So once a file has passed through it, every program, pysgf
# included, shows backslashes that the author did not write.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pysgf==1.0.0 sgfmill==1.1.1

cat >seen <<'END'
0: C[ratio 2\:1] which sgfmill reads as "ratio 2:1"
1: C[ratio 2\\:1] which sgfmill reads as "ratio 2\\:1"
END

cat >run.py <<'END'
import json
import re

import pysgf
from sgfmill import sgf

text = "(;FF[4]GM[1]SZ[9]C[ratio 2\\:1];B[aa])"
for times in range(2):
    comment = re.search(r"C\[.*?\]", text)
    assert comment
    meaning = sgf.Sgf_game.from_string(text).get_root().get("C")
    print(f"{times}: {comment[0]} which sgfmill reads as {json.dumps(meaning)}")
    text = pysgf.GoGame.parse(text).sgf()
END

venv/bin/python run.py | diff seen -
