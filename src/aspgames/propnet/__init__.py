"""The propositional network: the rules grounded once, evaluated for many states at once.

The modules, from below:

- ``native_library`` and ``kernel``: the functions in C, whose sources are in ``native``, and the
  compiled part of states;
- ``gate_tables``: a net in the kernel's form;
- ``single_state``, ``lanes``, ``counting`` and ``random_play``: questions about one state, about
  many states, perft and random games, in several ``threads``.

These modules make a net: ``open_grounding`` (clingo grounds the rules with the state left open),
``circuit`` (the ground rules as and-gates), ``net`` and ``table_writer``. Only these use clingo.
``state_nets`` decides when to make a net, and keeps nets on disk.
"""
