"""The notebooks of ``examples`` run in a kernel, and are kept without outputs."""

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
