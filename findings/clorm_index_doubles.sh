#!/usr/bin/env bash
# clorm==1.6.3 (pip)
#
# Expected: an index makes queries of a `FactBase` "more efficient" (its docstring), and the answer stays the same.
# A fact base is a set, and a query of one predicate gives each fact that satisfies the condition once.
#
# What happens: if two alternatives of an "or" use an index, a fact that satisfies both comes twice: in the list of
# answers, in `count`, and in the groups of `group_by`. Without the index, each comes once. So a sum over the
# answers is wrong as soon as somebody adds `indexes=` for speed.
#
# Pieces on a board of three columns and three rows: those in column 1 or in row 1.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q clorm==1.6.3

cat >seen <<'END'
no index: 5 facts, 5 of them different, by column [3, 1, 1]
index on column: 5 facts, 5 of them different, by column [3, 1, 1]
index on both: 6 facts, 5 of them different, by column [4, 1, 1]
index on column, 1 or at most 2: 9 facts, 6 of them different
END

cat >run.py <<'END'
from clorm import FactBase, Predicate


class Piece(Predicate, name="piece"):
    column: int
    row: int


column, row = Piece.column, Piece.row
pieces = [Piece(number, other) for number in (1, 2, 3) for other in (1, 2, 3)]
for name, indexes in ("no index", []), ("index on column", [column]), ("index on both", [column, row]):
    facts = FactBase(pieces, indexes=indexes)
    query = facts.query(Piece).where((column == 1) | (row == 1))
    found = list(query.all())
    groups = [len(list(group)) for _, group in query.group_by(column).all()]
    assert query.count() == len(found)
    print(f"{name}: {len(found)} facts, {len(set(found))} of them different, by column {groups}")
found = list(FactBase(pieces, indexes=[column]).query(Piece).where((column == 1) | (column <= 2)).all())
print(f"index on column, 1 or at most 2: {len(found)} facts, {len(set(found))} of them different")
END

venv/bin/python run.py | diff seen -
