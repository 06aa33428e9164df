"""The predicates with a meaning in encodings, by name, with arguments as messages show them."""

import re


def _read(forms: str) -> dict[str, tuple[str, ...]]:
    found = re.findall(r"(\w+)\(([\w,]*)\)", forms)
    return {name: tuple(filter(None, arguments.split(","))) for name, arguments in found}


CHANCE = "random"
"""The role that moves by chance."""

GAME = _read(
    "role(R) init(F) legal(R,M) next(F) terminal() goal(R,N) to_move(R) sees(R,P) weight(M,N)"
)
"""The predicates of a game's base part, with their arguments."""

GIVEN = _read("true(F) does(R,M) holds(C) fails(C) never(C)")
"""The predicates that rules receive as input."""

BOARD = _read("""
    title(S) board(W,H) hole(X,Y) glyph(C,S) empty_square(C) placed(F,X,Y,C) belongs_to(C,R)
    first_rank(S) kif_name(C,S) kif_relation(P,S) picture(C,S) label(C,S) cell_shape(S) at(S,X,Y)
    line(S,T) border(R,S,T) colour(R,S) marked(F,X,Y) base(F) in_words(F,S,A) fen_field(N,T,F)
    fen_ignored(S) fen_alias(N,S,T) fen_any_order(N) fen_form(N,S) square_number(N,X,Y)
    listed(C,S,T) notation(M,S) move_letter(C,S) move_name(M,C,S) file_format(F,S) allowed(S,V)
    board_constants(S,T) goal_payoff(V,N)
""")
"""The predicates for boards and the text of positions and moves."""

NAMED = [("role", 1), ("init", 1), *((name, len(form)) for name, form in BOARD.items())]
"""The predicates that name roles, initial fluents, and what is in ``BOARD``."""

TELLING = BOARD | _read("""
    refused(S,A) default(F) read_as(F,G) because(C,S,A) otherwise(C,S,A) called(C,S)
    better_said(X,Y)
""")
"""The predicates for boards, positions and explanations."""
