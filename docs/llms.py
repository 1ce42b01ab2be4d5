"""MkDocs hook for readers that are language models: /llms.txt, and each page as Markdown next to its HTML."""

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

_pages: dict[str, str] = {}
_groups: list[tuple[str, list[Page]]] = []


def on_nav(nav: Navigation, **_: Any) -> None:
    """MkDocs calls this once it knows the order of the pages."""
    _groups[:] = [(item.title, _within(item)) for item in nav.items if isinstance(item, Section)]


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, **_: Any) -> None:
    """MkDocs calls this with the text of each page."""

    def whole(included: re.Match[str]) -> str:
        return (Path(config.docs_dir) / included[1]).read_text(encoding="utf-8").rstrip()

    _pages[page.file.src_uri] = re.sub(r'^--8<-- "(.+)"$', whole, markdown, flags=re.MULTILINE)


def on_post_build(*, config: MkDocsConfig) -> None:
    """MkDocs calls this when the site is written."""
    site = Path(config.site_dir)
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    for title, pages in _groups:
        lines += [f"## {title}", ""]
        for page in pages:
            uri = page.file.src_uri
            lines.append(f"- [{page.title}]({uri}): {_summary(_pages[uri])}")
            (site / uri).write_text(_pages[uri], encoding="utf-8")
        lines.append("")
    (site / "llms.txt").write_text("\n".join(lines), encoding="utf-8")


def _within(section: Section) -> list[Page]:
    found = []
    for item in section.children:
        found += _within(item) if isinstance(item, Section) else [item]
    return [item for item in found if isinstance(item, Page)]


def _summary(markdown: str) -> str:
    """The first sentence of a page that is prose."""
    prose = re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)
    for block in re.split(r"\n\s*\n", prose):
        text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", " ".join(block.split()))
        if text and text[0] not in "#|<!-:":
            return re.split(r"(?<=[.!?]) (?=[A-Z])", text.replace("**", ""))[0]
    return ""
