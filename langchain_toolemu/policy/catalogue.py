"""A catalogue: calls that show what tools there are, and that nobody is to make.

Calls of two or more different tools, each introduced by its own tool's name outside the call, with
values that are not the user's. The model is asked once, and means them if they come again without
the names.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.conversation import Conversation, keyed_scalars
from langchain_toolemu.policy.review import Review
from langchain_toolemu.reader.search import names_tool
from langchain_toolemu.tools import ToolSpec

MOST_BEFORE = 400
"""Characters before a call in which its tool is introduced."""


def is_listed(
    tool: ToolSpec, args: Mapping[str, Any], before: str, conversation: Conversation
) -> bool:
    """Whether the words before a call name its tool, and the user did not give what it needs."""
    if not names_tool(before[-MOST_BEFORE:], tool):
        return False
    values = [value for name in tool.required for _, value in keyed_scalars(args.get(name), name)]
    return not (values and all(map(conversation.users_given.has, values)))


def question_about_list(names: Iterable[str]) -> Review:
    """The question whether calls are meant that look like a catalogue."""
    correction = corrections.listed_calls([*dict.fromkeys(names)])
    reason = "the reply lists calls of several tools under their names"
    return Review.ask(reason, correction, code="catalogue", yields=True, is_text=True)
