"""Structured output: every method, every kind of schema, on servers that have it and on those that do not."""

import asyncio
import json
from functools import reduce
from operator import add
from typing import Annotated, Any, Literal

import pytest
from langchain.agents import create_agent
from langchain.agents.structured_output import (
    AutoStrategy,
    ProviderStrategy,
    StructuredOutputValidationError,
    ToolStrategy,
)
from langchain_core.exceptions import OutputParserException
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import JsonOutputParser, PydanticOutputParser
from langchain_core.runnables import RunnableLambda
from openai import LengthFinishReasonError
from pydantic import BaseModel, Field, RootModel
from pydantic.v1 import BaseModel as BaseModelV1
from typing_extensions import TypedDict

from langchain_toolemu import ChatToolEmu, Recipe, ToolChoiceError
from langchain_toolemu.capability import forget
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.toy_models import Streaming, TakesToolsOnly
from tests.ways import WAYS, ask, pieces

ANN = {"name": "Ann", "age": 42}


class Person(BaseModel):
    """A person."""

    name: str
    age: int


class PersonV1(BaseModelV1):
    """A person."""

    name: str
    age: int


class PersonDict(TypedDict):
    """A person."""

    name: str
    age: int


JSON_SCHEMA = {
    "title": "Person",
    "description": "A person.",
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
}
PEOPLE = {"title": "People", "type": "array", "items": {"type": "string"}}
SCHEMAS = {
    "pydantic": (Person, Person(**ANN)),
    "pydantic v1": (PersonV1, PersonV1(**ANN)),
    "TypedDict": (PersonDict, ANN),
    "JSON schema": (JSON_SCHEMA, ANN),
}


def native(request):
    """A server with tools and structured output."""
    if "tools" in request:
        return Reply(tool_calls=[(request["tools"][0]["function"]["name"], ANN)])
    return json.dumps(ANN)


def in_text(request):
    """A server that minds neither tools nor a response format, and a model that follows the contract."""
    system = request["messages"][0]["content"]
    name = next((word for word in ("PersonV1", "PersonDict", "Person") if word in system), None)
    return json.dumps({"name": name, "arguments": ANN}) if name else f"Well: {json.dumps(ANN)}"


def refusing(script):
    """A server that says that it has neither tools nor response formats."""

    def play(request):
        for word in ("tools", "response_format"):
            if word in request:
                body = {"error": {"message": f"this model does not support {word}"}}
                return Reply(status=400, body=body)
        return script(request)

    return play


SERVERS = {
    "native": ("fallback", native),
    "ignorant": ("fallback", in_text),
    "refusing": ("fallback", refusing(in_text)),
    "forced": ("force", refusing(in_text)),
    "forced, constrained": ("force", lambda request: json.dumps(ANN)),
}


@pytest.mark.pairwise
@pytest.mark.filterwarnings("ignore:Received a Pydantic BaseModel V1 schema")
@pytest.mark.parametrize("include_raw", [False, True])
@pytest.mark.parametrize("method", [None, "function_calling", "json_schema", "json_mode"])
@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("server", SERVERS)
def test_every_method_gives_the_answer_in_the_form(server, schema, method, include_raw):
    """Whatever the server can do, whatever the schema is written in, the same value comes back."""
    mode, script = SERVERS[server]
    kind, expected = SCHEMAS[schema]
    given = {"method": method} if method else {}
    with ScriptedServer(script) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        chain = llm.with_structured_output(kind, include_raw=include_raw, **given)
        said, asaid = chain.invoke("Who?"), asyncio.run(chain.ainvoke("Who?"))
    if include_raw:
        assert isinstance(said["raw"], AIMessage)
        assert said["parsing_error"] is asaid["parsing_error"] is None
        said, asaid = said["parsed"], asaid["parsed"]
    assert said == asaid == expected
    assert type(said) is type(expected)


@pytest.mark.parametrize("strict", [None, True, False])
@pytest.mark.parametrize("method", ["function_calling", "json_schema"])
def test_strict_is_the_providers(method, strict):
    """`strict` reaches a native server as ChatOpenAI sends it."""
    with ScriptedServer(native) as scripted:
        plain = scripted.chat_model()
        for llm in (plain, ChatToolEmu(llm=plain)):
            chain = llm.with_structured_output(JSON_SCHEMA, method=method, strict=strict)
            assert chain.invoke("Who?") == ANN
        first, second = scripted.requests
    assert second == first


