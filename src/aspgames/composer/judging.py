"""Judging a puzzle: whether it is sound, and how good it is.

One search on one net answers all questions. Efforts are counted in evaluations, so every run gives
the same judgement.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from ..game.notation.notations import state_text
from ..game.state import State
from ..gdl.rules import Facts
from ..propnet.reachable_nets import net_of_all
from ..puzzle.many_puzzles import PuzzleWork
from ..puzzle.problem import Puzzle
from ..puzzle.solution import line_texts
from ..puzzle.solved import Position
from ..puzzle.stipulation import STIPULATION, TOGETHER, is_helped
from ..runtime.arguments import quote
from ..runtime.budget import MOST_RULES, Budget
from ..runtime.call_arguments import check_budget
from ..runtime.errors import BadPosition, BadRequest
from ..runtime.json_lines import JsonObject
from ..runtime.workers.task_runner import Show
from .bounded_search import BoundedSearch, Undecided
from .economy import Pieces, can_change, economy
from .judgement import (
    Dual,
    Judgement,
    KeyPlay,
    KeyPlays,
    Try,
    difficulty,
    gives_check,
    in_pairs,
    score,
    with_other_side,
)
from .order import FORCED, NOT_FORCED, STIPULATIONS, Order
from .solution_set import SolutionSet, find_solutions

EFFORT = 200_000
"""The default number of evaluations for a question."""

_MOST_TURNS = 60  # for a puzzle without a limit
_MOST_KEYS = 1000
_MOST_PLAYS = 8
_MOST_POSITIONS = 300  # of the main play
_STATES_TOGETHER = 512  # states in an evaluation
_TRY_EFFORT = 3000  # evaluations for a question; an undecided move doesn't count as a try


def judge(
    puzzle: Puzzle,
    stipulation: str = FORCED,
    intended: Sequence[str] = (),
    budget: Budget | None = None,
    effort: int = EFFORT,
    economy: bool = True,
) -> Judgement:
    """Judge a puzzle.

    Args:
        puzzle: The puzzle.
        stipulation: ``forced``, ``not_forced`` or ``together``.
        intended: The keys that the author knows, as terms.
        budget: The time.
        effort: The number of evaluations for a question; beyond it, the verdict is ``unknown``.
        economy: Whether to look for superfluous pieces.

    Raises:
        RulesError: The rules have no net.
        LimitReached: A net is too large, or the budget is over.
    """
    if not isinstance(puzzle, Puzzle):
        raise BadRequest(f"give a Puzzle, as Puzzle.of returns it, not {quote(puzzle)}")
    return _Judge(puzzle, stipulation, check_budget(budget), effort, economy).judge(intended)


class _Judge:
    def __init__(
        self, puzzle: Puzzle, stipulation: str, budget: Budget, effort: int, economy: bool
    ) -> None:
        facts = puzzle.state.facts
        self._game, self._facts, self._budget = puzzle.state.game, facts, budget
        self._pieces = Pieces(self._game, facts)
        self._economy = economy and can_change(self._game)
        states = [facts, *(self._pieces.each_without_one() if economy else ())]
        net = net_of_all(self._game.rules, states, MOST_RULES)
        most = _MOST_TURNS if puzzle.within is None else puzzle.within
        self._within = puzzle.within
        self._order = Order(puzzle.goal.text, min(1, most), most, stipulation, puzzle.attacker)
        self._puzzle, self._effort = puzzle, effort
        self._found: dict[Facts, tuple[int, list[tuple[str, ...]]] | None] = {}
        self._ask = BoundedSearch(puzzle, net, effort)
        self._root = self._ask.at(facts, budget)
        self._before = budget.positions

    def judge(self, intended: Sequence[str]) -> Judgement:
        """Judge the puzzle with some intended moves."""
        root, over = self._root, self._root.goal_reached or self._root.over
        legal = [] if over else [move for move, _ in root.children()]
        look = self._look(self._facts)
        evaluated = self._budget.positions - self._before
        try:
            if look is None:
                return replace(self._unsolved(), legal=len(legal), evaluated=evaluated)
            found = self._sound_or_not(look, intended)
            if self._order.stipulation == FORCED:
                found = self._of_play(found, look)
                found = self._of_key(replace(found, play=self._play(look)), look.solutions[0])
            elif self._order.stipulation == TOGETHER:
                found = replace(found, play=tuple(self._helped_play(look.distance)))
            found = self._of_pieces(found, look)
        except Undecided:
            return Judgement(False, "unknown", legal=len(legal), evaluated=evaluated)
        hard = difficulty(evaluated, len(legal), look.distance)
        found = replace(found, legal=len(legal), evaluated=evaluated, difficulty=hard)
        return replace(found, score=score(found))

    def _look(self, facts: Facts) -> SolutionSet | None:
        position = self._root if facts == self._facts else self._ask.at(facts, self._budget)
        if self._order.stipulation == TOGETHER:
            if position.goal_reached or position.over:
                return None
            turns, lines = self._lines(facts) or (0, [])
            firsts = sorted(line[0] for line in lines)
            return SolutionSet(turns, tuple(firsts)) if lines else None
        return find_solutions(position, self._order, self._ask, _MOST_KEYS)

    def _lines(self, facts: Facts) -> tuple[int, list[tuple[str, ...]]] | None:
        """The fewest turns if both sides help, and the shortest lines; None if undecided."""
        if facts not in self._found:
            asked = self._game.state(facts), self._within, _MOST_KEYS
            widest = self._effort * _STATES_TOGETHER
            self._found[facts] = self._ask.shortest_lines(*asked, widest)
        return self._found[facts]

    def _helped_play(self, distance: int) -> Iterator[KeyPlay]:
        """Shortest lines, and those that the other side begins, in no more turns."""
        state = self._puzzle.state
        for line in (self._lines(self._facts) or (0, []))[1][:_MOST_PLAYS]:
            first, *others = line_texts(state, line)
            yield KeyPlay(first, None, in_pairs(others))
        other = with_other_side(state)
        if other is None or not self._ask.knows(other.facts):
            return
        turns, lines = self._lines(other.facts) or (0, [])
        plays = [tuple(line_texts(other, line)) for line in lines[:_MOST_PLAYS]]
        if plays and turns <= distance:
            yield KeyPlay(None, None, tuple(one for texts in plays for one in in_pairs(texts)))

    def _unsolved(self) -> Judgement:
        """The judgement of a puzzle without a solution. Raises ``Undecided``."""
        root, turns = self._root, self._order.most
        if self._order.stipulation == TOGETHER:
            decided = root.over or self._lines(self._facts) is not None
            return Judgement(False, "impossible" if decided else "unknown")
        if root.goal_reached:
            return Judgement(False, "forced", 0)
        if not self._ask(root, turns - root.attacks):
            found = tuple(tries(self._ask, root, turns, ())) if root.attacks else ()
            return Judgement(False, "not_forced", tries=found)
        distance = next(t for t in range(turns + 1) if self._ask(root, t - root.attacks))
        return Judgement(False, "forced", distance)

    def _sound_or_not(self, look: SolutionSet, intended: Sequence[str]) -> Judgement:
        stipulation = self._order.stipulation
        shorter = (
            stipulation != NOT_FORCED and self._within is not None and look.distance < self._within
        )
        keys = tuple(dict.fromkeys(look.solutions))
        meant = [key for key in keys if key in intended] or keys[:1]
        verdicts = {FORCED: "forced", NOT_FORCED: "not_forced", TOGETHER: "possible"}
        return Judgement(
            look.is_sound and not shorter,
            verdicts[stipulation],
            look.distance,
            keys,
            self._texts(keys),
            shorter=shorter,
            cooks=self._texts([key for key in keys if key not in meant]),
        )

    def _of_play(self, found: Judgement, look: SolutionSet) -> Judgement:
        ask, root, keys, distance = self._ask, self._root, look.solutions, look.distance
        play = MainPlay(ask, root, distance, keys[0])
        return replace(
            found,
            line_text=play.line,
            duals=tuple(play.duals),
            tries=tuple(tries(ask, root, distance, keys)),
            slower=self._texts(slower(ask, root, distance, keys)),
            natural=self._texts(natural(ask, root, keys)),
            variations=play.variations,
        )

    def _of_key(self, found: Judgement, key: str) -> Judgement:
        """What the key takes, and how many answers its play has."""
        before, child = self._ask.state(self._root), dict(self._root.children())[key]
        after = self._ask.state(child)
        other = with_other_side(before)
        ends = child.attacks or child.goal_reached or child.over
        free = 0 if other is None or ends else len(other.legal_moves)
        taken = max(0, free - len(after.legal_moves)) / free if free else 0.0
        if free and gives_check(before, after):
            taken = 1.0
        answers = {
            one.answers[0]
            for play in found.play[:1]
            for one in play.variations
            if len(one.answers) == 1
        }
        return replace(
            found,
            captures=self._defenders(after) < self._defenders(before),
            taken=round(taken, 2),
            answers=len(answers),
        )

    def _defenders(self, state: State) -> int:
        words = self._game.vocabulary
        contents = map(words.content, state.facts)
        return sum(words.owner(each or "") == self._puzzle.defender for each in contents)

    def _play(self, look: SolutionSet) -> tuple[KeyPlay, ...]:
        plays = KeyPlays(self._ask, self._root, look.distance, self._budget)
        try:
            return *map(plays.after, look.solutions[:_MOST_PLAYS]), *plays.set_play()
        except Undecided:
            return ()

    def _of_pieces(self, found: Judgement, look: SolutionSet) -> Judgement:
        def stays(facts: Facts) -> bool:
            if not self._ask.knows(facts):
                return False
            try:
                self._game.checked(facts)
            except BadPosition:
                return False
            return self._look(facts) == look

        pieces = self._pieces
        superfluous, smallest = economy(pieces, stays) if self._economy else ((), None)
        state = None if smallest is None else self._game.state(smallest)
        return replace(
            found,
            pieces=pieces.number,
            superfluous=superfluous,
            smallest=None if state is None else state_text(state),
            smallest_pieces=Pieces(self._game, smallest or self._facts).number,
        )

    def _texts(self, moves: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self._ask.puzzle.state.move_text, moves))


@dataclass(frozen=True)
class Judging(PuzzleWork):
    """Adds a judgement to each puzzle, as ``judged``."""

    effort: int = EFFORT
    """The evaluations for each question about a puzzle."""

    def answer(self, request: JsonObject, puzzle: Puzzle, _show: Show) -> JsonObject:
        """The puzzle with its judgement. Raises ``Interrupted``."""
        puzzle.refuse_unless_sides_take_turns()
        stipulation = request.get("stipulation", FORCED)
        if isinstance(stipulation, str) and STIPULATION.fullmatch(stipulation):
            stipulation = TOGETHER if is_helped(stipulation) else FORCED
        if stipulation not in STIPULATIONS:
            known = ", ".join(STIPULATIONS)
            raise BadRequest(f"the stipulation must be {known}, not {stipulation!r}"[:200])
        answer = request.get("answer")
        keys = answer.get("keys") if isinstance(answer, dict) else None
        intended = list(map(str, keys)) if isinstance(keys, list) else []
        found = judge(puzzle, stipulation, intended, Budget(self.seconds), self.effort)
        return request | {"judged": asdict(found)}

    def out_of_time(self, request: JsonObject) -> JsonObject:
        """The puzzle, undecided."""
        return request | {"judged": asdict(Judgement(False, "unknown"))}


class MainPlay:
    """The lines after one key, with the attacker's first best move in each position."""

    def __init__(self, ask: BoundedSearch, root: Position, distance: int, key: str) -> None:
        """Raises ``Undecided``, and ``LimitReached`` if the budget is over."""
        self._ask, self._left = ask, _MOST_POSITIONS
        self._met: set[tuple[Position, float]] = set()
        self.duals: list[Dual] = []
        """Turns with several best moves, among the positions examined."""
        self.line: tuple[str, ...] = ()
        """The first line, in the game's own notation."""
        self.variations: dict[str, int] = {}
        """The number of replies to the key, by the turns in which they lose (the key included)."""
        after = dict(root.children())[key]
        text = ask.state(root).move_text(key)
        self._below(after, root.turns_after(after, distance - 1), (text,))

    def _below(self, position: Position, turns: float, line: tuple[str, ...]) -> None:
        if position.goal_reached:
            self.line = self.line or line
            return
        if self.line and (self._left <= 0 or (position, turns) in self._met):
            return
        if not position.attacks and not self.variations:
            self.variations = self._lengths(position)
        self._left -= 1
        self._met.add((position, turns))
        best, state = list(self._best(position, turns)), self._ask.state(position)
        if position.attacks and len(best) > 1:
            texts = tuple(state.move_text(move) for move, _ in best)
            self.duals.append(Dual(line, texts, int(turns) + 1))
        for move, child in best[: 1 if position.attacks else None]:
            after = position.turns_after(child, turns)
            self._below(child, after, (*line, state.move_text(move)))

    def _lengths(self, position: Position) -> dict[str, int]:
        found: Counter[int] = Counter()
        for _, child in position.children():
            turns = 0
            while not self._ask(child, position.turns_after(child, turns)):
                turns += 1
            found[turns + 1] += 1
        return {str(turns): number for turns, number in sorted(found.items())}

    def _best(self, position: Position, turns: float) -> Iterator[tuple[str, Position]]:
        """The best moves, if ``turns`` turns are just enough."""
        for move, child in position.children():
            if position.attacks:
                best = self._ask(child, position.turns_after(child, turns))
            else:
                # Without turns left, all replies are equal.
                later = turns == 0 or position.turns_after(child, turns - 1)
                best = later is True or not self._ask(child, later)
            if best:
                yield move, child


