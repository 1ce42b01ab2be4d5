"""Calls that a server loses: in a stream, though the whole reply has them, or altogether, as Gemini's malformed ones."""

import json
import warnings

import pytest

from langchain_toolemu import ChatToolEmu
from tests.scripted_server import Reply, ScriptedServer
from tests.ways import WAYS, ask, pieces

PARIS = ("get_weather", {"city": "Paris"})
STREAMS = ("stream", "astream")


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"Sunny in {city}"


def made(message):
    return [(call["name"], call["args"]) for call in message.tool_calls]


LOST = {
    "empty arguments": Reply(tool_calls=[("get_weather", "")]),
    "an empty object": Reply(tool_calls=[("get_weather", "{}")]),
    "cut arguments": Reply(tool_calls=[("get_weather", '{"city": "Par')]),
    "no call at all": Reply(finish_reason="tool_calls"),
    "words and no call": Reply("Let me look.", finish_reason="tool_calls"),
}


def losing(lost):
    return lambda request: lost if request.get("stream") else Reply(lost.text, tool_calls=[PARIS])


@pytest.mark.in_turn
@pytest.mark.parametrize("way", STREAMS)
@pytest.mark.parametrize("lost", LOST.values(), ids=LOST)
def test_what_a_stream_lost_is_asked_for_whole(lost, way):
    """Once, and from the next turn on at once; words that were shown stand, and are not said twice."""
    with ScriptedServer(losing(lost)) as server:
        llm = ChatToolEmu(server.chat_model()).bind_tools([get_weather])
        for streamed in ([True, False], [False]):
            server.requests.clear()
            message = ask(llm, "Paris?", way)
            assert made(message) == [PARIS]
            assert message.content == lost.text
            assert [bool(one.get("stream")) for one in server.requests] == streamed
            report = message.response_metadata["toolemu"]
            assert (report["path"], "asked_whole" in report["warning_codes"]) == ("native", True)


@pytest.mark.parametrize("way", STREAMS)
@pytest.mark.parametrize("broken", ['{"city": "Par', '{"city": }', "{city: Paris!}"])
def test_streams_that_brought_calls_are_not_given_up(broken, way):
    """One broken call of a model that calls natively is asked for again, and the next turn is streamed as before."""
    good = Reply(tool_calls=[PARIS])
    with ScriptedServer([good, Reply(tool_calls=[("get_weather", broken)]), good, good]) as server:
        llm = ChatToolEmu(server.chat_model()).bind_tools([get_weather])
        assert [made(ask(llm, "Paris?", way)) for _ in range(3)] == [[PARIS]] * 3
        assert len(server.requests) == 4
        assert server.requests[-1]["stream"]


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_whole_replies_lose_nothing(way):
    """One request, and nothing to warn of."""
    with ScriptedServer(losing(LOST["empty arguments"])) as server:
        message = ask(ChatToolEmu(server.chat_model()).bind_tools([get_weather]), "Paris?", way)
        assert (made(message), len(server.requests)) == ([PARIS], 1)
    assert message.response_metadata["toolemu"]["warning_codes"] == []


def test_a_good_stream_stays_one():
    """Words are streamed, and calls without arguments are calls."""

    def ring() -> str:
        """Ring."""
        return "ding"

    with ScriptedServer([Reply(["Let ", "me."], tool_calls=[("ring", "")])]) as server:
        shown = pieces(ChatToolEmu(server.chat_model()).bind_tools([ring]), "Ring!", "stream")
        assert [one.content for one in shown if one.content] == ["Let ", "me."]
        assert len(server.requests) == 1


def test_a_model_that_writes_no_arguments_is_asked_again():
    """If the whole reply lacks them too, it was not the stream: the model is asked in text, and nothing is remembered."""
    written = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    replies = [*[LOST["empty arguments"]] * 2, Reply(written)]
    with ScriptedServer(replies) as server:
        llm = ChatToolEmu(server.chat_model()).bind_tools([get_weather])
        assert made(ask(llm, "Paris?", "stream")) == [PARIS]
        server.play([Reply(tool_calls=[PARIS])])
        ask(llm, "Paris?", "stream")
        assert server.requests[0]["stream"]


# --- calls that the server itself could not read ---

MALFORMED = [
    "MALFORMED_FUNCTION_CALL",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
    "malformed_function_call",
]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ended", MALFORMED)
def test_a_malformed_call_is_asked_for_again(ended, way):
    """Once natively, though nothing is repaired on the vendor's own host; an empty message would end the agent."""
    with ScriptedServer([Reply(finish_reason=ended), Reply(tool_calls=[PARIS])]) as server:
        message = ask(ChatToolEmu(server.chat_model()).bind_tools([get_weather]), "Paris?", way)
        assert made(message) == [PARIS]
        assert all("tools" in one for one in server.requests)