def test_strict_and_json_mode_exclude_each_other():
    """What the wrapped model refuses is refused in its own words."""
    with ScriptedServer() as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model())
        with pytest.raises(ValueError, match="strict"):
            llm.with_structured_output(Person, method="json_mode", strict=True)


@pytest.mark.parametrize("server", ["native", "forced, constrained"])
def test_json_mode_takes_a_schema_without_a_title(server):
    """A schema that has no name is a form all the same, as it is for ChatOpenAI."""
    mode, script = SERVERS[server]
    schema = {key: JSON_SCHEMA[key] for key in ("properties", "required")}
    with ScriptedServer(script) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        assert llm.with_structured_output(schema, method="json_mode").invoke("Who?") == ANN


def test_json_mode_without_a_schema_is_any_json():
    """`json_mode` needs no schema: the answer is parsed as it is."""
    with ScriptedServer(refusing(lambda request: '```json\n{"free": 1}\n```')) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode="force")
        assert llm.with_structured_output(None, method="json_mode").invoke("?") == {"free": 1}
        llm.with_structured_output(None, method="json_mode").invoke("?")
        sent = ["response_format" in request for request in scripted.requests]
    assert sent == [True, False, False]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("words", ["Ann is 42.", "```json\n{}\n```"])
def test_words_in_place_of_a_native_answer_are_asked_about_in_text(words, way):
    """OpenAI's client raises where it cannot read the answer, of a stream by an error of its parser."""
    with ScriptedServer([words, RIGHT]) as scripted:
        chain = ChatToolEmu(llm=scripted.chat_model()).with_structured_output(Person)
        assert pieces(chain, "Who?", way)[-1] == Person(**ANN)
        assert len(scripted.requests) == 2


