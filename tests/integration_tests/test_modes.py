"""The table of modes, row by row, against a real server behind a real ChatOpenAI."""

import asyncio
import logging
import re
from functools import reduce
from operator import add as plus

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import BaseCallbackHandler, get_usage_metadata_callback
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from openai import APIError, BadRequestError, RateLimitError

from langchain_toolemu import ChatToolEmu, ToolChoiceError, ToolSpecError
from langchain_toolemu.capability import forget
from langchain_toolemu.contract.dialects import MARKDOWN
from tests.essence import calls, essence, four_ways, report
from tests.scripted_server import Reply, ScriptedServer, slowly, without_tools
from tests.tables import every_row
from tests.thoroughness import steps
from tests.toy_models import TakesAnyTool, TakesToolsOnly
from tests.weather import CALL, PARIS, get_weather

TAGGED = f"<tool_call>{CALL}</tool_call>"
HISTORY = [
    HumanMessage("Weather in Rome?"),
    AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Rome"}, "id": "c1"}]),
    ToolMessage("20 degrees", tool_call_id="c1"),
]


def ask(server, mode, question="Weather in Paris?", choice=None, **kwargs):
    llm = ChatToolEmu(llm=server.chat_model(), mode=mode, **kwargs)
    return llm.bind_tools([get_weather], tool_choice=choice).invoke(question)


# --- off ---


@pytest.mark.parametrize("messages", ["Weather in Paris?", HISTORY])
@pytest.mark.parametrize("choice", [None, "any", "get_weather"])
def test_off_sends_the_same_bytes(messages, choice):
    """In mode off the provider gets, byte for byte, what the wrapped model alone would send."""
    with ScriptedServer(lambda request: "Fine.") as server:
        plain = server.chat_model(temperature=0.5)
        plain.bind_tools([get_weather], tool_choice=choice).invoke(messages)
        off = ChatToolEmu(llm=plain, mode="off").bind_tools([get_weather], tool_choice=choice)
        off.invoke(messages)
        list(off.stream(messages))
        list(plain.bind_tools([get_weather], tool_choice=choice).stream(messages))
        first, second, third, fourth = server.bodies
    assert (first, third) == (second, fourth)


def test_off_adds_nothing_to_the_message():
    """In mode off the message is the provider's: no metadata of ours, a call in text stays text."""
    with ScriptedServer(lambda request: TAGGED) as server:
        plain = server.chat_model().bind_tools([get_weather]).invoke("hi")
        message = ask(server, "off", "hi")
    assert essence(message) == essence(plain)
    assert message.content == TAGGED


def test_off_raises_the_providers_error():
    """In mode off a provider that takes no tools says so to the caller."""
    with (
        ScriptedServer(without_tools(lambda request: CALL)) as server,
        pytest.raises(BadRequestError, match="does not support tools"),
    ):
        ask(server, "off")


# --- fallback ---


def test_a_native_call_is_returned_as_it_came():
    """Where the provider calls natively, one request is made and its call returned with its own id."""
    with ScriptedServer([Reply(tool_calls=PARIS)]) as server:
        message = ask(server, "fallback")
        (request,) = server.requests
    assert calls(message) == PARIS
    assert message.tool_calls[0]["id"].startswith("call_")
    assert report(message)["path"] == "native"
    assert report(message)["verdict"] == "native"
    assert [tool["function"]["name"] for tool in request["tools"]] == ["get_weather"]


ROME = ("get_weather", {"city": "Rome"})


@pytest.mark.parametrize("same_index", [False, True])
def test_native_calls_are_as_many_as_without_us(same_index):
    """Each call comes whole, four ways, from a server that counts its calls and from one that numbers all of them 0."""
    with ScriptedServer(
        lambda request: Reply(tool_calls=[*PARIS, ROME], same_index=same_index)
    ) as server:
        bare = four_ways(server.chat_model().bind_tools([get_weather]), "?")
        ours = four_ways(ChatToolEmu(llm=server.chat_model()).bind_tools([get_weather]), "?")
    for way, message in ours.items():
        assert message["calls"] == bare[way]["calls"] == [*PARIS, ROME]
        assert (message["invalid"], message["toolemu"]["requests"]) == ([], 1)


