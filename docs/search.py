"""MkDocs hook for search: pages that answer questions come before pages that list everything."""

from typing import Any

from mkdocs.structure.pages import Page

WEIGHTS = {
    "faq.md": 3,
    "troubleshooting.md": 2,
    "quickstart.md": 2,
    "api.md": 0.5,
    "changelog.md": 0.25,
    "contributing.md": 0.25,
    "releasing.md": 0.25,
}
"""How much a page counts; the others count 1."""


def on_page_markdown(_: str, *, page: Page, **__: Any) -> None:
    """MkDocs calls this with the text of each page, before it is put into the index of the search."""
    uri = page.file.src_uri
    settings = page.meta.setdefault("search", {})
    if uri.startswith("generated/"):
        settings["exclude"] = True
    elif weight := WEIGHTS.get(uri, 0.25 if uri.startswith("internals/") else None):
        settings["boost"] = weight
