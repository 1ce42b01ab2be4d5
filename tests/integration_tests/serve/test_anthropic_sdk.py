"""Anthropic's own SDK on a model that is only text: messages, streams, forms, token counts."""

import anthropic
import pytest
from pydantic import BaseModel

from tests.integration_tests.serve.conftest import MODELS

TOOL = {
    "name": "get_weather",
    "description": "Get the weather of a city.",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}
QUESTION = "What is the weather in Paris?"
ASK = {
    "model": "scripted",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": QUESTION}],
}
PARIS = [("get_weather", {"city": "Paris"})]
IMAGE = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="},
}


class Person(BaseModel):
    """A person."""

    name: str
    age: int


@pytest.fixture
def client(text_only):
    url = text_only.gateway.url
    with anthropic.Anthropic(base_url=url, api_key="none", max_retries=0) as made:
        yield made


@pytest.fixture
async def aclient(text_only):
    url = text_only.gateway.url
    async with anthropic.AsyncAnthropic(base_url=url, api_key="none", max_retries=0) as made:
        yield made


def called(message):
    return [(block.name, block.input) for block in message.content if block.type == "tool_use"]


def words(message):
    return "".join(block.text for block in message.content if block.type == "text")


def test_a_call_comes_back_as_tool_use(client):
    """A model that is only text makes a tool call, with the stop reason that agents look for."""
    message = client.messages.create(**ASK, tools=[TOOL])
    assert called(message) == PARIS
    assert message.stop_reason == "tool_use"
    assert message.usage.output_tokens > 0


async def test_async_is_the_same(aclient):
    """The async client gets the same call, whole and streamed."""
    assert called(await aclient.messages.create(**ASK, tools=[TOOL])) == PARIS
    async with aclient.messages.stream(**ASK, tools=[TOOL]) as stream:
        assert called(await stream.get_final_message()) == PARIS


def test_the_stream_helper_adds_up_to_the_call(client):
    """The SDK's own accumulator sees the same message, and its usage."""
    with client.messages.stream(**ASK, tools=[TOOL]) as stream:
        message = stream.get_final_message()
    assert called(message) == PARIS
    assert message.stop_reason == "tool_use"
    assert message.usage.input_tokens > 0


def test_words_stream_as_they_come(client):
    """The words of an answer, in more than one piece."""
    ask = {**ASK, "messages": [{"role": "user", "content": "Hello."}]}
    with client.messages.stream(**ask) as stream:
        pieces = list(stream.text_stream)
        assert "".join(pieces) == words(stream.get_final_message())
    assert len(pieces) > 5


@pytest.mark.parametrize(
    "result",
    [
        "22 degrees",
        [{"type": "text", "text": "22 degrees"}],
        [{"type": "text", "text": "22 degrees"}, IMAGE],
    ],
    ids=["text", "blocks", "image"],
)
def test_a_conversation_goes_on_after_the_result(client, text_only, result):
    """The call, its result in any form, and the answer."""
    first = client.messages.create(**ASK, tools=[TOOL])
    block = {"type": "tool_result", "tool_use_id": first.content[0].id, "content": result}
    messages = [
        *ASK["messages"],
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": [block]},
    ]
    answer = client.messages.create(**{**ASK, "messages": messages}, tools=[TOOL])
    assert words(answer) == "The tool says: 22 degrees"
    assert answer.stop_reason == "end_turn"
    sent = str(text_only.upstream.requests[-1]["messages"])
    assert ("data:image/png;base64,aGVsbG8=" in sent) == (IMAGE in list(result))


def test_a_result_that_is_an_error_is_sent_as_one(client, text_only):
    """`is_error` is told to the model."""
    messages = [
        *ASK["messages"],
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "get_weather", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "No such city.", "is_error": True}]},
    ]  # fmt: skip
    client.messages.create(**{**ASK, "messages": messages}, tools=[TOOL])
    assert 'status="error"' in str(text_only.upstream.requests[-1]["messages"])


def test_a_system_prompt_is_text_or_blocks(client, text_only):
    """Both forms reach the upstream as one text."""
    for system in ("Be brief.", [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]):  # fmt: skip
        client.messages.create(**ASK, system=system)
        assert text_only.upstream.requests[-1]["messages"][0] == {
            "role": "system",
            "content": "Be brief.",
        }


