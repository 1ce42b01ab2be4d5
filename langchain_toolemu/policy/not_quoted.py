"""`NotQuoted`: a call that a text of the conversation holds already may be only that text.

- Only structure counts: in whose text the call stands, and whether it was made since. What somebody
  asks for is not read.
- In the user's last words any call of the tool is enough, since a translation changes values. Once
  one was made there, and in every other text, only the same call counts.
- The model is asked once. It means the call if it answers with that and nothing else; if not, its
  reply stands as it was written.
- What is copied letter for letter out of another tool's result is not made, and not asked about
  unless the user names the tool: asking is how an injection gets run.
- A catalogue shows what tools there are: calls of two or more different tools, each introduced by
  its own tool's name outside the call, with values that are not the user's. The model means them if
  they come again without the names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.conversation import Conversation, keyed_scalars
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.reader.events import Call
from langchain_toolemu.reader.search import names_tool
from langchain_toolemu.tools import ToolSpec

FROM_RESULT = "from_result"
QUOTED_CALL = "quoted_call"
MOST_BEFORE = 400
"""Characters before a call in which its tool is introduced."""


@dataclass(frozen=True, slots=True)
class NotQuoted:
    """Asks about a call that a text of the conversation holds."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts a demanded call: the caller waits for it, whatever the texts hold."""
        if context.is_wanted:
            return ACCEPT
        talk, reason = context.conversation, "it stands in a tool result"
        if talk.quotations.is_copy(call):
            if not any(names_tool(talk.texts[place], context.tool) for place in talk.user_spoke_at):
                return Review.hold_back(reason, code=FROM_RESULT, is_text=True)
            return question_about(call.name, reason, FROM_RESULT)
        quoted = talk.quotations.of(context.tool, call.args)
        same = next((found for found in quoted if found.args in (None, call.args)), None)
        if same is None:
            return ACCEPT
        return question_about(call.name, *((reason, FROM_RESULT) if same.in_result else ()))


def question_about(
    name: str, reason: str = "it stands in a text of this conversation", code: str = QUOTED_CALL
) -> Review:
    """The question whether a call of a tool is meant, or only quoted."""
    correction = corrections.quoted_call(name)
    return Review.ask(reason, correction, code=code, yields=True, is_text=True)


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
