"""The difference between two answers to one question."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...asp.terms import shorten
from ...game.game import Game
from ...game.notation.uci_notation import coordinates
from ...game.state import State
from ...play.perft import divide
from ...play.without_draws import without_draws
from ...runtime.budget import Budget
from ..engines.engine import Answer, Engine, EngineSolution, Question, Refusal, Turn, asked
from ..engines.reference import Reference
from ..engines.turn_labels import Options


@dataclass(frozen=True)
class Problems:
    """A stipulation that is asked of each position, and our side's solver."""

    stipulation: str
    solve: Callable[[State, str], EngineSolution | None]
    """Solves it; the keys are terms. None if that takes too long."""


@dataclass(frozen=True)
class Disagreement:
    """A question with different answers of the engine and the rules."""

    question: Question
    kind: str
    """The first difference: ``facts``, ``to_move``, ``terminal``, ``legal``, ``chance``,
    ``goals``, ``sees``, ``refused`` (the engine refuses a position that occurs in play),
    ``solution``, or ``perft``."""
    ours: Answer
    theirs: Answer | Refusal
    missing: tuple[str, ...] = ()
    """The moves, facts or values that the engine lacks."""
    extra: tuple[str, ...] = ()
    """The moves, facts or values that only the engine has."""
    options: Mapping[str, tuple[str, ...]] | None = None
    """The turns by the rules, by labels."""

    @property
    def sort(self) -> tuple[str, bool, bool]:
        """A key for disagreements that probably have the same cause."""
        return self.kind, bool(self.missing), bool(self.extra)


_WON = "the side on move has won, which play doesn't lead to"


@dataclass(frozen=True)
class Compared:
    """A question that both sides answered."""

    question: Question
    options: Options
    disagreement: Disagreement | None = None
    skipped: str = ""
    """Why the position was not compared: the engine refused it, as it may, or plays on here."""


class Judge:
    """Asks both sides and compares their answers."""

    def __init__(
        self, engine: Engine, reasoner: str | None, problems: Problems | None = None
    ) -> None:
        self.engine = engine
        self._reasoner, self._problems = reasoner, problems
        self._rules: dict[Game, Reference] = {}

    def rules(self, game: Game) -> Reference:
        """Our side for a game."""
        if game not in self._rules:
            self._rules[game] = Reference(game, self.engine.whole_turns, self._reasoner)
        return self._rules[game]

    def compare(self, questions: Sequence[Question]) -> Iterator[Compared]:
        """Compare both sides' answers to questions of one game, in order."""
        if not questions:
            return
        rules = self.rules(questions[0].game)
        theirs = self.engine.answers(questions)
        for question, their in zip(questions, theirs, strict=True):
            our, options = rules.answer(question, question.after)
            goals = our.goals or {}
            # The side on move has won, which doesn't occur in play.
            won = our.terminal and goals.get(our.to_move or "", 0) > min(goals.values())
            only_lists = isinstance(their, Answer) and their.turns and their.terminal is None
            drawn = only_lists and our.terminal and rules.is_draw_by_rule(question.after)
            if drawn or (self.engine.plays_on and question.made and won):
                why = "drawn by a rule that the engine plays on after" if drawn else _WON
                yield Compared(question, options, skipped=why)
            else:
                found = _compared(question, our, options, their)
                if not (found.disagreement or found.skipped or our.terminal):
                    found = self._solved(found) or found
                yield found

    def _solved(self, found: Compared) -> Compared | None:
        """The result with different solutions, if there is a stipulation and they differ."""
        question, asked_for = found.question, self._problems
        if asked_for is None:
            return None
        stipulation = asked_for.stipulation
        ours = asked_for.solve(question.state, stipulation)
        theirs = ours and self.engine.solve(question, stipulation)
        if not ours or not theirs:
            return None
        know_keys = ours.keys is not None and theirs.keys is not None
        label = self.rules(question.game).label
        our, their = (
            _solution(one.turns, map(name, one.keys or ()) if know_keys else ())
            for one, name in ((ours, lambda key: label((key,))), (theirs, str))
        )
        if our == their:
            return None
        missing, extra = tuple(sorted(our - their)), tuple(sorted(their - our))
        wrong = Disagreement(
            question, "solution", Answer(), Answer(), missing, extra, found.options
        )
        return Compared(question, found.options, wrong)

    def disagreement(self, question: Question) -> Disagreement | None:
        """The disagreement about one question; None also if the engine may refuse it and does."""
        (compared,) = self.compare([question])
        return compared.disagreement

    def accepts(self, question: Question) -> bool:
        """Whether the engine accepts the first position of a question."""
        answer = self.engine.answer(asked(question.game, question.facts, made=True))
        return isinstance(answer, Answer)


