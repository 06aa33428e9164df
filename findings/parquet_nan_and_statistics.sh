#!/usr/bin/env bash
# pyarrow==26.0.1, duckdb==2.0.1, polars==2.1.0 (pip)
#
# Expected: the statistics of a Parquet file speed a query up, and do not change its answer. The Parquet format
# writes no NaN into the minimum and maximum, and says that readers ignore the two where they look for NaN
# (comment on `ColumnOrder` in parquet.thrift). So each reader finds the same rows in a file with statistics and in
# the same file without them.
#
# What happens: pyarrow, which writes the file, and DuckDB take the minimum and maximum as if no NaN were there.
# - pyarrow: if all other values of a row group are equal, `is_nan` and "!=" miss the NaN, although "!=" finds it
#   without statistics.
# - DuckDB, for which NaN is greater than all numbers: "x > 5" and `isnan` miss it, "x < 5" has it, `max` differs.
# polars gives the same answers for both files. A value of NaN (a game without result) is thus lost or counted
# as a number, depending on who wrote the file and on what else is in its row group.
#
# Each line has the answers with statistics and without.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pyarrow==26.0.1 duckdb==2.0.1 polars==2.1.0

cat >seen <<'END'
pyarrow, rows with NaN: [0, 1]
pyarrow, rows other than 1: [0, 1]
duckdb, rows above 5: [0, 1]
duckdb, rows below 5: [3, 2]
duckdb, rows with NaN: [0, 1]
duckdb, largest value: [1.0, nan]
polars, rows above 5: [1, 1]
polars, rows below 5: [2, 2]
polars, rows with NaN: [1, 1]
END

cat >run.py <<'END'
import duckdb
import polars
import pyarrow
import pyarrow.compute
import pyarrow.parquet

table = pyarrow.table({"x": [1.0, float("nan"), 1.0]})
files = "with.parquet", "without.parquet"
for file in files:
    pyarrow.parquet.write_table(table, file, write_statistics=file == files[0])


def arrow(condition):
    return [pyarrow.parquet.read_table(file, filters=condition).num_rows for file in files]


def sql(query):
    return [duckdb.sql(query.format(file)).fetchall()[0][0] for file in files]


def lazy(condition):
    return [polars.scan_parquet(file).filter(condition).collect().height for file in files]


x = pyarrow.compute.field("x")
print("pyarrow, rows with NaN:", arrow(x.is_nan()))
print("pyarrow, rows other than 1:", arrow(x != 1))
print("duckdb, rows above 5:", sql("select count(*) from '{}' where x > 5"))
print("duckdb, rows below 5:", sql("select count(*) from '{}' where x < 5"))
print("duckdb, rows with NaN:", sql("select count(*) from '{}' where isnan(x)"))
print("duckdb, largest value:", sql("select max(x) from '{}'"))
print("polars, rows above 5:", lazy(polars.col.x > 5))
print("polars, rows below 5:", lazy(polars.col.x < 5))
print("polars, rows with NaN:", lazy(polars.col.x.is_nan()))
END

venv/bin/python run.py | diff seen -
