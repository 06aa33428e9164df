"""Legal moves, puzzles and checks of engines, for board games whose rules are answer-set programs.

>>> import aspgames
>>> game = aspgames.load("breakthrough", width=4, height=5)
>>> state = game.initial.play("a2-a3")
>>> state.to_move, len(state.legal_moves)
('black', 9)

The words of the code (``docs/glossary.md`` has more):

- A *role* is a player's part in a game. A *fluent* is a fact that can change during play. A *state*
  is a set of fluents; written as a *FEN* or as facts, it is a *position*.
- A *joint move* has a move for each role. It takes one *ply*, from a state to the next. A role *on
  move* has a choice. A *turn* lasts until the other side is on move. A turn of several plies has a
  *phase* for each.
- In a *terminal* state the game is over. A *goal value*, 0 to 100, says what a state is worth to a
  role.
- *Perft* counts move sequences of some length. *Divide* splits the count by the first move. A
  *playout* is a random game.
- A *puzzle* asks whether the *attacker* can force a *goal* (*trap*, *win* or a score) within some
  of its turns. The *distance* is the smallest number that suffices, a *key* is a first move that
  keeps to it. A *plan* is a list of moves that works whatever the other side plays.
- A *certificate* is a proof of an answer, in a file. The *checker* verifies it.
- A *net* (propositional network) is the ground rules with the state left open: a circuit of
  *gates*. The *kernel* evaluates it in C. A *reasoner* is a net or clingo's grounder.
- A *table* (tablebase) has the outcome and the distance of every reachable state.
"""

from ._version import __version__ as __version__

# ``__init__.pyi`` has each public name with its module. A name is imported when it is first used,
# so that a program (such as the command line) starts without what it doesn't use.
with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as _stub:
    _HOMES = {line.split()[3]: line.split()[1] for line in _stub if line.startswith("from")}

__all__ = sorted(name for name, home in _HOMES.items() if home not in (".", "._version"))


def __getattr__(name: str) -> object:
    from importlib import import_module  # here: a Ctrl-C during it is handled

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if _HOMES[name] == ".":
        return import_module(f".{name}", __name__)
    found = globals()[name] = getattr(import_module(_HOMES[name], __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
