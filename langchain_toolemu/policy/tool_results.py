"""`ToolResults`: whether a call was copied letter for letter from a tool result.

What a tool says of its own call, such as an error that suggests a corrected one, is not counted.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from langchain_core.messages import BaseMessage, HumanMessage

from langchain_toolemu.messages.content import words_of
from langchain_toolemu.messages.past_calls import calls_of, results_of
from langchain_toolemu.reader.events import Call

_ESCAPES = re.compile(r"\\+(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U000([\da-fA-F]{5})|[nrt])?")
"""What a string of JSON or YAML adds to a text."""


class ToolResults:
    """The results of the calls so far. A call that stands in one is copied; if a user wrote it, or the model made it before, it is harmless."""

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        self._messages = messages

    def holds(self, call: Call) -> bool:
        """Whether a call stands letter for letter in a result, and neither the user nor an earlier call gave it."""
        # Where only arguments were written, such as an answer in its form, the caller has named the tool.
        if call.name not in call.raw or not self.may_hold(call.name):
            return False
        searched = _with_letters(self._others(call.name))
        raw = call.raw.strip()
        inner = call.raw[max(call.raw.find("{"), 0) : call.raw.rfind("}") + 1]
        forms = _with_letters([raw, inner] if call.name in inner else [raw])
        if not _has_any(forms, searched):
            return False
        users = (message.text for message in self._messages if isinstance(message, HumanMessage))
        made = ((past.name, past.args) for message in self._messages for past in calls_of(message))
        made_before = (call.name, call.args) in made
        return not (made_before or _has_any(forms, _with_letters(users)))

    def may_hold(self, name: str) -> bool:
        """Whether a result holds a tool's name, so that a call of it may stand there."""
        return any(name in text for _, text in self._texts)

    def _others(self, name: str) -> list[str]:
        """The texts that other tools gave, with a tool's name in them."""
        return [text for giver, text in self._texts if giver != name and name in text]

    @cached_property
    def _texts(self) -> list[tuple[str, str]]:
        """The text of each result, and which tool gave it."""
        texts: list[tuple[str, str]] = []
        called: dict[str | None, str] = {}
        for message in self._messages:
            called |= {call.id: call.name for call in calls_of(message)}
            for result in results_of(message):
                value = result.content
                text = words_of(value) if isinstance(value, str | list) else str(value)
                texts.append((called.get(result.id) or result.name or "", text))
        return texts


def _has_any(forms: Sequence[str], texts: Sequence[str]) -> bool:
    return any(form in text for text in texts for form in forms)


def _with_letters(texts: Iterable[str]) -> list[str]:
    """The texts, and the same without spaces and escapes: a result in JSON or YAML writes a call with others."""
    given = list(texts)
    plain = ("".join(text.replace("'", "").split()) for text in given)
    return [*given, *(_ESCAPES.sub(_unescape, text) for text in plain)]


def _unescape(found: re.Match[str]) -> str:
    return chr(int(found[found.lastindex], 16)) if found.lastindex else ""
