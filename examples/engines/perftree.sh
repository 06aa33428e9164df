#!/bin/sh
# A UCI engine with 'go perft' and UCI_Variant, called as perftree calls a program:
#     perftree.sh ENGINE VARIANT DEPTH FEN [MOVES]
# prints a line MOVE COUNT for each move, and the sum.
{
  printf 'setoption name UCI_Variant value %s\n' "$2"
  printf 'position fen %s - - 0 1%s\n' "$4" "${5:+ moves $5}"
  printf 'go perft %s\nquit\n' "$3"
} | "$1" | sed -n 's/^\([a-z0-9,]*\): \([0-9]*\)$/\1 \2/p; s/^Nodes searched: //p'
