"""What MkDocs is told about the repository around docs/.

The changelog and its like, which live beside the README, become pages of the site. Links to other files of the
repository lead to where it is hosted.
"""

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """MkDocs calls this once it knows the pages in docs/."""
    root = Path(config.docs_dir).parent
    for name in PAGES:
        text = (root / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name.lower(), content=text))
    return files


def on_page_markdown(markdown: str, *, config: MkDocsConfig, **_: Any) -> str:
    """MkDocs calls this with the text of each page."""
    return re.sub(r"\]\(\.\./", f"]({config.repo_url}/blob/main/", markdown)
