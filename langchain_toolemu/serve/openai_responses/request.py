"""A request for a response.

- A response and its items are stored for references, unless `store` is false. A reference to what
  is not stored is refused.
- Calls, text and reasoning of one turn are input items of their own, and one message here. Calls
  of OpenAI's built-in tools, and what came of them, are a user's words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_toolemu.messages.content import (
    Content,
    all_words_in,
    blocks_of,
    simplest,
    write_json,
)
from langchain_toolemu.serve import protocol
from langchain_toolemu.serve.answer import reasoning_text
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.item_store import ClientItems
from langchain_toolemu.serve.openai_responses.tool_names import SEARCH, KnownTool, ToolNames
from langchain_toolemu.serve.protocol import Fields
from langchain_toolemu.tools.choice import named_choice
from langchain_toolemu.tools.client_tools import text_tool

_UNSUPPORTED = "unsupported_parameter"
_TOOL_ITEMS = (f"{SEARCH}_output", "additional_tools")
_IMAGE_DATA = ("image_generation_call", "result")
_TEXTS = ("input_text", "output_text", "text", "summary_text", "reasoning_text")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseRequest(protocol.ClientRequest):
    """A request, and what its answer repeats of it."""

    echoed: Mapping[str, Any]  # the fields of the response that are the request's own
    known: Mapping[str, KnownTool]  # the tools as the client knows them, by the names offered
    own_items: Sequence[Any]  # the items of this request, without earlier ones
    items: ClientItems

    def keep(self, response: Mapping[str, Any]) -> None:
        """Store a response, if it is to be stored."""
        if not self.echoed["store"]:
            return
        output = {item["id"]: item for item in response["output"]}
        references = [{"type": "item_reference", "id": id_} for id_ in output]
        before = self.echoed["previous_response_id"]
        # Tools and instructions are long, and the same each time.
        kept = {**response, "output": [], "tools": [], "instructions": None}
        record = {"previous": before, "items": [*self.own_items, *references]}
        record |= {"given": len(self.own_items), "response": kept}
        for id_, value in {**output, response["id"]: record}.items():
            self.items.add(id_, value)


def read_request(raw: protocol.RawRequest) -> ResponseRequest:
    """What a body asks for."""
    fields = Fields(raw.body)
    _refuse_stored(fields)
    store, previous = fields.take("store", bool), fields.take("previous_response_id", str)
    fields.rest.pop("stream_options", None)  # there is nothing that a stream could leave out
    for name in ("reasoning", "text", "metadata"):
        Fields(fields.rest.get(name) or {}, name)
    stored = store is not False and raw.items.is_enabled
    echoed = {**_echo(fields.rest), "store": stored, "previous_response_id": previous}
    instructions = fields.take("instructions", str)
    given = fields.need("input", str, list)
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    items = [*items_before(previous, raw.items), *expand_items(given, raw.items)]
    if not items:
        raise invalid("[] is too short - 'input': send at least one item.", "input")
    names = ToolNames()
    tools = _tools(fields, items, names)
    reader = _ItemReader(names)
    for item in items:
        reader.read(item)
    system = [SystemMessage(instructions)] if instructions else []
    return ResponseRequest(
        wire="openai_responses",
        messages=[*system, *reader.end()],
        tools=[tool for tool in map(_function, tools) if tool],
        built_ins=[tool for tool in tools if not _function(tool)],
        tool_choice=_choice(fields.take("tool_choice", str, dict), names),
        parallel=fields.take("parallel_tool_calls", bool),
        response_format=_response_format(fields),
        limit=fields.take_limit("max_output_tokens"),
        **fields.take_shared(),
        echoed=echoed,
        own_items=given,
        items=raw.items,
        known=names.known,
        dropped=[f"input.{kind}" for kind in dict.fromkeys(reader.dropped)],
    )


def _refuse_stored(fields: Fields) -> None:
    for name in ("conversation", "prompt"):
        if name in fields.rest:
            message = f"'{name}' is not supported. Send the whole conversation as 'input'."
            raise invalid(message, name, _UNSUPPORTED)
    if fields.take("background", bool):
        raise invalid("'background' is not supported: leave it out.", "background", _UNSUPPORTED)


def items_before(response: str | None, kept: ClientItems) -> Iterator[Fields]:
    """All items up to a response, from the first one on."""
    place = "previous_response_id"
    records = []
    while response:
        records.append(_find(response, "Previous response", place, kept))
        response = records[-1]["previous"]
    for record in reversed(records):
        yield from expand_items(record["items"], kept, place)


def expand_items(given: Sequence[Any], kept: ClientItems, origin: str = "") -> Iterator[Fields]:
    """The items instead of references; `origin` is the field that refers to them all."""
    for at, value in enumerate(given):
        item = Fields(value, origin or f"input[{at}]")
        # The type of a reference may be left out.
        if item.rest.get("type") == "item_reference" or item.rest.keys() == {"id"}:
            param = origin or item.place("id")
            item = Fields(_find(item.need("id", str), "Item", param, kept), item.path)
        yield item


def _find(id_: str, kind: str, param: str, kept: ClientItems) -> Any:
    found = kept.find(id_)
    if found is None or (kind == "Item") == ("previous" in found):
        message = f"{kind} with id '{id_}' not found: it was not stored, or has expired."
        message += " Send the whole conversation."
        raise invalid(message, param, "previous_response_not_found")
    return found


def _echo(body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a response that repeat its request, with OpenAI's defaults."""
    return {
        **{name: body.get(name, default) for name, default in _ECHOED.items()},
        "reasoning": {"effort": None, "summary": None, **(body.get("reasoning") or {})},
        "service_tier": "default",
        "text": {"format": {"type": "text"}, **(body.get("text") or {})},
    }


