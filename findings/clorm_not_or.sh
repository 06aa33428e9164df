#!/usr/bin/env bash
# clorm==1.6.3 (pip)
#
# Expected: the conditions of a query of clorm's `FactBase` are combined by `&`, `|` and `~` (or `and_`, `or_` and
# `not_`), so "row 1, or neither column 1 nor column 3" finds the same facts as a Python function that says so.
#
# What happens: in "x or not (y or z)", the "or" is taken as "and": the query plan has three conditions that must
# all hold. Facts are missing from the answer without a message, and `delete` deletes too few. With the
# negation moved inwards, "x or (not y and not z)", the answer is right.
#
# Pieces on a board of three columns and three rows.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q clorm==1.6.3

cat >seen <<'END'
as a function: 5 of 9
negation moved inwards: 5 of 9
negated or: 1 of 9
negated or, by not_ and or_: 1 of 9
[ Piece.row == 1 ] & [ Piece.column != 1 ] & [ Piece.column != 3 ]
END

cat >run.py <<'END'
import re

from clorm import FactBase, Predicate, not_, or_


class Piece(Predicate, name="piece"):
    column: int
    row: int


facts = FactBase([Piece(column, row) for column in (1, 2, 3) for row in (1, 2, 3)])
column, row = Piece.column, Piece.row
conditions = {
    "as a function": lambda fact: fact.row == 1 or not (fact.column == 1 or fact.column == 3),
    "negation moved inwards": (row == 1) | ((column != 1) & (column != 3)),
    "negated or": (row == 1) | ~((column == 1) | (column == 3)),
    "negated or, by not_ and or_": or_(row == 1, not_(or_(column == 1, column == 3))),
}
for name, condition in conditions.items():
    found = facts.query(Piece).where(condition).count()
    print(f"{name}: {found} of {len(facts)}")
plan = facts.query(Piece).where(conditions["negated or"]).query_plan()
print(re.search(r"filter clauses: \( (.*) \)", str(plan))[1])
END

venv/bin/python run.py | diff seen -