NATIVE_ANSWERS = {
    "words": ("Ann is 42.", 2),
    "an answer after its thoughts": (f"<think>Ann is 42.</think>\n{json.dumps(ANN)}", 2),
    "an answer in a fence": (f"```json\n{json.dumps(ANN)}\n```", 2),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", ["json_schema", "json_mode", "function_calling"])
@pytest.mark.parametrize("kind", NATIVE_ANSWERS)
def test_a_server_that_ignores_the_form_costs_a_second_request_once(kind, method, way):
    """From the second answer on the model is asked in text at once, and the report says so."""
    answer, most = NATIVE_ANSWERS[kind]

    def script(request):
        told = "Person" in str(request["messages"]) and "arg" in str(request["messages"])
        is_native = {"response_format", "tools"} & request.keys() and not told
        return answer if is_native else json.dumps(ANN)

    with ScriptedServer(script) as scripted:
        llm = ChatToolEmu(scripted.chat_model())
        chain = llm.with_structured_output(Person, method=method, include_raw=True)
        costs = []
        for _ in range(3):
            before = len(scripted.requests)
            said = ask(chain, "Who is Ann, who is 42? In JSON.", way)
            assert said["parsed"] == Person(**ANN)
            costs.append(len(scripted.requests) - before)
    assert costs[0] <= most
    assert costs[1:] == [1, 1]
    if costs[0] == 2:
        emulated = {"form_emulated", "calls_emulated"}
        assert emulated & {*said["raw"].response_metadata["toolemu"]["warning_codes"]}


CUT_OFF = Reply(text='{"name": "Ann", "ag', finish_reason="length")


@pytest.mark.parametrize("method", ["json_schema", "json_mode"])
def test_an_answer_that_was_cut_off_says_nothing_of_its_form(method):
    """The server is asked natively the next time."""
    with ScriptedServer([CUT_OFF] * 4) as scripted:
        chain = ChatToolEmu(scripted.chat_model(), max_reasks=0)
        chain = chain.with_structured_output(Person, method=method)
        with pytest.raises((LengthFinishReasonError, OutputParserException)):
            chain.invoke("Who?")
        scripted.play([json.dumps(ANN)])
        assert chain.invoke("Who?") == Person(**ANN)
        assert "response_format" in scripted.requests[0]


WRONG = json.dumps({"name": "Person", "arguments": {"name": "Ann", "age": "old"}})
RIGHT = json.dumps({"name": "Person", "arguments": ANN})
MISTAKES = {
    "a wrong type": (WRONG, "age: expected integer"),
    "bare, a wrong type": ('{"name": "Ann", "age": "old"}', "age: expected integer"),
    "bare, one missing": ('{"name": "Ann"}', "age"),
    "no JSON": ("Ann is 42.", "Person"),
    "cut": (Reply(text=RIGHT[:-8], finish_reason="length"), "cut off"),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_answer_that_does_not_fit_is_asked_for_again(mistake, method):
    """The model is told what is wrong, by the validation error, and its second answer counts."""
    first, told = MISTAKES[mistake]
    with ScriptedServer([first, RIGHT]) as scripted:
        llm = ChatToolEmu(
            llm=scripted.chat_model(), mode="force", contract=Recipe(constraint="never")
        )
        said = llm.with_structured_output(Person, method=method).invoke("Who?")
        correction = scripted.requests[1]["messages"][-1]["content"]
    assert said == Person(**ANN)
    assert told in correction


def test_what_never_fits_is_the_parsers_to_refuse():
    """An answer that stays wrong comes back as it is: the parser raises, or its error stands beside the message."""
    with ScriptedServer(lambda request: "Ann is 42.") as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode="force")
        with pytest.raises(OutputParserException):
            llm.with_structured_output(Person, method="json_schema").invoke("Who?")
        said = llm.with_structured_output(Person, method="json_schema", include_raw=True).invoke(
            "?"
        )
        with pytest.raises(ToolChoiceError):
            llm.with_structured_output(Person, method="function_calling").invoke("Who?")
    assert (said["raw"].content, said["parsed"]) == ("Ann is 42.", None)
    assert isinstance(said["parsing_error"], OutputParserException)


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("method", ["json_mode", "json_schema"])
def test_a_missing_field_is_asked_for_again_by_every_method(mode, method, way):
    """The answer is checked before it is shown, natively by the client, and asked for again."""
    with ScriptedServer([json.dumps({"name": "Ann"}), RIGHT]) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        said = pieces(llm.with_structured_output(Person, method=method), "Who?", way)[-1]
        assert len(scripted.requests) == 2
    assert said == Person(**ANN)


KINDS = {
    "an empty list": ("[]", JSON_SCHEMA, RIGHT, ANN),
    "the arguments of a list": ('{"items": ["Ann"]}', PEOPLE, None, ["Ann"]),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_native_answer_of_another_kind_is_not_shown(kind, way):
    """It begins otherwise than its form does: it is asked for again, or the answer is taken out of it."""
    first, schema, second, expected = KINDS[kind]
    replies = [first, second] if second else [first]
    with ScriptedServer(replies) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model())
        assert (
            pieces(llm.with_structured_output(schema, method="json_schema"), "Who?", way)[-1]
            == expected
        )
        assert len(scripted.requests) == len(replies)


MISFITS = {
    "a missing field": ('{"name": "Ann"}', 2),
    "a number as text": ('{"name": "Ann", "age": "42"}', 1),
    "a trailing comma": ('{"name": "Ann", "age": 42,}', 1),
    "cut off": ('{"name": "Ann", "age', 2),
    "a value of another kind": ('{"name": "Ann", "age": "old"}', 2),
}


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", [None, "json_schema"])
@pytest.mark.parametrize("schema", [PersonDict, JSON_SCHEMA], ids=["TypedDict", "JSON schema"])
@pytest.mark.parametrize("misfit", MISFITS)
def test_a_dict_is_checked_before_it_is_shown(misfit, schema, method, way):
    """Natively, too, an answer that does not fit is repaired without loss, or asked for again."""
    first, requests = MISFITS[misfit]
    options = {"method": method} if method else {}
    with ScriptedServer([first, json.dumps(ANN)][:requests]) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model())
        assert pieces(llm.with_structured_output(schema, **options), "Who?", way) == [ANN]
        assert len(scripted.requests) == requests


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("method", [None, "json_mode"])
@pytest.mark.parametrize("schema", [Person, JSON_SCHEMA], ids=["pydantic", "JSON schema"])
def test_half_an_answer_is_none(schema, method, mode, way):
    """LangChain would complete JSON that was cut off, and half a value would look like a whole one."""
    options = {"method": method} if method else {}
    with ScriptedServer(lambda request: '{"age": 42, "name": "An') as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        with pytest.raises(OutputParserException, match="cut off in the last of"):
            pieces(llm.with_structured_output(schema, **options), "Who?", way)


