"""What clients of Responses refer to: OpenAI's own SDK sends ids in place of a conversation."""

import asyncio
import json

import httpx
import openai
import pytest
from langchain_core.stores import InMemoryByteStore

from langchain_toolemu import set_verdict_store
from langchain_toolemu.serve import item_store
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.test_openai_sdk import FLAT_TOOL, QUESTION

ASK = {"model": "scripted", "tools": [FLAT_TOOL]}
WAYS = ("whole", "streamed", "async", "async streamed")


def client_of(server, key="none"):
    # A client of its own: it may be of another thread or loop than the last one.
    return openai.OpenAI(base_url=server.v1, api_key=key, max_retries=0, timeout=60)


async def respond_async(server, asked, streamed):
    async with openai.AsyncOpenAI(base_url=server.v1, api_key="none", max_retries=0) as client:
        if not streamed:
            return await client.responses.create(**asked)
        async with client.responses.stream(**asked) as stream:
            return await stream.get_final_response()


def respond(server, way="whole", key="none", **more):
    asked = {**ASK, "input": QUESTION, **more}
    if way.startswith("async"):
        return asyncio.run(respond_async(server, asked, way.endswith("streamed")))
    with client_of(server, key) as client:
        if way == "whole":
            return client.responses.create(**asked)
        with client.responses.stream(**asked) as stream:
            return stream.get_final_response()


def result_of(response):
    call = response.output[-1]
    return {"type": "function_call_output", "call_id": call.call_id, "output": "22 degrees"}


def reference_to(item):
    return {"type": "item_reference", "id": item.id}


def refusal(server, **more):
    with pytest.raises(openai.BadRequestError) as caught:
        respond(server, **more)
    return caught.value.code, caught.value.body["param"]


@pytest.mark.parametrize("way", WAYS)
def test_a_conversation_goes_on_after_a_response(text_only, way):
    """`previous_response_id` stands for all that was said up to there, over several turns."""
    server = text_only.gateway
    first = respond(server, way)
    second = respond(server, way, previous_response_id=first.id, input=[result_of(first)])
    assert second.output_text == "The tool says: 22 degrees"
    assert (second.store, second.previous_response_id) == (True, first.id)
    respond(server, way, previous_response_id=second.id, input="Thanks.")
    sent = json.dumps(text_only.upstream.requests[-1]["messages"])
    places = [sent.index(said) for said in (QUESTION, "22 degrees", "The tool says", "Thanks.")]
    assert places == sorted(places)


@pytest.mark.parametrize("way", WAYS)
def test_an_item_may_be_sent_by_its_id(text_only, way):
    """The AI SDK sends what was answered as references; their type may be left out."""
    server = text_only.gateway
    first = respond(server, way)
    for reference in (reference_to(first.output[0]), {"id": first.output[0].id}):
        given = [{"role": "user", "content": QUESTION}, reference, result_of(first)]
        assert respond(server, way, input=given).output_text == "The tool says: 22 degrees"


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_to_be_stored_is_not(text_only, way):
    """With `store: false` neither the response nor its items are found, though it may itself refer to others."""
    server = text_only.gateway
    first = respond(server, way)
    second = respond(
        server, way, store=False, previous_response_id=first.id, input=[result_of(first)]
    )
    assert second.output_text == "The tool says: 22 degrees"
    assert second.store is False
    code = "previous_response_not_found"
    assert refusal(server, previous_response_id=second.id) == (code, "previous_response_id")
    given = [reference_to(second.output[0])]
    assert refusal(server, input=given) == (code, "input[0].id")


def test_an_id_is_of_one_kind(text_only):
    """An item is no response, and a response no item."""
    first = respond(text_only.gateway)
    code = "previous_response_not_found"
    assert refusal(text_only.gateway, previous_response_id=first.output[0].id)[0] == code
    assert refusal(text_only.gateway, input=[reference_to(first)])[0] == code


def test_no_other_key_finds_it(text_only):
    """Whoever learns of an id needs the key that it was made under, too."""
    with gateway(upstream_model(text_only.upstream), api_keys=("a", "b")) as server:
        first = respond(server, key="a")
        assert refusal(server, key="b", previous_response_id=first.id)[0]
        assert refusal(server, key="b", input=[reference_to(first.output[0])])[0]
        going_on = {"previous_response_id": first.id, "input": [result_of(first)]}
        assert respond(server, key="a", **going_on).output_text


def test_a_gateway_that_keeps_nothing_says_so(text_only):
    """Turned off, a response says that it is not stored, and a reference is refused."""
    with gateway(upstream_model(text_only.upstream), store="off") as server:
        first = respond(server)
        assert first.store is False
        found = refusal(server, previous_response_id=first.id)
    assert found == ("previous_response_not_found", "previous_response_id")


def test_gateways_share_a_store(text_only):
    """What one process answered, another goes on with."""
    model, store = upstream_model(text_only.upstream), InMemoryByteStore()
    with gateway(model, store=store) as one, gateway(model, store=store) as other:
        first = respond(one)
        second = respond(other, previous_response_id=first.id, input=[result_of(first)])
    set_verdict_store(None)
    assert second.output_text == "The tool says: 22 degrees"


def test_references_do_not_multiply_what_is_sent(text_only):
    """What a request refers to counts like what it holds."""
    limit = 64 * 1024
    with gateway(upstream_model(text_only.upstream), max_body_bytes=limit) as server:
        first = respond(server)
        given = [reference_to(first.output[0])] * (limit // item_store._LEAST_COST + 1)
        body = {**ASK, "input": given}
        answer = httpx.post(f"{server.v1}/responses", json=body, headers={"authorization": "Bearer none"})  # fmt: skip
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_an_item_that_only_openai_knows_is_carried_by_its_words(text_only):
    """What a tool of OpenAI's own told is the user's data; an item without words is refused, never dropped."""
    server = text_only.gateway
    told = {"type": "shell_call_output", "call_id": "1", "output": [{"stdout": "two files"}]}
    respond(server, "whole", input=[{"role": "user", "content": QUESTION}, told])
    last = text_only.upstream.requests[-1]["messages"][-1]
    assert last["role"] == "user"
    assert "[shell_call_output]\ntwo files" in last["content"]
    sealed = {"type": "compaction", "encrypted_content": "gAAA"}
    assert refusal(server, input=[sealed]) == ("unsupported_parameter", "input[0].type")
