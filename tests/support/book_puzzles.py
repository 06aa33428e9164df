"""Puzzles for pages of proofs, by name."""

from dataclasses import dataclass

import aspgames
from aspgames import State
from paths import ROOT


@dataclass(frozen=True)
class BookPuzzle:
    game: str
    position: str
    goal: str
    within: int | None
    verdict: str
    attacker: str = "white"
    const: tuple[tuple[str, int], ...] = ()


SMALL = (("width", 3), ("height", 4))
PUZZLES = {
    "keys": BookPuzzle("breakthrough", "1p1/3/P1P/3 w", "win", 3, "forced", const=SMALL),
    "replies": BookPuzzle("breakthrough", "1p1/3/P1P/3 b", "win", 3, "forced", const=SMALL),
    "refuted": BookPuzzle("breakthrough", "startpos", "win", 3, "not_forced", const=SMALL),
    "for ever": BookPuzzle(
        "breakthrough", "startpos", "win", None, "forced", "black", (("width", 2), ("height", 4))
    ),
    "amazons": BookPuzzle(
        "amazons",
        "#/#/#/*******1*q/*******Qq1/*******3/*********Q/*******2*/#/# b".replace("#", 10 * "*"),
        "win",
        10,
        "forced",
        "black",
    ),
    "split": BookPuzzle(
        "amazons_8x8",
        "1*******/*1**Q*Qq/2*q****/2****1*/1*****2/*1*Q*1*1/*1**q1**/1*Qq***1 b",
        "trap",
        6,
        "forced",
    ),
    "skirmish": BookPuzzle(
        "skirmish", "8/R7/2#2#2/8/1n4k1/2#2#2/8/8 w 0 0 40", "score>=10", 3, "forced"
    ),
    "own": BookPuzzle("tictactoe", "X1O/1O1/2X w", "win", 3, "forced"),
    "no board": BookPuzzle(str(ROOT / "tests/data/climb.lp"), "startpos", "win", 2, "not_forced"),
    "alone": BookPuzzle(
        str(ROOT / "tests/data/maze.lp"), "startpos", "win", None, "forced", "walker"
    ),
    "thousands of nodes": BookPuzzle(
        "amazons",
        "**Q**2*2/*4****1/****3***/*Q******2/*****1**1*/**Q*qq**2/*Q*1****1*/*******q**/"
        "1**1*****1/2***q***1 w",
        "trap",
        8,
        "forced",
    ),
    "at once": BookPuzzle("breakthrough", "8/3P4/8/8/8/8/p7/8 w", "win", 3, "forced"),
    "at once after a reply": BookPuzzle("breakthrough", "8/3P4/8/8/8/p7/8/8 b", "win", 3, "forced"),
    "stands": BookPuzzle("breakthrough", "3P4/8/8/8/8/8/p7/8 b", "win", 2, "forced"),
}
SLOW = {"amazons", "split", "skirmish", "thousands of nodes"}
"""The puzzles whose proof takes seconds."""


def arguments(name: str) -> list[str]:
    asked = PUZZLES[name]
    found = ["solve", asked.game, asked.position, "--attacker", asked.attacker]
    found += ["--goal", asked.goal]
    for constant, value in asked.const:
        found += ["-c", f"{constant}={value}"]
    return found if asked.within is None else [*found, "--within", str(asked.within)]


def start(name: str) -> State:
    return aspgames.load(PUZZLES[name].game, **dict(PUZZLES[name].const)).position(
        PUZZLES[name].position
    )
