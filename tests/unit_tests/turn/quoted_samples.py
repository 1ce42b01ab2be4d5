"""Conversations whose texts hold calls, by an author who did not know the code."""

import json
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from tests.unit_tests.turn.playing import order

_SAMPLES = Path(__file__).parent / "quoted_calls.json"
SAMPLES = {sample["id"]: sample for sample in json.loads(_SAMPLES.read_text())}


def message_of(entry):
    text = entry.get("content") or ""
    match entry["role"]:
        case "system":
            return SystemMessage(text)
        case "user":
            return HumanMessage(text)
        case "tool":
            return ToolMessage(text, tool_call_id=entry["tool_call_id"])
    return AIMessage(text, tool_calls=entry.get("tool_calls") or [])


ORDERS = {
    name: order([*map(message_of, sample["messages"])], tools=sample["tools"])
    for name, sample in SAMPLES.items()
}
