"""The JSON values that models make of a call.

Each takes one call and gives one value, or `None` where the shape cannot say it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, TypeAlias

from tests.benchmarks.bfcl.cases import Called

Shape: TypeAlias = Callable[[Called, Random], Any]

NAME_KEYS = ("name", "tool", "function", "action", "tool_name")
ARGUMENT_KEYS = ("arguments", "args", "parameters", "input", "action_input", "tool_input")
KEY_PAIRS = tuple(product(NAME_KEYS, ARGUMENT_KEYS))


def plain(call: Called, rng: Random) -> Any:
    return {"name": call.name, "arguments": dict(call.args)}


def key_pair(call: Called, rng: Random) -> Any:
    """One of the thirty pairs of keys; models agree on none."""
    name, arguments = rng.choice(KEY_PAIRS)
    return {name: call.name, arguments: dict(call.args)}


def arguments_first(call: Called, rng: Random) -> Any:
    return {"arguments": dict(call.args), "name": call.name}


def wire_form(call: Called, rng: Random) -> Any:
    return {"type": "function", "function": plain(call, rng)}


def under_its_name(call: Called, rng: Random) -> Any:
    return {call.name: dict(call.args)}


def flat(call: Called, rng: Random) -> Any:
    """Arguments beside the name; impossible where an argument is called like a key of the shape."""
    key = rng.choice(("name", "tool", "tool_name"))
    if {*NAME_KEYS, *ARGUMENT_KEYS} & {*call.args}:
        return None
    return {key: call.name, **call.args}


def text_arguments(call: Called, rng: Random) -> Any:
    """Arguments as a JSON string, which is OpenAI's own way."""
    return {"name": call.name, "arguments": json.dumps(call.args, ensure_ascii=False)}


def with_companions(call: Called, rng: Random) -> Any:
    return {"thought": "This one fits.", "id": "call_1", **plain(call, rng)}


def null_arguments(call: Called, rng: Random) -> Any:
    return None if call.args else {"name": call.name, "arguments": None}


def empty_text_arguments(call: Called, rng: Random) -> Any:
    return None if call.args else {"name": call.name, "arguments": ""}


def absent_arguments(call: Called, rng: Random) -> Any:
    return None if call.args else {"name": call.name}


def openai_message(calls: Sequence[Called], rng: Random) -> Any:
    """The wire format's `tool_calls`, ids and all."""
    return {
        "tool_calls": [
            {"id": f"call_{number}", "type": "function", "function": text_arguments(call, rng)}
            for number, call in enumerate(calls, 1)
        ]
    }


def plain_message(calls: Sequence[Called], rng: Random) -> Any:
    return {"tool_calls": [plain(call, rng) for call in calls]}


def tools_list(calls: Sequence[Called], rng: Random) -> Any:
    return {"tools": [key_pair(call, rng) for call in calls]}


SINGLE: Mapping[str, Shape] = {
    "key pairs": key_pair,
    "arguments first": arguments_first,
    "type/function": wire_form,
    "{name: args}": under_its_name,
    "flat": flat,
    "args as JSON string": text_arguments,
    "thought and id beside": with_companions,
}
MANY: Mapping[str, Callable[[Sequence[Called], Random], Any]] = {
    "tool_calls (OpenAI)": openai_message,
    "tool_calls (plain)": plain_message,
    "tools list": tools_list,
    "array": lambda calls, rng: [plain(call, rng) for call in calls],
    "array of type/function": lambda calls, rng: [wire_form(call, rng) for call in calls],
}
NOTHING: Mapping[str, Shape] = {
    "args {}": plain,
    "args null": null_arguments,
    "args empty string": empty_text_arguments,
    "args absent": absent_arguments,
}
