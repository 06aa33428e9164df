"""Findings in the parts ``board``, ``position`` and ``why``: what the game doesn't have."""

import re
from collections import defaultdict
from collections.abc import Iterator

from ..asp.clingo_api import Function, Symbol, SymbolType
from ..asp.clingo_c import nodes_in, signature_of
from ..asp.grounding import Query
from ..asp.nodes import kind_of, name_of, span_of
from ..asp.statements import Rule, rule_of, short_place
from ..asp.symbols import known_symbol
from ..game.board import Board, square_name
from ..game.game import Game
from ..game.notation.move_text import count_squares
from ..game.phrases import text_of
from ..game.picture.placement import CELL_SHAPES
from ..game.picture.shapes import SHAPES
from ..game.picture.themes import COLOURS
from ..gdl.lint import own_files
from ..gdl.linter import Linter
from ..gdl.predicates import BOARD
from ..runtime.arguments import hint
from .check_report import WARNING, Finding

_NAMING = {("base", 1), ("default", 1), ("placed", 4)}
_CONTENTS = {"glyph": 0, "picture": 0, "label": 0, "empty_square": 0, "placed": 3}
_FLUENTS = {"fen_field": 2, "marked": 0, "placed": 0, "in_words": 0}
_SQUARES = {"hole": 0, "marked": 1, "placed": 1}
_ASKED = [(name, len(form)) for name, form in BOARD.items()]


