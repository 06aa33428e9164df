"""``aspgames match``, used as a user does: through a pipe, and at a terminal."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames.agents.match.match import Match
from aspgames.cli.match_input import completions
from cli_helpers import DOCS, WON_IN_ONE, Call, assert_refused, check
from terminal import Terminal

SMALL = ["match", "breakthrough", "1p2/4/3P/4/1P2 w", "-c", "width=4", "-c", "height=5"]
PUZZLE = [*SMALL, "--attacker", "white", "--goal", "win", "--within", "2"]
TICTACTOE = ["match", "tictactoe"]
THROWS = "rock_paper_scissors"
FOUR_IN_A_ROW = str(DOCS.parent / "examples/four_in_a_row.kif")
MAZE = str(DOCS.parent / "tests/data/maze.lp")
RANDOM = ["--against", "random"]


def script(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def events(call: Call, arguments: list[str], *lines: str, code: int = 0) -> list[Any]:
    """The JSON output, each event checked against the schema."""
    result = call(*arguments, "--json", stdin=script(*lines))
    assert (result.code, result.err) == (code, "")
    found = [check(line, "match_event") for line in result.lines]
    assert found[0]["event"] == "start"
    return found


def one(found: list[Any], kind: str) -> Any:
    (event,) = (event for event in found if event["event"] == kind)
    return event


# --- playing --------------------------------------------------------------------------------------


# A match of games of each kind: the person's lines, and the next role on move.
GAMES = {"amazons_10x10": ["d1-d7 /g7"], "amazons_8x8": ["c1-c5", "/e7"], "skirmish": ["b1-a3"]}


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_every_game(call: Call, game: str) -> None:
    found = events(call, ["match", game, *RANDOM], *GAMES[game], "moves", "fen", "facts", "show")
    kinds = [event["event"] for event in found]
    plies = 1 if game == "skirmish" else 2
    assert kinds == ["start", *["move"] * (2 * plies), "moves", "fen", "facts", "state", "end"]
    by = [event["by"] for event in found if event["event"] == "move"]
    assert by == ["person"] * plies + ["random"] * plies
    state = aspgames.load(game).initial
    for event in found[1 : 1 + 2 * plies]:
        assert event["role"] == state.to_move
        state = state.play(event["move"])
        assert (event["facts"], event["to_move"]) == (list(state.facts), state.to_move)
    assert one(found, "moves")["moves"] == [move.term for move in state.legal_moves]
    assert one(found, "fen")["text"] == state.fen
    assert one(found, "facts")["text"] == " ".join(state.facts)
    assert one(found, "end")["over"] is False


def test_a_game_of_ones_own_to_its_end(call: Call) -> None:
    squares = [f"{file}{rank}" for file in "abc" for rank in "123"]
    result = call(*TICTACTOE, *RANDOM, stdin=script(*squares))
    assert result.code == 0
    assert re.search(r"^Game over: white \d+, black \d+\.$", result.out, re.MULTILINE)
    assert "Not finished" not in result.out
    assert "the match is over" in result.out, "what comes after is refused"


def test_the_opponent_begins_where_it_is_on_move(call: Call) -> None:
    found = events(call, [*TICTACTOE, *RANDOM, "--as", "black"], "moves")
    assert [event["event"] for event in found] == ["start", "move", "moves", "end"]
    assert (found[1]["by"], found[1]["role"]) == ("random", "white")


def test_the_engine_plays_a_forced_win_and_any_roles(call: Call) -> None:
    engine = ["--against", "engine", "--time", "1"]
    found = events(call, [*SMALL, *engine, "--as", "black"])
    assert [event["event"] for event in found] == ["start", "move", "end"]
    assert (found[0]["against"], found[1]["by"]) == ("engine", "engine")
    assert found[1]["move"] == "move(4,3,4,4)"
    found = events(call, ["match", "at_once.lp", *engine, "--as", "black"], "r")
    assert (found[1]["by"], found[1]["role"]) == ("engine", None)
    refused = call(*PUZZLE, "--against", "engine")
    assert_refused(refused, "a puzzle is played against the solver")


def test_the_seed_decides(call: Call) -> None:
    def played(seed: int) -> str:
        asked = ["match", "amazons_8x8", *RANDOM, "--seed", str(seed)]
        found = events(call, asked, "c1-c5 /e7", "undo", "/e7")
        moves = [event["move"] for event in found if event["event"] == "move"]
        assert moves[1:4] == moves[4:], "also after undo"
        return str(moves)

    assert played(1) == played(1)
    assert played(1) != played(2)


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        (["d3-d4", "d4-c5"], 0, "Solved. White has won in 2 turns.\n"),
        (["d3-c4", "b1-b2"], 1, "Not solved. White has not won within 2 turns. It was your "
         "move d3-c4 (ply 1) that gave it away.\n"),
        (["d3-c4"], 0, "Not finished: 2 plies played, 2 of 2 turns begun, white to move.\n"),
        (["quit", "d3-d4"], 0, "Not finished: 0 plies played, 1 of 2 turns begun, white to move."),
        (["d3-c4", "b1-b2", "undo", "undo", "d3-d4", "d4-d5"], 0, "Solved. "),
    ],
)  # fmt: skip
def test_how_a_puzzle_comes_out(call: Call, lines: list[str], code: int, words: str) -> None:
    result = call(*PUZZLE, stdin=script(*lines))
    assert (result.code, result.err) == (code, "")
    assert words in result.out


def test_more_turns_than_the_least_are_said(call: Call) -> None:
    result = call(*PUZZLE[:-1], "3", stdin=script("b1-b2", "d3-d4", "d4-c5", "d4-d5"))
    assert result.code == 0
    assert "in 3 turns. 2 would do.\n" in result.out


def test_the_defender_of_a_puzzle(call: Call) -> None:
    arguments = [*PUZZLE, "--as", "black"]
    found = events(call, arguments, "hint", "b5-a4", code=1)
    assert [event["event"] for event in found] == ["start", "move", "hint", "move", "move", "end"]
    assert [found[place]["move_text"] for place in (1, 3)] == ["d3-d4", "b5-a4"]
    assert one(found, "hint")["verdict"] == "forced"
    assert one(found, "end")["reached"] is True
    text = call(*arguments, stdin=script("hint", "b5-a4")).out
    assert "Keep white from winning within 2 turns." in text
    assert "Not solved. White has won in 2 turns." in text


POLICIES = """
import numpy as np
def highest(state, role):
    seen = state.game.observation.of(state).ravel()
    scores = seen @ np.zeros((len(seen), len(state.game.moves)))
    numbers = [state.game.moves.index(move) for move in state.legal[role]]
    return state.legal[role][int(np.argmax(scores[numbers]))]
