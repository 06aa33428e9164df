"""Ground terms as clingo writes them, mostly recognised without clingo."""

import re

# Names, numbers, and functions of these, at most two deep, as clingo writes them. Not compiled at
# import: that takes milliseconds, and a query about the start position reads no term.
_NAME = r"(?!not\b)[a-z][A-Za-z0-9_]*"
_SIMPLE = rf"(?:0|-?[1-9][0-9]{{0,8}}|{_NAME})"
_FLAT = rf"(?:{_NAME}\({_SIMPLE}(?:,{_SIMPLE})*\)|{_SIMPLE})"
_CANONICAL = rf"(?:{_NAME}\({_FLAT}(?:,{_FLAT})*\)|{_SIMPLE})\Z"


def canonical(text: str) -> str | None:
    """A ground term as clingo writes it; None if the text is not a term (see ``parse_symbol``)."""
    if re.match(_CANONICAL, text):
        return text
    from .symbols import parse_symbol  # most terms need no clingo

    symbol = parse_symbol(text)
    return None if symbol is None else str(symbol)
