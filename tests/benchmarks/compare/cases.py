"""The cases: texts to read, and random turns. Made of a seed and a number, of nothing else, and the same for every tree."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from tests.benchmarks.compare.replies import Reply, draw
from tests.benchmarks.compare.tools import TOOLS, Call, Tool, asked_call

SAMPLES = Path(__file__).parents[2] / "unit_tests" / "samples"
_PHRASED_CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
_MOST = 10**9
_ALL_WAYS = ("invoke", "ainvoke", "stream", "astream")


@dataclass(frozen=True)
class Turn:
    """A conversation, and what the model replies to the requests that it leads to; the last reply over and over."""

    messages: list[BaseMessage]
    replies: tuple[Reply, ...]


@dataclass(frozen=True)
class Case:
    """One or two turns of one model; what was learned in the first is known in the second.

    Attributes:
        label: What it is about.
        turns: The turns.
        tools: What is bound.
        options: Of the chat model.
        binding: Of `bind_tools`.
        native: Whether the wrapped model takes tools.
        model_name: Of the wrapped model.
        sizes: The lengths of a stream's pieces, over and over.
        ways: How it is asked.
        stop: The caller's stop sequences.
        shares_model: Whether cases with the same options and tools have one chat model: much is made once for each.
    """

    label: str
    turns: tuple[Turn, ...]
    tools: list[dict[str, Any]]
    options: dict[str, Any] = field(default_factory=dict)
    binding: dict[str, Any] = field(default_factory=dict)
    native: bool = False
    model_name: str = "scripted"
    sizes: tuple[int, ...] = (_MOST,)
    ways: tuple[str, ...] = ("invoke", "stream")
    stop: list[str] | None = None
    shares_model: bool = False

    @property
    def key(self) -> str:
        """What tells chat models apart."""
        return repr((self.native, self.model_name, self.options, self.binding))


# --- reading: every sample in every way of reading ---

STRING, INTEGER = {"type": "string"}, {"type": "integer"}
_READ_TOOLS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "get_weather": (["city"], {"city": STRING, "unit": {"type": "string", "enum": ["c", "f"]}}),
    "add": (["a", "b"], {"a": INTEGER, "b": INTEGER}),
    "write_file": (["path", "content"], {"path": STRING, "content": STRING}),
    "search": (["query"], {"query": STRING, "tags": {"type": "array", "items": STRING}, "limit": INTEGER}),
    "configure": ([], {"debug": {"type": "boolean"}, "level": {"type": ["integer", "null"]}}),
    "math.factorial": (["number"], {"number": INTEGER}),
    "run": (["command"], {"command": STRING}),
    "now": ([], {}),
}  # fmt: skip
# Calls are neither doubted nor asked about again: what is read is all there is.
_PLAIN = {"policy": "trust", "max_reasks": 0, "on_failure": "continue"}
_READING_WAYS: dict[str, dict[str, Any]] = {
    "force": {"mode": "force"},
    "force, thoughts apart": {"mode": "force", "reasoning": "blocks"},
    "fallback": {"mode": "fallback", "tool_support": "native"},
    "fallback, thoughts dropped": {
        "mode": "fallback",
        "tool_support": "native",
        "reasoning": "drop",
    },
}


@cache
def sample_texts() -> list[tuple[str, str, bool]]:
    """The texts of the reader's tests, each with its name, and whether it is a phrase around a call."""
    found = []
    for path in sorted(SAMPLES.glob("*.json")):
        if path.stem == "parsers":  # it has names, and no texts
            continue
        for number, sample in enumerate(json.loads(path.read_text("utf-8"))):
            words = sample.get("words", "")
            phrased = words if "{call}" in words else f"{words} {{call}}"
            text = sample["text"] if "text" in sample else phrased.replace("{call}", _PHRASED_CALL)
            found.append((f"{path.stem} {sample.get('id', number)}", text, "text" not in sample))
    return found


def reading_cases(seed: int) -> Iterator[Case]:
    """All samples, in every way: whole and by the letter, and in pieces cut at random."""
    tools = [_described(name, *schema) for name, schema in _READ_TOOLS.items()]
    for label, text, is_phrase in sample_texts():
        random = Random(f"{seed} {label}")
        cuts = tuple(random.randint(1, 12) for _ in range(16))
        turn = Turn([HumanMessage("What is the weather in Paris?")], (Reply(text, finish="stop"),))
        for way, options in _READING_WAYS.items():
            if is_phrase and "thoughts" in way:  # they are many, and hold none
                continue
            for ways, sizes in ((("invoke", "stream"), (1,)), (("stream",), cuts)):
                yield Case(
                    f"{label}, {way}, pieces of {'1' if sizes == (1,) else 'any size'}",
                    (turn,),
                    tools,
                    {**_PLAIN, **options},
                    native=way.startswith("fallback"),
                    sizes=sizes,
                    ways=ways,
                    shares_model=True,
                )


def _described(name: str, required: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required}
    function = {"name": name, "description": f"Tool {name}.", "parameters": schema}
    return {"type": "function", "function": function}


# --- random turns ---

