"""What a trace says of a turn, by LangChain's own tracers."""

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import FakeListChatModel
from langchain_core.tracers.langchain import LangChainTracer
from langchain_core.tracers.run_collector import RunCollectorCallbackHandler

from langchain_toolemu import ChatToolEmu, ToolChoiceError
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.ways import WAYS, ask

SECRET = "sk-never-shown"
CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
BAD = '{"name": "get_weather", "arguments": {"town": 1}}'
NATIVE = Reply(tool_calls=[("get_weather", {"city": "Paris"})])


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"sun in {city}"


def in_turn(*replies):
    """A script that plays its replies whatever is asked."""
    left = iter(replies)
    return lambda _: next(left)


CASES = {
    "off": ("off", lambda: in_turn(NATIVE), (None, None, None)),
    "native": ("fallback", lambda: in_turn(NATIVE), ("native", 1, [])),
    "rescued": ("fallback", lambda: in_turn(f"<tool_call>{CALL}</tool_call>"), ("rescued", 1, [])),
    "taken over": ("fallback", lambda: without_tools(in_turn(CALL)), ("emulated", 2, [])),
    "re-asked": ("force", lambda: in_turn(BAD, CALL), ("emulated", 2, ["validation: bad_arguments"])),
}  # fmt: skip


class LangSmith:
    """Stands for LangSmith's client, and keeps what it is sent."""

    def __init__(self):
        self.sent = {}

    def create_run(self, **run):
        self.sent = {**run, "extra": dict(run["extra"])}

    def update_run(self, **run):
        self.sent |= {key: value for key, value in run.items() if value is not None}


def traced(mode, script, way, **bound):
    """A turn's run, as LangSmith has it in the end."""
    smith = LangSmith()
    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode=mode).bind_tools([get_weather], **bound)
        ask(llm, "Hi", way, {"callbacks": [LangChainTracer(client=smith)], "metadata": {"mine": 1}})
    return smith.sent


def noted(metadata):
    return tuple(metadata.get(f"toolemu_{name}") for name in ("path", "requests", "reasks"))


@pytest.mark.in_turn
@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
@pytest.mark.parametrize("case", CASES)
def test_a_runs_metadata_tells_native_from_emulated(case, way):
    """Path, mode, requests and re-asks stand beside the metadata that was there; mode off is native, and says no more."""
    mode, script, expected = CASES[case]
    metadata = traced(mode, script(), way)["extra"]["metadata"]
    assert noted(metadata) == expected
    assert metadata["toolemu_mode"] == mode
    assert (metadata["mine"], metadata["ls_provider"]) == (1, "openai")


@pytest.mark.in_turn
@pytest.mark.parametrize("way", ["stream", "astream"])
@pytest.mark.parametrize("case", CASES)
def test_a_streams_run_tells_the_mode_and_has_the_rest_in_its_outputs(case, way):
    """LangChain does not tell a model which run a plain stream belongs to; what its message carries is there."""
    mode, script, expected = CASES[case]
    run = traced(mode, script(), way)
    assert run["extra"]["metadata"]["toolemu_mode"] == mode
    message = run["outputs"]["generations"][0][0]["message"]["kwargs"]
    report = message["response_metadata"].get("toolemu")
    assert (report is None) is (mode == "off")
    if report:
        assert (report["path"], report["requests"], report["reasks"]) == expected


def test_an_agents_stream_tells_it_in_the_metadata():
    """Under LangGraph's stream of messages a model streams within `invoke`, and knows its run."""
    collector = RunCollectorCallbackHandler()
    with ScriptedServer(in_turn(CALL, "Sunny.")) as server:
        agent = create_agent(ChatToolEmu(llm=server.chat_model(), mode="force"), [get_weather])
        asked = {"messages": [("user", "Weather in Paris?")]}
        list(agent.stream(asked, {"callbacks": [collector]}, stream_mode="messages"))
    (graph,) = collector.traced_runs
    models = [run for node in graph.child_runs for run in node.child_runs if run.run_type == "llm"]
    assert [noted(run.metadata) for run in models] == [("emulated", 1, []), ("emulated", 1, [])]


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_a_turn_that_fails_tells_what_it_did_and_its_error(way):
    """Requests and re-asks are in the trace, as those of a turn that went well, and in the error's text."""
    smith = LangSmith()
    with ScriptedServer(lambda _: "No.") as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force", max_reasks=1)
        bound = llm.bind_tools([get_weather], tool_choice="any")
        with pytest.raises(ToolChoiceError):
            ask(bound, "Hi", way, config={"callbacks": [LangChainTracer(client=smith)]})
    assert smith.sent["extra"]["metadata"]["toolemu_mode"] == "force"
    assert noted(smith.sent["extra"]["metadata"]) == ("emulated", 2, ["contract: missing_call"])
    assert "ToolChoiceError" in smith.sent["error"]
    assert "2 requests (last: contract: missing_call)" in smith.sent["error"]


def test_every_tracer_is_told_and_no_other_run():
    """Two tracers of one batch: each run has its own figures."""
    tracers = [RunCollectorCallbackHandler(), RunCollectorCallbackHandler()]
    llm = ChatToolEmu(llm=FakeListChatModel(responses=[BAD, CALL, CALL]), mode="force")
    llm.bind_tools([get_weather]).batch(["a", "b"], {"callbacks": tracers, "max_concurrency": 1})
    for tracer in tracers:
        assert [noted(run.metadata)[1] for run in tracer.traced_runs] == [2, 1]


@pytest.mark.parametrize("way", WAYS)
def test_a_trace_holds_no_header_and_the_tools_once(way):
    """Headers of a binding or of a call are redacted, which LangChain's own models do not do."""
    bound = {"extra_headers": {"X-One": SECRET}}
    run = traced("fallback", in_turn(NATIVE), way, **bound)
    assert SECRET not in repr(run)
    assert "toolemu_native" not in repr(run)
    assert "'X-One': '***'" in repr(run["extra"]["invocation_params"])
