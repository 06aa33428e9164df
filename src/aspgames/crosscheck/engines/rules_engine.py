"""Other rules of the same game as an engine, such as a student's file."""

from pathlib import Path

from ...game.game import Game, load
from ...runtime.errors import AspgamesError, BadRequest
from .engine import Answer, Engine, Question, Refusal
from .reference import Reference


class RulesEngine(Engine):
    """A file of rules; it is asked as an engine that knows single plies."""

    whole_turns = False
    plays_on = False
    whose = "the other rules'"

    def __init__(self, path: str) -> None:
        """Raises ``BadRequest`` if there is no such file."""
        if not Path(path).is_file():
            raise BadRequest(f"there is no file {path!r}")
        self.name = path
        self._rules: dict[Game, Reference] = {}

    def check(self, game: Game) -> None:
        """Load the rules, with the constants of the game that they have.

        Raises:
            BadRequest: The rules have other roles, or can't be read.
        """
        if game in self._rules:
            return
        try:
            own = load(self.name)
            own = load(self.name, **{n: v for n, v in game.constants.items() if n in own.constants})
        except AspgamesError as error:
            raise BadRequest(f"{self.name} is no game: {error}") from None
        if set(own.roles) != set(game.roles):
            here, there = ", ".join(game.roles), ", ".join(own.roles)
            raise BadRequest(f"{self.name} has the roles {there}, and not {here}")
        self._rules[game] = Reference(own, whole_turns=False, reasoner="grounder")

    def answer(self, question: Question) -> Answer | Refusal:
        """Its answer; it also computes the successors by itself."""
        self.check(question.game)
        try:
            return self._rules[question.game].answer(question)[0]
        except AspgamesError as error:
            return Refusal(str(error))
