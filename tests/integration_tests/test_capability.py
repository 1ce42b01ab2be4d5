"""Fallback on endpoints of every kind: what the first turn costs, what the second costs, and what is known then."""

import asyncio
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from operator import add as plus

import openai
import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import ConfigurableField
from langchain_core.utils.function_calling import convert_to_openai_tool

from langchain_toolemu import ChatToolEmu, ToolEmuWarning, override_tool_support
from langchain_toolemu.capability import endpoint_of, forget, memory
from langchain_toolemu.capability.support import ModelDescription
from langchain_toolemu.model_facts.token_count import judge_token_count
from langchain_toolemu.tools import to_openai_tools
from tests.essence import calls, report
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.thoroughness import share
from tests.unit_tests.model_facts.provider_errors import BY_EXPERIMENT, LOOK_ALIKES, REFUSALS
from tests.ways import WAYS, ask
from tests.weather import CALL, PARIS, get_weather

QUESTION = "What is the weather in Paris?"
PROSE = "It may rain."
TOLD = [
    HumanMessage("What is the weather in Rome?"),
    AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Rome"}, "id": "1"}]),
    ToolMessage("sunny", tool_call_id="1"),
]


def bill(tokens):
    """A usage that says how many tokens came in."""
    return {"prompt_tokens": tokens, "completion_tokens": 3, "total_tokens": tokens + 3}


def bound(llm, choice=None, **kwargs):
    return ChatToolEmu(llm=llm, **kwargs).bind_tools([get_weather], tool_choice=choice)


# --- errors ---


@pytest.mark.in_turn
@pytest.mark.parametrize("way", ["invoke", "astream"])
@pytest.mark.parametrize(
    "refusal",
    share([one for one in REFUSALS if one.axis == "tools" and one.lasting], 0, 2),
    ids=lambda refusal: refusal.name,
)
def test_refused_tools_cost_one_request_once(refusal, way):
    """First turn: the refused request and an emulated one. Second turn: one. Verdict: none, by the provider's words."""

    def script(request):
        return Reply(status=refusal.status, body=refusal.body) if "tools" in request else CALL

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model())
        first = ask(llm.bind_tools([get_weather]), QUESTION, way)
        asked = len(server.requests)
        second = ask(llm.bind_tools([get_weather]), QUESTION, way)
        natively = ["tools" in request for request in server.requests]
    assert (asked, natively) == (2, [True, False, False])
    assert calls(first) == calls(second) == PARIS
    assert llm.tool_support.verdict == "none"
    assert llm.tool_support.reason.startswith("the provider said: ")


@every_row("refusal", BY_EXPERIMENT)
def test_a_refusal_in_other_words_costs_as_little(refusal):
    """What the error speaks of is left out first, in any language: two requests in the first turn, one in the second."""

    def script(request):
        refused = "tools" in request or any(one["role"] == "tool" for one in request["messages"])
        return Reply(status=refusal.status, body=refusal.body) if refused else CALL

    thread = [SystemMessage("Be brief."), *TOLD, HumanMessage(QUESTION)]
    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model(max_retries=0)).bind_tools([get_weather])
        messages = [llm.invoke(thread), llm.invoke(thread)]
    assert [calls(message) for message in messages] == [PARIS] * 2
    assert [report(message)["requests"] for message in messages] == [2, 1]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", ["invoke", "astream"])
@pytest.mark.parametrize(
    "refusal",
    [one for one in REFUSALS if one.axis == "tool_choice"],
    ids=lambda refusal: refusal.name,
)
def test_a_refused_choice_says_nothing_of_tools(refusal, way):
    """Demands are emulated from then on at once; without a demand the model is still asked natively."""

    def script(request):
        if "tool_choice" in request:
            return Reply(status=refusal.status, body=refusal.body)
        return Reply(tool_calls=PARIS) if "tools" in request else CALL

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model())
        forced, free = llm.bind_tools([get_weather], tool_choice="any"), llm.bind_tools([get_weather])  # fmt: skip
        messages = [ask(forced, QUESTION, way), ask(forced, QUESTION, way)]
        verdict = llm.tool_support.verdict
        messages.append(ask(free, QUESTION, way))
    assert [calls(message) for message in messages] == [PARIS] * 3
    assert [report(message)["requests"] for message in messages] == [2, 1, 1]
    assert [report(message)["path"] for message in messages] == ["emulated", "emulated", "native"]
    assert verdict == "unknown"


