"""Servers and gateways that refuse what others take, in words and languages that no wording was written for.

A row is what the server looks for in a request, and what it says then.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from tests import refusing_servers as servers
from tests.refusing_servers import (
    ASKED,
    BOOK,
    TOLD,
    Case,
    called,
    ids_in,
    keyword_in,
    openai_error,
    tool,
)
from tests.scripted_server import Reply

Body = dict[str, Any]
Looks = Callable[[Body], Any]


def error(status: int, body: Any) -> Reply:
    return Reply(status=status, body=body)


def anthropic(message: str) -> Reply:
    return error(400, {"type": "error", "error": {"type": "invalid_request_error", "message": message}})  # fmt: skip


def google(message: str) -> Reply:
    return error(400, {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}})


def xai(message: str) -> Reply:
    return error(400, {"code": "Client specified an invalid argument", "error": message})


def unknown_field(*loc: Any, words: str = "Extra inputs are not permitted") -> Reply:
    return error(422, {"detail": [{"type": "extra_forbidden", "loc": ["body", *loc], "msg": words}]})  # fmt: skip


# --- what they look for ---


def names(pattern: str) -> Looks:
    """A tool whose name is not of a pattern."""
    return lambda body: any(not re.fullmatch(pattern, one["function"]["name"]) for one in body.get("tools", ()))  # fmt: skip


def ids(is_wrong: Callable[[str], Any]) -> Looks:
    return lambda body: any(map(is_wrong, ids_in(body)))


def ids_twice(body: Body) -> bool:
    calls = [call["id"] for one in body["messages"] for call in one.get("tool_calls") or ()]
    return len({*calls}) < len(calls)


def lists(body: Body) -> bool:
    """A tool's result that is no string."""
    return any(one["role"] == "tool" and not isinstance(one["content"], str) for one in body["messages"])  # fmt: skip


def roles(body: Body) -> list[str]:
    return [one["role"] for one in body["messages"]]


def talk(body: Body) -> list[str]:
    return [role for role in roles(body) if role != "system"]


def neighbours(*pairs: tuple[str, str]) -> Looks:
    return lambda body: any(pair in pairs for pair in pairwise(talk(body)))


def contents(*wrong: Any, calls: bool = True) -> Looks:
    return lambda body: any(one.get("content") in wrong and (calls or not one.get("tool_calls")) for one in body["messages"])  # fmt: skip


def speakers(pattern: str) -> Looks:
    return lambda body: any(not re.fullmatch(pattern, one["name"]) for one in body["messages"] if "name" in one)  # fmt: skip


def keywords(*keys: str) -> Looks:
    return lambda body: keyword_in(body, *keys)


def type_lists(body: Body) -> bool:
    return any(isinstance(one.get("type"), list) for one in servers.schemas(servers.parameters(body)))  # fmt: skip


def forced(body: Body) -> bool:
    return body.get("tool_choice") not in (None, "auto", "none")


def strict(body: Body) -> bool:
    return any("strict" in one["function"] for one in body.get("tools", ()))


# --- the rows ---


def case(looks: Looks, refusal: Reply, **case: Any) -> Case:
    return Case(lambda body: refusal if looks(body) else None, **case)


def thread(*messages: BaseMessage) -> list[BaseMessage]:
    return [*messages]


HI, HELLO, AND = HumanMessage("Hi"), AIMessage("Hello."), HumanMessage("And in Paris?")
KIMI, LONG = "functions.book:0", f"call_{'a' * 52}"
MANY = [BOOK, *(tool(f"other_{n}") for n in range(129))]
SHOWN = thread(ASKED, called(), ToolMessage([{"type": "text", "text": "Here."}, servers.PICTURE], tool_call_id="call_1"))  # fmt: skip
NO_CALL = thread(ToolMessage("Booked: room 7.", tool_call_id="call_0"), ASKED)


def again(id_: str, *before: BaseMessage) -> list[BaseMessage]:
    return [*before, ASKED, called(id_), ToolMessage("Booked.", tool_call_id=id_), AND]