class PartFindings:
    """Looks at the atoms of the part ``board``, one finding for each wrong name."""

    def __init__(self, game: Game) -> None:
        encoding = game.encoding
        own = own_files(encoding)
        self._game, self._linter = game, Linter(encoding, own)
        spoken = *(encoding.parts.get(part, ()) for part in ("position", "why")), encoding.sentences
        every = [rule_of(statement) for part in spoken for statement in part]
        self._spoken = [r for r in every if span_of(r.statement).file in own]
        statements = encoding.statements("base", "board")
        self._atoms = Query(statements, game.constants, _ASKED)()
        self._rules = [rule_of(statement) for statement in statements]
        # What the rules name, and what a position may have that is set up.
        naming = [
            statement
            for part in encoding.parts
            for statement in encoding.parts[part]
            if part == "base" or rule_of(statement).heads & _NAMING
        ]
        self._names = {
            *game.roles,
            *re.findall(r"\w+", " ".join(map(str, game.constants.values()))),
        }
        for statement in naming:
            self._names.update(
                str(node) if kind_of(node) == "SymbolicTerm" else name_of(node)
                for node in nodes_in(statement, "SymbolicTerm", "Function")
            )

    def __iter__(self) -> Iterator[Finding]:
        found: dict[str, Finding] = {}
        for looked in (self._unknown(), self._moves(), self._one_meaning(), self._squares()):
            for atom, sentence in looked:
                found.setdefault(sentence, self._finding(atom, sentence))
        for finding in (*self._sentences(), *self._squares_in_sentences()):
            found.setdefault(finding.sentence, finding)
        yield from sorted(found.values(), key=lambda finding: (finding.file or "", finding.line))

    def _rows(self, name: str) -> Iterator[tuple[Symbol, list[Symbol]]]:
        for atom in sorted(self._atoms[name, len(BOARD[name])]):
            yield atom, atom.arguments

    def _unknown(self) -> Iterator[tuple[Symbol, str]]:
        for names, what in ((_CONTENTS, "content"), (_FLUENTS, "fluent")):
            for name, place in names.items():
                for atom, arguments in self._rows(name):
                    for word in _words(arguments[place], what == "fluent"):
                        if word not in self._names:
                            yield (
                                atom,
                                f"no rule names the {what} {word}{hint(word, self._names)}",
                            )
        values = (
            ("picture", 1, SHAPES, "shape"),
            ("cell_shape", 0, CELL_SHAPES, "shape of squares"),
            ("colour", 0, self._game.roles, "role"),
            ("colour", 1, COLOURS, "colour"),
            ("allowed", 0, self._game.constants, "constant"),
            ("board_constants", 0, self._game.constants, "constant"),
            ("board_constants", 1, self._game.constants, "constant"),
        )
        for name, place, known, what in values:
            for atom, arguments in self._rows(name):
                text = text_of(arguments[place])
                is_text = arguments[place].type is SymbolType.String
                if text not in known and (is_text or what != "constant"):
                    more = hint(text, known) or f"; there are {', '.join(sorted(known)) or 'none'}"
                    yield atom, f"there is no {what} {text}{more}"

    def _moves(self) -> Iterator[tuple[Symbol, str]]:
        made = self._linter.moves.made
        for atom, (name, form) in self._rows("notation"):
            arities = sorted(arity for other, arity in made if other == str(name))
            squares, names = count_squares(text_of(form)), text_of(form).count("?")
            if not arities and not self._linter.moves.makes_any:
                yield (atom, f"no move is called {name}{hint(str(name), [n for n, _ in made])}")
            elif arities and 2 * squares + names not in arities:
                takes = f"{name}/{arities[0]} has {arities[0] // 2} squares, two arguments each"
                yield atom, f"the form {form} has {squares} @, but {takes}"

    def _one_meaning(self) -> Iterator[tuple[Symbol, str]]:
        glyphs, fields, starting = (defaultdict[str, list[Symbol]](list) for _ in range(3))
        for atom, (content, glyph) in self._rows("glyph"):
            if content != glyph:  # glyph(N,N): a board of numbers, which has no FEN
                glyphs[text_of(glyph)].append(atom)
        for atom, (number, text, fluent) in self._rows("fen_field"):
            fields[f"{number} is {text_of(text)!r}"].append(atom)
            if str(fluent) in self._game.vocabulary.initial:
                starting[str(number)].append(atom)
        board = self._game.board
        for letter, atoms in glyphs.items():
            names = [str(atom.arguments[0]) for atom in atoms]
            if len(names) > 1:
                message = f"the glyph {letter!r} means {' and '.join(names)}"
                yield atoms[-1], f"{message}, so positions with these have no FEN"
            elif board and letter not in board.contents and names[0] not in board.empty:
                message = f"the glyph {letter!r} of {names[0]} has another meaning in a FEN"
                yield atoms[-1], f"{message}, so positions with it have none"
        for field, atoms in fields.items():
            if len(atoms) > 1:
                names = [str(atom.arguments[2]) for atom in atoms]
                message = f"FEN field {field} for {' and '.join(names)}"
                yield atoms[-1], f"{message}, so positions with these have no FEN"
        for field, atoms in starting.items():
            names = sorted({str(atom.arguments[2]) for atom in atoms})
            if len(names) > 1:
                message = f"{' and '.join(names)} hold at the start, and both are FEN field {field}"
                yield atoms[-1], f"{message}, so it has no FEN"

    def _squares(self) -> Iterator[tuple[Symbol, str]]:
        if (board := self._game.board) is None:
            return
        for name, place in _SQUARES.items():
            for atom, arguments in self._rows(name):
                x, y = (argument.number for argument in arguments[place : place + 2])
                if not board.has((x, y)):
                    yield atom, _off(f"{name}/{len(arguments)}", x, y, board)
        for fluent in self._game.vocabulary.initial:
            if (placed := board.piece(fluent)) and not board.has(placed[0]):
                yield (Function("init", [known_symbol(fluent)]), _off("init/1", *placed[0], board))

    def _squares_in_sentences(self) -> Iterator[Finding]:
        """Facts off the board in positions and explanations."""
        if (board := self._game.board) is None:
            return
        for rule in self._spoken:
            for node in nodes_in(rule.statement, "Function"):
                placed = board.placement(str(node))
                if placed and not board.has(placed[0]):
                    yield _in_rule(rule, _off(str(node), *placed[0], board))

    def _sentences(self) -> Iterator[Finding]:
        """Misspelt names in positions and explanations, and moves with other arguments.

        A name that two rules share may have a meaning of its own there.
        """
        used: dict[str, dict[Rule, None]] = defaultdict(dict)
        made = {*self._linter.moves.made, *self._linter.fluents.made}
        predicates = {s for rule in (*self._rules, *self._spoken) for s in rule.heads | rule.body}
        for rule in self._spoken:
            for node in nodes_in(rule.statement, "SymbolicTerm", "Function"):
                if kind_of(node) == "SymbolicTerm":
                    used[str(node)][rule] = None
                else:
                    name, number = signature = signature_of(node)
                    arities = sorted(arity for other, arity in made if other == name)
                    if signature in predicates or number in arities:
                        continue
                    used[name][rule] = None
                    if arities:
                        said = f"{name} has {arities[0]} arguments here, not {number}"
                        yield _in_rule(rule, said)
        for word, (rule, *others) in used.items():
            known = others or word in self._names or not word.isidentifier()
            if near := "" if known else hint(word, self._names):
                yield _in_rule(rule, f"no rule names {word}{near}")

    def _finding(self, atom: Symbol, sentence: str) -> Finding:
        signature = atom.name, len(atom.arguments) or 1
        rules = [(str(r.head.node), r) for r in self._rules if r.head and signature in r.heads]
        words = set(re.findall(r"\w+", str(atom)))

        def likeness(found: tuple[str, Rule]) -> tuple[bool, int]:
            return found[0] == str(atom), len(words & set(re.findall(r"\w+", found[0])))

        return _in_rule(max(rules, key=likeness)[1], sentence)


def _in_rule(rule: Rule, sentence: str) -> Finding:
    file, _, line = short_place(rule.statement).rpartition(":")
    return Finding("part", WARNING, sentence, file=file, line=int(line))


def _words(term: Symbol, first: bool) -> list[str]:
    words = re.findall(r"[a-z]\w*", re.sub(r'"[^"]*"', "", str(term)))
    return words[:1] if first else words


def _off(what: str, x: int, y: int, board: Board) -> str:
    name = square_name((x, y)) if x > 0 and y > 0 else f"({x},{y})"
    return f"{what} names {name}, which is off the board, {board.size}"
