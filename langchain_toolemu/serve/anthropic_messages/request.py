"""A request for a message of Anthropic's protocol.

- Tool results are part of a user's message there, and messages of their own here, before the rest of it.
- For an upstream with the same protocol, blocks stay as they are. For any other they become LangChain's own; blocks that
  only Anthropic knows become their words, and those without words are refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import ToolCall, tool_call

from langchain_toolemu.messages.content import all_words_in, simplest
from langchain_toolemu.serve import protocol
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.protocol import Fields
from langchain_toolemu.tools.choice import named_choice
from langchain_toolemu.tools.client_tools import client_functions

# The beta with which a client asks for a call's input while it is written.
_EAGER = "fine-grained-tool-streaming"
_REASONING = ("thinking", "redacted_thinking")
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
    choice = fields.take_fields("tool_choice")
    single = choice.take("disable_parallel_tool_use", bool)
    system = fields.take("system", str, list)
    thinking = fields.rest.get("thinking")
    eager = [tool.get("eager_input_streaming") for tool in tools]
    functions = [tool for tool in tools if _is_function(tool)]
    unknown = dict.fromkeys(key for tool in functions for key in tool if key not in _OF_TOOLS)
    unknown.pop("type", None)
    reader = _MessageReader(raw.verbatim)
    messages = fields.need("messages", list)
    if not messages:
        raise invalid("messages: at least one message is required", "messages")
    return MessagesRequest(
        wire="anthropic_messages",
        messages=[*reader.system(system), *reader.messages(messages)],
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
        dropped=[f"tools.{key}" for key in unknown],
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
    """The form of the answer: in `output_config` of newer clients, in `output_format` of older ones."""
    config = dict(fields.take("output_config", dict) or {})
    form = config.pop("format", None) or fields.take("output_format", dict)
    if config:
        fields.rest["output_config"] = config
    if form is None:
        return None
    return protocol.schema_format(Fields(form, "output_config.format").need("schema", dict))


class _MessageReader:
    def __init__(self, verbatim: bool) -> None:
        self._verbatim = verbatim  # whether blocks stay as they are

    def system(self, system: str | Sequence[Any] | None) -> list[BaseMessage]:
        content: Any = system
        if isinstance(system, list):
            content = self._system_content(_blocks(system, "system"), "system")
        return [SystemMessage(content)] if system else []

    def messages(self, messages: Sequence[Any]) -> Iterator[BaseMessage]:
        for at, message in enumerate(messages):
            yield from self._message(Fields(message, f"messages.{at}"))

    def _message(self, fields: Fields) -> Iterator[BaseMessage]:
        role, content = fields.need("role", str), fields.need("content", str, list)
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        place = fields.place("content")
        blocks = _blocks(content, place)
        match role:
            case "user":
                yield from self._user(blocks)
            case "assistant":
                yield from self._assistant(blocks)
            case "system":
                yield SystemMessage(self._system_content(blocks, place))
            case _:
                place = fields.place("role")
                raise invalid(f"{place}: Input should be 'user' or 'assistant'", place)

    def _user(self, blocks: Blocks) -> Iterator[BaseMessage]:
        results = [block for block in blocks if block["type"] == "tool_result"]
        rest = [block for block in blocks if block["type"] != "tool_result"]
        for block in results:
            content = block.get("content")
            if isinstance(content, list):
                content = self._checked_content(_blocks(content, "tool_result.content"))
            yield ToolMessage(
                content if isinstance(content, list) else str(content or ""),
                tool_call_id=str(block.get("tool_use_id") or ""),
                status="error" if block.get("is_error") else "success",
            )
        if rest or not results:
            yield HumanMessage(self._checked_content(rest))

    def _assistant(self, blocks: Blocks) -> Iterator[BaseMessage]:
        """An assistant's message; results of the provider's own tools come before it, as a user's words."""
        calls = [_call(block) for block in blocks if block["type"] == "tool_use"]
        if self._verbatim:
            yield AIMessage(list(blocks), tool_calls=calls)
            return
        thoughts = [block.get("thinking") for block in blocks if block["type"] in _REASONING]
        reasoning = "".join(str(thought or "") for thought in thoughts)
        rest = [block for block in blocks if block["type"] not in ("tool_use", *_REASONING)]
        foreign = [block for block in rest if block["type"] not in _TRANSLATED]
        # A compaction without content has failed.
        shown = [
            block for block in foreign if block["type"] != "compaction" or block.get("content")
        ]
        if found := self._checked_content(shown):
            yield HumanMessage(found)
        texts = [block for block in rest if block["type"] in _TRANSLATED]
        if texts or calls or not foreign:
            past = protocol.PastCalls(calls)
            yield protocol.assistant_message(self._content(texts), past, reasoning)

    def _checked_content(self, blocks: Blocks) -> Any:
        """The content of a user or a tool; a block that only Anthropic knows and that has no words is refused."""
        unknown = [block for block in blocks if block["type"] not in _TRANSLATED]
        return self._content(blocks, [block for block in unknown if not any(all_words_in(block))])

    def _system_content(self, blocks: Blocks, place: str) -> Any:
        """The content of the system: only texts, since other blocks may hold anybody's words."""
        _refuse([block for block in blocks if block["type"] != "text"], place)
        return self._content(blocks)

    def _content(self, blocks: Blocks, refused: Blocks = ()) -> Any:
        if self._verbatim:
            return list(blocks)
        _refuse(refused, "messages")
        return simplest([ours for block in blocks for ours in _translate(block)])


