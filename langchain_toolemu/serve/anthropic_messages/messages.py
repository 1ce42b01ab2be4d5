"""The messages of Anthropic's protocol as LangChain's.

- Results of tools are in a user's message there, and are messages of their own here, before the rest of it.
- For an upstream that speaks the same protocol, blocks stay as they are, with whatever they carry (a cache mark, a
  signature). For any other they become LangChain's own, and plain texts a string: many chat templates take no list.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages.tool import ToolCall, tool_call

from langchain_toolemu.messages.content import simplest
from langchain_toolemu.serve.answer import THOUGHTS
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.fields import Fields

_THOUGHTS = ("thinking", "redacted_thinking")
_SPOKEN = ("text", "image", "document", "search_result", "tool_reference")
"""What a user's message and a result may hold for a provider other than Anthropic."""


def read_system(system: str | Sequence[Any] | None, *, verbatim: bool) -> list[BaseMessage]:
    """The system prompt, a text or blocks, as a message."""
    if not system:
        return []
    if isinstance(system, str):
        return [SystemMessage(system)]
    blocks = [_block(block, f"system[{at}]") for at, block in enumerate(system)]
    return [SystemMessage(_content(blocks, verbatim=verbatim))]


def read_messages(messages: Sequence[Any], *, verbatim: bool) -> list[BaseMessage]:
    """The conversation.

    Args:
        messages: As the client sent them.
        verbatim: Whether the upstream speaks this protocol, so that blocks stay as they are.

    Raises:
        RequestError: A message that is none; its place is named.
    """
    if not messages:
        raise invalid("messages: at least one message is required", "messages")
    read: list[BaseMessage] = []
    for at, message in enumerate(messages):
        read += _message(Fields(message, f"messages.{at}"), verbatim=verbatim)
    return read


def _message(fields: Fields, *, verbatim: bool) -> Iterator[BaseMessage]:
    role, blocks = fields.need("role", str), _blocks(fields)
    match role:
        case "user":
            yield from _user(blocks, verbatim=verbatim)
        case "assistant":
            yield _assistant(blocks, verbatim=verbatim)
        case "system":
            yield SystemMessage(_content(blocks, verbatim=verbatim))
        case _:
            raise invalid(
                f"{fields.place('role')}: Input should be 'user' or 'assistant'",
                fields.place("role"),
            )


def _blocks(fields: Fields) -> list[dict[str, Any]]:
    content = fields.need("content", str, list)
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_block(block, f"{fields.place('content')}.{at}") for at, block in enumerate(content)]


def _block(block: Any, place: str) -> dict[str, Any]:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        raise invalid(f"{place}: must be an object with a 'type'", place)
    if block["type"] == "text" and not isinstance(block.get("text"), str):
        raise invalid(f"{place}.text: Field required", f"{place}.text")
    return block


def _user(blocks: Sequence[dict[str, Any]], *, verbatim: bool) -> Iterator[BaseMessage]:
    results = [block for block in blocks if block["type"] == "tool_result"]
    rest = [block for block in blocks if block["type"] != "tool_result"]
    for block in results:
        yield ToolMessage(
            _result(block.get("content"), verbatim=verbatim),
            tool_call_id=str(block.get("tool_use_id") or ""),
            status="error" if block.get("is_error") else "success",
        )
    if rest or not results:
        yield HumanMessage(_spoken(rest, verbatim=verbatim))


def _result(content: Any, *, verbatim: bool) -> Any:
    if not isinstance(content, list):
        return str(content or "")
    blocks = [_block(block, f"tool_result.content.{at}") for at, block in enumerate(content)]
    return _spoken(blocks, verbatim=verbatim)


def _assistant(blocks: Sequence[dict[str, Any]], *, verbatim: bool) -> AIMessage:
    calls = [_call(block) for block in blocks if block["type"] == "tool_use"]
    if verbatim:
        return AIMessage(list(blocks), tool_calls=calls)
    thought = "".join(
        str(block.get("thinking") or "") for block in blocks if block["type"] in _THOUGHTS
    )
    texts = [block for block in blocks if block["type"] not in ("tool_use", *_THOUGHTS)]
    extra = {THOUGHTS[0]: thought} if thought else {}
    return AIMessage(_content(texts, verbatim=False), tool_calls=calls, additional_kwargs=extra)


def _call(block: Mapping[str, Any]) -> ToolCall:
    given = block.get("input")
    return tool_call(
        name=str(block.get("name") or ""),
        args=given if isinstance(given, dict) else {},
        id=str(block.get("id") or ""),
    )


# --- content ---


def _spoken(blocks: Sequence[dict[str, Any]], *, verbatim: bool) -> Any:
    """What a user or a tool says; a block that only Anthropic knows is refused, not left out."""
    unknown = {str(block["type"]) for block in blocks} - {*_SPOKEN}
    if unknown and not verbatim:
        raise invalid(
            f"messages: blocks that only Anthropic's own servers take: {', '.join(sorted(unknown))}"
        )
    return _content(blocks, verbatim=verbatim)


def _content(blocks: Sequence[dict[str, Any]], *, verbatim: bool) -> Any:
    if verbatim:
        return list(blocks)
    return simplest([ours for block in blocks for ours in _ours(block)])


def _ours(block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A block as LangChain's own, which every integration understands; nothing of a provider's own tools."""
    source: Mapping[str, Any] = found if isinstance(found := block.get("source"), Mapping) else {}
    match block:
        case {"type": "text"}:
            yield _text(block["text"])
        case {"type": "image"}:
            yield {"type": "image", **_data(source)}
        case {"type": "document"} if source.get("type") in ("base64", "url", "file"):
            title = {"extras": {"filename": block["title"]}} if block.get("title") else {}
            yield {"type": "file", **_data(source), **title}
        case {"type": "document"}:
            yield _text(_document(source))
        case {"type": "search_result"}:
            texts = [one.get("text") or "" for one in block.get("content") or ()]
            yield _text("\n".join([f"{block.get('title')} ({block.get('source')})", *texts]))
        case {"type": "tool_reference"}:
            yield _text(f"[tool: {block.get('tool_name')}]")


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _data(source: Mapping[str, Any]) -> dict[str, Any]:
    """Where an image or a file is: in the request, at an address, or with the provider."""
    match source.get("type"):
        case "url":
            return {"url": source.get("url")}
        case "file":
            return {"file_id": source.get("file_id")}
    return {"base64": source.get("data"), "mime_type": source.get("media_type")}


def _document(source: Mapping[str, Any]) -> str:
    """A document that is text, or blocks of text."""
    content = source.get("data") or source.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(one.get("text") or "") for one in content if isinstance(one, Mapping))
