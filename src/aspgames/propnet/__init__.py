"""The propositional network: the rules grounded once, evaluated for many states at once.

From below: ``library`` and ``kernel`` (the functions in C, whose sources lie in ``native``);
``tables`` (a net as the kernel walks it) and ``kept`` (nets on disk); on these, what is asked:
``single`` (one state), ``lanes`` (many), ``counting`` (perft) and ``random_play``, in several
``threads``.

How a net is made: ``open_grounding`` (clingo grounds the rules with the state left open),
``ground_rules`` (what it hands over), ``circuit`` (the ground rules as and-gates), ``net`` and
``table_writer``. ``on_demand`` says when that pays. What stands here alone imports clingo.
"""
