"""Solutions of chess problems as Popeye prints them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..composer.problem_play import Attack, Line, ProblemPlay, Reply
from ..crosscheck.engines.peers import Peer
from ..crosscheck.engines.popeye_problem import PopeyeProblem, bare_name, colour_of, squares_in
from ..crosscheck.engines.popeye_reference import UnitNames, lengths
from ..crosscheck.engines.popeye_words import ATTRIBUTES, ENGLISH, SIDES, WRITTEN
from ..game.board import Square, parse_square, square_name
from ..game.notation.move_text import named_squares
from ..game.state import State

_EDGE = "+---a---b---c---d---e---f---g---h---+"
_BLANK = f"|{' ' * 35}|"
_START = re.compile(r"(?<=[A-Z])[a-h][1-8][-*]")
_COLUMNS = 4  # phases beside the solution in a table
_LAST_ROWS = {8: "unit(white,", 1: "unit(black,"}
_CASTLED = 2  # files that a king goes
_PROMOTED = re.compile(r"move\((?:\d,){6}(?:exits\(\d,\d,)?(\w+|\"\w+\")\)?,-?\d+\)")


@dataclass(frozen=True)
class _Change:
    """What a move changes on the board, but for an exchange of kings after it."""

    term: str
    start: Square
    end: Square
    old: Mapping[Square, str]
    new: Mapping[Square, str]
    captured: frozenset[Square]
    """Where the move captures, if its term says it."""
    lost: str
    """A second piece that vanishes, as it is printed."""
    kings: str
    """The kings that exchange places, as they are printed."""
    slays: bool
    """Whether a reborn piece takes the place of what stands there."""

    @cached_property
    def others(self) -> list[Square]:
        """The squares that change beside those from which and to which the piece goes."""
        changed = {one for one in {*self.old, *self.new} if self.old.get(one) != self.new.get(one)}
        return sorted((changed | self.captured) - {self.start, self.end})

    @cached_property
    def taken(self) -> list[Square]:
        """The others on which a piece is captured."""
        left = [one for one in self.others if one in self.old]
        return [one for one in left if one not in self.new or one in self.captured]

    @property
    def kept(self) -> list[Square]:
        """The others on which a piece becomes another, by rank."""
        if self.slays:
            return []
        kept = [one for one in self.others if one in self.old and one not in self.taken]
        return sorted(kept, key=lambda one: one[::-1])

    @cached_property
    def homes(self) -> list[Square]:
        """The squares to which pieces may come: others with a new piece, and the two ends."""
        born = [one for one in self.others if one in self.new and one not in self.kept]
        return [*born, *(one for one in (self.start, self.end) if one in self.new)]

    @property
    def lands_on(self) -> bool:
        """Whether a piece stood where the move leads."""
        return self.end in self.old and self.end != self.start

    @property
    def dies(self) -> bool:
        """Whether a kamikaze piece captures."""
        captures = self.end in self.old or bool(self.taken)
        return captures and self.old[self.start].endswith("kamikaze)")

    @property
    def hatches(self) -> bool:
        """Whether a reborn pawn is promoted."""
        return bool(re.search(r",bears|choose\(\d,\d,(?!same)", self.term))


Phase = tuple[str, dict[str, str]]
"""Set play, a try or the solution: its name, and what answers each of the defender's moves."""


