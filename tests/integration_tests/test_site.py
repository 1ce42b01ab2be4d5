"""The docs site in a browser without a network: nothing is missing, every diagram is drawn, search answers."""

import importlib.util
import json
import re
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from tests.browser import CHROMIUM, Browser
from tests.loopback import LoopbackServer, Quiet
from tests.tables import every_row

ROOT = Path(__file__).parents[2]
NARROW = 390
"""The width of a phone."""

pytestmark = [
    pytest.mark.more("a browser opens every page of the docs, twice"),
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: chromium)"),
    pytest.mark.skipif(
        importlib.util.find_spec("mkdocs") is None, reason="MkDocs is not installed (make docs)"
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "docs/fetch_assets.py"], cwd=ROOT, check=True)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


class _Pages(Quiet, SimpleHTTPRequestHandler):
    pass


@pytest.fixture(scope="module", params=["file", "http"])
def address(request, site):
    """Where the site is read: from the disk, and from a server."""
    if request.param == "file":
        yield site.as_uri()
        return
    with LoopbackServer(partial(_Pages, directory=str(site))) as server:
        yield f"http://127.0.0.1:{server.server_port}"


def pages_of(site):
    """Every page but those that only show a file of the repository."""
    pages = [page.relative_to(site).as_posix() for page in site.rglob("*.html")]
    return sorted(page for page in pages if page != "404.html" and not page.startswith("source/"))


def drawn(site):
    return (site / "vendor" / "mermaid.min.js").is_file()


def test_every_page_is_whole(site, browser, address):
    """No page asks another host for anything, no request fails, and every diagram is drawn."""
    for name in pages_of(site):
        page = browser.open(f"{address}/{name}")
        written = ROOT / "docs" / name.replace(".html", ".md")
        diagrams = written.read_text().count("```mermaid") if written.is_file() else 0
        if diagrams and drawn(site):
            # Material draws each into a shadow root, which is closed: an empty box would have no height.
            page.wait_for(
                f"[...document.querySelectorAll('div.mermaid')].filter(d => d.clientHeight > 40).length == {diagrams}"
            )
        elif diagrams:
            assert page.evaluate("document.querySelectorAll('pre.diagram').length") == diagrams
        foreign = [url for url in page.requests if not url.startswith((address, "data:", "blob:"))]
        assert not foreign, name
        assert not page.failures, name
        page.close()


SEARCHES = {
    # what people see
    "does not support tools": "troubleshooting",
    "supervisor": "langgraph",
    "StateGraph": "langgraph",
    "checkpointer": "langgraph",
    "swarm": "langgraph",
    "deepagents": "deep-agents",
    "create_deep_agent": "deep-agents",
    "error 400 does not support tools": "troubleshooting",
    "prints json instead of calling": "troubleshooting",
    "model outputs tool call as text": "troubleshooting",
    "agent never calls my tool": "troubleshooting",
    "tools are ignored": "troubleshooting",
    "NotImplementedError bind_tools": "troubleshooting",
    "error parsing tool call": "troubleshooting",
    "tool_use_failed": "troubleshooting",
    "I don't have access to tools": "troubleshooting",
    "Connection refused": "troubleshooting",
    "page not found 404": "troubleshooting",
    "No matching distribution found": "troubleshooting",
    "same call again and again": "troubleshooting",
    "ToolChoiceError": "troubleshooting",
    "ToolSpecError: llm must be a chat model": "troubleshooting",
    "llm must be a chat model, not a RunnableWithFallbacks": "troubleshooting",
    "unknown_parameter": "errors",
    "warning_codes": "errors",
    "--enable-auto-tool-choice": "troubleshooting",
    "the request exceeds the available context size": "troubleshooting",
    "No endpoints found that support tool use": "troubleshooting",
    "Recursion limit of 25 reached": "troubleshooting",
    "GraphRecursionError": "troubleshooting",
    "OutputParserException": "structured-output",
    "Invalid json output": "structured-output",
    "model does not support function calling": "troubleshooting",
    "human in the loop interrupt": "langgraph",
    "leaderboard BFCL": "leaderboard",
    "add numbers without docstring": "errors",
    # providers
    "ollama": "ollama",
    "vllm": "vllm",
    "llama.cpp": "llama-cpp",
    "llama-server": "llama-cpp",
    "lm studio": "lm-studio",
    "hugging face": "hugging-face",
    "openrouter": "hosted",
    "bedrock": "hosted",
    "azure": "hosted",
    "groq": "hosted",
    "gemini": "hosted",
    "mistral": "hosted",
    "together ai": "hosted",
    "fireworks": "hosted",
    # settings and commands
    "num_ctx": "ollama",
    "OLLAMA_CONTEXT_LENGTH": "troubleshooting",
    "Modelfile": "ollama",
    "fallback or force": "troubleshooting",
    "TOOLEMU_MODE": "modes",
    "max_reasks": "agents",
    "toolemu serve": "gateway",
    "--base-url": "command-line",
    "--workers": "gateway",
    "exit code": "command-line",
    "--port": "command-line",
    "ANTHROPIC_BASE_URL": "gateway-clients",
    "toolemu doctor": "command-line",
    "inspector": "debugging",
    # tasks
    "stream tokens": "streaming",
    "jupyter notebook": "user-interfaces",
    "fastapi": "user-interfaces",
    "with_structured_output": "structured-output",
    "too many tools": "many-tools",
    "mcp": "mcp",
    "think": "reasoning",
    "middleware": "middleware",
    "policy": "policy",
    "langgraph": "langgraph",
    "prometheus": "observability",
    "cost tokens overhead": "troubleshooting",
    "migrate OllamaFunctions": "migration",
    "litellm": "comparison",
    "which model is best": "troubleshooting",
    "javascript": "troubleshooting",
    # further words for the same
    "agent loops forever": "troubleshooting",
    "tool called with wrong arguments": "troubleshooting",
    "Conversation roles must alternate": "troubleshooting",
    "system role not supported": "troubleshooting",
    "pip install error": "troubleshooting",
    "InMemorySaver memory": "langgraph",
    "resume after interrupt Command": "langgraph",
    "create_react_agent": "agents",
    "astream_events": "streaming",
    "hallucinated arguments": "policy",
    "parallel tool calls": "policy",
    "deepseek r1 tools": "reasoning",
    "pydantic nested model": "structured-output",
    "add a tool without docstring": "errors",
    "disable warnings ToolEmuWarning": "errors",
    "what does emulated mean": "glossary",
    "accuracy benchmark results": "models",
    "claude code local model": "coding-agents",
    "open webui": "coding-agents",
    "api key authentication": "gateway",
    "docker": "gateway",
    "offline": "embedded-model",
    "langsmith tracing": "observability",
    # whole messages, and whole questions
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set': "troubleshooting",
    "tools param requires --jinja flag": "llama-cpp",
    "registry.ollama.ai/library/gemma2:2b does not support tools": "troubleshooting",
    "This model's maximum context length is 4096 tokens": "troubleshooting",
    "Recursion limit of 25 reached without hitting a stop condition": "troubleshooting",
    "Conversation roles must alternate user/assistant/user/assistant": "troubleshooting",
    "TypeError: unexpected keyword argument 'parallel_tool_calls'": "ollama",
    "ToolEmuWarning: its calls are emulated from now on": "errors",
    "with_structured_output returns None": "structured-output",
    "agent calls the same tool again and again": "troubleshooting",
    "model invents arguments": "policy",
    "turn off emulation": "modes",
    "how to disable emulation": "modes",
    "HuggingFacePipeline bind_tools ignored": "hugging-face",
    "pipeline huggingface transformers tool calling": "hugging-face",
    "codex cli with ollama": "coding-agents",
    "save chat history to database": "langgraph",
    "how many tokens does it cost": "troubleshooting",
    "prompt is longer than context num_ctx": "ollama",
    "retry when tool arguments are wrong": "troubleshooting",
}
"""What people type, and the page that must come first or second."""


