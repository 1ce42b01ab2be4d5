"""Replies that are little else than a tool's name and arguments, in a notation that the reader does not know.

Nothing is read from them: the model is asked whether it means a call.
"""

import re
from collections.abc import Collection, Mapping

from langchain_toolemu.turn.announcements import MAX_TAIL

_QUESTION = re.compile("[?\uff1f\u061f]")
_MAX_WORDS_BEFORE = 6
_QUOTED = re.compile(r"""(["'`])(?:(?!\1).)*\1""")
_SENTENCE = re.compile(r"[^\W\d_]+(?:[ ,]+[^\W\d_]+){4}")
"""Five words in a row."""
_QUOTES = re.compile("[\u00ab\u2039\u201e\u201c\u300a\u300c\u300e]")
"""What opens a quotation, and no notation of calls."""
_CLOSING = re.compile(r"""["`)\]}>]|'(?!\w)""")
_TYPED = r"\s*\w+(?:\s*:\s*(?:str|string|int|integer|float|number|bool|boolean))?\s*"
_SIGNATURE = re.compile(rf"\({_TYPED}(?:,{_TYPED})*\)")
"""Arguments without values: a tool is described."""


def unread_call(text: str, required: Mapping[str, Collection[str]]) -> str | None:
    """The tool whose call a reply may be: its name, few words before it, its required arguments after it, and no sentence.

    ```python
    unread_call("[[get_weather | city = Paris]]", {"get_weather": ["city"]})  # "get_weather"
    ```
    """
    if len(text) > MAX_TAIL or _QUESTION.search(text):
        return None
    found = {name: _name_in(name, text) for name in required if name in text}
    named = [(name, match) for name, match in found.items() if match]
    if len(named) != 1:
        return None
    ((name, match),) = named
    before, after = text[: match.start()], text[match.end() :]
    is_quoted = _QUOTES.search(before) or len(re.findall(r"\w+", before)) > _MAX_WORDS_BEFORE
    if is_quoted or _SIGNATURE.match(after):
        return None
    wanted = required[name]
    is_call = bool(wanted) and all(_is_argument(argument, after) for argument in wanted)
    parts = _CLOSING.split(after)
    words = [word for word in re.findall(r"\w+", parts[-1]) if word not in wanted]
    goes_on = len(parts) > 1 and len(words) > 1
    is_sentence = goes_on or _SENTENCE.search(_QUOTED.sub("", after))
    return name if is_call and not is_sentence else None


def _name_in(name: str, text: str) -> re.Match[str] | None:
    """Where a name is written; an ordinary word needs a mark beside it."""
    written = re.escape(name)
    if name.isalpha() and name.islower():
        return re.search(rf"(?<=[^\w\s]){written}(?!\w)|(?<!\w){written}(?=[^\w\s])", text)
    return re.search(rf"(?<!\w){written}(?!\w)", text)


def _is_argument(name: str, text: str) -> bool:
    """Whether a name has a mark before or after it that a sentence has not."""
    written = re.escape(name)
    pattern = rf"""(?:[-"'<({{\[|]\s?|:){written}(?!\w)|(?<!\w){written}["'`]?\s?[:=|>]"""
    return bool(re.search(pattern, text))
