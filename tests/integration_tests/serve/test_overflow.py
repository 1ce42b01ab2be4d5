"""Requests that do not fit the model's window, as the SDKs are told of them: clients then shorten the conversation."""

import anthropic
import ollama
import openai
import pytest

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.scripted_server import Reply, ScriptedServer

ASK = "How high is the Eiffel Tower?"
MESSAGES = [{"role": "user", "content": ASK}]
LLAMA = {
    "error": {
        "code": 400,
        "message": "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "type": "exceed_context_size_error",
    }
}
OLLAMA = {"error": {"message": "input length exceeds maximum context length", "type": "api_error"}}
ANTHROPIC = {"error": {"message": "prompt is too long: 9000 tokens > 8192 maximum"}}
ANSWERS = {
    "with numbers": (400, LLAMA, "prompt is too long: 9000 tokens > 8192 maximum"),
    "without": (400, OLLAMA, "prompt is too long: input length exceeds maximum context length"),
    "in these words": (400, ANTHROPIC, "prompt is too long: 9000 tokens > 8192 maximum"),
    "as a server's error": (
        500,
        {"error": {"message": "Context size has been exceeded.", "type": "server_error"}},
        "prompt is too long: Context size has been exceeded.",
    ),
}


@pytest.fixture(params=ANSWERS.values(), ids=ANSWERS)
def overflow(request, monkeypatch):
    """A gateway whose upstream finds everything too long, and what Anthropic's clients are told."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    status, body, words = request.param
    with (
        ScriptedServer(lambda _: Reply(status=status, body=body)) as upstream,
        gateway({"m": ChatToolEmu(llm=upstream_model(upstream), mode="force")}) as server,
    ):
        yield server, body["error"]["message"], words


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_openai_chat_is_told_by_a_code(overflow, stream):
    """A 400 with `context_length_exceeded`, and the upstream's words."""
    server, said, _ = overflow
    client = openai.OpenAI(base_url=server.v1, api_key="x", max_retries=0)
    with client, pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model="m", messages=MESSAGES, stream=stream)
    assert caught.value.code == "context_length_exceeded"
    assert caught.value.type == "invalid_request_error"
    assert caught.value.body["message"] == said


def test_openai_responses_is_told_by_a_code(overflow):
    """The same in the other protocol."""
    server, said, _ = overflow
    client = openai.OpenAI(base_url=server.v1, api_key="x", max_retries=0)
    with client, pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(model="m", input=ASK)
    assert caught.value.code == "context_length_exceeded"
    assert caught.value.body["message"] == said


def test_a_streamed_response_fails_with_the_code(overflow):
    """Codex looks for the code in `response.failed`, not in a status."""
    server, said, _ = overflow
    client = openai.OpenAI(base_url=server.v1, api_key="x", max_retries=0)
    with (
        client,
        client.responses.with_streaming_response.create(
            model="m", input=ASK, stream=True
        ) as response,
    ):
        assert response.status_code == 200
        lines = list(response.iter_lines())
    names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    assert names == ["response.created", "response.in_progress", "error", "response.failed"]
    assert f'"error":{{"code":"context_length_exceeded","message":"{said}"}}' in lines[-2]
    with (
        openai.OpenAI(base_url=server.v1, api_key="x", max_retries=0) as client,
        pytest.raises(openai.APIError) as caught,
    ):
        list(client.responses.create(model="m", input=ASK, stream=True))
    assert caught.value.code == "context_length_exceeded"


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_anthropic_is_told_by_its_words(overflow, stream):
    """A 400 that says "prompt is too long", with numbers where the upstream gave them."""
    server, _, words = overflow
    client = anthropic.Anthropic(base_url=server.url, api_key="x", max_retries=0)
    with client, pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(model="m", max_tokens=100, messages=MESSAGES, stream=stream)
    assert caught.value.body["error"]["type"] == "invalid_request_error"
    assert caught.value.body["error"]["message"] == words


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_ollamas_clients_are_told_the_words(overflow, stream):
    """A 400: it has no code of its own."""
    server, said, _ = overflow
    with pytest.raises(ollama.ResponseError) as caught:
        list(ollama.Client(host=server.url).chat("m", MESSAGES, stream=stream))
    assert (caught.value.status_code, caught.value.error) == (400, said)
