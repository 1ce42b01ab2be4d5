"""OpenAI's own SDK on a model that is only text: Chat Completions and Responses, sync, async, whole, streamed, structured."""

import json

import httpx
import openai
import pytest
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import MODELS, upstream_model
from tests.integration_tests.serve.wires import events_of
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
FUNCTION = {
    "name": "get_weather",
    "description": "Get the weather of a city.",
    "parameters": WEATHER,
}
TOOL = {"type": "function", "function": FUNCTION}
FLAT_TOOL = {"type": "function", **FUNCTION}
QUESTION = "What is the weather in Paris?"
ASK = {"model": "scripted", "messages": [{"role": "user", "content": QUESTION}]}


class Person(BaseModel):
    """A person."""

    name: str
    age: int


@pytest.fixture
def client(text_only):
    with openai.OpenAI(base_url=text_only.gateway.v1, api_key="none", max_retries=0) as made:
        yield made


@pytest.fixture
async def aclient(text_only):
    url = text_only.gateway.v1
    async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as made:
        yield made


def called(calls):
    return [(call.function.name, json.loads(call.function.arguments)) for call in calls]


PARIS = [("get_weather", {"city": "Paris"})]


# --- chat completions ---


def test_a_call_comes_back_as_a_call(client):
    """A model that is only text makes a tool call, with the finish reason that agents look for."""
    (choice,) = client.chat.completions.create(**ASK, tools=[TOOL]).choices
    assert called(choice.message.tool_calls) == PARIS
    assert choice.message.content is None
    assert choice.finish_reason == "tool_calls"


async def test_async_is_the_same(aclient):
    """The async client gets the same call."""
    (choice,) = (await aclient.chat.completions.create(**ASK, tools=[TOOL])).choices
    assert called(choice.message.tool_calls) == PARIS


def test_a_conversation_goes_on_after_the_result(client):
    """The call, its result and the answer: a whole round, as agents drive it."""
    message = client.chat.completions.create(**ASK, tools=[TOOL]).choices[0].message
    result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "22 degrees"}
    messages = [*ASK["messages"], message, result]
    answer = client.chat.completions.create(model="scripted", messages=messages, tools=[TOOL])
    assert answer.choices[0].message.content == "The tool says: 22 degrees"
    assert answer.choices[0].finish_reason == "stop"


def test_a_later_turn_without_tools_keeps_working(client, text_only):
    """A history with calls is written as text for a model that knows none, tools or no tools."""
    call = {"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    messages = [
        *ASK["messages"],
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "22 degrees"},
    ]
    client.chat.completions.create(**ASK, tools=[TOOL])
    answer = client.chat.completions.create(model="scripted", messages=messages)
    assert answer.choices[0].message.content == "The tool says: 22 degrees"
    assert all("tool_calls" not in one for one in text_only.upstream.requests[-1]["messages"])


def test_the_stream_helper_adds_up_to_the_call(client):
    """The SDK's own accumulator sees the same call, piece by piece."""
    with client.chat.completions.stream(**ASK, tools=[TOOL]) as stream:
        kinds = {event.type for event in stream}
        (choice,) = stream.get_final_completion().choices
    assert called(choice.message.tool_calls) == PARIS
    assert choice.finish_reason == "tool_calls"
    assert "tool_calls.function.arguments.done" in kinds


async def test_an_async_stream_ends_with_the_usage_if_asked(aclient):
    """`stream_options.include_usage`: one last chunk without choices."""
    options = {"include_usage": True}
    stream = await aclient.chat.completions.create(**ASK, stream=True, stream_options=options)
    *chunks, last = [chunk async for chunk in stream]
    assert last.choices == []
    assert last.usage.total_tokens > 0
    assert all(chunk.usage is None for chunk in chunks)


def test_a_form_is_parsed(client):
    """`parse` gives an object of the class."""
    ask = {"model": "scripted", "messages": [{"role": "user", "content": "Person: 'Ann', 42."}]}
    message = client.chat.completions.parse(**ask, response_format=Person).choices[0].message
    assert message.parsed == Person(name="Ann", age=42)