# What a server says that decodes under a schema.
DECODES = {"/props": {"chat_template_caps": {"supports_tools": True}}}


@pytest.mark.parametrize("way", WAYS)
def test_a_native_answer_that_streams_is_told_of_if_it_is_wrong(way):
    """Where the server decodes under a schema, a dict streams as partial objects; a warning says what is wrong with it."""
    with ScriptedServer(lambda request: '{"name": "Ann"}', pages=DECODES) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model())
        chain = llm.with_structured_output(JSON_SCHEMA, method="json_schema")
        message = ask(chain.first, "Who?", way)
        assert pieces(chain, "Who?", way)[-1] == {"name": "Ann"}
    (told,) = message.response_metadata["toolemu"]["warnings"]
    assert told == "the native answer does not fit the response format: age: required, but missing"


CITY = {"title": "City", "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}  # fmt: skip


@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode"])
@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_schema_with_a_key_called_name_is_never_its_own_call(mode, method):
    """An answer that a model writes as a call of the schema is the call's arguments."""
    written = json.dumps({"name": "City", "arguments": {"name": "Rome"}})
    with ScriptedServer(lambda request: written) as scripted:
        chain = ChatToolEmu(llm=scripted.chat_model(), mode=mode).with_structured_output(
            CITY, method=method
        )
        assert [pieces(chain, "Who?", way)[-1] for way in ("invoke", "stream")] == [
            {"name": "Rome"}
        ] * 2
        assert len(scripted.requests) == 2


class People(RootModel[list[str]]):
    """People."""


@pytest.mark.pairwise
@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode"])
@pytest.mark.parametrize(("schema", "expected"), [(PEOPLE, ["Ann"]), (People, People(["Ann"]))])
@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_list_is_an_answer_too(mode, schema, expected, method):
    """A root array comes back as a list, natively and emulated."""
    listed = {"name": "People", "arguments": {"items": ["Ann"]}}
    with ScriptedServer(refusing(lambda request: json.dumps(listed))) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        assert llm.with_structured_output(schema, method=method).invoke("Who?") == expected
    with ScriptedServer(lambda request: json.dumps(["Ann"])) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model())
        assert llm.with_structured_output(schema, method=method).invoke("Who?") == expected
        assert len(scripted.requests) == 1


class Sizes(RootModel[dict[str, int]]):
    """The sizes of cities."""


class Cat(BaseModel):
    """A cat."""

    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    """A dog."""

    kind: Literal["dog"]


class Pet(RootModel[Annotated[Cat | Dog, Field(discriminator="kind")]]):
    """A pet."""


class Number(RootModel[int]):
    """A number."""


class Order(BaseModel):
    """An order of a tool."""

    name: str
    arguments: dict[str, int]


class Name(BaseModel):
    """A name."""

    name: str


ROOTS = {
    "a further key": (Person, {**ANN, "city": "Rome"}, Person(**ANN)),
    "a map": (Sizes, {"Paris": 1}, Sizes({"Paris": 1})),
    "a union": (Pet, {"kind": "cat", "lives": 9}, Pet(Cat(kind="cat", lives=9))),
    "a list": (People, ["Ann"], People(["Ann"])),
    "a number": (Number, 42, Number(42)),
    "keys of a call": (Order, {"name": "Order", "arguments": {"a": 1}}, Order(name="Order", arguments={"a": 1})),
    "its own name": (Name, {"name": "Name"}, Name(name="Name")),
}  # fmt: skip


