"""The notebooks of ``examples`` run in a kernel, and are kept without outputs."""

import re
import sys
import tomllib

import nbformat
import pytest
from nbclient import NotebookClient

from paths import ROOT

FOLDER = ROOT / "examples"
each_notebook = pytest.mark.parametrize(
    "notebook",
    [
        pytest.param(nbformat.read(file, as_version=4), id=file.name)
        for file in sorted(FOLDER.glob("*.ipynb"))
    ],
)


@each_notebook
def test_it_is_valid_and_has_no_outputs(notebook: nbformat.NotebookNode) -> None:
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs"), "clear the outputs before committing"
        assert cell.get("execution_count") is None


@each_notebook
def test_the_extra_docs_has_what_it_imports(notebook: nbformat.NotebookNode) -> None:
    """The site runs the notebooks: see ``docs/site/notebook_page.py``."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted, needed = ["docs"], set[str]()
    for extra in wanted:  # grows
        for package in extras["optional-dependencies"][extra]:
            if own := re.match(r"aspgames\[(.*)\]", package):
                wanted += own[1].split(",")
            needed.add(re.split(r"[<>=!\[]", package)[0].replace("open_spiel", "pyspiel"))
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", code, re.MULTILINE))
    known = {"aspgames", "numpy", "open_spiel", *sys.stdlib_module_names}
    assert imported - known <= needed


@pytest.mark.slow
@each_notebook
def test_it_runs_in_a_kernel_and_shows_something(notebook: nbformat.NotebookNode) -> None:
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
    executed = client.execute()
    ends_in_a_value = [
        cell for cell in executed.cells if cell.source.splitlines()[-1:] == ["state"]
    ]
    assert ends_in_a_value
    for cell in ends_in_a_value:
        (output,) = cell.outputs
        assert output.output_type == "execute_result"
        assert {"image/svg+xml", "text/plain"} & set(output.data)
