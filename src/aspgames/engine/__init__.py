"""The propositional network: the rules grounded once, evaluated for many states at once.

From below: ``ground_rules`` (what clingo's grounder hands over to functions in C),
``open_grounding`` (clingo grounds the rules with the state left open), ``circuit`` (the ground
rules as a circuit of and-gates), ``compiler`` (the circuit as Python code over bit lanes) and
``net`` (a game's net, asked for batches of states).
"""
