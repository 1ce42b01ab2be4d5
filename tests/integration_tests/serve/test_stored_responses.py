"""What OpenAI's SDK asks besides new responses: stored ones, their input, counts of tokens."""

import openai
import pytest

from langchain_toolemu.serve import create_app
from tests.integration_tests.serve.wires import RESPONSES, ask
from tests.spoken_model import SpokenModel
from tests.tables import every_row

ASKED = {key: RESPONSES.ask[key] for key in ("model", "input", "tools")}


def client_of(text_only, key="mine"):
    return openai.OpenAI(base_url=text_only.gateway.v1, api_key=key)


@pytest.fixture
def client(text_only):
    return client_of(text_only)


@pytest.mark.parametrize("stream", [False, True])
def test_a_stored_response_is_retrieved(text_only, client, stream):
    """As it was answered, with its output; by the client that has it, and by no other."""
    if stream:
        with client.responses.stream(**ASKED) as events:
            first = events.get_final_response()
    else:
        first = client.responses.create(**ASKED)
    again = client.responses.retrieve(first.id)
    same = ("id", "status", "model", "usage", "created_at")
    assert [getattr(again, name) for name in same] == [getattr(first, name) for name in same]
    (call,), (given,) = again.output, first.output
    assert (call.id, call.name, call.arguments) == (given.id, given.name, given.arguments)
    with pytest.raises(openai.NotFoundError, match="not found"):
        client_of(text_only, "other").responses.retrieve(first.id)
    unstored = client.responses.create(store=False, **ASKED)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(unstored.id)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(first.output[0].id)


def test_a_deleted_response_is_gone(text_only, client):
    """With its output, and for references; another client cannot delete it."""
    first = client.responses.create(**ASKED)
    with pytest.raises(openai.NotFoundError):
        client_of(text_only, "other").responses.delete(first.id)
    client.responses.delete(first.id)
    for gone in (client.responses.retrieve, client.responses.delete):
        with pytest.raises(openai.NotFoundError, match=first.id):
            gone(first.id)
    for refers in (
        {"previous_response_id": first.id},
        {"input": [{"type": "item_reference", "id": first.output[0].id}]},
    ):
        with pytest.raises(openai.BadRequestError, match="not found"):
            client.responses.create(**{**ASKED, **refers})


def test_what_a_response_was_asked_is_listed(client):
    """All items, of earlier responses, too; newest first unless asked otherwise, page by page."""
    first = client.responses.create(**{**ASKED, "input": "What is the weather in Paris?"})
    (call,) = first.output
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "18 degrees"}
    second = client.responses.create(**{**ASKED, "input": [output]}, previous_response_id=first.id)
    listed = [*client.responses.input_items.list(second.id, order="asc", limit=1)]
    assert [item.type for item in listed] == ["message", "function_call", output["type"]]
    assert listed[0].content[0].text == "What is the weather in Paris?"
    assert (listed[1].id, listed[2].output) == (call.id, "18 degrees")
    newest = [*client.responses.input_items.list(second.id)]
    assert [item.id for item in newest] == [item.id for item in reversed(listed)]
    assert len({item.id for item in listed}) == 3
    with pytest.raises(openai.NotFoundError, match="resp_none"):
        client.responses.input_items.list("resp_none")
    with pytest.raises(openai.BadRequestError, match="limit"):
        client.responses.input_items.list(second.id, limit=0)


def test_tokens_are_counted(text_only, client):
    """Of a request with its tools, and of what it refers to; no upstream is asked."""
    short = client.responses.input_tokens.count(model="m", input="Hi.")
    assert short.object == "response.input_tokens"
    assert 0 < short.input_tokens < 100
    assert client.responses.input_tokens.count(**ASKED).input_tokens > short.input_tokens + 100
    long = client.responses.create(model="m", input="word " * 500)
    asked = len(text_only.upstream.requests)
    more = {"model": "m", "input": "Hi.", "previous_response_id": long.id}
    assert client.responses.input_tokens.count(**more).input_tokens > short.input_tokens + 400
    assert len(text_only.upstream.requests) == asked
    with pytest.raises(openai.BadRequestError, match="'input'"):
        client.responses.input_tokens.count(model="m")


def test_what_is_not_served_says_what_to_do(client):
    """A 501, which the SDK does not send again; what is not there is a 404."""
    first = client.responses.create(**ASKED)
    for call, advice in (
        (lambda: client.responses.cancel(first.id), "close its connection"),
        (lambda: client.responses.compact(model="m", input="Hi."), "Ask for a summary"),
        (lambda: client.responses.retrieve(first.id, stream=True), "leave out 'stream'"),
    ):
        with pytest.raises(openai.InternalServerError, match=advice) as raised:
            call()
        assert raised.value.status_code == 501
        assert raised.value.response.headers["x-should-retry"] == "false"
    for missing in (
        lambda: client.responses.cancel("resp_none"),
        lambda: client.responses.retrieve("resp_none", stream=True),
    ):
        with pytest.raises(openai.NotFoundError, match="resp_none"):
            missing()


@every_row(("left_out", "named"), [({"input": None}, "'input'"), ({"model": None}, "'model'")])
async def test_a_missing_field_is_named(left_out, named):
    """A 400 whose message and parameter name it."""
    response = await ask(create_app(SpokenModel(pieces=["Hi."])), RESPONSES, **left_out)
    assert response.status_code == 400
    assert named in response.json()["error"]["message"]
    assert response.json()["error"]["param"] == named.strip("'")
