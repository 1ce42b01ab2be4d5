"""Grammars and schemas for servers to decode under: what is sent, what is done about a refusal, and the real thing."""

import re
from typing import Any, Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field

from langchain_toolemu import (
    ChatToolEmu,
    ToolCallParseError,
    ToolChoiceError,
    override_tool_support,
)
from langchain_toolemu.capability import Capability, servers
from langchain_toolemu.contract import Recipe
from langchain_toolemu.contract.dialects import DIALECTS
from langchain_toolemu.contract.example_values import NUMBERS, PLACEHOLDERS
from langchain_toolemu.tools import read_tools, to_openai_tools
from langchain_toolemu.validation import fit
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer

_MODEL = pytest.mark.more("time: the first case shows as much on the model")


class Stop(BaseModel):
    """A stop on a route."""

    city: str
    kind: Literal["hotel", "café"] = "hotel"


class Route(BaseModel):
    """Plan a route."""

    start: str = Field(description="Where it begins")
    days: int
    fast: bool
    stops: list[Stop] = []
    notes: dict[str, str] | None = None


class Trip(BaseModel):
    """Plan a trip."""

    start: str = Field(description="Where it begins")
    days: int
    fast: bool


class Tree(BaseModel):
    """Plant a tree."""

    name: str
    children: "list[Tree]" = []


@pytest.mark.parametrize(
    "dialect", ["json", *(pytest.param(one, marks=_MODEL) for one in DIALECTS if one != "json")]
)
def test_a_demanded_call_fits_its_schema(dialect: str, embedded: ChatOpenAI):
    """Under a grammar a 135M model's first reply is a call whose arguments fit, where there is no list to run on in."""
    llm = ChatToolEmu(
        llm=embedded,
        mode="force",
        contract=Recipe(dialect=dialect, constraint="grammar"),
        max_reasks=0,
    )
    message = llm.bind_tools([Trip], tool_choice="Trip").invoke("From Rome, 3 days, fast.")
    (call,) = message.tool_calls
    (spec,) = read_tools(to_openai_tools([Trip]))
    assert not fit(call["args"], spec.schema).errors
    assert message.response_metadata["toolemu"]["requests"] == 1


def test_a_recursive_schema_is_taken(embedded: ChatOpenAI):
    """llama.cpp accepts the grammar of a schema that contains itself, and of two tools at once."""
    llm = ChatToolEmu(
        llm=embedded, mode="force", contract=Recipe(constraint="grammar", examples=False)
    )
    llm = llm.bind_tools([Route, Tree])
    message = llm.invoke("Hello!", max_tokens=8)
    assert message.tool_calls or message.text or message.invalid_tool_calls


def test_what_the_wrapped_model_adds_to_its_requests_stays(embedded: ChatOpenAI):
    """A grammar is put beside the wrapped model's own additions to the request, not in their place."""
    seeded = embedded.model_copy(update={"extra_body": {"seed": 7}})
    llm = ChatToolEmu(llm=seeded, mode="force", contract=Recipe(constraint="grammar"))
    tools = to_openai_tools([Tree])
    turn = llm._turn([], None, {"tools": tools}, llm._capability({}))
    assert {"seed", "grammar", "structured_outputs"} == set(turn.ask().kwargs["extra_body"])


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def save_note(text: str) -> str:
    """Save a note."""
    return text


SUM = '{"name": "add", "arguments": {"a": 1, "b": 2}}'
COPIED = f'{{"name": "add", "arguments": {{"a": {NUMBERS[0]}, "b": {NUMBERS[1]}}}}}'


def refusing(field: str, words: str = "{} is not supported by this model"):
    """A server that refuses a field of the request, and calls."""

    def answer(request):
        if field in request:
            message = words.format(field)
            return Reply(status=400, body={"error": {"message": message}})
        return SUM

    return answer


def emulated(server: ScriptedServer, **settings):
    return ChatToolEmu(llm=server.chat_model(), mode="force", **settings)


