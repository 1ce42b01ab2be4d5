"""What providers and local servers said in this year's reports, each by a server that refuses what the real one does.

A row is what the server looks for in a request, and what it says then, as in `refusing_gateways`.
"""

import json
from typing import Any

from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage

from tests import refusing_servers as servers
from tests.refusing_gateways import (
    AND,
    HI,
    KIMI,
    NO_CALL,
    SHOWN,
    Body,
    again,
    case,
    error,
    forced,
    ids,
    ids_twice,
    keywords,
    lists,
    names,
    neighbours,
    strict,
    thread,
    type_lists,
)
from tests.refusing_servers import ASKED, Case, called, openai_error, tool
from tests.scripted_server import Reply

TEXT = {"type": "string"}
SPOT = {"Spot": {"type": "object", "description": "A spot", "properties": {"x": {"type": "integer"}}}}  # fmt: skip


def google(message: str) -> Reply:
    """As its OpenAI-compatible route says it: in a list."""
    return error(400, [{"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}])


def moonshot(details: str) -> Reply:
    return openai_error(f"Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <{details}>")  # fmt: skip


def openrouter(raw: Any, provider: str) -> Reply:
    """A provider's error as a text within another."""
    metadata = {"raw": json.dumps(raw), "provider_name": provider}
    return error(400, {"error": {"message": "Provider returned error", "code": 400, "metadata": metadata}})  # fmt: skip


def any_schema(is_odd: Any) -> Any:
    return lambda body: any(map(is_odd, servers.schemas(servers.parameters(body))))


def untyped(schema: dict[str, Any]) -> bool:
    parts = schema.get("properties", {})
    return isinstance(parts, dict) and any(isinstance(one, dict) and not {"type", "anyOf", "$ref"} & one.keys() for one in parts.values())  # fmt: skip


def undefined(schema: dict[str, Any]) -> bool:
    required = schema.get("required", [])
    return isinstance(required, list) and not {*required} <= schema.get("properties", {}).keys()


def with_part(**parts: Any) -> dict[str, Any]:
    """The arguments of a case: one tool with further properties."""
    return {"tools": [tool(properties=parts)]}


def has_tools(body: Body) -> bool:
    return bool(body.get("tools"))


PROVIDER_CASES: dict[str, Case] = {
    "Console Go, bounds": case(keywords("minimum", "maximum"), error(400, {"error": {"type": "tool_count_limit", "code": "unsupported_keyword", "message": "Error from provider (Console Go): unsupported_keyword"}}), **with_part(nights={"type": "integer", "minimum": 1, "maximum": 30})),
    "runner": case(any_schema(lambda one: one.get("additionalProperties") and one.get("properties")), openai_error("unsupported tool schema: additionalProperties is only supported as false alongside declared properties, or as an open schema without them"), tools=[tool(additionalProperties=TEXT)]),
    "vLLM": case(keywords("minItems"), error(400, {"object": "error", "message": "The provided JSON schema contains features not supported by xgrammar.", "type": "BadRequestError", "param": None, "code": 400}), **with_part(tags={"type": "array", "items": TEXT, "minItems": 1})),
    "Ollama's cloud": case(keywords("oneOf"), error(400, {"error": "JSON Schema not supported: could not understand the instance `{'description': 'Device class to filter by'}`."}), **with_part(device={"oneOf": [TEXT, {"type": "array", "items": TEXT}]})),
    "Cerebras": case(keywords("minItems", "maxItems"), error(422, {"message": "Unsupported JSON schema fields: {'minItems', 'maxItems'}", "type": "invalid_request_error", "param": "tools", "code": "wrong_api_format"}), **with_part(tags={"type": "array", "items": TEXT, "minItems": 1, "maxItems": 4})),
    "Gemini, const": case(keywords("const"), google("Invalid JSON payload received. Unknown name \"const\" at 'tools[0].function_declarations[0].parameters.properties[1].value.any_of[0]': Cannot find field."), **with_part(kind={"anyOf": [{"const": "a"}, {"const": "b"}]})),
    "Gemini, two types": case(type_lists, google("Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations[0].parameters.properties[1].value': Proto field is not repeating, cannot start list."), **with_part(note={"type": ["string", "null"]})),
    "Gemini, a list of anything": case(any_schema(lambda one: one.get("type") == "array" and not one.get("items")), google("* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[tags].items: missing field.\n"), **with_part(tags={"type": "array"})),
    "Gemini, numbers": case(any_schema(lambda one: "enum" in one and one.get("type") != "string"), google("* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[stars].enum: only allowed for STRING type\n"), **with_part(stars={"type": "integer", "enum": [1, 2]})),
    "Gemini, says nothing": case(keywords("$ref", "$defs"), google("Request contains an invalid argument."), tools=[tool(properties={"spot": {"$ref": "#/$defs/Spot"}}, **{"$defs": SPOT})]),
    "Moonshot, no type": case(any_schema(untyped), moonshot("At path 'properties.source': type is not defined"), **with_part(source={"description": "where from"})),
    "Moonshot, a union": case(any_schema(lambda one: {"anyOf", "type"} <= one.keys()), moonshot("At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema"), tools=[tool(anyOf=[{"required": ["city"]}, {"required": ["zip"]}])]),
    "Moonshot, a reference": case(any_schema(lambda one: "$ref" in one and len(one) > 1), moonshot("At path 'properties.spot': conflicting keywords found after $ref expansion: description"), tools=[tool(properties={"spot": {"$ref": "#/$defs/Spot", "description": "where"}}, **{"$defs": SPOT})]),
    "Moonshot, required": case(any_schema(undefined), moonshot("At path 'properties.steps.items.required': required property 'codec' is not defined in properties"), **with_part(steps={"type": "array", "items": {"type": "object", "properties": {"name": TEXT}, "required": ["name", "codec"]}})),
    "watsonx": case(any_schema(lambda one: one.get("type") == "float"), error(400, {"errors": [{"code": "json_validation_error", "message": "Json document validation error: tools[0].function.parameters: at '/properties/price/type': value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'"}], "status_code": 400}), **with_part(price={"type": "float"})),
    "Databricks, size": case(keywords("maxLength"), error(400, {"error_code": "BAD_REQUEST", "message": "Compiled grammar size (486.7MB) exceeds maximum allowed size (300MB)"}), **with_part(note={"type": "string", "maxLength": 65536})),
    "Databricks, strict": case(strict, error(400, {"error_code": "BAD_REQUEST", "message": "tools.0.custom.strict: Extra inputs are not permitted"}), options={"strict": True}),
    "LiteLLM": case(servers.top_level_union, openai_error('litellm.BadRequestError: BedrockException - {"message":"tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"}', code="400"), tools=[tool(oneOf=[{"required": ["city"]}, {"required": ["zip"]}])]),
    "SGLang": case(any_schema(lambda one: isinstance(one.get("items"), list)), openai_error("Failed to compile structural_tag grammar: [02:59:08] /project/cpp/json_schema_converter.cc:2999: items must be a boolean or an object\n"), **with_part(pair={"type": "array", "items": [TEXT, TEXT]})),
    "llama.cpp, not": case(keywords("not"), error(500, {"error": {"code": 500, "message": 'Unable to generate parser for this template. Automatic parser generation failed: JSON schema conversion failed:\nUnrecognized schema: {"not":{"const":""}}', "type": "server_error"}}), **with_part(note={"type": "string", "not": {"const": ""}})),
    "Unsloth": case(keywords("pattern"), error(400, {"detail": "The model couldn't compile a tool-calling grammar for this request."}), **with_part(day={"type": "string", "pattern": "^\\d+$"})),
    "Fireworks": case(keywords("propertyNames"), openai_error("JSON Schema not supported: could not understand keyword 'propertyNames' in tool 'book'"), **with_part(labels={"type": "object", "propertyNames": {"pattern": "^a"}, "properties": {"a": TEXT}})),
    "Groq": case(any_schema(lambda one: one.get("enum") == []), openai_error("invalid JSON schema for tool book, tools[0].function.parameters: `/properties/kind/enum`: minimum 1 items required, but found 0 items"), **with_part(kind={"type": "string", "enum": []})),
    "LocalAI": case(keywords("format"), error(500, {"error": {"code": 500, "message": "rpc error: code = InvalidArgument desc = failed to parse grammar", "type": ""}}), **with_part(day={"type": "string", "format": "date"})),
    "Cerebras, a dot": case(names(r"[\w-]+"), openrouter({"message": "Failed to compile the JSON schema grammar", "type": "invalid_request_error", "param": "tools", "code": "wrong_api_format"}, "Cerebras"), tools=[tool("rooms.book")], name="rooms.book"),
    "Bedrock, a name": case(names(r"[a-zA-Z0-9_-]{1,64}"), error(400, {"message": "1 validation error detected: Value 'rooms/book' at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+"}), tools=[tool("rooms/book")], name="rooms/book"),
    "Together": case(names(r".{1,64}"), error(400, {"error": {"message": "Input validation error", "type": "invalid_request_error", "param": "tools[0].function.name", "code": None}}), tools=[tool("book_" * 20)], name="book_" * 20),
    "Moonshot, a digit": case(names(r"[A-Za-z][\w-]*"), openai_error("Invalid request: function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes"), tools=[tool("21st_book")], name="21st_book"),
    "Bedrock, an id": case(ids(lambda id_: "." in id_), error(400, {"message": "The model returned the following errors: messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"}), messages=again(KIMI)),
    "Zhipu, an id twice": case(ids_twice, error(400, {"error": {"code": "1214", "message": "messages 参数非法。请检查文档。"}}), messages=again("call_0", *again("call_0")[:-1])),
    "Mistral, a lost result": case(servers.pairs, error(400, {"object": "error", "message": "Not the same number of function calls and responses", "type": "invalid_request_error", "param": None, "code": None}), messages=thread(ASKED, called(), HumanMessage("Hello?"))),
    "OpenRouter, a lost call": case(servers.pairs, openrouter({"object": "error", "message": "Unexpected role 'tool' after role 'user'", "type": "invalid_request_message_order", "code": "3230"}, "Mistral"), messages=NO_CALL),
    "Bedrock, a lost result": case(servers.pairs, error(400, {"message": "Expected toolResult blocks at messages.2.content for the following Ids: call_1"}), messages=thread(ASKED, called(), HumanMessage("Hello?"))),
    "MiniMax": case(servers.pairs, openai_error("invalid params, tool call result does not follow tool call (2013)"), messages=NO_CALL),
    "DeepSeek, words between": case(servers.pairs, openai_error("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)", code="invalid_request_error"), messages=thread(ASKED, called(), SystemMessage("A hotel is full."), ToolMessage("Booked.", tool_call_id="call_1"), AND)),
    "LM Studio, two users": case(neighbours(("user", "user")), error(400, {"error": 'Error rendering prompt with jinja template: "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.".'}), messages=thread(HI, ASKED)),
    "LM Studio, a picture": case(lists, error(400, {"error": "Invalid 'messages' in payload. Please check the structure of your 'messages' and try again."}), messages=SHOWN, requests=4),
    "DashScope, a picture": case(lists, openai_error("<400> InternalError.Algo.InvalidParameter: if content is list. item must be dict and key[type] should in dict", code="invalid_parameter_error"), messages=SHOWN),
    "Workers AI": case(lists, error(400, {"errors": {"message": "AiError: Bad input: Error: oneOf at '/' not met, 0 matches: required properties at '/' are 'prompt', Type mismatch of '/messages/2/content', 'array' not in 'string'", "code": 5006}, "success": False}), messages=thread(ASKED, called(), ToolMessage([{"type": "text", "text": "Booked."}], tool_call_id="call_1"), AND)),
    "TGI": case(lambda body: "parallel_tool_calls" in body, error(422, {"error": "Failed to deserialize the JSON body into the target type: unknown field `parallel_tool_calls`, expected one of `messages`, `model`", "error_type": "validation"}), options={"parallel_tool_calls": False}),
    "OpenRouter, a choice": case(forced, error(404, {"error": {"message": "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing", "code": 404}}), options={"tool_choice": "required"}, native=False),
    "OpenRouter, no tools": case(has_tools, error(404, {"error": {"message": 'No endpoints found that support tool use. Try disabling "question".', "code": 404}}), native=False),
    "MLX, no tools": case(has_tools, error(500, {"error": "Chat template does not accept `tools`; load a tokenizer whose template does"}), native=False),
    "TabbyAPI, no tools": case(has_tools, error(422, {"detail": "Tools are not supported in prompt_template because no tool template was provided. Please provide a tool template"}), native=False),
    "KoboldCpp, no tools, ja": case(has_tools, openai_error("このモデルは関数呼び出しに対応していません"), native=False),
}  # fmt: skip
