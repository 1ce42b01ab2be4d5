"""What MkDocs is told about the repository around docs/.

The changelog and its like, which are next to the README, become pages of the site. So does every other file of the
repository that a page links to: a link works without an address where the project is hosted.
"""

import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")
_LINK = re.compile(r"\]\(((?:\.\./)+)([\w./-]+)\)")

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
    linked = {path for page in docs.rglob("*.md") for path in _sources(page, docs)}
    for path in sorted(linked):
        text = (docs.parent / path).read_text(encoding="utf-8").rstrip()
        language = {".py": "python", ".json": "json"}.get(PurePosixPath(path).suffix, "text")
        page = SOURCE.format(path=path, language=language, text=text)
        files.append(File.generated(config, f"source/{path}.md", content=page))
    return files


def _sources(page: Path, docs: Path) -> list[str]:
    """The files outside docs/ that a page links to."""
    up = _way_out(page.relative_to(docs).as_posix())
    return [path for way, path in _LINK.findall(page.read_text(encoding="utf-8")) if way == up]


def _way_out(uri: str) -> str:
    """How a page's links leave docs/: `../` once more than the page has folders."""
    return "../" * (uri.count("/") + 1)


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """MkDocs calls this with the text of each page."""
    up = _way_out(page.file.src_uri)

    def inside(link: re.Match[str]) -> str:
        way, path = link.groups()
        return f"]({up[3:]}source/{path}.md)" if way == up else link[0]

    return _LINK.sub(inside, markdown)