def _compared(
    question: Question, ours: Answer, options: Options, theirs: Answer | Refusal
) -> Compared:
    if isinstance(theirs, Refusal):
        if question.made and not question.turns:
            return Compared(question, options, skipped=f"refused: {shorten(theirs.reason)}")
        wrong = Disagreement(question, "refused", ours, theirs, options=options)
        return Compared(question, options, wrong)
    for kind, our, their in _fields(ours, theirs):
        if our != their:
            missing, extra = tuple(sorted(our - their)), tuple(sorted(their - our))
            wrong = Disagreement(question, kind, ours, theirs, missing, extra, options)
            return Compared(question, options, wrong)
    return Compared(question, options)


def _fields(ours: Answer, theirs: Answer) -> list[tuple[str, set[str], set[str]]]:
    """The values that both sides report, as sets of texts; causes come before effects."""
    fields: list[tuple[str, set[str], set[str]]] = []
    for our, their in ((ours.facts, theirs.facts), (ours.placed, theirs.placed)):
        if our is not None and their is not None:
            fields.append(("facts", set(our), set(their)))
    if theirs.to_move is not None:
        fields.append(("to_move", {ours.to_move or ""}, {theirs.to_move}))
    if theirs.terminal is not None:
        fields.append(("terminal", {_word(ours.terminal)}, {_word(theirs.terminal)}))
    for role, moves in (theirs.legal or {}).items():
        fields.append(("legal", set((ours.legal or {}).get(role, ())), set(moves)))
    if theirs.turns is not None:
        fields.append(("legal", set(ours.turns or ()), set(theirs.turns)))
    for kind, seen, given in (
        ("chance", ours.chance, theirs.chance),
        ("sees", ours.sees, theirs.sees),
    ):
        if seen is not None and given is not None:
            fields.append((kind, set(seen), set(given)))
    if theirs.goals is not None:
        fields.append(("goals", _values(ours.goals or {}), _values(theirs.goals)))
    return fields


def _solution(turns: int | None, keys: Iterable[str]) -> set[str]:
    if turns is None:
        return {"no solution"}
    return {f"in {turns}", *(f"key {coordinates(key)}" for key in keys)}


def _word(terminal: bool | None) -> str:
    return "over" if terminal else "going on"


def _values(goals: Mapping[str, int]) -> set[str]:
    return {f"{role} {value}" for role, value in goals.items()}


def compare_divides(
    judge: Judge, question: Question, depth: int, budget: Budget
) -> tuple[bool, Disagreement | None]:
    """Compare perft counts, in whole turns for engines of whole turns, otherwise in plies.

    Counts that are right if draws don't end the game are right for an engine that plays on.
    Returns whether the engine counts, and the disagreement that explains different counts. Raises
    ``LimitReached``.
    """
    theirs = judge.engine.divide(question, depth)
    ours = None if theirs is None else _counts(judge, question, depth, budget)
    if theirs is None or ours is None:
        return False, None
    wrong = {
        label
        for label in ours.keys() | theirs.keys()
        if label not in ours or ours[label][1] != theirs.get(label)
    }
    if wrong and judge.engine.plays_on:
        further = replace(question, game=without_draws(question.game))
        without = _counts(judge, further, depth, budget) or {}
        wrong -= {
            label for label in wrong & without.keys() if without[label][1] == theirs.get(label)
        }
    if not wrong:
        return True, None
    if depth > 1:
        for label in sorted(wrong & ours.keys() & theirs.keys()):
            turn = ours[label][0]
            after = judge.rules(question.game).play(question.after, turn)
            deeper = Question(question.game, question.after, (turn,), after)
            _, found = compare_divides(judge, deeper, depth - 1, budget)
            if found:
                return True, found
    found = judge.disagreement(question) or judge.disagreement(asked(question.game, question.after))
    return True, found or Disagreement(
        question,
        "perft",
        Answer(),
        Answer(),
        missing=tuple(f"{label} {ours[label][1]}" for label in sorted(wrong & ours.keys())),
        extra=tuple(f"{label} {theirs[label]}" for label in sorted(wrong & theirs.keys())),
    )


def _counts(
    judge: Judge, question: Question, depth: int, budget: Budget
) -> Mapping[str, tuple[Turn, int]] | None:
    """Our turns with their counts, by labels; None if turns differ in length."""
    rules, game = judge.rules(question.game), question.game
    _, options = rules.ask(question.after)
    lengths = {len(turn) for turn in options.values()}
    if len(lengths) > 1:
        return None
    plies = depth * max(lengths, default=1)
    behind: dict[Turn, int] = {}
    for begun in sorted({turn[:-1] for turn in options.values()}):
        facts = rules.play(question.after, begun)
        counts = divide(game.state(facts), plies - len(begun), budget=budget)
        behind |= {(*begun, last): count for last, count in counts.items()}
    return {label: (turn, behind[turn]) for label, turn in options.items()}
