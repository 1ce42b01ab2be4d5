"""What MkDocs is told about search: pages that answer questions come before pages that list everything.

What a program wrote is found on the page that takes it in.
"""

from typing import Any

from mkdocs.structure.pages import Page

WEIGHTS = {
    "faq.md": 3,
    "troubleshooting.md": 2,
    "quickstart.md": 2,
    "api.md": 0.5,
    "capability.md": 0.5,
    "changelog.md": 0.25,
    "contributing.md": 0.25,
    "releasing.md": 0.25,
}
"""How much a page counts; the others count 1."""


def on_page_markdown(_: str, *, page: Page, **__: Any) -> None:
    """MkDocs calls this with the text of each page, before it is put into the index of the search."""
    if page.file.src_uri.startswith("generated/"):
        page.meta.setdefault("search", {})["exclude"] = True
    if weight := WEIGHTS.get(page.file.src_uri):
        page.meta.setdefault("search", {})["boost"] = weight