def test_native_text_is_the_answer():
    """A native reply in plain words is returned as it is, after one request."""
    billed = {"prompt_tokens": 300, "completion_tokens": 5, "total_tokens": 305}
    with ScriptedServer([Reply("It is sunny.", usage=billed)]) as server:
        message = ask(server, "fallback")
    assert message.content == "It is sunny."
    assert report(message)["requests"] == 1


@pytest.mark.parametrize(
    "text", [TAGGED, f"Let me look.\n{TAGGED}", f"```json action\n{CALL}\n```", CALL]
)
def test_a_call_that_a_native_reply_carries_as_text_is_rescued(text):
    """A call in an explicit envelope, or as the whole reply, is read without a further request."""
    with ScriptedServer([text]) as server:
        message = ask(server, "fallback")
    assert calls(message) == PARIS
    assert report(message)["path"] == "rescued"
    assert report(message)["warnings"] == ["tool calls emulated"]
    assert message.response_metadata["finish_reason"] == "tool_calls"


def test_a_bare_call_amid_native_prose_is_prose():
    """JSON that a native reply shows as an example is no call."""
    text = f"Send this request:\n{CALL}\nto the server."
    with ScriptedServer([text, "Nothing is to be called."]) as server:
        message = ask(server, "fallback")
    assert (message.content, calls(message)) == (text, [])


REFUSALS = {
    "Ollama": (
        400,
        {
            "error": {
                "message": "registry.ollama.ai/library/deepseek-r1:latest does not support tools",
                "type": "api_error",
            }
        },
    ),
    "vLLM": (
        400,
        {
            "object": "error",
            "message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            "code": 400,
        },
    ),
    "llama-server": (
        500,
        {
            "error": {
                "code": 500,
                "message": "tools param requires --jinja flag",
                "type": "server_error",
            }
        },
    ),
    "llama-server, older": (
        500,
        {"error": {"code": 500, "message": "Unsupported param: tools", "type": "server_error"}},
    ),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("provider", REFUSALS)
def test_a_refusal_of_tools_switches_to_emulation(provider, streamed):
    """An error that says tools are unsupported costs one request, once: the turn goes on emulated."""
    status, body = REFUSALS[provider]
    script = [Reply(status=status, body=body), CALL, CALL]
    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model()).bind_tools([get_weather])
        first = reduce(plus, llm.stream("?")) if streamed else llm.invoke("?")
        second = llm.invoke("?")
        sent = ["tools" in request for request in server.requests]
    assert calls(first) == calls(second) == PARIS
    assert sent == [True, False, False]
    assert report(first)["path"] == "emulated"
    assert (report(first)["requests"], report(second)["requests"]) == (2, 1)
    assert report(second)["verdict"] == "none"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (
            Reply(
                status=429,
                body={"error": {"message": "Rate limit: this model does not support tools today"}},
            ),
            RateLimitError,
        ),
        (
            Reply(
                status=400, body={"error": {"message": "Invalid 'temperature': expected at most 2"}}
            ),
            BadRequestError,
        ),
    ],
)
def test_other_errors_are_the_callers(reply, error):
    """A rate limit or a parameter of the caller's is raised as the provider's own error, and nothing is learned from it."""
    with ScriptedServer([reply, Reply(tool_calls=PARIS)]) as server:
        with pytest.raises(error):
            ask(server, "fallback")
        assert report(ask(server, "fallback"))["path"] == "native"


def test_an_error_after_the_first_words_is_raised():
    """Once words were shown a turn cannot start over: an error in the middle of a stream is raised."""
    body = {"error": {"message": "this model does not support tools"}}
    with ScriptedServer([Reply(text=["Hello ", "there"], breaks_after=1, body=body)]) as server:
        stream = ChatToolEmu(llm=server.chat_model()).bind_tools([get_weather]).stream("?")
        assert next(stream).content == "Hello "
        with pytest.raises(APIError):
            list(stream)


