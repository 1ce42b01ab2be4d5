"""Replies that stop short: the last sentence says what the model does next, which takes a call, and no call follows.

Only the last sentence counts. With a tool's exact name in it, it says so by itself; without one it must be the model's own next
step, and nothing before it an answer. What waits for the user is an answer, and so is any doubt.
"""

import re
from collections.abc import Collection

from langchain_toolemu.language.language import fold_letters, search
from langchain_toolemu.language.phrases import LANGUAGES, TOOL

MAX_TAIL = 400

_ENDS = "\n\u3002\uff01\uff1f\u0964\u061f"
"""They end a sentence wherever they are: a new line, and the marks of Chinese, Japanese, Hindi and Arabic."""

_COLONS = ":\uff1a"
_STOPS = _COLONS + ".\u2026\u3002\u0964"
_CLOSERS = _STOPS + " !*_)\uff01\u200d\ufe0f"
_SAYS_MORE = re.compile(r"(?::\s|\uff1a)\s*\w")
"""What follows a step within its sentence: "I'll correct that: it is Canberra"."""
_TELLING = re.compile(r"\w*\d\w*|[^\W\d_]{6,}")
MAX_LEAD = 800
"""A longer text is an answer, whatever its last sentence says."""

_QUESTIONS = "?\uff1f\u061f"
_QUOTES = '"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u300e\u300f'
_QUOTATION = re.compile(f"[{_QUOTES}]([^{_QUOTES}]*)[{_QUOTES}]|`+([^`]*)`+")
_BULLET = re.compile(r"\s*(?:[-*\u2022+]|\d{1,2}[.)])\s+")
_SHORT_FORM = re.compile(r"(?:\d+|[A-Z][a-z]?|\w\.\w|vs|etc|bzw|ca)\Z")
"""What has a dot in the middle of a sentence: "St. Louis", "e.g. Paris", "2. Call it"."""

_LATIN = r"0-9A-Z_a-z\u00aa\u00b5\u00ba\u00c0-\u024f"
_ALONE = rf"(?<![{_LATIN}/.\-\\]){{}}(?![{_LATIN}\-/]|[.'\u2019][0-9A-Za-z])"
"""A name that is not part of a longer Latin word, of a path or of a possessive."""

_BESIDE = (re.compile(rf"(?:{TOOL})[\s:]*\Z"), re.compile(rf"\(|[\s-]*(?:{TOOL})"))
"""What shows before or after an ordinary word that it is the name of a tool."""


def announces_call(
    text: str, names: Collection[str], *, unnamed: bool = False, results: str = ""
) -> bool:
    """Whether a reply ends by announcing that a bound tool is called now.

    ```python
    announces_call("Let me use `get_weather` for Paris.", {"get_weather"})  # True
    announces_call("Shall I call get_weather?", {"get_weather"})  # False
    announces_call("Let me read the file first:", {"read_file"}, unnamed=True)  # True
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
    context = fold_letters(before) if _BULLET.match(sentence) else ""
    if "@" in marked and _names_call(marked, context):
        return True
    is_step = unnamed and marked and not _BULLET.match(sentence) and "```" not in text
    lead = text[: len(text) - len(tail)] + before
    return bool(is_step) and _is_next_step(marked, fold_letters(lead), results)


def _names_call(sentence: str, context: str) -> bool:
    """Whether a sentence says that a tool is called; a list of steps may have been put up for approval above it."""
    return any(
        search(language.announcements, sentence)
        and not search(language.conditions, sentence)
        and not (
            context and (set(_QUESTIONS) & set(context) or search(language.conditions, context))
        )
        for language in LANGUAGES
    )


def _is_next_step(sentence: str, lead: str, results: str) -> bool:
    """Whether a sentence is the speaker's own next step, after a lead that is no answer and asks for nothing."""
    closing = sentence[len(sentence.rstrip(_CLOSERS)) :]
    if not set(_STOPS) & set(closing) or "!" in closing or set(_QUESTIONS) & set(lead):
        return False
    if len(lead) > MAX_LEAD:
        return False
    announced = any(
        (step := search(language.next_step, sentence))
        and not _SAYS_MORE.search(sentence, step.end())
        and not search(language.conditions, sentence)
        and not search(language.waiting, f"{lead} {sentence}")
        for language in LANGUAGES
    )
    return announced and bool(set(_COLONS) & set(closing) or not _reports(lead, results))


def _reports(lead: str, results: str) -> bool:
    """Whether a text tells what a tool has answered: a number of it, or two words that are not common."""
    words = set(_TELLING.findall(lead))
    shared = words and words & set(_TELLING.findall(fold_letters(results)))
    return len(shared) > 1 or any(any(map(str.isdigit, word)) for word in shared)


def _last_sentence(tail: str, *, whole: bool) -> tuple[str, str]:
    """The last sentence and what is before it; none if it is a question, quoted, code, or longer than the tail."""
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
    """`@` for a tool's name. An ordinary word, such as "search", is one only where something beside it shows that."""
    name, sentence, (at, end) = found[0], found.string, found.span()
    (before, after), quotes = _BESIDE, ("**", "'")
    is_marked = sentence[:at].endswith(quotes) and sentence[end:].startswith(quotes)
    is_ordinary = name.isalpha() and name.islower() and not is_marked
    near = fold_letters(sentence[max(0, at - 20) : at]), fold_letters(sentence[end : end + 20])
    return name if is_ordinary and not (before.search(near[0]) or after.match(near[1])) else "@"
