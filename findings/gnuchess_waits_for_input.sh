#!/usr/bin/env bash
# gnuchess==6.2.7-1+deb12u1 (Debian 12, amd64)
#
# Expected: an engine of the Chess Engine Communication Protocol answers `protover 2` with its features, and
# ends them with `feature done=1`. It flushes each line (section 5 of the protocol: "be sure to flush"), and
# `gnuchess --xboard` sends `feature done=0` first, so an interface waits for `done=1` as long as it takes.
#
# What happens: through a pipe no line comes, until more input does: the lines stay in the buffer of the
# standard output. An interface that waits for `feature done=1` before it writes on, as xboard does, waits
# for ever. `gnuchess --uci` answers at once, so polyglot can play it under xboard.
#
# Seen on 2026-11-29: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
apt-get download gnuchess=6.2.7-1+deb12u1 >/dev/null 2>&1
dpkg -x gnuchess_*.deb unpacked

cat >seen <<'END'
--xboard: feature done=1 is not there after 3 seconds
--uci: uciok is there after 3 seconds
END

cat >run.py <<'END'
import subprocess
import threading
import time

program = "unpacked/usr/games/gnuchess"
for mode, said, awaited in (
    ("--xboard", "xboard\nprotover 2\n", "feature done=1"),
    ("--uci", "uci\n", "uciok"),
):
    engine = subprocess.Popen([program, mode], stdin=-1, stdout=-1, text=True)
    lines = []
    read = (lines, engine.stdout)
    threading.Thread(target=lambda to, pipe: to.extend(pipe), args=read, daemon=True).start()
    engine.stdin.write(said)
    engine.stdin.flush()
    time.sleep(3)
    print(f"{mode}: {awaited} is", *["not"] * (f"{awaited}\n" not in lines), "there after 3 seconds")
    engine.kill()
END
python3 run.py | diff seen -