def test_a_forced_call_that_a_provider_ignores_is_emulated():
    """A provider that answers a forced choice in prose gets the question again, as a contract."""
    with ScriptedServer(["I would rather talk.", CALL]) as server:
        message = ask(server, "fallback", choice="any")
    assert calls(message) == PARIS
    assert message.content == ""
    assert report(message)["requests"] == 2


SEARCH = {"type": "web_search_preview"}


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_built_in_tool_is_left_out_where_functions_are_emulated(mode):
    """The functions beside it are called all the same, four ways, and the message says what was left out."""
    script = without_tools(lambda request: CALL)
    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model(use_responses_api=False), mode=mode)
        ways = four_ways(llm.bind_tools([SEARCH, get_weather], tool_choice="any"), "?")
        assert "web_search" not in str(server.requests[-1])
    for message in ways.values():
        assert message["calls"] == PARIS
        warnings = message["toolemu"]["warnings"]
        assert (
            "dropped web_search_preview: a tool that is built into its provider cannot be emulated"
            in warnings
        )


NATIVE = AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Paris"}, "id": "n1"}])


@pytest.mark.parametrize(
    ("said", "path"), [([NATIVE], "native"), (["I would rather talk.", CALL], "emulated")]
)
@pytest.mark.parametrize("choice", ["any", "get_weather"])
def test_a_choice_that_the_wrapped_model_cannot_be_told_is_kept_all_the_same(choice, said, path):
    """A `bind_tools` without that parameter is given the tools alone; a call that does not come is emulated."""
    llm = ChatToolEmu(llm=TakesToolsOnly(said=said * 4))
    for message in four_ways(llm.bind_tools([get_weather], tool_choice=choice), "?").values():
        assert (message["calls"], message["toolemu"]["path"]) == (PARIS, path)


def test_off_leaves_a_choice_that_the_wrapped_model_cannot_be_told_an_error():
    """It is the wrapped model's own, as without us."""
    off = ChatToolEmu(llm=TakesToolsOnly(said=["Hi."]), mode="off")
    with pytest.raises(TypeError, match="tool_choice"):
        off.bind_tools([get_weather], tool_choice="any")


OF_OTHERS = [
    ({"type": "web_search_20250305", "name": "web_search"}, "web_search"),
    ({"type": "custom", "name": "grammar"}, "grammar"),
    ({"google_search": {}}, "google_search"),
    ({"cachePoint": {"type": "default"}}, "cachePoint"),
]


