"""The inspector's page: one file that loads nothing, for a gateway or with the turns of a file in it.

Its content security policy allows only its own script and style. What a model wrote is data there, never markup.
"""

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

_DATA = '<script type="application/json" id="turns">'


def page_of_file(turns: list[dict[str, Any]]) -> str:
    """The page with these turns in it, which needs no server."""
    html, policy = page_and_policy()
    # No text can end the element that holds the data.
    data = json.dumps(turns, default=str).replace("<", "\\u003c")
    policy = policy.partition("; frame-ancestors")[0]  # works only in a header
    rule = f'<meta http-equiv="content-security-policy" content="{policy}">'
    return html.replace(_DATA, _DATA + data, 1).replace("<title>", f"{rule}\n<title>", 1)


@cache
def page_and_policy() -> tuple[str, str]:
    """The page without turns, and its content security policy."""
    html = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    allowed = {tag: _hash(html, tag) for tag in ("script", "style")}
    return html, (
        f"default-src 'none'; script-src {allowed['script']}; style-src {allowed['style']}; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _hash(html: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
    digest = hashlib.sha256(found[1].encode() if found else b"").digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
