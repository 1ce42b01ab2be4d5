"""The most tokens of a reply: lowered where the server told its window, or refused a limit with numbers."""

import anthropic
import httpx
import ollama
import openai
import pytest

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.scripted_server import Reply, ScriptedServer

WINDOW = 8192
LISTED = {"/models": {"data": [{"id": "scripted", "max_model_len": WINDOW}]}}
HEADER = "x-toolemu-max-tokens"
SHORT = [{"role": "user", "content": "Hello."}]
LONG = [{"role": "user", "content": "word " * 6_000}]  # about 7,500 tokens
VLLM = (
    "This model's maximum context length is {window} tokens. However, you requested {total} tokens ({prompt} in the "
    "messages, {limit} in the completion). Please reduce the length of the messages or completion."
)
TGI = "`inputs` tokens + `max_new_tokens` must be <= {window}. Given: {prompt} `inputs` tokens and {limit} `max_new_tokens`"
ALONE = "Request body too large for this model. Max size: {window} tokens."
NO_NUMBERS = "the input length exceeds the context length"


def counting(prompt, words=VLLM):
    """A server that counts a prompt of so many tokens and the limit together."""

    def answer(request):
        limit = request.get("max_completion_tokens", request.get("max_tokens", 0))
        if prompt + limit <= WINDOW:
            return "Hello."
        said = words.format(window=WINDOW, prompt=prompt, limit=limit, total=prompt + limit)
        return Reply(status=400, body={"error": {"message": said}})

    return answer


def ask_chat(server, messages, most, stream, **more):
    with openai.OpenAI(base_url=server.v1, api_key="x", max_retries=0) as client:
        raw = client.chat.completions.with_raw_response.create(
            model="m", messages=messages, max_completion_tokens=most, stream=stream, **more
        )
        parsed = raw.parse()
        if stream:
            return "".join(one.choices[0].delta.content or "" for one in parsed), raw.headers
        return parsed.choices[0].message.content, raw.headers


def ask_messages(server, messages, most, stream, **more):
    with anthropic.Anthropic(base_url=server.url, api_key="x", max_retries=0, timeout=60) as client:
        raw = client.messages.with_raw_response.create(
            model="m", messages=messages, max_tokens=most, stream=stream, **more
        )
        parsed = raw.parse()
        if stream:
            deltas = [one.delta for one in parsed if one.type == "content_block_delta"]
            return "".join(one.text for one in deltas), raw.headers
        return parsed.content[0].text, raw.headers


def ask_responses(server, messages, most, stream, **more):
    with openai.OpenAI(base_url=server.v1, api_key="x", max_retries=0) as client:
        raw = client.responses.with_raw_response.create(
            model="m", input=messages, max_output_tokens=most, stream=stream, **more
        )
        parsed = raw.parse()
        if stream:
            return "".join(
                one.delta for one in parsed if one.type == "response.output_text.delta"
            ), raw.headers
        return parsed.output_text, raw.headers


CLIENTS = {"chat": ask_chat, "messages": ask_messages, "responses": ask_responses}
each_client = pytest.mark.parametrize("ask", CLIENTS.values(), ids=CLIENTS)
each_way = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def limits_sent(upstream):
    sent = [one.get("max_completion_tokens", one.get("max_tokens")) for one in upstream.requests]
    return [one for one in sent if one is not None]


@pytest.mark.in_turn
@each_way
@each_client
def test_a_window_that_the_server_tells_lowers_the_limit(ask, stream):
    """One request, with what the window leaves, and a header that names it."""
    with (
        ScriptedServer(counting(50), pages=LISTED) as upstream,
        gateway({"m": upstream_model(upstream)}) as server,
    ):
        text, headers = ask(server, SHORT, 32_000, stream)
        (sent,) = limits_sent(upstream)
    assert text == "Hello."
    assert WINDOW - 100 < sent < WINDOW
    assert headers[HEADER] == str(sent)


