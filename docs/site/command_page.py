"""The verbs of the command line, each with what its ``--help`` prints."""

from __future__ import annotations

import click

from aspgames.cli.program import HelpContext, aspgames


def verbs() -> str:
    """A section of Markdown for each verb."""
    program = HelpContext(
        aspgames, info_name="aspgames", terminal_width=80, **aspgames.context_settings
    )
    sections = [_section("aspgames", aspgames, program)]
    for name, verb in sorted(aspgames.commands.items()):
        sections.append(_section(name, verb, HelpContext(verb, program, name)))
    return "\n".join(sections)


def _section(title: str, command: click.Command, context: click.Context) -> str:
    return f"### {title}\n\n```text\n{command.get_help(context)}\n```\n"
