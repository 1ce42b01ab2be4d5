"""Calls that are no JSON object: elements with one child per argument, YAML, ReAct.

A string argument stands in its element as it is; everything else as JSON. No argument holds the
closing tag of its own element: which one closes, nobody could tell.
"""

from collections.abc import Sequence

import yaml

from tests.benchmarks.bfcl import prose
from tests.benchmarks.bfcl.cases import Called
from tests.benchmarks.bfcl.pen import Pen


def qwen_parameters(call: Called, pen: Pen) -> str:
    """Qwen3-Coder's own form."""
    children = (
        f"<parameter={key}>\n{pen.text(one)}\n</parameter>" for key, one in call.args.items()
    )
    return _lines(
        "<tool_call>", f"<function={call.name}>", *children, "</function>", "</tool_call>"
    )


def function_parameters(call: Called, pen: Pen) -> str:
    children = (f"<parameter={key}>{pen.text(one)}</parameter>" for key, one in call.args.items())
    return _lines(f"<function={call.name}>", *children, "</function>")


def function_json(call: Called, pen: Pen) -> str:
    """Llama's form of a user-defined function."""
    return f"<function={call.name}>{pen.json(dict(call.args))}</function>"


def invokes(calls: Sequence[Called], pen: Pen) -> str:
    """Anthropic's form."""
    return _lines("<function_calls>", *(_invoke(call, pen) for call in calls), "</function_calls>")


def _invoke(call: Called, pen: Pen) -> str:
    children = (
        f'<parameter name="{key}">{pen.text(one)}</parameter>' for key, one in call.args.items()
    )
    return _lines(f'<invoke name="{call.name}">', *children, "</invoke>")


def tool_element(call: Called, pen: Pen) -> str:
    """Cline's form: an element named after the tool."""
    children = (f"<{key}>{pen.text(one)}</{key}>" for key, one in call.args.items())
    return _lines(f"<{call.name}>", *children, f"</{call.name}>")


def escaped_tool_element(call: Called, pen: Pen) -> str:
    children = (f"&lt;{key}&gt;{pen.text(one)}&lt;/{key}&gt;" for key, one in call.args.items())
    return _lines(f"&lt;{call.name}&gt;", *children, f"&lt;/{call.name}&gt;")


def glm(call: Called, pen: Pen) -> str:
    pairs = (
        f"<arg_key>{key}</arg_key>\n<arg_value>{pen.text(one)}</arg_value>"
        for key, one in call.args.items()
    )
    return _lines(f"<tool_call>{call.name}", *pairs, "</tool_call>")


def yaml_in_tag(call: Called, pen: Pen) -> str:
    shape = {"name": call.name, "arguments": dict(call.args)}
    body = yaml.safe_dump(shape, sort_keys=False, allow_unicode=True, width=1000)
    return f"<tool_call>\n{body}</tool_call>"


def react(calls: Sequence[Called], pen: Pen) -> str:
    return "\n".join(_action(call, pen) for call in calls)


def react_with_thoughts(calls: Sequence[Called], pen: Pen) -> str:
    return "\n".join(
        f"Thought: {pen.rng.choice(prose.THOUGHTS)}\n{_action(call, pen)}" for call in calls
    )


def _action(call: Called, pen: Pen) -> str:
    return f"Action: {call.name}\nAction Input: {pen.json(dict(call.args))}"


def _lines(*parts: str) -> str:
    return "\n".join(parts)
