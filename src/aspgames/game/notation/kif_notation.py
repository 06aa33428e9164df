"""Positions and moves in KIF, read and written: ``(cell 1 1 b)`` for ``cell(1,1,b)``."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from ...asp.sources import Source
from ...asp.terms import DEEPEST, shorten
from ...gdl.kif.names import is_name, is_number, spelling
from ...gdl.kif.sheet import Function, KifError, Variable, read_term, without_comments
from ...gdl.rules import Facts
from ...runtime.errors import BadMove, BadPosition, BadRequest
from ...runtime.json_lines import JsonObject
from ..board import Vocabulary
from ..move import Move
from .encoding_notation import EncodingNotation, State
from .joint_moves import format_joint, is_joint, parse_joint

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[(),]|[^(),"]+')
_CAPITALS = re.compile(r"\b_*[a-z]\w*[A-Z]\w*")  # names with capitals
_MOST_CHARACTERS = 1_000_000  # characters of a position


class KifNotation(EncodingNotation[State]):
    """One game's fluents, roles and moves in KIF.

    Names that differ from the sheet's symbols are written as in the sheet: see ``gdl.kif.names``.
    """

    has_boards = False

    def __init__(
        self, vocabulary: Vocabulary, sources: Iterable[Source], state: Callable[[Facts], State]
    ) -> None:
        """``state`` makes a state of facts, or raises ``BadPosition``."""
        self._state = state
        self._initial, self._texts = vocabulary.initial, vocabulary.kif_names
        names = (name for source in sources for name in _CAPITALS.findall(source.bare))
        self._names = {name.lower(): name for name in names}
        self._names |= {text.lower(): name for name, text in self._texts.items()}
        self._known = lru_cache(maxsize=1 << 16)(self._text)

    def text(self, term: str) -> str:
        """The KIF text of a term, given as ``cell(1,1,b)``.

        Raises ``BadRequest`` for strings and tuples, which KIF lacks.
        """
        return self._known(term)

    def position(self, text: str) -> State:
        """The state of ``startpos``, ``empty`` or fluents: ``(cell 1 1 b) (control white)``.

        Raises ``BadPosition``.
        """
        if text.strip() == "startpos":
            return self._state(self._initial)
        if text.strip() == "empty":
            return self._state(())
        if len(text) > _MOST_CHARACTERS:
            raise BadPosition(f"the position is longer than {_MOST_CHARACTERS:,} characters")
        try:
            facts = set(self._terms(text))
        except KifError as error:
            raise BadPosition(f"{error.what} (character {error.at + 1})") from None
        if not facts:
            raise BadPosition("there is no position; give 'startpos', 'empty' or fluents in KIF")
        return self._state(tuple(sorted(facts)))

    def move(self, text: str) -> str:
        """The term of a move or of a role. Raises ``BadMove``."""
        terms = self._moves(text)
        if len(terms) != 1:
            raise BadMove(f"{shorten(text)!r} is no move: give one term in KIF")
        return terms[0]

    def played(self, move: str | Mapping[str, str]) -> str | Mapping[str, str]:
        """A move, or a joint one, as ``State.play`` takes it. Raises ``BadMove``."""
        if isinstance(move, str):
            if not is_joint(move):
                return self.move(move)
            move = parse_joint(move)
        return {self.move(role): self.move(chosen) for role, chosen in move.items()}

    def moves(self, line: str) -> list[str]:
        """The terms of the moves in a line, or its joint move. Raises ``BadMove``."""
        return [self.term(line)] if is_joint(line) else self._moves(line)

    def _moves(self, text: str) -> list[str]:
        try:
            return list(self._terms(text))
        except KifError as error:
            raise BadMove(f"{shorten(text)!r} is no move in KIF: {error.what}") from None

    def term(self, text: str) -> str:
        """The term of a KIF text, or its joint move. Raises ``BadMove``."""
        played = self.played(text)
        return played if isinstance(played, str) else format_joint(played)

    def move_text(self, move: Move) -> str:
        """A move in KIF."""
        return self.text(move.term)

    def joint_text(self, text: str) -> str:
        """The terms of a move or joint move in KIF."""
        if not is_joint(text):
            return self.text(text)
        joint = parse_joint(text)
        return format_joint({self.text(role): self.text(move) for role, move in joint.items()})

    def report(self, report: JsonObject) -> JsonObject:
        """The JSON object of a state (``report.state_report``), in KIF."""
        fields: JsonObject = {
            "chance": [[self.text(move), chance] for move, chance in report["chance"]]
        }
        if "sees" in report:
            sees = report["sees"].items()
            fields["sees"] = {self.text(role): self._sorted(seen) for role, seen in sees}
        if "role" in report:
            fields["role"] = self.text(report["role"])
        legal = report["legal"].items()
        fields["facts"] = self._sorted(report["facts"])
        fields["to_move"] = report["to_move"] and self.text(report["to_move"])
        fields["goals"] = {self.text(role): value for role, value in report["goals"].items()}
        fields["legal"] = {self.text(role): self._sorted(moves) for role, moves in legal}
        return report | fields

    def solution(self, report: JsonObject) -> JsonObject:
        """The JSON object of a solved puzzle (``report.solution_report``), in KIF."""
        fields: JsonObject = {}
        if "keys" in report:  # where sides help each other there are none
            fields["keys"] = fields["keys_text"] = self._sorted(report["keys"])
        fields["line"] = fields["line_text"] = list(map(self.text, report["line"]))
        if replies := report.get("replies"):
            fields["replies"] = {self.text(move): turns for move, turns in replies.items()}
        if "tree" in report:
            fields["tree"] = self._tree(report["tree"])
        return report | fields

    def _tree(self, tree: JsonObject) -> JsonObject:
        return {self.text(move): self._tree(rest) for move, rest in tree.items()}

    def _sorted(self, terms: Iterable[str]) -> list[str]:
        return sorted(map(self.text, terms))

    def _text(self, term: str) -> str:
        parts: list[str] = []
        before = ""
        for token in _TOKEN.findall(term):
            if token == "(":
                if before in ("", "(", ","):
                    raise BadRequest(f"KIF has no tuples: {shorten(term)}")
                parts[-1] = f"({parts[-1]} "
            elif token[0] == '"':
                raise BadRequest(f"KIF has no strings: {shorten(term)}")
            elif token == ",":
                parts.append(" ")
            else:
                parts.append(self._texts.get(token, token))
            before = token
        return "".join(parts)

    def _terms(self, text: str) -> Iterator[str]:
        for found in without_comments(text):
            term = read_term(found)
            if isinstance(term, Variable):
                said = f"?{term.variable} is a variable, where a term should stand"
                raise KifError(said, found.at)
            yield self._spelled(term, found.at)

    def _spelled(self, term: Function, at: int, deep: int = 0) -> str:
        name = self._names.get(term.name)
        if name is None or (is_number(term.name) and not term.arguments):
            plain = is_name(term.name) and term.name not in self._texts
            plain = plain or (is_number(term.name) and not term.arguments)
            name = term.name if plain else self._unknown(term.name)
        if not term.arguments:
            return name
        if deep > DEEPEST:
            raise KifError(f"terms are nested more than {DEEPEST} deep", at)
        parts = []
        for part in term.arguments:
            if isinstance(part, Variable):
                raise KifError(f"?{part.variable} is a variable: it has no place here", at)
            parts.append(self._spelled(part, at, deep + 1))
        return f"{name}({','.join(parts)})"

    def _unknown(self, text: str) -> str:
        """A name for a symbol that the game lacks, different from all of its names."""
        name = spelling(text)
        while name in self._texts:
            name += "_"
        return name
