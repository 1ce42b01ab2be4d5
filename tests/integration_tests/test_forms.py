"""Requests that a server refuses for their form: said in another one, remembered, and raised as they came if nothing helps."""

import copy
import warnings

import openai
import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.stores import InMemoryByteStore

from langchain_toolemu import ChatToolEmu, set_verdict_store
from langchain_toolemu.capability import memory
from tests.refusing_gateways import GATEWAY_CASES, STREAM_OPTIONS
from tests.refusing_servers import (
    ASKED,
    BOOK,
    CASES,
    answering,
    bare,
    called,
    mistral_ids,
    openai_error,
    tool,
)
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.thoroughness import share
from tests.ways import WAYS, ask


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def played(case, way="invoke", check=None, turns=1, **options):
    """The messages of some turns, and how many requests each took."""
    with ScriptedServer(answering(check or case.check, case.name)) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0), **options).bind_tools(case.tools)
        said, counts = [], []
        for _ in range(turns):
            before = len(server.requests)
            said.append(ask(llm, case.messages, way, **case.options))
            counts.append(len(server.requests) - before)
    return said, counts, server


def is_booked(message, case):
    return [(one["name"], one["args"]) for one in message.tool_calls] == [
        (case.name, {"city": "Paris"})
    ]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_another_form_is_found_and_remembered(name, way):
    """The call comes, in as few requests as it takes; the next turn takes one."""
    case = CASES[name]
    before = copy.deepcopy((case.tools, case.messages))
    said, counts, _ = played(case, way, turns=2)
    assert all(is_booked(message, case) for message in said)
    assert counts == [case.requests, 1]
    report = said[0].response_metadata["toolemu"]
    assert "other_form" in report["warning_codes"]
    assert report["path"] == ("native" if case.native else "emulated")
    assert "other_form" not in said[1].response_metadata["toolemu"]["warning_codes"]
    assert (case.tools, case.messages) == before


GATEWAY_WAYS = [
    (name, way)
    for number, name in enumerate(GATEWAY_CASES)
    for way in share(("invoke", "astream"), number, 4)
]


@every_row(("name", "way"), GATEWAY_WAYS)
def test_words_that_no_wording_was_written_for(name, way):
    """Orders of messages, empty ones, names of speakers and the like, in several languages: two requests, then one."""
    case = GATEWAY_CASES[name]
    options = {key: value for key, value in case.options.items() if key != "strict"}
    with ScriptedServer(answering(case.check, case.name)) as server:
        own = {"strict": True} if "strict" in case.options else {}
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools(case.tools, **own)
        messages = [ask(llm, case.messages, way, **options) for _ in range(2)]
    assert all(is_booked(message, case) for message in messages)
    assert len(server.requests) == 1 + case.requests
    path = "native" if case.native else "emulated"
    assert messages[0].response_metadata["toolemu"]["path"] == path


@pytest.mark.parametrize("mode", ["fallback", "force"])
@every_row("refusal", STREAM_OPTIONS)
def test_a_stream_whose_tokens_are_not_counted(refusal, mode):
    """The argument by which ChatOpenAI asks for them is left out where the server does not know it."""
    answer = answering(lambda request: refusal if "stream_options" in request else None)
    with ScriptedServer(answer) as server:
        bare_model = server.chat_model(stream_usage=True, max_retries=0)
        llm = ChatToolEmu(bare_model, mode=mode).bind_tools([BOOK])
        for way in ("stream", "astream", "invoke"):
            assert is_booked(ask(llm, [ASKED], way), CASES["a pattern"])
    assert ["stream_options" in one for one in server.requests] == [True, False, False, False]


@every_row("way", WAYS)
@pytest.mark.parametrize("counts", [True, False], ids=["counts", "does not count"])
def test_a_server_without_tools_and_without_system_messages(counts, way):
    """It drops the tools in silence, and refuses the contract: that goes into the user's message."""
    said = "Sorry, I cannot look that up."

    def play(request):
        if any(message["role"] == "system" for message in request["messages"]):
            return openai_error("System role not supported")
        asked = str(request["messages"])
        text = (
            '{"name": "book", "arguments": {"city": "Paris"}}' if "Book a room." in asked else said
        )
        return Reply(text, usage="estimate" if counts else None)

    with ScriptedServer(play) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools([BOOK])
        message = ask(llm, [HumanMessage("A table in Paris, please.")], way)
    assert [one["args"] for one in message.tool_calls] == [{"city": "Paris"}]
    assert "other_form" in message.response_metadata["toolemu"]["warning_codes"]


