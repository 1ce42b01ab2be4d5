"""The interface of a policy: what a check receives, and what it returns.

- A review is pure: a call in the same context gets the same answer, however its text was cut.
- A policy sees valid calls only: of a bound tool, read whole. It never changes one.
- A call that is asked about and comes again is made, unless the review is final.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from typing_extensions import Self

from langchain_toolemu.errors import PolicyError
from langchain_toolemu.policy.conversation import Conversation
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import ToolSpec

ReviewOutcome: TypeAlias = Literal["accept", "ask", "hold_back"]

LONG_TEXT = 512
"""Longer texts are the model's own writing. No built-in check looks at them, so they can stream."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a policy says of a call.

    Attributes:
        outcome: `"accept"`: it is made. `"ask"`: the model is asked once. `"hold_back"`: it is not
            made, without a question.
        reason: Why not, for the user: the metadata show it.
        correction: What the model is told if it is asked. Without it the model is asked afresh: it
            sees neither its call nor our examples of calls, which small models only write again.
        final: Whether the call is not made even if the model insists.
        code: Which check it is; empty for a policy of your own.
        yields: Whether the call is not made beside calls that stand.
        offers: The only tools that the model is offered when it is asked afresh.
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
    demands: bool = False
    is_text: bool = False

    @classmethod
    def accept(cls) -> Self:
        """The call is made."""
        return cls("accept")

    @classmethod
    def ask(cls, reason: str, correction: str = "", **facts: Any) -> Self:
        """The model is asked once; a call that comes again is made unless this is `final`."""
        return cls("ask", reason, correction, **facts)

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
    is_last_step: bool = False

    @property
    def is_demanded(self) -> bool:
        """Whether the caller demanded a call, so that one without words is not suspicious."""
        return self.forced or self.is_answer

    @property
    def is_wanted(self) -> bool:
        """Whether the caller demanded this very call: for want of another, no agent must wait."""
        is_only = len(self.tools) == 1 or is_class_name(self.tool.name)
        return self.chosen or self.is_answer or (self.forced and is_only)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(sentence_about(name, "a CallContext"))


def is_class_name(name: str) -> bool:
    """Whether a tool's name is one of a class, as the schema of an answer has: `Invoice`."""
    return name[:1].isupper() and "_" not in name


_ASKS = "no check reads what the user asks for"
_OUTCOMES = "use `context.conversation.outcomes_since_user`"
_KINDS = "ask `kind_of(tool)` of each of `context.tools`"
MOVED = {
    **dict.fromkeys(("GivenValues", "KnownIds"), "use LookedUp"),
    **dict.fromkeys(("AskedFor", "Grounded", "unfinished", "unnamed", "is_asked_for"), _ASKS),
    **dict.fromkeys(("has_looked_up", "findings", "untried", "uncalled", "is_last"), _OUTCOMES),
    **dict.fromkeys(("lookups", "acts"), _KINDS),
    "demanded": "a call that comes after a question is made, unless the review was final",
    "given": "use `context.conversation.given.has(value)`",
    "is_small": "choose the policy by the model's size: `policy=`",
}


def sentence_about(name: str, holder: str) -> str:
    """What an import or an access says of a name that there is not, or no longer."""
    missing = f"{holder} has no {name!r}"
    return f"{missing}: {MOVED[name]}." if name in MOVED else missing


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
    """What a policy says of a call; a failure is its own, and must not pass for a server's."""
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
