"""A request for a chat completion.

Fields that are taken have a line here; `n` and audio are refused where they ask for what a text cannot be. All others are
OpenAI's own, or its server's, and go to an upstream that speaks the same protocol as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.serve.ask import Ask, named
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.fields import Fields
from langchain_toolemu.serve.openai_chat.messages import read_messages
from langchain_toolemu.serve.request_settings import FIELD, read_settings
from langchain_toolemu.tools.specs import function_name

_LIMITS = ("max_completion_tokens", "max_tokens")


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request, and what its answer depends on.

    Attributes:
        ask: What is asked for.
        include_usage: Whether a stream ends with the usage.
        legacy: Whether calls are answered as `function_call`, since the tools came as `functions`.
    """

    ask: Ask
    include_usage: bool = False
    legacy: bool = False


def read_request(body: Mapping[str, Any]) -> ChatRequest:
    """What a body asks for.

    Raises:
        RequestError: It cannot be served as it is.
    """
    fields = Fields(body)
    _refuse(fields)
    options = Fields(fields.take("stream_options", dict) or {}, "stream_options")
    legacy = "functions" in fields.rest
    tools = _legacy_tools(fields) if legacy else _tools(fields)
    choice = fields.take("function_call" if legacy else "tool_choice", str, dict)
    ask = Ask(
        wire="openai_chat",
        model=fields.need("model", str),
        messages=read_messages(fields.need("messages", list)),
        tools=[tool for tool in tools if tool["type"] == "function"],
        built_ins=[tool for tool in tools if tool["type"] != "function"],
        tool_choice=_choice(choice),
        parallel=False if legacy else fields.take("parallel_tool_calls", bool),
        response_format=_form(fields),
        stop=fields.take_texts("stop") or None,
        limit=_limit(fields),
        sampling=_sampling(fields),
        stream=bool(fields.take("stream", bool)),
        settings=read_settings(fields.rest.pop(FIELD, None)),
        own=fields.rest,
    )
    return ChatRequest(ask, bool(options.take("include_usage", bool)), legacy)


def _refuse(fields: Fields) -> None:
    if fields.take("n", int) not in (None, 1):
        raise invalid("This server gives one answer a request: n must be 1.", "n")
    modalities = fields.take_texts("modalities")
    if "audio" in modalities or "audio" in fields.rest:
        raise invalid("This server answers in text: audio cannot be asked for.", "modalities")
    if modalities:
        fields.rest["modalities"] = modalities
    if fields.rest.get("logprobs") and (fields.rest.get("tools") or fields.rest.get("functions")):
        raise invalid(
            "Log probabilities cannot be given where tools are offered: the text is read for calls.",
            "logprobs",
        )


def _sampling(fields: Fields) -> dict[str, Any]:
    given = {name: fields.take(name, float) for name in ("temperature", "top_p")}
    return {name: value for name, value in given.items() if value is not None}


def _limit(fields: Fields) -> tuple[str, int] | None:
    given = [(name, fields.take(name, int)) for name in _LIMITS]
    return next(((name, value) for name, value in given if value is not None), None)


def _form(fields: Fields) -> dict[str, Any] | None:
    form = fields.take("response_format", dict)
    if form is None or form.get("type") == "text":
        return None
    if form.get("type") not in ("json_object", "json_schema"):
        raise invalid(
            "Supported values are: 'text', 'json_object', 'json_schema'.", "response_format.type"
        )
    if form["type"] == "json_schema":
        schema = Fields(form, "response_format").need("json_schema", dict)
        Fields(schema, "response_format.json_schema").need("schema", dict)
    return form


def _tools(fields: Fields) -> list[dict[str, Any]]:
    tools = fields.take("tools", list) or []
    for at, tool in enumerate(tools):
        one = Fields(tool, f"tools[{at}]")
        if one.need("type", str) == "function":
            Fields(one.need("function", dict), f"tools[{at}].function").need("name", str)
    return tools


def _legacy_tools(fields: Fields) -> list[dict[str, Any]]:
    functions = fields.take("functions", list) or []
    for at, function in enumerate(functions):
        Fields(function, f"functions[{at}]").need("name", str)
    return [{"type": "function", "function": function} for function in functions]


def _choice(choice: Any) -> Any:
    """The choice as `bind_tools` takes it; one of a provider's own tools as it is."""
    if not isinstance(choice, dict) or choice.get("type") not in ("function", None):
        return choice
    name = function_name(choice)
    return named(name) if name else choice