def last(state, role):
    return state.legal[role][-1].text
def illegal(state, role):
    return state.game.moves[0]
def broken(state, role):
    return 1 / 0
"""


def test_a_policy_of_yours_is_an_opponent(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_policies.py").write_text(POLICIES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ["match", "tictactoe", "--as", "black", "--against"]
    start = aspgames.load("tictactoe").initial
    for name, move in (("my_policies:highest", 0), ("my_policies.py:last", -1)):
        found = events(call, [*words, name])
        assert (found[0]["against"], found[1]["by"]) == ("policy", "policy")
        assert found[1]["move"] == start.legal_moves[move].term
    broken = call(*words, "my_policies:broken")
    assert (broken.code, broken.err) == (
        2, "aspgames: my_policies:broken: ZeroDivisionError: division by zero\n"
    )  # fmt: skip
    found = events(call, ["match", "tictactoe", "--against", "my_policies:illegal"], "a1")
    assert (one(found, "error")["kind"]) == "illegal_move"
    assert_refused(call(*words, "my_policies:none"), "my_policies has no function 'none'")
    assert_refused(call(*words, "none.py:choose"), "none.py:choose: FileNotFoundError")
    assert_refused(call(*words, "nobody"), "'nobody' is not one of")


# --- several roles, or one ------------------------------------------------------------------------


def test_one_role_at_the_prompt_and_random_moves_at_the_same_time(call: Call) -> None:
    found = events(call, ["match", "at_once.lp"], "moves", "l", "why r", "hint", "undo", "white=r")
    assert [event["event"] for event in found] == [
        *["start", "moves", "move", "why", "error", "undo", "move", "end"]
    ]
    assert (found[0]["as"], found[0]["against"]) == ("white", "random")
    first, second = (event for event in found if event["event"] == "move")
    assert (first["by"], first["role"], first["to_move"]) == ("random", None, None)
    assert first["move"] in ("white=l,black=l", "white=l,black=r")
    assert first["text"] == f"Played: {first['move']}"
    assert second["move"] in ("white=r,black=l", "white=r,black=r")
    assert "puzzles are for one role, or two that move by turns" in one(found, "error")["text"]


def test_persons_choose_in_turn_and_do_not_see_what_others_chose(call: Call, folder: Path) -> None:
    arguments = ["match", THROWS, "--as", "black", "--as", "white", "--record", "m.json"]
    lines = ["moves", "scissors", "play paper", "rock", "undo", "well", "rock", "white=paper"]
    lines.append("rock")
    found = events(call, arguments, *lines)
    assert [event["event"] for event in found] == [
        *["start", "moves", "chosen", "move", "chosen", "undo", "error", "chosen", "error"],
        *["move", "end"],
    ]
    assert (found[0]["as"], found[0]["against"]) == (["white", "black"], None)
    assert [e["roles"] for e in found if e["event"] == "chosen"] == [["white"]] * 3
    assert one(found, "undo")["plies"] == 0
    moves = [event for event in found if event["event"] == "move"]
    assert [event["by"] for event in moves] == ["person"] * 2
    record = check(json.loads((folder / "m.json").read_text()), "match")
    assert record["moves"] == [event["move"] for event in moves]
    assert record["moves"] == ["white=scissors,black=paper", "white=rock,black=rock"]
    again = call("play", THROWS, record["position"], *record["moves"], "--json").json
    assert again["goals"] == record["result"]["goals"]
    shown = call(*arguments, stdin=script(*lines)).out
    before, played, _ = shown.partition("Played: white=scissors,black=paper\n")
    assert played
    assert "white> moves\n" in before
    assert "white> ...\nChosen: white\nblack> ...\n" in before
    assert "play paper" not in before
    assert before.count("scissors") == 1 + before.count("Rock, paper, scissors")
    assert "well is not legal for white" in shown
    assert "white has chosen already" in shown


def test_a_match_in_kif(call: Call, tmp_path: Path) -> None:
    """All input and output is KIF; a saved match can be continued in any notation."""
    file = str(tmp_path / "match.json")
    arguments = ["match", FOUR_IN_A_ROW, "(HEIGHT 3 5) (height 4 5) (height 5 5) (to-drop red)"]
    arguments += [*RANDOM, "--notation", "kif", "--as", "RED", "--as", "yellow"]
    lines = ["moves", "why (drop 9)", "(drop 1)", "(drop 4) (Drop 3)", "red=(drop 4),yellow=wait"]
    lines += ["facts", "(drop 3", "show", f"save {file}"]
    run = call(*arguments, stdin=script(*lines))
    assert (run.code, run.err) == (0, "")
    assert "You are yellow and red." in run.out
    assert "\nred> moves\n(drop 3)  (drop 4)  (drop 5)\n" in run.out
    assert "drop(9) is not legal for red\n" in run.out, "the rules are those of the encoding"
    assert "\nPlayed: " not in run.out
    after = "(disc 3 6 yellow) (disc 4 6 red) (height 3 6) (height 4 6) (height 5 5) (to-drop red)"
    assert f"\nred> facts\n{after}\n" in run.out
    assert "'(drop 3' is no move in KIF: this ( is never closed" in run.out
    assert call("match", FOUR_IN_A_ROW, *RANDOM, "--from-record", file, stdin=b"").code == 0
    found = events(call, arguments, *lines)
    start, hidden = found[0], one(found, "facts")
    assert start["position"] == "(height 3 5) (height 4 5) (height 5 5) (to-drop red)"
    assert (start["as"], hidden["text"]) == (["yellow", "red"], after)
    assert one(found, "moves")["moves"] == ["(drop 3)", "(drop 4)", "(drop 5)"]
    played = [event for event in found if event["event"] == "move"]
    assert [event["move"] for event in played] == ["(drop 4)", "(drop 3)"]
    assert " ".join(played[-1]["facts"]) == " ".join(one(found, "state")["facts"]) == after


def test_a_puzzle_in_kif(call: Call) -> None:
    sheet = str(DOCS.parent / "tests/data/sheets/noughts.kif")
    rows = ("cross cross empty", "nought nought empty", "empty empty empty")
    cells = [
        f"(cell {x} {y} {m})" for y, row in enumerate(rows, 1) for x, m in enumerate(row.split(), 1)
    ]
    arguments = ["match", sheet, " ".join([*cells, "(turn cross)"]), "--notation", "kif"]
    arguments += ["--attacker", "CROSS", "--goal", "win", "--within", "1"]
    run = call(*arguments, stdin=script("hint", "hint", "(mark 3 1)"))
    assert "cross can win in 1 turn: (mark 3 1).\n" in run.out
    assert "\ncross> ...\n" not in run.out
    assert "Solved. Cross has won in 1 turn.\n" in run.out
    (_, hint, *_) = events(call, arguments, "hint")
    assert (hint["attacker"], hint["moves"]) == ("cross", ["(mark 3 1)"])


def test_a_game_of_one_role(call: Call) -> None:
    found = events(call, ["match", MAZE], "hint", "east", "undo", "moves", "east", "east", "undo")
    assert [event["event"] for event in found] == [
        *["start", "hint", "move", "undo", "moves", "move", "move", "end", "undo", "end"]
    ]
    assert (found[0]["as"], found[0]["against"]) == ("walker", None)
    assert "You are walker. " in found[0]["text"]
    assert one(found, "hint")["text"].startswith("walker can win in 6 turns")
    assert found[7]["text"] == "Walker has no move.", "there is a pit"
    puzzle = ["match", MAZE, "--attacker", "walker", "--goal", "win", "--within", "2"]
    result = call(*puzzle, stdin=script("hint", "north", "north"))
    assert "walker can't win.\n" in result.out
    assert "Not solved. Walker has not won within 2 turns.\n" in result.out
    assert result.code == 1


def test_a_hint_where_one_role_cannot_win(call: Call, folder: Path) -> None:
    rules = "role(solo). init(n(0)). legal(solo,(go;stay)). next(n(1)) :- does(solo,go)."
    (folder / "never.lp").write_text(f"{rules} next(n(0)) :- does(solo,stay). goal(solo,7).")
    (hint,) = [e for e in events(call, ["match", "never.lp"], "go", "hint") if e["event"] == "hint"]
    assert hint["text"] == "There is no way to win."
    assert (hint["moves"], hint["losing"]) == ([], [])


def test_two_persons_take_turns(call: Call) -> None:
    found = events(call, [*TICTACTOE, "--as", "white", "--as", "black"], "b2", "a1", "undo", "c3")
    assert [event["event"] for event in found] == ["start", *["move"] * 2, "undo", "move", "end"]
    moves = [event for event in found if event["event"] == "move"]
    assert [(event["by"], event["role"]) for event in moves] == [
        *[("person", "white"), ("person", "black"), ("person", "black")]
    ]


# --- questions ------------------------------------------------------------------------------------


def test_hints_say_first_where_and_then_what(call: Call) -> None:
    texts = [
        event["text"]
        for event in events(call, PUZZLE, "hint", "hint", "d3-c4", "hint", "undo", "hint", "hint")
        if event["event"] == "hint"
    ]
    assert texts == [
        "white can win in 2 turns, beginning on d3.",
        "white can win in 2 turns: d3-d4.",
        "white can't win any more: your move d3-c4 (ply 1) gave it away.",
        "white can win in 2 turns, beginning on d3.",
        "white can win in 2 turns: d3-d4.",
    ]


def test_hints_in_a_game(call: Call) -> None:
    """After the centre, a corner holds and an edge loses."""
    asked = [*TICTACTOE, "3/1X1/3 b"]
    texts = [e["text"] for e in events(call, asked, "hint", "hint") if e["event"] == "hint"]
    fact = "There is no forced win; 4 of 8 moves are seen to lose. One that isn't"
    assert texts == [f"{fact} ('hint' again names a move).", f"{fact}: a1 (or 3 others)."]
    hint = one(events(call, asked, "hint"), "hint")
    assert hint["losing"] == ["mark(1,2)", "mark(2,1)", "mark(2,3)", "mark(3,2)"]
    assert hint["moves"] == ["mark(1,1)", "mark(1,3)", "mark(3,1)", "mark(3,3)"]
    harmless = call(*TICTACTOE, "OXO/1X1/XOX w", stdin=script("hint"))
    assert "There is no forced win, and no move is seen to lose." in harmless.out
    won = call("match", "breakthrough", "8/2P5/8/8/8/8/7p/P7 b", stdin=script("hint"))
    assert "black can win in 1 turn, beginning on h2." in won.out
    lost = call("match", "breakthrough", "8/2P5/8/8/8/7p/8/P7 b", stdin=script("hint"))
    assert "There is no forced win, and every move is seen to lose." in lost.out


def test_a_hint_where_a_move_is_one_square(call: Call) -> None:
    result = call(*TICTACTOE[:2], "3/XX1/OO1 w", stdin=script("hint", "hint"))
    assert "white can win in 1 turn ('hint' again names a move)." in result.out
    assert "white can win in 1 turn: c2." in result.out


def test_moves_from_a_square_and_why(call: Call) -> None:
    found = events(call, [*SMALL, *RANDOM], "moves d3", "why d3-d4", "why d3-d5", "why foo")
    assert one(found, "moves")["text"] == "d3-c4  d3-d4"
    legal, illegal = (event for event in found if event["event"] == "why")
    assert legal["text"].startswith("d3-d4 is legal for white\n  it is white's turn\n")
    assert illegal["text"].startswith("d3-d5 is not legal for white, whatever the position\n")
    assert illegal["explanation"]["never"]
    assert one(found, "error")["kind"] == "bad_move"


def test_a_command_with_the_name_of_a_move(call: Call, folder: Path) -> None:
    (folder / "odd.lp").write_text(
        "role(a;b). init(control(a)). legal(R,(help;quit)) :- true(control(R)).\n"
        "legal(R,noop) :- role(R), not true(control(R)).\n"
        "next(control(R)) :- role(R), not true(control(R)).\n"
    )
    found = events(call, ["match", "odd.lp", *RANDOM], "help", "play quit")
    assert [event["event"] for event in found] == ["start", "help", "move", "move", "end"]


def test_help_lists_the_commands(call: Call) -> None:
    result = call(*SMALL, *RANDOM, stdin=b"help\n")
    for command in ("hint", "moves [SQUARE]", "why MOVE", "undo", "save FILE", "quit"):
        assert f"\n  {command}" in result.out


WRONG = {
    "foo": "foo is no move of breakthrough: moves look like a2-a3, nor a command",
    "a1-a2": "a1-a2 is not legal",
    "d3-d4 d4-d5": "it is black's turn then",
    "moves z9": "there is no move from z9",
    "moves ???": "there is no move from ???",
    "why": "give why MOVE",
    "play": "give play MOVE",
    "undo": "there is nothing to undo",
    "save": "give save FILE",
    "save nowhere/x.json": "nowhere/x.json can't be written",
    "save tictactoe.lp": "tictactoe.lp is there already",
    "save folder.lp": "folder.lp can't be written",
    "quit now": "quit takes nothing after it",
    "(" * 2000: "is no move",
    "\x1b[31m": "is no move",
}


@pytest.mark.parametrize("line", WRONG, ids=lambda line: line[:20])
def test_what_is_wrong_is_said_in_one_line_and_the_match_goes_on(call: Call, line: str) -> None:
    result = call(*SMALL, *RANDOM, stdin=script(line, "d3-d4"))
    assert (result.code, result.err) == (0, "")
    said = result.out.split("\nwhite> ")[1].splitlines()
    assert WRONG[line] in said[1]
    assert len(said) == 2
    assert "\n4 . . .[P]\n" in result.out
    found = events(call, [*SMALL, *RANDOM], line, "d3-d4")
    assert WRONG[line] in one(found, "error")["text"]


def test_a_line_that_is_no_text(call: Call) -> None:
    result = call(*SMALL, *RANDOM, stdin=b"\xff\xfe\n\nd3-d4\n")
    assert result.code == 0
    assert "not UTF-8" in result.out
    assert "[P]" in result.out


def test_a_game_without_a_fen(call: Call) -> None:
    found = events(call, ["match", "tictactoe.lp", *RANDOM], "fen", "mark(2,2)")
    assert "no FEN" in one(found, "error")["text"]
    assert found[-2]["by"] == "random"


# --- records --------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["save", "--record"])
def test_a_match_is_written_down_and_can_be_played_again(
    call: Call, folder: Path, how: str
) -> None:
    lines = ["d3-d4", "d4-c5"]
    if how == "save":
        result = call(*PUZZLE, stdin=script("save match.json", *lines, "save match.json"))
        assert result.out.count("Saved: match.json\n") == 2
    else:
        result = call(*PUZZLE, "--record", "match.json", stdin=script(*lines))
    assert result.code == 0
    record = check(json.loads((folder / "match.json").read_text()), "match")
    assert record["puzzle"] == {"attacker": "white", "goal": "win", "within": 2}
    assert (record["as"], record["against"]) == ("white", "solver")
    assert record["moves_text"][::2] == ["d3-d4", "d4-c5"]
    assert record["result"]["reached"] is True
    assert record["result"]["turns"] == 2
    constants = [f"-c{name}={value}" for name, value in record["const"].items()]
    again = call(
        "play", record["game"], record["position"], *record["moves"], *constants, "--json"
    ).json
    assert again["terminal"] is True
    assert again["goals"] == record["result"]["goals"]


# --- the command line -----------------------------------------------------------------------------

REFUSED = {
    "--as red": "white or black, not 'red'",
    "--attacker white": "--attacker and --goal",
    "--attacker red --goal win": "the attacker must be",
    "--attacker white --goal mate": "the goal must be",
    "--attacker white --goal win --within -1": "within must be",
    "--seed -1": "--seed",
    "--against fairy": "--against",
    "--record nowhere/x.json": "nowhere/x.json can't be written",
    "--record folder.lp": "folder.lp can't be written",
}


@pytest.mark.parametrize("options", REFUSED)
def test_options_that_make_no_sense(call: Call, options: str) -> None:
    assert_refused(call(*SMALL, *options.split(), stdin=b"d3-d4\n"), REFUSED[options])


def test_games_and_positions_that_make_no_sense(call: Call) -> None:
    assert_refused(call("match", "shogi"), "shogi")
    assert_refused(call("match", "breakthrough", "nonsense"), "nonsense")
    assert_refused(call("match", "breakthrough", "-"), "standard input is for your moves")
    assert_refused(call("match", "at_once.lp", "--against", "solver"), "puzzles are for one role")
    assert_refused(call("match", "at_once.lp", "--goal", "win", "--attacker", "white"), "puzzles")
    assert_refused(call("match", "at_once.lp", "--as", "white", "--as", "red"), "not 'red'")
    assert_refused(call(*PUZZLE, "--as", "white", "--as", "black"), "played by one person")


def test_an_endless_game_is_left_at_the_end_of_input(call: Call) -> None:
    result = call("match", "endless.lp", "--time", "0.2", stdin=script("pass", "hint", "pass"))
    assert result.code == 0
    assert "Not finished: 4 plies played" in result.out


# --- at a terminal --------------------------------------------------------------------------------


def talk(arguments: list[str], folder: Path, *steps: tuple[str, str]) -> tuple[int, str]:
    """Wait for each text and type what answers it; returns the exit code and all that was shown."""
    terminal = Terminal(arguments, folder, whole=True)
    for text, typed in steps:
        terminal.wait_for(text)
        terminal.type(typed)
    return terminal.end()[0], terminal.shown


CTRL_C, CTRL_D, UP = "\x03", "\x04", "\x1b[A"


def test_a_session_at_a_terminal(tmp_path: Path) -> None:
    """Completion, history, and Ctrl-D, which is the end of input."""
    code, shown = talk(
        [*PUZZLE, *RANDOM], tmp_path,
        (r"white has 2 turns left\s+white>", "d3-d"),
        ("d3-d4", "\t\r"),  # the menu shows the possible completions
        (r"black plays b5-\w+\s[^>]*white>", "undo\r"),
        (r"white has 2 turns left\s+white>", f"{UP}{UP}\r"),  # the move again
        (r"black plays b5-\w+\s[^>]*white>", CTRL_D),
    )  # fmt: skip
    assert (code, "Not finished: 2 plies played" in shown) == (0, True)


def test_at_a_terminal_what_a_person_chooses_is_not_shown(tmp_path: Path) -> None:
    code, shown = talk(
        ["match", THROWS, "--as", "white", "--as", "black"], tmp_path,
        ("white>", "rock\r"),
        ("Chosen: white\\s+black>", f"{UP}paper\r"),  # no history, either
        ("white=rock,black=paper", ""),
        ("white>", CTRL_D),
    )  # fmt: skip
    assert code == 0
    before = shown.partition("white>")[2].partition("Played: ")[0]
    assert "rock" not in before
    assert "paper" not in before


def test_ctrl_c_at_the_prompt_ends_the_program(tmp_path: Path) -> None:
    code, shown = talk([*PUZZLE, *RANDOM, "--record", "m.json"], tmp_path, ("white>", CTRL_C))
    assert (code, "aspgames: interrupted" in shown) == (130, True)
    check(json.loads((tmp_path / "m.json").read_text()), "match")


LONG = ["match", "breakthrough", "--attacker", "white", "--goal", "win"]


def test_ctrl_c_stops_a_search_and_the_match_goes_on(tmp_path: Path) -> None:
    """First a hint's search, then the opponent's, which moves by its results so far."""
    code, _ = talk(
        LONG, tmp_path,
        ("white>", "hint\r"),
        ("[0-9].* positions", CTRL_C),
        (r"is undecided: the time is over[^>]*white>", "a2-a3\r"),
        ("[0-9].* positions", CTRL_C),
        (r"black plays \S+  \(not certain: stopped[^>]*white>", "quit\r"),
    )  # fmt: skip
    assert code == 0


def test_ctrl_c_has_the_engine_move_at_once(tmp_path: Path) -> None:
    code, _ = talk(
        ["match", "breakthrough", "--against", "engine", "--time", "50"], tmp_path,
        ("white>", "a2-a3\r"),
        ("engine thinks", CTRL_C),
        ("black plays[^>]*white>", "quit\r"),
    )  # fmt: skip
    assert code == 0


@pytest.mark.slow
def test_a_second_ctrl_c_ends_the_program(tmp_path: Path) -> None:
    """While the net is made, which the first one stops, or at the prompt after that."""
    terminal = Terminal(["match", "amazons", *LONG[2:]], tmp_path, whole=True)
    terminal.wait_for("white>")
    terminal.type("hint\r")
    terminal.wait_for("Looking for a hint")
    for pause in (0.5, 0.3):
        time.sleep(pause)
        terminal.type(CTRL_C)
    terminal.wait_for("aspgames: interrupted")
    assert terminal.end()[0] == 130


def test_what_completes_a_line() -> None:
    amazons, four = (aspgames.load(name).initial for name in ("amazons", FOUR_IN_A_ROW))
    match, kif = Match(amazons), Match(four, written=four.game.kif)
    commands, pieces = ["hint", "moves", "quit", "why"], ["a4", "d1", "g1", "j4"]
    arrows = [move.text for move in amazons.legal_moves if move.text.startswith("d1-e1/")]
    drops = [f"(drop {number}" for number in range(1, 8)]
    for where, line, found, typed in (
        (match, "", [*pieces, *commands], 0),
        (match, "d1-d", [f"d1-d{rank}" for rank in range(2, 10)], 4),
        (match, "d1-d7/g", ["d1-d7/g4", "d1-d7/g7"], 7),
        (match, "d1-e1", sorted(arrows), 5),
        (match, "moves ", pieces, 0),
        (match, "h", ["hint"], 1),
        (match, "moves d", ["d1"], 1),
        (match, "why g1-g", [f"g1-g{rank}" for rank in range(2, 10)], 4),
        (match, "hint x", [], 1),
        (kif, "", ["(drop", *commands], 0),
        (kif, "(d", ["(drop"], 2),
        (kif, "(drop ", drops, 6),
        (kif, "why (drop 3", ["(drop 3)"], 7),
        (kif, "hint (", [], 1),
    ):
        assert completions(where, commands, line) == (found, typed), line


def test_what_is_typed_ahead_is_not_lost_without_a_terminal(call: Call) -> None:
    """The last line has no end, and has spaces around it."""
    result = call("match", "breakthrough", WON_IN_ONE, stdin=b"  d7-d8  ")
    assert "Game over: white 100, black 0." in result.out
