"""`Conversation`: facts about the messages of a request, each found on first use and kept."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from langchain_toolemu.language.language import fold_letters
from langchain_toolemu.language.phrases import AGAIN
from langchain_toolemu.messages.past_calls import PastCall, PastResult, calls_of, results_of, speaks
from langchain_toolemu.policy.given import Given
from langchain_toolemu.policy.outcomes import CallOutcome, outcome_of
from langchain_toolemu.policy.quoted_calls import QuotedCalls, text_of
from langchain_toolemu.reader.events import Call

_COUNT = re.compile(
    r"(?<![\w.,:/#-])(?:([2-9]|1\d)\s?[x\u00d7]?\s?(?=[^\W\d_])|[x\u00d7]\s?([2-9])\b)"
)
"""A number before a thing, or a factor."""

_NOTE = re.compile(r"\s*<(system-reminder|system_reminder)>.*</\1>\s*", re.DOTALL)
_MOST_WORDS = 4000  # characters of the user's last message that counts are looked for in
_SHORTEST_ECHO = 4  # characters of a value that a result may repeat
_MOST_SEARCHED = 100  # values of one round
_MOST_FAILURES = 2  # of a call that others wait for


class Conversation:
    """The messages of one request."""

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        self._messages = messages

    # --- what was said ---

    @property
    def users_words(self) -> str:
        """The user's last message."""
        return self._messages[self.user_spoke_at[0]].text if self.user_spoke_at else ""

    @cached_property
    def users_given(self) -> Given:
        """What stands in the user's words."""
        return Given("\n".join(self._messages[n].text for n in self.user_spoke_at))

    @cached_property
    def given(self) -> Given:
        """What stands in any message or result; no result tells what it was searched for with."""
        return Given("\n".join(self._without_echoes()))

    def _without_echoes(self) -> Iterator[str]:
        searched: list[str] = []  # by the calls that the next results answer
        for message, text in zip(self._messages, self.texts, strict=True):
            if calls := calls_of(message):
                values = keyed_scalars([call.args for call in calls], "")
                searched = [it for _, it in values if len(str(it)) >= _SHORTEST_ECHO]
            if searched and results_of(message):
                words = "|".join(re.escape(str(it)) for it in searched[:_MOST_SEARCHED])
                text = re.sub(rf"(?<![\w@.+-])(?:{words})(?![\w@+-]|\.\w)", " ", text)
            yield text

    def times_wanted(self, args: Any) -> int:
        """How often the user's words want a call: a count that is no value of it, or "again"."""
        words = fold_letters(self.users_words[-_MOST_WORDS:])
        values = Given(str(args)).numbers
        found = (int(before or after) for before, after in _COUNT.findall(words))
        counts = [number for number in found if number not in values]
        return max((*counts, 2 if self.wants_more else 1))

    @cached_property
    def wants_more(self) -> bool:
        """Whether the user's words have one such as "again" or "each"."""
        return bool(AGAIN.search(fold_letters(self.users_words[-_MOST_WORDS:])))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each message."""
        return tuple(text_of(message.content) for message in self._messages)

    @property
    def asks_for_json(self) -> bool:
        """Whether somebody may want JSON for an answer, which a grammar would turn into a call."""
        kinds = (HumanMessage, SystemMessage)
        texts = [message.text for message in self._messages if isinstance(message, kinds)]
        return any("{" in text or "json" in text.lower() for text in texts)

    @cached_property
    def quotations(self) -> QuotedCalls:
        """The calls that texts hold."""
        spoken, *before = self.user_spoke_at or (-1,)
        start = spoken  # of the user's last messages, with no reply in between
        for place in before:
            if any(isinstance(message, AIMessage) for message in self._messages[place:start]):
                break
            start = place
        return QuotedCalls(self._messages, range(start, spoken + 1))

    # --- what was called ---

    @cached_property
    def call_ids(self) -> frozenset[str | None]:
        """The ids of all calls that were made."""
        replies = (message for message in self._messages if isinstance(message, AIMessage))
        return frozenset(call["id"] for message in replies for call in message.tool_calls)

    def has_answered(self, call: Call) -> bool:
        """Whether a call was answered since the user spoke, or fails too often to be waited for."""
        made = [outcome for outcome in self.outcomes_since_user if outcome.is_of(call)]
        return len(made) >= _MOST_FAILURES or any(outcome.result is not None for outcome in made)

    @property
    def rounds(self) -> int:
        """How many messages have called tools since the user last spoke."""
        return len(self.rounds_since_user)

    @cached_property
    def has_result(self) -> bool:
        """Whether the model has been given a result since the user last spoke."""
        return any(results_of(message) for message in self._since_user)

    @cached_property
    def rounds_since_user(self) -> list[list[CallOutcome]]:
        """The outcomes of the calls since the user spoke, one list for each message that called."""
        rounds: list[list[CallOutcome]] = []
        results: list[PastResult] = []
        for message in reversed(self._since_user):
            results += reversed(results_of(message))
            if calls := _whole_calls(message):
                # Some servers give every round's calls the same ids: a result is of one round.
                rounds.append([outcome_of(call, results) for call in calls])
                results = []
        return rounds[::-1]

    @cached_property
    def outcomes_since_user(self) -> list[CallOutcome]:
        """The same, of all messages in a row."""
        return [outcome for outcomes in self.rounds_since_user for outcome in outcomes]

    @cached_property
    def user_spoke_at(self) -> Sequence[int]:
        """The places of the user's own messages, the last one first."""
        spoken: list[int] = []
        follows_result = False  # with no more than notes in between
        for place, message in enumerate(self._messages):
            if not speaks(message):
                follows_result = bool(results_of(message))
            elif not _is_a_note(message, follows_result=follows_result):
                spoken.append(place)
                follows_result = False
        return spoken[::-1]

    @property
    def _since_user(self) -> Sequence[BaseMessage]:
        start = self.user_spoke_at[0] + 1 if self.user_spoke_at else 0
        return self._messages[start:]


def keyed_scalars(value: Any, key: str) -> Iterator[tuple[str, Any]]:
    """Every scalar with its key."""
    if isinstance(value, Mapping):
        for inner, item in value.items():
            yield from keyed_scalars(item, str(inner))
    elif isinstance(value, list):
        for item in value:
            yield from keyed_scalars(item, key)
    else:
        yield key, value


def _is_a_note(message: BaseMessage, *, follows_result: bool) -> bool:
    """Whether a user's message is none: a reminder or a picture after a result, a summary."""
    if message.additional_kwargs.get("lc_source") == "summarization":
        return True
    if not follows_result:
        return False
    text = message.text
    return not text.strip() or bool(_NOTE.fullmatch(text))


def _whole_calls(message: BaseMessage) -> list[PastCall]:
    return [call for call in calls_of(message) if call.could_run]
