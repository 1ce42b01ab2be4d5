"""Every recipe of the cookbook runs, says what it promises, and is short."""

import contextlib
import io
import os
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from langchain_toolemu import ToolEmuWarning
from tests.playground import playground

# It keeps the standard error of its first import for good, which must not be that of one captured test.
with contextlib.suppress(ImportError):
    import mcp.client.stdio  # noqa: F401


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
    "09_your_own_dialect.py": (r'<call>\{"fn": "add", "with"', SUM, "dialect: mine"),
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
    "13_mcp_tools.py": ("tools:  .'get_weather'", "call: .*Paris", "answer: .*22 degrees in Paris"),
    "14_fastapi_stream.py": (
        r'event: call\ndata: \{"name": "add", "args": \{"a": 1234, "b": 4321\}\}',
        'event: result\ndata: {"text": "5555"}',
        "event: words\n",
        "event: done\n",
    ),
    "15_gateway_with_two_sdks.py": (
        r'OpenAI.*add \{"a": ?1234, ?"b": ?4321\}',
        r"Anthropic.*add \{'a': 1234, 'b': 4321\}",
    ),
    "16_many_tools.py": (
        r"\d+ tokens for 40 tools, \d+ for 3",
        "call: .*Paris",
        f"ai: .*{WEATHER}",
    ),
    "17_planning_agent.py": (
        "thought: Two steps: look, then write.\ncall:    write_todos",
        "call:    get_weather .*Paris.*\ncall:    get_weather .*Rome",
        r"plan:    \['completed', 'completed'\]",
        r"files:   \['/report.md'\]",
        "answer:  Rome is warmer",
    ),
    "18_a_policy_of_your_own.py": (
        "wants: +delete_file .*notes.txt",
        "answer: +.*notes.txt is deleted",
        "held back: delete_file .* - orders.db is never deleted from a chat",
    ),
    "19_agent_middleware.py": (
        r"call: +find_orders .*Ann",
        r"answer: .*\(emulated\)",
        r"call: +cancel_order .*7",
        r"shop: +\[\(6, 'sent'\), \(7, 'cancelled'\), \(8, 'open'\)\]",
    ),
}
"""Patterns of what each recipe must show."""

NEEDS = {
    "13_mcp_tools.py": "langchain_mcp_adapters",
    "14_fastapi_stream.py": "fastapi",
    "17_planning_agent.py": "deepagents",
}
"""What a recipe imports besides this package, its extras and LangChain's agents."""

PLAYS_ITS_MODEL = {"17_planning_agent.py"}
"""What needs no server, and no model either, unless one is named."""


EMBEDDED = {
    "02_first_tool_call.py": "answer: .*5555",
    "03_streaming_to_a_terminal.py": "it says 5555",
    "04_structured_output.py": "name='Ann', age=42",
    "05_fallback_across_models.py": SUM,
    "09_your_own_dialect.py": SUM,
    "10_measuring_a_model.py": r"tagged +: [1-5] of 5 right",
    "11_langgraph_with_a_checkpointer.py": "model: .*42",
    "12_human_in_the_loop.py": "answer: .*50 euros went to account 77",
    "13_mcp_tools.py": f"answer: {WEATHER}",
    "14_fastapi_stream.py": 'event: result\ndata: {"text": "5555"}',
    "15_gateway_with_two_sdks.py": r"Anthropic.*add \{'a': 1234, 'b': 4321\}",
    "16_many_tools.py": f"ai: .*{WEATHER}",
    "18_a_policy_of_your_own.py": "held back: delete_file .*orders.db",
    "19_agent_middleware.py": r"shop: .*\(7, 'cancelled'\)",
}
"""What a recipe ends in on the embedded model; the first always takes it, 6 to 8 are about servers, and 17 plays its own."""

_ON_THE_MODEL = pytest.param(
    RECIPES[0], marks=[pytest.mark.model, pytest.mark.more("time: test_embedded has such an agent")]
)


@pytest.mark.parametrize("recipe", [_ON_THE_MODEL, *RECIPES[1:]])
def test_a_recipe_runs(recipe, monkeypatch, capfd):
    """A recipe ends without an error and shows what it is there to show."""
    if recipe in NEEDS:
        pytest.importorskip(NEEDS[recipe], reason=f"{recipe} needs {NEEDS[recipe]}")
    monkeypatch.syspath_prepend(COOKBOOK)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with playground(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ToolEmuWarning)
        if recipe in PLAYS_ITS_MODEL:
            monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
        runpy.run_path(str(COOKBOOK / recipe), run_name="__main__")
    shown = capfd.readouterr().out
    missing = [pattern for pattern in TELLING[recipe] if not re.search(pattern, shown)]
    assert not missing, shown


@pytest.mark.model
@pytest.mark.more("time: every recipe on the model")
@pytest.mark.parametrize("recipe", EMBEDDED)
def test_a_recipe_succeeds_on_the_embedded_model(recipe):
    """Whoever has no server sees what the page promises."""
    if recipe in NEEDS:
        pytest.importorskip(NEEDS[recipe], reason=f"{recipe} needs {NEEDS[recipe]}")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(COOKBOOK / recipe)],
        input="y\n",
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={name: value for name, value in os.environ.items() if name != "OPENAI_BASE_URL"},
    )
    assert re.search(EMBEDDED[recipe], done.stdout), done.stdout + done.stderr


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_short(recipe):
    """A recipe fits on a page or two."""
    assert len((COOKBOOK / recipe).read_text().splitlines()) < MAX_LINES


def test_every_recipe_is_in_the_docs():
    """The cookbook's page names all recipes, and none that is not there."""
    page = (COOKBOOK.parent / "docs" / "cookbook.md").read_text()
    assert re.findall(r"^\| \[`(\d.*?\.py)`", page, re.MULTILINE) == RECIPES


def test_every_recipe_says_how_long_it_takes():
    """In the last column of the page."""
    page = (COOKBOOK.parent / "docs" / "cookbook.md").read_text()
    times = re.findall(r"^\| \[`\d.*\| ([^|]+) \|$", page, re.MULTILINE)
    assert len(times) == len(RECIPES)
    assert all(re.fullmatch(r"\d+ (s|min)|that of your server", time) for time in times), times