@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_words_before_a_call_are_no_answer_in_a_form(client, text_only, mode):
    """The SDK would parse them, and fail at the first call of an agent."""
    text_only.upstream.play(without_tools(lambda _: f"I will check.\n{CALL}"))
    tool = {**TOOL, "function": {**TOOL["function"], "strict": True}}
    tool["function"]["parameters"] = {
        **tool["function"]["parameters"],
        "additionalProperties": False,
    }
    more = {"tools": [tool], "response_format": Person}
    ask = {**ASK, "model": MODELS[mode]}
    message = client.chat.completions.parse(**ask, **more).choices[0].message
    with client.chat.completions.stream(**ask, **more) as stream:
        streamed = stream.get_final_completion().choices[0].message
    for said in (message, streamed):
        assert (called(said.tool_calls), said.content) == (PARIS, None)
        assert said.reasoning_content.strip() == "I will check."


def test_in_mode_off_a_form_goes_on_as_it_came(client, text_only):
    """Next to tools, too, with and without a title."""
    text_only.upstream.play(lambda _: '{"a": 1}')
    for title in ({}, {"title": "One"}):
        schema = {**title, "type": "object", "properties": {"a": {"type": "integer"}}}
        about = {"name": "person", "description": "A person.", "schema": schema}
        form = {"type": "json_schema", "json_schema": about}
        ask = {**ASK, "model": "off"}
        client.chat.completions.create(**ask, tools=[TOOL], response_format=form)
        request = text_only.upstream.requests[-1]
        assert (request["response_format"], len(request["tools"])) == (form, 1)


def test_a_refusal_of_an_earlier_turn_is_what_was_said(client, text_only):
    """It stands next to the content, which is empty then."""
    said = {"role": "assistant", "content": None, "refusal": "I will not."}
    client.chat.completions.create(
        **{**ASK, "messages": [*ASK["messages"], said, *ASK["messages"]]}
    )
    assert text_only.upstream.requests[-1]["messages"][1]["content"] == "I will not."


def test_a_strict_tool_is_parsed(client):
    """The SDK parses the arguments of a tool made of a class."""
    tool = openai.pydantic_function_tool(Person)
    ask = {"model": "scripted", "messages": [{"role": "user", "content": "Person: 'Ann', 42."}]}
    message = client.chat.completions.parse(**ask, tools=[tool]).choices[0].message
    assert message.tool_calls[0].function.parsed_arguments == Person(name="Ann", age=42)


@pytest.mark.parametrize(
    ("choice", "calls"),
    [
        ("auto", PARIS),
        ("none", []),
        ("required", PARIS),
        ({"type": "function", "function": {"name": "get_weather"}}, PARIS),
        (
            {
                "type": "allowed_tools",
                "allowed_tools": {
                    "mode": "required",
                    "tools": [{"type": "function", "function": {"name": "get_weather"}}],
                },
            },
            PARIS,
        ),
    ],
    ids=str,
)
def test_every_tool_choice_is_followed(client, choice, calls):
    """A choice is a promise, whatever its spelling."""
    message = client.chat.completions.create(**ASK, tools=[TOOL], tool_choice=choice)
    assert called(message.choices[0].message.tool_calls or []) == calls


def test_functions_are_answered_as_functions(client):
    """Clients from before tools get a `function_call`, and may send its result back as a `function`."""
    first = client.chat.completions.create(**ASK, functions=[FUNCTION]).choices[0]
    assert first.message.function_call.name == "get_weather"
    assert first.finish_reason == "function_call"
    messages = [
        *ASK["messages"],
        first.message,
        {"role": "function", "name": "get_weather", "content": "22 degrees"},
    ]
    second = client.chat.completions.create(
        model="scripted", messages=messages, functions=[FUNCTION]
    )
    assert second.choices[0].message.content == "The tool says: 22 degrees"


def test_functions_stream_as_functions(client):
    """The deltas of a `function_call` add up to it."""
    deltas = [
        chunk.choices[0].delta.function_call
        for chunk in client.chat.completions.create(**ASK, functions=[FUNCTION], stream=True)
        if chunk.choices[0].delta.function_call
    ]
    assert deltas[0].name == "get_weather"
    assert json.loads("".join(delta.arguments for delta in deltas)) == {"city": "Paris"}


def test_headers_tell_what_was_done(client):
    """How the message was made, and in how many requests."""
    raw = client.chat.completions.with_raw_response.create(
        **ASK, tools=[TOOL], extra_body={"toolemu": {"policy": "strict"}}
    )
    assert raw.headers["x-toolemu-path"] == "emulated"
    assert raw.headers["x-toolemu-requests"] == "1"
    assert raw.headers["x-toolemu-reasks"] == "0"