def test_a_schema_is_sent_where_a_call_is_certain():
    """A forced choice and a decision have their schema sent along; a free turn has not."""
    with ScriptedServer([SUM, "Hello!", '{"name": "none", "arguments": {}}', "Hello!"]) as server:
        llm = emulated(server, contract=Recipe(constraint="schema"))
        llm.bind_tools([add], tool_choice="add").invoke("1 and 2")
        llm.bind_tools([add]).invoke("Hi")
        emulated(server, contract=Recipe(constraint="schema"), flow="decision").bind_tools(
            [add]
        ).invoke("Hi")
        formats = [request.get("response_format") for request in server.requests]
    assert formats[0]["json_schema"]["schema"]["properties"]["name"] == {"const": "add"}
    assert [bool(one) for one in formats] == [True, False, True, False]


def test_an_answer_held_to_its_form_is_not_asked_for_as_a_call():
    """Where the server holds the answer to its form, the contract only lists the form's members."""
    with ScriptedServer(['{"city": "Rome", "kind": "hotel"}']) as server:
        llm = emulated(server).with_structured_output(Stop, method="json_schema")
        assert llm.invoke("A hotel in Rome.") == Stop(city="Rome", kind="hotel")
        (request,) = server.requests
    system, question = (message["content"] for message in request["messages"])
    assert "city: string" in system
    assert "call" not in system
    assert question == "A hotel in Rome."


def test_a_refused_schema_is_left_out_and_the_refusal_remembered():
    """The turn goes on without it, and later turns do not send it at all."""
    with ScriptedServer(refusing("response_format")) as server:
        bound = emulated(server, contract=Recipe(constraint="schema")).bind_tools(
            [add], tool_choice="add"
        )
        assert bound.invoke("1 and 2").tool_calls
        bound.invoke("1 and 2")
        sent = ["response_format" in request for request in server.requests]
    assert sent == [True, False, False]


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("grammar", "{} is not supported by this model"),
        ("grammar", "Unknown parameter: '{}'."),
        ("structured_outputs", "Unknown parameter: '{}'."),
    ],
)
def test_a_refused_grammar_is_left_out_and_the_refusal_remembered(field: str, words: str):
    """A server that takes no grammar is asked without it, the message says so, and later turns do not send it."""
    with ScriptedServer(refusing(field, words)) as server:
        bound = emulated(server, contract=Recipe(constraint="grammar")).bind_tools([add])
        message = bound.invoke("1 and 2")
        bound.invoke("1 and 2")
        sent = ["grammar" in request for request in server.requests]
    assert message.tool_calls
    assert sent == [True, False, False]
    assert "without a grammar" in str(message.response_metadata["toolemu"]["warnings"])


@pytest.mark.parametrize("constrain", ["grammar", "quotes"])
def test_a_client_that_hands_over_no_grammar_is_asked_without_one(constrain: str):
    """Ollama's client takes no fields of ours: it says so before it sends anything, and that is remembered, too."""
    with ScriptedOllama(SUM, capabilities=["completion"]) as server:
        llm = ChatToolEmu(
            llm=server.chat_model(), mode="force", contract=Recipe(constraint=constrain)
        )
        first, second = (llm.bind_tools([add]).invoke("1 and 2") for _ in range(2))
    assert first.tool_calls[0]["args"] == second.tool_calls[0]["args"] == {"a": 1, "b": 2}
    assert "without a grammar" in str(first.response_metadata["toolemu"]["warnings"])
    assert "without a grammar" not in str(second.response_metadata["toolemu"]["warnings"])


def test_a_grammar_asked_for_by_name_is_in_the_fields_of_both_servers():
    """llama.cpp and vLLM each know one of them; where the server is known, it gets its own."""
    with ScriptedServer(lambda _: SUM) as server:
        emulated(server, contract=Recipe(constraint="grammar")).bind_tools([add]).invoke("1 and 2")
        (request,) = server.requests
    assert request["grammar"].startswith("root ::= ")
    assert request["structured_outputs"] == {"grammar": request["grammar"]}