@pytest.mark.pairwise
@pytest.mark.parametrize("fenced", [False, True])
@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode"])
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("root", ROOTS)
def test_whatever_fits_the_schema_is_the_answer(root, mode, method, fenced):
    """An answer that its schema allows is taken at once, whatever its keys are; OpenAI's client wants no fence."""
    schema, said, expected = ROOTS[root]
    text = f"```json\n{json.dumps(said)}\n```" if fenced else json.dumps(said)
    checks_itself = method == "json_schema" and mode == "fallback" and isinstance(said, dict)
    with ScriptedServer(lambda request: text) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        assert llm.with_structured_output(schema, method=method).invoke("?") == expected
        assert len(scripted.requests) == (2 if fenced and checks_itself else 1)


@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode"])
def test_a_map_with_a_wrong_value_is_asked_for_again(method, mode):
    """A schema that takes any key still says what its values are."""
    replies = ['{"Paris": "many"}', '{"Paris": 1}']
    with ScriptedServer(replies) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        said = llm.with_structured_output(Sizes, method=method).invoke("?")
        assert len(scripted.requests) == 2
    assert said == Sizes({"Paris": 1})


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_json_mode_sends_no_schema(mode):
    """A server that only knows `json_object` is asked for that, and for the form in text."""
    with ScriptedServer(in_text) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        assert llm.with_structured_output(Person, method="json_mode").invoke("Who?") == Person(**ANN)  # fmt: skip
        formats = {str(request.get("response_format")) for request in scripted.requests}
    assert formats == {str({"type": "json_object"})}


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_call_that_never_came_is_reported_beside_the_message(mode):
    """`include_raw` gives the message and the error; without it the error is raised."""
    with ScriptedServer(lambda request: "Ann is 42.") as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        given = {"method": "function_calling"}
        said = llm.with_structured_output(Person, include_raw=True, **given).invoke("Who?")
        with pytest.raises(ToolChoiceError, match="The model had to call Person"):
            llm.with_structured_output(Person, **given).invoke("Who?")
    assert (said["raw"].content, said["parsed"]) == ("Ann is 42.", None)
    assert isinstance(said["parsing_error"], ToolChoiceError)
    assert "The model had to call Person" in str(said["parsing_error"])


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode"])
@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_an_error_is_a_value_beside_the_message_in_every_way(mode, method, way):
    """Whole or in a stream, `include_raw` gives the message, no answer, and why there is none."""
    with ScriptedServer(lambda request: "Ann is 42.") as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        chain = llm.with_structured_output(Person, include_raw=True, method=method)
        said = ask(chain, "Who?", way)
    assert (said["raw"].content, said["parsed"]) == ("Ann is 42.", None)
    expected = ToolChoiceError if method == "function_calling" else OutputParserException
    assert isinstance(said["parsing_error"], expected)


class Narrow(Streaming):
    """Its own `with_structured_output` takes a schema and nothing else."""

    def with_structured_output(self, schema):
        return self.bind(seed=7) | JsonOutputParser()


@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
def test_a_model_that_knows_no_include_raw_is_not_asked_for_it(mode):
    """Off hands on what the caller gave and nothing else; the other modes give it themselves."""
    llm = ChatToolEmu(llm=Narrow(said=[json.dumps(ANN)]), mode=mode)
    assert llm.with_structured_output(JSON_SCHEMA).invoke("Who?") == ANN
    if mode == "off":
        with pytest.raises(TypeError, match="include_raw"):
            llm.with_structured_output(JSON_SCHEMA, include_raw=True)
    else:
        said = llm.with_structured_output(JSON_SCHEMA, include_raw=True).invoke("Who?")
        assert (said["parsed"], said["parsing_error"]) == (ANN, None)
        assert llm.with_structured_output(JSON_SCHEMA, method="json_mode").invoke("Who?") == ANN


# --- handing the schema to the server ---


def test_a_schema_is_handed_to_a_server_that_takes_it():
    """Where a schema is demanded, an emulated request carries it; `constraint="never"` leaves it out."""
    with ScriptedServer(lambda request: json.dumps(ANN)) as scripted:
        for constrain in (None, "never"):
            llm = ChatToolEmu(
                llm=scripted.chat_model(), mode="force", contract=Recipe(constraint=constrain)
            )
            assert llm.with_structured_output(JSON_SCHEMA, method="json_schema").invoke("?") == ANN
        formats = [request.get("response_format") for request in scripted.requests]
    assert formats[0]["json_schema"]["schema"]["required"] == ["name", "age"]
    assert formats[1] is None


