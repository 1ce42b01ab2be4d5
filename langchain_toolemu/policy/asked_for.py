"""`AskedFor`: a small model that has done its task goes on with what nobody asked for.

After an act was done, a further call is asked about if neither the user's words nor a given value speaks for it. The same call
again is made; another one that is doubted in the same way ends the run.
"""

from dataclasses import dataclass

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.conversation_index import name_stems
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.reader.events import Call


@dataclass(frozen=True, slots=True)
class AskedFor:
    """Asks a small model about a further call after an act was done, of a tool that the user's words do not speak of."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Says nothing of a call that was demanded, nor before an act was done."""
        if context.is_demanded or not context.is_small or _is_spoken_of(context):
            return ACCEPT
        done = _acts_done(context)
        if not done:
            return ACCEPT
        correction = corrections.not_asked_for(call.name, done)
        return Review.ask(
            "nobody asked for it",
            correction,
            code="not_asked_for",
            yields=True,
            must_insist=True,
        )


def _acts_done(context: CallContext) -> tuple[str, ...]:
    """The names of the acts that were done since the user spoke."""
    acts = {tool.name for tool in context.tools if kind_of(tool) == "acts"}
    past = (one for calls in context.conversation.rounds_since_user for one in calls)
    return tuple(
        dict.fromkeys(
            one.call.name for one in past if one.call.name in acts and one.result is not None
        )
    )


def _is_spoken_of(context: CallContext) -> bool:
    """Whether the user's words have a word of the tool's name."""
    return not context.conversation.users_topics.isdisjoint(name_stems(context.tool.name))
