#!/usr/bin/env bash
# pyarrow==26.0.1, duckdb==2.0.1, polars==2.1.0 (pip)
#
# Expected: rows with the same value are one group, however the column is stored. Arrow's columnar format (section
# "Dictionary-encoded Layout") permits equal values and nulls in a dictionary, and such a dictionary is the quick
# way to merge two labels of a column: map the few values of the dictionary and leave the rows alone.
#
# What happens: pyarrow's `group_by`, `unique` and `value_counts` take the index for the value. The result has
# the same value twice, each with a part of its rows, and no error is raised. A null in the dictionary stays where
# `drop_null` was called, although `count` doesn't count it. `filter`, DuckDB and polars, given the same column,
# look at the values.
#
# Three results, two ways to write a draw.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q pyarrow==26.0.1 duckdb==2.0.1 polars==2.1.0

cat >seen <<'END'
rows: ['1-0', '1/2-1/2', '1/2-1/2']
pyarrow, group_by: [('1-0', 1), ('1/2-1/2', 1), ('1/2-1/2', 1)]
pyarrow, unique: ['1-0', '1/2-1/2', '1/2-1/2']
pyarrow, filter: 2
duckdb, group by: [('1-0', 1), ('1/2-1/2', 2)]
polars, group_by: [('1-0', 1), ('1/2-1/2', 2)]
with a null: ['1-0', None], of which pyarrow counts 1 and drops 0
END

cat >run.py <<'END'
import duckdb
import polars
import pyarrow
import pyarrow.compute

written = pyarrow.array(["1-0", "draw", "1/2-1/2"]).dictionary_encode()
labels = pyarrow.compute.replace_substring(written.dictionary, "draw", "1/2-1/2")
results = pyarrow.DictionaryArray.from_arrays(written.indices, labels)
results.validate(full=True)
table = pyarrow.table({"result": results})
groups = table.group_by("result").aggregate([([], "count_all")]).to_pylist()
query = "select result, count(*) from games group by result order by result"
counts = polars.from_arrow(table).group_by("result").len().sort("len")
print("rows:", results.to_pylist())
print("pyarrow, group_by:", sorted((row["result"], row["count_all"]) for row in groups))
print("pyarrow, unique:", pyarrow.compute.unique(results).to_pylist())
print("pyarrow, filter:", table.filter(pyarrow.compute.field("result") == "1/2-1/2").num_rows)
connection = duckdb.connect()
connection.register("games", table)
print("duckdb, group by:", connection.execute(query).fetchall())
print("polars, group_by:", counts.rows())

rows = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1]), pyarrow.array(["1-0", None]))
dropped = len(rows) - len(rows.drop_null())
count = pyarrow.compute.count(rows)
print(f"with a null: {rows.to_pylist()}, of which pyarrow counts {count} and drops {dropped}")
END
venv/bin/python run.py | diff seen -
