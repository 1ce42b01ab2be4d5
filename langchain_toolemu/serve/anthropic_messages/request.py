"""A request for a message of Anthropic's protocol.

- Tool results are part of a user's message there, and messages of their own here, before its rest.
- For an upstream with the same protocol, blocks stay as they are. For any other they become
  LangChain's own; blocks that only Anthropic knows become their words, and those without words are
  refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import ToolCall, tool_call

from langchain_toolemu.messages.content import all_words_in, is_reasoning, simplest
from langchain_toolemu.serve import protocol
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.protocol import Fields
from langchain_toolemu.tools.choice import named_choice
from langchain_toolemu.tools.client_tools import client_functions

# The beta with which a client asks for a call's input while it is written.
_EAGER = "fine-grained-tool-streaming"
# What is sent of a tool: for `input_examples`, ChatAnthropic would add a header.
_OF_TOOLS = (
    "name", "description", "input_schema", "strict", "cache_control", "eager_input_streaming",
    "defer_loading",
)  # fmt: skip
# Blocks of a user's message or a result that other providers understand, too.
_TRANSLATED = {"text", "image", "document", "search_result", "tool_reference"}
Blocks = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesRequest(protocol.ClientRequest):
    """A request, and what its answer depends on."""

    shows_reasoning: bool = False  # whether the client asked for it
    eager: bool = False  # whether a call is streamed while it is written, not when it is complete


def read_request(raw: protocol.RawRequest) -> MessagesRequest:
    """What a body asks for."""
    fields = Fields(raw.body)
    if "thread" in fields.rest:  # clients then send the whole conversation
        message = "thread: This server keeps no conversations. Send all messages."
        raise invalid(message, "thread", "thread_unsupported_request")
    tools = _tools(fields)
    functions = [tool for tool in tools if _is_function(tool)]
    unknown = dict.fromkeys(key for tool in functions for key in tool if key not in _OF_TOOLS)
    eager = [tool.get("eager_input_streaming") for tool in tools]
    thinking = fields.rest.get("thinking")
    choice = fields.take_fields("tool_choice")
    single = choice.take("disable_parallel_tool_use", bool)
    return MessagesRequest(
        wire="anthropic_messages",
        messages=_read_messages(fields, _MessageReader(raw.verbatim)),
        # The type `custom` means something else in OpenAI's protocol.
        tools=[
            {"description": "", **{key: tool[key] for key in _OF_TOOLS if key in tool}}
            for tool in functions
        ],
        built_ins=[tool for tool in tools if not _is_function(tool)],
        client_functions=client_functions(tools),
        tool_choice=_choice(choice),
        parallel=None if single is None else not single,
        response_format=_response_format(fields),
        stop=fields.take_texts("stop_sequences") or None,
        limit=("max_tokens", _limit(fields)),
        **fields.take_shared(),
        shows_reasoning=isinstance(thinking, Mapping)
        and thinking.get("type") in ("enabled", "adaptive"),
        eager=False not in eager
        and (True in eager or _EAGER in raw.headers.get("anthropic-beta", "")),
        dropped=[f"tools.{key}" for key in unknown if key != "type"],
    )


def _is_function(tool: Mapping[str, Any]) -> bool:
    """Whether a tool is the client's own, with a schema; a provider's is known by its type."""
    return tool.get("type") in (None, "custom")


def _tools(fields: Fields) -> list[dict[str, Any]]:
    tools = fields.take("tools", list) or []
    for at, tool in enumerate(tools):
        described = Fields(tool, f"tools.{at}")
        if _is_function(tool):
            described.need("name", str)
            described.need("input_schema", dict)
    return tools


def _choice(choice: Fields) -> Any:
    kind = choice.take("type", str)
    match kind:
        case None | "auto" | "any" | "none":
            return kind
        case "tool":
            return named_choice(choice.need("name", str))
    place = "tool_choice.type"
    raise invalid(f"{place}: Input should be 'auto', 'any', 'tool' or 'none'", place)


def _limit(fields: Fields) -> int:
    most = fields.take("max_tokens", int)
    if most is None or most < 1:
        problem = "Field required" if most is None else "Input should be greater than or equal to 1"
        raise invalid(f"max_tokens: {problem}", "max_tokens")
    return most


def _response_format(fields: Fields) -> dict[str, Any] | None:
    """The form of the answer: newer clients have `output_config`, older ones `output_format`."""
    config = dict(fields.take("output_config", dict) or {})
    form = config.pop("format", None) or fields.take("output_format", dict)
    fields.rest |= {"output_config": config} if config else {}
    if form is None:
        return None
    return protocol.schema_format(Fields(form, "output_config.format").need("schema", dict))


def _read_messages(fields: Fields, reader: "_MessageReader") -> list[BaseMessage]:
    system = fields.take("system", str, list)
    messages: list[BaseMessage] = [SystemMessage(reader.system(system, "system"))] if system else []
    given = fields.need("messages", list)
    if not given:
        raise invalid("messages: at least one message is required", "messages")
    for at, message in enumerate(given):
        messages += reader.read(Fields(message, f"messages.{at}"))
    return messages


class _MessageReader:
    def __init__(self, verbatim: bool) -> None:
        self._verbatim = verbatim  # whether blocks stay as they are

    def read(self, fields: Fields) -> Iterator[BaseMessage]:
        role, content = fields.need("role", str), fields.need("content", str, list)
        place = fields.place("content")
        if role == "system":
            yield SystemMessage(self.system(_as_blocks(content), place))
            return
        blocks = _blocks(_as_blocks(content), place)
        if role not in ("user", "assistant"):
            place = fields.place("role")
            raise invalid(f"{place}: Input should be 'user' or 'assistant'", place)
        yield from (self._user if role == "user" else self._assistant)(blocks)

    def system(self, content: str | Sequence[Any], place: str) -> Any:
        """The content of the system: only texts, as other blocks may hold anybody's words."""
        if isinstance(content, str):
            return content
        blocks = _blocks(content, place)
        _refuse([block for block in blocks if block["type"] != "text"], place)
        return self._content(blocks)

    def _user(self, blocks: Blocks) -> Iterator[BaseMessage]:
        rest = [block for block in blocks if block["type"] != "tool_result"]
        for block in blocks:
            if block["type"] == "tool_result":
                yield self._result(block)
        if rest or not blocks:
            yield HumanMessage(self._checked_content(rest))

    def _result(self, block: Mapping[str, Any]) -> ToolMessage:
        content = block.get("content")
        if isinstance(content, list):
            content = self._checked_content(_blocks(content, "tool_result.content"))
        return ToolMessage(
            content if isinstance(content, list) else str(content or ""),
            tool_call_id=str(block.get("tool_use_id") or ""),
            status="error" if block.get("is_error") else "success",
        )

    def _assistant(self, blocks: Blocks) -> Iterator[BaseMessage]:
        """An assistant's message; results of the provider's tools precede it, as a user's words."""
        calls = [_call(block) for block in blocks if block["type"] == "tool_use"]
        if self._verbatim:
            yield AIMessage(list(blocks), tool_calls=calls)
            return
        thoughts = (block.get("thinking") for block in blocks if is_reasoning(block))
        rest = [
            block for block in blocks if block["type"] != "tool_use" and not is_reasoning(block)
        ]
        texts = [block for block in rest if block["type"] in _TRANSLATED]
        foreign = [block for block in rest if block["type"] not in _TRANSLATED]
        # A compaction without content has failed.
        shown = [
            block for block in foreign if block["type"] != "compaction" or block.get("content")
        ]
        if found := self._checked_content(shown):
            yield HumanMessage(found)
        if texts or calls or not foreign:
            reasoning = "".join(str(thought or "") for thought in thoughts)
            past = protocol.PastCalls(calls)
            yield protocol.assistant_message(self._content(texts), past, reasoning)

    def _checked_content(self, blocks: Blocks) -> Any:
        """The content of a user or a tool; a block that only Anthropic knows needs words."""
        if not self._verbatim:
            unknown = [block for block in blocks if block["type"] not in _TRANSLATED]
            _refuse([block for block in unknown if not any(all_words_in(block))], "messages")
        return self._content(blocks)

    def _content(self, blocks: Blocks) -> Any:
        if self._verbatim:
            return list(blocks)
        return simplest([ours for block in blocks for ours in _translate(block)])


