"""One task of two steps, played as an agent plays it: did the model act on what was found, once, and come to an end?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from langchain_toolemu.chat_models.toolemu import ChatToolEmu

TASK = "Find out what the lamp of order K-2093 cost, then refund that amount for the order."
_ORDER, _AMOUNT = "K-2093", 38.7
_MOST_STEPS = 6


def find_price(order_id: str, item: str) -> str:
    """Find the price of an item of an order."""
    return f"The {item} of {order_id} cost {_AMOUNT:.2f} euros."


def refund_order(order_id: str, amount: float) -> str:
    """Refund an amount for an order."""
    return f"Refunded {amount} euros for {order_id}."


_TOOLS: Mapping[str, Callable[..., str]] = {
    "find_price": find_price,
    "refund_order": refund_order,
}


@dataclass(slots=True)
class AgentRun:
    """What an agent did: the arguments of each refund, and whether it ended by an answer."""

    refunds: list[Mapping[str, Any]] = field(default_factory=list)
    ended: bool = False
    error: str = ""

    @property
    def in_words(self) -> str:
        """The verdict for the report."""
        if self.error:
            return f"failed with {self.error}"
        wrong = [refund for refund in self.refunds if not _is_right(refund)]
        if wrong:
            return f"wrong: it made the call refund_order({dict(wrong[0])}), but the price is {_AMOUNT:.2f}"
        if not self.refunds:
            return "not done: it never called refund_order"
        if len(self.refunds) > 1:
            return f"wrong: it made the same refund {len(self.refunds)} times"
        return "right: it looked the price up and refunded it once" + (
            "" if self.ended else ", but did not end"
        )


def _is_right(args: Mapping[str, Any]) -> bool:
    return args.get("order_id") == _ORDER and args.get("amount") == _AMOUNT


def run_agent(llm: ChatToolEmu) -> AgentRun:
    """Play the task."""
    bound = llm.bind_tools(list(_TOOLS.values()))
    messages: list[BaseMessage] = [HumanMessage(TASK)]
    found = AgentRun()
    for _ in range(_MOST_STEPS):
        try:
            reply = bound.invoke(messages)
        except Exception as error:  # noqa: BLE001 - whatever a provider raises is a finding
            found.error = f"{type(error).__name__}: {error}"
            return found
        if not isinstance(reply, AIMessage) or not reply.tool_calls:
            found.ended = bool(reply.text.strip())
            return found
        messages += [reply, *_answers(reply.tool_calls)]
        found.refunds += (
            call["args"] for call in reply.tool_calls if call["name"] == "refund_order"
        )
    return found


def _answers(calls: Sequence[Any]) -> list[ToolMessage]:
    return [ToolMessage(_answer(call), tool_call_id=call["id"]) for call in calls]


def _answer(call: Mapping[str, Any]) -> str:
    try:
        return _TOOLS[call["name"]](**call["args"])
    except (KeyError, TypeError) as error:
        return f"Error: {error!r}"