def test_a_server_that_refuses_a_schema_is_asked_without_and_remembered():
    """The refusal costs one request, once."""
    with ScriptedServer(refusing(in_text)) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode="force")
        chain = llm.with_structured_output(Person, method="json_schema")
        assert chain.invoke("Who?") == chain.invoke("Who?") == Person(**ANN)
        sent = ["response_format" in request for request in scripted.requests]
    assert sent == [True, False, False]
    forget()


def test_a_client_that_judges_the_reply_is_asked_without_a_schema():
    """OpenAI's client raises on a cut reply where a schema was sent: it is asked again without one."""
    cut = Reply(text=RIGHT[:-8], finish_reason="length")
    with ScriptedServer([cut, RIGHT]) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode="force")
        chain = llm.with_structured_output(Person, method="json_schema")
        assert chain.invoke("Who?") == Person(**ANN)
        sent = ["response_format" in request for request in scripted.requests]
    assert sent == [True, False]


def test_tools_leave_no_room_for_a_schema():
    """Beside tools that may be called, the schema is asked for in text only."""
    with ScriptedServer(lambda request: RIGHT) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode="force")
        said = llm.bind_tools([look_up], response_format=Person).invoke("Who?")
        assert "response_format" not in scripted.requests[0]
    assert json.loads(said.content) == ANN
    assert said.tool_calls == []
    assert said.response_metadata["finish_reason"] == "stop"


SIZES = {"title": "Sizes", "type": "object", "additionalProperties": {"type": "integer"}}
PLAIN = {
    "a list": (PEOPLE, ["Ann"]),
    "a map": (SIZES, {"Paris": 1}),
    "a map in OpenAI's dict": ({"type": "json_schema", "json_schema": {"name": "Sizes", "schema": SIZES}}, {"Paris": 1}),
    "a schema without a name": ({"type": "object", "properties": {"a": {"type": "integer"}}}, {"a": 1}),
}  # fmt: skip


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("plain", PLAIN)
def test_tools_go_with_a_schema_that_langchain_makes_no_tool_of(plain, mode, way):
    """ChatOpenAI looks for the properties of a form beside tools: one that has none is handed to it by its name."""
    form, answer = PLAIN[plain]
    with ScriptedServer(lambda request: json.dumps(answer)) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        said = ask(llm.bind_tools([look_up], response_format=form), "Who?", way)
        (request,) = scripted.requests
    assert json.loads(said.content) == answer
    sent = request.get("response_format", {}).get("json_schema", {}).get("schema")
    assert sent == (form.get("json_schema", {}).get("schema", form) if mode == "fallback" else None)


@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode"])
def test_a_map_is_a_schema_too(method, mode):
    """One that has no properties is asked for by every method."""
    with ScriptedServer(lambda request: '{"Paris": 1}') as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        assert llm.with_structured_output(SIZES, method=method).invoke("?") == {"Paris": 1}
        assert len(scripted.requests) == 1


# --- agents ---


def look_up(name: str) -> str:
    """Look up a person's age."""
    return f"{name} is 42"


def agent_script(request):
    """A model that looks up, then answers: in text where there is a contract, natively where there is none."""
    done = any("42" in str(message["content"]) for message in request["messages"])
    offered = [tool["function"]["name"] for tool in request.get("tools", [])]
    if not offered and "response_format" in request:
        return json.dumps(ANN)
    if offered:
        answer = next((name for name in offered if name.startswith("Person")), None)
        if not done:
            return Reply(tool_calls=[("look_up", {"name": "Ann"})])
        return Reply(tool_calls=[(answer, ANN)]) if answer else json.dumps(ANN)
    return RIGHT if done else json.dumps({"name": "look_up", "arguments": {"name": "Ann"}})


STRATEGIES = {
    "ToolStrategy": ToolStrategy,
    "ProviderStrategy": ProviderStrategy,
    "AutoStrategy": AutoStrategy,
    "a schema": lambda schema: schema,
}