_ECHOED: Mapping[str, Any] = {
    "instructions": None, "max_output_tokens": None, "max_tool_calls": None, "metadata": {},
    "parallel_tool_calls": True, "prompt_cache_key": None, "safety_identifier": None,
    "temperature": 1.0, "tool_choice": "auto", "tools": [], "top_logprobs": 0, "top_p": 1.0,
    "truncation": "disabled", "user": None,
}  # fmt: skip


def _response_format(fields: Fields) -> dict[str, Any] | None:
    """The form of the answer; the rest of `text` is OpenAI's own."""
    text = fields.take_fields("text").rest
    form = Fields(text.pop("format", None) or {"type": "text"}, "text.format")
    # ChatOpenAI writes the verbosity beside the form.
    fields.rest |= {key if key == "verbosity" else f"text.{key}": text[key] for key in text}
    match form.rest.get("type"):
        case "text":
            return None
        case "json_object":
            return {"type": "json_object"}
        case "json_schema":
            described = _given_fields(form.rest, "name", "description", "strict")
            described["schema"] = form.need("schema", dict)
            return {"type": "json_schema", "json_schema": described}
    raise invalid("Supported values are: 'text', 'json_object', 'json_schema'.", "text.format.type")


def _given_fields(given: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: given[name] for name in names if given.get(name) is not None}


def _tools(fields: Fields, items: Sequence[Fields], names: ToolNames) -> list[dict[str, Any]]:
    """The tools of the request and of its items: Codex adds tools there, and searches find some."""
    found: list[Fields] = []
    for item in items:
        if item.body.get("type") in _TOOL_ITEMS:
            found += Fields(item.body, item.path).take_each("tools")
    return names.offer(fields.take_each("tools"), found)


def _function(tool: Mapping[str, Any]) -> dict[str, Any] | None:
    """A tool as a function; `None` for a provider's own."""
    match tool["type"]:
        case "function":
            function = _given_fields(tool, "name", "description", "parameters", "strict")
            return {"type": "function", "function": function}
        case "custom":
            return text_tool(tool, tool.get("format") or {})
    return None


def _choice(choice: Any, names: ToolNames) -> Any:
    """The choice as `bind_tools` takes it; a provider's own tool stays as it is."""
    if isinstance(choice, dict) and choice.get("type") in ("function", "custom"):
        name, space = str(choice.get("name") or ""), str(choice.get("namespace") or "")
        return named_choice(names.choose(name, space))
    return choice


