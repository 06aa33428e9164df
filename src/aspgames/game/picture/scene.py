"""A position as people see it: the input of pictures and texts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle

from ...runtime.errors import BadRequest, RulesError
from ..board import Square, Vocabulary, square_name

# Shapes and colours are imported in methods: texts need neither.


@dataclass(frozen=True)
class Scene:
    """A position as people see it."""

    vocabulary: Vocabulary
    facts: tuple[str, ...]
    status: str
    """Whose turn it is, or how the game ended."""
    mover: str | None
    """The role on move; None if the game is over or several roles move at once."""
    chances: tuple[str, ...] = ()
    """The moves of ``random``, each with its probability: ``die(1) 1/6``."""

    @cached_property
    def occupied(self) -> Mapping[Square, str]:
        """The pieces by their squares."""
        board = self.vocabulary.board
        placed = (self.vocabulary.piece(fact) for fact in self.facts)
        return dict(found for found in placed if found and board and board.has(found[0]))

    def colour(self, role: str | None) -> str:
        """The name of a role's colour. Raises ``RulesError`` if the encoding has an unknown one."""
        from .themes import COLOURS

        if role is None:
            return "nobody"
        colours = {role: role for role in self.vocabulary.roles if role in COLOURS}
        colours |= self.vocabulary.colours
        free = cycle([colour for colour in COLOURS if colour not in colours.values()] or COLOURS)
        colours |= {role: next(free) for role in self.vocabulary.roles if role not in colours}
        if colours[role] not in COLOURS:
            raise RulesError(_unknown("colour", role, colours[role], COLOURS))
        return colours[role]

    def owners_colour(self, content: str) -> str:
        """The name of the colour of a piece: its owner's, or else the one that its name has."""
        from .themes import COLOURS

        owner = self.vocabulary.owner(content)
        named = next((c for c in COLOURS if c in re.findall(r"\w+", content)), None)
        return named or "nobody" if owner is None else self.colour(owner)

    def shape(self, content: str) -> str | None:
        """The name of a piece's shape, or None. Raises ``RulesError`` for an unknown shape."""
        from .shapes import SHAPES

        board = self.vocabulary.board
        shape = board.pictures.get(content) if board else None
        if shape is not None and shape not in SHAPES:
            raise RulesError(_unknown("picture", content, shape, SHAPES))
        return shape

    def symbols(self) -> Mapping[str, str]:
        """The contents' characters in Unicode: those of their shapes, otherwise their glyphs.

        White pieces are in outline and black ones filled. With other colours, those of the first
        role and of nobody are in outline.
        """
        from .shapes import SHAPES

        board, first = self.vocabulary.board, self.vocabulary.roles[0]
        found = dict(board.glyphs) if board else {}
        for content in found:
            if (shape := self.shape(content)) and SHAPES[shape][0]:
                is_filled = self.vocabulary.owner(content) not in (None, first)
                filled = {"white": False, "black": True}.get(self.owners_colour(content), is_filled)
                found[content] = SHAPES[shape][0][filled]
        return found

    def turned(self, bottom: str | None) -> bool:
        """Whether the board is turned by half: for every role at the bottom but the first.

        Raises ``BadRequest`` if there is no such role.
        """
        roles = self.vocabulary.roles
        if bottom is not None and bottom not in roles:
            raise BadRequest(f"the bottom must be {' or '.join(roles)}, not {bottom!r}")
        return bottom not in (None, roles[0])

    def words(self) -> str:
        """The position in sentences, as a text alternative."""
        squares: dict[str, list[str]] = {}
        for square, content in sorted(self.occupied.items()):
            squares.setdefault(self.name(content), []).append(square_name(square))
        parts = [f"{self.status}."]
        board = self.vocabulary.board
        if board:
            parts += [f"{name}: {', '.join(places)}." for name, places in squares.items()]
            if not squares:
                parts.append("The board is empty.")
            if board.holes:
                holes = ", ".join(square_name(hole) for hole in sorted(board.holes))
                parts.append(f"Off limits: {holes}.")
        other = [self.said(fact) for fact in self.vocabulary.beside(self.facts)]
        if other:
            parts.append(f"{'Also' if board else 'What holds'}: {', '.join(other)}.")
        if self.chances:
            parts.append(f"Chance: {', '.join(self.chances)}.")
        return " ".join(parts)

    def said(self, fact: str) -> str:
        """A fact in words, if the encoding has them."""
        return self.vocabulary.in_words.get(fact, fact)

    def name(self, content: str) -> str:
        """A piece in words, its owner first: ``white pawn`` for ``pawn(white)``."""
        owner = self.vocabulary.owner(content)
        rest = [word for word in re.findall(r"\w+", content) if word != owner]
        return " ".join([owner, *rest] if owner else rest) or content


def _unknown(predicate: str, subject: str, name: str, known: Iterable[str]) -> str:
    names = ", ".join(known)
    return f'{predicate}({subject},"{name}"): there is no {predicate} {name!r}; there are: {names}'
