"""The programs of docs/gateway-clients.md for clients that are installed apart, run as they are there."""

import re

import pytest

from tests.clients import HOME, ROOT, node_with, output_of, python_with

PAGE = (ROOT / "docs" / "gateway-clients.md").read_text(encoding="utf-8")
WRITTEN = "http://localhost:8787"

pytestmark = pytest.mark.more("needs clients that are installed apart")


def programs(heading, language):
    """The programs under a heading of the page."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


def at_home(program, gateway):
    return program.replace(WRITTEN, gateway.url)


def run_python(program, package, folder):
    python, file = python_with(package), folder / "program.py"
    file.write_text(program)
    return output_of([python, file], folder)


def run_node(program, package, folder):
    node = node_with(package)
    # Modules are looked for from the program's own folder upwards.
    (folder / "node_modules").symlink_to(HOME / "node_modules")
    file = folder / "program.mjs"
    file.write_text(program)
    return output_of([node, file], folder)


AGENTS = [
    ("pydantic-ai", "pydantic_ai", ()),
    ("OpenAI Agents SDK", "agents", ()),
    ("OpenAI Agents SDK", "agents", ("OpenAIResponsesModel", "OpenAIChatCompletionsModel")),
]


@pytest.mark.parametrize(("heading", "package", "change"), AGENTS)
def test_an_agent_of_another_framework_calls_and_answers(
    text_only, tmp_path, heading, package, change
):
    """The tool is run, and its result is the answer."""
    (program,) = programs(heading, "py")
    program = program.replace(*change) if change else program
    said = run_python(at_home(program, text_only.gateway), package, tmp_path)
    assert said.strip() == "The tool says: 22 degrees in Paris"


@pytest.mark.parametrize(
    "change",
    [
        (),
        ('"openai/gemma2",\n    api_base="http://localhost:8787/v1"',
         '"anthropic/gemma2",\n    api_base="http://localhost:8787"'),
        ('"openai/gemma2",\n    api_base="http://localhost:8787/v1"',
         '"ollama_chat/gemma2",\n    api_base="http://localhost:8787"'),
    ],
    ids=["openai", "anthropic", "ollama"],
)  # fmt: skip
def test_litellm_gets_a_call(text_only, tmp_path, change):
    """LiteLLM's SDK, in three protocols."""
    (program,) = programs("LiteLLM", "py")
    program = program.replace(*change) if change else program
    said = run_python(at_home(program, text_only.gateway), "litellm", tmp_path)
    assert re.search(r'\{"city": ?"Paris"\}', said)


VERCEL = {
    "chat completions": (),
    "messages": (("@ai-sdk/openai-compatible", "@ai-sdk/anthropic"),
                 ("createOpenAICompatible", "createAnthropic"),
                 ('name: "toolemu"', 'apiKey: "none"')),
    "responses": (("@ai-sdk/openai-compatible", "@ai-sdk/openai"),
                  ("createOpenAICompatible", "createOpenAI"),
                  ('name: "toolemu"', 'apiKey: "none"')),
}  # fmt: skip


@pytest.mark.parametrize("case", VERCEL)
def test_the_vercel_ai_sdk_calls_and_answers(text_only, tmp_path, case):
    """Two steps of an agent in JavaScript, in each protocol."""
    (program,) = programs("Vercel AI SDK", "js")
    for change in VERCEL[case]:
        program = program.replace(*change)
    said = run_node(at_home(program, text_only.gateway), "ai", tmp_path)
    # The SDK may first warn of a model that it does not know.
    assert said.strip().splitlines()[-1] == "The tool says: 22 degrees in Paris"
