"""Servers that cannot parse their own model's calls, behind the real clients: the call comes all the same."""

import warnings
from contextlib import contextmanager

import groq
import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_groq import ChatGroq

from langchain_toolemu import ChatToolEmu, ToolEmuWarning
from langchain_toolemu.capability import knowledge
from tests.essence import calls
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.ways import WAYS, ask
from tests.weather import get_weather

ASKED = "What is the weather in Paris?"
PARIS = ("get_weather", {"city": "Paris"})
IN_TEXT = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
TAGGED = "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>"
CUT = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par'
NO_WORDS = "The model produced output that does not match the expected peg-native format"
FAILED = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details."


def llama(message, status=500):
    return Reply(
        status=status, body={"error": {"code": status, "message": message, "type": "server_error"}}
    )


def llama_after(words, message):
    """An error in a stream; where nothing is streamed, the words are lost."""
    return Reply([words], breaks_after=1, body=llama(message).body)


def ollama(words, why="invalid character ']' after top-level value"):
    return Reply(status=500, body={"error": f"error parsing tool call: raw='{words}', err={why}"})


def groq_failed(words):
    error = {"message": FAILED, "type": "invalid_request_error", "code": "tool_use_failed"}
    return Reply(status=400, body={"error": {**error, "failed_generation": words}})


@contextmanager
def serving(client, script):
    """A server that plays a script, and the client that speaks to it."""
    replies = iter(script)
    if client == "ollama":
        with ScriptedOllama(lambda _: next(replies)) as server:
            yield server, server.chat_model()
        return
    with ScriptedServer(lambda _: next(replies)) as server:
        yield server, groq_model(server) if client == "groq" else server.chat_model()


def groq_model(server):
    return ChatGroq(
        model="scripted",
        api_key="test",
        base_url=server.base_url.removesuffix("/v1"),
        max_retries=0,
        http_client=groq.DefaultHttpxClient(trust_env=False),
        http_async_client=groq.DefaultAsyncHttpxClient(trust_env=False),
    )


def turn(client, script, way, mode="fallback", seen=False, tools=(get_weather,)):
    """One turn: the message, and how many requests it took."""
    script = [Reply(tool_calls=[PARIS]), *script] if seen else script
    with serving(client, script) as (server, inner), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        llm = ChatToolEmu(inner, mode=mode).bind_tools(list(tools))
        if seen:
            llm.invoke(ASKED)
            server.requests.clear()
        return ask(llm, ASKED, way), len(server.requests)


# --- the error holds the model's words ---

HOLDS_CALL = [
    ("openai", llama(f"Failed to parse input at pos 0: {TAGGED}")),
    ("openai", llama(f"Failed to parse input at pos 12: {IN_TEXT}")),
    ("openai", ollama(f"{IN_TEXT}]")),
    ("openai", groq_failed('get_weather{"city": "Paris"}</function>')),
    ("ollama", ollama(f"{IN_TEXT}]")),
    ("ollama", ollama('{"city": "Paris"}]')),  # of the only tool
    ("groq", groq_failed('<function=get_weather>{"city": "Paris"}</function>')),
    ("groq", groq_failed(TAGGED)),
]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("mode", "seen"), [("fallback", False), ("fallback", True), ("force", False)]
)
@pytest.mark.parametrize(("client", "error"), HOLDS_CALL)
def test_the_call_is_read_from_the_error(client, error, mode, seen, way):
    """It costs no further request, also where native calls were seen."""
    message, requests = turn(client, [error], way, mode, seen)
    assert calls(message) == [PARIS]
    assert message.content == ""
    assert requests == 1
    assert any(
        "read from the error" in one for one in message.response_metadata["toolemu"]["warnings"]
    )
    assert message.response_metadata["finish_reason"] == "tool_calls"


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize(("client", "error"), [
    ("openai", llama(f"Failed to parse input at pos 0: {CUT}")),
    ("openai", llama(f"Failed to parse input at pos 0: {IN_TEXT[:-2]}")),
    ("ollama", ollama('{"city": "Paris"', "unexpected end of JSON input")),
    ("ollama", ollama('{"city": "Par', "unexpected end of JSON input")),
    ("groq", groq_failed('<function=get_weather>{"city": "Par')),
])  # fmt: skip
def test_a_call_that_is_cut_never_runs(client, error, mode, way):
    """It is asked for again."""
    message, requests = turn(client, [error, IN_TEXT], way, mode)
    assert calls(message) == [PARIS]
    assert message.content == ""
    assert requests == 2


@pytest.mark.in_turn(1)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("client", ["openai", "groq"])
def test_words_without_a_call_are_the_answer(client, mode, way):
    """They are the model's, and are shown as they are."""
    message, requests = turn(client, [groq_failed("It is sunny in Paris.")], way, mode)
    assert (message.content, calls(message), requests) == ("It is sunny in Paris.", [], 1)