@pytest.mark.parametrize(
    ("choice", "calls"),
    [
        ({"type": "auto"}, PARIS),
        ({"type": "any"}, PARIS),
        ({"type": "any", "disable_parallel_tool_use": True}, PARIS),
        ({"type": "tool", "name": "get_weather"}, PARIS),
        ({"type": "none"}, []),
    ],
    ids=str,
)
def test_every_tool_choice_is_followed(client, choice, calls):
    """A choice is a promise, whatever its spelling."""
    assert called(client.messages.create(**ASK, tools=[TOOL], tool_choice=choice)) == calls


HELD = {
    "a text": ({"type": "text", "media_type": "text/plain", "data": "Body."}, ["Body."]),
    "blocks": ({"type": "content", "content": [{"type": "text", "text": "Inner."}, IMAGE]}, ["Inner.", "image/png"]),
}  # fmt: skip


@pytest.mark.parametrize("held", HELD)
def test_all_of_a_document_is_sent(client, text_only, held):
    """Its title, what is said about it, and every block in it, to an upstream that has no documents."""
    source, shown = HELD[held]
    document = {"type": "document", "title": "A plan", "context": "A draft.", "source": source}
    asked = [{"role": "user", "content": [document, {"type": "text", "text": "Sum it up."}]}]
    client.messages.create(**{**ASK, "messages": asked})
    sent = str(text_only.upstream.requests[-1]["messages"])
    places = [sent.index(part) for part in ("A plan", "A draft.", *shown, "Sum it up.")]
    assert places == sorted(places)


def test_one_call_at_a_time_if_so_asked(client):
    """`disable_parallel_tool_use` leaves one of two calls."""
    question = "What is the weather in Paris, and in Rome?"
    ask = {**ASK, "messages": [{"role": "user", "content": question}], "tools": [TOOL]}
    assert len(called(client.messages.create(**ask))) == 2
    single = {"type": "auto", "disable_parallel_tool_use": True}
    assert len(called(client.messages.create(**ask, tool_choice=single))) == 1


def test_a_form_is_parsed(client):
    """`messages.parse` gives an object of the class."""
    ask = {**ASK, "messages": [{"role": "user", "content": "Person: 'Ann', 42."}]}
    assert client.messages.parse(**ask, output_format=Person).parsed_output == Person(
        name="Ann", age=42
    )


def test_tokens_are_counted_with_the_contract(client):
    """Tools cost tokens, as they do in the usage."""
    ask = {name: ASK[name] for name in ("model", "messages")}
    bare = client.messages.count_tokens(**ask).input_tokens
    assert 0 < bare < client.messages.count_tokens(**ask, tools=[TOOL]).input_tokens


def test_stop_sequences_and_sampling_are_translated(client, text_only):
    """What both protocols have reaches the upstream under its own names; what only Anthropic has is named."""
    raw = client.messages.with_raw_response.create(
        **ASK,
        stop_sequences=["END"],
        metadata={"user_id": "u"},
        extra_body={"temperature": 0.3, "top_p": 0.9, "top_k": 5},
    )
    sent = text_only.upstream.requests[-1]
    assert sent["stop"] == ["END"]
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"]) == (0.3, 0.9, 100)
    assert set(raw.headers["x-toolemu-dropped"].split(", ")) == {"top_k", "metadata"}
    assert "top_k" not in sent


def test_a_providers_own_tool_is_left_out_and_named(client):
    """Among the client's own tools a built-in one does no harm, and the client is told."""
    search = {"type": "web_search_20250305", "name": "web_search"}
    raw = client.messages.with_raw_response.create(**ASK, tools=[TOOL, search])
    assert raw.headers["x-toolemu-dropped"] == "tools.web_search"
    assert called(raw.parse()) == PARIS


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"messages": []}, "at least one message"),
        ({"messages": [{"role": "wizard", "content": ""}]}, "messages.0.role"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"stop_sequences": [5]}, "stop_sequences"),
        ({"messages": [{"role": "user", "content": [{"type": "container_upload"}]}]}, "container"),
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "web_search"),
        ({"tools": [TOOL], "tool_choice": {"type": "tool", "name": "get_time"}}, "get_weather"),
        ({"extra_body": {"toolemu": {"mode": "off"}}}, "toolemu.mode"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said(client, change, words):
    """A clear error in Anthropic's own form."""
    with pytest.raises(anthropic.BadRequestError, match=words) as caught:
        client.messages.create(**{**ASK, **change})
    assert caught.value.body["type"] == "error"
    assert caught.value.body["error"]["type"] == "invalid_request_error"


def test_models_are_listed(client):
    """Anthropic's clients get the list in their own form."""
    assert [model.id for model in client.models.list()] == [*MODELS.values()]


# --- the SDK's runner, which asks the server to keep the conversation ---


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_the_tool_runner_goes_on_without_a_thread(client, text_only, stream):
    """A runner that is told that there are no threads sends all messages, and the question is not lost."""
    asked = []

    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """Get the weather of a city."""
        asked.append(city)
        return "22 degrees"

    runner = client.beta.messages.tool_runner(**ASK, tools=[get_weather], stream=stream)
    assert words(runner.until_done()) == "The tool says: 22 degrees"
    assert asked == ["Paris"]
    assert QUESTION in str(text_only.upstream.requests[-1]["messages"])


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    "kind", [{"type": "create"}, {"type": "continue", "previous_message_id": "msg_1"}]
)
def test_a_thread_is_refused_by_the_code_that_clients_know(client, text_only, kind, stream):
    """Nothing is sent to the model: its answer would be one to half a conversation."""
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(**ASK, stream=stream, extra_body={"thread": kind})
    details = caught.value.body["error"]["details"]
    assert details == {"error_code": "thread_unsupported_request"}
    assert not text_only.upstream.requests


