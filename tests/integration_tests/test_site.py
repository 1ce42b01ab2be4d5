"""The docs site in a browser without a network: nothing is missing, every diagram is drawn, search answers."""

import importlib.util
import json
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from tests.browser import CHROMIUM, Browser
from tests.loopback import LoopbackServer

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


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Keep the test's output clean."""


@pytest.fixture(scope="module", params=["file", "http"])
def address(request, site):
    """Where the site is read: from the disk, and from a server."""
    if request.param == "file":
        yield site.as_uri()
        return
    server = LoopbackServer(partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def pages_of(site):
    return sorted(page.name for page in site.glob("*.html") if page.name != "404.html")


def drawn(site):
    return (site / "vendor" / "mermaid.min.js").is_file()


def test_every_page_is_whole(site, browser, address):
    """No page asks another host for anything, no request fails, and every diagram is drawn."""
    written = {page.stem: page.read_text().count("```mermaid") for page in ROOT.glob("docs/*.md")}
    for name in pages_of(site):
        page = browser.open(f"{address}/{name}")
        diagrams = written.get(name.removesuffix(".html"), 0)
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
    "stream": "web-uis",
    "wrong call": "faq",
    "pip install": "faq",
    "exceeds the available context size": "llama-cpp",
    "enable-auto-tool-choice": "vllm",
    "No endpoints found": "openrouter",
    "think": "reasoning",
}
"""What people type, and a page that must be among what is found."""


def test_search_answers(site, browser, address):
    """The first questions that people have lead to the pages that answer them."""
    if address.startswith("file:") and not drawn(site):
        pytest.skip("search from file:// needs a script that comes from npm")
    page = browser.open(f"{address}/index.html")
    page.send("Page.bringToFront")
    page.evaluate("document.querySelector('label[for=__search]').click()")
    for question, answer in QUESTIONS.items():
        page.evaluate(
            "{ const input = document.querySelector('.md-search__input'); input.focus();"
            f" input.value = {json.dumps(question)};"
            " input.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true})); }"
        )
        link = f"a.md-search-result__link[href*='/{answer}.html']"
        assert page.wait_for(f"document.querySelector({json.dumps(link)}) !== null"), question
    page.close()


def test_no_page_is_wider_than_a_phone(site, browser):
    """Tables and code scroll or fold by themselves; the page does not move sideways."""
    for name in pages_of(site):
        page = browser.open(f"{site.as_uri()}/{name}", width=NARROW, height=844)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, name
        page.close()