@pytest.mark.parametrize(("built_in", "name"), OF_OTHERS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_built_in_of_any_provider_goes_to_it_as_it_came_and_is_not_emulated(mode, built_in, name):
    """In fallback the wrapped model gets the dict itself; where calls are emulated, it is left out, which is said."""
    forget()
    model = TakesAnyTool(said=["I cannot.", CALL] if mode == "fallback" else [CALL])
    llm = ChatToolEmu(llm=model, mode=mode)
    message = llm.bind_tools([built_in, get_weather], tool_choice="any").invoke("Weather in Paris?")
    assert calls(message) == PARIS
    assert (
        f"dropped {name}: a tool that is built into its provider cannot be emulated"
        in report(message)["warnings"]
    )
    assert name not in str(model.heard[-1])
    if mode == "fallback":
        assert model.heard[0][2]["tools"][0] == built_in


def test_a_built_in_that_the_wrapped_model_does_not_know_is_refused_without_its_secrets():
    """ChatOpenAI cannot bind another provider's: the error says what to do, and shows no key."""
    toolset = {"type": "mcp_toolset", "authorization_token": "sk-1", "headers": {"X-Key": "sk-2"}}
    with ScriptedServer() as server:
        llm = ChatToolEmu(llm=server.chat_model())
        with pytest.raises(
            ToolSpecError, match="ChatOpenAI cannot bind mcp_toolset.*mode='force'"
        ) as caught:
            llm.bind_tools([toolset, get_weather])
    assert "sk-" not in str(caught.value)


def test_nothing_but_built_in_tools_fails_when_emulation_is_reached():
    """They pass natively; what no text can do is refused only once it would have to be done in text."""
    with ScriptedServer(without_tools(lambda request: "x")) as server:
        llm = ChatToolEmu(llm=server.chat_model(use_responses_api=False))
        llm.bind_tools([get_weather]).invoke("?")
        with pytest.raises(ToolSpecError, match="web_search_preview.*cannot be emulated"):
            llm.bind_tools([SEARCH]).invoke("?")


def test_words_beside_a_built_in_tool_are_not_checked():
    """A check by emulation could not ask for the built-in: the native answer stands."""
    with ScriptedServer([Reply("Hello.", usage=None)]) as server:
        llm = ChatToolEmu(llm=server.chat_model(use_responses_api=False))
        message = llm.bind_tools([{"type": "web_search_preview"}, get_weather]).invoke("?")
    assert (message.text, report(message)["requests"]) == ("Hello.", 1)


def test_tools_passed_straight_to_invoke_work():
    """`invoke(..., tools=[...])` without a binding is a binding of one call."""
    tools = [
        {
            "type": "function",
            "function": {
                "name": "get_weather",
                "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
            },
        }
    ]
    with ScriptedServer(without_tools(lambda request: CALL)) as server:
        assert calls(ChatToolEmu(llm=server.chat_model()).invoke("?", tools=tools)) == PARIS


@every_row("mode", ["fallback", "force", "off"])
def test_tools_of_any_iterable_are_bound(mode):
    """What can be read once only reaches the provider all the same."""
    reply = CALL if mode == "force" else Reply(tool_calls=[("get_weather", {"city": "Paris"})])
    with ScriptedServer([reply]) as server:
        bound = ChatToolEmu(server.chat_model(), mode=mode).bind_tools(iter([get_weather]))
        assert calls(bound.invoke("?")) == PARIS
    if mode != "force":
        assert [len(request["tools"]) for request in server.requests] == [1]


def test_further_choices_are_told():
    """Of `n` choices one is read, unless the reply is passed on as it came."""
    two = {"choices": [{"index": n, "finish_reason": "stop", "message": {"role": "assistant", "content": CALL}} for n in (0, 1)]}  # fmt: skip
    with ScriptedServer([Reply(body={"id": "1", "object": "chat.completion", "model": "m", "created": 1, **two})]) as server:  # fmt: skip
        llm = ChatToolEmu(server.chat_model(n=2), mode="force").bind_tools([get_weather])
        message = llm.invoke("?")
    assert calls(message) == PARIS
    assert "further_choices" in report(message)["warning_codes"]


# --- force ---


@pytest.mark.parametrize("text", [CALL, "It is sunny."])
def test_force_needs_one_request_for_a_turn(text):
    """A turn in force is one request without native tools, whether it ends in a call or in an answer."""
    with ScriptedServer([text]) as server:
        message = ask(server, "force")
        (request,) = server.requests
    assert "tools" not in request
    assert "tool_choice" not in request
    assert report(message)["path"] == "emulated"
    assert bool(message.tool_calls) == (text == CALL)


def test_choice_none_asks_for_no_call_and_reads_none():
    """With tool_choice none there is no contract, and what looks like a call is the answer."""
    with ScriptedServer([CALL]) as server:
        message = ask(server, "force", choice="none")
        (request,) = server.requests
    assert (message.content, message.tool_calls) == (CALL, [])
    assert [sent["role"] for sent in request["messages"]] == ["user"]


def test_a_missing_forced_call_is_asked_for_again_and_then_an_error():
    """A forced call that never comes is re-asked twice, then a typed error; the words were never said."""
    with ScriptedServer(["Later.", "No.", CALL]) as server:
        message = ask(server, "force", choice="any")
        last = server.requests[-1]["messages"]
    assert (message.content, calls(message), report(message)["reasks"]) == (
        "",
        PARIS,
        ["contract: missing_call"] * 2,
    )
    assert last[-2] == {"role": "assistant", "content": "No."}
    with (
        ScriptedServer(["Later."] * 3) as server,
        pytest.raises(ToolChoiceError, match="3 requests.*on_failure='continue'"),
    ):
        ask(server, "force", choice="get_weather")


def test_giving_up_may_be_a_message():
    """With on_failure="continue" the last words are the message, and a warning says what was missed."""
    with ScriptedServer(["Later."] * 3) as server:
        message = ask(server, "force", choice="any", on_failure="continue")
    assert message.content == "Later."
    assert report(message)["warnings"] == ["gave up: contract: missing_call"]


@pytest.mark.parametrize("position", steps(len(CALL)))
def test_a_cut_call_never_runs(position):
    """A call cut by the length limit at any place is no call, in a stream as in a whole reply."""
    with ScriptedServer(
        lambda request: Reply(text=[CALL[:position]], finish_reason="length")
    ) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force", max_reasks=0).bind_tools(
            [get_weather]
        )
        messages = [llm.invoke("?"), reduce(plus, llm.stream("?"))]
    assert [message.tool_calls for message in messages] == [[], []]
    assert all(
        message.invalid_tool_calls or message.content == CALL[:position] for message in messages
    )


