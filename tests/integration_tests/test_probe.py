"""Probes: what one to three short requests tell, over real HTTP on loopback."""

import pytest
from langchain_core.language_models import FakeListChatModel

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import (
    Capability,
    aprobe_tool_support,
    probe_tool_support,
)
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer

CALL = Reply(tool_calls=[("report_number", {"number": 41})])
NO_TOOLS = Reply(status=400, body={"error": {"message": "m does not support tools"}})
NO_CHOICE = Reply(status=400, body={"error": {"message": "m does not support this tool_choice"}})


async def probed(way, llm):
    return probe_tool_support(llm) if way == "sync" else await aprobe_tool_support(llm)


WAYS = pytest.mark.parametrize("way", ["sync", "async"])
TABLE = {
    "a call": ([CALL], "native", "it made the call that a probe asked for"),
    "a broken call": ([Reply(tool_calls=[("report_number", "{")])], "native", "it made the call that a probe asked for"),
    "a late call": (["No.", "No.", CALL], "native", "it made the call that a probe asked for"),
    "words, three times": (["No."] * 3, "none", "3 probes asked for a call and none came"),
    "an empty list of calls": ([Reply("", finish_reason="tool_calls")] * 3, "none", "3 probes asked for a call and none came"),
    "a refusal of tools": ([NO_TOOLS], "none", "the provider said: m does not support tools"),
    "a refusal of the choice": ([NO_CHOICE, CALL], "native", "it made the call that a probe asked for"),
    "words, then a cut": (["No.", Reply("Let me think", finish_reason="length")], "unknown", "a probe's reply ended by 'length' before any call"),
    "a filter": ([Reply("", finish_reason="content_filter")], "unknown", "a probe's reply ended by 'content_filter' before any call"),
    "a busy server": ([Reply(status=429, body={"error": {"message": "slow down"}})], "unknown", "a probe failed with OpenAIRateLimitError"),
    "a broken server": ([Reply(status=500, body={"error": {"message": "oops"}})], "unknown", "a probe failed with OpenAIAPIError"),
}  # fmt: skip


@pytest.mark.in_turn
@WAYS
@pytest.mark.parametrize(("script", "verdict", "reason"), TABLE.values(), ids=TABLE)
async def test_what_a_probe_concludes(way, script, verdict, reason):
    """One call is enough for native, three misses for none; a cut and an error that says nothing tell nothing."""
    with ScriptedServer(script) as server:
        llm = server.chat_model()
        support = await probed(way, llm)
        assert len(server.requests) == len(script)
    assert (support.verdict, support.reason) == (verdict, reason)
    assert Capability(llm).known.verdict == verdict


def test_a_probe_demands_its_tool_briefly():
    """Each request forces one tool, limits the reply, and differs from the last so that no cache answers."""
    with ScriptedServer(["No."] * 3) as server:
        llm = server.chat_model(max_tokens=5_000)
        probe_tool_support(llm)
        requests = list(server.requests)
    assert {request["tool_choice"] for request in requests} == {"required"}
    assert {request["max_completion_tokens"] for request in requests} == {256}
    assert len({request["messages"][0]["content"] for request in requests}) == 3
    assert llm.max_tokens == 5_000


def test_a_refused_choice_is_remembered_as_that():
    """A probe that had to do without the choice says so on that axis."""
    with ScriptedServer([NO_CHOICE, CALL]) as server:
        llm = server.chat_model()
        probe_tool_support(llm)
        assert "tool_choice" not in server.requests[1]
    assert Capability(llm).known.supports["tool_choice"].verdict == "none"


@WAYS
async def test_a_class_without_tools_needs_no_request(way):
    """A chat model that cannot bind tools has none."""
    support = await probed(way, FakeListChatModel(responses=[]))
    assert (support.verdict, support.reason) == ("none", "FakeListChatModel has no bind_tools")


@WAYS
@pytest.mark.parametrize(("able", "verdict"), [(True, "native"), (False, "none")])
async def test_ollama_can_be_probed(way, able, verdict):
    """ChatOllama's limit has another name, and its choice is no choice."""
    capabilities = ["completion", "tools"] if able else ["completion"]
    call = ("report_number", {"number": 41})
    with ScriptedOllama(capabilities=capabilities, tool_calls=[call]) as server:
        assert (await probed(way, server.chat_model())).verdict == verdict
    assert server.requests[0]["options"]["num_predict"] == 256


class Choosy(FakeListChatModel):
    """A chat model whose `bind_tools` knows no choice, or nothing at all."""

    able: bool = True

    def bind_tools(self, tools, **kwargs):
        if kwargs or not self.able:
            raise TypeError("unexpected keyword argument")
        return self.bind(tools=tools)


@pytest.mark.parametrize(
    ("able", "verdict", "reason"),
    [
        (True, "none", "3 probes asked for a call and none came"),
        (False, "unknown", "bind_tools failed: unexpected keyword argument"),
    ],
)
def test_a_class_that_knows_no_choice_is_probed_without(able, verdict, reason):
    """A `bind_tools` that takes no choice is used without; one that fails anyhow tells nothing."""
    support = probe_tool_support(Choosy(responses=["No."], able=able))
    assert (support.verdict, support.reason) == (verdict, reason)


def test_a_wrapper_is_probed_through():
    """What is probed is the wrapped model: the wrapper's own tools always work."""
    with ScriptedServer(["No."] * 3) as server:
        llm = server.chat_model()
        assert probe_tool_support(ChatToolEmu(llm=llm)).verdict == "none"
    assert Capability(llm).known.verdict == "none"