@pytest.mark.filterwarnings("ignore:.*structured output feature")
@pytest.mark.parametrize("look_alike", share(LOOK_ALIKES, 0, 2), ids=lambda look_alike: look_alike.name)  # fmt: skip
def test_a_look_alike_is_the_callers_error_each_time(look_alike):
    """Other errors are raised as they are, and teach nothing; a bad request may be tried once in another form, and not again."""
    body = Reply(status=look_alike.status, body=look_alike.body)
    is_bad = look_alike.status in (400, 422)
    with ScriptedServer(lambda _: body) as server:
        llm = ChatToolEmu(llm=server.chat_model())
        counts = []
        for _ in range(2):
            before = len(server.requests)
            with pytest.raises((openai.OpenAIError, ValueError, TypeError)) as raised:
                llm.bind_tools([get_weather]).invoke(QUESTION)
            counts.append(len(server.requests) - before)
            assert getattr(raised.value, "status_code", look_alike.status) == look_alike.status
        assert counts in ([[1, 1], [2, 1]] if is_bad else [[1, 1]])
        assert llm.tool_support.verdict == "unknown"


@pytest.mark.parametrize("shown", [0, 1])
def test_a_refusal_in_the_middle_of_a_stream(shown):
    """Before the first words the turn goes on emulated; after them the error is the caller's."""
    body = {"error": {"message": "m does not support tools", "code": 400}}
    broken = Reply(["It is ", "fine."], breaks_after=shown, body=body)
    with ScriptedServer(lambda request: broken if "tools" in request else CALL) as server:
        stream = bound(server.chat_model()).stream(QUESTION)
        if shown:
            with pytest.raises(openai.APIError):
                list(stream)
        else:
            assert calls(reduce(plus, stream)) == PARIS


@pytest.mark.parametrize("name", ["18b", "a role (EchoBird", "a role, by a template"])
def test_refused_tool_results_are_written_as_text(name):
    """A provider without the role of a tool gets the history in words, though no tool is bound."""
    answers = (*REFUSALS, *BY_EXPERIMENT)
    refusal = next(answer for answer in answers if answer.name.startswith(name))

    def script(request):
        if any(message["role"] == "tool" for message in request["messages"]):
            return Reply(status=refusal.status, body=refusal.body)
        return "Rome is sunny."

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model(max_retries=0))
        assert llm.invoke(TOLD).content == llm.invoke(TOLD).content == "Rome is sunny."
        assert len(server.requests) == 3


def test_a_class_without_bind_tools_is_emulated_at_once():
    """NotImplementedError from `bind_tools` costs no request."""
    llm = ChatToolEmu(llm=FakeListChatModel(responses=[CALL]))
    message = llm.bind_tools([get_weather]).invoke(QUESTION)
    assert calls(message) == PARIS
    assert report(message)["requests"] == 1
    assert llm.tool_support.reason == "FakeListChatModel has no bind_tools"


# --- silence ---


@dataclass(frozen=True)
class Silence:
    """A native reply without a native call, what emulation says, and what two turns come to.

    Attributes:
        native: The reply to a request with tools.
        emulated: The reply to one without.
        requests: How many the first and the second turn take.
        path: Who made the first turn's message.
        result: The first turn's text and calls.
        verdict: What is known after both.
    """

    native: Reply
    emulated: str
    requests: tuple[int, int]
    path: str
    result: tuple[str, list]
    verdict: str
    choice: str | None = None


NO_CALLS: list = []
SILENCES = {
    "prose, and a bill without the tools": Silence(
        Reply(PROSE, usage=bill(17)), CALL, (2, 1), "emulated", (PROSE, PARIS), "none"
    ),
    "prose, and a bill with the tools": Silence(
        Reply(PROSE, usage=bill(300)), CALL, (1, 1), "native", (PROSE, NO_CALLS), "unknown"
    ),
    "prose without a bill, and emulation calls": Silence(
        Reply(PROSE, usage=None), CALL, (2, 2), "emulated", (PROSE, PARIS), "none"
    ),
    "prose without a bill, and emulation answers": Silence(
        Reply(PROSE, usage=None), "Sun.", (2, 2), "native", (PROSE, NO_CALLS), "unknown"
    ),
    "nothing at all": Silence(
        Reply("", usage=None), CALL, (2, 2), "emulated", ("", PARIS), "none"
    ),
    "an end by calls, and none": Silence(
        Reply("", finish_reason="tool_calls", usage=bill(300)), CALL, (2, 2), "emulated", ("", PARIS), "none"
    ),
    "a refusal, and emulation calls": Silence(
        Reply("I don't have access to any tools.", usage=bill(300)), CALL, (2, 2), "emulated", ("", PARIS), "none"
    ),
    "a refusal, and emulation answers": Silence(
        Reply("I don't have access to any tools.", usage=bill(300)),
        "Sun.",
        (2, 2),
        "native",
        ("I don't have access to any tools.", NO_CALLS),
        "unknown",
    ),
    "a call in an envelope": Silence(
        Reply(f"<tool_call>{CALL}</tool_call>"), "", (1, 1), "rescued", ("", PARIS), "none"
    ),
    "a call and nothing else": Silence(
        Reply(CALL), "", (1, 1), "rescued", ("", PARIS), "none"
    ),
    "a demand ignored": Silence(
        Reply(PROSE, usage=bill(300)), CALL, (2, 1), "emulated", ("", PARIS), "unknown", choice="any"
    ),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SILENCES)