# --- blocks that only Anthropic knows ---

FOUND = {
    "type": "web_search_result",
    "title": "Weather",
    "url": "http://w",
    "encrypted_content": "SECRET",
}
SEARCH = {
    "type": "server_tool_use",
    "id": "srv_1",
    "name": "web_search",
    "input": {"query": "Paris weather"},
}
RESULT = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [FOUND]}
SUMMARY = {"type": "compaction", "content": "They met in Oslo.", "signature": "SECRET"}
RAN = {
    "type": "bash_code_execution_tool_result",
    "tool_use_id": "x",
    "content": {"stdout": "42", "return_code": 0},
}
LATER = {"type": "text", "text": "So it is."}
CARRIED = {
    "a search": ([SEARCH, RESULT, LATER], ["Paris weather", "Weather\nhttp://w"]),
    "a summary": ([SUMMARY, LATER], ["They met in Oslo."]),
    "only a summary": ([SUMMARY], ["They met in Oslo."]),
    "a program": ([RAN, LATER], ["42"]),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("case", CARRIED)
def test_blocks_of_the_providers_own_are_carried_as_a_users(client, text_only, case, stream):
    """Their words are neither lost, nor the assistant's, nor the operator's; what is encrypted is no word."""
    content, found = CARRIED[case]
    messages = [*ASK["messages"], {"role": "assistant", "content": content}, *ASK["messages"]]
    answer = client.messages.create(
        **{**ASK, "messages": messages}, system="Be brief.", stream=stream
    )
    list(answer)
    sent = text_only.upstream.requests[-1]["messages"]
    users = "\n".join(str(one["content"]) for one in sent if one["role"] == "user")
    others = str([one for one in sent if one["role"] != "user"])
    for words_ in found:
        assert words_ in users
        assert words_ not in others
    assert "SECRET" not in str(sent)
    assert ("So it is." in others) == (LATER in content)


ADDED = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "get_weather"}}
REFUSED = {
    "a tool in between": [*ASK["messages"], {"role": "system", "content": [ADDED]}],
    "a search by the operator": [{"role": "system", "content": [RESULT]}, *ASK["messages"]],
    "a file": [{"role": "user", "content": [{"type": "container_upload", "file_id": "file_1"}]}],
    "a file of the assistant": [
        *ASK["messages"],
        {"role": "assistant", "content": [{"type": "container_upload", "file_id": "file_1"}]},
    ],
}


@pytest.mark.parametrize("case", REFUSED)
def test_blocks_without_words_are_refused(client, text_only, case):
    """A 400 that names them; and nothing becomes the operator's words that is no text."""
    with pytest.raises(anthropic.BadRequestError, match="only Anthropic's own servers take"):
        client.messages.create(**{**ASK, "messages": REFUSED[case]})
    assert not text_only.upstream.requests


def test_a_compaction_that_failed_says_nothing(client, text_only):
    """It has no content, as Anthropic has it, and is no error."""
    failed = {"role": "assistant", "content": [{"type": "compaction", "content": None}, LATER]}
    client.messages.create(**{**ASK, "messages": [*ASK["messages"], failed, *ASK["messages"]]})
    assert "compaction" not in str(text_only.upstream.requests[-1]["messages"])
