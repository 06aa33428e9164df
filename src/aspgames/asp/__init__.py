"""Answer-set programs, as text and as clingo reads them."""
