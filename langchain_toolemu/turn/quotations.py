"""Texts that the user put in quotation marks: who quotes a text wants it as it stands.

Small models embellish it: `Send the text 'happy birthday' to Tom` becomes `Happy birthday!`.
"""

import re
from collections.abc import Mapping
from typing import Any

from langchain_toolemu.tools.stems import folded

_ENDS = " \t\n.,;:!?"
_SENTENCE_ENDS = ".,;:"  # they may stand inside the marks and belong to the sentence around them
_LONGEST = 500
_MOST_CHARS = 10_000  # of a message, from its end
# An apostrophe stands inside a word: don't.
_QUOTED = re.compile(
    r"""(?<!\w)(?:
        "([^"\n]{1,500})" | '([^'\n]{1,500}(?:'\w[^'\n]{0,500}){0,9})' | `([^`\n]{1,500})`
        | \u201c([^\u201c\u201d\n]{1,500})\u201d | \u2018([^\u2018\u2019\n]{1,500})\u2019 | \u00ab([^\u00ab\u00bb\n]{1,500})\u00bb
    )(?!\w)""",
    re.VERBOSE,
)


def quoted_texts(message: str) -> dict[str, str]:
    """The quoted texts of a message by what is left of them without case and outer punctuation.

    Example:
        ```python
        quoted_texts("Send the text 'happy birthday' to Tom.")  # {"happy birthday": "happy birthday"}
        ```
    """
    found = (
        next(filter(None, match.groups())) for match in _QUOTED.finditer(message[-_MOST_CHARS:])
    )
    texts = [text.strip() for text in found if len(text) <= _LONGEST]
    by_words: dict[str, set[str]] = {}
    for text in texts:
        by_words.setdefault(_words(text), set()).add(text)
    return {words: spelt.pop() for words, spelt in by_words.items() if words and len(spelt) == 1}


def as_quoted(args: Mapping[str, Any], quoted: Mapping[str, str]) -> dict[str, str]:
    """The arguments that are a quoted text with other capitals or an added mark, each as it was quoted."""
    texts = ((name, text) for name, text in args.items() if isinstance(text, str))
    found = ((name, text, quoted.get(_words(text))) for name, text in texts)
    return {
        name: _without_sentence_end(given, text)
        for name, text, given in found
        if given and text not in (given, given.rstrip(_SENTENCE_ENDS))
    }


def _without_sentence_end(quoted: str, written: str) -> str:
    return quoted if quoted[-1:] == written[-1:] else quoted.rstrip(_SENTENCE_ENDS)


def _words(text: str) -> str:
    return folded(text[: _LONGEST + 1]).strip(_ENDS)