@pytest.mark.parametrize("name", CASES)
def test_a_server_that_does_not_say_why(name):
    """Found out by experiment: three further requests at most, and one the next time."""
    case = CASES[name]
    said, counts, _ = played(case, check=bare(case.check), turns=2)
    assert all(is_booked(message, case) for message in said)
    assert counts[0] <= 4
    assert counts[1] == 1


@pytest.mark.parametrize("name", CASES)
def test_emulated_requests_have_none_of_it(name):
    """In text there are no ids, no schemas and no roles to refuse."""
    case = CASES[name]
    said, counts, _ = played(case, mode="force")
    assert is_booked(said[0], case)
    assert counts[0] <= 2


@pytest.mark.parametrize("name", CASES)
def test_mode_off_sends_what_it_is_told(name):
    """And raises what comes."""
    case = CASES[name]
    with pytest.raises(openai.BadRequestError):
        played(case, mode="off")


@pytest.mark.parametrize("name", share([*CASES], 0, 2))
def test_another_process_knows_it(name):
    """What worked is kept in the verdict store, if another native form did."""
    case = CASES[name]
    set_verdict_store(InMemoryByteStore())
    try:
        with ScriptedServer(answering(case.check, case.name)) as server:
            llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools(case.tools)
            llm.invoke(case.messages)
            memory.forget()
            first = len(server.requests)
            llm.invoke(case.messages)
            assert len(server.requests) - first == (1 if case.native else case.requests)
    finally:
        set_verdict_store(None)


def test_the_profile_says_that_results_hold_no_pictures():
    """Once the server has refused one; before that, what the wrapped model says."""
    case = CASES["a picture in a result"]
    with ScriptedServer(answering(case.check, case.name)) as server:
        llm = ChatToolEmu(server.chat_model())
        assert llm.profile.get("image_tool_message") is None
        llm.bind_tools(case.tools).invoke(case.messages)
        assert llm.profile["image_tool_message"] is llm.profile["pdf_tool_message"] is False


def test_what_a_server_takes_is_sent_as_it_is():
    """Odd names, keywords and a thread that broke off, on a server that minds none of it: one request, unchanged."""
    case = CASES["a call without a result"]
    several = {one["name"]: one for name in CASES for one in reversed(CASES[name].tools)}
    tools = [*several.values()][:20]
    with ScriptedServer(answering(lambda _: None)) as server:
        llm = server.chat_model()
        ChatToolEmu(llm).bind_tools(tools).invoke(case.messages)
        llm.bind_tools(tools).invoke(case.messages)
    assert server.bodies[0] == server.bodies[1]


def test_nothing_works():
    """The first error is raised as it came, with a note; the next turn of a broken agent costs one request."""
    refuse = openai_error("something about this request is wrong")
    with ScriptedServer(lambda _: refuse) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools(
            [tool("rooms.book", title="T")]
        )
        counts = []
        for _ in range(2):
            before = len(server.requests)
            with pytest.raises(openai.BadRequestError, match="something about") as raised:
                llm.invoke([ASKED, called("call_1"), HumanMessage("Hello?")])
            counts.append(len(server.requests) - before)
            notes = getattr(raised.value, "__notes__", [""])
    assert counts == [4, 1]
    assert notes is not None


def test_the_clients_own_retries_count():
    """A client repeats what a server failed at: fewer forms are tried, several at once."""
    body = {"error": {"code": 500, "message": "Error in chat template: no such tool name filter"}}
    with ScriptedServer(lambda _: Reply(status=500, body=body)) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=1)).bind_tools([tool("a.b", title="T")])
        counts = []
        for _ in range(2):
            before = len(server.requests)
            with pytest.raises(openai.InternalServerError):
                llm.invoke([ASKED, called("call_1"), HumanMessage("Hello?")])
            counts.append(len(server.requests) - before)
    assert counts == [6, 2]