class PopeyeText:
    """Writes the moves of one problem, with the letters of pieces in its language."""

    def __init__(self, problem: PopeyeProblem, peer: Peer | None, goal: str) -> None:
        """``goal`` is the sign after a move that reaches the goal, such as ``#``.

        Without ``peer``, the rules are those of reference.
        """
        self._goal = goal
        self.defender_begins = False
        """Whether the defender's moves have numbers as those of the side that begins."""
        letters = {english: word for word, english in ENGLISH[problem.language].items()}
        self._names: Mapping[str, tuple[str, str]] = (
            UnitNames(letters, SIDES[problem.language], ATTRIBUTES[problem.language])
            if peer is None
            else {
                content: (
                    _colour(glyph, problem.language),
                    letters[glyph.strip(".").lower()].upper(),
                )
                for glyph, content in peer.glyphs.items()
            }
        )
        self._lengths = {
            purse: length
            for condition in problem.conditions
            for purse, length in lengths(condition).items()
        }
        conditions = " ".join(problem.conditions).lower()
        self._births = re.search("circe|pwc", conditions)
        self._slays = bool(re.search("circe ?assassin", conditions))
        self._imitator = letters.get("i", "i").upper()
        self._imitators = [
            square
            for condition in problem.conditions
            if condition.lower().startswith("imitator ")
            for word in condition.lower().split()[1:]
            for square in squares_in(word)
        ]
        self._pawn, self._king = letters["p"].upper(), letters["k"].upper()
        self._threat, self._zugzwang, self._but, self._refutes, *others = WRITTEN[problem.language]
        self._set, self._changed, self._exchange = others

    def _ends(self, before: State, term: str) -> list[Square]:
        """The squares from which and to which a move leads; none for a pass."""
        if not isinstance(self._names, UnitNames):
            return named_squares(before.game.vocabulary.notation, term)
        x, y, u, v, *_ = [*map(int, re.findall("[0-9]+", term)), 0, 0, 0, 0]
        return [(x, y), (u, v)] if x else []

    def _captured(self, term: str) -> set[Square]:
        """The square on which a move captures, if its term says it."""
        found = list(map(int, re.findall("[0-9]+", term)))[4:6]
        named = isinstance(self._names, UnitNames) and len(found) == len(("file", "rank"))
        return {(found[0], found[1])} if named else set()

    def use(self, play: ProblemPlay) -> None:
        """Write the moves of a play."""
        self._play = play

    def move(self, before: State, term: str, after: State) -> str:
        """A move, such as ``Ra1*a8 +`` or ``e5*d6 ep.``."""
        text = self.squares(before, term, after)
        sign = self._play.sign(after, self._goal)
        if sign.endswith(("#", "=")):
            return f"{text} {sign}"
        if sign.endswith(" "):  # a check is a goal, too, after another
            return f"{text} {sign}+"
        return f"{text}{' +' * self._play.checked(after)} {sign.strip()}".rstrip()

    def reaches(self, goal: str, before: State, term: str, after: State) -> bool:
        """Whether a move reaches a goal of moves, such as ``x`` or ``zd8``."""
        squares = self._ends(before, term)
        if not squares:
            return False  # a pass in a series
        text = self.squares(before, term, after)
        if goal[0] == "z":
            return square_name(squares[-1]) == goal[1:]
        if goal == "+":
            mated = after.is_terminal and 100 in after.goals.values()
            return mated or self._play.checked(after)
        tests = {"~": True, "x": "*" in text, "00": text[0] == "0", "ep": text.endswith("ep.")}
        return tests[goal]

    def squares(self, before: State, term: str, after: State) -> str:
        """A move without signs of checks and goals."""
        limited = self._lengths.keys() & {"both", before.to_move}
        left = self._lengths_left(after) if limited else ""
        return self._squares(before, term, after) + left

    def _lengths_left(self, state: State) -> str:
        """What BGL leaves, such as `` (10/7.17)`` of White and Black, or `` (8)`` of both."""
        left = dict(self._lengths)
        for fact in state.facts:
            if found := re.fullmatch(r"paid\((\w+),(\d+)\)", fact):
                left[found[1]] -= int(found[2])
        sides = ("both",) if "both" in left else ("white", "black")
        shown = (f"{left[side] / 100:.10g}" if side in left else "-" for side in sides)
        return f" ({'/'.join(shown)})"

    def _squares(self, before: State, term: str, after: State) -> str:
        if term == "exchanges":
            return f" {self._exchange}"
        change = self._change(before, term, after)
        start, end, old, new = change.start, change.end, change.old, change.new
        colour, name = self._names[old[start]]
        if term.partition(",swaps")[1]:
            return f"{name}{square_name(start)}<->{name}{square_name(end)}"
        if found := re.search(r",joins\((\d),(\d)\)", term):
            partner = int(found[1]), int(found[2])
            side, kind = self._names[old[partner]]
            moves = f"{name}{square_name(start)}-{square_name(end)}/{side}{kind.removeprefix(side)}"
            return f"{moves}{square_name(partner)}-{square_name(_middle(start, end))}"
        own = [one for one in change.others if one in old and self._names[old[one]][0] == colour]
        if name == self._king and own and abs(start[0] - end[0]) == _CASTLED:
            return self._castling(change, old[own[0]], self._imitators_at(after))
        passed = any(fact.startswith(f"passed({end[0]},{end[1]},") for fact in before.facts)
        text = self._way(change, passed, self._imitators_at(after, None if end in new else end))
        lands = self._landing(change)
        if lands:
            text += self._arrival(change, lands)
        elif change.dies and not self._births:
            text += f"[-{self._placed(old[start], end)}]"
        for one in change.kept:
            (side, was), (shown, became) = self._names[old[one]], self._names[new[one]]
            other = f"[{square_name(one)}={became if became != was else shown}]"
            # A pawn of the side's own becomes a piece first.
            text = other + text if side == shown == colour else text + other
        born = (one for one in change.homes if one != lands)
        return self._first(change) + text + self._reborn(change, born) + change.kings

    def _change(self, before: State, term: str, after: State) -> "_Change":
        start, *_, end = self._ends(before, term)
        old, new, lost = before.occupied, after.occupied, ""
        if found := re.search(r"\+choose\((\d+),(\d+),", term):
            place = int(found[1]), int(found[2])
            if place in old and place not in new:
                piece = old[start] if place == end else old[place]
                lost, new = f"[-{self._placed(piece, place)}]", {**new, place: piece}
        kings = self._exchanged_kings(old, new, start, end)
        if kings:
            one, other = kings
            new = {**new, one: new[other], other: new[one]}
        names = "<->".join(f"{self._king}{square_name(square)}" for square in kings)
        captured = frozenset(self._captured(term) & old.keys())
        shown = f"[{names}]" if names else ""
        return _Change(term, start, end, old, new, captured, lost, shown, self._slays)

    def _placed(self, content: str, square: Square) -> str:
        """A piece with its side and its square, such as ``wBe4``."""
        side, name = self._names[content]
        return f"{side[0]}{name.removeprefix(side)}{square_name(square)}"

    def _castling(self, change: "_Change", rook: str, imitators: str) -> str:
        place = _middle(change.start, change.end)
        became = self._names[change.new.get(place, rook)][1]
        born = [one for one in change.homes if one not in (place, change.end)]
        text = "0-0" if change.end[0] > change.start[0] else "0-0-0"
        text += f"={became}" * (became != self._names[rook][1]) + imitators
        return text + self._reborn(change, born) + change.kings

    def _way(self, change: "_Change", passed: bool, imitators: str) -> str:
        """From where to where a piece goes, and what it captures."""
        colour, name = self._names[change.old[change.start]]
        if self._first(change):
            name = self._names[change.new[change.end]][1]
        text = "n" * (colour == "nh")  # a half-neutral piece that is neutral
        text += ("" if name == self._pawn else name) + square_name(change.start)
        end, taken = square_name(change.end), change.taken
        beside = name == self._pawn and change.end not in change.old
        passed = bool(taken) and (passed or (beside and taken[0][1] == change.start[1]))
        if taken and not passed:
            text += f"*{square_name(taken[0])}-{end}"
        else:
            text += f"{'*' if passed or change.lands_on else '-'}{end}"
        text += imitators + " ep." * passed
        return text + f"={self._imitator}" * (",imitator," in change.term)

    def _first(self, change: "_Change") -> str:
        """What a pawn on its last row becomes before it moves, such as ``[e8=Q]``."""
        content = change.old[change.start]
        last = content.startswith(_LAST_ROWS.get(change.start[1], "-")) and change.end in change.new
        if not last or self._names[content][1] != self._pawn:
            return ""
        return f"[{square_name(change.start)}={self._names[change.new[change.end]][1]}]"

    def _landing(self, change: "_Change") -> Square | None:
        """Where the piece is after its move; None if it vanishes."""
        new, content = change.new, change.old[change.start]
        places = [change.end, *change.homes]
        promoted = _PROMOTED.search(change.term)
        kinds = [promoted[1]] if promoted else []
        for expected in [*(re.sub(",.*,", f",{kind},", content) for kind in kinds), content]:
            if found := [one for one in places if new.get(one) == expected]:
                return found[0]
        colour = self._names[content][0]
        own = [one for one in change.homes if self._names[new[one]][0] == colour]
        if change.dies or change.slays:  # a piece on its square came later
            return next(iter(own), None)
        return change.end if change.end in new else next(iter([*own, *change.homes]), None)

    def _arrival(self, change: "_Change", lands: Square) -> str:
        """What a piece becomes, and where it is reborn or goes on."""
        term, end = change.term, change.end
        colour, name = self._names[change.old[change.start]]
        shown, became = self._names[change.new[lands]]
        if self._first(change):
            name = became
        late = ""
        if became != name and (",exits" in term or "choose(" in term) and end[1] not in _LAST_ROWS:
            late, became = f"={became}", name
        text = change.lost
        if text and became != name:
            text += f"[{square_name(lands)}={became}]"
        elif ",turns(" in term:  # a pawn becomes a chameleon
            text += f"={became[1:]}={became[0]}"
        else:
            neutral = "n" * (colour == "nh")  # as the pawn that becomes the piece
            text += f"={neutral}{became}" * (became != name) + f"={shown}" * (shown != colour)
        chosen = f"choose({end[0]},{end[1]},same)" in term and not change.lost
        if change.dies or lands != end or chosen:
            piece = f"{shown}{became.removeprefix(shown)}{square_name(end)}"
            text += f"[{piece}->{square_name(lands)}{late}]"
        return text

    def _exchanged_kings(
        self, old: Mapping[Square, str], new: Mapping[Square, str], start: Square, end: Square
    ) -> list[Square]:
        """The squares of two kings that exchange places after a move, Black's king first."""
        kings = [one for one, content in old.items() if self._names[content][1] == self._king]
        kings.sort(key=lambda one: old[one])  # black, white
        places = [end if one == start else one for one in kings]
        changed = [new.get(one) for one in places] == [old[one] for one in kings[::-1]]
        return places if changed and len({old[one] for one in kings}) > 1 else []

    def _imitators_at(self, state: State, new: Square | None = None) -> str:
        """Where the imitators are, such as ``[If4,g4]``, without a ``new`` one."""
        drift = next((fact for fact in state.facts if fact.startswith("drift(")), "drift(0,0)")
        x, y = map(int, re.findall("-?[0-9]+", drift))
        first = [parse_square(square) or (0, 0) for square in self._imitators]
        places = [(u + x, v + y) for u, v in first]
        for fact in state.facts:
            if fact.startswith("added("):
                u, v = map(int, re.findall("[0-9]+", fact))
                places += [(u, v)] * ((u, v) != new)
        text = ",".join(map(square_name, places))
        return f"[I{text}]" if text else ""

    def _reborn(self, change: "_Change", squares: Iterable[Square]) -> str:
        """The pieces that appear, such as ``[+wBe4]``, or promoted pawns, such as ``[+wPe8=Q]``."""
        text = ""
        for square in squares:
            piece = self._placed(change.new[square], square)
            if change.hatches:
                side, name = self._names[change.new[square]]
                name = f"{name[1:]}={name[0]}" if ",chameleon)" in change.term else name
                piece = f"{side[0]}{self._pawn}{square_name(square)}={name}"
            text += f"[+{piece}]"
        return text

    def attack(self, before: State, attack: Attack, turn: int, mark: str = "") -> list[str]:
        """An attacker's move with all that follows, a line for each move."""
        number = self._number(turn - self.defender_begins, not self.defender_begins, bool(mark))
        line = f"{number}{self.move(before, attack.term, attack.after)}{mark}"
        found = self._after(before, attack, turn, line)
        if attack.refutations:
            found.append(f"{' ' * 4}{self._but}")
            found += [
                f"{' ' * 6}{turn}...{self.move(attack.after, term, after)} !"
                for term, after in attack.refutations
            ]
        return found

    @staticmethod
    def _number(turn: int, begins: bool, first: bool) -> str:
        """The number of a move with blanks before it; ``begins``: of the side that begins."""
        if begins:
            return f"{' ' * (3 if first else 8 * turn - 6)}{turn}."
        return f"{' ' * (8 * turn - 2)}{turn}..."

    def after_key(self, attack: Attack) -> list[str]:
        """The play after a key that was made already, a line for each move."""
        checked = " +" * self._play.checked(attack.after)
        found = self._after(attack.after, attack, 1, checked)
        for term, after in attack.refutations:
            number = self._number(1, self.defender_begins, True)
            found.append(f"{number}{self.move(attack.after, term, after)}")
            found.append(f"        {self._refutes}.")
        return found

    def _after(self, before: State, attack: Attack, turn: int, line: str) -> list[str]:
        if attack.threats:
            line += f" {self._threat}:"
        elif attack.threats is not None:
            line += f" {self._zugzwang}."
        passed = self._play.passed(attack.after) if attack.threats else None
        found = [line]
        for threat in attack.threats or ():
            found += self.attack(passed or before, threat, turn + 1)
        return found + self.replies(attack.after, attack.replies, turn)

    def phase(self, before: State, attack: Attack | None, replies: Iterable[Reply]) -> Phase:
        """What answers replies: in set play, or after an attacker's move."""

        def named(state: State, attacks: Iterable[Attack]) -> str:
            return ", ".join(self.move(state, one.term, one.after) for one in attacks)

        start = attack.after if attack else before
        answers = {
            self.squares(start, reply.term, reply.after): named(reply.after, reply.answers)
            for reply in replies
            if reply.answers  # others reach the goal
        }
        if attack is None:
            return self._set, answers
        answers |= {self.squares(start, *reply): "!" for reply in attack.refutations}
        passed = self._play.passed(start) if attack.threats else None
        if passed:
            threats = f"({named(passed, attack.threats or ())})"
            children = self._play.children(start)
            legal = (
                self.squares(start, *one) for one in children if not self._play.reached(one[1])
            )
            answers = dict.fromkeys(legal, threats) | answers
        mark = "?" if attack.refutations else "!"
        return f"1.{self.squares(before, attack.term, start)}{mark}", answers

    def changed_play(self, phases: Sequence[Phase]) -> list[str]:
        """A table of the replies that other phases answer differently than the solution.

        The same piece on the same square is the same answer, wherever it comes from.
        """
        solution = next((phase for phase in phases if phase[0].endswith("!")), None)
        if solution is None:
            return []

        def differ(phase: Phase, reply: str) -> bool:
            here, there = (
                sorted(_START.sub("", cell.strip("()")).split(", "))
                for cell in (answers.get(reply, "-") for _, answers in (phase, solution))
            )
            return not {*here, *there} & {"-", "!"} and here != there

        others = [phase for phase in phases if any(differ(phase, reply) for reply in solution[1])]
        lines: list[str] = []
        while others:
            shown, others = [solution, *others[:_COLUMNS]], others[_COLUMNS:]
            rows = [reply for reply in solution[1] if any(differ(phase, reply) for phase in shown)]
            table = [[self._changed, *(name for name, _ in shown)]]
            table += [[row, *(answers.get(row, "-") for _, answers in shown)] for row in rows]
            widths = [max(map(len, column)) for column in zip(*table, strict=True)]
            lines += ["", *(f"   {'   '.join(map(str.ljust, row, widths))}" for row in table)]
        return [line.rstrip() for line in lines]

    def replies(self, before: State, replies: Iterable[Reply], turn: int) -> list[str]:
        """Variations: a line for each move."""
        found = []
        for reply in replies:
            number = self._number(turn, self.defender_begins, turn == 1)
            found.append(f"{number}{self.move(before, reply.term, reply.after)}")
            for answer in reply.answers:
                found += self.attack(reply.after, answer, turn + 1)
        return found

    def line(self, before: State, line: Line, unmade: int) -> str:
        """A line of help play in one row, after so many half-moves that aren't made."""
        text, gap, starter = ("", "  1...", "  1...  ...")[unmade], "  ", before.to_move
        turn, waits = 2 if unmade else 1, unmade == 1
        first = waits
        for term, after in line:
            if term == "begin" and after.to_move != starter:
                starter, turn, waits, first = after.to_move, 1, False, False
            if self._ends(before, term) or term == "exchanges":
                begins = (before.to_move == starter) != waits
                if begins:
                    text += f"{gap}{turn}."
                    turn += 1
                elif not first:
                    text += " "
                text += self.move(before, term, after)
                first, gap = False, "   "
            before = after
        return text


