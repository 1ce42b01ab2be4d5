"""Calls of a tool that texts of the conversation hold, and that were not made since."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage

from langchain_toolemu.messages.content import words_of
from langchain_toolemu.messages.past_calls import calls_of, results_of
from langchain_toolemu.reader.search import calls_in
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation import fit


@dataclass(frozen=True, slots=True)
class QuotedCall:
    """A call that stands in a text, and that was not made since.

    Attributes:
        args: As they would be made; none if any call of the tool counts.
        in_result: Whether the text is a tool's result.
    """

    args: Mapping[str, Any] | None
    in_result: bool = False

    def may_become(self, args: Mapping[str, Any]) -> bool:
        """Whether a call that begins with these arguments may be this one."""
        own = self.args
        return own is None or all(key in own and own[key] == args[key] for key in args)


def find_quoted_calls(
    messages: Sequence[BaseMessage], tool: ToolSpec, last_words: range
) -> Iterator[QuotedCall]:
    """The calls of a tool that texts hold, of which some are the user's last words."""
    made = [
        (place, call.args)
        for place, message in enumerate(messages)
        for call in calls_of(message)
        if call.name == tool.name
    ]
    is_open = not any(place >= last_words.start for place, _ in made)
    for place, message in enumerate(messages):
        results = results_of(message)
        texts = [words_of(found.content) for found in results if _is_text(found.content)]
        for text in texts or [message.text]:
            for args in calls_in(text, tool):
                if place in last_words and is_open:
                    yield QuotedCall(None)
                elif args is not None:
                    as_made = fit(args, tool.schema).args
                    since = 0 if results else place
                    if as_made not in (past for at, past in made if at >= since):
                        yield QuotedCall(as_made, in_result=bool(results))


def _is_text(content: Any) -> bool:
    return isinstance(content, str | list)
