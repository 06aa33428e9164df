"""Reads texts of positions as rows of a game's net.

Each rank of a FEN is read once. A net of the rules that refuse positions checks the rows; it is
kept on disk beside the game's net.
"""

from functools import lru_cache

from ..gdl.rules import Facts, Rules
from ..propnet.gate_tables import Names, Tables
from ..propnet.single_state import Single
from ..propnet.state_nets import StateNets, kept, key_of
from ..runtime.errors import AspgamesError, BadPosition
from .board import Vocabulary
from .notation.fen import read_fields, read_rank
from .position_check import ASKED

_MOST_RULES = 300_000  # of the net of refusals
_MOST_KEPT = 1 << 20  # texts of ranks
_REFUSED = "refused"
_INCOMPLETE, _INVALID = 1, 2  # values of the net's goal
_JUDGED = f"""
incomplete :- default(F), not true(F).
incomplete :- read_as(_,_).
goal({_REFUSED},{_INCOMPLETE}) :- incomplete, not refused(_,_).
goal({_REFUSED},{_INVALID}) :- refused(_,_).
"""
_GOAL = 3  # its place in a net's answer


class RowReader:
    """Reads FENs and facts as rows of a net. Texts that need more care get None.

    It needs the net of the whole game, which others make. Then it makes the net of refusals.
    """

    def __init__(self, rules: Rules, vocabulary: Vocabulary, nets: StateNets) -> None:
        """Read nothing yet."""
        self._rules, self._vocabulary, self._nets = rules, vocabulary, nets
        self._is_refused = False  # whether there is no net of refusals
        self._known_bits = lru_cache(maxsize=_MOST_KEPT)(self._bits_of)
        self.net: Single | None = None
        """The net of the whole game, whose rows are read; None until there is one."""

    def row(self, text: str) -> bytes | None:
        """The row of a text.

        It is None for anything but a FEN with all fields or facts with single blanks between them,
        for a wrong position, for one that the net doesn't know, and as long as there is no net.
        """
        if not (self.net or self._is_ready()):
            return None
        row = self._read(text)
        refused = row is None or self._refusals.ask(row)[_GOAL] in (_INCOMPLETE, _INVALID)
        return None if refused else row

    def refuses(self, facts: Facts) -> bool:
        """Whether the rules refuse a position; False also where there is no net for it."""
        row = self._read(" ".join(facts)) if self.net or self._is_ready() else None
        return row is not None and self._refusals.ask(row)[_GOAL] == _INVALID

    def _read(self, text: str) -> bytes | None:
        bits = self._bits_of_facts(text) if "(" in text else self._bits_of_fen(text)
        fluents = self._tables.fluents
        if bits is None or bits >> fluents != (1 << len(self._bits) - fluents) - 1:
            return None
        bits &= (1 << fluents) - 1
        known = self._tables.knows(bits)
        return bits.to_bytes(self._tables.row_bytes, "little") if known else None

    def _is_ready(self) -> bool:
        """Find the net of the game, and make the net of refusals."""
        found = None if self._is_refused else self._nets.find(self._vocabulary.initial)
        if not found:
            return False
        self._tables = found[0].tables
        names = self._tables.names
        known = " ".join([*names.certain, "", *names.fluents])

        def fits(kept: Tables) -> bool:
            return kept.fluents == self._tables.fluents and kept.roles == 1

        def make() -> Tables:
            return _refusals(self._rules, names)

        try:
            key = key_of(self._rules, _REFUSED, known)
            self._refusals = Single(kept(key, fits, make, _MOST_RULES))
        except AspgamesError:
            self._is_refused = True
            return False
        self._bits = {f: 1 << n for n, f in enumerate((*names.fluents, *names.certain))}
        self.net = found[0]
        return True

    def _bits_of_facts(self, text: str) -> int | None:
        found, known = 0, self._bits
        for fact in text.split(" "):
            bit = known.get(fact)
            if bit is None:
                return None
            found |= bit
        return found

    def _bits_of_fen(self, text: str) -> int | None:
        placed, _, fields = text.partition(" ")
        ranks = placed.split("/")
        board = self._vocabulary.board
        if not board or len(ranks) != board.height:
            return None
        bits = self._known_bits(0, fields)
        for y, rank in zip(board.ranks, ranks, strict=True):
            more = self._known_bits(y, rank)
            if bits is None or more is None:
                return None
            bits |= more
        return bits

    def _bits_of(self, y: int, text: str) -> int | None:
        """The fluents of a rank, or of the fields (0), as bits."""
        board = self._vocabulary.board
        assert board is not None
        try:
            read = read_rank(board, y, text) if y else read_fields(board, text.split())
            return sum(self._bits[fact] for fact in set(read))
        except (BadPosition, KeyError):
            return None


def _refusals(rules: Rules, names: Names) -> Tables:
    """A net whose only role has the goal 1 where the rules refuse a row, or it lacks a fluent."""
    from ..asp.grounding import parse_statements
    from ..asp.statements import needed_rules, rule_of
    from ..propnet.circuit import FALSE, Outputs, build
    from ..propnet.open_grounding import OpenProgram
    from ..propnet.table_writer import write_tables

    encoding, constants = rules.encoding, rules.constants
    statements = encoding.checked(constants, "base", "board", "position")
    asked = needed_rules(list(map(rule_of, statements)), ASKED)
    statements = [*(rule.statement for rule in asked), *parse_statements(_JUDGED)]
    known = names.certain, names.fluents
    circuit, outputs = build(
        OpenProgram(lambda: statements, constants).ground(*known, False, _MOST_RULES)
    )
    keys = [(_REFUSED, value) for value in (_INCOMPLETE, _INVALID)]
    refused = {key: outputs.goal.get(key, FALSE) for key in keys}
    return write_tables([_REFUSED], circuit, Outputs(goal=refused), *known, True, ())