@pytest.mark.pairwise
@pytest.mark.parametrize("name", ["scripted", "gpt-4o"])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("server", ["native", "refusing", "forced"])
def test_agents_answer_in_the_form(server, strategy, name):
    """Each strategy, picked by hand or by the model's name, ends with the same structured response."""
    mode = "force" if server == "forced" else "fallback"
    script = agent_script if server == "native" else refusing(agent_script)
    with ScriptedServer(script) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(model=name), mode=mode)
        agent = create_agent(llm, [look_up], response_format=STRATEGIES[strategy](Person))
        state = agent.invoke({"messages": "How old is Ann?"})
    assert state["structured_response"] == Person(**ANN)
    assert [call["name"] for call in state["messages"][1].tool_calls] == ["look_up"]


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_an_agents_bare_answer_is_the_call_of_its_form(mode):
    """Where any call will do, an object that fits the form only is the form's."""

    def bare(request):
        done = any("is 42" in str(message["content"]) for message in request["messages"])
        return json.dumps(ANN if done else {"name": "look_up", "arguments": {"name": "Ann"}})

    with ScriptedServer(bare) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        agent = create_agent(llm, [look_up], response_format=ToolStrategy(Person))
        state = agent.invoke({"messages": "How old is Ann?"})
    assert state["structured_response"] == Person(**ANN)


def test_an_agents_answer_in_the_wrong_form_is_its_strategys_error():
    """A model that never gives the form ends in LangChain's own error, as a native one does."""
    with ScriptedServer(lambda request: "Ann is 42.") as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode="force", max_reasks=0)
        agent = create_agent(llm, [look_up], response_format=ProviderStrategy(Person))
        with pytest.raises(StructuredOutputValidationError):
            agent.invoke({"messages": "How old is Ann?"})


def test_an_agent_out_of_rounds_gives_its_answer_in_the_form():
    """When no more calls can be made, only the form is left to call."""

    def restless(request):
        if "look_up" not in request["messages"][0]["content"]:
            return RIGHT
        name = f"Ann {len(request['messages'])}"
        return json.dumps({"name": "look_up", "arguments": {"name": name}})

    with ScriptedServer(restless) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode="force", max_tool_rounds=3)
        agent = create_agent(llm, [look_up], response_format=ProviderStrategy(Person))
        state = agent.invoke({"messages": "How old is Ann?"})
    assert state["structured_response"] == Person(**ANN)


# --- streaming ---


@pytest.mark.parametrize(
    "parser", [JsonOutputParser(), PydanticOutputParser(pydantic_object=Person)]
)
@pytest.mark.parametrize("mode", ["off", "fallback"])
def test_partial_objects_stream_from_a_native_server(mode, parser):
    """An object that a server decodes under a schema is shown as it comes, through LangChain's parsers."""
    text = json.dumps(ANN)
    pieces = [text[start : start + 4] for start in range(0, len(text), 4)]
    with ScriptedServer(lambda request: Reply(text=pieces), pages=DECODES) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode=mode)
        demanded = llm.bind(response_format={"type": "json_object"}) | parser
        shown = list(demanded.stream("Who?"))
        formed = llm.with_structured_output(JSON_SCHEMA, method="json_schema")
        partial = list(formed.stream("Who?"))
    assert len(partial) > 2
    assert partial[-1] == ANN
    assert shown[-1] in (ANN, Person(**ANN))


def test_the_four_ways_agree():
    """An answer in the form is the same message however it is asked for."""
    pieces = [RIGHT[start : start + 3] for start in range(0, len(RIGHT), 3)]
    with ScriptedServer(lambda request: Reply(text=["Well. ", *pieces, " There."])) as scripted:
        llm = ChatToolEmu(llm=scripted.chat_model(), mode="force")
        bound = llm.bind(response_format=Person)
        whole, summed = bound.invoke("Who?"), reduce(add, bound.stream("Who?"))
    assert whole.content == summed.content == json.dumps(ANN)
    assert whole.tool_calls == summed.tool_calls == []


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_model_that_takes_no_choice_has_structured_output(mode):
    """LangChain's own way demands a call, which not every `bind_tools` can be told: then it is asked for in text."""
    llm = ChatToolEmu(llm=TakesToolsOnly(said=['{"name": "Ann", "age": 42}']), mode=mode)
    answer = llm.with_structured_output(Person, method="function_calling").invoke("Who?")
    assert (answer.name, answer.age) == ("Ann", 42)


