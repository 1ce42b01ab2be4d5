"""What follows a native reply, as one pure function: keep it, rescue its calls, emulate, or check it by emulation.

The rules of this room:

- Only replies without a native call come here. A call written as text is rescued, which costs no request.
- Emulation takes over where the reply shows that tools do not work here. A check only asks whether emulation would
  have called: if it would not, the native reply stands.
- A model that is known to call natively is taken at its word, and a refusal on principle is never argued with.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.turn.order import Bill

Sequel: TypeAlias = Literal["keep", "rescue", "emulate", "check"]


@dataclass(frozen=True, slots=True)
class NativeOutcome:
    """What a native reply was like that made no call, though it was offered tools.

    Attributes:
        rescuable: It has calls as text that count.
        broken: It has a call as text that cannot be read, or ends as if it had called and did not.
        demanded: A call was demanded.
        declined: Its provider marks it as a refusal on principle.
        refused: It denies that the model has tools.
        empty: It says nothing at all.
        bill: What its usage says of the tools.
        trusted: The model is known to call natively.
        wants_check: Too little is known of the model to take a reply without a call for an answer.
    """

    rescuable: bool
    broken: bool
    demanded: bool
    declined: bool
    refused: bool
    empty: bool
    bill: Bill
    trusted: bool
    wants_check: bool


def judge_native(outcome: NativeOutcome) -> Sequel:
    """What follows a native reply.

    Example:
        ```python
        judge_native(outcome)  # "rescue"
        ```
    """
    if outcome.rescuable:
        return "rescue"
    if outcome.declined:
        return "keep"
    if outcome.broken or outcome.demanded:
        return "emulate"
    if outcome.trusted:
        return "keep"
    if outcome.bill == "dropped":
        return "emulate"
    doubtful = outcome.bill == "unclear" and outcome.wants_check
    return "check" if outcome.refused or outcome.empty or doubtful else "keep"