def test_a_grammar_that_one_set_of_tools_has_is_not_held_against_the_next():
    """That a grammar cannot be parsed says nothing of other grammars."""

    def answer(request):
        if "save_note" in request.get("grammar", ""):
            return Reply(status=400, body={"error": {"message": "Failed to parse grammar"}})
        return SUM

    with ScriptedServer(answer) as server:
        llm = emulated(server, contract=Recipe(constraint="grammar"))
        llm.bind_tools([add, save_note]).invoke("1 and 2")
        llm.bind_tools([add]).invoke("1 and 2")
        sent = ["grammar" in request for request in server.requests]
    assert sent == [True, False, True]


@pytest.fixture
def llama_cpp():
    """A scripted server that is known to decode under a grammar."""
    with ScriptedServer(lambda _: SUM) as server:
        known = override_tool_support(
            f"openai:{server.chat_model().model_name}", "native", axis="grammar"
        )
        with known:
            yield server


def calls_rule(grammar):
    """The rule for all calls of a reply."""
    return next(line for line in grammar.splitlines() if line.startswith("calls ::= "))


def test_a_server_known_to_take_a_grammar_is_handed_one(llama_cpp):
    """By default a demanded call is held to a grammar where the server is known to take one; a free turn is not."""
    llm, never = emulated(llama_cpp), emulated(llama_cpp, contract=Recipe(constraint="never"))
    llm.bind_tools([add], tool_choice="any").invoke("1 and 2")
    llm.bind_tools([add], tool_choice="any", parallel_tool_calls=False).invoke("1 and 2")
    llm.bind_tools([add]).invoke("1 and 2")
    never.bind_tools([add], tool_choice="any").invoke("1 and 2")
    several, one, *none = (request.get("grammar", "") for request in llama_cpp.requests)
    assert ")*" in calls_rule(several)
    assert ")*" not in calls_rule(one)
    assert none == ["", ""]
    assert not any("structured_outputs" in request for request in llama_cpp.requests)


def test_the_smallest_models_are_held_to_what_was_said():
    """By default a model below 300 million parameters has a grammar of quotations in every turn with tools."""
    with ScriptedServer(lambda _: SUM) as server:
        small = server.chat_model(model="tiny-135m")
        with override_tool_support("openai:tiny-135m", "native", axis="grammar"):
            ChatToolEmu(llm=small, mode="force").bind_tools([add]).invoke("1 and 2")
        (request,) = server.requests
    assert "quoted" in request["grammar"] or "number" in request["grammar"]


@pytest.mark.parametrize("said", ["Answer in JSON.", 'Fill in {"name": ""}.', "As a json object"])
def test_no_grammar_where_an_answer_in_json_may_be_wanted(said: str, llama_cpp):
    """Under the grammar an object can only be a call, so a model that was to answer in JSON would be made to call."""
    emulated(llama_cpp).bind_tools([add]).invoke(said)
    assert "grammar" not in llama_cpp.requests[0]


def test_a_decision_is_held_to_a_call_or_none(llama_cpp):
    """In the decision flow the grammar leaves a call or a call of nothing, and the answer is free."""
    emulated(llama_cpp, flow="decision").bind_tools([add]).invoke("1 and 2")
    grammar = llama_cpp.requests[0]["grammar"]
    assert grammar.startswith("root ::= calls | ")
    assert '\\"none\\"' in grammar


def test_the_callers_own_grammar_stands(llama_cpp):
    """A grammar that the caller hands over is theirs to choose."""
    body = {"grammar": 'root ::= "yes"'}
    emulated(llama_cpp).bind_tools([add], extra_body=body).invoke("1 and 2")
    assert llama_cpp.requests[0]["grammar"] == body["grammar"]