def test_unknown_fields_reach_an_upstream_of_the_same_protocol(client, text_only):
    """What OpenAI or its server knows and this gateway does not goes through as it is."""
    more = {"top_k": 5, "chat_template_kwargs": {"enable_thinking": False}}
    given = {"temperature": 0.5, "seed": 7, "logit_bias": {"1": 2}, "user": "ann", "max_tokens": 9}
    client.chat.completions.create(**ASK, **given, stop=["x"], extra_body=more)
    sent = text_only.upstream.requests[-1]
    assert {name: sent[name] for name in (*given, *more)} == {**given, **more}
    assert sent["stop"] == ["x"]


def test_models_are_listed(client):
    """What is served has a name."""
    assert [model.id for model in client.models.list()] == [*MODELS.values()]
    assert client.models.retrieve("scripted").id == "scripted"


ERRORS = [
    ({"n": 2}, 400, "n"),
    ({"n": 0}, 400, "n"),
    ({"stop": [5]}, 400, "stop"),
    ({"stop": 5}, 400, "stop"),
    ({"modalities": 5}, 400, "modalities"),
    ({"messages": []}, 400, "messages"),
    ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, 400, "messages[0].content[0].text"),
    ({"messages": [{"role": "wizard", "content": ""}]}, 400, "messages[0].role"),
    ({"modalities": ["audio"], "audio": {"voice": "x", "format": "mp3"}}, 400, "modalities"),
    ({"tools": [TOOL], "logprobs": True}, 400, "logprobs"),
    ({"tools": [{"type": "web_search"}]}, 400, "tools"),
    ({"tools": [TOOL, {"type": "web_search"}], "tool_choice": {"type": "web_search"}}, 400, "tools"),
    ({"tool_choice": "required"}, 400, "tool_choice"),
    ({"extra_body": {"toolemu": {"mode": "force"}}}, 400, "toolemu.mode"),
    ({"extra_body": {"toolemu": {"policy": "loose"}}}, 400, "toolemu.policy"),
    ({"extra_body": {"toolemu": ["strict"]}}, 400, "toolemu"),
    ({"temperature": "hot"}, 400, "temperature"),
    ({"response_format": {"type": "xml"}}, 400, "response_format.type"),
    ({"response_format": {"type": "json_schema", "json_schema": [1]}}, 400, "response_format.json_schema"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "status", "param"), ERRORS, ids=lambda value: str(value)[:40])
def test_what_cannot_be_done_is_said(client, change, status, param):
    """A clear error in OpenAI's own form, with the field that is at fault; nothing is ignored."""
    with pytest.raises(openai.APIStatusError) as caught:
        client.chat.completions.create(**{**ASK, **change})
    assert caught.value.status_code == status
    assert caught.value.body["param"] == param
    assert caught.value.body["type"] == "invalid_request_error"


def test_a_tool_that_names_nothing_is_said(client):
    """A choice of a tool that is not offered names those that are."""
    choice = {"type": "function", "function": {"name": "get_time"}}
    with pytest.raises(openai.BadRequestError, match="Bound are: get_weather"):
        client.chat.completions.create(**ASK, tools=[TOOL], tool_choice=choice)


def test_a_providers_own_tool_is_left_out_and_named(client):
    """Among function tools a built-in one does no harm, and the client is told."""
    raw = client.chat.completions.with_raw_response.create(
        **ASK, tools=[TOOL, {"type": "web_search"}]
    )
    assert raw.headers["x-toolemu-dropped"] == "tools.web_search"
    assert called(raw.parse().choices[0].message.tool_calls) == PARIS


# --- responses ---


def items(response):
    return [
        (item.name, json.loads(item.arguments))
        for item in response.output
        if item.type == "function_call"
    ]


def test_a_response_holds_the_call(client):
    """The same call as an item of a response."""
    response = client.responses.create(model="scripted", input=QUESTION, tools=[FLAT_TOOL])
    assert items(response) == PARIS
    assert response.status == "completed"
    assert response.output_text == ""


async def test_async_responses_are_the_same(aclient):
    """The async client gets the same item."""
    response = await aclient.responses.create(model="scripted", input=QUESTION, tools=[FLAT_TOOL])
    assert items(response) == PARIS


def test_a_response_goes_on_after_the_result(client):
    """The items go back as input, with the result: nothing is stored in between."""
    first = client.responses.create(model="scripted", input=QUESTION, tools=[FLAT_TOOL])
    call = first.output[0]
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "22 degrees"}
    given = [{"role": "user", "content": QUESTION}, call, result]
    second = client.responses.create(model="scripted", input=given, tools=[FLAT_TOOL])
    assert second.output_text == "The tool says: 22 degrees"


