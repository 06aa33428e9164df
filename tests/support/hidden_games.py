"""Small random games with hidden information, and their values by all plans."""

from collections import defaultdict
from fractions import Fraction
from random import Random

from aspgames import State


def plan(states: dict[State, Fraction], turns: int, role: str) -> Fraction:
    """The best probability from states that look alike: all plans, with the grounder's answers."""
    if not turns:
        return Fraction(0)
    known = set.intersection(*({m.term for m in state.legal[role]} for state in states))
    return max(
        (
            sum(
                (
                    sum((p for s, p in after.items() if s.goals[role] == 100), Fraction(0))
                    + plan(going, turns - 1, role)
                    if (going := {s: p for s, p in after.items() if not s.is_terminal})
                    else sum((p for s, p in after.items() if s.goals[role] == 100), Fraction(0))
                    for after in seen_after(states, move, role)
                ),
                Fraction(0),
            )
            for move in known
        ),
        default=Fraction(0),
    )


def seen_after(states: dict[State, Fraction], move: str, role: str) -> list[dict[State, Fraction]]:
    """The states at the player's next turn, apart by what it sees until then."""
    found: dict[object, dict[State, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for state, p in states.items():
        roll(state.play(move), p, (state.sees(move)[role],), found, role)
    return list(found.values())


def roll(state: State, p: Fraction, seen: object, found: dict, role: str) -> None:  # type: ignore[type-arg]
    if state.is_terminal or state.to_move == role:
        found[seen][state] += p
    else:
        foes = [move for r, moves in state.legal.items() if r != role for move in moves]
        for move, chance in state.chance or [(move, Fraction(1, len(foes))) for move in foes]:
            after = (seen, state.sees(move)[role])
            roll(state.play(move), p * chance, after, found, role)


def brute_force(start: State, role: str, turns: int) -> Fraction:
    """The best probability to win within so many turns."""
    found: dict[object, dict[State, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    roll(start, Fraction(1), (), found, role)
    return sum(
        (
            sum((p for s, p in states.items() if s.goals[role] == 100), Fraction(0))
            + (plan(going, turns, role) if going else 0)
            for states in found.values()
            for going in [{s: p for s, p in states.items() if not s.is_terminal}]
        ),
        Fraction(0),
    )


def random_game(seed: int) -> str:
    """A game on a graph: the player and chance move by turns, and the player sees colours."""
    random = Random(seed)
    nodes = range(random.randint(4, 7))
    lines = [
        "role(player). role(random). init(at(0,random)).",
        "legal(player,M) :- true(at(_,player)), M = (a;b;c).",
        "legal(random,go(T)) :- true(at(N,random)), edge(N,T).",
        "legal(R,noop) :- role(R), true(at(_,S)), S != R.",
        "next(at(T,player)) :- does(random,go(T)).",
        "next(at(T,random)) :- does(player,M), true(at(N,_)), leads(N,M,T).",
        "sees(player,C) :- does(random,go(T)), true(at(N,_)), shows(N,T,C).",
        "sees(player,C) :- does(player,M), true(at(N,_)), shows(N,M,C).",
        "terminal :- true(at(N,_)), end(N).",
        "goal(player,100) :- true(at(N,_)), win(N). goal(player,0) :- not goal(player,100).",
    ]
    for node in nodes:
        if node and random.random() < 0.4:
            lines.append(f"end({node}).")
            if random.random() < 0.5:
                lines.append(f"win({node}).")
        for target in random.sample(nodes, random.randint(1, 3)):
            lines.append(f"edge({node},{target}).")
            if random.random() < 0.3:
                lines.append(f"shows({node},{target},{random.choice(('red', 'blue'))}).")
        for move in "abc":
            lines.append(f"leads({node},{move},{random.choice(nodes)}).")
            if random.random() < 0.2:
                lines.append(f"shows({node},{move},{random.choice(('red', 'blue'))}).")
    if seed % 2:
        lines.append("weight(go(T),T+1) :- true(at(N,random)), edge(N,T).")
    return "\n".join(lines)
