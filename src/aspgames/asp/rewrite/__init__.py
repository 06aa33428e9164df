"""Rules rewritten so that clingo grounds them faster."""
