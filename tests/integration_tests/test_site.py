"""The docs site in a browser without a network: nothing is missing, every diagram is drawn, search answers."""

import importlib.util
import json
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from tests.browser import CHROMIUM, Browser
from tests.loopback import LoopbackServer, Quiet

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


QUESTIONS = {
    "num_ctx": "ollama",
    "OLLAMA_CONTEXT_LENGTH": "many-tools",
    "prints arguments instead of calling": "faq",
    "does not support tools": "faq",
    "ignores tools only chats": "faq",
    "create_agent LangGraph MCP": "faq",
    "which mode": "faq",
    "which models": "faq",
    "cost": "faq",
    "stream": "streaming",
    "wrong call": "faq",
    "pip install": "faq",
    "exceeds the available context size": "llama-cpp",
    "enable-auto-tool-choice": "vllm",
    "No endpoints found": "hosted",
    "think": "reasoning",
}
"""What people type, and a page that must be among what is found."""


FAQ = {
    "agent prints json instead of calling tool": "why-does-my-agent-print",
    "model outputs tool call as text": "why-does-my-agent-print",
    "raw json in response": "why-does-my-agent-print",
    "error 400 does not support tools": "what-can-i-do-about-does-not-support",
    "does not support tools ollama": "what-can-i-do-about-does-not-support",
    "tools are ignored": "my-agent-ignores",
    "agent never calls my tool": "my-agent-ignores",
    "context window too small": "what-is-num_ctx",
    "increase context length ollama": "what-is-num_ctx",
    "does it work with langgraph": "does-it-work-with-create_agent",
    "fallback or force": "which-mode",
    "what mode to use": "which-mode",
    "supported models": "which-models",
    "which model is best": "which-models",
    "how many tokens does it use": "what-does-it-cost",
    "is it slow overhead": "what-does-it-cost",
    "streaming tokens": "does-streaming-still-work",
    "streaming with tools": "does-streaming-still-work",
    "is it safe wrong tool call": "does-it-run-my-tools",
    "does it execute tools": "does-it-run-my-tools",
    "show the prompt": "how-do-i-see",
    "pip cannot find package": "how-do-i-install",
    "use from javascript": "can-i-use-it-without-langchain",
}
"""Other words for the FAQ's questions, and the question that is meant."""


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


def test_search_answers(search):
    """The first questions that people have lead to the pages that answer them."""
    for question, answer in QUESTIONS.items():
        ask(search, question)
        link = f"a.md-search-result__link[href*='/{answer}.html']"
        assert search.wait_for(f"document.querySelector({json.dumps(link)}) !== null"), question


def test_the_faq_is_found_in_other_words(search):
    """Whoever asks in words of their own finds the FAQ's answer in the first page of the results."""
    for question, answer in FAQ.items():
        ask(search, question)
        link = f"li:first-child a.md-search-result__link[href*='/faq.html'][href*='#{answer}']"
        assert search.wait_for(f"document.querySelector({json.dumps(link)}) !== null", 10), question


def test_no_page_is_wider_than_a_phone(site, browser):
    """Tables and code scroll or fold by themselves; the page does not move sideways."""
    for name in pages_of(site):
        page = browser.open(f"{site.as_uri()}/{name}", width=NARROW, height=844)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, name
        page.close()
