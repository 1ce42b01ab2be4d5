"""`InOrder`: a further call of a reply that needs the result of another one waits for it.

It is neither made nor asked about: the model writes it again after the result. It waits for a call
of another tool, whatever became of that one, but for none that was answered since the user spoke.
"""

from dataclasses import dataclass

from langchain_toolemu.policy.looked_up import unknown_ids, unknown_values
from langchain_toolemu.policy.placeholders import find_placeholder
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review, is_class_name
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec

OUT_OF_ORDER = "out_of_order"
ANSWER_WAITS = Review.hold_back("the answer waits for the results", code=OUT_OF_ORDER)
"""Of an answer in a form that is given beside calls."""


@dataclass(frozen=True, slots=True)
class InOrder:
    """Holds back a further call of a reply that needs the result of an earlier one.

    It looks at placeholders, at ids that nobody gave, and at acts after a call that waits.

    Attributes:
        careful: Whether a call also waits for any other short value that stands nowhere.
    """

    careful: bool = False

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts the first call, and all if the caller wants several at once."""
        if context.parallel is True or not _is_beside_another(call, context):
            return ACCEPT
        if context.follows_waiting and kind_of(context.tool) == "acts":
            return Review.hold_back("a call before it waits for a result", code=OUT_OF_ORDER)
        is_form = is_answer_form(context.tool, is_answer=context.is_answer, forced=context.forced)
        unknown = unknown_values if self.careful or is_form else unknown_ids
        missing = find_placeholder(call, context) or next(unknown(call, context), None)
        if missing is None:
            return ACCEPT
        why = f"{missing[0]} needs the result of an earlier call"
        return Review.hold_back(why, code=OUT_OF_ORDER)


def _is_beside_another(call: Call, context: CallContext) -> bool:
    """Whether the reply has a call of another tool before this one that is not answered yet."""
    answered = context.conversation.has_answered
    return any(
        earlier.name != call.name and not (isinstance(earlier, Call) and answered(earlier))
        for earlier in context.beside
    )


def is_answer_form(tool: ToolSpec, *, is_answer: bool, forced: bool) -> bool:
    """Whether a tool is surely the form of an answer: the one that was demanded, or a class."""
    return is_answer or (forced and is_class_name(tool.name))


def could_be_awaited(tool: ToolSpec) -> bool:
    """Whether the answer waits for a tool's result, wherever in the reply its call stands."""
    return kind_of(tool) == "tells" and not is_class_name(tool.name)
