"""`ToolResults`: does a call of the reply stand in a tool result?

A call that a reply only copies from a result is the result's, not the model's: an injection is written like this. Whoever
else gave the same call makes it harmless: a user who wrote it, or a call of the model that an error quotes.
"""

import json
from collections.abc import Sequence
from functools import cached_property

from langchain_core.messages import BaseMessage, HumanMessage

from langchain_toolemu.messages.content import words_of
from langchain_toolemu.messages.past_calls import calls_of, results_of
from langchain_toolemu.reader.events import Call


class ToolResults:
    """The texts of a conversation's tool results."""

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        self._messages = messages

    def holds(self, call: Call) -> bool:
        """Whether a call stands letter for letter in a result, and neither the user nor an earlier call gave it."""
        forms = _written_forms(call)
        if not any(form in text for form in forms for text in self._texts) or _is_nameless(call):
            return False
        users = [message.text for message in self._messages if isinstance(message, HumanMessage)]
        past = (one for message in self._messages for one in calls_of(message))
        return not (
            any(form in text for form in forms for text in users)
            or any((one.name, one.args) == (call.name, call.args) for one in past)
        )

    def may_hold(self, name: str) -> bool:
        """Whether a result holds a tool's name, so that a call of it may stand there."""
        return any(name in text for text in self._texts)

    @cached_property
    def _texts(self) -> list[str]:
        """What each result says, and the same without the escapes of a JSON string."""
        found = (result.content for message in self._messages for result in results_of(message))
        texts = [words_of(one) if isinstance(one, str | list) else str(one) for one in found]
        return [*texts, *(_unescaped(text) for text in texts if "\\" in text)]


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def _written_forms(call: Call) -> list[str]:
    """A call as it was written: with its envelope, and the object in it if that names the tool."""
    inner = _object_in(call.raw)
    return [call.raw.strip(), inner] if call.name in inner else [call.raw.strip()]


def _is_nameless(call: Call) -> bool:
    """Whether only arguments were written, such as an answer in its form: which tool is called, the caller has said."""
    try:
        return bool(json.loads(_object_in(call.raw)) == call.args)
    except (ValueError, RecursionError):
        return False


def _object_in(text: str) -> str:
    return text[max(text.find("{"), 0) : text.rfind("}") + 1]