@pytest.mark.parametrize(("known", "questions"), [("native", 0), ("none", 1)])
def test_who_calls_natively_is_asked_for_no_grammar(known: str, questions: int, monkeypatch):
    """A grammar is a matter of emulation: a server known to call tools is not asked about itself, any other once."""
    asked: list[str] = []
    monkeypatch.setattr(servers, "ask", lambda _, model: asked.append(model) or {})
    with ScriptedServer(lambda _: "Hello!") as server:
        llm = ChatToolEmu(llm=server.chat_model(), tool_support=known).bind_tools([add])
        llm.invoke("Hi")
        llm.invoke("Hi")
    assert len(asked) == questions


def test_the_embedded_server_says_that_it_takes_a_grammar(embedded: ChatOpenAI):
    """llama.cpp's own page is enough: it need not be set."""
    capability = Capability(embedded)
    capability.consult()
    assert capability.known.knows_grammar


def test_a_cut_reply_is_asked_for_again_without_the_grammar():
    """A small model may run on under a grammar until its limit: the re-ask leaves it free."""
    cut = Reply(
        '{"name": "save_note", "arguments": {"text": "and so on and', finish_reason="length"
    )
    with ScriptedServer([cut, '{"name": "save_note", "arguments": {"text": "on"}}']) as server:
        llm = emulated(server, contract=Recipe(constraint="grammar")).bind_tools([save_note])
        assert llm.invoke("Save on.").tool_calls[0]["args"] == {"text": "on"}
        assert ["grammar" in request for request in server.requests] == [True, False]


def test_a_repeated_call_stays_a_part_of_the_next_grammar():
    """The model is asked, and no tool is taken away from it."""
    past = [
        HumanMessage("1 and 2"),
        AIMessage("", tool_calls=[{"name": "add", "args": {"a": 1, "b": 2}, "id": "c1"}]),
        ToolMessage("3", tool_call_id="c1"),
    ]
    with ScriptedServer([SUM, "It is 3."]) as server:
        message = (
            emulated(server, contract=Recipe(constraint="quotes"))
            .bind_tools([add, save_note])
            .invoke(past)
        )
        first, second = (request["grammar"] for request in server.requests)
    assert message.text == "It is 3."
    assert "add" in first
    assert "add" in second


@pytest.mark.parametrize(
    "asked",
    [
        "Save a note that says: dinner is ready",
        pytest.param("Save 'a \"b\" \\\\ c' for Łukasz.", marks=_MODEL),
        pytest.param("保存一条笔记 晚饭好了", marks=_MODEL),
        pytest.param("Save\n\n\tthis <b>&amp;</b> 😀 \u0e2d\u0e32", marks=_MODEL),
    ],
)
def test_llama_cpp_takes_the_grammar_of_quotations(asked: str, embedded: ChatOpenAI):
    """Whatever was said, the server takes it as a grammar, and what a 135M model writes was said."""
    llm = ChatToolEmu(
        llm=embedded, mode="force", contract=Recipe(constraint="quotes"), max_reasks=0
    )
    message = llm.bind_tools([save_note], tool_choice="save_note").invoke(asked)
    (call,) = message.tool_calls
    assert call["args"]["text"].lower() in " ".join(asked.split()).lower()
    assert message.response_metadata["toolemu"]["requests"] == 1


def test_an_answer_in_a_form_is_not_quoted(llama_cpp):
    """An answer is in the model's own words, though the calls beside it can only quote."""
    llm = emulated(llama_cpp, contract=Recipe(constraint="quotes")).bind_tools(
        [save_note], response_format=Stop
    )
    llm.invoke("Hi")
    written = dict(line.split(" ::= ", 1) for line in llama_cpp.requests[0]["grammar"].splitlines())
    values = re.findall(r'"(?:text|city)\\": " (s\d+)', written["call"])
    assert [written[rule] for rule in values] == ["quoted", "string"]


