"""Replies that stop short: the last sentence says what the model does next, and no call follows.

Only the last sentence counts: no question, no code, no quotation. With a bound tool's name it needs
the words of an announcement or an end that trails off; without one, two of these and of the words
of a step. What negates, reports, or waits for the user is an answer.
"""

import re
from collections.abc import Collection

from langchain_toolemu.language import phrases
from langchain_toolemu.language.language import fold_letters
from langchain_toolemu.language.phrases import TOOL

MAX_TAIL = 400
MAX_LEAD = 800
"""A longer text is an answer, whatever its last sentence says."""

_SIGNS = 2  # of three: the words of a step, those of an announcement, an end that trails off
_ENDS = "\n\u3002\uff01\uff1f\u0964\u061f"  # wherever they are
_COLONS = ":\uff1a"
_STOPS = _COLONS + ".\u2026\u3002\u0964"
_CLOSERS = _STOPS + " !*_)\uff01\u200d\ufe0f"
_QUESTIONS = "?\uff1f\u061f"
_QUOTES = '"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u300e\u300f'
_QUOTATION = re.compile(f"[{_QUOTES}]([^{_QUOTES}]*)[{_QUOTES}]|`+([^`]*)`+")
_BULLET = re.compile(r"\s*(?:[-*\u2022+]|\d{1,2}[.)])\s+")
# What follows a step within its sentence: "I'll correct that: it is Canberra".
_SAYS_MORE = re.compile(r"(?::\s|\uff1a)\s*\w")
_TELLING = re.compile(r"\w*\d\w*|[^\W\d_]{6,}")
# What has a dot in the middle of a sentence: "St. Louis", "e.g. Paris", "2. Call it".
_SHORT_FORM = re.compile(r"(?:\d+|[A-Z][a-z]?|\w\.\w|vs|etc|bzw|ca)\Z")
# A name that is not part of a longer Latin word, of a path or of a possessive.
_LATIN = r"0-9A-Z_a-z\u00aa\u00b5\u00ba\u00c0-\u024f"
_ALONE = rf"(?<![{_LATIN}/.\-\\]){{}}(?![{_LATIN}\-/]|[.'\u2019][0-9A-Za-z])"
# What shows before or after an ordinary word that it is the name of a tool.
_BESIDE = (re.compile(rf"(?:{TOOL})[\s:]*\Z"), re.compile(rf"\(|[\s-]*(?:{TOOL})"))


def announces_call(
    text: str, names: Collection[str], *, unnamed: bool = False, results: str = ""
) -> bool:
    """Whether a reply ends by announcing that a bound tool is called now.

    ```python
    announces_call("Let me use `get_weather` for Paris.", {"get_weather"})  # True
    announces_call("Shall I call get_weather?", {"get_weather"})  # False
    ```

    Args:
        text: The reply.
        names: The tools that are offered.
        unnamed: Whether a next step counts that names no tool.
        results: What tools have answered since the user spoke.
    """
    tail = text[-MAX_TAIL:]
    mentioned = [name for name in names if name and name in tail]
    if not (mentioned or (unnamed and names)) or text.count("```") % 2:
        return False
    sentence, before = _last_sentence(tail, whole=len(text) <= MAX_TAIL)
    marked = _with_tools_marked(sentence, mentioned)
    if not marked or phrases.raises_doubt(marked):
        return False
    is_item = bool(_BULLET.match(sentence))
    announced = phrases.says("announces", marked) or _trails_off(marked)
    if announced and "@" in marked and not (is_item and _waits(fold_letters(before))):
        return True
    lead = fold_letters(text[: len(text) - len(tail)] + before)
    return unnamed and not is_item and "```" not in text and _is_next_step(marked, lead, results)


def _waits(lead: str) -> bool:
    """Whether a list of steps was put up for approval above."""
    return bool(set(_QUESTIONS) & set(lead)) or phrases.says("condition", lead)


