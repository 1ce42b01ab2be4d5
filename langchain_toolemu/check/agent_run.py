"""One task of two steps, played as an agent plays it.

Did the model act on what was found, once, and come to an end?
"""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import tool

from langchain_toolemu.chat_models.toolemu import ChatToolEmu

TASK = "Find out what the lamp of order K-2093 cost, then refund that amount for the order."
_RIGHT = {"order_id": "K-2093", "amount": 38.7}
_MOST_STEPS = 6


@tool
def find_price(order_id: str, item: str) -> str:
    """Find the price of an item of an order."""
    return f"The {item} of {order_id} cost 38.70 euros."


@tool
def refund_order(order_id: str, amount: float) -> str:
    """Refund an amount for an order."""
    return f"Refunded {amount} euros for {order_id}."


_TOOLS = {"find_price": find_price, "refund_order": refund_order}


def run_agent(llm: ChatToolEmu) -> str:
    """Play the task; returns how it went."""
    bound = llm.bind_tools([*_TOOLS.values()])
    messages: list[BaseMessage] = [HumanMessage(TASK)]
    refunds: list[Mapping[str, Any]] = []
    for _ in range(_MOST_STEPS):
        try:
            reply: AIMessage = bound.invoke(messages)
            results = [_TOOLS[call["name"]].invoke(call) for call in reply.tool_calls]
        except Exception as error:  # noqa: BLE001 - whatever a provider raises is a finding
            return f"failed with {type(error).__name__}: {error}"
        if not results:
            return _verdict(refunds, ended=bool(reply.text.strip()))
        messages += [reply, *results]
        refunds += (call["args"] for call in reply.tool_calls if call["name"] == "refund_order")
    return _verdict(refunds, ended=False)


def _verdict(refunds: Sequence[Mapping[str, Any]], *, ended: bool) -> str:
    if wrong := [refund for refund in refunds if refund != _RIGHT]:
        made = f"refund_order({dict(wrong[0])})"
        return f"wrong: it made the call {made}, but the price is 38.70"
    if not refunds:
        return "not done: it never called refund_order"
    if len(refunds) > 1:
        return f"wrong: it made the same refund {len(refunds)} times"
    return "right: it looked the price up and refunded it once" + ", but did not end" * (not ended)