@pytest.mark.in_turn(1)
@pytest.mark.parametrize("way", ["stream", "astream"])
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("said", [
    f"Failed to parse input at pos 13: {TAGGED}",
    f"Failed to parse input at pos 0: Let me look. {TAGGED}",
    f"Failed to parse input at pos 0: <think>\nHm.\n</think>\n\nLet me look. {TAGGED}",
])  # fmt: skip
def test_the_call_follows_words_that_were_shown(said, mode, way):
    """Whether the error begins with them, or goes on after them."""
    message, requests = turn("openai", [llama_after("Let me look. ", said)], way, mode)
    assert (message.content, calls(message), requests) == ("Let me look. ", [PARIS], 1)


@pytest.mark.parametrize("way", ["stream", "astream"])
@every_row(("client", "error"), [("ollama", ollama(f"{IN_TEXT}]")), ("groq", groq_failed(TAGGED))])
def test_the_call_follows_words_of_other_clients(client, error, way):
    """Ollama's error is a line of the stream, and Groq's an event."""
    said = Reply(["Let me look. "], breaks_after=1, body=error.body)
    message, requests = turn(client, [said], way)
    assert (message.content, calls(message), requests) == ("Let me look. ", [PARIS], 1)


@pytest.mark.in_turn(1)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("said", "requests"), [(TAGGED, 1), ('is"}}\n</tool_call>', 2), ("", 2)])
def test_a_native_call_that_began_is_not_shown(said, requests, way):
    """What the error holds replaces it, or the model is asked once more."""
    begun = Reply(
        tool_calls=[("get_weather", '{"city": "Par')],
        breaks_after=2,
        body=llama(f"Failed to parse input at pos 9: {said}").body,
    )
    message, number = turn("openai", [begun, Reply(tool_calls=[PARIS])], way)
    assert (calls(message), message.invalid_tool_calls, number) == ([PARIS], [], requests)


@pytest.mark.parametrize("way", ["stream", "astream"])
def test_a_native_call_that_was_shown_stands(way):
    """The parser failed on the next one, which is told."""
    begun = [PARIS, ("get_weather", '{"city": "Ro')]
    said = Reply(tool_calls=begun, breaks_after=4, body=llama(NO_WORDS).body)
    message, requests = turn("openai", [said], way)
    assert (calls(message), message.invalid_tool_calls, requests) == ([PARIS], [], 1)
    assert any("after this call" in one for one in message.response_metadata["toolemu"]["warnings"])


@pytest.mark.parametrize("way", WAYS)
def test_arguments_of_one_of_several_tools_are_asked_for_again(way):
    """Nobody says whose they are."""

    @tool
    def get_time(city: str) -> str:
        """The time in a city."""
        return city

    script = [ollama('{"city": "Paris"}]'), Reply(tool_calls=[PARIS])]
    message, requests = turn("ollama", script, way, tools=(get_weather, get_time))
    assert (calls(message), message.content, requests) == ([PARIS], "", 2)


# --- the error holds nothing ---


@pytest.mark.in_turn(1)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("client", ["openai", "ollama", "groq"])
def test_the_model_is_asked_once_more_and_then_in_text(client, way):
    """Natively first: the same may go well the next time."""
    message, requests = turn(client, [llama(NO_WORDS), Reply(tool_calls=[PARIS])], way)
    assert (calls(message), requests) == ([PARIS], 2)
    assert message.response_metadata["toolemu"]["path"] == "native"
    message, requests = turn(client, [llama(NO_WORDS), llama(NO_WORDS), IN_TEXT], way)
    assert (calls(message), requests) == ([PARIS], 3)
    assert message.response_metadata["toolemu"]["path"] == "emulated"


@pytest.mark.in_turn(1)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("client", ["openai", "ollama", "groq"])
def test_in_text_the_same_is_asked_once_more(client, way):
    """After that it is the caller's error."""
    message, requests = turn(client, [llama(NO_WORDS), IN_TEXT], way, "force")
    assert (calls(message), requests) == ([PARIS], 2)
    with pytest.raises(Exception, match="peg-native"):
        turn(client, [llama(NO_WORDS), llama(NO_WORDS)], way, "force")


@pytest.mark.parametrize("way", ["stream", "astream"])
@every_row(("reply", "content", "made"), [
    (Reply(tool_calls=[PARIS]), "Let me look. ", [PARIS]),
    (Reply("Paris is sunny."), "Let me look. \n\nParis is sunny.", []),
    (Reply("Let me look. "), "Let me look. ", []),
])  # fmt: skip
def test_after_words_that_were_shown_the_model_is_asked_once_more(reply, content, made, way):
    """Its call follows them, or its answer."""
    message, requests = turn("openai", [llama_after("Let me look. ", NO_WORDS), reply], way)
    assert (message.content, calls(message), requests) == (content, made, 2)


@pytest.mark.parametrize("way", WAYS)
def test_mode_off_is_untouched(way):
    """The error is the caller's as it came."""
    with serving("groq", [groq_failed(TAGGED)]) as (_, inner), pytest.raises(groq.APIError):
        ask(ChatToolEmu(inner, mode="off").bind_tools([get_weather]), ASKED, way)