def _is_next_step(sentence: str, lead: str, results: str) -> bool:
    """Whether a sentence is the speaker's own next step, after a lead that is no answer."""
    closing = sentence[len(sentence.rstrip(_CLOSERS)) :]
    if not set(_STOPS) & set(closing) or "!" in closing or set(_QUESTIONS) & set(lead):
        return False
    step = phrases.pattern("steps").search(sentence)
    signs = (bool(step), _trails_off(sentence), phrases.says("announces", sentence))
    says_more = step and _SAYS_MORE.search(sentence, step.end())
    if len(lead) > MAX_LEAD or sum(signs) < _SIGNS or says_more:
        return False
    return bool(set(_COLONS) & set(closing)) or not _reports(lead, results)


def _trails_off(sentence: str) -> bool:
    """Whether it ends in a colon or in dots: something is missing."""
    return sentence.rstrip(" *_)!\u200d\ufe0f").endswith((*_COLONS, "...", "\u2026"))


def _reports(lead: str, results: str) -> bool:
    """Whether a text tells what a tool has answered: a number of it, or two words of it."""
    words = set(_TELLING.findall(lead))
    shared = words and words & set(_TELLING.findall(fold_letters(results)))
    return len(shared) > 1 or any(any(map(str.isdigit, word)) for word in shared)


def _last_sentence(tail: str, *, whole: bool) -> tuple[str, str]:
    """The last sentence and what is before it; none if it is a question, quoted, code, or cut."""
    end = len(tail)
    while end and not (tail[end - 1].isalnum() or tail[end - 1] in ")_"):
        end -= 1
    closing = tail[end:]
    if not end or "```" in closing or any(mark in closing for mark in _QUESTIONS):
        return "", ""
    start = end - 1
    while start and not _ends_sentence(tail, start - 1):
        start -= 1
    if not start and not whole:
        return "", ""
    sentence = tail[start:end] + closing.split("\n")[0]
    return ("", "") if sentence.lstrip().startswith((">", "|")) else (sentence, tail[:start])


def _ends_sentence(tail: str, at: int) -> bool:
    mark = tail[at]
    if mark in _ENDS:
        return True
    if mark not in ".!?\u2026" or not tail[at + 1].isspace():
        return False
    return mark != "." or not _SHORT_FORM.search(tail[max(0, at - 3) : at])


def _with_tools_marked(sentence: str, names: list[str]) -> str:
    """A sentence in small letters, with `@` for each tool, and without quotations and markdown."""
    plain = sentence.replace("@", "").replace("functions.", "")

    def unquote(quotation: re.Match[str]) -> str:
        inner = (quotation[1] or quotation[2] or "").strip()
        calls = (rf"{re.escape(name)}(?:\s*\(.*)?" for name in names)
        return "@" if any(re.fullmatch(call, inner, re.DOTALL) for call in calls) else ""

    plain = _QUOTATION.sub(unquote, _BULLET.sub("", plain, count=1))
    if any(mark in plain for mark in _QUOTES):
        return ""  # it began, or goes on, outside of this sentence
    for name in sorted(names, key=len, reverse=True):
        plain = re.sub(_ALONE.format(re.escape(name)), _mark, plain)
    return " ".join(fold_letters(plain.replace("*", "").strip("#_ ")).split())


def _mark(found: re.Match[str]) -> str:
    """`@` for a tool's name; for an ordinary word, such as "search", only where it is shown."""
    name, sentence, (at, end) = found[0], found.string, found.span()
    (before, after), quotes = _BESIDE, ("**", "'")
    is_marked = sentence[:at].endswith(quotes) and sentence[end:].startswith(quotes)
    is_ordinary = name.isalpha() and name.islower() and not is_marked
    near = fold_letters(sentence[max(0, at - 20) : at]), fold_letters(sentence[end : end + 20])
    return name if is_ordinary and not (before.search(near[0]) or after.match(near[1])) else "@"