def _middle(start: Square, end: Square) -> Square:
    return (start[0] + end[0]) // 2, (start[1] + end[1]) // 2


def _colour(glyph: str, language: str) -> str:
    return SIDES[language][not glyph.strip(".")[0].isupper()]


def diagram(problem: PopeyeProblem) -> Iterator[str]:
    """The board as Popeye prints it, with the stipulation and the numbers of pieces."""
    words = {english: word.upper() for word, english in ENGLISH[problem.language].items()}
    yield from (_EDGE, _BLANK)
    for row in "87654321":
        cells = []
        for file in "abcdefgh":
            name = problem.pieces.get(f"{file}{row}", "")
            letters = words.get(bare_name(name), ".")
            side = "=" if "=" in name else "-" if name and name == name.lower() else ""
            cells.append(f"{side}{letters}")
        yield from (f"{row}{''.join(f'{cell:>4}' for cell in cells)}   {row}", _BLANK)
    yield _EDGE
    pieces = " + ".join(map(str, numbers(problem)))
    asked = " ".join([problem.solved, ".".join(map(str, problem.intended))]).rstrip()
    yield f"  {asked}{pieces:>{max(33 - len(asked), len(pieces) + 1)}}"


def numbers(problem: PopeyeProblem) -> list[int]:
    """The numbers of white and of black pieces, and of neutral ones if there are any."""
    found = Counter(map(colour_of, problem.pieces.values()))
    return [found["white"], found["black"], *[found["neutral"]] * ("neutral" in found)]