@pytest.fixture
def search(site, browser, address):
    """A page on which one can search."""
    if address.startswith("file:") and not drawn(site):
        pytest.skip("search from file:// needs a script that comes from npm")
    page = browser.open(f"{address}/index.html")
    page.send("Page.bringToFront")
    page.evaluate("document.querySelector('label[for=__search]').click()")
    yield page
    page.close()


def ask(page, question):
    """Search for something; what was found before is gone first."""
    for words in ("", question):
        page.evaluate(
            "{ const input = document.querySelector('.md-search__input'); input.focus();"
            f" input.value = {json.dumps(words)};"
            " input.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true})); }"
        )
        if not words:
            page.wait_for("document.querySelector('a.md-search-result__link') === null")


@every_row(("question", "answer"), SEARCHES.items())
def test_search_answers(search, question, answer):
    """What people type leads to the page that answers it, first or second."""
    ask(search, question)
    link = f"li.md-search-result__item:nth-child(-n + 2) a[href*='/{answer}.html']"
    assert search.wait_for(f"document.querySelector({json.dumps(link)}) !== null", 10)


BROKEN_WORDS = """(() => {
  const broken = [];
  for (const cell of document.querySelectorAll('.md-typeset table td, .md-typeset table th')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text; text = texts.nextNode();) {
      for (const word of text.data.matchAll(/[^\\s\\/-]+/g)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = [...range.getClientRects()].filter(line => line.width).map(line => Math.round(line.top));
        if (new Set(lines).size > 1) broken.push(word[0]);
      }
    }
  }
  return broken;
})()"""
"""The words of a page's tables that stand on two lines."""


def test_tables_do_not_break_words(site, browser):
    """On a laptop a word of a table stays on one line; what models wrote, on pages that a program writes, may be any length."""
    for name in pages_of(site):
        if not name.startswith(("generated/", "formats.html")):
            page = browser.open(f"{site.as_uri()}/{name}", width=1280)
            assert page.evaluate(BROKEN_WORDS) == [], name
            page.close()


def test_diagrams_can_be_read_on_a_phone(site, browser):
    """Shrunk to the width of a phone, a diagram's words are at least eleven pixels high."""
    if not drawn(site):
        pytest.skip("diagrams need mermaid, which comes from npm")
    page = browser.open(f"{site.as_uri()}/index.html")
    for written in [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/internals/*.md")]:
        for diagram in re.findall(r"```mermaid\n(.*?)```", written.read_text(), re.DOTALL):
            drawing = f"mermaid.render('probe', {json.dumps(diagram)}).then(drawn => drawn.svg)"
            width = re.search(r'viewBox="\S+ \S+ (\S+)', page.evaluate(drawing))
            assert 16 * (NARROW - 32) / float(width[1]) >= 11, written.name
    page.close()


def test_no_page_is_wider_than_a_phone(site, browser):
    """Tables and code scroll or fold by themselves; the page does not move sideways."""
    for name in pages_of(site):
        page = browser.open(f"{site.as_uri()}/{name}", width=NARROW, height=844)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, name
        page.close()
