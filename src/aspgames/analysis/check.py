"""All checks of whether rules are a game, the fast ones first."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from os import PathLike, fspath
from pathlib import Path

from ..asp.grounding import Query
from ..asp.terms import shape
from ..game.game import Game, game_of_encoding
from ..gdl.encoding import Encoding, read_encoding
from ..gdl.lint import mistakes, no_roles
from ..gdl.rules import HIGHEST_GOAL
from ..propnet.circuit import FALSE
from ..propnet.net import Net
from ..propnet.reachable_nets import net_for
from ..runtime.arguments import check_text, counted, quote
from ..runtime.budget import MOST_RULES_UNASKED, Budget
from ..runtime.call_arguments import check_budget, whole_number
from ..runtime.errors import (
    BadRequest,
    LimitReached,
    OutOfTime,
    RulesError,
    UnknownGame,
    UnsupportedRules,
)
from .bounded_play import BoundedPlay
from .check_report import ERROR, NOTE, WARNING, Finding, Report
from .dead_rules import Firing
from .knowledge import Knowledge
from .part_findings import PartFindings
from .play_findings import (
    board_findings,
    content_findings,
    idle_chance,
    idle_roles,
    lost_fluents,
    lost_pieces,
    several_choose,
)
from .play_proofs import PlayProver, Proofs
from .sampled_play import Sample
from .static_findings import in_text, refused, unsafe

SECONDS = 30.0

GAMES = 20

_MOST_PLIES = 1000  # plies of a random game
_MOST_NODES = 200_000  # nodes of a circuit for the search for counterexamples
_REFUTATION_SECONDS = 4.0  # seconds of this search
_GOALS = ("goal_several", "goal_range")
_LOOP = "loop_through_negation"
_FOLLOWING = frozenset(("never_fires", "not_seen_to_fire", "cannot_win", "win_not_seen"))
_FOLLOWING |= {"never_legal", "not_seen_legal", "unchanging"}
_FOLLOWING_FROM = {  # kinds that are no news beside another kind
    **dict.fromkeys(("undefined", "unknown_term", "no_such_value", "text_for_name"), _FOLLOWING),
    **dict.fromkeys(("unread", "moves_too_early"), _FOLLOWING | {"content"}),
    "never_holds": _FOLLOWING | {"endless", "over_at_start", "stuck"},
    "lost": _FOLLOWING | {"content", "unused"},
    "content": _FOLLOWING,
}
_SAME_LINE = {("part", "unknown_term"), ("text_for_name", "no_such_value")}


def check(
    game: Game | str | PathLike[str],
    games: int = GAMES,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    constants: Mapping[str, int | str] | None = None,
    into: Report | None = None,
) -> Report:
    """Check whether rules are a game: errors, likely mistakes, and the reason why play ends.

    >>> import aspgames
    >>> aspgames.check("tictactoe", games=1).verdict
    'game'

    Args:
        game: A game, or a name or path for ``load``. Rules that ``load`` refuses get a report, too.
        games: The number of random games, if the budget allows.
        seed: The same seed gives the same random games.
        budget: The limits; defaults to 30 seconds.
        constants: Constants of a game given by name or path.
        into: A report to fill, which shows the findings so far while the check runs.

    Raises:
        UnknownGame: There is no such game or file.
        RulesError: A file can't be read.
        BadConstant: A constant is unknown, or its value invalid.
        BadRequest: Another argument is invalid.
    """
    games, seed = whole_number(games, "the number of games", 1), whole_number(seed, "the seed")
    if constants is not None and (isinstance(game, Game) or not isinstance(constants, Mapping)):
        raise BadRequest(
            f"constants go with a name or a path, as a mapping, not as {quote(constants)}"
        )
    budget = Budget(SECONDS) if budget is None else check_budget(budget)
    report = Report("") if into is None else into
    looking = _Check(games, seed, budget, report)
    if isinstance(game, Game):
        looking.encoding(game.encoding, game.constants)
    else:
        name = check_text(
            fspath(game) if isinstance(game, PathLike) else game, "a game", UnknownGame
        )
        try:
            encoding = read_encoding(name)
        except RulesError as error:
            finding = refused(error)
            if finding.line is None:
                raise
            report.game = Path(name).stem
            report.findings.append(finding)
        else:
            looking.encoding(encoding, constants or {})
    looking.shorten_paths()
    report.findings[:] = _causes(report.findings)
    report.sort()
    return report


class _Check:
    def __init__(self, games: int, seed: int, budget: Budget, report: Report) -> None:
        self._games, self._seed, self._budget = games, seed, budget
        self.report = report
        self._names: Mapping[str, str] = {}  # of the files, by their paths
        self._plies = 0  # of all play in which the solver looked for counterexamples

    def encoding(self, encoding: Encoding, constants: Mapping[str, int | str]) -> None:
        """Check the text; continue with play if the rules can be loaded."""
        self.report.game = encoding.name
        self._names = {source.name: source.path.name for source in encoding.sources}
        add = self.report.findings.extend
        try:
            add(unsafe(encoding))
            if not self.report.findings:
                add(in_text(encoding))
        except RulesError as error:
            add([refused(error)])
            return
        if any(finding.kind in ("unsafe", "syntax") for finding in self.report.findings):
            return
        for mistake in mistakes(encoding):
            if mistake.kind == "growing" and mistake.certain:
                self._leave_out(f"play and proofs: {mistake}")
                return
        try:
            game = game_of_encoding(encoding, constants)
            self.report.const = dict(game.constants)
        except UnsupportedRules as error:
            add([refused(error, "unsupported")])
            self._leave_out("play and proofs: they would ignore what isn't supported")
            return
        except RulesError as error:
            if no_roles(encoding) not in str(error):  # known already
                add([refused(error, "unsettled")])
            return
        try:
            add(PartFindings(game))
        except RulesError as error:
            add([refused(error, "part")])
        if any(finding.kind == "missing" for finding in self.report.findings):
            self._leave_out("play and proofs: a predicate is missing")
        else:
            self._game(game)

    def shorten_paths(self) -> None:
        """Name files without their folders: a report may go to others."""

        def short(text: str) -> str:
            for path, name in self._names.items():
                text = text.replace(path, name)
            return text

        report = self.report
        report.findings[:] = [replace(f, sentence=short(f.sentence)) for f in report.findings]
        report.not_looked_at[:] = map(short, report.not_looked_at)

    def _game(self, game: Game) -> None:
        net = self._net(game)
        sample = Sample(game, self._seed, _MOST_PLIES)
        sample.play(self._games, self._part(0.4))
        self.report.games, self.report.states = sample.games, sample.states
        self.report.longest = sample.longest
        found = self.report.findings
        found += sample.findings()
        if sample.out_of_time:
            self._leave_out(f"{self._games - sample.games} of {self._games} random games")
        found += several_choose(game, sample)
        found += idle_roles(game, sample)
        found += idle_chance(game, sample)
        found += board_findings(game, sample)
        found += lost_fluents(game, sample)
        found += lost_pieces(game, sample)
        if "unsettled" in sample.kinds:  # a loop through negation leaves an atom open
            self._worsen(_LOOP)
        self._tell(sample, Proofs())
        if net is not None:
            found += _unchanging(net)
            if net.outputs.terminal == FALSE:  # then play that comes back never ends
                self._worsen("endless")
        if any(line.joints for line in sample.lines):  # else "not seen" would mean nothing
            self._fire(game, sample)
            if net is not None:
                found += _unseen_moves(game, net, sample)
            proofs = self._prove(game, net, sample)
            self._refute(game, net, sample, proofs)
            self._wins(sample, proofs)
            self._tell(sample, proofs)
            if game.hidden and "unsettled" not in sample.kinds:
                self._know(game)
        if not any(what.startswith("whether all rules") for what in self.report.not_looked_at):
            # All rules were grounded, so terms grow from move to move at most.
            found[:] = [
                f
                for f in found
                if f.kind != "growing" or (not net and f.sentence.startswith("next/1"))
            ]
        if not sample.games:  # then "not seen" means nothing
            found[:] = [finding for finding in found if finding.severity != NOTE or finding.proved]

    def _net(self, game: Game) -> Net | None:
        try:
            net = net_for(game.rules, game.initial.facts, MOST_RULES_UNASKED, self._part(0.3))
            game.nets.tables_from(game.initial.facts, MOST_RULES_UNASKED, made=net)
            return net  # the random games use it, too
        except OutOfTime:
            self._leave_out("proofs for all play: the time was over")
        except (LimitReached, RulesError) as error:
            self._leave_out(f"proofs for all play: {error}")
        return None

    def _worsen(self, kind: str) -> None:
        found = self.report.findings
        found[:] = [replace(f, severity=ERROR) if f.kind == kind else f for f in found]

    def _fire(self, game: Game, sample: Sample) -> None:
        firing = Firing(game)
        try:
            firing.see(sample.lines, self._part(0.2))
            if firing.left and not firing.states:  # then the proof would take too long, too
                self._leave_out("whether all rules fire: the time was over")
                return
            known = {(each.file, each.line) for each in self.report.findings}
            self.report.findings += (
                finding
                for finding in firing.findings(sample.games, self._part(0.2))
                if (finding.file, finding.line) not in known  # which tells why
            )
        except RulesError:  # the findings from play are more precise
            self._leave_out("whether all rules fire")

    def _prove(self, game: Game, net: Net | None, sample: Sample) -> Proofs:
        if net is None or any(f.kind == "unsettled" for f in self.report.findings):
            return Proofs()
        try:
            prover = PlayProver(
                net, game.roles, game.initial.facts, sample.steps(), self._part(0.95),
                "endless" in sample.kinds,
            )  # fmt: skip
        except LimitReached:
            return Proofs(out_of_time=True)
        return prover.prove()

    def _refute(self, game: Game, net: Net | None, sample: Sample, proofs: Proofs) -> None:
        known = {finding.kind for finding in self.report.findings}
        is_open = {
            "stuck": not proofs.playable and "stuck" not in known,
            "goal_missing": not proofs.settled and "goal_missing" not in known,
            "goals": not proofs.settled and not known.intersection(_GOALS),
            # A square of a board without a fluent is empty, unless the game has contents for that.
            "content": "content" not in known and not (game.board and not game.board.empty),
        }
        if net is None or net.circuit.size > _MOST_NODES or "unsettled" in known:
            return
        budget = Budget(min(_REFUTATION_SECONDS, self._part(0.5).seconds_left))
        play = BoundedPlay(net, game.roles, game.initial.facts, budget)
        before = len(sample.findings())
        for kind, moves in play.counterexamples({kind for kind, left in is_open.items() if left}):
            line = sample.replay(moves)
            if kind == "content":
                self.report.findings += content_findings(net.fluents, line)
        self.report.findings += sample.findings()[before:]
        self._plies = play.plies
        if play.is_all or play.plies >= (proofs.bound or inf):
            proofs.playable |= "stuck" not in sample.kinds
            proofs.settled |= not sample.kinds.intersection(("goal_missing", *_GOALS))

    def _know(self, game: Game) -> None:
        knowledge = Knowledge(game, self._part(0.5))
        found = list(knowledge.findings())
        self.report.findings += found
        if not found:
            text = "Each player knows its legal moves, its goal, and whether the game is over"
            if knowledge.complete:
                self.report.proved.append(f"{text}.")
            else:
                self.report.sampled.append(f"{text}, for {_plies(max(0, knowledge.plies))}.")

    def _part(self, share: float) -> Budget:
        left = self._budget.seconds_left
        return Budget(None if left == inf else max(0.01, share * left))

    def _leave_out(self, what: str) -> None:
        self.report.not_looked_at.append(what)

    def _wins(self, sample: Sample, proofs: Proofs) -> None:
        if any(f.kind == "missing" or f.kind in _GOALS for f in self.report.findings):
            return  # the findings about errors are more precise
        for role, highest in sample.highest.items():
            most = f"{highest} was its highest value" if highest >= 0 else "no game ended"
            if highest == HIGHEST_GOAL:
                continue
            if role in proofs.never_win:
                text = f"{role} can never win: no reachable state gives it 100 ({most})"
                places = sample.goal_rules.rules_with(str(HIGHEST_GOAL))
                text += f", as these rules would: {places}" if places else ""
                self.report.findings.append(Finding("cannot_win", WARNING, text))
            else:
                text = f"{role} was not seen to win: {most}"
                self.report.findings.append(sample.only_seen("win_not_seen", NOTE, text))

    def _tell(self, sample: Sample, proofs: Proofs) -> None:
        report = self.report
        report.bound, report.proved, report.sampled = proofs.bound, [], []
        wrong = {finding.kind for finding in report.findings}
        winners = [role for role, value in sample.highest.items() if value == HIGHEST_GOAL]
        ends = proofs.bound is not None
        if ends:
            report.findings[:] = [each for each in report.findings if each.kind != "long"]
            report.proved.append(f"Play ends within {_plies(proofs.bound or 0)}: {proofs.because}.")
        if winners:
            who = "each" if len(winners) > 1 else "it"
            won = f"{' and '.join(winners)} can win: {who} won a random game."
            report.proved.append(won)
        claims = (
            (proofs.playable, "stuck", "Every role has a legal move until the end."),
            (proofs.settled, "goal", "At the end every role has one goal from 0 to 100."),
        )
        for proved, kind, sentence in claims:
            if proved and (report.games or kind != "goal"):
                report.proved.append(sentence)
            elif report.games and not any(each.startswith(kind) for each in wrong):
                plies = f", and all play of {_plies(self._plies)}" if self._plies else ""
                looked = f"looked at {report.states:,} states{plies}"
                report.sampled.append(f"{sentence.rstrip('.')} ({looked}).")
        if not ends and report.games and not wrong & {"endless", "long"}:
            report.sampled.append(f"Play ends; the longest game had {_plies(sample.longest)}.")
        if proofs.out_of_time:
            self._leave_out("proofs of what was only sampled, to their end: the time was over")


def _causes(findings: Sequence[Finding]) -> list[Finding]:
    """One finding for each cause: those that aren't explained by another one."""
    following = {kind for f in findings for kind in _FOLLOWING_FROM.get(f.kind, ())}
    places = {(f.kind, f.file, f.line) for f in findings}
    return [
        f
        for f in findings
        if f.kind not in following
        and not any(
            (f.kind, other) in _SAME_LINE for other, *at in places if at == [f.file, f.line]
        )
    ]