def tries(
    ask: BoundedSearch, root: Position, distance: int, keys: Collection[str]
) -> Iterator[Try]:
    """The moves that only one reply refutes."""
    for move, child in root.children():
        if move in keys or child.goal_reached or child.over or child.attacks:
            continue
        turns = root.turns_after(child, distance - 1)
        replies = child.children()
        refuting: list[str] = []
        for reply, position in replies:
            found = ask.seems(position, child.turns_after(position, turns), _TRY_EFFORT)
            if found is None:
                refuting = []
                break
            if not found:
                refuting.append(reply)
                if len(refuting) > 1:
                    break
        if len(refuting) == 1 < len(replies):
            text = ask.state(root).move_text(move)
            yield Try(text, ask.state(child).move_text(refuting[0]))


def slower(ask: BoundedSearch, root: Position, distance: int, keys: Collection[str]) -> list[str]:
    """The moves that force the goal one turn later."""
    return [
        move
        for move, child in root.children()
        if move not in keys and ask.seems(child, root.turns_after(child, distance), _TRY_EFFORT)
    ]


def natural(ask: BoundedSearch, root: Position, keys: Collection[str]) -> list[str]:
    """The failing moves that look at least as good as the key, one move ahead.

    A move looks better if it captures more pieces, or else leaves the other side fewer moves.
    """
    words = ask.puzzle.state.game.vocabulary
    other = ask.puzzle.defender

    def look(child: Position) -> tuple[int, int]:
        over = child.goal_reached or child.over
        if child.attacks and other and not over:  # looks ahead to the end of the turn
            return min((look(after) for _, after in child.children()), default=(0, 0))
        contents = map(words.content, child.fluents)
        pieces = sum(words.owner(content or "") == other for content in contents)
        return pieces, 0 if over else len(child.children())

    looks = {move: look(child) for move, child in root.children()}
    best = min(looks[key] for key in keys)
    return [move for move, seen in looks.items() if move not in keys and seen <= best]
