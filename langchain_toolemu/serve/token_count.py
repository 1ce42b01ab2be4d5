"""How many tokens a request would have: as its provider counts them, or estimated.

Only ChatAnthropic is asked: other chat models count by a tokenizer that they would have to fetch, and that is another
model's. What is estimated is what would be sent, the contract included.
"""

import asyncio

from langchain_core.messages.utils import count_tokens_approximately

from langchain_toolemu.serve.forwarding import kind_of
from langchain_toolemu.serve.turns import PreparedTurn


async def count_tokens(turn: PreparedTurn) -> int:
    """The tokens of what a turn would send first."""
    model, tools = turn.model, turn.kwargs.get("tools") or []
    if kind_of(model.llm) == "anthropic":
        counting = model.get_num_tokens_from_messages
        return await asyncio.to_thread(counting, turn.messages, tools)
    if tools and _is_emulated(turn):
        return count_tokens_approximately(model.preview(turn.messages, tools=tools))
    return count_tokens_approximately(turn.messages, tools=tools or None)


def _is_emulated(turn: PreparedTurn) -> bool:
    mode = turn.model.mode
    return mode == "force" or (mode == "fallback" and turn.model.tool_support.verdict == "none")