def test_a_streamed_response_adds_up(client):
    """The SDK's own accumulator sees the same items."""
    with client.responses.stream(model="scripted", input=QUESTION, tools=[FLAT_TOOL]) as stream:
        kinds = [event.type for event in stream]
        response = stream.get_final_response()
    assert items(response) == PARIS
    assert kinds[0] == "response.created"
    assert kinds[-1] == "response.completed"


def test_a_response_is_parsed(client):
    """`responses.parse` gives an object of the class."""
    given = {"model": "scripted", "input": "Person: 'Ann', 42."}
    response = client.responses.parse(**given, text_format=Person)
    assert response.output_parsed == Person(name="Ann", age=42)


def test_a_tool_for_texts_is_called_with_a_text(client):
    """A custom tool, whose input is no JSON, is called as such."""
    tool = {"type": "custom", "name": "run_code", "description": "Run code."}
    given = "Use the tool run_code on 'print(1)'."
    response = client.responses.create(model="scripted", input=given, tools=[tool])
    (call,) = response.output
    assert (call.type, call.name, call.input) == ("custom_tool_call", "run_code", "print(1)")
    streamed = client.responses.create(model="scripted", input=given, tools=[tool], stream=True)
    done = [event for event in streamed if event.type == "response.custom_tool_call_input.done"]
    assert [event.input for event in done] == ["print(1)"]


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"background": True}, "background"),
        ({"input": [{"type": "item_reference", "id": "msg_1"}]}, "input[0].id"),
        ({"tools": [{"type": "file_search", "vector_store_ids": ["x"]}]}, "tools"),
        ({"input": []}, "input"),
        ({"text": "x"}, "text"),
        ({"reasoning": "x"}, "reasoning"),
    ],
    ids=str,
)
def test_a_response_that_cannot_be_given_is_refused(client, change, param):
    """What refers to something stored, and what is malformed, gets a clear error."""
    with pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(**{"model": "scripted", "input": QUESTION, **change})
    assert caught.value.body["param"] == param


# --- JSON of any form ---

CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
JSON_REPLIES = {
    "an object": (['{"a": 1}'], '{"a": 1}', []),
    "in a fence": (['```json\n{"a": 1}\n```'], '{"a": 1}', []),
    "words first": (["Well, hello.", '{"a": 1}'], '{"a": 1}', []),
    "a call": ([CALL], "", PARIS),
}


@pytest.mark.pairwise
@pytest.mark.parametrize("ways", ["whole", "streamed"])
@pytest.mark.parametrize("has_tools", [True, False], ids=["tools", "none"])
@pytest.mark.parametrize("refuses_tools", [True, False], ids=["text only", "native"])
@pytest.mark.parametrize("reply", JSON_REPLIES)
def test_json_mode_gives_an_object_or_a_call(
    client, text_only, ways, has_tools, refuses_tools, reply
):
    """`json_object` holds with tools and without, whether the server knows it or not; a server is told in its own words."""
    texts, content, calls = JSON_REPLIES[reply]
    if calls and not has_tools:
        content, calls = CALL, []
    replies = iter(texts)
    script = lambda _: next(replies)  # noqa: E731
    text_only.upstream.play(without_tools(script) if refuses_tools else script)
    ask = {**ASK, "response_format": {"type": "json_object"}}
    ask |= {"tools": [TOOL]} if has_tools else {}
    if ways == "whole":
        message = client.chat.completions.create(**ask).choices[0].message
    else:
        with client.chat.completions.stream(**ask) as stream:
            message = stream.get_final_completion().choices[0].message
    assert called(message.tool_calls or ()) == calls
    assert (message.content or "") == content