GATEWAY_CASES: dict[str, Case] = {
    "format, zh": case(keywords("format"), openai_error("<400> InternalError.Algo.InvalidParameter: 参数校验失败:tools[0].function.parameters.properties.day 中的 format 字段暂不支持", code="invalid_parameter_error"), tools=[tool(properties={"day": {"type": "string", "format": "date"}})]),
    "minLength": case(keywords("minLength"), error(422, {"detail": "Function 'book' cannot be used for constrained decoding: JSON schema keyword minLength is not implemented"}), tools=[tool(properties={"note": {"type": "string", "minLength": 2}})]),
    "lookahead": case(keywords("pattern"), openai_error("Failed to compile json_schema grammar: lookahead assertions are not implemented in regex ^(?=a)b$"), tools=[tool(properties={"code": {"type": "string", "pattern": "^(?=a)b$"}})]),
    "a draft": case(keywords("$defs", "$ref"), error(400, {"message": "The value at toolConfig.tools.0.toolSpec.inputSchema.json is invalid. JSON schema is invalid. It must match JSON Schema draft 2020-12", "__type": "ValidationException"}), tools=[tool(properties={"kind": servers.REF}, **{"$defs": servers.KIND})]),
    "two types": case(type_lists, error(422, {"message": "invalid request: tools[0].function.parameters.properties.nights.type: expected a single string, received a list"}), tools=[tool(properties={"nights": {"type": ["integer", "null"]}})]),
    "a digit first": case(names(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}"), google("* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore."), tools=[tool("3d_book")], name="3d_book"),
    "a hyphen, ru": case(names(r"[A-Za-z_]\w*"), error(422, {"status": 422, "message": "Некорректное имя функции rooms-book: допустимы латинские буквы, цифры и знак подчёркивания"}), tools=[tool("rooms-book")], name="rooms-book"),
    "a long id": case(ids(lambda id_: len(id_) > 40), openai_error("Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 57 instead.", code="string_above_max_length"), messages=again(LONG)),
    "an id with a dot": case(ids(lambda id_: not re.fullmatch("[a-zA-Z0-9_-]+", id_)), anthropic("messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"), messages=again(KIMI)),
    "an id twice": case(ids_twice, anthropic("messages.3.content.0: `tool_use` ids must be unique"), messages=again("call_0", *again("call_0")[:-1])),
    "a lost result": case(servers.pairs, openai_error("insufficient tool messages following tool_calls message"), messages=thread(ASKED, called(), HumanMessage("Hello?"))),
    "a lost call, zh": case(servers.pairs, error(400, {"error": {"code": "1214", "message": "messages 参数非法:tool 消息之前缺少对应的 assistant 调用"}}), messages=NO_CALL),
    "one of two": case(servers.pairs, google("Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."), messages=thread(ASKED, AIMessage("", tool_calls=[*called("a").tool_calls, *called("b").tool_calls]), ToolMessage("Booked.", tool_call_id="b"), HumanMessage("Go on."))),
    "a lost call": case(servers.pairs, anthropic("messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: call_0. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."), messages=NO_CALL),
    "a picture": case(lists, openai_error("'messages.2' : for 'role:tool' the following must be satisfied[('messages.2.content' : value must be a string)]"), messages=SHOWN),
    "a picture, Go": case(lists, openai_error("json: cannot unmarshal array into Go struct field ChatMessage.messages.content of type string"), messages=SHOWN),
    "many tools": case(lambda body: len(body.get("tools", ())) > 128, xai("Maximum number of tools reached: 130 given, 128 allowed"), tools=MANY, native=False),
    "many tools, ru": case(lambda body: len(body.get("tools", ())) > 64, error(422, {"status": 422, "message": "Слишком много функций: передано 130, максимум 64"}), tools=MANY, native=False),
    "the user after a result": case(neighbours(("tool", "user")), error(400, {"object": "error", "message": "Unexpected role 'user' after role 'tool'", "type": "invalid_request_message_order", "param": None, "code": "3230"}), messages=TOLD),
    "a late system message": case(lambda body: "system" in roles(body)[1:], error(400, {"error": {"code": 400, "message": "Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 85, column 32 in source:\nError: Jinja Exception: System message must be at the beginning.", "type": "invalid_request_error"}}), messages=thread(SystemMessage("Be brief."), HI, HELLO, SystemMessage("The user is in Paris."), ASKED)),
    "two system messages": case(lambda body: roles(body).count("system") > 1, error(400, {"type": "error", "error": {"type": "bad_request_error", "message": "invalid params, chat content has more than one system instruction (2013)"}}), messages=thread(SystemMessage("Be brief."), SystemMessage("The user is in Paris."), ASKED)),
    "two users, a template": case(neighbours(("user", "user")), error(500, {"error": {"code": 500, "message": "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.", "type": "server_error"}}), messages=thread(HI, ASKED)),
    "two users": case(neighbours(("user", "user"), ("assistant", "assistant")), openai_error("After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s)."), messages=thread(HI, ASKED)),
    "two assistants": case(neighbours(("user", "user"), ("assistant", "assistant")), openai_error("messages: consecutive assistant turns are invalid"), messages=thread(HI, HELLO, AIMessage("Who is there?"), ASKED)),
    "the assistant first": case(lambda body: talk(body)[0] != "user", openai_error("A conversation must start with a user message. Try again with a conversation that starts with a user message."), messages=thread(AIMessage("Welcome!"), ASKED)),
    "the assistant last": case(lambda body: roles(body)[-1] == "assistant", anthropic("This model does not support assistant message prefill. The conversation must end with a user message."), messages=thread(ASKED, AIMessage("Which city?"))),
    "an empty answer": case(contents("", None, calls=False), openai_error("Invalid request: the message at position 1 with role 'assistant' must not be empty"), messages=thread(HI, AIMessage(""), ASKED)),
    "an empty result": case(contents("", None, []), xai("Each message must have at least one content element."), messages=thread(ASKED, called(), ToolMessage("", tool_call_id="call_1"), AND)),
    "null": case(contents(None), error(422, "Failed to deserialize the JSON body into the target type: messages[1].content: invalid type: null, expected a string at line 1 column 214"), messages=TOLD),
    "null, pydantic": case(contents(None), error(422, {"detail": [{"type": "string_type", "loc": ["body", "messages", 1, "content"], "msg": "Input should be a valid string", "input": None}]}), messages=TOLD),
    "a choice, serde": case(forced, error(422, "Failed to deserialize the JSON body into the target type: tool_choice: unknown variant `required`, expected `auto` or `none` at line 1 column 98"), options={"tool_choice": "required"}, native=False),
    "a choice, thinking": case(forced, openai_error("<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode"), options={"tool_choice": "required"}, native=False),
    "a choice, ja": case(forced, error(400, {"error": {"message": "tool_choice に指定できる値は auto と none のみです", "code": "E0400"}}), options={"tool_choice": {"type": "function", "function": {"name": "book"}}}, native=False),
    "parallel": case(lambda body: "parallel_tool_calls" in body, unknown_field("parallel_tool_calls"), options={"parallel_tool_calls": False}),
    "parallel, de": case(lambda body: "parallel_tool_calls" in body, error(400, {"fehler": "Unbekanntes Feld im Anfragekörper: parallel_tool_calls"}), options={"parallel_tool_calls": False}),
    "strict": case(strict, openai_error("tools.0.function.strict: Extra inputs are not permitted"), options={"strict": True}),
    "strict, es": case(strict, error(400, {"error": "Parámetro desconocido en tools[0].function: 'strict'"}), options={"strict": True}),
    "a speaker with a blank": case(speakers(r"[^\s<|\\/>]+"), openai_error("Invalid 'messages[1].name': string does not match pattern. Expected a string that matches the pattern '^[^\\s<|\\\\/>]+$'.", code="invalid_value"), messages=thread(HI, AIMessage("Hello.", name="room agent"), ASKED)),
    "a speaker": case(speakers("(?!)"), openai_error("'messages.1' : property 'name' is unsupported"), messages=thread(HumanMessage("Hi", name="ann"), HELLO, ASKED)),
    "fr schema": case(keywords("exclusiveMinimum"), error(400, {"erreur": "Mot-clé de schéma non pris en charge : exclusiveMinimum"}), tools=[tool(properties={"nights": {"type": "integer", "exclusiveMinimum": 0}})]),
    "de schema": case(keywords("pattern"), error(422, {"detail": "Das Schema des Werkzeugs book enthält nicht unterstützte Einschränkungen"}), tools=[tool(properties={"code": {"type": "string", "pattern": "^a$"}})]),
    "ko oneOf": case(keywords("oneOf"), error(400, {"error": {"message": "도구 매개변수에서 oneOf는 지원되지 않습니다"}}), tools=[tool(properties={"when": {"oneOf": [{"type": "string"}, {"type": "integer"}]}})]),
    "enum ints": case(keywords("enum"), google("Invalid value at 'tools[0].function_declarations[0].parameters.properties[0].value.enum[0]' (TYPE_STRING), 1"), tools=[tool(properties={"stars": {"type": "integer", "enum": [1, 2]}})]),
    "zh name": case(names(r"[A-Za-z_]\w*"), error(400, {"code": "InvalidParameter", "message": "工具名称只能包含字母、数字和下划线"}), tools=[tool("rooms.book")], name="rooms.book"),
    "es name long": case(names(r"\w{1,64}"), error(400, {"mensaje": "El nombre de la función supera los 64 caracteres"}), tools=[tool("book_" * 20)], name="book_" * 20),
    "id es": case(ids(lambda id_: not re.fullmatch("[a-zA-Z0-9]{9}", id_)), error(400, {"error": {"message": "El identificador de la llamada no es válido"}}), messages=TOLD),
    "id pydantic": case(ids(lambda id_: len(id_) > 32), error(422, {"detail": [{"loc": ["body", "messages", 2, "tool_call_id"], "msg": "String should have at most 32 characters", "type": "string_too_long"}]}), messages=again("x" * 40)),
    "orphan ru": case(servers.pairs, error(400, {"message": "Для вызова функции не найден результат"}), messages=thread(ASKED, called(), HumanMessage("Hello?")), native=False),
    "orphan bedrock": case(servers.pairs, error(400, {"message": "The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn."}), messages=NO_CALL),
    "orphan responses": case(servers.pairs, openai_error("No tool output found for function call call_1."), messages=thread(ASKED, called(), HumanMessage("Hello?"))),
    "picture de": case(lists, error(400, {"error": "Bilder sind in Werkzeugergebnissen nicht erlaubt"}), messages=SHOWN, native=False),
    "a picture, serde": case(lists, error(422, "messages[2].content: invalid type: sequence, expected a string at line 1 column 311"), messages=SHOWN),
    "many nl": case(lambda body: len(body.get("tools", ())) > 20, error(400, {"error": {"message": "Er zijn te veel tools opgegeven (130); het maximum is 20"}}), tools=MANY, native=False),
    "many en": case(lambda body: len(body.get("tools", ())) > 100, openai_error("You provided 130 functions but this deployment accepts 100."), tools=MANY, native=False),
    "alternate de": case(neighbours(("user", "user")), error(400, {"error": {"message": "Nutzer- und Assistentennachrichten müssen sich abwechseln"}}), messages=thread(HI, ASKED)),
    "alternate llama 500": case(neighbours(("user", "user")), error(500, {"error": {"code": 500, "message": "Conversation roles must alternate user/assistant/user/assistant/...", "type": "server_error"}}), messages=thread(HI, ASKED)),
    "last must be user zh": case(lambda body: roles(body)[-1] == "assistant", error(400, {"error": {"code": "1214", "message": "messages 参数非法:最后一条消息必须是 user"}}), messages=thread(ASKED, AIMessage("Which city?"))),
    "empty zh": case(contents("", None, calls=False), error(400, {"error": {"code": "1214", "message": "messages 参数非法:content 不能为空"}}), messages=thread(HI, AIMessage(""), ASKED)),
    "empty bedrock": case(contents("", None), error(400, {"message": "The text field in the ContentBlock object at messages.2.content.0 is blank. Add text to the text field, and try again."}), messages=thread(ASKED, called(), ToolMessage("", tool_call_id="call_1"), AND)),
    "null, Go": case(contents(None), error(400, {"error": {"message": "Field validation for 'Content' failed on the 'required' tag"}}), messages=TOLD),
    "choice fr": case(forced, error(400, {"erreur": "tool_choice doit valoir auto ou none"}), options={"tool_choice": "required"}, native=False),
    "parallel jp": case(lambda body: "parallel_tool_calls" in body, error(400, {"error": {"message": "不明なパラメータ: parallel_tool_calls"}}), options={"parallel_tool_calls": False}),
    "strict zh": case(strict, error(400, {"error": {"message": "未知字段 strict"}}), options={"strict": True}),
    "name it": case(speakers("(?!)"), error(400, {"errore": "Il campo name non è ammesso nei messaggi"}), messages=thread(HumanMessage("Hi", name="ann"), HELLO, ASKED)),
    "texts of a result": case(lists, openai_error("Failed to deserialize the JSON body into the target type: messages[2]: invalid type: sequence, expected a string at line 1 column 923"), messages=thread(ASKED, called(), ToolMessage([{"type": "text", "text": "Booked."}], tool_call_id="call_1"), AND)),
    "texts of a user": case(lambda body: isinstance(body["messages"][0]["content"], list), error(422, {"detail": [{"type": "string_type", "loc": ["body", "messages", 0, "content"], "msg": "Input should be a valid string"}]}), messages=thread(HumanMessage([{"type": "text", "text": "Book a room"}, {"type": "text", "text": "in Paris."}]))),
    "nil": case(contents(None), openai_error("invalid message content type: <nil>"), messages=TOLD),
    "a long description": case(lambda body: any(len(one["function"]["description"]) > 1024 for one in body.get("tools", ())), openai_error("Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 2600 instead.", code="string_above_max_length"), tools=[{**BOOK, "description": "Book a room. " * 200}]),
    "a template's loop": case(lambda body: any("tool_calls" in one for one in body["messages"]), error(500, {"object": "error", "message": "Can only get item pairs from a mapping.", "type": "InternalServerError", "code": 500}), messages=TOLD, native=False),
    "a template's method": case(lambda body: "tools" in body, error(500, {"error": {"code": 500, "message": "'list object' has no attribute 'startswith'", "type": "server_error"}}), native=False),
}  # fmt: skip

STREAM_OPTIONS = [
    openai_error("Unrecognized request argument supplied: stream_options"),
    unknown_field("stream_options", words="Champ non autorisé"),
    replace(unknown_field("stream_options"), status=400),
]
"""What servers say that do not know the argument."""