def test_an_agent_goes_on():
    """A whole run, whose second request holds a call of the first."""

    def answer(request):
        if request["messages"][-1]["role"] == "tool":
            return mistral_ids(request) or Reply("It is booked.")
        return Reply(tool_calls=[(request["tools"][0]["function"]["name"], {"city": "Paris"})])

    def book(city: str) -> str:
        """Book a room."""
        return f"Booked in {city}"

    with ScriptedServer(answer) as server:
        agent = create_agent(ChatToolEmu(server.chat_model(max_retries=0)), [book])
        result = agent.invoke({"messages": [ASKED]})
        assert result["messages"][-1].content == "It is booked."
        assert len(server.requests) == 3
        agent.invoke({"messages": [ASKED]})
        assert len(server.requests) == 5


def test_ids_of_ours_need_no_other_form():
    """An emulated call's id is one that Mistral's template takes from the start."""
    with ScriptedServer(answering(mistral_ids)) as server:
        llm = ChatToolEmu(server.chat_model(), mode="force").bind_tools([BOOK])
        emulated = llm.invoke([ASKED])
        (call,) = emulated.tool_calls
        history = [ASKED, emulated, ToolMessage("Booked.", tool_call_id=call["id"])]
        asked = len(server.requests)
        server.chat_model(max_retries=0).bind_tools([BOOK]).invoke(history)
        assert len(server.requests) == asked + 1


def test_a_loosened_schema_still_binds_the_call():
    """The server no longer holds the model to it, so we do: a call that does not fit the tool's own schema is asked again."""
    case = CASES["a pattern"]
    said = iter(["nonsense", "b"])

    def answer(request):
        return case.check(request) or Reply(
            tool_calls=[("book", {"city": "Paris", "nights": next(said)})]
        )

    own = tool(properties={"nights": {"type": "string", "enum": ["a", "b"], "pattern": "^(a|b)$"}})
    with ScriptedServer(answer) as server:
        message = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools([own]).invoke([ASKED])
    assert message.tool_calls[0]["args"] == {"city": "Paris", "nights": "b"}


def test_on_a_vendors_host_too(monkeypatch):
    """Its calls count as right, but not for a schema that it was not told in full."""
    monkeypatch.setattr("langchain_toolemu.capability.endpoints.vendor_at", lambda _: "groq")
    said = iter(["c", "b"])

    def answer(request):
        return CASES["a pattern"].check(request) or Reply(
            tool_calls=[("book", {"city": "Paris", "nights": next(said)})]
        )

    own = tool(properties={"nights": {"type": "string", "pattern": "^(a|b)$"}})
    with ScriptedServer(answer) as server:
        llm = ChatToolEmu(server.chat_model())
        message = llm.bind_tools([own]).invoke([ASKED])
    assert message.tool_calls[0]["args"] == {"city": "Paris", "nights": "b"}
    assert len(server.requests) == 3


# --- an error that is not a plain 400 ---