class OwnWay(Streaming):
    """A model with a method of its own for structured output, which no binding shows."""

    answer: Any = None
    fails: bool = False
    asked: list[Any] = Field(default_factory=list)

    def with_structured_output(self, schema, *, include_raw=False):
        def answer(question):
            self.asked.append(question)
            if self.fails:
                raise ValueError("no such grammar")
            return {"raw": AIMessage("x"), "parsed": self.answer, "parsing_error": None} if include_raw else self.answer  # fmt: skip

        return RunnableLambda(answer)


IN_TEXT = json.dumps({"name": "Person", "arguments": ANN})


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("include_raw", [False, True])
def test_a_method_of_the_models_own_is_asked_first(include_raw, way):
    """Its answer is the answer; where it has none, or fails, the form is emulated. In mode force it is not asked."""
    bob = Person(name="Bob", age=7)
    rows = [({"answer": bob}, "fallback", bob), ({}, "fallback", Person(**ANN)), ({"fails": True}, "fallback", Person(**ANN)), ({"answer": bob}, "force", Person(**ANN))]  # fmt: skip
    for own, mode, expected in rows:
        inner = OwnWay(said=[IN_TEXT], **own)
        chain = ChatToolEmu(inner, mode=mode).with_structured_output(Person, include_raw=include_raw)  # fmt: skip
        said = ask(chain, "Who?", way)
        assert (said["parsed"] if include_raw else said) == expected
        assert len(inner.asked) == (mode == "fallback")


def test_a_method_of_the_models_own_is_not_asked_without_the_settings():
    """It could not be handed what the wrapper adds to every request."""
    inner = OwnWay(said=[IN_TEXT], answer=Person(name="Bob", age=7))
    chain = ChatToolEmu(inner.bind(seed=7)).with_structured_output(Person)
    assert chain.invoke("Who?") == Person(**ANN)
    assert inner.asked == []


def test_two_failures_raise_the_first():
    """The error is that of the model's own way, as it would be without us."""
    inner = OwnWay(said=["No."], fails=True)
    with pytest.raises(ValueError, match="no such grammar"):
        ChatToolEmu(inner).with_structured_output(Person).invoke("Who?")


UNKNOWN_NAME = [
    '<tool_call>{"name": "make_person", "arguments": {"name": "Ann", "age": 42}}</tool_call>',
    '{"name": "make_person", "arguments": {"name": "Ann", "age": 42}}',
    '```json\n{"name": "make_person", "arguments": {"name": "Ann", "age": 42}}\n```',
]


@every_row("text", UNKNOWN_NAME)
@every_row("learns", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_a_call_under_an_unknown_name_is_no_silent_none(way, learns, text):
    """The model is asked again; what it never names rightly is an error, not `None`."""

    def script(request):
        asked_again = learns and "tools" not in request
        return IN_TEXT if asked_again else text

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(server.chat_model())
        chain = llm.with_structured_output(Person, method="function_calling")
        if learns:
            assert ask(chain, "Who?", way) == Person(**ANN)
        else:
            with pytest.raises(ToolChoiceError, match="had to call Person"):
                ask(chain, "Who?", way)


@pytest.mark.pairwise
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("method", ["json_schema", "json_mode", "function_calling"])
def test_our_own_words_are_never_the_models(method, mode, way):
    """A small model that repeats what it was told has not answered: neither a message nor an error has our words."""

    def echo(request):
        return request["messages"][-1]["content"] if len(scripted.requests) > 1 else "Hello."

    with ScriptedServer(echo) as scripted:
        chain = ChatToolEmu(llm=scripted.chat_model(), mode=mode).with_structured_output(
            Person, method=method, include_raw=True
        )
        said = pieces(chain, "Who?", way)
        raw = reduce(add, (one["raw"] for one in said if "raw" in one))
        error = next(one["parsing_error"] for one in said if one.get("parsing_error"))
        told = [request["messages"][-1]["content"] for request in scripted.requests[1:]]
    assert told
    for words in told:
        assert words[:40] not in f"{raw.content} {error} {getattr(error, 'llm_output', '')}"
