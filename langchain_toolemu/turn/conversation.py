"""What the messages of an order tell a turn: who was told what, and which tools were called so far.

Computed when it is first asked for, and never again: an order's messages do not change.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.messages.past_calls import (
    PastCall,
    PastResult,
    calls_of,
    results_of,
    speaks,
)
from langchain_toolemu.turn.heard import Heard
from langchain_toolemu.turn.loops import Step
from langchain_toolemu.turn.quotations import quoted_texts

# In the languages of the refusals; a word too many costs a question, one too few a call.
_REPETITION = re.compile(
    r"\b(?:times|twice|thrice|again|repeat\w*|until|keep|every|each|another|more"
    r"|(?:\d+|noch|ein|zwei|drei|vier|fünf|mehr)?mals?|erneut|wieder\w*|bis|jede\w*"
    r"|fois|encore|r[eé]p[eè]t\w*|jusqu\w*|veces|repite\w*|repetir|hasta|cada|volte|ancora|ripet\w*|finch[eé]|vezes|até|de novo"
    r"|keer|opnieuw|tot|razy|ponownie)\b|раз|снова|повтор|пока|次|回|再|번|반복"
    r"|مرات|مرتين|مرة|كرر|حتى|बार|फिर|दोबारा|दोहरा|जब तक",
    re.IGNORECASE,
)


class Conversation:
    """The messages of one order, read."""

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
    def heard(self) -> Heard:
        """All that was said, calls and their results too, to look values up in."""
        calls = [str(call) for message in self._messages for call in calls_of(message)]
        talk = [one.text for one in self._messages if isinstance(one, HumanMessage | AIMessage)]
        users = [one.text for one in self._messages if isinstance(one, HumanMessage)]
        # The messages last: of a long conversation the beginning is forgotten, and never the question.
        return Heard(
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
    def answered(self) -> list[tuple[str, object]]:
        """The calls, name and arguments, that had the same successful result each time since the user last spoke."""
        told: dict[str, list[str | None]] = {}
        for call, result in self._outcomes:
            told.setdefault(_key(call), []).append(result)
        called = {_key(call): (call.name, call.args) for call, _ in self._outcomes}
        return [called[key] for key, results in told.items() if _agree(results)]

    @cached_property
    def steps(self) -> list[Step]:
        """The calls that had a successful result since the user last spoke, each with it."""
        return [
            Step(call.name, call.args, result)
            for call, result in self._outcomes
            if result is not None and not isinstance(call.args, str)
        ]

    @cached_property
    def _outcomes(self) -> list[tuple[PastCall, str | None]]:
        """The calls since the user last spoke, each with its result; `None` if it failed or has none."""
        outcomes: list[tuple[PastCall, str | None]] = []
        waiting: dict[
            str | None, PastCall
        ] = {}  # some servers give every round's calls the same ids
        for message in self._since_user:
            waiting |= {call.id or call.name: call for call in _whole_calls(message)}
            outcomes += [
                (call, None if result.failed else str(result.content))
                for result in results_of(message)
                if (call := waiting.pop(result.id or result.name, None))
            ]
        return [*outcomes, *((call, None) for call in waiting.values())]

    @cached_property
    def last_words(self) -> str:
        """What the user said last."""
        spoken = (message.text for message in reversed(self._messages) if speaks(message))
        return next(spoken, "")

    @cached_property
    def quoted(self) -> Mapping[str, str]:
        """The texts that the user's last words have in quotation marks, and that nobody spells in another way."""
        return quoted_texts(self.last_words, self.said)

    @cached_property
    def asks_to_repeat(self) -> bool:
        """Whether the user may want a call to be made more than once."""
        return bool(_REPETITION.search(self.last_words))

    @cached_property
    def just_answered(self) -> list[tuple[str, object]]:
        """The calls, name and arguments, whose successful results are the last thing the model was told."""
        answered: list[PastResult] = []
        for message in reversed(self._messages):
            results = results_of(message)
            if results and not speaks(message):
                answered += [result for result in results if not result.failed]
                continue
            calls = _whole_calls(message) if answered else []
            return [
                (call.name, call.args)
                for call in calls
                if any(result.answers(call) for result in answered)
            ]
        return []


def _agree(results: Sequence[str | None]) -> bool:
    """Whether all results are the same; `None` is none."""
    return None not in results and len(set(results)) == 1


def _key(call: PastCall) -> str:
    return json.dumps([call.name, call.args], sort_keys=True, default=str)


def _whole_calls(message: BaseMessage) -> list[PastCall]:
    return [call for call in calls_of(message) if call.could_run]
