"""MkDocs hook for scripts, fonts, tables and hidden checks.

Nothing is loaded from another host. What docs/fetch_assets.py fetched is served by the site itself; what it could not
fetch is done without.
"""

import re
from html import escape, unescape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

MERMAID = "vendor/mermaid.min.js"
FONTS = "vendor/fonts.css"
SHIM = "vendor/iframe-worker.js"
TERMS = "search_terms.js"

LONG_WORD = 30
"""From this many characters on, a name in a table may break, after an underscore or another mark."""
_FLAG = re.compile(r"<code>(-[^\s<]{,28})</code>")
"""A flag of a command, which would break after its first hyphen."""
_MARK = re.compile(r"(?<=[_.,:|=/(\[{\]}>])(?=[^\s_])")
_FIGURE = re.compile(r"\(\d+-\d+ ?%?\)|\d+ %")
"""An interval or a share in a table, which stays on one line."""
LONG_CELL = 40
"""From this many characters on, a cell is prose, and its table becomes a list on a phone."""


def _is_there(config: MkDocsConfig, path: str) -> bool:
    return (Path(config.docs_dir) / path).is_file()


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """MkDocs calls this once it has read mkdocs.yml."""
    config.extra["polyfills"] = [path for path in (SHIM, TERMS) if _is_there(config, path)]
    if _is_there(config, FONTS):
        config.extra_css.insert(0, FONTS)
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs calls this with the text of each page: what only the tests run is not published."""
    return re.sub(r"^<!-- check\n.*?^-->\n+", "", markdown, flags=re.MULTILINE | re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """MkDocs calls this with the HTML of each page: cells are told their heading, diagrams are not searched, flags stay whole."""
    html = html.replace('<pre class="mermaid">', '<pre class="mermaid" data-search-exclude>')
    html = re.sub(r"<table>.*?</table>", _labelled, html, flags=re.DOTALL)
    return _FLAG.sub(r'<code class="whole">\1</code>', html)


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    """MkDocs calls this with each page in its template: mermaid is loaded only where a diagram is."""
    if 'class="mermaid"' not in output:
        return output
    if not _is_there(config, MERMAID):
        return output.replace('class="mermaid"', 'class="diagram"')
    script = f'<script src="{get_relative_url(MERMAID, page.url)}"></script>'
    return re.sub(r'(<script src="[^"]*/bundle\.)', rf"{script}\1", output, count=1)


def _labelled(table: re.Match[str]) -> str:
    text = re.sub(r"<code>([^<]*)</code>", _breakable, table.group())
    text = _FIGURE.sub(r'<span class="figure">\g<0></span>', text)
    headings = [_plain(cell) for cell in re.findall(r"<th[^>]*>(.*?)</th>", text, re.DOTALL)]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", text, re.DOTALL)
    longest = max((len(_plain(cell)) for cell in cells), default=0)
    if len(headings) < 2 or longest < LONG_CELL:
        return text
    rows = re.sub(r"<tr>.*?</tr>", lambda row: _label(row.group(), headings), text, flags=re.DOTALL)
    return rows.replace("<table>", "<table data-cards>", 1)


def _breakable(code: re.Match[str]) -> str:
    """A name in a table: a short one stays whole, a long one may break after a mark."""
    # GitHub wants a backslash before a bar in a table, and Python-Markdown shows it.
    text = unescape(code[1]).replace("\\|", "|")
    if len(text) <= LONG_WORD and " " not in text:
        return f'<code class="whole">{escape(text, quote=False)}</code>'
    words = (_MARK.sub("\0", word) if len(word) > LONG_WORD else word for word in text.split(" "))
    return f"<code>{escape(' '.join(words), quote=False)}</code>".replace("\0", "<wbr>")


def _label(row: str, headings: list[str]) -> str:
    labels = iter(headings)
    return re.sub(r"<td(?=[ >])", lambda _: f'<td data-label="{next(labels, "")}"', row)


def _plain(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html)).replace('"', "'").replace("<", "").strip()