class Ended(BaseCallbackHandler):
    """Keeps the message of each run that ended."""

    def __init__(self):
        self.messages = []

    def on_llm_end(self, response, **kwargs):
        self.messages.append(response.generations[0][0].message)


async def _ended(model):
    events = [event async for event in model.astream_events("?", version="v2")]
    return next(
        event["data"]["output"] for event in events if event["event"] == "on_chat_model_end"
    )


@pytest.mark.parametrize(
    "reply",
    [Reply(CALL[:-9], finish_reason="length"), Reply(tool_calls=[("get_weather", '{"city": "Pa')])],
)
def test_callbacks_and_events_are_told_of_a_cut_call_what_the_stream_tells(reply):
    """The model's own text, and why it cannot run: nothing is invented for `on_llm_end` and `on_chat_model_end`."""
    ended = Ended()
    with ScriptedServer(lambda request: reply) as server:
        mode = "fallback" if reply.tool_calls else "force"
        llm = ChatToolEmu(llm=server.chat_model(), mode=mode, max_reasks=0, on_failure="continue")
        model = llm.bind_tools([get_weather])
        summed = reduce(plus, model.stream("?", config={"callbacks": [ended]}))
        told = [*ended.messages, asyncio.run(_ended(model))]
    for message in told:
        assert [(one["args"], one["error"]) for one in message.invalid_tool_calls] == [
            (one["args"], one["error"]) for one in summed.invalid_tool_calls
        ]
        assert message.invalid_tool_calls[0]["error"]


def test_a_cut_call_is_asked_for_again():
    """A call that was cut off is re-asked with the reason; the message holds only the whole one."""
    with ScriptedServer([Reply(text=CALL[:40], finish_reason="length"), CALL]) as server:
        message = ask(server, "force")
    assert (message.content, calls(message), report(message)["reasks"]) == (
        "",
        PARIS,
        ["reader: cut_call"],
    )


def test_words_that_were_shown_stand():
    """A re-ask after prose adds the call and no words, in invoke as in a stream."""
    with ScriptedServer([f"Let me look.\n{CALL[:40]}", f"Sorry.\n{CALL}"] * 2) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather])
        whole, summed = llm.invoke("?"), reduce(plus, llm.stream("?"))
    assert whole.content == summed.content == "Let me look.\n"
    assert calls(whole) == calls(summed) == PARIS


def test_one_call_at_a_time_keeps_the_first():
    """parallel_tool_calls=False keeps the first call and records that there was another."""
    with ScriptedServer([f"{CALL}\n{CALL.replace('Paris', 'Rome')}"]) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        message = llm.bind_tools([get_weather], parallel_tool_calls=False).invoke("?")
    assert calls(message) == PARIS
    assert "dropped an extra call of get_weather" in report(message)["warnings"]


TWO = f"{CALL}\n{CALL.replace('Paris', 'Rome')}"


