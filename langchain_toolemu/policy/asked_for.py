"""`InTime` and `AskedFor`: calls that come too late, or that nobody asked for.

- A small model's look-up in the last step of an agent is not made: nobody would read its result, and the run would end by an error.
- After an act was done, a small model is asked about a further call if the user neither mentioned its tool nor gave values for it
  that no call had yet, nor wants the same thing several times.
  The same call again is made; another one that is doubted in the same way ends the run.
"""

from dataclasses import dataclass
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.conversation_index import ConversationIndex, topic_stems
from langchain_toolemu.policy.made_up_values import (
    NEUTRAL,
    is_date_or_time,
    is_identifier,
    required_values,
)
from langchain_toolemu.policy.message_texts import holds_message
from langchain_toolemu.policy.repeats import is_wanted_repeat
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.policy.wishes import sends_message
from langchain_toolemu.reader.events import Call

TOO_LATE = "too_late"
_FEWEST_TOLD = 2  # words; one may be of a name or an address


@dataclass(frozen=True, slots=True)
class InTime:
    """Does not make a small model's look-up that would be the last thing an agent does: it is to answer from what it has."""

    def review(self, call: Call, context: CallContext) -> Review:  # noqa: ARG002 - any look-up
        """Accepts a demanded call, and an agent's first."""
        is_lookup = kind_of(context.tool) == "tells" and bool(context.conversation.rounds)
        if context.is_demanded or not (context.is_small and context.is_last_step and is_lookup):
            return ACCEPT
        return Review.ask("no step is left to read its result", final=True, code=TOO_LATE)


@dataclass(frozen=True, slots=True)
class AskedFor:
    """Asks a small model about a further call after an act was done, of a tool that the user did not mention."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts a demanded call, and every call before an act was done, unless the user ruled it out."""
        if context.is_demanded or not context.is_small or context.is_asked_for(context.tool):
            return ACCEPT
        talk = context.conversation
        done = [name for name in context.acts if name in talk.answered_args]
        is_unwanted = talk.rules_out(call.name) and kind_of(context.tool) != "tells"
        if call.name in context.unnamed or not (done or is_unwanted):
            return ACCEPT
        if not is_unwanted and (is_wanted_repeat(call, context) or _has_values_left(call, context)):
            return ACCEPT
        offers = _other_tools(context)
        correction = "" if offers or not done else corrections.not_asked_for(call.name, done)
        return Review.ask(
            "nobody asked for it",
            correction,
            code="not_asked_for",
            yields=True,
            offers=offers,
            must_insist=True,
        )


def _has_values_left(call: Call, context: CallContext) -> bool:
    """Whether the user gave an id that no call had yet, or all that a call needs and something of it that none had."""
    users, used = context.conversation.users_index, context.conversation.calls_index
    values = [*required_values(call.args, context.tool)]
    given = [value for _, value in values if value not in NEUTRAL and _is_among(value, users)]
    left = [value for value in given if not _is_among(value, used)]
    if not values and any(_is_time_left(name, call, context) for name in context.tool.required):
        return True
    if sends_message(context.tool):  # an address may only say whose bill is meant
        return bool(left) and _tells_what_is_left(call, context)
    is_id = any(is_identifier(value) or str(value).startswith("#") for value in left)
    if is_id or (left and len(given) == len(values)):
        return True
    # In another language no word names a tool, so any value that is left will do, and a part of one.
    parts = topic_stems(" ".join(str(value) for _, value in values))
    is_left = left or parts & context.conversation.users_topics - used.topics
    return context.given.is_foreign and bool(is_left)


def _is_time_left(name: str, call: Call, context: CallContext) -> bool:
    """Whether an argument is a date or a time as the user wrote it, which no call had yet."""
    when, talk = call.args.get(name), context.conversation
    written = is_date_or_time(when) and str(when) in talk.users_words
    return written and str(when) not in str(talk.answered_args)


def _tells_what_is_left(call: Call, context: CallContext) -> bool:
    """Whether a message has words of the user that no call had; who sends the whole request on had nothing to tell."""
    message = " ".join(str(value) for name, value in call.args.items() if holds_message(name))
    talk = context.conversation
    if message.strip() == talk.users_words.strip():
        return False
    left = topic_stems(message) & talk.users_topics - talk.calls_index.topics
    return len(left) >= _FEWEST_TOLD


def _is_among(value: Any, index: ConversationIndex) -> bool:
    if isinstance(value, int | float):
        return index.mentions_number(value)
    text = str(value)
    return index.mentions_word(text) or (is_identifier(text) and index.mentions_digits(text))


def _other_tools(context: CallContext) -> tuple[str, ...]:
    """The tools that the user mentions, and those that look something up. A small model that is shown its call only repeats it."""
    always = (*context.lookups, *context.unnamed)
    return tuple(
        tool.name
        for tool in context.tools
        if tool.name != context.tool.name and (tool.name in always or context.is_asked_for(tool))
    )
