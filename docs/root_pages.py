"""MkDocs hook for the repository around docs/.

The changelog and its like, which are next to the README, become pages of the site. So does every other file of the
repository that a page links to: a link works without an address where the project is hosted.
"""

import posixpath
import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")
_LINK = re.compile(r"\]\(((?:\.\./)+[\w./-]+)\)")

SOURCE = """\
---
search:
  exclude: true
hide: [toc]
---
# `{path}`

~~~~~~~~ {{.{language}}}
{text}
~~~~~~~~
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """MkDocs calls this once it knows the pages in docs/."""
    docs = Path(config.docs_dir)
    for name in PAGES:
        text = (docs.parent / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name.lower(), content=text))
    linked = {path for page in docs.rglob("*.md") for path in _linked(page, docs)}
    for path in sorted(linked):
        text = (docs.parent / path).read_text(encoding="utf-8").rstrip()
        language = {".py": "python", ".json": "json"}.get(PurePosixPath(path).suffix, "text")
        page = SOURCE.format(path=path, language=language, text=text)
        files.append(File.generated(config, f"source/{path}.md", content=page))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """MkDocs calls this with the text of each page."""
    folder = posixpath.dirname(page.file.src_uri)

    def to_source(link: re.Match[str]) -> str:
        path = _outside(folder, link[1])
        return f"]({posixpath.relpath(f'source/{path}.md', folder)})" if path else link[0]

    return _LINK.sub(to_source, markdown)


def _linked(page: Path, docs: Path) -> set[str]:
    folder = page.parent.relative_to(docs).as_posix()
    links = _LINK.findall(page.read_text(encoding="utf-8"))
    return {path for link in links if (path := _outside(folder, link))}


def _outside(folder: str, link: str) -> str | None:
    """The path from the repository's root, of a link that leaves docs/."""
    path = posixpath.normpath(posixpath.join("docs", folder, link))
    return None if path.startswith("docs/") else path
