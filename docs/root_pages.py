"""What MkDocs is told about the repository around docs/.

The changelog and its like, which are next to the README, become pages of the site. So does every other file of the
repository that a page links to: a link works without an address where the project is hosted.
"""

import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")
_LINK = re.compile(r"\]\(\.\./([\w./-]+)\)")

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
    linked = {path for page in docs.glob("*.md") for path in _LINK.findall(page.read_text("utf-8"))}
    for path in sorted(linked):
        text = (docs.parent / path).read_text(encoding="utf-8").rstrip()
        language = {".py": "python", ".json": "json"}.get(PurePosixPath(path).suffix, "text")
        page = SOURCE.format(path=path, language=language, text=text)
        files.append(File.generated(config, f"source/{path}.md", content=page))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs calls this with the text of each page."""
    return _LINK.sub(r"](source/\1.md)", markdown)
