"""Servers that refuse a request as real ones do: each checks what it was sent, and says what the real one says.

A check is a function of the request's body that returns the error, or `None` for a request that it takes.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from tests.scripted_server import Reply

Check = Callable[[dict[str, Any]], Reply | None]


def openai_error(message: str, status: int = 400, code: Any = None, param: Any = None) -> Reply:
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return Reply(status=status, body={"error": error})


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    """Every schema in a request's tools."""
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from schemas(one)
    elif isinstance(value, list):
        for one in value:
            yield from schemas(one)


def parameters(request: dict[str, Any]) -> list[dict[str, Any]]:
    return [tool["function"]["parameters"] for tool in request.get("tools", ())]


def keyword_in(request: dict[str, Any], *keys: str) -> str | None:
    """The first of some keywords that a schema holds as one, and not as the name of a property."""

    def walk(schema: Any) -> str | None:
        if not isinstance(schema, dict):
            return None
        found = next((key for key in keys if key in schema), None)
        inner = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
        inner += [one for key in ("anyOf", "oneOf", "allOf") for one in schema.get(key, [])]
        inner.append(schema.get("items"))
        return found or next(filter(None, map(walk, inner)), None)

    return next(filter(None, map(walk, parameters(request))), None)


def grammar(request: dict[str, Any]) -> Reply | None:
    """llama.cpp cannot make a grammar of most patterns, nor of long repetitions."""
    is_long = any(one.get("maxLength", 0) > 2000 for one in schemas(parameters(request)))
    if keyword_in(request, "pattern") or is_long:
        error = {
            "code": 400,
            "message": "Failed to initialize samplers: failed to parse grammar",
            "type": "invalid_request_error",
        }
        return Reply(status=400, body={"error": error})
    return None


def gemini_keywords(request: dict[str, Any]) -> Reply | None:
    """Google's API knows a few keywords, and names the first other one."""
    known = (
        "exclusiveMinimum",
        "exclusiveMaximum",
        "const",
        "additionalProperties",
        "$schema",
        "title",
        "default",
        "format",
        "multipleOf",
    )
    if key := keyword_in(request, *known):
        message = f"Invalid JSON payload received. Unknown name \"{key}\" at 'tools[0].function_declarations[0].parameters': Cannot find field."
        return Reply(
            status=400,
            body={"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}},
        )
    return None


def references(request: dict[str, Any]) -> Reply | None:
    """A gateway whose schemas are flat."""
    if key := keyword_in(request, "$ref", "$defs", "anyOf", "oneOf", "allOf"):
        return openai_error(
            f"Invalid schema for function 'book': '{key}' is not permitted",
            code="invalid_function_parameters",
        )
    return None


def top_level_union(request: dict[str, Any]) -> Reply | None:
    """Anthropic's API."""
    if any({"anyOf", "oneOf", "allOf"} & one.keys() for one in parameters(request)):
        return openai_error(
            "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
        )
    return None


def empty_objects(request: dict[str, Any]) -> Reply | None:
    """Google's API, of a property that may be any object."""
    inner = [one for schema in parameters(request) for one in schemas(schema.get("properties", {}))]
    if any(one.get("type") == "object" and not one.get("properties") for one in inner):
        return openai_error(
            "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[options].properties: should be non-empty for OBJECT type"
        )
    return None


def ids_in(request: dict[str, Any]) -> list[str]:
    calls = [call["id"] for one in request["messages"] for call in one.get("tool_calls") or ()]
    return [*calls, *(one["tool_call_id"] for one in request["messages"] if one["role"] == "tool")]


def mistral_ids(request: dict[str, Any]) -> Reply | None:
    """Mistral's template, on mlx-lm and vLLM."""
    if not all(re.fullmatch("[a-zA-Z0-9]{9}", id_) for id_ in ids_in(request)):
        return Reply(
            status=400,
            body={
                "object": "error",
                "message": "Tool call IDs should be alphanumeric strings with length 9!",
                "type": "BadRequestError",
                "code": 400,
            },
        )
    return None


def plain_names(request: dict[str, Any]) -> Reply | None:
    """OpenAI's API, of tools and of past calls."""
    named = [tool["function"]["name"] for tool in request.get("tools", ())]
    named += [
        call["function"]["name"]
        for one in request["messages"]
        for call in one.get("tool_calls") or ()
    ]
    choice = request.get("tool_choice")
    if isinstance(choice, dict):
        named.append(choice["function"]["name"])
    if not all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in named) or len({*named}) < len(
        {*named}
    ):
        return openai_error(
            "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            code="invalid_value",
            param="tools[0].function.name",
        )
    return None