def test_silent_forms(name, way):
    """A table: what two turns cost on a server that ignores tools in its own way, and what comes of it."""
    silence = SILENCES[name]

    def script(request):
        return silence.native if "tools" in request else silence.emulated

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model())
        first = ask(llm.bind_tools([get_weather], tool_choice=silence.choice), QUESTION, way)
        second = ask(llm.bind_tools([get_weather], tool_choice=silence.choice), QUESTION, way)
        asked = len(server.requests)
    # A stream that ends by calls and has none is asked for whole, once a turn.
    more = name == "an end by calls, and none" and "stream" in way
    expected = tuple(count + more for count in silence.requests)
    assert (report(first)["requests"], report(second)["requests"]) == expected
    assert asked == sum(expected)
    assert report(first)["path"] == silence.path
    assert (first.content, calls(first)) == silence.result
    assert llm.tool_support.verdict == silence.verdict


def test_checks_stop_once_they_agreed_three_times():
    """Three checks without a call are enough; a denial of tools starts them again."""
    said = [PROSE] * 4 + ["I have no tools."] + [PROSE]
    replies = iter(said)

    def script(request):
        return Reply(next(replies) if "tools" in request else "Sun.", usage=None)

    with ScriptedServer(script) as server:
        llm = bound(server.chat_model())
        messages = [llm.invoke(QUESTION) for _ in said]
    assert [report(message)["requests"] for message in messages] == [2, 2, 2, 1, 2, 2]
    assert [message.content for message in messages] == said


@pytest.mark.parametrize("way", WAYS)
def test_a_check_that_fails_does_not_spoil_the_answer(way):
    """The native words stand, with a warning in the metadata, and nothing is learned."""

    def script(request):
        return Reply(PROSE, usage=None) if "tools" in request else Reply(status=429, body={})

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model())
        message = ask(llm.bind_tools([get_weather]), QUESTION, way)
    assert (message.content, calls(message)) == (PROSE, [])
    assert report(message)["path"] == "native"
    (warning,) = report(message)["warnings"]
    assert warning.startswith("the check of the native reply failed with ")
    assert warning.endswith("RateLimitError")
    assert message.response_metadata["finish_reason"] == "stop"


def test_a_native_verdict_does_not_change_how_replies_are_read():
    """After a native call, too, a call in text is rescued, and one that is only quoted is not."""
    documented = f"An example call is {CALL}"
    leaks = [documented, f"Sure.\n{CALL}", CALL, f"<tool_call>{CALL}</tool_call>"]
    replies = iter([Reply(tool_calls=PARIS), *leaks])
    with ScriptedServer(lambda _: next(replies)) as server:
        llm = bound(server.chat_model())
        messages = [llm.invoke(QUESTION) for _ in range(5)]
    assert [calls(message) for message in messages] == [PARIS, [], PARIS, PARIS, PARIS]
    assert messages[1].content == documented


# --- what servers say of themselves ---


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("able", [True, False])
def test_ollama_is_asked_before_anything_is_sent(able, way):
    """ChatOllama's server tells what its model can do: no request is wasted, not even the first."""
    listed = ["completion", "tools"] if able else ["completion"]
    with ScriptedOllama(CALL, capabilities=listed, tool_calls=PARIS) as server:
        llm = ChatToolEmu(llm=server.chat_model())
        messages = [ask(llm.bind_tools([get_weather]), QUESTION, way) for _ in range(2)]
        chats = [bool(request.get("tools")) for request in server.requests]
    assert [calls(message) for message in messages] == [PARIS, PARIS]
    assert chats == [able, able]
    assert server.paths.count("/api/show") == 1
    assert llm.tool_support.verdict == ("native" if able else "none")


