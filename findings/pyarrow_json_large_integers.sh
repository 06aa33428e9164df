#!/usr/bin/env bash
# pyarrow==26.0.1, polars==2.1.0, duckdb==2.0.1 (pip)
#
# Expected: hashes of positions are numbers of 64 bits without sign, so half of them are above 2**63 - 1. JSON lines
# have their digits in full. A reader that infers types keeps such a number or refuses it: numbers are int64, and double
# only where one isn't an integer (page "Reading JSON files" of pyarrow, "Automatic Type Inference").
#
# What happens: one such number turns the column of pyarrow's `read_json` into doubles, with the numbers that fit, and
# without a message. Neighbouring hashes become equal: 6 positions are 2 below. A join with the hashes of another file
# finds wrong ones or none. Files without a large number are read right. With uint64 in an explicit schema pyarrow keeps
# the numbers. polars and DuckDB keep them without.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1

cat >seen <<'END'
small: 3 hashes
  pyarrow: 3 int64, as written: True
  pyarrow, schema: 3 uint64, as written: True
  polars: 3 Int64, as written: True
  duckdb: 3 BIGINT, as written: True
large: 6 hashes
  pyarrow: 2 double, as written: False
  pyarrow, schema: 6 uint64, as written: True
  polars: 6 Int128, as written: True
  duckdb: 6 HUGEINT, as written: True
END

cat >run.py <<'END'
import json

import duckdb
import polars
import pyarrow
import pyarrow.json

SMALL = [2**62 + 1, 2**62 + 2, 2**62 + 3]
SCHEMA = pyarrow.json.ParseOptions(
    explicit_schema=pyarrow.schema([("hash", pyarrow.uint64())])
)
for name, hashes in ("small", SMALL), ("large", [*SMALL, *(2**63 + n for n in (1, 2, 3))]):
    print(f"{name}: {len(hashes)} hashes")
    with open(f"{name}.jsonl", "w") as file:
        file.writelines(json.dumps({"hash": each}) + "\n" for each in hashes)
    plain = pyarrow.json.read_json(file.name)["hash"]
    typed = pyarrow.json.read_json(file.name, parse_options=SCHEMA)["hash"]
    series = polars.read_ndjson(file.name)["hash"]
    rows = duckdb.sql(f"select hash, typeof(hash) from read_json('{file.name}')").fetchall()
    for reader, kind, values in (
        ("pyarrow", plain.type, plain.to_pylist()),
        ("pyarrow, schema", typed.type, typed.to_pylist()),
        ("polars", series.dtype, series.to_list()),
        ("duckdb", rows[0][1], [value for value, _ in rows]),
    ):
        print(f"  {reader}: {len(set(values))} {kind}, as written: {values == hashes}")
END

venv/bin/python run.py | diff seen -