@pytest.mark.in_turn
@each_way
@each_client
def test_an_error_with_numbers_is_answered_by_one_retry(ask, stream):
    """Where the window is not known: the second request has what the first one's numbers leave."""
    with (
        ScriptedServer(counting(50)) as upstream,
        gateway({"m": upstream_model(upstream)}) as server,
    ):
        text, headers = ask(server, SHORT, 128_000, stream)
        sent = limits_sent(upstream)
    # What goes straight first is asked for once more in the ordinary way.
    assert sent[-2:] == [128_000, WINDOW - 50]
    assert (sent[:-2], ask is ask_chat) in (([], False), ([], True), ([128_000], True))
    assert (text, headers[HEADER]) == ("Hello.", str(WINDOW - 50))


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_turn_with_tools_is_asked_again_too(mode):
    """Natively and in text; the inspector shows both requests."""
    function = {"name": "add", "parameters": {"type": "object", "properties": {}}}
    tools = [{"type": "function", "function": function}]
    with ScriptedServer(counting(50, TGI)) as upstream:
        model = ChatToolEmu(llm=upstream_model(upstream), mode=mode)
        with gateway({"m": model}, inspect=True) as server:
            text, _ = ask_chat(server, SHORT, 32_000, False, tools=tools)
            assert limits_sent(upstream)[:2] == [32_000, WINDOW - 50]
            (turn,) = httpx.get(f"{server.url}/inspector/turns", trust_env=False).json()
            assert turn["requests"] == len(upstream.requests)
    assert text == "Hello."


@each_way
def test_ollamas_limit_is_lowered_too(stream):
    """It is called `num_predict` there."""
    with (
        ScriptedServer(counting(50)) as upstream,
        gateway({"m": upstream_model(upstream)}) as server,
    ):
        options = {"num_predict": 32_000}
        said = ollama.Client(host=server.url).chat("m", SHORT, stream=stream, options=options)
        pieces = list(said) if stream else [said]
        assert limits_sent(upstream) == [32_000, WINDOW - 50]
    assert "".join(one.message.content or "" for one in pieces) == "Hello."


# What a server says of a prompt of so many tokens, how many requests it gets, and whether one of them is answered.
REFUSALS = {
    "three quarters are the prompt's": (VLLM, 6144, 2, True),
    "more": (VLLM, 6145, 1, False),
    "the window alone, and a prompt that fits": (ALONE, 50, 2, True),
    "the window alone, and one that does not": (ALONE, 9000, 2, False),
    "no numbers": (NO_NUMBERS, 50, 1, False),
}


@pytest.mark.in_turn
@each_way
@pytest.mark.parametrize(("words", "prompt", "requests", "ok"), REFUSALS.values(), ids=REFUSALS)
def test_a_prompt_that_leaves_too_little_is_too_long(words, prompt, requests, ok, stream):
    """A quarter of the window is the least that a reply gets: else the client is told, and shortens the conversation."""
    with (
        ScriptedServer(counting(prompt, words)) as upstream,
        gateway({"m": upstream_model(upstream)}) as server,
    ):
        if ok:
            assert ask_messages(server, SHORT, 32_000, stream)[0] == "Hello."
        else:
            with pytest.raises(anthropic.BadRequestError, match="prompt is too long"):
                ask_messages(server, SHORT, 32_000, stream)
        sent = limits_sent(upstream)
    assert len(sent) == requests
    assert sent[-1] >= WINDOW // 4


def test_a_long_prompt_still_asks_for_a_quarter():
    """The estimate may be wrong: the server decides whether the prompt fits."""
    with (
        ScriptedServer(lambda _: "Hello.", pages=LISTED) as upstream,
        gateway({"m": upstream_model(upstream)}) as server,
    ):
        ask_chat(server, LONG, 32_000, False)
        assert limits_sent(upstream) == [WINDOW // 4]


UNTOUCHED = {
    "no limit": ("fallback", None, SHORT),
    "a limit that fits": ("fallback", 4_000, SHORT),
    "a small limit and a long prompt": ("fallback", WINDOW // 4, LONG),
    "mode off": ("off", 32_000, SHORT),
}


@pytest.mark.parametrize(("mode", "most", "messages"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_what_fits_is_left_as_it_is(mode, most, messages):
    """And so is everything in mode off."""
    with ScriptedServer(lambda _: "Hello.", pages=LISTED) as upstream:
        model = ChatToolEmu(llm=upstream_model(upstream), mode=mode)
        with gateway({"m": model}) as server:
            limit = openai.omit if most is None else most
            _, headers = ask_chat(server, messages, limit, False)
            assert limits_sent(upstream) == ([] if most is None else [most])
    assert HEADER not in headers


def test_words_that_were_shown_are_not_asked_for_again():
    """An error amid a stream ends it, whatever its numbers."""
    said = VLLM.format(window=WINDOW, prompt=50, limit=32_000, total=32_050)
    broken = Reply(["The sky ", "is ", "blue."], breaks_after=2, body={"error": {"message": said}})
    with (
        ScriptedServer([broken]) as upstream,
        gateway({"m": upstream_model(upstream)}) as server,
        pytest.raises(openai.APIError),
    ):
        ask_chat(server, SHORT, 32_000, True)
    assert len(upstream.requests) == 1
