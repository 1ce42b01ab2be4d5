"""Every recipe of the cookbook runs, says what it promises, and is short."""

import io
import re
import runpy
import warnings
from pathlib import Path

import pytest

from langchain_toolemu import ToolEmuWarning
from tests.playground import playground

COOKBOOK = Path(__file__).parents[2] / "cookbook"
RECIPES = sorted(path.name for path in COOKBOOK.glob("[0-9]*.py"))
MAX_LINES = 80

SUM = r"add.*\{'a': 1234, 'b': 4321\}"
WEATHER = "22 degrees in Paris"
TELLING = {
    "01_agent_on_a_tool_less_model.py": ("1. ChatOpenAI alone", "tool call", "5555"),
    "02_first_tool_call.py": (SUM, "result: 5555", "answer: .*5555"),
    "03_streaming_to_a_terminal.py": (r"\[calls " + SUM, "it says 5555", "says: 5555"),
    "04_structured_output.py": (
        "name='Ann', age=42",
        "'name': 'Ann', 'age': 42",
        "'path': 'emulated'",
    ),
    "05_fallback_across_models.py": (SUM, "ConnectionError", "served: gemma2"),
    "06_chat_openai_swapped.py": (WEATHER, "temperature: 0", "support: none"),
    "07_ollama.py": (WEATHER, "native tools: none", "/api/show"),
    "08_vllm_and_llama_server.py": (
        "first turn: .*Paris.*requests: 2",
        "second turn: .*Paris.*requests: 1",
        "native tools: none",
    ),
    "09_your_own_dialect.py": (r'<call>\{"tool": "add", "args"', SUM, "dialect: mine"),
    "10_measuring_a_model.py": (
        "verdict='none'",
        r"json +: 5 of 5 right, 5 requests",
        "tagged.*5 of 5",
    ),
    "11_langgraph_with_a_checkpointer.py": (
        "model: .*5555",
        "model: .*42",
        r"kept: .*(?:'human', 'ai', 'tool', 'ai'(?:, )?){2}\]",
    ),
    "12_human_in_the_loop.py": (
        "wants to call transfer with .*50.*77",
        "answer: .*50 euros went to account 77",
    ),
}
"""Patterns of what each recipe must show."""


_ON_THE_MODEL = pytest.param(
    RECIPES[0], marks=[pytest.mark.model, pytest.mark.more("time: test_embedded has such an agent")]
)


@pytest.mark.parametrize("recipe", [_ON_THE_MODEL, *RECIPES[1:]])
def test_a_recipe_runs(recipe, monkeypatch, capsys):
    """A recipe ends without an error and shows what it is there to show."""
    monkeypatch.syspath_prepend(COOKBOOK)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with playground(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ToolEmuWarning)
        runpy.run_path(str(COOKBOOK / recipe), run_name="__main__")
    shown = capsys.readouterr().out
    missing = [pattern for pattern in TELLING[recipe] if not re.search(pattern, shown)]
    assert not missing, shown


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_short(recipe):
    """A recipe fits on a page or two."""
    assert len((COOKBOOK / recipe).read_text().splitlines()) < MAX_LINES


def test_every_recipe_is_in_the_docs():
    """The cookbook's page names all recipes, and none that is not there."""
    page = (COOKBOOK.parent / "docs" / "cookbook.md").read_text()
    assert re.findall(r"^\| \[`(\d.*?\.py)`", page, re.MULTILINE) == RECIPES
