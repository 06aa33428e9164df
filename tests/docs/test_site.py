"""What the documentation's site is made from, and the check of its links."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from check import troubles
from command_page import verbs
from diagrams import with_diagrams
from encoding_page import encoding_page
from schema_page import schema_index, schema_page

import aspgames
from aspgames.cli.program import aspgames as program
from paths import ROOT

ENCODINGS = sorted([*ROOT.glob("encodings/**/*.lp"), *ROOT.glob("examples/*.lp")])
SCHEMAS = sorted(ROOT.glob("docs/schemas/*.json"))


def test_every_line_of_an_encoding_is_on_its_page() -> None:
    for file in ENCODINGS:
        page, shown = encoding_page(file), dict[int, str]()
        for start, code in re.findall(
            r'^```prolog linenums="(\d+)"\n(.*?)^```$', page, re.M | re.S
        ):
            shown |= dict(enumerate(code.splitlines(), int(start)))
        prose = page.replace("\\", "").replace("`", "").casefold()
        for number, line in enumerate(file.read_text().splitlines(), start=1):
            place = f"{file}:{number}"
            if line.startswith("%"):
                assert number not in shown, place
                assert line.strip("% -").casefold() in prose, place
            elif included := re.match(r'#include "(.*)"', line):
                assert f"[`{included[1]}`](" in page, place
            elif program := re.match(r"#program (.*)\.", line):
                assert f"## `#program {program[1]}`" in page, place
            else:
                assert shown.get(number, "") == line, place
        for name, target in re.findall(r"\[`([^`]*\.lp)`\]\(([^)<>]*)\)", page):
            beside = file.parent / name
            linked = beside if beside.is_file() else ROOT / "encodings" / name
            assert (file.parent / target).samefile(linked), file


def test_every_page_has_its_place() -> None:
    project = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]
    pages = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md"), *ROOT.glob("examples/**/README.md")]
    for page in pages:
        assert f"'{page.relative_to(ROOT)}'" in str(project["nav"])


def test_pages_link_the_glossary() -> None:
    without = {"development", "glossary", "install", "pictures"}  # which use none of its words
    pages = [page for page in ROOT.glob("docs/*.md") if page.stem not in without]
    assert [page.name for page in pages if "glossary.md" not in page.read_text()] == []


def test_python_pages_have_what_the_package_has() -> None:
    listed = dict[str, set[str]]()
    for line in (ROOT / "docs/api.md").read_text().splitlines():
        if row := re.match(r"\| \[.*\]\((api/\w+\.md)\) \| (.*) \|$", line):
            listed[row[1]] = {
                name.removeprefix("aspgames.") for name in re.findall(r"`(.*?)`", row[2])
            }
    described, modules = dict[str, set[str]](), set[str]()
    for page in ROOT.glob("docs/api/*.md"):
        found = re.findall(r"^::: aspgames\.(\w+)(?:\.(\w+))?$", page.read_text(), re.MULTILINE)
        described[f"api/{page.name}"] = {name for name, _ in found}
        modules |= {name for name, inner in found if inner}
        assert len(found) == page.read_text().count("\n:::")
        for module, inner in found:
            assert not inner or inner in getattr(aspgames, module).__all__
    assert listed == described
    names = set[str]().union(*described.values()) - modules
    assert names == set(aspgames.__all__)
    assert all(getattr(aspgames, name).__doc__ for name in names)


def test_the_members_that_a_page_lists_are_there() -> None:
    game = aspgames.load("tictactoe")
    text = (ROOT / "docs/api/games.md").read_text()
    for members, each in zip(
        re.findall(r"members: \[(.*)\]", text), (game, game.initial), strict=True
    ):
        assert [name for name in members.split(", ") if not hasattr(each, name)] == []


def test_examples_in_docstrings_are_code() -> None:
    pytest.importorskip("griffe", reason="needs the extra docs")
    from docstring_examples import fenced

    assert fenced("Add.\n\n>>> 1 + 1\n2\n\nThat is all.") == (
        "Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nThat is all."
    )


def test_comments_are_prose_and_predicates_in_them_code(tmp_path: Path) -> None:
    file = tmp_path / "my_game.lp"
    file.write_text(
        "% Any *one* who stands, on (X,Y), goes(X,Y) with to_move/1.\n"
        "goes(1,2).\n\ngoes(2,1).\n\n% --- the end ------\n\n% It ends.\nterminal.\n"
    )
    assert encoding_page(file).split("\n\n")[2:] == [
        "Any \\*one\\* who stands, on (X,Y), `goes(X,Y)` with `to_move/1`.",
        '```prolog linenums="2"\ngoes(1,2).',
        "goes(2,1).\n```",
        "## The end",
        "It ends.",
        '```prolog linenums="9"\nterminal.\n```\n',
    ]


def test_every_verb_is_there_with_its_example() -> None:
    page = verbs()
    for name in program.commands:
        assert f"\n### {name}\n\n```text\nUsage: aspgames {name} " in page
    assert page.count("Example:\n") == len(program.commands)


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda file: file.name)
def test_a_schema_is_shown_with_all_its_keys(file: Path) -> None:
    page, schema = schema_page(file), json.loads(file.read_text())
    assert f"]({file.name})" in schema_index([file])
    assert file.read_text() in page
    for key in {**schema.get("properties", {}), **schema.get("items", {}).get("properties", {})}:
        assert f"\n| `{key}` |" in page


DIAGRAMS = {"examples/puzzles/README.md": 12, "docs/certificates.md": 1}


@pytest.mark.parametrize("name", DIAGRAMS)
def test_boards_of_letters_become_pictures(tmp_path: Path, name: str) -> None:
    page = tmp_path / "page.md"
    page.write_text((ROOT / name).read_text())
    text = with_diagrams(page)
    assert text.count("<img") == DIAGRAMS[name] == len({*tmp_path.glob("page_*.svg")})
    assert not re.search(r"^ *1 [^ ] [^ ]", text, re.MULTILINE), "no board of letters is left"
    for file in re.findall(r'src="(.*?)"', text):
        assert "prefers-color-scheme" in (tmp_path / file).read_text(), "it is dark on a dark page"


def test_what_a_command_prints_stays_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    board = "```text\n4 . p\n3 . .\n2 P .\n1 . .\n  a b\nwhite to move\n```\n"
    shown = '```sh\naspgames show breakthrough "1p/2/P1/2 w" -c width=2 -c height=4\n```\n'
    page.write_text(f"{shown}\n{board}\nIt is this:\n\n{board}")
    picture = '<img class="diagram" src="page_1.svg" alt="white to move. white: a2. black: b4.">'
    assert with_diagrams(page) == f"{shown}\n{board}\nIt is this:\n\n{picture}\n"
    page.write_text(board)
    assert with_diagrams(page) == board, "of which game?"


@pytest.mark.parametrize(
    ("page", "trouble"),
    [
        ('<a href="b.html#there">', None),
        ('<a href="/b.html">', None),
        ('<a href="https://example.org/">', None),
        ('<a href="#here"><h2 id="here">', None),
        ('<a href="play/d.html#position=x">', None),
        ('<a href="c.html">', "a.html has a link that leads nowhere: c.html"),
        ('<a href="b.html#gone">', "a.html has a link that leads nowhere: b.html#gone"),
        ('<img src="c.png">', "a.html has a link that leads nowhere: c.png"),
        ('<script src="//example.org/x.js">', "a.html loads //example.org/x.js"),
        ('<link href="https://example.org/x.css">', "a.html loads https://example.org/x.css"),
        (
            '<style>@import url("https://example.org/x.css")</style>',
            "a.html loads a file from elsewhere",
        ),
    ],
)
def test_links_are_checked(tmp_path: Path, page: str, trouble: str | None) -> None:
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "play").mkdir()
    (tmp_path / "play/d.html").touch()
    (tmp_path / "b.html").write_text('<h2 id="there">There</h2>')
    assert list(troubles(tmp_path)) == ([trouble] if trouble else [])


def test_style_sheets_are_checked(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("body { background: url( 'https://example.org/x.png' ) }")
    (tmp_path / "b.css").write_text("body { background: url(x.png) }")
    assert list(troubles(tmp_path)) == ["a.css loads a file from elsewhere"]
