"""What the messages of a request tell: who was told what, and which tools were called so far.

Computed when it is first asked for, and never again: the messages do not change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.messages.past_calls import (
    PastCall,
    PastResult,
    calls_of,
    results_of,
    speaks,
)
from langchain_toolemu.policy.conversation_index import ConversationIndex
from langchain_toolemu.policy.tool_results import ToolResults


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """A call since the user last spoke, and what came of it.

    Attributes:
        call: The call.
        result: Its result; `None` if it failed or has none.
    """

    call: PastCall
    result: str | None

    def is_of(self, name: str, args: Mapping[str, Any] | str) -> bool:
        """Whether it is exactly this call."""
        return (self.call.name, self.call.args) == (name, args)


class Conversation:
    """The messages of one request, read."""

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        self._messages = messages

    @cached_property
    def has_tool_history(self) -> bool:
        """Whether it holds calls or results."""
        return has_tool_history(self._messages)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The names of all tools that were called, in order."""
        return tuple(call.name for message in self._messages for call in _whole_calls(message))

    @cached_property
    def rounds(self) -> int:
        """How many messages have called tools since the user last spoke."""
        return sum(bool(_whole_calls(message)) for message in self._since_user)

    @cached_property
    def has_result(self) -> bool:
        """Whether the model has been given a result since the user last spoke."""
        return any(results_of(message) for message in self._since_user)

    @cached_property
    def _since_user(self) -> Sequence[BaseMessage]:
        messages = self._messages
        spoken = [number for number, message in enumerate(messages) if speaks(message)]
        return messages[spoken[-1] + 1 :] if spoken else messages

    @cached_property
    def said(self) -> tuple[str, ...]:
        """All that was said, message by message."""
        return tuple(str(message.content) for message in self._messages)

    @cached_property
    def index(self) -> ConversationIndex:
        """All that was said, calls and their results too, to look values up in."""
        calls = [str(call) for message in self._messages for call in calls_of(message)]
        talk = [one.text for one in self._messages if isinstance(one, HumanMessage | AIMessage)]
        users = [one.text for one in self._messages if isinstance(one, HumanMessage)]
        # The messages last: of a long conversation the beginning is forgotten, and never the question.
        return ConversationIndex(
            "\n".join([*calls, *self.said]),
            "\n".join(talk),
            self.question or "",
            "\n".join(users),
        )

    @cached_property
    def opening(self) -> Sequence[BaseMessage]:
        """The messages up to the user's first words, with those."""
        first = next((n for n, message in enumerate(self._messages) if speaks(message)), None)
        return self._messages if first is None else self._messages[: first + 1]

    @property
    def first_question(self) -> str:
        """The user's first words, if there are any."""
        last = next(reversed(self.opening), None)
        return last.text if last is not None and speaks(last) else ""

    @property
    def question(self) -> str | None:
        """The user's words, if they are the last of the conversation."""
        last = next(reversed(self._messages), None)
        return last.text if last is not None and speaks(last) else None

    @property
    def asks_for_json(self) -> bool:
        """Whether somebody may want an answer in JSON, which a grammar would turn into a call."""
        spoken = [one for one in self._messages if isinstance(one, HumanMessage | SystemMessage)]
        return any("{" in one.text or "json" in one.text.lower() for one in spoken)

    @cached_property
    def rounds_since_user(self) -> list[list[CallOutcome]]:
        """The outcomes of the calls since the user last spoke, one list for each message that called."""
        rounds: list[list[CallOutcome]] = []
        results: list[PastResult] = []
        for message in reversed(self._since_user):
            results += reversed(results_of(message))
            if calls := _whole_calls(message):
                # Some servers give every round's calls the same ids, so results count for one round only.
                rounds.append([CallOutcome(call, _told(call, results)) for call in calls])
                results = []
        return rounds[::-1]

    @cached_property
    def results(self) -> ToolResults:
        """What the tools told, to look up whether a call was taken from there."""
        return ToolResults(self._messages)


def _told(call: PastCall, results: Sequence[PastResult]) -> str | None:
    """What a call's result says, if it did not fail."""
    found = next((result for result in results if result.answers(call)), None)
    return None if found is None or found.failed else str(found.content)


def _whole_calls(message: BaseMessage) -> list[PastCall]:
    return [call for call in calls_of(message) if call.could_run]
