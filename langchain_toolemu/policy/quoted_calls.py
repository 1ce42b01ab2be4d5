"""`QuotedCalls`: the calls that texts of the conversation hold.

What a tool's result says of that tool's own call, as an error that suggests a better one does, is
no copy. What was made since its text stands there is nothing to doubt.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage, HumanMessage

from langchain_toolemu.messages.content import all_words_in
from langchain_toolemu.messages.past_calls import PastCall, PastResult, calls_of, results_of
from langchain_toolemu.reader.events import Call
from langchain_toolemu.reader.search import calls_in, may_hold, words_of_args
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation import fit

_ESCAPES = re.compile(r"\\+(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U000([\da-fA-F]{5})|[nrt])?")
"""What a string of JSON or YAML adds to a text."""
_NEAR, _LONGEST_ESCAPE = 100, 12  # characters


@dataclass(frozen=True, slots=True)
class QuotedCall:
    """A call that stands in a text, and that was not made since.

    Attributes:
        args: As they would be made; none if any call of the tool counts.
        in_result: Whether the text is a tool's result.
    """

    args: Mapping[str, Any] | None
    in_result: bool = False

    def may_become(self, args: Mapping[str, Any], key: str = "", begun: str = "") -> bool:
        """Whether a call with these arguments, and one that is begun, may be this one."""
        own = self.args
        if own is None:
            return True
        is_same = all(name in own and own[name] == args[name] for name in args)
        return is_same and str(own.get(key, begun)).startswith(begun)


_OTHER_MEDIA = re.compile(r"(?:input_)?(?:image|audio|video)|(?:redacted_)?thinking|reasoning")


class _Text(NamedTuple):
    place: int  # of its message
    text: str
    result: PastResult | None  # whose it is


class QuotedCalls:
    """The calls that texts of messages hold; the user's last words are at some places."""

    def __init__(self, messages: Sequence[BaseMessage], last_words: range) -> None:
        self._messages, self._last_words = messages, last_words
        self._read: dict[tuple[str, int], tuple[QuotedCall, ...]] = {}

    def of(self, tool: ToolSpec, args: Mapping[str, Any] | None = None) -> Iterator[QuotedCall]:
        """The calls of a tool that were not made since, and that may have these arguments.

        Each text is read once at the most, and only when its calls are asked for.
        """
        needed = words_of_args(args or {}, tool)
        for number, text in enumerate(self._texts):
            # In the user's last words any call is enough, until the tool is called.
            is_any = text.place in self._last_words and not self._made(tool.name, text.place)
            if is_any or may_hold(text.text, tool, needed):
                key = (tool.name, number)
                if key not in self._read:
                    self._read[key] = tuple(self._calls_in(text, tool, is_any=is_any))
                yield from self._read[key]

    def _calls_in(self, text: _Text, tool: ToolSpec, *, is_any: bool) -> Iterator[QuotedCall]:
        in_result = text.result is not None
        for args in calls_in(text.text, tool):
            if is_any:
                yield QuotedCall(None)
                return
            as_made = fit(args, tool.schema).args if args is not None else None
            if as_made is not None and as_made not in self._made(
                tool.name, 0 if in_result else text.place
            ):
                yield QuotedCall(as_made, in_result)

    def is_copy(self, call: Call) -> bool:
        """Whether a call stands letter for letter in another tool's result, and nowhere else."""
        # Where only arguments were written, as in an answer's form, the caller has named the tool.
        if call.name not in call.raw or call.args in self._made(call.name, 0):
            return False
        raw = call.raw.strip()
        inner = call.raw[max(call.raw.find("{"), 0) : call.raw.rfind("}") + 1]
        forms = [raw, inner] if call.name in inner else [raw]
        begun = [next(_rests(form, call.name)) for form in forms]
        others = self.naming_results(call.name)
        others = [
            text for text in others if any(_alike(begun, it) for it in _rests(text, call.name))
        ]
        if not others:
            return False
        forms = _with_letters(forms)
        if not _has_any(forms, _with_letters(others)):
            return False
        users = (message.text for message in self._messages if isinstance(message, HumanMessage))
        return not _has_any(forms, _with_letters(users))

    def naming_results(self, name: str) -> list[str]:
        """The results of other tools that have a tool's name in them."""
        results = [(text, it) for _, text, it in self._texts if it and name in text]
        return [text for text, it in results if self._giver(it) != name]

    def _made(self, name: str, since: int) -> list[Any]:
        """The arguments of all calls of a tool from a message on."""
        return [call.args for place, call in self._calls if place >= since and call.name == name]

    def _giver(self, result: PastResult) -> str | None:
        """The tool that gave a result."""
        named = (call.name for _, call in self._calls if call.id and call.id == result.id)
        return next(named, result.name)

    @cached_property
    def _calls(self) -> list[tuple[int, PastCall]]:
        return [(n, call) for n, message in enumerate(self._messages) for call in calls_of(message)]

    @cached_property
    def _texts(self) -> list[_Text]:
        """What was said, and then all results."""
        spoken, results = [], []
        for place, message in enumerate(self._messages):
            found = results_of(message)
            results += [_Text(place, text_of(result.content), result) for result in found]
            if message.content and not found:
                spoken.append(_Text(place, text_of(message.content), None))
        return spoken + results


def text_of(content: Any) -> str:
    """All that may be read in a message or a result, each block on lines of its own."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else [content]
    return "\n".join(map(_text_of_block, blocks))


def _text_of_block(block: Any) -> str:
    if not isinstance(block, Mapping):
        return str(block)
    if isinstance(block.get("text"), str):
        return str(block["text"])
    if _OTHER_MEDIA.match(str(block.get("type"))):
        return ""
    data = [value for value in block.values() if isinstance(value, Mapping | list)]
    return "\n".join([*all_words_in(block), *map(str, data)])


def _has_any(forms: Sequence[str], texts: Sequence[str]) -> bool:
    return any(form in text for text in texts for form in forms)


def _rests(text: str, name: str) -> Iterator[str]:
    """What follows a name each time, as far as a few characters tell."""
    for found in re.finditer(re.escape(name), text):
        yield _letters(text[found.end() : found.end() + _NEAR])[:-_LONGEST_ESCAPE]


def _alike(begun: Sequence[str], rest: str) -> bool:
    return any(it[: len(rest)] == rest[: len(it)] for it in begun)


def _with_letters(texts: Iterable[str]) -> list[str]:
    given = list(texts)
    return [*given, *map(_letters, given)]


def _letters(text: str) -> str:
    """A text without spaces and escapes, which JSON and YAML add."""
    plain = "".join(text.replace("'", "").split())
    return _ESCAPES.sub(_unescape, plain) if "\\" in plain else plain


def _unescape(found: re.Match[str]) -> str:
    return chr(int(found[found.lastindex], 16)) if found.lastindex else ""