@pytest.mark.parametrize("same_index", [False, True])
@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_demanded_tool_may_be_called_several_times_where_that_is_said(mode, same_index):
    """A named choice with parallel_tool_calls=True keeps all calls, native and emulated, four ways."""
    native = Reply(tool_calls=[*PARIS, ROME], same_index=same_index)
    with ScriptedServer(lambda request: native if "tools" in request else TWO) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode=mode)
        terms = {"tool_choice": "get_weather", "parallel_tool_calls": True}
        ways = four_ways(llm.bind_tools([get_weather], **terms), "?")
    for message in ways.values():
        assert (message["calls"], message["invalid"]) == ([*PARIS, ROME], [])
        assert message["toolemu"]["requests"] == 1


# --- history ---


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_tool_history_is_sent_as_plain_messages(mode):
    """Past calls and results reach a model without tools as text in the contract's dialect."""
    with ScriptedServer(without_tools(lambda request: "20 degrees.")) as server:
        ask(server, mode, HISTORY)
        sent = server.requests[-1]["messages"]
    assert {message["role"] for message in sent} == {"system", "user", "assistant"}
    assert sent[-2]["content"] == MARKDOWN.write("get_weather", {"city": "Rome"})
    assert '<tool_response name="get_weather">\n20 degrees\n</tool_response>' in sent[-1]["content"]


def test_tool_history_without_tools_is_still_projected():
    """When later turns bind no tools, a forced model still gets its history as plain messages."""
    with ScriptedServer(["It was 20 degrees."]) as server:
        message = ChatToolEmu(llm=server.chat_model(), mode="force").invoke(HISTORY)
        roles = [sent["role"] for sent in server.requests[0]["messages"]]
    assert roles == ["user", "assistant", "user"]
    assert message.content == "It was 20 degrees."


# --- messages as native ones ---


def test_ids_are_unique_and_short():
    """Each call gets an id of its own that says who made it and fits OpenAI's limit of 40 characters."""
    with ScriptedServer(lambda request: f"{CALL}\n{CALL}") as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather])
        ids = [call["id"] for _ in range(5) for call in llm.invoke("?").tool_calls]
    assert len(set(ids)) == 10
    assert all(re.fullmatch("te[a-zA-Z0-9]{7}", id_) for id_ in ids)


def test_metadata_comes_once_on_the_last_chunk():
    """In a stream the metadata, the usage and the finish reason are on the last chunk alone."""
    with ScriptedServer([Reply(text=["Let me ", "look.\n", CALL])]) as server:
        *chunks, last = (
            ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather]).stream("?")
        )
    assert all(
        set(chunk.response_metadata) <= {"model_provider"} and not chunk.usage_metadata
        for chunk in chunks
    )
    assert last.response_metadata["finish_reason"] == "tool_calls"
    assert report(last)["path"] == "emulated"
    assert last.usage_metadata["total_tokens"] > 0


BLOCKS = f"I will look.\n{CALL}\nI will look again.\n{CALL.replace('Paris', 'Rome')}\nThat is all."


@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("output_version", ["v0", "v1"])
def test_calls_and_text_keep_apart_in_content_blocks(output_version, mode):
    """Text between calls merges with neither call, in both content formats, streamed and whole."""
    script = without_tools(
        lambda request: Reply(text=[BLOCKS[i : i + 4] for i in range(0, len(BLOCKS), 4)])
    )
    with ScriptedServer(script) as server:
        llm = ChatToolEmu(
            llm=server.chat_model(output_version=output_version), mode=mode
        ).bind_tools([get_weather])
        whole, summed = llm.invoke("?"), reduce(plus, llm.stream("?"))
    for message in (whole, summed):
        assert message.text == "I will look.\n\nI will look again.\n\nThat is all."
        assert [call["args"]["city"] for call in message.tool_calls] == ["Paris", "Rome"]
        kinds = [block["type"] for block in message.content_blocks]
        assert kinds.count("tool_call") == 2
        assert "invalid_tool_call" not in kinds
        # A text and a list of calls have no order between them; blocks have the model's.
        as_written = ["text", "tool_call", "text", "tool_call", "text"]
        assert kinds == (as_written if output_version == "v1" else ["text", *["tool_call"] * 2])