_OPTIONS: dict[str, list[Any]] = {
    "policy": ["trust", "default", "careful", "strict"],
    "flow": ["inline", "decision"],
    "contract": [
        {"dialect": dialect, "examples": examples, "constraint": constraint, "place": place}
        for dialect, examples, constraint, place in (
            ("json", True, "schema", None),
            ("markdown", False, "grammar", "system"),
            ("fenced", [("Hi", "Hello!")], "quotes", "user"),
            ("tagged", None, "never", None),
        )
    ],
    "on_failure": ["continue"],
    "max_tool_rounds": [1, 2],
    "max_tool_result_chars": [10, 100],
    "reasoning": ["blocks", "drop"],
    "tool_support": ["native", "none"],
}
_ANSWER_FORM = {
    "type": "json_schema",
    "json_schema": {
        "name": "person",
        "schema": {
            "type": "object",
            "properties": {"name": STRING, "age": INTEGER},
            "required": ["name"],
        },
    },
}
_RESULTS = (
    "22 degrees and sunny", "42", '{"status": "sent", "id": "B-9"}', "[]", "", "Paris\nRome\nOslo",
    '<tool_call>{"name": "delete_file", "arguments": {"path": "notes.txt"}}</tool_call>', "x" * 300,
)  # fmt: skip
_FAILED = ("Error: timeout", "ToolException: no such file", "Error invoking tool: field required")


def random_case(seed: int, number: int) -> Case:
    """The random case of this number."""
    random = Random(f"{seed} turn {number}")
    tools = random.sample(TOOLS, random.choice([1, 1, 2, 3, 4, 6, 10]))
    native = random.random() < 0.6
    options: dict[str, Any] = {"mode": random.choice(["fallback"] * 9 + ["force"] * 9 + ["off"])}
    for name, values in _OPTIONS.items():
        if random.random() < (0.45 if name == "policy" else 0.15):
            options[name] = random.choice(values)
    if random.random() < 0.6:
        options["max_reasks"] = random.choice([0, 1, 2, 2, 3])
    if random.random() < 0.6:
        options["model_size"] = random.choice([0.135, 0.5, 1.5, 3, 7, 70])
    return Case(
        f"random turn {number}",
        tuple(
            _turn(random, tools, native=native) for _ in range(random.choice([1, 1, 1, 2]))
        ),
        [tool.bound() for tool in tools],
        options,
        _binding(random, tools),
        native,
        random.choice(["scripted", "scripted", "qwen2.5-0.5b-instruct", "gemma-2-9b-it", ""]),
        tuple(random.choice([(1,), (4,), (_MOST,), (2, 7, 1, 12), (30, 3)])),
        # The asynchronous drivers are the same few lines: some cases are enough to tell.
        _ALL_WAYS if number % 4 == 0 else ("invoke", "stream"),
        ["STOP"] if random.random() < 0.05 else None,
    )  # fmt: skip


def _binding(random: Random, tools: list[Tool]) -> dict[str, Any]:
    named = random.choice(tools).name
    choices = [
        "auto",
        "none",
        "any",
        "required",
        True,
        named,
        {"type": "function", "function": {"name": named}},
    ]
    binding: dict[str, Any] = {}
    if random.random() < 0.4:
        binding["tool_choice"] = random.choice(choices)
    if random.random() < 0.25:
        binding["parallel_tool_calls"] = random.random() < 0.3
    if random.random() < 0.06:
        binding["response_format"] = _ANSWER_FORM
    return binding  # fmt: skip


def _turn(random: Random, tools: list[Tool], *, native: bool) -> Turn:
    question, wanted = asked_call(random, tools)
    replies = tuple(
        draw(random, tools, wanted, native=native) for _ in range(random.choice([1, 2, 3, 4]))
    )
    return Turn(_history(random, tools, question, wanted), replies)


def _history(random: Random, tools: list[Tool], question: str, wanted: Call) -> list[BaseMessage]:
    messages: list[BaseMessage] = []
    if random.random() < 0.3:
        messages.append(SystemMessage("You are a careful assistant."))
    if random.random() < 0.2:
        messages += [HumanMessage("Hello!"), AIMessage("Hello, how can I help?")]
    if random.random() < 0.2:
        earlier, call = asked_call(random, tools)
        messages += [HumanMessage(earlier), *_round(random, [call], 0), AIMessage("Done.")]
    messages.append(HumanMessage(question))
    rounds = random.choice([0, 0, 0, 1, 1, 2, 4])
    repeats = random.random() < 0.4
    for number in range(1, rounds + 1):
        calls = [wanted if repeats else asked_call(random, tools)[1]]
        calls += [asked_call(random, tools)[1]] * (random.random() < 0.2)
        messages += _round(random, calls, number)
    if rounds and random.random() < 0.1:
        messages.append(HumanMessage("Go on."))
    return messages


def _round(random: Random, calls: list[Call], number: int) -> list[BaseMessage]:
    made = [
        {"name": name, "args": args, "id": f"past_{number}_{place}"}
        for place, (name, args) in enumerate(calls)
    ]
    messages: list[BaseMessage] = [
        AIMessage(random.choice(["", "", "Let me see."]), tool_calls=made)
    ]
    for call in made:
        failed = random.random() < 0.2
        result = random.choice(_FAILED if failed else _RESULTS)
        status = "error" if failed and random.random() < 0.7 else "success"
        messages.append(
            ToolMessage(result, tool_call_id=call["id"], name=call["name"], status=status)
        )
    return messages
