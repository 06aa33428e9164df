"""Reads the vocabulary of a game with clingo: the board and the forms of moves."""

from collections import defaultdict
from collections.abc import Sequence

from ..asp.clingo_api import Symbol
from ..asp.grounding import Query
from ..asp.terms import Constants
from ..gdl.encoding import Encoding
from ..gdl.predicates import BOARD, NAMED
from ..runtime.errors import RulesError
from .board import Board, BoardLayout, SizeConstant, Square, Vocabulary
from .game_constants import allowed_values
from .phrases import sentence, text_of
from .rule_names import RuleNames

_ASKED = {name: len(form) for name, form in BOARD.items() if name != "base"}
_MOST_LINES = 1000  # columns or ranks


def read_vocabulary(encoding: Encoding, constants: Constants, names: RuleNames) -> Vocabulary:
    """Ground the encoding's board and notation. ``names`` are those of the same rules."""
    try:
        return _vocabulary(encoding, constants, names)
    except RuntimeError:  # from clingo, for a term that isn't a number
        raise RulesError(
            f"{encoding.reference}: board/2, hole/2, at/3, placed/4, marked/3, goal_payoff/2 and "
            "fen_…/N need numbers where the board has numbers"
        ) from None


def _square(term: Symbol) -> Square | None:
    """The square that a pair of numbers names; None for any other term."""
    if not str(term).startswith("(") or len(term.arguments) != 2:
        return None
    x, y = (str(number) for number in term.arguments)
    return (int(x), int(y)) if {*(x + y)} <= {*"-0123456789"} else None


def _first_rank(encoding: Encoding, given: Sequence[str]) -> str:
    """Where rank 1 is. Raises ``RulesError`` for other places than top and bottom."""
    where = given or ["bottom"]
    if len(where) > 1 or where[0] not in ("top", "bottom"):
        raise RulesError(
            f"{encoding.reference}: first_rank({where[-1]}): rank 1 is at the top or at the bottom"
        )
    return where[0]


def _vocabulary(encoding: Encoding, constants: Constants, names: RuleNames) -> Vocabulary:
    statements = encoding.checked(constants, "base", "board", only=NAMED)
    atoms = Query(statements, constants, [*_ASKED.items()])()

    def rows(name: str) -> list[list[Symbol]]:
        return [symbol.arguments for symbol in sorted(atoms.get((name, _ASKED[name]), ()))]

    def size_constant(name: Symbol) -> SizeConstant:
        allows = allowed.get(text_of(name))
        return SizeConstant(text_of(name), None if allows is None else tuple(allows))

    allowed = allowed_values(encoding)
    claims: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for number, text, fluent in rows("fen_field"):
        claims[number.number][text_of(text)].append(str(fluent))
    aliases: dict[int, dict[str, str]] = defaultdict(dict)
    for number, text, meant in rows("fen_alias"):
        aliases[number.number][text_of(text)] = text_of(meant)
    marks: dict[str, tuple[Square, ...]] = {}
    for fluent, x, y in rows("marked"):
        marks[str(fluent)] = (*marks.get(str(fluent), ()), (x.number, y.number))
    sizes = rows("board")
    for size in sizes:
        if not all(1 <= side.number <= _MOST_LINES for side in size):
            raise RulesError(
                f"{encoding.reference}: board({size[0]},{size[1]}): "
                f"a board has from 1 to {_MOST_LINES} columns and ranks"
            )
    named = rows("board_constants")
    titles = [text_of(text) for (text,) in rows("title")]
    own = [title for title in titles if f'"{title}"' in encoding.sources[-1].text]
    board = (
        Board(
            width=sizes[0][0].number,
            height=sizes[0][1].number,
            holes=frozenset((x.number, y.number) for x, y in rows("hole")),
            empty=tuple(str(content) for (content,) in rows("empty_square")),
            placed={
                str(fluent): ((x.number, y.number), str(content))
                for fluent, x, y, content in rows("placed")
            },
            glyphs={str(content): text_of(glyph) for content, glyph in rows("glyph")},
            labels={str(content): text_of(label) for content, label in rows("label")},
            layout=BoardLayout(
                shape=next((text_of(shape) for (shape,) in rows("cell_shape")), "chequered"),
                at=tuple(
                    (square, (x.number, y.number))
                    for name, x, y in rows("at")
                    if (square := _square(name))
                ),
                lines=tuple(
                    (start, end)
                    for one, other in rows("line")
                    if (start := _square(one)) and (end := _square(other))
                ),
                borders=tuple(
                    (str(role), start, end)
                    for role, one, other in rows("border")
                    if (start := _square(one)) and (end := _square(other))
                ),
            ),
            pictures={str(content): text_of(shape) for content, shape in rows("picture")},
            marks=marks,
            fields={  # a FEN can't tell fluents with the same text apart
                number: {text: fluents[0] for text, fluents in texts.items() if len(fluents) == 1}
                for number, texts in claims.items()
            },
            ignored=tuple(text_of(form) for (form,) in rows("fen_ignored")),
            aliases={number: dict(texts) for number, texts in aliases.items()},
            any_order=frozenset(number.number for (number,) in rows("fen_any_order")),
            forms={number.number: text_of(form) for number, form in rows("fen_form")},
            numbered=tuple(
                (number.number, (x.number, y.number)) for number, x, y in rows("square_number")
            ),
            listed={str(c): (text_of(side), text_of(p)) for c, side, p in rows("listed")},
            first_rank=_first_rank(encoding, [text_of(where) for (where,) in rows("first_rank")]),
            constants=(size_constant(named[0][0]), size_constant(named[0][1])) if named else None,
        )
        if sizes
        else None
    )
    move_names: dict[str, tuple[tuple[str, str], ...]] = {}
    for move, content, text in rows("move_name"):
        short = text_of(text)
        move_names[short] = (*move_names.get(short, ()), (str(move), str(content)))
    formats: dict[str, tuple[str, ...]] = {}
    for name, text in rows("file_format"):
        formats[str(name)] = (*formats.get(str(name), ()), text_of(text))
    return Vocabulary(
        **vars(names),
        title=(own or titles or [encoding.name])[0],
        notation={str(name): text_of(form) for name, form in rows("notation")},
        letters={str(content): text_of(letter) for content, letter in rows("move_letter")},
        move_names=move_names,
        owners={str(content): str(role) for content, role in rows("belongs_to")},
        colours={str(role): text_of(colour) for role, colour in rows("colour")},
        in_words={str(atom.arguments[0]): sentence(atom) for atom in sorted(atoms["in_words", 3])},
        kif_names={str(name): text_of(text) for name, text in rows("kif_name")},
        formats=formats,
        payoffs={value.number: payoff.number for value, payoff in rows("goal_payoff")},
        board=board,
    )
