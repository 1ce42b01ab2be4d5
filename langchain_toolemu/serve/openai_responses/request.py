"""A request for a response.

Nothing is stored, so whatever refers to something stored is refused. Fields that are taken have a line here; all others are
OpenAI's own and go to an upstream that speaks the same protocol as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import SystemMessage

from langchain_toolemu.serve.ask import Ask, named
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.fields import Fields
from langchain_toolemu.serve.openai_responses.items import read_input
from langchain_toolemu.serve.request_settings import FIELD, read_settings

_STORED = ("previous_response_id", "conversation", "prompt")
_STATELESS = ("store", "stream_options")
"""Taken and left: nothing is stored, and what a stream may leave out is not there."""


@dataclass(frozen=True, slots=True)
class ResponseRequest:
    """A request, and what its answer repeats of it.

    Attributes:
        ask: What is asked for.
        echoed: The fields of the response that are the request's own.
        custom: The names of tools whose only argument is a text, and whose calls are answered as such.
    """

    ask: Ask
    echoed: Mapping[str, Any]
    custom: frozenset[str] = frozenset()


def read_request(body: Mapping[str, Any]) -> ResponseRequest:
    """What a body asks for.

    Raises:
        RequestError: It cannot be served as it is.
    """
    fields = Fields(body)
    _refuse(fields)
    for name in ("reasoning", "text", "metadata"):
        Fields(fields.rest.get(name) or {}, name)
    echoed = _echoed(fields.rest)
    tools = _tools(fields)
    instructions = fields.take("instructions", str)
    ask = Ask(
        wire="openai_responses",
        model=fields.need("model", str),
        messages=[
            *([SystemMessage(instructions)] if instructions else ()),
            *read_input(fields.need("input", str, list)),
        ],
        tools=[tool for tool in map(_function, tools) if tool],
        built_ins=[tool for tool in tools if not _function(tool)],
        tool_choice=_choice(fields.take("tool_choice", str, dict)),
        parallel=fields.take("parallel_tool_calls", bool),
        response_format=_form(fields),
        limit=_limit(fields),
        sampling=_sampling(fields),
        stream=bool(fields.take("stream", bool)),
        settings=read_settings(fields.rest.pop(FIELD, None)),
        own=fields.rest,
    )
    custom = frozenset(str(tool["name"]) for tool in tools if _is_text_tool(tool))
    return ResponseRequest(ask, echoed, custom)


def _refuse(fields: Fields) -> None:
    for name in _STORED:
        if name in fields.rest:
            raise invalid(
                f"'{name}' is not supported: this server stores nothing. Send the whole conversation as 'input'.",
                name,
                "unsupported_parameter",
            )
    if fields.take("background", bool):
        raise invalid(
            "'background' is not supported: this server stores nothing.",
            "background",
            "unsupported_parameter",
        )
    for name in _STATELESS:
        fields.rest.pop(name, None)


def _echoed(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a response says of its request, with OpenAI's defaults."""
    return {
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "max_tool_calls": body.get("max_tool_calls"),
        "metadata": body.get("metadata") or {},
        "parallel_tool_calls": body.get("parallel_tool_calls", True),
        "previous_response_id": None,
        "prompt_cache_key": body.get("prompt_cache_key"),
        "reasoning": {"effort": None, "summary": None, **(body.get("reasoning") or {})},
        "safety_identifier": body.get("safety_identifier"),
        "service_tier": "default",
        "store": False,
        "temperature": body.get("temperature", 1.0),
        "text": {"format": {"type": "text"}, **(body.get("text") or {})},
        "tool_choice": body.get("tool_choice", "auto"),
        "tools": body.get("tools") or [],
        "top_logprobs": body.get("top_logprobs", 0),
        "top_p": body.get("top_p", 1.0),
        "truncation": body.get("truncation", "disabled"),
        "user": body.get("user"),
    }


# --- tools ---


def _tools(fields: Fields) -> list[dict[str, Any]]:
    tools = fields.take("tools", list) or []
    for at, tool in enumerate(tools):
        one = Fields(tool, f"tools[{at}]")
        if one.need("type", str) in ("function", "custom"):
            one.need("name", str)
    return tools


def _function(tool: Mapping[str, Any]) -> dict[str, Any] | None:
    """A tool as a function that can be called in text; `None` for a provider's own."""
    if _is_text_tool(tool):
        parameters = {
            "type": "object",
            "properties": {"input": {"type": "string"}},
            "required": ["input"],
        }
        described = {"name": tool["name"], "description": _described(tool)}
        return {"type": "function", "function": {**described, "parameters": parameters}}
    if tool["type"] != "function":
        return None
    names = ("name", "description", "parameters", "strict")
    function = {name: tool[name] for name in names if tool.get(name) is not None}
    return {"type": "function", "function": function}


def _is_text_tool(tool: Mapping[str, Any]) -> bool:
    """Whether a tool takes one text instead of arguments."""
    return bool(tool["type"] == "custom")


def _described(tool: Mapping[str, Any]) -> str:
    """What a tool for texts is for, and the grammar that its text must follow: it can only be asked for."""
    form = tool.get("format") or {}
    said = str(tool.get("description") or "")
    if not form.get("definition"):
        return said
    return f"{said}\nThe input follows this grammar ({form.get('syntax')}):\n{form['definition']}"


def _choice(choice: Any) -> Any:
    """The choice as `bind_tools` takes it; one of a provider's own tools as it is."""
    if isinstance(choice, dict) and choice.get("type") in ("function", "custom"):
        return named(str(choice.get("name") or ""))
    return choice


# --- the rest ---


def _form(fields: Fields) -> dict[str, Any] | None:
    """The form of the answer; what else `text` says is OpenAI's own."""
    text = dict(fields.take("text", dict) or {})
    form = text.pop("format", None) or {"type": "text"}
    if text:
        fields.rest["text"] = text
    match form.get("type"):
        case "text":
            return None
        case "json_object":
            return {"type": "json_object"}
        case "json_schema":
            one = Fields(form, "text.format")
            names = ("name", "description", "strict")
            described = {name: form[name] for name in names if form.get(name) is not None}
            schema = one.need("schema", dict)
            return {"type": "json_schema", "json_schema": {**described, "schema": schema}}
    raise invalid("Supported values are: 'text', 'json_object', 'json_schema'.", "text.format.type")


def _limit(fields: Fields) -> tuple[str, int] | None:
    most = fields.take("max_output_tokens", int)
    return None if most is None else ("max_output_tokens", most)


def _sampling(fields: Fields) -> dict[str, Any]:
    given = {name: fields.take(name, float) for name in ("temperature", "top_p")}
    return {name: value for name, value in given.items() if value is not None}