def test_an_old_ollama_is_learned_from_its_error():
    """Without a word of itself, Ollama's refusal costs one request, once."""
    with ScriptedOllama(CALL, capabilities=None) as server:
        llm = bound(server.chat_model())
        assert calls(llm.invoke(QUESTION)) == calls(llm.invoke(QUESTION)) == PARIS
    assert [bool(request.get("tools")) for request in server.requests] == [True, False, False]


@pytest.mark.parametrize("question", [QUESTION, "Hi"])
def test_the_embedded_model_s_token_count_tells_that_tools_were_dropped(embedded, question):
    """A real llama-server that ignores tools is found out by its first reply."""
    usage = embedded.bind_tools([get_weather]).invoke(question, max_tokens=4).usage_metadata
    cached = usage["input_token_details"].get("cache_read", 0)
    tools = to_openai_tools([get_weather])
    messages = [HumanMessage(question)]
    assert judge_token_count(usage["input_tokens"], messages, tools, cached=cached) == "dropped"


@pytest.mark.more("time: the token counts above tell as much")
def test_the_embedded_server_is_found_out_by_its_bill(embedded):
    """Were it silent about itself, its first reply's usage would tell; later turns take one request."""
    forget(endpoint_of(embedded))
    memory.update(endpoint_of(embedded), lambda record: record.hear(ModelDescription()))
    llm = ChatToolEmu(llm=embedded)
    messages = [llm.bind_tools([get_weather]).invoke(QUESTION) for _ in range(2)]
    extra = [report(message)["requests"] - len(report(message)["reasks"]) for message in messages]
    assert extra == [2, 1]
    assert [report(message)["verdict"] for message in messages] == ["none", "none"]
    assert "input tokens cannot hold the tools" in llm.tool_support.reason
    forget(endpoint_of(embedded))


# --- what the user says ---


@pytest.mark.parametrize(
    ("said", "natively"), [("native", True), ("none", False)], ids=["native", "none"]
)
def test_the_users_word_counts_first(said, natively):
    """`tool_support` is believed over everything that is learned."""
    with ScriptedServer(lambda _: CALL) as server:
        llm = ChatToolEmu(llm=server.chat_model(), tool_support=said)
        llm.bind_tools([get_weather]).invoke(QUESTION)
        assert ("tools" in server.requests[0]) is natively
    assert (llm.tool_support.verdict, llm.tool_support.reason) == (said, "the constructor says so")


def test_an_override_holds_until_its_block_ends():
    """Within the block the provider's models are emulated without a native request, after it they are asked again."""
    with ScriptedServer(lambda request: Reply(tool_calls=PARIS) if "tools" in request else CALL) as server:  # fmt: skip
        llm = bound(server.chat_model())
        with override_tool_support("openai", "none"):
            inside = llm.invoke(QUESTION)
        outside = llm.invoke(QUESTION)
    assert [report(message)["path"] for message in (inside, outside)] == ["emulated", "native"]
    assert calls(inside) == calls(outside) == PARIS


# --- telling ---