def pairs(request: dict[str, Any]) -> Reply | None:
    """OpenAI's API: each call is followed by its result, each result follows its call."""
    waiting: set[str] = set()
    for one in [*request["messages"], {"role": "end"}]:
        if one["role"] == "tool":
            if one["tool_call_id"] not in waiting:
                return openai_error(
                    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
                    param="messages.[1].role",
                )
            waiting.remove(one["tool_call_id"])
            continue
        if waiting:
            return openai_error(
                f"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(waiting)}",
                param="messages.[2].role",
            )
        waiting = {call["id"] for call in one.get("tool_calls") or ()}
    return None


def pictures(request: dict[str, Any]) -> Reply | None:
    """OpenAI's Chat Completions."""
    for one in request["messages"]:
        if one["role"] == "tool" and "image" in json.dumps(one["content"]):
            return openai_error(
                "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
                code="invalid_value",
            )
    return None


def template_without_system(request: dict[str, Any]) -> Reply | None:
    """A template of Gemma's, which refuses the role by an error of the server."""
    if any(one["role"] == "system" for one in request["messages"]):
        return Reply(
            status=400,
            body={
                "object": "error",
                "message": "System role not supported",
                "type": "BadRequestError",
                "code": 400,
            },
        )
    return None


def few_tools(request: dict[str, Any]) -> Reply | None:
    """OpenAI's API takes 128 tools."""
    if len(request.get("tools", ())) > 128:
        return openai_error(
            "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 130 instead.",
            code="array_above_max_length",
            param="tools",
        )
    return None


_KNOWN = {"type", "properties", "required", "description", "items", "enum"}
_TYPES = {"string", "integer", "number", "boolean", "object", "array"}


def strictest(request: dict[str, Any]) -> Reply | None:
    """A server that takes what all of them take: names, ids, pairs, and schemas of six keywords with one type each."""
    checks = (plain_names, mistral_ids, pairs, pictures, few_tools, empty_objects)
    if refused := next(filter(None, (check(request) for check in checks)), None):
        return refused
    for one in parameters(request):
        if wrong := _unknown_part(one):
            return openai_error(f"Invalid schema: {wrong}", code="invalid_function_parameters")
    return None


def _unknown_part(schema: Any) -> str | None:
    """What a schema holds that not all servers know."""
    if not isinstance(schema, dict):
        return "a schema must be an object"
    if odd := schema.keys() - _KNOWN:
        return f"{min(odd)} is not supported"
    if not isinstance(schema.get("type"), str) or schema["type"] not in _TYPES:
        return "type must be one of six"
    values = schema.get("enum", ["any"])
    if not values or not all(isinstance(value, str) for value in values):
        return "enum must list strings"
    if schema["type"] == "array" and "items" not in schema:
        return "items is missing"
    inner = [*schema.get("properties", {}).values()]
    inner += [schema["items"]] if "items" in schema else []
    unknown = set(schema.get("required", ())) - schema.get("properties", {}).keys()
    return (
        f"required names {min(unknown)}"
        if unknown
        else next(filter(None, map(_unknown_part, inner)), None)
    )


