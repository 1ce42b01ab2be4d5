"""A request that is too long, as LangChain's middleware expects it: the error's class, and the window in the profile."""

import pickle

import openai
import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, HumanMessage
from langchain_ollama import ChatOllama
from ollama import ResponseError

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.errors import as_context_overflow
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.thoroughness import share
from tests.unit_tests.model_facts.length_texts import OTHER_LENGTHS, TOO_LONG
from tests.ways import WAYS, ask

MODES = ("fallback", "force")


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"Sunny in {city}"


def refuse(answer):
    return lambda _: Reply(status=answer.status, body=answer.body)


def raised_by(server, mode, way="invoke", tools=(get_weather,)):
    llm = ChatToolEmu(server.chat_model(max_retries=0), mode=mode)
    with pytest.raises(Exception) as raised:
        ask(llm.bind_tools(list(tools)) if tools else llm, "Hi", way)
    return raised.value


@every_row(("number", "answer"), enumerate(TOO_LONG))
def test_every_known_wording_is_langchains_error(number, answer):
    """Whoever recovers by the class recovers, and whoever catches the client's class still does."""
    with ScriptedServer(refuse(answer)) as server:
        for mode in share(MODES, number, len(MODES)):
            error = raised_by(server, mode)
            assert isinstance(error, ContextOverflowError)
            assert isinstance(error, openai.APIError)


@pytest.mark.in_turn
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
def test_the_error_holds_what_the_clients_held(way, mode):
    """Its text, its body, its response, our report, and the client's own error as its cause; it can be sent to another process."""
    with ScriptedServer(refuse(TOO_LONG[0])) as server:
        error = raised_by(server, mode, way)
        cause = error.__cause__
        assert isinstance(error, openai.BadRequestError)
        assert (str(error), error.body, error.response) == (str(cause), cause.body, cause.response)
        assert not isinstance(cause, ContextOverflowError)
        assert error.toolemu_report["mode"] == mode
        copied = pickle.loads(pickle.dumps(as_context_overflow(ResponseError("too long", 400))))
        assert (type(copied), str(copied)) == (
            type(as_context_overflow(ResponseError("", 1))),
            str(ResponseError("too long", 400)),
        )
        assert len(server.requests) == 1


def test_a_request_without_tools_counts_too():
    """Nothing of ours is in it, and its error is recognised all the same."""
    with ScriptedServer(refuse(TOO_LONG[0])) as server:
        assert isinstance(raised_by(server, "fallback", tools=()), ContextOverflowError)
        assert not isinstance(raised_by(server, "off", tools=()), ContextOverflowError)


@every_row("answer", OTHER_LENGTHS)
def test_what_only_looks_like_it_keeps_its_class(answer):
    """A rate limit or another length is not recovered from by shortening."""
    with ScriptedServer(refuse(answer)) as server:
        assert type(raised_by(server, "force")) is type(raised_by(server, "off", tools=()))


def test_a_class_that_cannot_be_extended_is_langchains_alone():
    """Python refuses some bases; the cause still says what was raised."""
    odd = UnicodeDecodeError("utf-8", b"", 0, 1, "too long")
    error = as_context_overflow(odd)
    assert isinstance(error, ContextOverflowError)
    assert error.__cause__ is odd
    assert as_context_overflow(error) is error


# --- the window ---

