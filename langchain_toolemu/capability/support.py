"""The values of this room: what is asked of a model, what is known of it, and how we know."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.turn.order import Verdict

Axis: TypeAlias = Literal["tools", "tool_choice", "response_format", "system_role", "grammar"]
"""What a provider can have or lack, each on its own: a model with tools may refuse a forced choice of one.

The weightiest first: an error that refuses several is taken to refuse that.
"""


@dataclass(frozen=True, slots=True)
class Support:
    """A verdict and its reason.

    Attributes:
        verdict: `"native"`, `"none"` or `"unknown"`.
        reason: How we know, in words for a user to read.

    Example:
        ```python
        llm.tool_support  # Support(verdict='none', reason='the server says so at http://127.0.0.1:11434/api/show')
        ```
    """

    verdict: Verdict
    reason: str


UNKNOWN = Support("unknown", "nothing is known yet")