# By form: what is sent then, who refuses what was sent before, in which words, and where that was reported.
SOURCES: dict[str, tuple[str, str, str]] = {
    "call_extras": ("calls without the fields that another provider added", "OpenAI: `Unknown parameter: 'messages[1].tool_calls[0].extra_content'`", ""),
    "call_ids": ("ids of nine letters and digits", "Mistral's templates: `Tool call IDs should be alphanumeric strings with length 9!`", "mlx-lm 1375"),
    "paired_results": ("each result after its call, or one that says there is none; a result without its call as data", "OpenAI: `must be followed by tool messages`", "open-swe 1604, deer-flow 1754"),
    "result_pictures": ("pictures of results in a user message", "OpenAI: `Image URLs are only allowed for messages with role 'user'`; LM Studio: `Invalid 'messages' in payload`", "qwen-code 3616, langchainjs 11684, opencode 11304"),
    "text_blocks": ("the texts of a message as one string", "DeepSeek: `invalid type: sequence, expected a string`; Workers AI: `Type mismatch of '/messages/0/content'`", "opencode 30381, adk-python 314, litellm 6642"),
    "message_text": ("a few words in a message that has none", "xAI: `Each message must have at least one content element`; Anthropic: `all messages must have non-empty content`", "claude-code 6774"),
    "speaker_names": ("no `name` next to what is said", "OpenAI: `Invalid 'messages[1].name'`", "semantic-kernel 9340, autogen 4157"),
    "tool_names": ("letters, digits and `_`, 64 at most; mapped back in calls", "OpenAI: `does not match pattern '^[a-zA-Z0-9_-]+$'`; Cerebras: `Failed to compile the JSON schema grammar`", "LibreChat 11357, kolega-code 581, codex 8174"),
    "parallel_tool_calls": ("no such argument; the reply is held to it", "OpenAI of some models: `Unsupported parameter: 'parallel_tool_calls'`", "langchain 29416, llama_index 20865"),
    "tool_descriptions": ("the first 1,024 characters of a description", "OpenAI: `tools[0].function.description': string too long`", "sentry-mcp 106, goose 739"),
    "schema_keywords": ("narrowing keywords in the description", 'llama.cpp: `failed to parse grammar`; Google: `Unknown name "exclusiveMinimum"`', "llama.cpp 26596, 25923; qwen-code 10520"),
    "schema_unions": ("references inlined, unions flattened", "Anthropic: `does not support oneOf, allOf, or anyOf at the top level`; Moonshot: `type should be defined in anyOf items`", "kimi-cli 2531, LibreChat 14160, langchainjs 9804"),
    "stream_options": ("no such argument, so a stream's tokens are not counted", "Gateways: `Unknown parameter: 'stream_options'`", "new-api 418"),
    "strict": ("no `strict`; calls are checked here", "Databricks: `strict: Extra inputs are not permitted`", "ellmer 1108"),
    "later_system": (
        "each later system message in its place, in the user's message before it or its own; "
        "in a result where roles must alternate",
        "Qwen's templates: `System message must be at the beginning.`",
        "Eta 59",
    ),
    "system_role": (
        "the first system message in the user's, and later ones as above",
        "Gemma's templates: `System role not supported`",
        "chat-ui 1386, sglang 892",
    ),
    "call_signatures": ("Google's `skip_thought_signature_validator` on calls that came without a signature", "Google: `Function call is missing a thought_signature`", "langchain 37347, AstrBot 9217"),
    "message_order": ("neighbours of one role as one message; the user first and last", "Mistral: `Unexpected role 'user' after role 'tool'`; Anthropic: `does not support assistant message prefill`", "pipecat-flows 178, crush 279"),
}  # fmt: skip


# --- what they are sent ---