class _ItemReader:
    """Reads items; what an assistant says and calls is one message until another one speaks."""

    def __init__(self, names: ToolNames) -> None:
        self._names = names
        self.dropped: list[str] = []  # types of items that nothing is sent of
        self._messages: list[BaseMessage] = []
        self._texts: list[Any] = []
        self._calls = protocol.PastCalls()
        self._reasoning = ""

    def read(self, fields: Fields) -> None:
        match fields.take("type", str) or "message":
            case "message":
                self._message(fields)
            case "function_call" | "custom_tool_call":
                id_, name = fields.need("call_id", str), fields.need("name", str)
                text = fields.take("input", str)
                given = {"input": text} if text is not None else fields.take("arguments", str)
                kind = "function" if text is None else "custom"
                tool = KnownTool(kind, name, fields.take("namespace", str) or "")
                self._calls.add(self._names.flat(tool), given, id_)
            case "function_call_output" | "custom_tool_call_output":
                id_ = fields.need("call_id", str)
                self.end().append(ToolMessage(_content(fields, "output"), tool_call_id=id_))
            case "tool_search_call" if call_id := fields.take("call_id", str):
                name = self._names.flat(KnownTool(SEARCH, SEARCH))
                self._calls.add(name, fields.take("arguments", dict, str), call_id)
            case "tool_search_output" if call_id := fields.take("call_id", str):
                found = self._names.flat_names(fields.take_each("tools"))
                self.end().append(ToolMessage(write_json(found), tool_call_id=call_id))
            case "reasoning":
                self._reasoning += reasoning_text(fields.body)
            case kind if kind.endswith("_list_tools"):
                self.dropped.append(kind)
            case kind if not kind.endswith(_TOOL_ITEMS):
                self._carry(kind, fields)

    def _carry(self, kind: str, fields: Fields) -> None:
        """Carry an item that only OpenAI knows, such as a built-in tool's call, as a user's."""
        shown = {key: value for key, value in fields.rest.items() if (kind, key) != _IMAGE_DATA}
        words = [*all_words_in(shown)]
        if not words and kind.endswith("_call"):
            self.dropped.append(kind)
            return
        if not words:
            message = f"Items of type '{kind}' are not supported. Leave it out, or send its text."
            raise invalid(message, fields.place("type"), _UNSUPPORTED)
        self.end().append(HumanMessage("\n".join([f"[{kind}]", *words])))

    def end(self) -> list[BaseMessage]:
        """All messages, with what the assistant said and called since somebody else spoke."""
        if self._texts or self._calls.tool_calls or self._calls.invalid_tool_calls:
            text = simplest(self._texts)
            self._messages.append(protocol.assistant_message(text, self._calls, self._reasoning))
        self._texts, self._calls, self._reasoning = [], protocol.PastCalls(), ""
        return self._messages

    def _message(self, fields: Fields) -> None:
        role, content = fields.need("role", str), _content(fields, "content")
        match role:
            case "assistant":
                self._texts += blocks_of(content)
            case "user":
                self.end().append(HumanMessage(content))
            case "system" | "developer":
                self.end().append(SystemMessage(content))
            case _:
                raise invalid(f"Invalid value: '{role}'.", fields.place("role"))


def _content(fields: Fields, name: str) -> Content:
    content: str | list[Any] | None = fields.take(name, str, list)  # type: ignore[assignment]
    if not isinstance(content, list):
        return content or ""
    parts = protocol.fields_of(content, fields.place(name))
    return simplest([_block(part.body, part.path) for part in parts])


def _block(part: Mapping[str, Any], place: str) -> dict[str, Any]:
    match part.get("type"):
        case kind if kind in _TEXTS:
            return {"type": "text", "text": str(part.get("text") or "")}
        case "refusal":
            return {"type": "text", "text": str(part.get("refusal") or "")}
        case "input_image":
            if not isinstance(url := part.get("image_url"), str):
                raise invalid("An image needs an 'image_url'.", f"{place}.image_url")
            detail = {"detail": part["detail"]} if part.get("detail") else {}
            return {"type": "image_url", "image_url": {"url": url, **detail}}
        case "input_file":
            file = _given_fields(part, "file_data", "file_id", "filename")
            if isinstance(url := part.get("file_url"), str):
                return {"type": "file", "url": url}  # some upstreams refuse it
            if file.keys() <= {"filename"}:
                raise invalid("A file needs 'file_data', 'file_id' or 'file_url'.", place)
            return {"type": "file", "file": file}
        case "input_audio":
            return dict(part)
        case kind:
            raise invalid(f"Invalid value: '{kind}'.", f"{place}.type")