def _refuse(blocks: Blocks, place: str) -> None:
    if names := ", ".join(sorted({str(block["type"]) for block in blocks})):
        raise invalid(f"{place}: blocks that only Anthropic's own servers take: {names}", place)


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
    """A block as LangChain's own, which every integration understands; of an unknown kind only the words."""
    source: Mapping[str, Any] = found if isinstance(found := block.get("source"), Mapping) else {}
    match block:
        case {"type": "text"}:
            yield _text(block["text"])
        case {"type": "image"}:
            yield {"type": "image", **_data(source)}
        case {"type": "document"}:
            yield from _document(block, source)
        case {"type": "search_result"}:
            head = f"{block.get('title')} ({block.get('source')})"
            yield _text(f"{head}\n{_joined(block.get('content'))}")
        case {"type": "tool_reference"}:
            yield _text(f"[tool: {block.get('tool_name')}]")
        case _:
            yield _text("\n".join([f"[{block['type']}]", *all_words_in(block)]))


def _document(block: Mapping[str, Any], source: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A file with its title, or what a document holds, below its title; what is said about it comes first."""
    title, about = block.get("title"), [block.get("context")]
    content = source.get("data") or source.get("content") or ""
    is_file = source.get("type") in ("base64", "url", "file")
    if head := "\n".join(str(line) for line in (about if is_file else [title, *about]) if line):
        yield _text(head)
    if is_file:
        yield {
            "type": "file",
            **_data(source),
            **({"extras": {"filename": title}} if title else {}),
        }
    elif isinstance(content, str):
        yield _text(content)
    else:
        for inner in _blocks(_list_of_blocks(content), "messages.content.source.content"):
            yield from _translate(inner)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _data(source: Mapping[str, Any]) -> dict[str, Any]:
    """Where an image or a file is: in the request, at a URL, or at the provider."""
    fields = Fields(source, "messages.content.source")
    match source.get("type"):
        case "url":
            return {"url": fields.need("url", str)}
        case "file":
            return {"file_id": fields.need("file_id", str)}
    return {"base64": fields.need("data", str), "mime_type": fields.take("media_type", str)}


def _joined(content: Any) -> str:
    if isinstance(content, str) or not content:
        return content or ""
    return "\n".join(str(part.get("text") or "") for part in _list_of_blocks(content))


def _list_of_blocks(content: Any) -> list[dict[str, Any]]:
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        message = "messages: the 'content' of a document or a search result must hold blocks"
        raise invalid(message, "messages.content")
    return content
