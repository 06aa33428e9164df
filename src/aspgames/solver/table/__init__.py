"""Tables: games with few enough states solved outright, each state with its outcome and distance.

``enumeration`` finds all states, ``induction`` their values, ``file`` keeps them; ``make`` does one
after the other, and ``verify`` holds a table against the rules.
"""
