"""What the scripted model replies: calls in many notations, whole and damaged, words of many kinds, and errors."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, TypeAlias

from tests.benchmarks.compare.tools import Call, Tool, any_call


@dataclass(frozen=True)
class Failure:
    """An error in place of a reply, or of the rest of it."""

    status: int
    message: str
    when: Literal["always", "tools", "choice", "format"] = "always"  # what the request must have
    in_stream: bool = False  # a streamed reply breaks off


@dataclass(frozen=True)
class Reply:
    """One reply of the model."""

    text: str = ""
    calls: tuple[Call, ...] = ()  # native ones; written as text if no tools were offered
    thought: str = ""  # in a field of its own
    finish: str = ""
    tokens: int | None = None
    in_blocks: bool = False
    error: Failure | None = None


Notation: TypeAlias = Callable[[str, Any], str]


def _json(name: str, args: Any) -> str:
    return json.dumps({"name": name, "arguments": args}, ensure_ascii=False)


def _parameters(opener: str, closer: str, args: Any) -> str:
    written = ((key, one if isinstance(one, str) else json.dumps(one)) for key, one in _items(args))
    return "".join(f"{opener.format(key)}{value}{closer}" for key, value in written)


def _items(args: Any) -> list[tuple[str, Any]]:
    return list(args.items()) if isinstance(args, dict) else [("value", args)]


NOTATIONS: tuple[Notation, ...] = (
    _json,
    _json,
    lambda name, args: f"```json\n{_json(name, args)}\n```",
    lambda name, args: f"<tool_call>\n{_json(name, args)}\n</tool_call>",
    lambda name, args: f"[{_json(name, args)}]",
    lambda name, args: json.dumps({"tool": name, "tool_input": args}),
    lambda name, args: json.dumps({"type": "function", "function": {"name": name, "arguments": json.dumps(args)}}),
    lambda name, args: str({"name": name, "parameters": args}),
    lambda name, args: f"{name}({', '.join(f'{key}={value!r}' for key, value in _items(args))})",
    lambda name, args: f"```tool_code\nprint({name}({', '.join(f'{key}={value!r}' for key, value in _items(args))}))\n```",
    lambda name, args: f"<function={name}>\n{_parameters('<parameter={}>', '</parameter>', args)}</function>",
    lambda name, args: f'<invoke name="{name}">{_parameters(chr(60) + "parameter name={!r}>", "</parameter>", args)}</invoke>',
    lambda name, args: f"Thought: I need it.\nAction: {name}\nAction Input: {json.dumps(args)}",
    lambda name, args: f"[TOOL_CALLS]{name}[ARGS]{json.dumps(args)}",
    lambda name, args: f"<|python_tag|>{_json(name, args)}",
    lambda name, args: f"<|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{json.dumps(args)}<|tool_call_end|>",
    lambda name, args: f"<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{json.dumps(args)}<|call|>",
    lambda name, args: f"<{name}>{''.join(f'<{key}>{value}</{key}>' for key, value in _items(args))}</{name}>",
)  # fmt: skip

BEFORE = (
    "Let me look that up.\n", "Sure! ", "I'll call the tool now:\n", "Ich sehe nach.\n", "<think>The user wants it.</think>",
    "<think>\nShould I? Yes.\n</think>\n\n", "First, some words that say a little more about it than is needed.\n\n",
    "For example, one could write: ", "Should I run ", "I will not run this: ", "The page says: ", "Earlier I called ",
)  # fmt: skip
AFTER = (
    "\n",
    "\nThat should do it.",
    "?",
    " and that is all.",
    "\n<tool_response>\nsunny\n</tool_response>\nIt is sunny.",
)
WORDS = (
    "It is sunny, 22 degrees.", "Done.", "The result is 42.", "That is done: the mail was sent.", "Bonjour !", "", "  \n",
    "Which city do you mean?", "I'm sorry, but I don't have access to real-time data.", "I cannot call tools.",
    "Ich habe keinen Zugriff auf Werkzeuge.", "抱歉,我无法访问实时天气数据。", "I'll check that for you.",
    "Let me use the search tool to find it.", "I will now call get_weather.", "Je vais chercher cela.",
    "<think>Nothing to do.</think>Hello!", "<think>I never stop thinking", "no opener</think>The answer is 4.", "<think></think>",
    '{"answer": 42, "unit": "none"}', "```python\nprint('hello')\n```", "NO_TOOL", "none", "null", "[]", "{}",
    "1. First point\n2. Second point\n\n| a | b |\n|---|---|\n| 1 | 2 |", "<tool_response>sunny</tool_response>",
    "User: thanks\nAssistant: You are welcome.", "I would call `get_weather` for that, but I need the city.",
    "A long answer. " * 30, '{"name": "Ann", "age": 42}', "get_weather", "<tool_call>", "</tool_call>",
)  # fmt: skip
THOUGHTS = ("", "", "", "", "The user wants to know something.", "Let me think.\nYes.")

FAILURES = (
    Failure(400, "registry.example/model does not support tools", "tools"),
    Failure(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "tools"),
    Failure(400, "tool_choice is not supported by this model", "choice"),
    Failure(400, "response_format is not supported", "format"),
    Failure(400, "System role not supported"),
    Failure(400, "This model's maximum context length is 2048 tokens. However, your messages resulted in 3100 tokens."),
    Failure(400, "the request exceeds the available context size (2100 tokens, n_ctx: 2048)"),
    Failure(500, 'Failed to parse input at pos 0: <tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>', "tools"),
    Failure(500, 'Failed to parse input at pos 0: <tool_call>\n{"name": "get_weather", "arguments": {"city": "Par', "tools"),
    Failure(500, "error parsing tool call: raw='{\"city\": \"Paris\",}', err=invalid character '}'", "tools"),
    Failure(500, "The model produced output that does not match the expected peg-native format"),
    Failure(400, "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", "tools"),
    Failure(429, "Rate limit reached, try again in 20s"),
    Failure(401, "Incorrect API key provided"),
    Failure(503, "The server is overloaded"),
    Failure(422, "Input should be 'system', 'user' or 'assistant', got 'tool'"),
    Failure(500, "Connection reset by peer", in_stream=True),
)  # fmt: skip


def draw(random: Random, tools: list[Tool], wanted: Call, *, native: bool) -> Reply:
    """One reply, of any kind."""
    roll = random.random()
    if roll < 0.08:
        return Reply(random.choice(WORDS), error=random.choice(FAILURES))
    if native and roll < 0.45:
        drawn = _native(random, tools, wanted)
    elif roll < 0.72:
        drawn = Reply(_calls_as_text(random, tools, wanted))
    else:
        drawn = Reply(random.choice(WORDS))
    return _with_details(random, drawn)


def _with_details(random: Random, reply: Reply) -> Reply:
    finish = "tool_calls" if reply.calls and random.random() < 0.85 else "stop"
    return Reply(
        reply.text,
        reply.calls,
        thought=random.choice(THOUGHTS),
        finish="length" if random.random() < 0.08 else finish,
        tokens=random.choice([None, None, 25, 300, 2048]),
        in_blocks=random.random() < 0.06,
    )


def _calls_as_text(random: Random, tools: list[Tool], wanted: Call) -> str:
    count = random.choice([1, 1, 1, 1, 2, 3])
    notation = random.choice(NOTATIONS)
    written = [notation(*any_call(random, tools, wanted)) for _ in range(count)]
    text = random.choice(["\n", "\n", " ", "\n\nand\n"]).join(written)
    if random.random() < 0.35:
        text = random.choice(BEFORE) + text
    if random.random() < 0.2:
        text += random.choice(AFTER)
    if random.random() < 0.12:
        text = text[: random.randint(0, len(text))]
    if random.random() < 0.08:
        place = random.randint(0, len(text))
        text = text[:place] + random.choice('{}[]"\\,:<\n') + text[place:]
    return text


def _native(random: Random, tools: list[Tool], wanted: Call) -> Reply:
    calls = [any_call(random, tools, wanted) for _ in range(random.choice([1, 1, 1, 2, 3]))]
    calls = [_damaged(random, call) if random.random() < 0.2 else call for call in calls]
    # Broken ones last: LangChain's whole message has them in a list of their own, without their places.
    calls.sort(key=lambda call: read_args(call[1]) is None)
    return Reply(random.choice(["", "", "", *WORDS[:6], *BEFORE]), tuple(calls))


def read_args(args: Any) -> dict[str, Any] | None:
    """The arguments of a native call as LangChain's own parser reads them, if it can."""
    try:
        read = json.loads(args or "{}") if isinstance(args, str) else args
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _damaged(random: Random, call: Call) -> Call:
    """A native call whose arguments are no JSON object, or whose name is none."""
    name, args = call
    written = json.dumps(args)
    broken = [
        written[:-1],
        written[: len(written) // 2],
        str(args),
        json.dumps(written),
        "",
        "null",
        written + "}",
        f"[{written}]",
    ]
    return ("", written) if random.random() < 0.1 else (name, random.choice(broken))  # fmt: skip
