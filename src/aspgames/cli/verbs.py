"""The verbs. Each is imported on first use, which keeps the start short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

import click

GROUPS = {
    "Query": {
        "games": "List the built-in games, their boards and their constants.",
        "legal": "List the legal moves of a position.",
        "play": "Play moves and show the position that follows.",
        "show": "Draw a position, with coordinates and the side on move.",
        "why": "Explain why a move is legal or not, in the words of the rules.",
        "perft": "Count the sequences of exactly N plies from a position.",
        "playout": "Play random games from a position to their ends.",
    },
    "Puzzles": {
        "solve": "Solve puzzles: can a side force a goal within K turns?",
        "verify": "Check certificates of puzzles with clingo alone.",
        "table": "Solve all states of a small game, and write a table.",
        "compose": "Compose puzzles with exactly one key.",
        "judge": "Judge puzzles: are they sound, and how good are they?",
        "book": "Make a book of puzzles: one page that works offline.",
    },
    "Check engines": {
        "crosscheck": "Compare another engine with the rules.",
        "serve": "Answer requests, one JSON object a line.",
    },
    "Play": {
        "page": "Write a page to play, solve and share a game: one file that works offline.",
        "match": "Play a game or a puzzle against the computer.",
        "uci": "Play over the Universal Chess Interface (UCI).",
        "ggp-player": "Play over the HTTP protocol of General Game Playing.",
        "ggp-manager": "Play a match between General Game Playing players.",
    },
    "Games of your own": {
        "check": "Check rules: are they a game, what is wrong, what is proved?",
        "import": "Write a rule sheet in KIF as a readable encoding.",
        "export": "Write a game's rules as a rule sheet in KIF.",
    },
    "Data": {
        "record": "Play games to their ends and write them to a Parquet file.",
        "cache": "Show the cache: its folder, entries and size.",
    },
}
"""The verbs by task, each with the first sentence of its help."""

SHORT_HELPS = {name: text for verbs in GROUPS.values() for name, text in verbs.items()}


class Verbs(Mapping[str, click.Command]):
    """The verbs by name, imported when they are looked up."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in SHORT_HELPS:
            raise KeyError(name)
        module = f"{name}_" if name == "import" else name.replace("-", "_")  # a keyword
        return cast("click.Command", import_module(f".{module}", __package__).command)

    def __iter__(self) -> Iterator[str]:
        return iter(SHORT_HELPS)

    def __len__(self) -> int:
        return len(SHORT_HELPS)
