"""A request for a chat completion. Content parts are passed on as they are.

The role `function` and `function_call` came before tools. A `custom` tool, which takes text,
becomes a function with one argument.
"""

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_toolemu.messages.call_extras import extras_in
from langchain_toolemu.messages.past_reasoning import REASONING_KEYS
from langchain_toolemu.serve import protocol
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.protocol import Fields
from langchain_toolemu.tools.choice import named_choice
from langchain_toolemu.tools.client_tools import text_tool
from langchain_toolemu.tools.specs import function_name

_ROLES = "'system', 'developer', 'user', 'assistant', 'tool', 'function'"
_FUNCTIONS = ("function", "custom")
# Fields that an assistant's message keeps besides its content.
_KEPT = (*REASONING_KEYS, "refusal", "audio")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest(protocol.ClientRequest):
    """A chat completion request, and what its answer depends on."""

    include_usage: bool = False  # whether a stream ends with the usage
    custom: frozenset[str] = frozenset()  # tools whose only argument is a text, answered as such
    legacy: bool = False  # whether the tools came as `functions`: a call is a `function_call`
    whole_calls: bool = False  # whether the client takes each streamed piece for a whole call


def read_request(raw: protocol.RawRequest) -> ChatRequest:
    """What a body asks for."""
    fields = Fields(raw.body)
    _refuse_unsupported(fields)
    options = fields.take_fields("stream_options")
    legacy = "functions" in fields.rest
    tools = _tools(fields, legacy)
    choice = fields.take("function_call" if legacy else "tool_choice", str, dict)
    messages = protocol.fields_of(fields.need("messages", list), "messages")
    if not messages:
        raise invalid("[] is too short - 'messages': send at least one.", "messages")
    legacy_ids: dict[str, str] = {}
    return ChatRequest(
        wire="openai_chat",
        messages=[_message(message, at, legacy_ids) for at, message in enumerate(messages)],
        tools=[_function(tool) for tool in tools if tool["type"] in _FUNCTIONS],
        built_ins=[tool for tool in tools if tool["type"] not in _FUNCTIONS],
        tool_choice=_choice(choice),
        parallel=False if legacy else fields.take("parallel_tool_calls", bool),
        response_format=_response_format(fields),
        stop=fields.take_texts("stop") or None,
        limit=fields.take_limit("max_completion_tokens", "max_tokens"),
        **fields.take_shared(),
        include_usage=bool(options.take("include_usage", bool)),
        custom=frozenset(tool["custom"]["name"] for tool in tools if tool["type"] == "custom"),
        legacy=legacy,
        whole_calls=raw.headers.get("user-agent", "").startswith("mistral-client"),
    )


def _refuse_unsupported(fields: Fields) -> None:
    if fields.take("n", int) not in (None, 1):
        raise invalid("This server gives one answer per request: n must be 1.", "n")
    modalities = fields.take_texts("modalities")
    if "audio" in modalities or "audio" in fields.rest:
        raise invalid("This server answers in text: audio is not supported.", "modalities")
    if modalities:
        fields.rest["modalities"] = modalities
    if fields.rest.get("logprobs") and (fields.rest.get("tools") or fields.rest.get("functions")):
        message = "logprobs are not supported with tools: the text is parsed for calls."
        raise invalid(message, "logprobs")


def _response_format(fields: Fields) -> dict[str, Any] | None:
    form = fields.take("response_format", dict)
    if form is None or form.get("type") == "text":
        return None
    if form.get("type") not in ("json_object", "json_schema"):
        message = "Supported values are: 'text', 'json_object', 'json_schema'."
        raise invalid(message, "response_format.type")
    if form["type"] == "json_schema":
        Fields(form, "response_format").need_fields("json_schema").need("schema", dict)
    return form


def _tools(fields: Fields, legacy: bool) -> list[dict[str, Any]]:
    if legacy:
        functions = fields.take_each("functions")
        for function in functions:
            function.need("name", str)
        return [{"type": "function", "function": function.body} for function in functions]
    tools = fields.take_each("tools")
    for tool in tools:
        if (kind := tool.need("type", str)) in _FUNCTIONS:
            inner = tool.need_fields(kind)
            inner.need("name", str)
        if kind == "custom":
            inner.take_fields("format").take("grammar", dict)
    return [tool.body for tool in tools]


def _function(tool: dict[str, Any]) -> dict[str, Any]:
    if tool["type"] == "function":
        return tool
    custom = tool["custom"]
    return text_tool(custom, (custom.get("format") or {}).get("grammar") or {})


def _choice(choice: Any) -> Any:
    """The choice as `bind_tools` takes it; a custom tool is a function here."""
    match choice:
        case {"type": "custom", "custom": {"name": str(name)}}:
            return named_choice(name)
        case {"type": "allowed_tools", "allowed_tools": {"tools": [*tools]} as allowed}:
            some = [_function(tool) if tool.get("type") == "custom" else tool for tool in tools]
            return {**choice, "allowed_tools": {**allowed, "tools": some}}
        case dict() if choice.get("type") in ("function", None) and (tool := function_name(choice)):
            return named_choice(tool)
    return choice


def _message(fields: Fields, at: int, legacy_ids: dict[str, str]) -> BaseMessage:
    """A message; a legacy result belongs to the last call of its function."""
    role = fields.need("role", str)
    match role:
        case "user":
            return HumanMessage(_content(fields), name=fields.take("name", str))
        case "assistant":
            return _assistant(fields, at, legacy_ids)
        case "system" | "developer":
            mark = {"__openai_role__": role} if role == "developer" else {}
            name = fields.take("name", str)
            return SystemMessage(_content(fields), name=name, additional_kwargs=mark)
        case "tool":
            return ToolMessage(_content(fields), tool_call_id=fields.need("tool_call_id", str))
        case "function":
            name = fields.need("name", str)
            return ToolMessage(_content(fields), tool_call_id=legacy_ids.get(name, name), name=name)
    raise invalid(f"Invalid value: '{role}'. Supported values are: {_ROLES}.", fields.place("role"))


def _assistant(fields: Fields, at: int, legacy_ids: dict[str, str]) -> AIMessage:
    calls = _calls(fields)
    if (legacy := fields.take_fields("function_call")).body:
        name = legacy.take("name", str) or ""
        legacy_ids[name] = f"function_{at}"  # such a call has no id
        calls.add(name, legacy.take("arguments", str, dict), legacy_ids[name])
    extra = {name: fields.rest[name] for name in _KEPT if name in fields.rest}
    extra |= extras_in(fields.body)
    # ChatOpenAI sends no refusals, and servers refuse a message that says nothing.
    content = _content(fields) or str(extra.get("refusal") or "")
    name_ = fields.take("name", str)
    return AIMessage(content, name=name_, additional_kwargs=extra, **vars(calls))


def _content(fields: Fields) -> Any:
    content: Any = fields.take("content", str, list)
    parts = content if isinstance(content, list) else []
    for part in protocol.fields_of(parts, fields.place("content")):
        if part.need("type", str) == "text":
            part.need("text", str)
    return content or ""


def _calls(fields: Fields) -> protocol.PastCalls:
    calls = protocol.PastCalls()
    for call in fields.take_each("tool_calls"):
        id_ = call.need("id", str)
        if call.take("type", str) == "custom":  # a tool whose only argument is a text
            custom = call.need_fields("custom")
            text = custom.take("input", str) or ""
            calls.add(custom.need("name", str), {"input": text}, id_)
        else:
            function = call.need_fields("function")
            arguments = function.take("arguments", str, dict)
            calls.add(function.need("name", str), arguments, id_)
    return calls