def test_a_call_copied_from_an_example_is_asked_about():
    """A call with an example's words was not meant; the model is asked, with the tools still in sight."""
    copied = f'{{"name": "save_note", "arguments": {{"text": "{PLACEHOLDERS[0]}"}}}}'
    with ScriptedServer([copied, "Nice to meet you."]) as server:
        message = emulated(server).bind_tools([save_note]).invoke("I am Ann.")
        assert "save_note" in str(server.requests[1])
    assert message.text == "Nice to meet you."
    assert message.tool_calls == []
    assert "copied_value" in str(message.response_metadata["toolemu"]["doubted"])


def test_a_demanded_call_that_was_copied_is_none():
    """Nobody asked for an example's values: a model that has no others has not made the demanded call."""
    copied = f'{{"name": "save_note", "arguments": {{"text": "{PLACEHOLDERS[0]}"}}}}'
    with ScriptedServer(lambda _: copied) as server:
        bound = emulated(server).bind_tools([save_note], tool_choice="any")
        with pytest.raises(ToolChoiceError, match="doubted_call"):
            bound.invoke("Tell me a poem.")
        kept = emulated(server, on_failure="continue").bind_tools([save_note], tool_choice="any")
        message = kept.invoke("Tell me a poem.")
    assert message.tool_calls == []
    assert [call["name"] for call in message.invalid_tool_calls] == ["save_note"]


def test_a_demanded_call_that_was_copied_is_asked_for_afresh():
    """Neither the examples nor the copy are there to be copied again."""
    with ScriptedServer([COPIED, SUM]) as server:
        bound = emulated(server).bind_tools([add, save_note], tool_choice="any")
        message = bound.invoke("1 and 2")
        first, second = server.requests
    assert [call["args"] for call in message.tool_calls] == [{"a": 1, "b": 2}]
    assert str(NUMBERS[0]) in str(first["messages"])
    assert [one["role"] for one in second["messages"]] == ["system", "user"]
    assert str(NUMBERS[0]) not in str(second["messages"])


def test_one_call_is_asked_for_where_no_example_shows_the_end(llama_cpp):
    """Without examples a small model does not know when to stop: the grammar does."""
    llama_cpp.play([COPIED, SUM])
    emulated(llama_cpp).bind_tools([add, save_note], tool_choice="any").invoke("1 and 2")
    several, one = (request["grammar"] for request in llama_cpp.requests)
    assert ")*" in calls_rule(several)
    assert ")*" not in calls_rule(one)


SPOKEN_OF = "Add the numbers 1 and 2, and save them."


def quoting(server, constrain="quotes"):
    return emulated(server, contract=Recipe(constraint=constrain)).bind_tools([add, save_note])


def test_under_quotes_a_model_that_copies_is_led_to_the_tool_that_the_user_speaks_of(llama_cpp):
    """A copy says that it wants to call: it is asked for a call of that tool alone, with what was said."""
    noted = '{"name": "save_note", "arguments": {"text": "the numbers 1 and 2"}}'
    llama_cpp.play([COPIED, noted])
    message = quoting(llama_cpp).invoke(SPOKEN_OF)
    _, led = llama_cpp.requests
    assert [call["name"] for call in message.tool_calls] == ["save_note"]
    assert led["grammar"].startswith("root ::= calls\n")
    assert "add(" not in led["messages"][0]["content"]
    assert led["messages"][-1]["content"].endswith(
        "(Reply with a call of save_note and nothing else.)"
    )
    assert "save_note, which the question mentions" in str(
        message.response_metadata["toolemu"]["warnings"]
    )


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (COPIED, "Hello."),
        ('{"name": "save_note", "arguments": {}}', "Hello."),
        ('{"name": "save_note", "arguments": {"text": "a', "Hello."),
        ("No.", "No."),
    ],
)
def test_a_model_that_is_led_in_vain_is_not_pressed(reply: str, answer: str, llama_cpp):
    """Nobody demanded a call: words are an answer, and what is no good call is followed by one."""
    llama_cpp.play([COPIED, reply, "Hello."])
    message = quoting(llama_cpp).invoke(SPOKEN_OF)
    assert (message.text, message.tool_calls) == (answer, [])