def test_a_malformed_call_comes_in_text_at_last():
    """After a second one the model is asked in text."""
    written = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    with ScriptedServer([Reply(finish_reason=MALFORMED[0])] * 2 + [Reply(written)]) as server:
        message = ChatToolEmu(server.chat_model()).bind_tools([get_weather]).invoke("Paris?")
        assert made(message) == [PARIS]
        assert ["tools" in one for one in server.requests] == [True, True, False]


def doubted(message):
    """The names of the doubted calls, the checks, and whether they were made."""
    found = message.response_metadata["toolemu"]["doubted"]
    return [(one["name"], one["reason"].split(":")[0], one["made"]) for one in found]


FIRST_CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'


@pytest.mark.parametrize("way", WAYS)
def test_a_small_models_first_call_in_text_with_no_value_that_was_given_is_asked_for_again(way):
    """In text, until that is known of the endpoint: given tools natively, small models call one to answer a greeting."""
    with ScriptedServer([Reply(FIRST_CALL), Reply("Hello there!")]) as server:
        llm = ChatToolEmu(server.chat_model(model="m-1.5b")).bind_tools([get_weather])
        message = ask(llm, "Good morning!", way)
        assert (message.content, message.tool_calls) == ("Hello there!", [])
        assert ["tools" in request for request in server.requests] == [True, False]
        assert doubted(message) == [("get_weather", "value_not_given", False)]


def test_a_first_call_in_text_that_comes_again_is_made():
    """The report says that it was asked for again."""
    with ScriptedServer([Reply(FIRST_CALL)] * 2) as server:
        llm = ChatToolEmu(server.chat_model(model="m-1.5b")).bind_tools([get_weather])
        message = ask(llm, "Good morning!", "invoke")
        assert (made(message), doubted(message)) == ([PARIS], [("get_weather", "value_not_given", True)])  # fmt: skip


def cancel_order(order_id: str, email: str = "") -> str:
    """Cancel an order by its id."""


CANCELLING = {
    "a code": ("Storniere Bestellung A-7.", {"order_id": "A-7"}, 1),
    "an address": ("Nichts mehr an ana@b.org.", {"order_id": "", "email": "ana@b.org"}, 1),
    "in another writing": ("取消A-7。", {"order_id": "A-7"}, 1),
    "another code": ("Storniere Bestellung A-7.", {"order_id": "A-77"}, 2),
    "no code": ("Good morning!", {"order_id": "A-7"}, 2),
    "nothing": ("Good morning!", {"order_id": ""}, 2),
    "a word": ("Lights off in the hall.", {"order_id": "hall"}, 1),
    "a number": ("What is 7 times 12?", {"order_id": "7"}, 1),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CANCELLING)
def test_a_first_call_in_text_with_a_given_value_is_made(case, way):
    """One value of the user's is enough, in any language; a greeting gives none."""
    words, args, requests = CANCELLING[case]
    written = json.dumps({"name": "cancel_order", "arguments": args})
    with ScriptedServer([Reply(written), Reply("Hello there!")]) as server:
        llm = ChatToolEmu(server.chat_model(model="m-1.5b")).bind_tools([cancel_order])
        message = ask(llm, words, way)
        assert len(server.requests) == requests
        assert [call["name"] for call in message.tool_calls] == ["cancel_order"] * (requests == 1)
        assert len(doubted(message)) == requests - 1


@pytest.mark.parametrize(
    ("model", "words", "bound"),
    [
        ("m-1.5b", "What's the weather in Paris?", {}),
        ("m-8b", "Good morning!", {}),
        ("m-1.5b", "Good morning!", {"tool_choice": "any"}),
    ],
    ids=["a given value", "a larger model", "demanded"],
)
def test_other_first_calls_in_text_are_made(model, words, bound):
    """In one request."""
    with ScriptedServer([Reply(FIRST_CALL)]) as server:
        llm = ChatToolEmu(server.chat_model(model=model)).bind_tools([get_weather], **bound)
        assert made(ask(llm, words, "invoke")) == [PARIS]


def test_a_whole_reply_that_is_no_better_is_remembered():
    """A server whose parser breaks calls either way is asked in text from the second turn on."""

    def answer(request):
        if "tools" in request:
            return LOST["cut arguments"]
        return '{"name": "get_weather", "arguments": {"city": "Paris"}}'

    counts = []
    with ScriptedServer(answer) as server:
        llm = ChatToolEmu(server.chat_model()).bind_tools([get_weather])
        for _ in range(3):
            before = len(server.requests)
            assert made(ask(llm, "Paris?", "stream")) == [PARIS]
            counts.append(len(server.requests) - before)
    assert counts == [3, 1, 1]
