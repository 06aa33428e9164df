"""Tables: small games solved completely, each state with its outcome and distance.

``table_maker`` makes a table: ``enumeration`` finds all states, ``induction`` their values, and
``table_file`` writes them. ``lookup`` reads a table, ``table_check`` checks one against the rules.
"""