BOOK = {
    "name": "book",
    "description": "Book a room.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}


def tool(name: str = "book", **schema: Any) -> dict[str, Any]:
    properties = {"city": {"type": "string"}, **schema.pop("properties", {})}
    return {
        **BOOK,
        "name": name,
        "parameters": {**BOOK["parameters"], "properties": properties, **schema},
    }


def called(id_: str = "call_1", name: str = "book") -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": {"city": "Rome"}, "id": id_}])


PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
ASKED = HumanMessage("Book a room in Paris.")
REF = {"$ref": "#/$defs/Kind"}
KIND = {"Kind": {"type": "string", "enum": ["single", "double"]}}


@dataclass
class Case:
    """A server, and a request that it refuses."""

    check: Check
    tools: list[Any] = field(default_factory=lambda: [BOOK])
    messages: list[BaseMessage] = field(default_factory=lambda: [ASKED])
    requests: int = 2  # that the first turn takes
    native: bool = True  # whether another native form works
    options: dict[str, Any] = field(default_factory=dict)
    name: str = "book"  # of the tool that is called


TOLD = [
    ASKED,
    called(),
    ToolMessage("Booked.", tool_call_id="call_1"),
    HumanMessage("And in Paris?"),
]
CASES: dict[str, Case] = {
    "a pattern": Case(grammar, [tool(properties={"code": {"type": "string", "pattern": "^(?=a)b$"}})]),
    "a long text": Case(grammar, [tool(properties={"text": {"type": "string", "maxLength": 100_000}})]),
    "a keyword": Case(gemini_keywords, [tool(properties={"nights": {"type": "integer", "exclusiveMinimum": 0}}, additionalProperties=False)]),
    "a constant": Case(gemini_keywords, [tool(properties={"kind": {"const": "room"}})]),
    "a reference": Case(references, [tool(properties={"kind": REF}, **{"$defs": KIND})]),
    "a union": Case(references, [tool(properties={"when": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}})]),
    "a union at the top": Case(top_level_union, [tool(anyOf=[{"required": ["city"]}, {"properties": {"zip": {"type": "string"}}, "required": ["zip"]}])]),
    "any object": Case(empty_objects, [tool(properties={"options": {"type": "object"}})], requests=2),
    "foreign ids": Case(mistral_ids, messages=TOLD),
    "stored ids of ours": Case(mistral_ids, messages=[ASKED, called("emulated_0123456789abcdef01234567"), ToolMessage("Booked.", tool_call_id="emulated_0123456789abcdef01234567")]),
    "a name with a dot": Case(plain_names, [tool("rooms.book")], name="rooms.book"),
    "a name with a blank": Case(plain_names, [tool("book a room")], name="book a room"),
    "a long name": Case(plain_names, [tool("book_" * 20)], name="book_" * 20),
    "a past name": Case(plain_names, [tool("rooms.book")], [ASKED, called(name="rooms.book"), ToolMessage("Booked.", tool_call_id="call_1", name="rooms.book")], name="rooms.book"),
    "a call without a result": Case(pairs, messages=[ASKED, called(), HumanMessage("Hello?")]),
    "one of two results": Case(pairs, messages=[ASKED, AIMessage("", tool_calls=[*called("a").tool_calls, *called("b").tool_calls]), ToolMessage("Booked.", tool_call_id="b"), HumanMessage("Go on.")]),
    "a result without its call": Case(pairs, messages=[ToolMessage("Booked: room 7.", tool_call_id="call_0"), ASKED]),
    "a picture in a result": Case(pictures, messages=[ASKED, called(), ToolMessage([{"type": "text", "text": "Here."}, PICTURE], tool_call_id="call_1")]),
    "a system message": Case(template_without_system, messages=[SystemMessage("Be brief."), ASKED]),
    "too many tools": Case(few_tools, [BOOK, *(tool(f"other_{n}") for n in range(129))], native=False),
}  # fmt: skip


def bare(check: Check) -> Check:
    """The same server, which says nothing of what it refuses."""
    return lambda request: (
        Reply(status=400, body={"error": "Bad Request"}) if check(request) else None
    )


def answering(check: Check, name: str = "book") -> Callable[[dict[str, Any]], Reply]:
    """A server that books a room where it takes the request: by a native call if it has tools, else as its prompt asks for one."""

    def answer(request: dict[str, Any]) -> Reply:
        if refused := check(request):
            return refused
        tools = request.get("tools")
        if not tools:
            written = json.dumps({"name": name, "arguments": {"city": "Paris"}})
            return Reply(written)
        return Reply(tool_calls=[(tools[0]["function"]["name"], {"city": "Paris"})])

    return answer