@pytest.mark.parametrize(
    ("constrain", "said"),
    [
        pytest.param("quotes", ["Nice to meet you."], id="it speaks of none"),
        pytest.param("quotes", [SPOKEN_OF + " word" * 500], id="there is too much to quote from"),
        pytest.param(None, [SPOKEN_OF], id="it is not held to what was said"),
        pytest.param(
            "quotes",
            [
                SPOKEN_OF,
                AIMessage("", tool_calls=[{"name": "save_note", "args": {"text": "1"}, "id": "c"}]),
                ToolMessage("saved", tool_call_id="c"),
            ],
            id="it has its result",
        ),
    ],
)
def test_a_model_that_copies_is_asked_to_answer(constrain: str | None, said: list[Any], llama_cpp):
    """Where it cannot be told what to call, or how to hold it to the user's words."""
    llama_cpp.play([COPIED, "Hello."])
    assert quoting(llama_cpp, constrain).invoke(said).text == "Hello."


def test_a_demanded_call_that_is_copied_again_is_asked_for_in_vain():
    """It is asked for afresh until the budget ends, and the error says why."""
    copied = f'{{"name": "save_note", "arguments": {{"text": "{PLACEHOLDERS[0]}"}}}}'
    with ScriptedServer(lambda _: copied) as server:
        bound = emulated(server).bind_tools([save_note], tool_choice="any")
        with pytest.raises(ToolChoiceError):
            bound.invoke("Tell me a poem.")
        _, afresh, told = (request["messages"] for request in server.requests)
    assert told == afresh


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (
            Reply('{"name": "save_note", "arguments": {"text": "a', finish_reason="length"),
            ToolCallParseError,
        ),
        ("There is nothing to save.", ToolChoiceError),
    ],
)
def test_a_call_that_came_but_cannot_be_read_has_an_error_of_its_own(reply: Any, error: type):
    """It holds what the model wrote, and whoever waits for a missing call catches it as well."""
    with ScriptedServer(lambda _: reply) as server:
        bound = emulated(server).bind_tools([save_note], tool_choice="any")
        with pytest.raises(ToolChoiceError) as raised:
            bound.invoke("Save it.")
    assert type(raised.value) is error
    assert getattr(raised.value, "llm_output", None) == getattr(reply, "text", None)


def test_a_demanded_call_that_was_cut_says_what_to_raise():
    """Where the last reply ended at its limit, the error names it."""
    with ScriptedServer(lambda _: Reply("I will", finish_reason="length")) as server:
        bound = emulated(server).bind_tools([save_note], tool_choice="any")
        with pytest.raises(ToolChoiceError, match="raise max_tokens"):
            bound.invoke("Save it.")


def test_an_examples_word_that_the_user_said_is_no_copy():
    """What somebody said is a value like any other."""
    copied = f'{{"name": "save_note", "arguments": {{"text": "{PLACEHOLDERS[0]}"}}}}'
    with ScriptedServer([copied]) as server:
        message = emulated(server).bind_tools([save_note]).invoke(f"Save {PLACEHOLDERS[0]}.")
    assert message.tool_calls[0]["args"] == {"text": PLACEHOLDERS[0]}


@pytest.mark.parametrize("constrain", ["schema", "grammar"])
def test_no_examples_where_only_the_values_are_left_to_write(constrain: str):
    """A named tool's call is spelt out by the schema or the grammar: examples would only be copied."""
    with ScriptedServer([SUM, SUM]) as server:
        llm = emulated(server, contract=Recipe(constraint=constrain))
        llm.bind_tools([add], tool_choice="add").invoke("1 and 2")
        llm.bind_tools([add]).invoke("1 and 2")
        named, free = (str(request["messages"]) for request in server.requests)
    assert "Examples of how to reply" in free
    assert "Examples of how to reply" not in named
