#!/usr/bin/env bash
# endplay==0.5.12 (pip)
#
# Expected: `calc_dd_table` gives the tricks that each player takes as declarer, in each suit, "for a given deal" (its
# docstring). A `Deal` may have any number of cards, as `solve_board` takes it for endings. In an ending of
# three tricks, the numbers are from 0 to 3, and agree with `solve_board`; or an error says that the table
# is made for whole deals only.
#
# What happens: the numbers are too large by 13 minus the cards of a hand, without an error: 10 to 13 tricks
# out of three. The library below counts the tricks of the defence off 13. `par` believes the table.
#
# In the endings below each player has one suit. So in notrump whoever leads takes all tricks, and the declarer
# takes none.
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q endplay==0.5.12

cat >seen <<'END'
13 cards each: North declares, 0 tricks by solve_board, 0 by calc_dd_table
12 cards each: North declares, 0 tricks by solve_board, 1 by calc_dd_table
7 cards each: North declares, 0 tricks by solve_board, 6 by calc_dd_table
3 cards each: North declares, 0 tricks by solve_board, 10 by calc_dd_table
END

cat >run.py <<'END'
from endplay.dds import calc_dd_table, solve_board
from endplay.types import Deal, Denom, Player

for cards in 13, 12, 7, 3:
    suit = "AKQJT98765432"[:cards]
    text = f"N:{suit}... .{suit}.. ..{suit}. ...{suit}"
    table = calc_dd_table(Deal(text))
    defence = solve_board(Deal(text, first=Player.east, trump=Denom.nt))
    solved = cards - max(tricks for _, tricks in defence)
    print(
        f"{cards} cards each: North declares, {solved} tricks by solve_board,"
        f" {table[Denom.nt, Player.north]} by calc_dd_table"
    )
END

venv/bin/python run.py | diff seen -
