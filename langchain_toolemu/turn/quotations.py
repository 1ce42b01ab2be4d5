"""Texts that the user put in quotation marks to be passed on: who quotes a text wants it as it stands.

Small models embellish it: `Send the text 'happy birthday' to Tom` becomes `Happy birthday!`. Only that is undone: a mark
at the end and a first capital. Whoever speaks of spelling, or spells the text in both ways, wants something else.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

PASSED_ON = frozenset({"text", "message", "body", "content", "msg"})
"""What arguments are called that hold a text to be passed on."""

_MARKS = "!."
_MOST_CHARS = 10_000  # of a message, from its end
# An apostrophe stands inside a word: don't.
_QUOTED = re.compile(
    r"""(?<!\w)(?:
        "([^"\n]{1,500})" | '([^'\n]{1,500}(?:'\w[^'\n]{0,500}){0,9})' | `([^`\n]{1,500})`
        | \u201c([^\u201c\u201d\n]{1,500})\u201d | \u2018([^\u2018\u2019\n]{1,500})\u2019 | \u00ab([^\u00ab\u00bb\n]{1,500})\u00bb
    )(?!\w)""",
    re.VERBOSE,
)
_ABOUT_SPELLING = re.compile(
    r"(?i:exclam|punctuat|capital|upper|lower|title|case|correct|fix|proofread|polish|improve|format|transl|rewrite|rephrase|better)"
)


def quoted_texts(message: str, said: Sequence[str] = ()) -> dict[str, str]:
    """The quoted texts of a message by how a small model would embellish them, without the mark at the end.

    Args:
        message: The user's last words.
        said: All that was said, message by message; a text that stands there as the model would spell it is left out.

    Example:
        ```python
        quoted_texts("Send the text 'happy birthday' to Tom.")  # {"happy birthday": "happy birthday", "Happy birthday": ...}
        ```
    """
    if _ABOUT_SPELLING.search(message[-_MOST_CHARS:]):
        return {}
    found: dict[str, str] = {}
    for match in _QUOTED.finditer(message[-_MOST_CHARS:]):
        text = next(filter(None, match.groups())).strip()
        if text and text[-1] not in _MARKS:
            found |= {text: text, f"{text[0].upper()}{text[1:]}": text}
    return {
        spelt: text
        for spelt, text in found.items()
        if spelt == text or not any(spelt in one for one in said)
    }


def as_quoted(args: Mapping[str, Any], quoted: Mapping[str, str]) -> dict[str, str]:
    """The arguments that are an embellished text, each as it was quoted."""
    texts = ((name, text) for name, text in args.items() if isinstance(text, str))
    found = ((name, text, quoted.get(text.rstrip(_MARKS))) for name, text in texts)
    return {name: given for name, text, given in found if given and given != text}