def _refuse(blocks: Blocks, place: str) -> None:
    if names := ", ".join(sorted({str(block["type"]) for block in blocks})):
        raise invalid(f"{place}: blocks that only Anthropic's own servers take: {names}", place)


def _as_blocks(content: str | Sequence[Any]) -> Sequence[Any]:
    return [_text(content)] if isinstance(content, str) else content


def _blocks(blocks: Sequence[Any], place: str) -> Blocks:
    for at, block in enumerate(blocks):
        fields = Fields(block, f"{place}.{at}")
        if fields.need("type", str) == "text":
            fields.need("text", str)
    return blocks


def _call(block: Mapping[str, Any]) -> ToolCall:
    given = block.get("input")
    args = given if isinstance(given, dict) else {}
    protocol.check_arguments(args)
    return tool_call(name=str(block.get("name") or ""), args=args, id=str(block.get("id") or ""))


def _translate(block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A block as LangChain's own, which all integrations know; of an unknown kind the words."""
    match block:
        case {"type": "text", "text": text}:
            yield _text(text)
        case {"type": "image"}:
            yield {
                "type": "image",
                **_data(Fields(block, "messages.content").take_fields("source")),
            }
        case {"type": "document"}:
            yield from _document(block)
        case {"type": "tool_reference"}:
            yield _text(f"[tool: {block.get('tool_name')}]")
        case _:
            yield _text("\n".join([f"[{block['type']}]", *all_words_in(block)]))


def _document(block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a document holds: its title and what is said about it come first."""
    fields = Fields(block, "messages.content")
    source, title = fields.take_fields("source"), fields.take("title", str)
    head = [fields.take("context", str)]
    if source.body.get("type") in ("text", "content"):
        head = [title, *head]
        content = source.take("data", str) or source.take("content", str, list) or ""
        inner = _blocks(_as_blocks(content), source.place("content"))
        parts = [ours for held in inner for ours in _translate(held)]
    else:
        named = {"extras": {"filename": title}} if title else {}
        parts = [{"type": "file", **_data(source), **named}]
    if words := "\n".join(line for line in head if line):
        yield _text(words)
    yield from parts


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _data(source: Fields) -> dict[str, Any]:
    """Where an image or a file is: in the request, at a URL, or at the provider."""
    match source.rest.get("type"):
        case "url":
            return {"url": source.need("url", str)}
        case "file":
            return {"file_id": source.need("file_id", str)}
    return {"base64": source.need("data", str), "mime_type": source.take("media_type", str)}
