"""The sentences of a match at the prompt."""

from ..agents.match.match import Match
from ..agents.match.opponent import PlayerKind
from ..agents.match.study import Advice
from ..game.board import square_name
from ..game.notation.move_text import named_squares
from ..game.notation.notations import status
from ..game.view import View
from ..puzzle.problem import bounds_text
from ..puzzle.question import turns_text


def beginning_text(match: Match, against: PlayerKind | None) -> str:
    """The game, the players, and the task of a puzzle."""
    game, puzzle = match.state.game, match.puzzle
    opponent = f", against {against.words}" if against else ""
    persons = " and ".join(map(match.written.text, match.persons))
    side = f"{game.title or game.name}. You are {persons}{opponent}."
    if puzzle is None:
        return f"{side} 'help' says what you can do."
    attacker, defender = match.written.text(puzzle.attacker), puzzle.defender or ""
    if match.attacks:
        do = puzzle.goal.words(match.written.text(defender)).do
        task = f"{do[:1].upper()}{do[1:]}{puzzle.limit}."
    else:
        doing = puzzle.goal.words(match.written.text(defender)).doing
        task = f"Keep {attacker} from {doing}{puzzle.limit}."
    return f"{side} {task} 'help' says what you can do."


def advice_text(match: Match, advice: Advice, whole: bool) -> str:
    """A hint. With ``whole`` it names the move, else only its first square."""
    attacker, force = match.written.text(advice.attacker), advice.goal.words().force
    pointer = _pointer(match, advice, whole)
    gave = "" if advice.lost_by is None else f": {_numbered(match, advice.lost_by)} gave it away"
    solution = advice.solution
    if match.puzzle is None and solution.verdict != "forced":
        return _game_text(match, advice, pointer)
    if solution.verdict == "unknown":
        return f"Whether {attacker} can {force} is undecided: the time is over."
    if solution.verdict == "forced":
        number = f"in {turns_text(solution.distance or 0)}"
        if solution.distance is None and solution.at_most is not None:
            number = bounds_text(solution.at_most, solution.not_within)
        fact = f"{attacker} can {force} {number}"
        if match.attacks:
            return f"{fact}{pointer}."
        return f"{fact}{gave}." + (f" Longest{pointer}." if pointer else "")
    if match.attacks:
        return f"{attacker} can't {force}{' any more' if gave else ''}{gave}."
    return f"{attacker} can't {force}{pointer}."


def _game_text(match: Match, advice: Advice, pointer: str) -> str:
    sure = advice.solution.verdict == "not_forced"
    if len(match.state.game.roles) == 1:
        return "There is no way to win." if sure else "No way to win is found."
    found = "There is no forced win" if sure else "No forced win is found"
    if not advice.moves:
        return f"{found}, and every move is seen to lose."
    if not advice.losing:
        return f"{found}, and no move is seen to lose."
    losing = f"{len(advice.losing)} of {len(match.choices)} moves are seen to lose"
    return f"{found}; {losing}. One that isn't{pointer}."


def _pointer(match: Match, advice: Advice, whole: bool) -> str:
    """A hint at the best move: the move itself, or its first square if it has several."""
    if not advice.moves:
        return ""
    state = match.state
    if whole:
        more = len(advice.moves) - 1
        others = f" (or {more} other{'s' if more > 1 else ''})" if more else ""
        best = advice.moves[0]
        text = state.move_text(best) if match.written.has_boards else match.written.text(best)
        return f": {text}{others}"
    squares = named_squares(state.game.vocabulary.notation, advice.moves[0])
    if len(squares) > 1 and match.written.has_boards:
        return f", beginning on {square_name(squares[0])}"
    return " ('hint' again names a move)"


def _numbered(match: Match, ply: int) -> str:
    return f"your move {match.moves[ply].text_in(match.written)} (ply {ply + 1})"


def unfinished_text(match: Match) -> str:
    """The state of an unfinished match."""
    moves = f"{len(match.moves)} {'ply' if len(match.moves) == 1 else 'plies'} played"
    if match.puzzle and match.puzzle.within is not None:
        moves += f", {match.point.begun} of {turns_text(match.puzzle.within)} begun"
    known = match.known()
    states = known.going if isinstance(known, View) else (known,)
    said = {status(state, match.written) for state in states}
    if len(said) == 1:  # else the person doesn't know it
        moves += f", {said.pop()}"
    return f"Not finished: {moves}."


def ending_text(match: Match, least: int | None, lost_by: int | None) -> str:
    """The end of the match, with the fewest turns, or the move that lost the goal."""
    outcome = match.outcome
    assert outcome is not None
    text = outcome.text[0].upper() + outcome.text[1:]
    if outcome.reached is None:
        return text
    if match.lost:
        gave = "" if lost_by is None else f" It was {_numbered(match, lost_by)} that gave it away."
        return f"Not solved. {text}{gave}"
    more = least is not None and match.attacks and match.point.begun > least
    return f"Solved. {text}{f' {least} would do.' if more else ''}"
