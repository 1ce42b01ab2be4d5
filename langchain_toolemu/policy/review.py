"""The interface of a policy: what a check receives, and what it returns.

- A review is pure: the same call in the same context gets the same answer, however its text was cut into pieces.
- A policy sees valid calls only: of a bound tool, read whole. It never changes one.
- A call that is asked about and comes again is made, unless the review is final.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from typing_extensions import Self

from langchain_toolemu.errors import PolicyError
from langchain_toolemu.policy.conversation import Conversation
from langchain_toolemu.policy.conversation_index import ConversationIndex
from langchain_toolemu.policy.tool_kinds import is_named_as_answer, kind_of
from langchain_toolemu.policy.wishes import message_wanted, own_stems
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import ToolSpec

ReviewOutcome: TypeAlias = Literal["accept", "ask", "hold_back"]

LONG_TEXT = 512
"""Longer texts are the model's own writing. The built-in checks do not look at them, so they can stream while they come."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a policy says of a call.

    Attributes:
        outcome: `"accept"`: it is made. `"ask"`: the model is asked once. `"hold_back"`: it is not made, without a question.
        reason: Why not, for the user: the metadata show it.
        correction: What the model is told if it is asked. Without it the model is asked afresh: it sees neither its call
            nor our examples of calls, which small models only write again.
        final: Whether the call is not made even if the model insists.
        code: Which check it is; empty for a policy of your own.
        yields: Whether the call is not made beside calls that stand; asked about alone, it may be insisted on.
        offers: The only tools that the model is offered when it is asked afresh: those that could tell what is missing.
        must_insist: Whether only the very same call is made after the question; another one that is doubted so ends the run.
        demands: Whether a call of an offered tool is demanded.
        is_text: Whether the call is text unless the model confirms it with nothing but the call.

    Example:
        ```python
        Review.hold_back("deleting needs a person")
        ```
    """

    outcome: ReviewOutcome
    reason: str = ""
    correction: str = ""
    final: bool = False
    code: str = ""
    yields: bool = False
    offers: tuple[str, ...] = ()
    must_insist: bool = False
    demands: bool = False
    is_text: bool = False

    @classmethod
    def accept(cls) -> Self:
        """The call is made."""
        return cls("accept")

    @classmethod
    def ask(
        cls,
        reason: str,
        correction: str = "",
        *,
        final: bool = False,
        code: str = "",
        yields: bool = False,
        offers: tuple[str, ...] = (),
        must_insist: bool = False,
        demands: bool = False,
        is_text: bool = False,
    ) -> Self:
        """The model is asked once, with the tools still offered; a call that comes again is made unless this is final."""
        flags = (yields, offers, must_insist, demands, is_text)
        return cls("ask", reason, correction, final, code, *flags)

    @classmethod
    def hold_back(cls, reason: str, *, code: str = "", is_text: bool = False) -> Self:
        """The call is not made, and the model is not asked."""
        return cls("hold_back", reason, final=True, code=code, is_text=is_text)

    def __str__(self) -> str:
        return f"{self.code}: {self.reason}" if self.code else self.reason


ACCEPT = Review.accept()


@dataclass(frozen=True)
class CallContext:
    """What a policy is told besides the call.

    Attributes:
        tool: The tool that is called.
        tools: All tools that are bound.
        conversation: The messages so far.
        earlier: The calls that this turn has made before this one.
        beside: The calls before it that the same reply asks for, whatever became of them.
        follows_waiting: Whether one of those waits for a result.
        forced: Whether the caller demanded a call.
        chosen: Whether the caller demanded a call of this very tool.
        is_answer: Whether the call is the answer in the form that the caller demanded.
        parallel: The caller's `parallel_tool_calls`.
        shows_examples: Whether the model was shown examples with made-up values.
        demanded: The tools of which the model was asked to call one, since a value was missing.
        is_last: Whether the model was asked again before, and is not any more, whatever is wrong with the call.
        is_small: Whether the model has fewer than four billion parameters: such models make values up, and repeat what they did.
        is_last_step: Whether the agent's steps end before a result could be read.

    Example:
        ```python
        def review(self, call, context):
            if context.tool.name.startswith("delete_") and context.earlier:
                return Review.hold_back("a deletion comes alone")
            return Review.accept()
        ```
    """

    tool: ToolSpec
    tools: Sequence[ToolSpec]
    conversation: Conversation
    earlier: Sequence[Call] = ()
    beside: Sequence[Call | BadCall] = ()
    follows_waiting: bool = False
    forced: bool = False
    chosen: bool = False
    is_answer: bool = False
    parallel: bool | None = None
    shows_examples: bool = False
    demanded: Sequence[str] = ()
    is_last: bool = False
    is_small: bool = False
    is_last_step: bool = False

    @cached_property
    def lookups(self) -> tuple[str, ...]:
        """The names of the look-up tools."""
        return tuple(tool.name for tool in self.tools if kind_of(tool) == "tells")

    @property
    def has_looked_up(self) -> bool:
        """Whether something was looked up since the user spoke, and found."""
        return any(self.findings)

    @cached_property
    def findings(self) -> tuple[str, ...]:
        """The results of the look-ups since the user spoke that tell something."""
        outcomes = self.conversation.telling_outcomes
        return tuple(found.result or "" for found in outcomes if found.call.name in self.lookups)

    @cached_property
    def untried(self) -> tuple[str, ...]:
        """The names of the look-up tools that may tell something yet: what failed or found nothing once may."""
        outcomes = self.conversation.outcomes_since_user
        counts = Counter(outcome.call.name for outcome in outcomes if not outcome.tells)
        telling = {outcome.call.name for outcome in outcomes if outcome.tells}
        return tuple(name for name in self.lookups if name not in telling and counts[name] < 2)

    @cached_property
    def uncalled(self) -> tuple[str, ...]:
        """The names of those that were not called at all since the user spoke."""
        called = {outcome.call.name for outcome in self.conversation.outcomes_since_user}
        return tuple(name for name in self.lookups if name not in called)

    @cached_property
    def given(self) -> ConversationIndex:
        """An index of what user and tools gave, without what the model only searched for."""
        return self.conversation.given(self.lookups)

    def is_asked_for(self, tool: ToolSpec) -> bool:
        """Whether the user's words have a tool's verb, or another word of its name that no other tool has, and do not rule it out."""
        talk, own = self.conversation, own_stems(tuple(other.name for other in self.tools))
        is_named = not talk.wanted_topics.isdisjoint(own[tool.name])
        return is_named and not talk.rules_out(tool.name)

    @cached_property
    def acts(self) -> tuple[str, ...]:
        """The names of the tools that act."""
        return tuple(tool.name for tool in self.tools if kind_of(tool) == "acts")

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The names of those that the user asks for, and that were not done."""
        return self.conversation.left_to_do(self.tools)

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The names of those that need not be named: by which somebody is told something ("text her the fare"), and with which the model began."""
        wanted = message_wanted(self.conversation.users_words, self.tools, by_address=False)
        wanted |= self.conversation.begun(self.tools)
        return tuple(wanted.intersection(self.unfinished)) if wanted else ()

    @property
    def is_demanded(self) -> bool:
        """Whether the caller demanded a call, so that one without words is not suspicious."""
        return self.forced or self.is_answer

    @property
    def is_wanted(self) -> bool:
        """Whether the caller demanded this very call: where another one would do, an agent whose answer is a call pays without end."""
        is_only = len(self.tools) == 1 or is_named_as_answer(self.tool)
        return self.chosen or self.is_answer or (self.forced and is_only)


@runtime_checkable
class CallPolicy(Protocol):
    """Says of each call whether it is made, asked about, or held back.

    Example:
        ```python
        class NoDeletes:
            def review(self, call, context):
                if call.name.startswith("delete_"):
                    return Review.hold_back("deleting needs a person")
                return Review.accept()

        ChatToolEmu(llm, policy=DEFAULT + Checks(NoDeletes()))
        ```
    """

    def review(self, call: Call, context: CallContext) -> Review:
        """What is to become of a call."""


def run_review(policy: CallPolicy, call: Call, context: CallContext) -> Review:
    """What a policy says of a call. If it fails, that is a `PolicyError`: it must not pass for one of the model's server."""
    label = f"The review of a call of {call.name} by the policy {type(policy).__name__}"
    try:
        review = policy.review(call, context)
    except PolicyError:
        raise
    except Exception as error:
        raise PolicyError(f"{label} failed with {error!r}: correct its `review`.") from error
    if not isinstance(review, Review):
        raise PolicyError(f"{label} returned {review!r:.80}: return a Review.")
    return review


def shown_value(value: Any) -> str:
    """A value as reasons and corrections show it, cut where it is long."""
    written = repr(value)
    return written if len(written) <= 80 else f"{written[:80]}..."