WRONG_IDS = {
    "message": "Tool call IDs should be alphanumeric strings with length 9!",
    "type": "BadRequestError",
    "code": 400,
}
OTHER_WAYS = {
    "422": Reply(status=422, body={"detail": [{"loc": ["body", "messages", 1, "tool_calls", 0, "id"], "msg": "String should match pattern '^[a-zA-Z0-9]{9}$'", "type": "string_pattern_mismatch"}]}),
    "500 of a template": Reply(status=500, body={"error": {"code": 500, "message": "Error in chat template: Tool call IDs should be alphanumeric strings with length 9!", "type": "server_error"}}),
    "an error under 200": Reply(status=200, body={"error": WRONG_IDS}),
    "the first event of a stream": Reply(breaks_after=0, body={"error": WRONG_IDS}),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", OTHER_WAYS.values(), ids=OTHER_WAYS)
def test_however_the_server_says_it(error, way):
    """By its status, in its body, or as the first event of a stream."""
    case = CASES["foreign ids"]
    streams = way.endswith("stream")
    if error.status == 200 and streams != (error.breaks_after == 0):
        pytest.skip("of whole replies, or of streams, only")
    said, counts, _ = played(
        case, way, check=lambda request: error if mistral_ids(request) else None, turns=2
    )
    assert is_booked(said[0], case)
    assert counts == [2, 1]


# --- errors of the caller's own ---

CALLERS = [
    (
        400,
        "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
    ),
    (
        400,
        "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
    ),
    (
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    (400, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens."),
    (400, "Invalid 'stop': array too long. Expected an array with maximum length 4."),
    (400, "Unsupported parameter: 'stop' is not supported with this model."),
    (400, "Invalid value for 'top_p': must be in (0, 1]."),
    (400, "top_k must be -1 (disable), or at least 1, got 0."),
    (
        400,
        "Invalid value for 'n': integer below minimum value. Expected a value >= 1, but got 0 instead.",
    ),
    (400, "You requested logprobs, but this model does not support it."),
    (400, "logit_bias must be between -100 and 100."),
    (400, "presence_penalty must be in [-2, 2], got 5."),
    (
        400,
        "Invalid value: 'huge'. Supported values are: 'low', 'medium', and 'high'. reasoning_effort",
    ),
    (400, "`max_tokens` must be greater than `thinking.budget_tokens`."),
    (400, "temperature may only be set to 1 when thinking is enabled."),
    (400, "metadata.user_id: uuids are not allowed."),
    (400, "Unknown service_tier argument."),
    (400, "seed must be an integer."),
    (400, "The model `gpt-9` does not exist or you do not have access to it."),
    (404, "The model 'x' does not exist."),
    (404, "model 'llama9' not found, try pulling it first"),
    (404, "Not Found"),
    (401, "Incorrect API key provided: sk-xxx."),
    (401, "invalid x-api-key"),
    (403, "Your account is not active, please check your billing details."),
    (403, "Country, region, or territory not supported"),
    (402, "Insufficient Balance"),
    (429, "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM)"),
    (429, "You exceeded your current quota, please check your plan and billing details."),
    (408, "Request timed out."),
    (409, "The resource is being updated."),
    (413, "Request Entity Too Large"),
    (400, "Your credit balance is too low to access the Anthropic API."),
    (
        400,
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    ),
    (400, "Your request was rejected as a result of our safety system."),
    (400, "Output blocked by content filtering policy"),
    (400, "Invalid prompt: your prompt was flagged as potentially violating our usage policy."),
    (500, "The server had an error while processing your request."),
    (503, "The engine is currently overloaded, please try again later"),
    (502, "Bad Gateway"),
    (400, "API key not valid. Please pass a valid API key."),
    (400, "stream_options is only allowed when stream is enabled."),
    (400, "'temperature' : value must be less than or equal to 2"),
    (400, "Unrecognized request argument supplied: max_completion_tokens"),
    (401, "API-Schlüssel ungültig. Werkzeuge (tools) sind nur für angemeldete Nutzer verfügbar."),
    (
        429,
        "Too many tool calls per minute for this project: tools quota exhausted, retry after 20s",
    ),
    (400, "内容审核未通过:输入包含不合规内容"),
    (403, "Function calling is not enabled for your organization. Contact sales."),
    (404, "Das Modell 'scripted' wurde nicht gefunden"),
    (400, "账户余额不足,请充值后再试"),
    (400, "'stop' : maximum number of items is 4"),
    (
        400,
        "The provided image could not be decoded: unsupported image format in messages[0].content[1]",
    ),
    (400, "Параметр temperature должен быть от 0 до 2"),
    (400, "Le paramètre top_p doit être compris entre 0 et 1"),
    (400, "no healthy upstream"),
    (400, "El modelo solicitado no está disponible en su región"),
    (400, "Invalid modalities: audio output is not available."),
    (400, "User location is not supported for the API use."),
    (400, "该模型当前访问量过大,请您稍后再试"),
    (
        400,
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9012 tokens.",
    ),
]


@every_row(("status", "words"), CALLERS)
def test_the_callers_own_errors_are_raised_at_once(status, words):
    """No form touches what they are about: one request, though the thread and its tools could be said otherwise."""
    odd = [tool("rooms.book", title="T", additionalProperties=False)]
    with ScriptedServer(lambda _: openai_error(words, status)) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools(odd)
        with pytest.raises(openai.APIStatusError):
            llm.invoke([ASKED, called("call_1"), HumanMessage("Hello?")])
    assert len(server.requests) == 1
