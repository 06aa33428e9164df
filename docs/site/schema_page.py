"""The pages of the JSON Schemas: what an object is for, its keys, and the schema itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


def schema_index(files: Iterable[Path]) -> str:
    """The page that lists all schemas."""
    rows = []
    for file in files:
        schema = json.loads(file.read_text())
        rows.append(f"| [{schema['title']}]({file.name}) | {_cell(schema['description'])} |")
    return "\n".join(
        [
            "# JSON",
            "",
            "Everything that the program prints as JSON, and every file that it reads or writes,",
            "follows a [JSON Schema](https://json-schema.org/) (draft 2020-12).",
            "",
            "| object | what it is |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def schema_page(file: Path) -> str:
    """The Markdown text of a schema's page."""
    schema = json.loads(file.read_text())
    parts = [f"# {schema['title']}", schema["description"], *_tables(schema)]
    for name, part in schema.get("$defs", {}).items():
        if tables := list(_tables(part)):
            parts += [f"## `{name}`", part.get("description", ""), *tables]
    parts += ["## The schema", f"[`{file.name}`](<{file.name}>):"]
    parts.append(f"```json\n{file.read_text().strip()}\n```\n")
    return "\n\n".join(parts)


def _tables(schema: dict[str, Any]) -> Iterator[str]:
    """A table of keys for each object that a schema describes."""
    if "properties" in schema:
        required = schema.get("required", ())
        rows = ["| key | | value | meaning |", "|---|---|---|---|"]
        for key, value in schema["properties"].items():
            needed = "" if key in required else "optional"
            meaning = value.get("description", "") if isinstance(value, dict) else ""
            rows.append(f"| `{key}` | {needed} | {_cell(_type(value))} | {_cell(meaning)} |")
        yield "\n".join(rows)
    for part in (schema.get("items"), *schema.get("oneOf", ())):
        if isinstance(part, dict):
            yield from _tables(part)


def _type(schema: Any) -> str:
    """What a value may be, in a few words."""
    if not isinstance(schema, dict):
        return "anything"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join(_type(part) for part in schema[several])
    kinds = schema.get("type", "anything")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
