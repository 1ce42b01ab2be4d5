"""What a reply's token count says of the tools: they were dropped, they were counted, or nothing.

"Dropped" takes fewer tokens than any known way to write the tools, and "counted" more than any template makes of the messages.
What cannot be estimated (images, a provider's own tools, a cut or cached prompt) is unclear.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage

from langchain_toolemu.model_facts import TokenCount

SMALLEST_WINDOW = 512  # fewer tokens are no window's

# The fewest tokens: long English words in a large vocabulary, and scripts whose tokens hold several letters.
_MOST_BYTES = 6
_MOST_LETTERS = 4
# The most: a small vocabulary on code. Digits, signs and other scripts may take a token a byte.
_FEWEST_BYTES = 1.5
_LONGEST_WORD = 16  # longer ones are keys and base64, a token a byte

# What any way to write a tool adds at least: OpenAI's TypeScript is the tersest known, at 19 and 6.
_TOOLS_FRAME = 4
_TOOL_FRAME = 10
_PROPERTY_FRAME = 4
_LONGEST_DESCRIPTION = 1024

# What a template adds at most to each message, and as a default system message of its own.
_MESSAGE_FRAME = 12
_BARE_FRAME = 16
_DEFAULT_SYSTEM_MESSAGE = 80

# Next to so many tokens nothing can be told, and the reckoning would take its time.
_TOO_MANY = 20_000

_TEXT_BLOCKS = ("text", "reasoning", "thinking", "tool_use", "tool_call")
_RUNS = re.compile(r"(.)\1{3,}", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)


def positive_count(number: Any) -> int | None:
    """A number that can be a count of tokens; `None` for anything else."""
    fits = isinstance(number, int) and not isinstance(number, bool) and number > 0
    return number if fits else None


def judge_token_count(
    input_tokens: int | None,
    messages: Sequence[BaseMessage],
    tools: Sequence[Mapping[str, Any]],
    *,
    cached: int = 0,
) -> TokenCount:
    """Whether the tokens of a reply's usage, all kinds of input summed, can hold the tools as well as the messages."""
    functions = [tool["function"] for tool in tools if isinstance(tool.get("function"), Mapping)]
    if not input_tokens or cached > input_tokens or not functions or len(functions) < len(tools):
        return "unclear"
    if not all(_is_text(message) for message in messages):
        return "unclear"
    kept = [_kept(message) for message in messages]
    # Texts so long would take many seconds to estimate, and hardly shrink to what is few.
    is_long = sum(map(_letters, messages)) > 4 * _TOO_MANY * _MOST_BYTES
    least_messages = _TOO_MANY + 1 if is_long else sum(map(_fewest, kept))
    if least_messages > _TOO_MANY:
        return "unclear"
    least_tools = _TOOLS_FRAME + sum(_fewest_of_tool(function) for function in functions)
    # The most that any template makes of the messages alone.
    spoken = any(isinstance(message, SystemMessage) for message in messages)
    frame = _BARE_FRAME + (0 if spoken else _DEFAULT_SYSTEM_MESSAGE)
    most_messages = frame + sum(_MESSAGE_FRAME + _most(whole_text(message)) for message in messages)
    if least_messages + least_tools <= input_tokens:
        return "counted" if input_tokens > most_messages else "unclear"
    # Next to long messages the tools are within the error of the estimate.
    weighty = 4 * least_tools >= least_messages
    return "dropped" if weighty and least_messages <= input_tokens <= most_messages else "unclear"


def can_hold(tokens: int, messages: Sequence[BaseMessage]) -> bool:
    """Whether so many tokens can hold these messages; what cannot be estimated, or not in time, may be held."""
    letters = sum(len(message.text) for message in messages)
    if letters <= tokens * _MOST_LETTERS or letters > _TOO_MANY * _MOST_BYTES:
        return True
    if not all(_is_text(message) for message in messages):
        return True
    return sum(_fewest(_kept(message)) for message in messages) <= tokens


def _fewest(text: str) -> float:
    """The fewest tokens a text takes: runs of a character, such as indentation, may be one."""
    text = _RUNS.sub(r"\1\1\1", " ".join(text.split()))
    letters = len(text) - len(text.encode("ascii", "ignore"))
    return (len(text) - letters) / _MOST_BYTES + letters / _MOST_LETTERS


def _fewest_of_tool(function: Mapping[str, Any]) -> float:
    """The fewest tokens a tool takes. Servers leave out nested fields, formats and titles, but not these."""
    parameters = function.get("parameters") or {}
    properties = parameters.get("properties") or {}
    texts = [str(function.get("name", "")), str(function.get("description", ""))]
    described = [each for each in properties.values() if isinstance(each, Mapping)]
    texts += [*map(str, properties), *(str(each.get("description", "")) for each in described)]
    words = sum(_fewest(text[:_LONGEST_DESCRIPTION]) for text in texts)
    return _TOOL_FRAME + _PROPERTY_FRAME * len(properties) + words


def _kept(message: BaseMessage) -> str:
    """What every template keeps of a message: not the thoughts of earlier turns, nor calls and their results."""
    if message.type in ("tool", "function"):
        return ""
    return _THOUGHT.sub("", message.text) if isinstance(message, AIMessage) else message.text


def _letters(message: BaseMessage) -> int:
    """The letters of a message and of its calls' long texts."""
    calls = message.tool_calls if isinstance(message, AIMessage) else ()
    values = (value for call in calls for value in call["args"].values())
    return len(message.text) + sum(len(value) for value in values if isinstance(value, str))


def _most(text: str) -> float:
    words = text.split()
    most = float(len(text) - sum(map(len, words)))
    for word in words:
        size = len(word.encode())
        letters = sum(char.isascii() and char.isalpha() for char in word)
        most += size if size > _LONGEST_WORD else size - letters + letters / _FEWEST_BYTES
    return most


def whole_text(message: BaseMessage) -> str:
    """All that a template may write of a message: its content, its calls, its names."""
    held = [message.additional_kwargs, getattr(message, "tool_calls", None), message.name]
    content = message.content if isinstance(message.content, str) else _json(message.content)
    return " ".join([content, *(_json(value) for value in held if value)])


def _is_text(message: BaseMessage) -> bool:
    blocks = [message.content] if isinstance(message.content, str) else message.content
    return all(isinstance(block, str) or block.get("type") in _TEXT_BLOCKS for block in blocks)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