def _unchanging(net: Net) -> Iterable[Finding]:
    alike: dict[str, list[str]] = defaultdict(list)
    for fluent in net.certain:
        alike[shape(fluent)].append(fluent)
    for fluents in alike.values():
        more = f" (and {len(fluents) - 1} more like it)" if len(fluents) > 1 else ""
        text = f"the fluent {fluents[0]}{more} never changes, so it need not be a fluent"
        yield Finding("unchanging", NOTE, text)


def _unseen_moves(game: Game, net: Net, sample: Sample) -> Iterable[Finding]:
    """Moves that are never legal, or were never legal in the sample, by shape.

    ``input/2`` of a rule sheet lists more by definition.
    """
    can_be = {(role, shape(move)) for role, move in net.outputs.legal}
    base = () if game.encoding.is_sheet else game.encoding.statements("base")
    listed = Query(base, game.constants, [("input", 2)])()["input", 2]
    for role, form in sorted({(str(r), shape(str(m))) for r, m in (a.arguments for a in listed)}):
        if (role, form) not in can_be:
            text = f"{form} is never legal for {role}, and input/2 lists it"
            yield Finding("never_legal", WARNING, text)
    seen = {(role, _outermost(form)) for role, form in sample.moves_seen}
    unseen: dict[str, set[str]] = defaultdict(set)
    for role, form in can_be:
        if (role, _outermost(form)) not in seen:
            unseen[_outermost(form)].add(role)
    for roles in sorted({tuple(sorted(roles)) for roles in unseen.values()}):
        forms = sorted(form for form, has in unseen.items() if has == {*roles})
        verb = "was" if len(forms) == 1 else "were"
        text = f"{', '.join(forms)} {verb} not seen to be legal for {' and '.join(roles)}"
        yield sample.only_seen("not_seen_legal", NOTE, text)


def _outermost(form: str) -> str:
    """A form of moves without what its arguments have: a chain of jumps may have any length."""
    while (outer := re.sub(r"(?<=[(,])\w+\([^()]*\)", "_", form)) != form:
        form = outer
    return form


def _plies(number: int) -> str:
    return counted(number, "ply", "plies")
