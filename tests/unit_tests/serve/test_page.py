"""docs/gateway.md says what the gateway takes: every option, every key of a request."""

import argparse
from pathlib import Path

import pytest

from langchain_toolemu.commands.serve import add_command
from langchain_toolemu.serve.protocol import LIMITS

PAGE = (Path(__file__).parents[3] / "docs" / "gateway.md").read_text(encoding="utf-8")
UNTOLD = {"--help"}


def options():
    """The options of the command, by their names."""
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    (command,) = parser._subparsers._group_actions[0].choices.values()
    names = {name for action in command._actions for name in action.option_strings}
    return sorted(name for name in names if name.startswith("--") and name not in UNTOLD)


@pytest.mark.parametrize("name", options())
def test_every_option_is_explained(name):
    """The table of options has each of them."""
    assert any(f"`{name}" in line for line in PAGE.splitlines() if line.startswith("| `--"))


@pytest.mark.parametrize("key", LIMITS)
def test_every_key_of_a_request_is_explained(key):
    """The table of what a request may choose has each of them."""
    table = PAGE[PAGE.index("## What a request may choose") :]
    assert f"`{key}`" in table[: table.index("```python")]
