"""A request for a message.

Fields that are taken have a line here. All others are Anthropic's own and go to an upstream that speaks the same protocol
as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.serve.anthropic_messages.messages import read_messages, read_system
from langchain_toolemu.serve.ask import Ask, named
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.fields import Fields
from langchain_toolemu.serve.request_settings import FIELD, read_settings

_EAGER = "fine-grained-tool-streaming"
"""The beta by which a client asks to be sent a call's input while it is written, be it whole or not."""

_FORM_NAME = "answer"


@dataclass(frozen=True, slots=True)
class MessagesRequest:
    """A request, and what its answer depends on.

    Attributes:
        ask: What is asked for.
        shows_thoughts: Whether the client asked for the model's reasoning.
        eager: Whether calls are streamed while they are written; else each is sent when it is whole.
    """

    ask: Ask
    shows_thoughts: bool = False
    eager: bool = False


def read_request(
    body: Mapping[str, Any], betas: str = "", *, verbatim: bool = False, counting: bool = False
) -> MessagesRequest:
    """What a body asks for.

    Args:
        body: The request.
        betas: The header `anthropic-beta`.
        verbatim: Whether the upstream speaks this protocol.
        counting: Whether tokens are to be counted, so that no limit is needed.

    Raises:
        RequestError: It cannot be served as it is.
    """
    fields = Fields(body)
    tools = _tools(fields)
    choice = Fields(fields.take("tool_choice", dict) or {}, "tool_choice")
    single = choice.take("disable_parallel_tool_use", bool)
    system = fields.take("system", str, list)
    thinking = fields.rest.get("thinking")
    ask = Ask(
        wire="anthropic_messages",
        model=fields.need("model", str),
        messages=[
            *read_system(system, verbatim=verbatim),
            *read_messages(fields.need("messages", list), verbatim=verbatim),
        ],
        tools=[_plain(tool) for tool in tools if _is_function(tool)],
        built_ins=[tool for tool in tools if not _is_function(tool)],
        tool_choice=_choice(choice),
        parallel=None if single is None else not single,
        response_format=_form(fields),
        stop=fields.take_texts("stop_sequences") or None,
        limit=_limit(fields, counting=counting),
        sampling=_sampling(fields),
        stream=bool(fields.take("stream", bool)),
        settings=read_settings(fields.rest.pop(FIELD, None)),
        own=fields.rest,
    )
    asked = isinstance(thinking, Mapping) and thinking.get("type") in ("enabled", "adaptive")
    return MessagesRequest(ask, asked, _is_eager(tools, betas))


def _is_function(tool: Mapping[str, Any]) -> bool:
    """Whether a tool is the client's own and says what it takes; a provider's is known by its type."""
    return tool.get("type") in (None, "custom")


def _plain(tool: Mapping[str, Any]) -> dict[str, Any]:
    """A tool without its type: `custom` is another thing in OpenAI's protocol."""
    return {"description": "", **{key: tool[key] for key in tool if key != "type"}}


def _tools(fields: Fields) -> list[dict[str, Any]]:
    tools = fields.take("tools", list) or []
    for at, tool in enumerate(tools):
        one = Fields(tool, f"tools.{at}")
        if _is_function(tool):
            one.need("name", str)
            one.need("input_schema", dict)
    return tools


def _is_eager(tools: list[dict[str, Any]], betas: str) -> bool:
    said = [tool.get("eager_input_streaming") for tool in tools]
    return False not in said and (True in said or _EAGER in betas)


def _choice(choice: Fields) -> Any:
    """The choice as `bind_tools` takes it."""
    kind = choice.take("type", str)
    match kind:
        case None | "auto" | "any" | "none":
            return kind
        case "tool":
            return named(choice.need("name", str))
    raise invalid(
        "tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'", "tool_choice.type"
    )


def _limit(fields: Fields, *, counting: bool) -> tuple[str, int] | None:
    if counting:
        return None
    most = fields.take("max_tokens", int)
    if most is None or most < 1:
        said = "Field required" if most is None else "Input should be greater than or equal to 1"
        raise invalid(f"max_tokens: {said}", "max_tokens")
    return "max_tokens", most


def _sampling(fields: Fields) -> dict[str, Any]:
    given = {name: fields.take(name, float) for name in ("temperature", "top_p")}
    return {name: value for name, value in given.items() if value is not None}


def _form(fields: Fields) -> dict[str, Any] | None:
    """The form of the answer, which newer clients ask for in `output_config` and older ones in `output_format`."""
    config = dict(fields.take("output_config", dict) or {})
    form = config.pop("format", None) or fields.take("output_format", dict)
    if config:
        fields.rest["output_config"] = config
    if form is None:
        return None
    schema = Fields(form, "output_config.format").need("schema", dict)
    name = str(schema.get("title") or _FORM_NAME)
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema}}
