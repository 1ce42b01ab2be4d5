"""What is asked of a model, what is known of it, and how we know."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from langchain_toolemu.model_facts import Axis, Evidence, Verdict


@dataclass(frozen=True, slots=True)
class Support:
    """A verdict, its reason, and what it rests on.

    Attributes:
        verdict: `"native"`, `"none"` or `"unknown"`.
        reason: How we know, in words for a user to read.
        evidence: `"observed"`: a call was seen, or the user said so. `"claimed"`: only the server says so of itself.
            `"text"`: the model writes its calls as text, where they are read.
        recipe: How the contract is written where calls are emulated, and why so.

    Example:
        ```python
        llm.tool_support  # Support(verdict='none', reason='the server says so at http://127.0.0.1:11434/api/show', ...)
        ```
    """

    verdict: Verdict
    reason: str
    evidence: Evidence = "observed"
    recipe: str = ""


UNKNOWN = Support("unknown", "nothing is known yet")


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """What a server says of the model that it serves, or what a name tells of it; empty if that is nothing."""

    supports: Mapping[Axis, Support] = field(default_factory=dict)
    billions: float | None = None
    window: int | None = None  # the tokens of a request and its reply together
    # What it read of a request that it cut off; 0: its counts say nothing.
    read_window: int | None = None
    is_named: bool = False  # whether only the name that the server lists states the size

    def __bool__(self) -> bool:
        return bool(self.supports or self.billions or self.window or self.read_window)

    def and_then(self, further: "ModelDescription") -> "ModelDescription":
        """This description, completed by another one."""
        return replace(
            self,
            supports={**further.supports, **self.supports},
            billions=self.billions or further.billions,
            is_named=self.is_named if self.billions else further.is_named,
            window=self.window or further.window,
        )