def test_the_event_protocol_keeps_calls_apart():
    """LangChain's v3 event stream gives the same text and calls as invoke."""
    with ScriptedServer(
        lambda request: Reply(text=[BLOCKS[i : i + 4] for i in range(0, len(BLOCKS), 4)])
    ) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather])
        stream = llm.stream_events("?", version="v3")
        list(stream)
        message = stream.output
    assert message.text == "I will look.\n\nI will look again.\n\nThat is all."
    assert [call["args"]["city"] for call in message.tool_calls] == ["Paris", "Rome"]


def test_usage_is_summed_over_the_turns_requests():
    """A turn of three requests reports the tokens of all three, in the message and in callbacks."""
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    script = [Reply(text=text, usage=usage) for text in ("No.", "No.", CALL)]
    with ScriptedServer(script) as server, get_usage_metadata_callback() as counted:
        message = ask(server, "force", choice="any")
    assert message.usage_metadata["total_tokens"] == 36
    assert message.response_metadata["token_usage"]["total_tokens"] == 36
    assert [used["total_tokens"] for used in counted.usage_metadata.values()] == [36]


class Starts(BaseCallbackHandler):
    def __init__(self):
        self.starts, self.tokens, self.ends = 0, [], 0

    def on_chat_model_start(self, *args, **kwargs):
        self.starts += 1

    def on_llm_new_token(self, token, **kwargs):
        self.tokens.append(token)

    def on_llm_end(self, *args, **kwargs):
        self.ends += 1


@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
@pytest.mark.parametrize("where", ["inner", "outer"])
def test_callbacks_fire_once(mode, where):
    """Each call of the model is one run, whether the handler sits on the wrapped model or comes with the call."""
    handler = Starts()
    with ScriptedServer(lambda request: "Hello.") as server:
        inner = server.chat_model(callbacks=[handler] if where == "inner" else None)
        llm = ChatToolEmu(llm=inner, mode=mode).bind_tools([get_weather])
        config = {"callbacks": [handler]} if where == "outer" else {}
        llm.invoke("?", config)
        list(llm.stream("?", config))
    assert (handler.starts, handler.ends) == (2, 2)
    assert "".join(handler.tokens) == "Hello."


def test_the_wrapped_models_cache_is_used_and_ids_stay_unique():
    """A cache on the wrapped model saves the request, and a hit makes calls with ids of their own."""
    with ScriptedServer([CALL]) as server:
        llm = ChatToolEmu(llm=server.chat_model(cache=InMemoryCache()), mode="force").bind_tools(
            [get_weather]
        )
        first, second = llm.invoke("?"), llm.invoke("?")
    assert calls(first) == calls(second) == PARIS
    assert first.tool_calls[0]["id"] != second.tool_calls[0]["id"]


def test_arguments_of_a_binding_reach_the_provider():
    """Settings of a wrapped binding, and those given with a call, are sent; the call's win."""
    with ScriptedServer(lambda request: "Hi.") as server:
        llm = ChatToolEmu(llm=server.chat_model().bind(temperature=0.3, seed=1), mode="force")
        llm.bind_tools([get_weather], seed=2).invoke("?", stop=["X"])
        (request,) = server.requests
    assert (request["temperature"], request["seed"], request["stop"]) == (0.3, 2, ["X"])


def test_reasoning_survives():
    """What a reasoning model adds beside its words stays on the message."""

    def script(request):
        body = {
            "id": "1",
            "object": "chat.completion",
            "model": "m",
            "created": 1,
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": CALL, "refusal": "none of it"},
                }
            ],
        }
        return Reply(body=body)

    with ScriptedServer(script) as server:
        message = ask(server, "force")
    assert message.additional_kwargs["refusal"] == "none of it"
    assert calls(message) == PARIS


# --- streaming ---


def shown_of(pieces):
    """The words that are shown of a reply in pieces, chunk by chunk."""
    with ScriptedServer([Reply(text=pieces)]) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather])
        return [chunk.content for chunk in llm.stream("?")]


def test_text_streams_without_delay():
    """Prose is shown piece by piece as it comes; only what may be a call is held back."""
    pieces = ["The ", "sky ", "is ", "blue. "]
    shown = shown_of(pieces)
    assert shown[: len(pieces)] == pieces


