"""`Conversation`: facts about the messages of a request, each computed on first use and cached."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.messages.past_calls import PastCall, PastResult, calls_of, results_of, speaks
from langchain_toolemu.policy.conversation_index import (
    ConversationIndex,
    name_stems,
    topic_stems,
    verb_stem,
)
from langchain_toolemu.policy.outcomes import (
    CallOutcome,
    has_failed,
    outcome_of,
    result_words,
)
from langchain_toolemu.policy.quoted_calls import QuotedCall, QuotedCalls
from langchain_toolemu.policy.wishes import (
    MOST_WORDS,
    act_begun,
    acts_wanted,
    wanted_topics,
)
from langchain_toolemu.reader.events import Call
from langchain_toolemu.reader.search import names_tool
from langchain_toolemu.tools import ToolSpec

CODE = re.compile(r"(?<!\w)(?=[\w#-]{0,40}\d)(?=[\w#-]{0,40}[^\W\d])[\w#-]{3,40}(?!\w)")
"""A code, such as `A-1000`."""


_QUOTED = re.compile(
    r"\"([^\"\n]{2,60})\"|[\u201c\u201e\u00ab\u300a\u300c]([^\n\u201c-\u201f\u00bb\u300b\u300d]{2,60})"
)


class Conversation:
    """The messages of one request."""

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        self._messages = messages
        self._given: dict[frozenset[str], ConversationIndex] = {}
        self._quoted: dict[str, tuple[QuotedCall, ...]] = {}

    @cached_property
    def has_tool_history(self) -> bool:
        """Whether it holds calls or results."""
        return has_tool_history(self._messages)

    @cached_property
    def called_names(self) -> tuple[str, ...]:
        """The names of all tools that were called, in order."""
        return tuple(call.name for message in self._messages for call in _whole_calls(message))

    @cached_property
    def call_ids(self) -> frozenset[str | None]:
        """The ids of all calls that were made."""
        replies = (message for message in self._messages if isinstance(message, AIMessage))
        return frozenset(call["id"] for message in replies for call in message.tool_calls)

    def has_answered(self, call: Call) -> bool:
        """Whether exactly this call was answered since the user last spoke, or failed so often that no answer is to be expected."""
        made = [outcome for outcome in self.outcomes_since_user if outcome.is_of(call)]
        return len(made) >= _MOST_FAILURES or any(outcome.result is not None for outcome in made)

    @cached_property
    def answered_args(self) -> Mapping[str, Sequence[Any]]:
        """By the tools that were called since the user last spoke, the arguments of the calls that did not fail."""
        answered: dict[str, list[Any]] = {}
        for outcome in self.outcomes_since_user:
            if outcome.result is not None:
                answered.setdefault(outcome.call.name, []).append(outcome.call.args)
        return answered

    @cached_property
    def telling_outcomes(self) -> list[CallOutcome]:
        """The calls since the user last spoke whose results tell something."""
        return [outcome for outcome in self.outcomes_since_user if outcome.tells]

    @property
    def has_code(self) -> bool:
        """Whether the user's last words have a code, such as `A-1000`."""
        return bool(CODE.search(self.recent_words))

    @cached_property
    def last_result(self) -> str | None:
        """The last result since the user spoke, if it is a text and no failure."""
        results = [result for message in self._since_user for result in results_of(message)]
        last = results[-1] if results else None
        return None if last is None or has_failed(last) else result_words(last) or None

    @property
    def users_words(self) -> str:
        """The user's last message."""
        return self._messages[self._user_spoke_at[0]].text if self._user_spoke_at else ""

    @property
    def recent_words(self) -> str:
        """The end of it: patterns are looked for in no more."""
        return self.users_words[-MOST_WORDS:]

    @cached_property
    def quotations(self) -> tuple[str, ...]:
        """What the user put in quotation marks there."""
        found = _QUOTED.findall(self.recent_words)
        return tuple(plain or typographic for plain, typographic in found)

    @property
    def _users_texts(self) -> str:
        """All that the user wrote."""
        return "\n".join(self._messages[n].text for n in self._user_spoke_at)

    @cached_property
    def users_topics(self) -> frozenset[str]:
        """The stems of all words of the user that may tell which tool is meant."""
        return topic_stems(self._users_texts)

    def names_tool(self, tool: ToolSpec) -> bool:
        """Whether the user wrote the name of a tool."""
        return names_tool(self._users_texts, tool)

    def quoted_calls(self, tool: ToolSpec) -> tuple[QuotedCall, ...]:
        """The calls of a tool that texts hold, and that were not made since."""
        if tool.name not in self._quoted:
            self._quoted[tool.name] = tuple(self._quotations.of(tool))
        return self._quoted[tool.name]

    def is_copy(self, call: Call) -> bool:
        """Whether a call stands letter for letter in another tool's result, and nowhere else."""
        return self._quotations.is_copy(call)

    def may_be_copied(self, name: str) -> bool:
        """Whether another tool's result has a tool's name: a call of it may stand there in any writing."""
        return bool(self._quotations.naming_results(name))

    @cached_property
    def _quotations(self) -> QuotedCalls:
        return QuotedCalls(self._messages, self._last_words)

    @property
    def _last_words(self) -> range:
        """The places of the user's last messages, with no reply in between."""
        spoken, *before = self._user_spoke_at or (-1,)
        start = spoken
        for place in before:
            if any(isinstance(message, AIMessage) for message in self._messages[place:start]):
                break
            start = place
        return range(start, spoken + 1)

    def speaks_of(self, tool: str) -> bool:
        """Whether the user's words have a word of a tool's name."""
        return not self.users_topics.isdisjoint(name_stems(tool))

    @cached_property
    def wanted_topics(self) -> frozenset[str]:
        """The stems of the user's words without what is ruled out: "no e-mails"."""
        return wanted_topics(self._users_texts)

    def rules_out(self, tool: str) -> bool:
        """Whether the user's words have a tool's verb only where they say what is not wanted: "don't commit"."""
        verb = verb_stem(tool)
        return bool(verb) and verb <= self.users_topics - self.wanted_topics

    def unfinished_at(self, tools: Sequence[ToolSpec]) -> dict[int, tuple[str, ...]]:
        """The acts that were not done after the results at these places, and that the user had just asked for."""
        after = self._left_after_results(tools)
        return {place: left for place, left in after if left}

    def left_to_do(self, tools: Sequence[ToolSpec]) -> tuple[str, ...]:
        """Those that are not done after the last result."""
        *_, (_, left) = ((0, ()), *self._left_after_results(tools))
        return left

    def _left_after_results(
        self, tools: Sequence[ToolSpec]
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        left: dict[str, frozenset[str]] = {}
        is_first = False  # whether the next reply is the first to what the user said
        called: dict[str | None, str] = {}
        spoken = frozenset(self._user_spoke_at)
        for place, message in enumerate(self._messages):
            if place in spoken:
                left, is_first = acts_wanted(message.text, tools), True
            elif is_first and isinstance(message, AIMessage):
                left |= dict.fromkeys(self._begun_by(message, tools), frozenset())
                is_first = False
            called |= {call.id: call.name for call in calls_of(message)}
            results = results_of(message)
            done = {called.get(result.id, "") for result in results if not has_failed(result)}
            left = _without(left, done) if left else left
            if results:
                yield place, tuple(sorted(left))

    def begun(self, tools: Sequence[ToolSpec]) -> set[str]:
        """The act that the model called first when the user had spoken, and that was not made since it lacked a value."""
        replies = (message for message in self._since_user if isinstance(message, AIMessage))
        first = next(replies, None)
        return self._begun_by(first, tools) if first else set()

    def _begun_by(self, reply: AIMessage, tools: Sequence[ToolSpec]) -> set[str]:
        return {name for name in act_begun(reply, tools) if not self.rules_out(name)}

    @property
    def rounds(self) -> int:
        """How many messages have called tools since the user last spoke."""
        return len(self.rounds_since_user)

    @cached_property
    def has_result(self) -> bool:
        """Whether the model has been given a result since the user last spoke."""
        return any(results_of(message) for message in self._since_user)

    @cached_property
    def _user_spoke_at(self) -> Sequence[int]:
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
        return (
            self._messages[self._user_spoke_at[0] + 1 :] if self._user_spoke_at else self._messages
        )

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each message."""
        return tuple(map(_text_of, self._messages))

    @cached_property
    def users_index(self) -> ConversationIndex:
        """An index of what the user wrote."""
        return ConversationIndex(self._users_texts, "")

    @cached_property
    def calls_index(self) -> ConversationIndex:
        """An index of the calls that were answered since the user spoke, without failing."""
        text = "\n".join(f"{name} {args}" for name, args in self.answered_args.items())
        return ConversationIndex(text, text)

    def given(self, lookups: Collection[str] = ()) -> ConversationIndex:
        """An index of all messages, calls and results, without what the model itself wrote into calls of these look-up tools.

        A made-up id does not become known by being searched for, nor by a result that repeats it: "0 matches for 'A-1000'".
        """
        named = frozenset(lookups)
        if named.isdisjoint(self.called_names):
            named = frozenset()
        if named not in self._given:
            calls = (call for message in self._messages for call in calls_of(message))
            # Its id says nothing, and has digits that are no number that somebody gave.
            words = [f"{call.name} {call.args}" for call in calls if call.name not in named]
            talk = self._texts_of(HumanMessage, AIMessage)
            users, question = self._texts_of(HumanMessage), self.question or ""
            # The messages last: of a long conversation the beginning is forgotten, and never the question.
            all_text = "\n".join([*words, *self._without_echoes(named)])
            index = ConversationIndex(all_text, "\n".join(talk), question, "\n".join(users))
            self._given[named] = index
        return self._given[named]

    def _without_echoes(self, lookups: Collection[str]) -> Iterator[str]:
        """The text of each message, of results without what these tools were searched for with."""
        searched: list[str] = []  # by the calls that the next results answer
        for message, text in zip(self._messages, self.texts, strict=True):
            if calls := calls_of(message):
                args = [call.args for call in calls if call.name in lookups]
                values = (value for _, value in keyed_scalars(args, "") if isinstance(value, str))
                searched = [value for value in values if len(value) >= _SHORTEST_ECHO]
            if searched and results_of(message):
                words = "|".join(map(re.escape, searched[:_MOST_SEARCHED]))
                text = re.sub(
                    rf"(?<![\w@.+-])(?:{words})(?![\w@+-]|\.\w)", " ", text[-_MOST_CHARS:]
                )
            yield text

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
        texts = self._texts_of(HumanMessage, SystemMessage)
        return any("{" in text or "json" in text.lower() for text in texts)

    def _texts_of(self, *kinds: type[BaseMessage]) -> list[str]:
        return [message.text for message in self._messages if isinstance(message, kinds)]

    @cached_property
    def rounds_since_user(self) -> list[list[CallOutcome]]:
        """The outcomes of the calls since the user last spoke, one list for each message that called."""
        rounds: list[list[CallOutcome]] = []
        results: list[PastResult] = []
        for message in reversed(self._since_user):
            results += reversed(results_of(message))
            if calls := _whole_calls(message):
                # Some servers give every round's calls the same ids, so results count for one round only.
                rounds.append([outcome_of(call, results) for call in calls])
                results = []
        return rounds[::-1]

    @cached_property
    def outcomes_since_user(self) -> list[CallOutcome]:
        """The same, of all messages in a row."""
        return [outcome for outcomes in self.rounds_since_user for outcome in outcomes]


def _without(
    acts: Mapping[str, frozenset[str]], done: Collection[str]
) -> dict[str, frozenset[str]]:
    """The acts that are left; where one word names two, such as "book", the one that was done was meant."""
    meant = tuple(word for name in done for word in acts.get(name, ()))
    return {
        name: words
        for name, words in acts.items()
        if name not in done and not (words and all(_is_one_word(word, meant) for word in words))
    }


def _is_one_word(stem: str, stems: Collection[str]) -> bool:
    """Whether a stem is among others, as "book" is in "booking"."""
    return any(other.startswith(stem) or stem.startswith(other) for other in stems)


_MOST_FAILURES = 2  # of a call that others wait for
_SHORTEST_ECHO = 4  # characters of a value that a result may repeat
_MOST_SEARCHED = 100  # values of one round
_MOST_CHARS = 200_000  # of a result, from its end


def _text_of(message: BaseMessage) -> str:
    """All texts of a message; other blocks are written as Python shows them."""
    if isinstance(message.content, str):
        return message.content
    blocks = message.content
    texts = (text if isinstance(text, str) else str(text.get("text") or text) for text in blocks)
    return "\n".join(texts)


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


_NOTE = re.compile(r"\s*<(system-reminder|system_reminder)>.*</\1>\s*", re.DOTALL)


def _is_a_note(message: BaseMessage, *, follows_result: bool) -> bool:
    """Whether a message is sent as the user's right after a result, and is none: a reminder, a picture, a summary."""
    if message.additional_kwargs.get("lc_source") == "summarization":
        return True
    if not follows_result:
        return False
    text = message.text
    return not text.strip() or bool(_NOTE.fullmatch(text))


def _whole_calls(message: BaseMessage) -> list[PastCall]:
    return [call for call in calls_of(message) if call.could_run]