@pytest.mark.in_turn(1)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "error", [llama("Internal server error"), llama(NO_WORDS, 503), llama(NO_WORDS, 429)]
)
def test_another_error_is_the_callers(error, way):
    """A rate limit is no evidence, whatever it says, nor is a plain error; a gateway's status changes nothing."""
    if error.status == 503:
        assert calls(turn("openai", [error, Reply(tool_calls=[PARIS])], way)[0]) == [PARIS]
        return
    with pytest.raises(Exception, match="Internal|peg-native"):
        turn("openai", [error], way)


# --- over several turns ---


class Clock:
    """A time that a test moves."""

    def __init__(self, monkeypatch):
        self.now = 1_000_000.0
        monkeypatch.setattr("langchain_toolemu.capability.memory.time.time", lambda: self.now)


@contextmanager
def playing():
    """A server whose next replies a test sets, and a bound model that says for each turn whether it was asked natively."""
    replies = []
    with (
        ScriptedServer(lambda _: replies.pop(0)) as server,
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("always")
        llm = ChatToolEmu(server.chat_model()).bind_tools([get_weather])

        def play(*script):
            replies[:] = script
            server.requests.clear()
            assert calls(llm.invoke(ASKED)) == [PARIS]
            assert not replies
            return ["tools" in request for request in server.requests]

        yield play, told


HELD = llama(f"Failed to parse input at pos 0: {TAGGED}")
NATIVE = Reply(tool_calls=[PARIS])


def test_after_two_failures_in_a_row_the_model_is_asked_in_text_first(monkeypatch):
    """Over turns, and natively again after an hour."""
    clock = Clock(monkeypatch)
    with playing() as (play, _):
        for _ in range(2):
            assert play(llama(NO_WORDS), llama(NO_WORDS), IN_TEXT) == [True, True, False]
            for _ in range(3):
                assert play(IN_TEXT) == [False]
            clock.now += knowledge.SECONDS_REFUSED + 1
        assert play(NATIVE) == [True]


def test_what_needs_no_further_request_goes_on_natively():
    """A call that the error holds, or that comes at the second time, costs no more in text."""
    with playing() as (play, _):
        for _ in range(3):
            assert play(HELD) == [True]
            assert play(llama(NO_WORDS), NATIVE) == [True, True]


def test_the_user_is_told_once():
    """With what to change on the server."""
    with playing() as (play, told):
        play(HELD)
        play(HELD)
    notices = [str(one.message) for one in told if one.category is ToolEmuWarning]
    assert len(notices) == 1
    assert "llama.cpp could not parse" in notices[0]
    assert "--chat-template-file" in notices[0]


# --- agents ---


@pytest.mark.parametrize("mode", ["fallback", "force"])
@every_row(("client", "errors"), [
    *((client, [error]) for client, error in HOLDS_CALL),
    ("openai", [llama(NO_WORDS)]),
    ("openai", [llama(f"Failed to parse input at pos 0: {CUT}")]),
    ("ollama", [llama(NO_WORDS)]),
    ("groq", [groq_failed("")]),
])  # fmt: skip
def test_an_agent_ends_with_the_right_result(client, errors, mode):
    """The tool runs once with the right arguments, and its result is the answer."""
    ran = []

    @tool
    def get_weather(city: str) -> str:
        """Get the weather of a city."""
        ran.append(city)
        return "Sunny, 24 degrees"

    def reply(request):
        if errors_left:
            return errors_left.pop()
        said = str(request["messages"])
        if "24 degrees" in said:
            return Reply("It is sunny.")
        return Reply(tool_calls=[PARIS]) if request.get("tools") else Reply(IN_TEXT)

    errors_left = list(errors)
    with serving(client, ()) as (server, inner), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if client == "ollama":
            server.text = reply
        else:
            server.play(reply)
        agent = create_agent(ChatToolEmu(inner, mode=mode), [get_weather])
        state = agent.invoke({"messages": [{"role": "user", "content": ASKED}]})
    assert ran == ["Paris"]
    assert state["messages"][-1].content == "It is sunny."


@every_row(
    "words", ["We need to call", "It is sunny, I th", "<|channel|>analysis<|message|>Let me"]
)
def test_output_that_groq_could_not_parse_is_no_answer(words):
    """The model is asked again, and what it says then is the answer; a call in the words is still read."""
    message = "Parsing failed. The model generated output that could not be parsed."
    error = {"message": message, "type": "invalid_request_error", "code": "output_parse_failed"}
    failed = Reply(status=400, body={"error": {**error, "failed_generation": words}})
    with serving("groq", [failed, *["It is sunny."] * 3]) as (_, llm):
        answer = ChatToolEmu(llm).bind_tools([get_weather]).invoke(ASKED)
    assert answer.content == "It is sunny."
