"""Refusals in providers' own words: asked in every way, in an agent, in text and through the gateway, and where no status says it."""

from dataclasses import replace

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.refusing_gateways import GATEWAY_CASES
from tests.refusing_providers import PROVIDER_CASES
from tests.refusing_servers import CASES, answering
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.thoroughness import share
from tests.ways import WAYS, ask

pytestmark = pytest.mark.filterwarnings("ignore")
DONE = "Room 7 is booked."
EVERY_CASE = CASES | GATEWAY_CASES | PROVIDER_CASES


def spread(cases, ways, of):
    """Each case in each of some ways where there is time, else in a share of them."""
    return [(name, way) for place, name in enumerate(cases) for way in share(ways, place, of)]


def bound(llm, case):
    own = {"strict": True} if "strict" in case.options else {}
    return llm.bind_tools(case.tools, **own)


def passed(case):
    return {key: value for key, value in case.options.items() if key != "strict"}


def is_booked(message, case):
    called = [(one["name"], one["args"]) for one in message.tool_calls]
    return called == [(case.name, {"city": "Paris"})]


@every_row(("name", "way"), spread(PROVIDER_CASES, WAYS, 4))
def test_another_form_is_found_and_remembered(name, way):
    """The call comes, natively where it can; the next turn takes one request."""
    case = PROVIDER_CASES[name]
    with ScriptedServer(answering(case.check, case.name)) as server:
        llm = bound(ChatToolEmu(server.chat_model(max_retries=0)), case)
        first = ask(llm, case.messages, way, **passed(case))
        assert len(server.requests) <= case.requests
        taken = len(server.requests)
        assert is_booked(ask(llm, case.messages, way, **passed(case)), case)
        assert len(server.requests) == taken + 1
    assert is_booked(first, case)
    path = "native" if case.native else "emulated"
    assert first.response_metadata["toolemu"]["path"] == path


def finishing(case):
    """The same server, which answers once a tool has run."""
    book = answering(case.check, case.name)

    def answer(request):
        is_done = DONE in str(request["messages"])
        return (is_done and (case.check(request) or Reply("Done."))) or book(request)

    return answer


# By default a quarter of them: a turn on each is asked for above, and in test_forms.py.
@every_row(("name", "mode"), spread(share([*EVERY_CASE], 0, 4), ("fallback", "force"), 2))
def test_an_agent_goes_on(name, mode):
    """A whole run on every server: the tool runs, and its answer comes."""
    case = EVERY_CASE[name]
    tools = [
        StructuredTool(
            name=one["name"],
            description=one["description"],
            args_schema=one["parameters"],
            func=lambda **_: DONE,
        )
        for one in case.tools
    ]

    @wrap_model_call
    def with_options(request, handler):
        options = passed(case)
        choice = options.pop("tool_choice", None)
        ran = any(isinstance(one, ToolMessage) and one.content == DONE for one in request.messages)
        strict = {"strict": True} if "strict" in case.options else {}
        own = {"tool_choice": None if ran else choice, "model_settings": {**options, **strict}}
        return handler(request.override(**own))

    with ScriptedServer(finishing(case)) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0), mode=mode)
        agent = create_agent(llm, tools, middleware=[with_options])
        # Copies without ids: LangGraph takes one message that stands twice for one, and gives each an id.
        given = [one.model_copy(update={"id": None}) for one in case.messages]
        state = agent.invoke({"messages": given}, {"recursion_limit": 10})
    new = state["messages"][len(case.messages) :]
    assert [one.type for one in new] == ["ai", "tool", "ai"]
    assert is_booked(new[0], case)
    assert new[-1].content == "Done."
    # A forced choice and an answer in text that were refused are each asked for once more.
    assert len(server.requests) <= case.requests + (2 if case.native else 3)


@every_row("name", share([*PROVIDER_CASES], 0, 3))
def test_through_the_gateway(name):
    """Its client is told nothing of it."""
    case = PROVIDER_CASES[name]
    with (
        ScriptedServer(answering(case.check, case.name)) as server,
        gateway(upstream_model(server)) as running,
    ):
        llm = bound(ChatOpenAI(model="m", base_url=running.v1, api_key="none", max_retries=0), case)
        messages = [ask(llm, case.messages, "stream", **passed(case)) for _ in range(2)]
    assert all(is_booked(message, case) for message in messages)
    assert len(server.requests) <= case.requests + 1


# Without their status, these say neither what they are nor what they refuse.
SILENT = {"Zhipu, an id twice", "LM Studio, a picture", "Together"}


@every_row(("name", "way"), spread([one for one in PROVIDER_CASES if one not in SILENT], WAYS, 4))
def test_an_error_under_200_or_in_a_stream(name, way):
    """What a body says counts, if no status does."""
    case = PROVIDER_CASES[name]

    def check(request):
        refused = case.check(request)
        if refused is None:
            return None
        body = refused.body[0] if isinstance(refused.body, list) else refused.body
        body = body if "error" in body else {"error": body}
        # The first event of a stream, or a whole body.
        breaks = {"breaks_after": 0} if request.get("stream") else {}
        return replace(refused, status=200, body=body, **breaks)

    with ScriptedServer(answering(check, case.name)) as server:
        llm = bound(ChatToolEmu(server.chat_model(max_retries=0)), case)
        assert is_booked(ask(llm, case.messages, way, **passed(case)), case)
