"""The page of a notebook, with the outputs that it has when it is run now."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter
from nbconvert.preprocessors import ExecutePreprocessor


def notebook_page(file: Path) -> str:
    """Run a notebook; the Markdown text of its page, whose pictures are put beside it."""
    notebook = nbformat.read(file, as_version=4)
    ExecutePreprocessor(timeout=300).preprocess(notebook, {"metadata": {"path": str(file.parent)}})
    text, resources = MarkdownExporter().from_notebook_node(
        notebook, {"output_files_dir": f"{file.stem}_files"}
    )
    for name, content in resources["outputs"].items():
        picture = file.parent / name
        picture.parent.mkdir(exist_ok=True)
        picture.write_bytes(content)
        if title := re.search(rb"<title>(.*?)</title>", content):
            text = text.replace(f"![svg]({name})", f"![{title[1].decode()}]({name})")
    return str(text)