def test_a_json_answer_streams_once_it_can_be_no_call():
    """An ordinary JSON answer is released at the first key that no call has."""
    pieces = ['{"tempera', 'ture"', ": 20,", ' "unit"', ': "C"}']
    shown = shown_of(pieces)
    assert "".join(shown) == "".join(pieces)
    assert len([piece for piece in shown if piece]) >= 3


def test_cancelling_closes_the_inner_stream():
    """A consumer that goes away in the middle of an async stream closes the connection to the provider."""

    async def first_words(llm):
        stream = llm.astream("?")
        async for chunk in stream:
            if chunk.content:
                await stream.aclose()
                return chunk.content
        return None

    with ScriptedServer([Reply(text=slowly(["word "] * 200, 0.01))]) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather])
        assert asyncio.run(first_words(llm)) == "word "
        for _ in range(100):
            if server.disconnects:
                break
            asyncio.run(asyncio.sleep(0.02))
        assert server.disconnects == 1


def test_the_debug_log_shows_the_exact_request(caplog):
    """At DEBUG the log holds what was sent, which no trace shows."""
    with (
        ScriptedServer([CALL]) as server,
        caplog.at_level(logging.DEBUG, logger="langchain_toolemu"),
    ):
        ask(server, "force")
        sent = server.requests[0]["messages"]
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert all(message["content"] in logged for message in sent)


def test_a_model_override_is_another_endpoint():
    """What one model name taught does not count for another on the same server."""

    def script(request):
        if "tools" in request and request["model"] == "small":
            return Reply(status=400, body={"error": {"message": "small does not support tools"}})
        return Reply(tool_calls=PARIS) if "tools" in request else CALL

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model()).bind_tools([get_weather])
        paths = [
            report(llm.invoke("?", model=name))["path"] for name in ("small", "large", "small")
        ]
    assert paths == ["emulated", "native", "emulated"]


# --- silent non-support ---


@pytest.mark.parametrize("streamed", [False, True])
def test_tools_that_a_server_drops_without_a_word_are_emulated(streamed):
    """A bill that cannot hold the tools' schemas tells on a server that ignores them: the call follows the words."""
    description = {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Get the weather of a city. " * 20,
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    }

    def script(request):
        bill = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
        return Reply(text="It may rain." if "tools" in request else CALL, usage=bill)

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model()).bind_tools([description])
        first = (
            reduce(plus, llm.stream("Weather in Paris?"))
            if streamed
            else llm.invoke("Weather in Paris?")
        )
        second = llm.invoke("Weather in Paris?")
        natively = ["tools" in request for request in server.requests]
    assert (first.content, calls(first)) == ("It may rain.", PARIS)
    assert (second.content, calls(second)) == ("", PARIS)
    assert natively == [True, False, False]
    assert report(second)["verdict"] == "none"


def test_a_refused_choice_is_emulated_for_this_turn_only():
    """A provider that takes tools and no forced choice is emulated for that turn, and native again after it."""

    def script(request):
        if request.get("tool_choice") == "required":
            return Reply(
                status=400,
                body={
                    "code": 20015,
                    "message": "Value error, The `required` option for tool_choice is not yet supported.",
                },
            )
        return Reply(tool_calls=PARIS) if "tools" in request else CALL

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model())
        forced = llm.bind_tools([get_weather], tool_choice="any").invoke("?")
        free = llm.bind_tools([get_weather]).invoke("?")
    assert (report(forced)["path"], report(free)["path"]) == ("emulated", "native")
    assert calls(forced) == calls(free) == PARIS


def test_a_template_without_a_system_role_is_learned_from_its_error():
    """A model that refuses system messages gets the contract in the first user message, from then on at once."""

    def script(request):
        if request["messages"][0]["role"] == "system":
            return Reply(status=400, body={"error": {"message": "System role not supported"}})
        return CALL

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather])
        messages = [llm.invoke("?"), llm.invoke("?")]
        roles = [request["messages"][0]["role"] for request in server.requests]
    assert [calls(message) for message in messages] == [PARIS, PARIS]
    assert roles == ["system", "user", "user"]
