"""Puzzles from their JSON objects, and certificates that prove what a solution says."""

import json
from typing import Any

import aspgames
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.certificate import certificate
from aspgames.puzzle.proof.verify import Verification, verify
from aspgames.puzzle.solution import Solution
from aspgames.puzzle.solved import Solved


def puzzle_of(asked: dict[str, Any], **more: Any) -> Puzzle:
    """A puzzle from its JSON object, with some values replaced."""
    asked = asked | more
    game = aspgames.load(asked["game"], **asked.get("const", {}))
    state = game.position(asked["position"])
    return Puzzle.of(state, asked["attacker"], asked["goal"], asked.get("within"))


def proved(solved: Solved, solution: Solution) -> Verification:
    """The checker's answer to a solution's certificate: it must be the solution."""
    proof, game = json.loads(json.dumps(certificate(solved, solution))), solved.puzzle.state.game
    found = verify(proof, load=lambda *_: game)
    said = (solution.verdict, solution.distance, set(solution.keys))
    assert (found.verdict, found.distance, set(found.keys)) == said
    return found