@pytest.mark.parametrize("mode", ["fallback", "off"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_json_mode_reaches_a_server_that_has_it(mode, stream, monkeypatch):
    """Both protocols of OpenAI: the tools as they are, and the same `response_format`."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    form, options = {"type": "json_object"}, {"stream": stream, "model": "m"}
    with (
        ScriptedServer(lambda _: '{"a": 1}') as upstream,
        gateway(
            {"m": ChatToolEmu(llm=upstream_model(upstream), mode=mode, tool_support="native")}
        ) as server,
        openai.OpenAI(base_url=server.v1, api_key="none", max_retries=0) as client,
    ):
        answer = client.responses.create(
            input=QUESTION, tools=[FLAT_TOOL], text={"format": form}, **options
        )
        text = list(answer)[-1].response.output_text if stream else answer.output_text
        assert text == '{"a": 1}'
        asked = {**ASK, **options}
        list(client.chat.completions.create(**asked, tools=[TOOL], response_format=form))
    for request in upstream.requests:
        assert request["response_format"] == form
        assert request["tools"][0]["function"]["name"] == "get_weather"


@pytest.mark.parametrize("mode", ["fallback", "force", "off"])
@pytest.mark.parametrize("tools", [[], [TOOL]], ids=["none", "tools"])
def test_ollamas_json_mode_is_asked_for_where_no_tools_are(mode, tools):
    """With tools Ollama would write no calls, so the answer is only checked."""
    ask = {**ASK, "response_format": {"type": "json_object"}, **({"tools": tools} if tools else {})}
    with ScriptedOllama('{"a": 1}') as upstream:
        served = {"scripted": ChatToolEmu(llm=upstream.chat_model(), mode=mode)}
        with gateway(served) as server:
            response = httpx.post(f"{server.v1}/chat/completions", json=ask, trust_env=False)
        assert response.json()["choices"][0]["message"]["content"] == '{"a": 1}'
        assert tools or upstream.requests[-1]["format"] == "json"


# --- servers that take strings only, and tools that take a text ---

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}}
MARKED = {"type": "text", "text": "Hi.", "cache_control": {"type": "ephemeral"}}
PARTS = {
    "one text": ([{"type": "text", "text": "Hi."}], "Hi."),
    "two texts": ([{"type": "text", "text": "Hi."}, {"type": "text", "text": "Ho."}], "Hi.\n\nHo."),
    "an image": ([{"type": "text", "text": "Hi."}, IMAGE], None),
    "a mark": ([MARKED], None),
    "another kind": ([{"type": "video_url", "video_url": {"url": "http://x"}}], None),
}


@pytest.mark.pairwise
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("mode", ["fallback", "off"])
@pytest.mark.parametrize("parts", PARTS)
def test_parts_that_are_text_become_a_string(client, text_only, parts, mode, stream):
    """In every role, since many servers refuse a list; what is no plain text stays as it came, and so does mode off."""
    text_only.upstream.play(lambda _: "Hello.")
    given, string = PARTS[parts]
    messages = [
        {"role": role, "content": given} for role in ("system", "user", "assistant", "user")
    ]
    answer = client.chat.completions.create(model=MODELS[mode], messages=messages, stream=stream)
    list(answer)
    sent = [one["content"] for one in text_only.upstream.requests[-1]["messages"]]
    if parts == "a mark":
        del sent[2]  # ChatOpenAI takes it off an assistant's
    assert sent == [given if string is None or mode == "off" else string] * len(sent)


PATCH = {"name": "apply_patch", "description": "Changes files."}
GRAMMAR = {"type": "grammar", "grammar": {"syntax": "lark", "definition": "start: line"}}
NAMED = {"type": "custom", "custom": {"name": "apply_patch"}}
TEXT_CALL = json.dumps({"name": "apply_patch", "arguments": {"input": "*** Begin\n+a"}})
ONE_OF = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [NAMED]}}


@pytest.mark.pairwise
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("choice", ["auto", NAMED, ONE_OF], ids=["auto", "named", "allowed"])
@pytest.mark.parametrize("form", [{}, {"format": {"type": "text"}}, {"format": GRAMMAR}], ids=str)
def test_a_tool_that_takes_a_text_is_called(text_only, stream, choice, form):
    """`custom` tools of Chat Completions: the model writes a call, and the client gets the text of it."""
    text_only.upstream.play(without_tools(lambda _: TEXT_CALL))
    tools = [TOOL, {"type": "custom", "custom": {**PATCH, **form}}]
    ask = {**ASK, "tools": tools, "tool_choice": choice, "stream": stream}
    response = httpx.post(f"{text_only.gateway.v1}/chat/completions", json=ask, trust_env=False)
    if stream:
        events = [data for _, data in events_of(response.text) if data != "[DONE]"]
        deltas = [event["choices"][0]["delta"] for event in events]
        (call,) = [call for delta in deltas for call in delta.get("tool_calls", ())]
        assert call.pop("index") == 0
        assert events[-1]["choices"][0]["finish_reason"] == "tool_calls"
    else:
        (call,) = response.json()["choices"][0]["message"]["tool_calls"]
    assert call["type"] == "custom"
    assert call["custom"] == {"name": "apply_patch", "input": "*** Begin\n+a"}
    assert "x-toolemu-dropped" not in response.headers
    assert ("start: line" in str(text_only.upstream.requests[-1])) == (
        form.get("format") == GRAMMAR
    )


OF_TEXTS = {
    "chat/completions": {**ASK, "tools": [{"type": "custom", "custom": PATCH}]},
    "responses": {"model": "scripted", "input": QUESTION, "tools": [{"type": "custom", **PATCH}]},
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("lines", [1, 200], ids=["short", "long"])
@pytest.mark.parametrize("path", OF_TEXTS)
def test_a_text_that_was_cut_off_is_no_call_of_its_tool(text_only, path, lines, stream):
    """Half a patch is never handed over as a text, which could be applied."""
    call = TEXT_CALL.replace("+a", "+a\\n" * lines)
    cut = Reply(call[:-9], finish_reason="length")
    text_only.upstream.play(without_tools(lambda _: cut))
    ask = {**OF_TEXTS[path], "stream": stream}
    response = httpx.post(f"{text_only.gateway.v1}/{path}", json=ask, trust_env=False)
    last = response.text.rpartition("event: ")[2]  # what was asked for is repeated in the answer
    for made in ('"custom":{', "custom_tool_call"):
        assert made not in response.text
    assert '"finish_reason":"length"' in last or '"reason":"max_output_tokens"' in last


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("args", "text"),
    [
        ({"patch": "*** Begin"}, "*** Begin"),
        ({"input": ["a"]}, '{"input": ["a"]}'),
        ({"input": "a", "why": "b"}, "a"),
        ({"a": "x", "b": "y"}, '{"a": "x", "b": "y"}'),
    ],
    ids=str,
)
def test_what_a_model_writes_for_a_text_is_not_lost(client, text_only, args, text, stream):
    """If it insists on other arguments, its only text is the text, or else all that it wrote."""
    call = json.dumps({"name": "apply_patch", "arguments": args})
    text_only.upstream.play(without_tools(lambda _: call))
    answer = client.responses.create(**OF_TEXTS["responses"], stream=stream)
    (item,) = (list(answer)[-1].response if stream else answer).output
    assert (item.type, item.input) == ("custom_tool_call", text)


@pytest.mark.parametrize(
    "field", ["custom", "custom.name", "custom.format", "custom.format.grammar"]
)
def test_a_broken_tool_for_texts_is_named(client, field):
    """A 400 with the field's name."""
    broken = {
        "custom": 3,
        "custom.name": {"name": 3},
        "custom.format": {"name": "a", "format": 3},
        "custom.format.grammar": {"name": "a", "format": {"type": "grammar", "grammar": 3}},
    }
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(**ASK, tools=[{"type": "custom", "custom": broken[field]}])
    assert caught.value.param == f"tools[0].{field}"


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    "file", [{"file_url": "http://x/a.pdf"}, {"filename": "a.pdf"}, {}], ids=str
)
def test_a_file_that_cannot_be_sent_is_refused(client, text_only, file, stream):
    """Chat Completions know no address of a file: an empty one would be an answer to another question."""
    content = [{"type": "input_file", **file}, {"type": "input_text", "text": "What is it?"}]
    messages = [{"role": "user", "content": content}]
    with pytest.raises(openai.BadRequestError):
        client.responses.create(model="scripted", input=messages, stream=stream)
    assert not text_only.upstream.requests


def test_a_refusal_of_the_upstream_stays_one(client, text_only):
    """What a provider marks as a refusal reaches the client as such, not as text."""
    message = {"role": "assistant", "content": None, "refusal": "I will not."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    text_only.upstream.play([Reply(body=body)])
    (choice,) = client.chat.completions.create(**ASK).choices
    assert (choice.message.refusal, choice.message.content) == ("I will not.", None)


async def test_what_is_for_the_client_is_not_in_the_body(text_only):
    """Headers and a time limit are OpenAI's client's own; of all else the body is made."""
    text_only.upstream.play(["Hello.", "Hello."])
    model = upstream_model(text_only.upstream, include_response_headers=True)
    more = {"extra_headers": {"X-Own": "1"}, "timeout": 5, "extra_body": {"own": 2}}
    whole = await model.ainvoke("Hello", **more)
    pieces = [piece async for piece in model.astream("Hello", **{**more, "timeout": None})]
    assert [whole.text, "".join(piece.text for piece in pieces)] == ["Hello.", "Hello."]
    assert "content-type" in whole.response_metadata["headers"]
    for body in text_only.upstream.requests:
        assert body["own"] == 2
        assert not {"timeout", "extra_headers", "headers"} & set(body)
