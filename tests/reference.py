"""The reference, written from the code: `python -m tests.reference` writes docs/generated/."""

import argparse
import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

from langchain_toolemu.commands import main
from langchain_toolemu.options import OPTIONS, Option
from langchain_toolemu.serve import settings
from langchain_toolemu.serve.metrics import METRICS
from langchain_toolemu.turn.forms import FORMS
from langchain_toolemu.turn.turn_output import WARNINGS
from tests.benchmarks.leaderboard import page as leaderboard
from tests.refusing_servers import SOURCES
from tests.unit_tests import surfaces_page as surfaces
from tests.unit_tests.capability import page as capability
from tests.unit_tests.samples import formats_page as formats
from tests.unit_tests.samples import page as samples

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
_SNIPPET = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)


def table(heads: str, rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown; the heads are separated by bars."""
    line = "|" + "---|" * (heads.count("|") + 1)
    cells = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    return "\n".join([f"| {heads} |", line, *(f"| {row} |" for row in cells), ""])


# --- options ---


def values_of(option: Option) -> list[str]:
    """What an option takes, as Python writes it; the default first."""
    words = [repr(word) for word in option.words]
    return sorted(words, key=lambda word: word != repr(option.default)) + [kind.name for kind in option.kinds]  # fmt: skip


def options_table() -> str:
    """Every option of the constructors."""
    rows = []
    for name, option in OPTIONS.items():
        words = [f"`{one}`" if one[0] in "'N" else one for one in values_of(option)]
        rows.append((f"`{name}`", f"`{option.default!r}`", ", ".join(words), option.sentence))
    return table("option | default | values | what it is for", rows)


# --- commands ---


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command that `toolemu` knows."""
    parsers = argparse.ArgumentParser(prog="toolemu").add_subparsers()
    for module in vars(main).values():
        if hasattr(module, "add_command"):
            module.add_command(parsers)
    return parsers.choices


def flags(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a command, but for `--help`."""
    return (one for one in command._actions if one.dest != "help")


def command_pages() -> str:
    """Each command with its flags and exit codes."""
    parts = []
    for name, command in commands().items():
        told = re.sub(rf": `toolemu {name}[^`]*`", "", command.description, count=1)
        told = re.sub(r"(?<!`)(--[\w-]+)", r"`\1`", told)
        rows = [(f"`{_written(one)}`", one.help) for one in flags(command)]
        parts += [f"## toolemu {name}\n", f"{told.strip()}\n", table("argument | what it does", rows) if rows else ""]  # fmt: skip
    return "\n".join(filter(None, parts))


def _written(action: argparse.Action) -> str:
    if not action.option_strings:
        return str(action.metavar)
    words = "|".join(map(str, action.choices)) if action.choices and not action.metavar else action.metavar  # fmt: skip
    value = "" if action.nargs == 0 else f" {words or action.dest.upper()}"
    return f"{action.option_strings[-1]}{value}"


# --- the gateway's file ---


def settings_table() -> str:
    """The keys of `toolemu.toml`, with the comments that the code has for them."""
    source = inspect.getsource(settings)
    rows = [*_settings_rows("server", settings.ProcessSettings, source, settings.SERVER_SETTINGS)]
    known = [one.name for one in fields(settings.ModelSettings)[1:-1]]
    rows += _settings_rows("models.NAME", settings.ModelSettings, source, known)
    return table("key | table | default | what it is", rows)


def _settings_rows(
    head: str, kind: type, source: str, names: list[str]
) -> Iterator[tuple[str, ...]]:
    defaults = {one.name: one.default for one in fields(kind)}
    for name in names:
        found = re.search(rf"((?:    # .*\n)*)    {name}: .*? = .*?(?:  # (.*))?\n", source)
        above = " ".join(line.strip("# ") for line in found[1].splitlines())
        default = json.dumps(defaults[name], default=lambda _: {})
        shown = "" if default == "null" else f"`{default}`"
        yield f"`{name}`", f"`[{head}]`", shown, found[2] or above


# --- codes and metrics ---


def warning_paragraphs() -> str:
    """Each code of a report's warnings, with its text."""
    return "\n".join(f"### {code}\n\n`{text}`\n" for code, text in WARNINGS.items())


def forms_table() -> str:
    """The forms of a request that is refused, the cheapest first."""
    rows = [(f"`{axis}`", *SOURCES[axis]) for axis in FORMS]
    return table("form | sent instead | refused by | reported in", rows)


def metrics_table() -> str:
    """The figures of the gateway's `/metrics`."""
    rows = [(f"`{name}`", kind, f"`{more[-1]}`" if len(more) > 1 else "", told) for name, (kind, told, *more) in METRICS.items()]  # fmt: skip
    return table("metric | kind | label | what it counts", rows)


FILES: dict[Path, Callable[[], str]] = {
    DOCS / "generated" / "options.md": options_table,
    DOCS / "generated" / "commands.md": command_pages,
    DOCS / "generated" / "warnings.md": warning_paragraphs,
    DOCS / "generated" / "settings.md": settings_table,
    DOCS / "generated" / "request-forms.md": forms_table,
    DOCS / "generated" / "metrics.md": metrics_table,
    samples.PAGE: samples.write_page,
    formats.PAGE: formats.write_page,
    capability.PAGE: capability.write_page,
    surfaces.PAGE: surfaces.write_page,
    leaderboard.PAGE: leaderboard.write_page,
}
"""What is written, and by what."""


def page(name: str) -> str:
    """A page of the docs as the site has it, with the fragments that it takes in; or all pages that fit a pattern."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(DOCS.glob(name)))
    return _SNIPPET.sub(lambda found: page(found[1]), text)


if __name__ == "__main__":
    for path, write in FILES.items():
        path.write_text(write(), encoding="utf-8")
