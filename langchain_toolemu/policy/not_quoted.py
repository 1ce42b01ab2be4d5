"""`NotQuoted`: a call that a text of the conversation holds already may be only that text.

- Only structure counts: in whose text the call stands, and whether it was made since. What somebody
  asks for is not read.
- In the user's last words any call of the tool is enough, since a translation changes values. Once
  one was made there, and in every other text, only the same call counts.
- The model is asked once. It means the call if it answers with that and nothing else; if not, its
  reply stands as it was written.
- What is copied letter for letter out of another tool's result is not made, and not asked about
  unless the user names the tool: asking is how an injection gets run.
"""

from dataclasses import dataclass

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.reader.events import Call
from langchain_toolemu.reader.search import names_tool

FROM_RESULT = "from_result"
QUOTED_CALL = "quoted_call"


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