PROPS = {"/props": {"default_generation_settings": {"n_ctx": 4096, "n_ctx_train": 99}}}
TOOLS = [
    {"name": f"tool_{n}", "description": "Does a thing. " * 5, "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}}
    for n in range(20)
]  # fmt: skip


def test_the_profile_has_the_servers_window():
    """It is asked once, when somebody reads it, and not before."""
    with ScriptedServer(["Hi", "Hi"], pages=PROPS) as server:
        llm = ChatToolEmu(server.chat_model())
        server.pages, pages = {}, server.pages  # nothing is asked when it is made
        llm.profile["tool_calling"]
        server.pages = pages
        assert llm.profile["max_input_tokens"] == 4096
        server.pages = {}
        assert "max_input_tokens" in llm.profile
        assert llm.profile.get("max_input_tokens") == 4096
        assert "max_input_tokens" not in (
            ChatToolEmu(server.chat_model(), mode="off").profile or {}
        )


def test_the_contract_is_no_room_for_messages():
    """Summarization counts the messages only: what the contract of twenty tools takes is not theirs."""
    with ScriptedServer(lambda _: "It is sunny.", pages=PROPS) as server:
        llm = ChatToolEmu(server.chat_model(), mode="force")
        llm.bind_tools(TOOLS).invoke("Hi")
        sent = sum(len(one["content"]) for one in server.requests[-1]["messages"])
        room = llm.profile["max_input_tokens"]
    assert 4096 - sent / 2 < room < 4096 - sent / 8


def test_what_the_user_says_of_the_window_stays():
    """A profile of one's own is not asked about."""
    with ScriptedServer([], pages=PROPS) as server:
        llm = ChatToolEmu(server.chat_model(), profile={"max_input_tokens": 99})
        assert llm.profile == {"max_input_tokens": 99}
        llm.profile = {"max_input_tokens": 98}
        assert llm.profile == {"max_input_tokens": 98}


def test_ollamas_window_is_what_the_client_asks_for():
    """`num_ctx` is what is in use, whatever the model could do."""
    with ScriptedOllama() as server:
        llm = ChatToolEmu(ChatOllama(model=server.model, base_url=server.url, num_ctx=2048))
        assert llm.profile["max_input_tokens"] == 2048


def summarizes(request):
    return "Context Extraction Assistant" in str(request["messages"][-1]["content"])


@pytest.mark.parametrize("mode", MODES)
def test_summarization_by_fractions_works_on_a_local_model(mode):
    """With nothing set: the middleware finds the window, and shortens the conversation before it is too long."""

    def answer(request):
        return "A summary." if summarizes(request) else "It is sunny."

    talk = [HumanMessage("word " * 600) if n % 2 else AIMessage("word " * 600) for n in range(8)]
    with ScriptedServer(answer, pages=PROPS) as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode)
        middleware = SummarizationMiddleware(llm, trigger=("fraction", 0.8), keep=("messages", 1))
        agent = create_agent(llm, [get_weather], middleware=[middleware])
        result = agent.invoke({"messages": [*talk, HumanMessage("And now?")]})
    assert "A summary." in str(result["messages"][0].content)


@pytest.mark.parametrize("mode", MODES)
def test_a_summary_that_is_too_long_is_recovered(mode):
    """The middleware shortens what it summarizes and goes on, as it does after OpenAI's own error."""

    def answer(request):
        letters = sum(len(str(one.get("content"))) for one in request["messages"])
        if letters > 12_000:
            return Reply(status=400, body=TOO_LONG[0].body)
        return "A summary." if summarizes(request) else "It is sunny."

    talk = [HumanMessage("word " * 600) if n % 2 else AIMessage("word " * 600) for n in range(6)]
    with ScriptedServer(answer) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0), mode=mode)
        middleware = SummarizationMiddleware(
            llm, trigger=("tokens", 3000), keep=("messages", 1), trim_tokens_to_summarize=None
        )
        agent = create_agent(llm, [get_weather], middleware=[middleware])
        result = agent.invoke({"messages": [*talk, HumanMessage("And now?")]})
    assert result["messages"][-1].content == "It is sunny."


@pytest.mark.parametrize("mode", MODES)
def test_a_run_whose_results_outgrow_the_window_comes_to_its_end(mode):
    """With nothing set: what was gathered is summarized in mid-run, before the server refuses it."""
    pages = iter(range(1, 9))

    def read_page(number: int) -> str:
        """Read a page."""
        return f"Page {number}: " + "word " * 560

    def answer(request):
        if sum(len(str(one.get("content"))) for one in request["messages"]) > 4 * 4096:
            return Reply(status=400, body=TOO_LONG[0].body)
        if summarizes(request):
            return "A summary."
        if not (number := next(pages, None)):
            return "All pages are read."
        if "tools" in request:
            return Reply(tool_calls=[("read_page", {"number": number})])
        return f'{{"name": "read_page", "arguments": {{"number": {number}}}}}'

    with ScriptedServer(answer, pages=PROPS) as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode)
        middleware = SummarizationMiddleware(llm, trigger=("fraction", 0.8), keep=("messages", 2))
        agent = create_agent(llm, [read_page], middleware=[middleware])
        result = agent.invoke({"messages": [HumanMessage("Read the pages from 1 to 8.")]})
        assert any(map(summarizes, server.requests))
    assert result["messages"][-1].content == "All pages are read."
