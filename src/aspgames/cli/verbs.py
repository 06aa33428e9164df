"""The verbs. Each is imported when it is used: all of them would take longer than most answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

import click

SHORT_HELPS = {
    "games": "List the built-in games, their boards and their constants.",
    "legal": "List the legal moves of a position (the start, if none is given).",
    "play": "Play moves from a position and show where they lead.",
    "show": "Draw a position, with coordinates and the side on move (in colour on a terminal).",
    "why": "Say why a move is legal or why it isn't, in the words of the rules.",
    "perft": "Count the sequences of exactly so many plies that can be played from a position.",
    "playout": "Play random games from a position to their ends: results, lengths, states a "
    "second.",
    "record": "Play games from a position to their ends, and write them to a Parquet file, a row a "
    "state.",
    "solve": "Can a side force a goal within so many of its own turns? With the key moves and a "
    "line.",
    "book": "Make a book of puzzles, one offline page: solved by moving pieces, with replies and "
    "hints.",
    "compose": "Compose puzzles that have exactly one key and take exactly so many turns.",
    "judge": "Say of each puzzle in FILE ('-': standard input) whether it is sound, and what is "
    "good in it.",
    "match": "Play a game to its end, or a puzzle, against best defence or at random.",
    "table": "Solve a game with few states outright: the outcome and the distance of each state.",
    "verify": "Check a puzzle's certificate, FILE ('-': standard input), with clingo alone.",
    "check": "Is it a game? What is wrong with the rules, and what bounds play: proved, or only "
    "sampled.",
    "crosscheck": "Hold another engine against the rules, in random games and in positions made at "
    "random.",
    "serve": "Answer requests, one JSON object a line, until the input ends.",
    "uci": "Play for graphical interfaces and match runners, over the Universal Chess Interface "
    "(UCI).",
    "import": "Write a rule sheet in KIF as an encoding that a person can read and go on with.",
    "export": "Write a game's rules as a rule sheet in KIF.",
    "ggp-player": "Play for game managers, over the HTTP protocol of General Game Playing, until "
    "Ctrl-C.",
    "ggp-manager": "Play a match between players, and hold their moves against the rules.",
    "cache": "Show what is kept from one run to the next, and where.",
}
"""What the program's help says of each verb: the first sentence of the verb's own help."""


class Verbs(Mapping[str, click.Command]):
    """The verbs by name; what is looked up is imported."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in SHORT_HELPS:
            raise KeyError(name)
        module = f"{name}_" if name == "import" else name.replace("-", "_")  # a word of Python's
        return cast("click.Command", import_module(f".{module}", __package__).command)

    def __iter__(self) -> Iterator[str]:
        return iter(SHORT_HELPS)

    def __len__(self) -> int:
        return len(SHORT_HELPS)
