"""Answers for `tool-calling-llm` in an environment of its own, a JSON line for each line asked. Imports nothing of ours.

python -m venv .rival && .rival/bin/pip install tool-calling-llm "langchain-openai<0.4"
"""

import json
import sys
from typing import Any

from langchain_core.messages import messages_from_dict
from langchain_openai import ChatOpenAI
from tool_calling_llm import ToolCallingLLM


class Rival(ToolCallingLLM, ChatOpenAI):  # type: ignore[misc]
    """As its documentation shows."""

    @property
    def _llm_type(self) -> str:
        return "rival"


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """One turn."""
    llm = Rival(**asked["settings"])
    model = llm.bind_tools(asked["tools"]) if asked["tools"] else llm
    message = model.invoke(messages_from_dict(asked["messages"]))
    return {"text": str(message.content), "calls": message.tool_calls}


if __name__ == "__main__":
    for line in sys.stdin:
        try:
            said = answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - it is the other side that counts crashes
            said = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(said, default=str), flush=True)
