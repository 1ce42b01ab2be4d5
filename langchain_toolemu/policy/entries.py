"""`EntryMeant`: a code of a list that a look-up told, and whether it is of the entry that the user means."""

from dataclasses import dataclass

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.conversation import CODE, Conversation
from langchain_toolemu.policy.conversation_index import topic_stems
from langchain_toolemu.policy.made_up_values import required_values
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review, shown_value
from langchain_toolemu.reader.events import Call
from langchain_toolemu.validation import read_json

_LONGEST_LIST = 4000
"""In characters: in a longer list, what is meant may stand in any part."""


@dataclass(frozen=True, slots=True)
class EntryMeant:
    """Asks a small model about a code of one entry of a list, while one other entry has more of the user's words."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Looks at the required values that the user did not write; a list may be of several entries."""
        if context.is_wanted or not context.is_small:
            return ACCEPT
        talk = context.conversation
        for name, value in required_values(call.args, context.tool):
            is_told = value == call.args[name] and str(value) not in talk.users_words
            if is_told and (found := _closer_entry(str(value), talk)):
                return Review.ask(
                    f"{shown_value(value)} for {name} is of another entry",
                    corrections.other_entry(call.name, name, value, *found),
                    code="other_entry",
                    yields=True,
                )
        return ACCEPT


def _closer_entry(code: str, conversation: Conversation) -> tuple[str, str] | None:
    """The entry of the last list that has a code, and the only other one that has all of the user's words in it, and more."""
    for outcome in reversed(conversation.telling_outcomes):
        entries = _entries_of(outcome.result or "")
        own = [entry for entry in entries if code in CODE.findall(entry)]
        if len(own) == 1:
            wanted = conversation.wanted_topics
            words = topic_stems(own[0]) & wanted
            closer = [text for text in entries if topic_stems(text) & wanted > words]
            return (own[0], closer[0]) if len(closer) == 1 else None
    return None


def _entries_of(result: str) -> list[str]:
    """The objects of a list in JSON, or the lines of a text, as far as they have a code; none of a long one."""
    if len(result) > _LONGEST_LIST:
        return []
    value = read_json(result)
    if isinstance(value, dict):  # {"orders": [...]}
        value = next((inner for inner in value.values() if isinstance(inner, list)), value)
    entries = [*map(str, value)] if isinstance(value, list) else result.splitlines()
    return [entry for entry in entries if CODE.search(entry)]
