"""Texts that speak of the bound tools and call none. Whatever is read as a call here is wrong."""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from tests.benchmarks.bfcl.cases import Called, Case
from tests.benchmarks.bfcl.pen import python_call

Silence: TypeAlias = Callable[[Case, Random], str]


def _object(call: Called) -> str:
    return json.dumps({"name": call.name, "arguments": call.args}, ensure_ascii=False)


def _mention(case: Case, rng: Random) -> str:
    call = case.calls[0]
    signature = f"{call.name}({', '.join(call.declared)})"
    return rng.choice(
        (
            f"You could use {signature} for that.",
            f"{signature} is the tool for that.",
            f"The function `{signature}` takes {len(call.declared)} arguments.",
            f"- `{signature}`: {case.spec(call).description}",
        )
    )


def _refusal(case: Case, rng: Random) -> str:
    name = case.calls[0].name
    return rng.choice(
        (
            f"I'm sorry, but I cannot call {name}() from here.",
            f"{name}() is not something I can run. Please run it yourself.",
            f"I don't have access to the `{name}` function, so I can't answer this.",
        )
    )


def _sentence_about_a_call(case: Case, rng: Random) -> str:
    call = python_call(case.calls[0])
    return rng.choice((f"Running {call} would answer this.", f"{call} returns what you want."))


def _program(case: Case, rng: Random) -> str:
    call = case.calls[0]
    module = call.name.split(".")[0]
    return (
        f"```python\nfrom tools import {module}\n\nresult = {python_call(call)}\nprint(result)\n```"
    )


def _printed(case: Case, rng: Random) -> str:
    return f"```python\nprint({python_call(case.calls[0])})\n```"


def _definition(case: Case, rng: Random) -> str:
    call = case.calls[0]
    name = call.name.replace(".", "_")
    return f"```python\ndef {name}({', '.join(call.declared)}):\n    return None\n```"


def _schema(case: Case, rng: Random) -> str:
    spec = case.spec(case.calls[0])
    function = {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
    }
    echoed = rng.choice((function, {"type": "function", "function": function}, [function]))
    return json.dumps(echoed, indent=rng.choice((None, 2)))


def _schema_in_fence(case: Case, rng: Random) -> str:
    return f"These are my tools:\n\n```json\n{_schema(case, rng)}\n```"


def _answer_with_a_name(case: Case, rng: Random) -> str:
    return json.dumps({"name": "John Smith", "arguments": case.calls[0].args})


def _answer(case: Case, rng: Random) -> str:
    return json.dumps(case.calls[0].args, indent=rng.choice((None, 2)))


def _unknown_tool(case: Case, rng: Random) -> str:
    return json.dumps({"name": "no_such_tool", "arguments": case.calls[0].args})


def _thoughts(case: Case, rng: Random) -> str:
    call = case.calls[0]
    written = rng.choice(
        (_object(call), python_call(call), f"<tool_call>{_object(call)}</tool_call>")
    )
    return f"<think>\nI could say\n{written}\nbut I know the answer.\n</think>\nIt is 42."


def _thoughts_never_closed(case: Case, rng: Random) -> str:
    return f"<think>\nMaybe\n<tool_call>\n{_object(case.calls[0])}\n</tool_call>\nor not"


def _made_up_result(case: Case, rng: Random) -> str:
    return f"<tool_response>\n{_object(case.calls[0])}\n</tool_response>\nSo it is 42."


def _placeholders(case: Case, rng: Random) -> str:
    call = case.calls[0]
    return f"```python\n{call.name}({', '.join(f'{name}={name}' for name in call.declared)})\n```"


SILENCES: Mapping[str, Silence] = {
    "a tool is mentioned": _mention,
    "a refusal names it": _refusal,
    "a sentence about a call": _sentence_about_a_call,
    "a program calls it": _program,
    "print(f(...))": _printed,
    "a definition of it": _definition,
    "f(a=a) with variables": _placeholders,
    "its schema, echoed": _schema,
    "its schema in a fence": _schema_in_fence,
    "an answer with a name": _answer_with_a_name,
    "an answer like its arguments": _answer,
    "a tool that is not bound": _unknown_tool,
    "a call in thoughts": _thoughts,
    "thoughts never closed": _thoughts_never_closed,
    "a result made up": _made_up_result,
}
