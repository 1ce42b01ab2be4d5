"""`ToolResults`: does a call of the reply stand in a tool result?

A call that a reply only copies from a result is the result's, not the model's: an injection is written like this. Whoever
else gave the same call makes it harmless: a user who wrote it, or a call of the model that an error quotes.
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
    """The texts of a conversation's tool results."""

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        self._messages = messages

    def holds(self, call: Call) -> bool:
        """Whether a call stands letter for letter in a result, and neither the user nor an earlier call gave it."""
        forms = _with_letters(_written_forms(call))
        is_named = self.may_hold(call.name) and not _is_nameless(call)
        if not is_named or not _has_any(forms, self._texts):
            return False
        users = (message.text for message in self._messages if isinstance(message, HumanMessage))
        past = (one for message in self._messages for one in calls_of(message))
        return not (
            _has_any(forms, _with_letters(users))
            or any((one.name, one.args) == (call.name, call.args) for one in past)
        )

    def may_hold(self, name: str) -> bool:
        """Whether a result holds a tool's name, so that a call of it may stand there."""
        return any(name in text for text in self._said)

    @cached_property
    def _said(self) -> list[str]:
        """What each result says."""
        found = (result.content for message in self._messages for result in results_of(message))
        return [words_of(one) if isinstance(one, str | list) else str(one) for one in found]

    @cached_property
    def _texts(self) -> list[str]:
        return _with_letters(self._said)


def _has_any(forms: Sequence[str], texts: Sequence[str]) -> bool:
    return any(form in text for text in texts for form in forms)


def _with_letters(texts: Iterable[str]) -> list[str]:
    """The texts, and the same without spaces and escapes: a result in JSON or YAML writes a call with others."""
    given = list(texts)
    return [*given, *map(_letters, given)]


def _letters(text: str) -> str:
    return _ESCAPES.sub(_unescaped, "".join(text.replace("'", "").split()))


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[found.lastindex], 16)) if found.lastindex else ""


def _written_forms(call: Call) -> list[str]:
    """A call as it was written: with its envelope, and the object in it if that names the tool."""
    inner = _object_in(call.raw)
    return [call.raw.strip(), inner] if call.name in inner else [call.raw.strip()]


def _is_nameless(call: Call) -> bool:
    """Whether only arguments were written, such as an answer in its form: which tool is called, the caller has said."""
    return call.name not in call.raw


def _object_in(text: str) -> str:
    return text[max(text.find("{"), 0) : text.rfind("}") + 1]