def test_one_warning_a_model():
    """Emulation that takes over says so once, at the caller's line; mode force was asked for and says nothing."""
    with (
        ScriptedServer(without_tools(lambda _: CALL)) as server,
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("always")
        for _ in range(3):
            bound(server.chat_model()).invoke(QUESTION)
            bound(server.chat_model(), mode="force").invoke(QUESTION)
    told = [warning for warning in told if warning.category is ToolEmuWarning]
    assert len(told) == 1
    assert "does not support tools" in str(told[0].message)
    assert told[0].filename == __file__


def test_each_decision_is_a_line_of_the_log(caplog):
    """The log tells what was learned, why emulation took over and what was re-asked, and no words of the prompt."""
    replies = iter(['{"name": "get_weather", "arguments": {"town": 1}}', CALL])
    with (
        caplog.at_level("INFO", "langchain_toolemu"),
        ScriptedServer(without_tools(lambda _: next(replies))) as server,
    ):
        bound(server.chat_model()).invoke(QUESTION)
    said = [message.partition("/v1")[2] for message in caplog.messages]
    assert said == [
        " tools: none (the provider said: registry.ollama.ai/library/scripted does not support tools)",
        ": the provider does not support tools; the turn goes on emulated",
        ": re-ask 1 (validation: bad_arguments)",
    ]
    assert QUESTION not in caplog.text


# --- many at once ---


def test_64_threads_learn_one_verdict():
    """At most as many useless requests as were in flight; afterwards none."""
    with ScriptedServer(without_tools(lambda _: CALL)) as server:
        llm = bound(server.chat_model())
        with ThreadPoolExecutor(64) as pool:
            messages = list(pool.map(lambda _: llm.invoke(QUESTION), range(192)))
        useless = sum("tools" in request for request in server.requests)
        asked = len(server.requests)
        llm.invoke(QUESTION)
        assert "tools" not in server.requests[-1]
    assert all(calls(message) == PARIS for message in messages)
    assert useless <= 64
    assert asked == 192 + useless


@pytest.mark.more("time: the 64 threads above show as much")
async def test_256_tasks_learn_one_verdict():
    """The same for tasks on one loop."""
    with ScriptedServer(without_tools(lambda _: CALL)) as server:
        llm = bound(server.chat_model())
        messages = await asyncio.gather(*(llm.ainvoke(QUESTION) for _ in range(256)))
        useless = sum("tools" in request for request in server.requests)
        await llm.ainvoke(QUESTION)
        assert "tools" not in server.requests[-1]
    assert all(calls(message) == PARIS for message in messages)
    assert useless <= 256


# --- LangChain's wrappings ---


def test_batches_share_the_verdict():
    """A batch learns once; the next one wastes nothing."""
    with ScriptedServer(without_tools(lambda _: CALL)) as server:
        llm = bound(server.chat_model())
        assert [calls(m) for m in llm.batch([QUESTION] * 4, {"max_concurrency": 2})] == [PARIS] * 4
        useless = sum("tools" in request for request in server.requests)
        llm.batch([QUESTION] * 4)
        assert useless <= 2
        assert sum("tools" in request for request in server.requests) == useless


def test_with_retry_sees_only_the_providers_errors():
    """A refusal of tools is no error to retry; a failing server is."""
    replies = iter([Reply(status=500, body={}), CALL])
    refuse = without_tools(lambda _: next(replies))
    with ScriptedServer(refuse) as server:
        llm = bound(server.chat_model()).with_retry(stop_after_attempt=2, wait_exponential_jitter=False)  # fmt: skip
        assert calls(llm.invoke(QUESTION)) == PARIS
        assert ["tools" in request for request in server.requests] == [True, False, False]


def test_a_native_model_falls_back_to_an_emulated_one():
    """Tools bound on `with_fallbacks` reach both; the emulated one answers where the native one fails."""
    with (
        ScriptedServer(lambda _: Reply(status=500, body={})) as broken,
        ScriptedServer(without_tools(lambda _: CALL)) as toolless,
    ):
        llm = broken.chat_model().with_fallbacks([ChatToolEmu(llm=toolless.chat_model())])
        message = llm.bind_tools([get_weather]).invoke(QUESTION)
    assert calls(message) == PARIS
    assert report(message)["path"] == "emulated"


def test_an_emulated_model_falls_back_to_a_native_one():
    """And the other way round."""
    with (
        ScriptedServer(lambda _: Reply(status=500, body={})) as broken,
        ScriptedServer(lambda _: Reply(tool_calls=PARIS)) as native,
    ):
        llm = ChatToolEmu(llm=broken.chat_model()).with_fallbacks([native.chat_model()])
        message = llm.bind_tools([get_weather]).invoke(QUESTION)
    assert calls(message) == PARIS
    assert "toolemu" not in message.response_metadata


@pytest.mark.parametrize(
    ("mode", "natively"), [("force", False), ("fallback", True), ("off", True)]
)
def test_the_mode_is_configurable_over_bound_tools(mode, natively):
    """`configurable_fields(mode=...)` set at run time decides how tools bound by `bind` travel."""
    with ScriptedServer(lambda request: Reply(tool_calls=PARIS) if "tools" in request else CALL) as server:  # fmt: skip
        llm = ChatToolEmu(llm=server.chat_model()).configurable_fields(mode=ConfigurableField("mode"))  # fmt: skip
        tools = [convert_to_openai_tool(get_weather)]
        message = llm.bind(tools=tools).with_config(configurable={"mode": mode}).invoke(QUESTION)
        assert ("tools" in server.requests[0]) is natively
    assert calls(message) == PARIS


def test_with_config_over_bound_tools():
    """Tags and callbacks ride along, and the tools stay bound."""
    with ScriptedServer(without_tools(lambda _: CALL)) as server:
        llm = bound(server.chat_model()).with_config(tags=["mine"], run_name="weather")
        assert calls(llm.invoke(QUESTION)) == PARIS
