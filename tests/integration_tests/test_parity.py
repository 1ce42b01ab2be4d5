"""invoke == ainvoke == sum(stream) == sum(astream), whatever the reply, the choice, the mode and the chunking."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langchain_toolemu import ChatToolEmu
from tests.essence import four_ways
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.weather import CALL, get_weather

REPLIES = {
    "prose": "The sky is blue.",
    "prose with odd space": "\n  The sky\n\nis blue. \n",
    "a call": CALL,
    "a call with space around it": f"\n\n{CALL}\n",
    "prose, then a call": f"Let me look.\n{CALL}",
    "a call, then prose": f"{CALL}\nThat should do.",
    "two calls with prose between": f"One.\n{CALL}\nTwo.\n{CALL.replace('Paris', 'Rome')}\nThree.",
    "a fenced call": f"```json\n{CALL}\n```",
    "a tagged call": f"<tool_call>\n{CALL}\n</tool_call>",
    "a JSON answer": '{"temperature": 20, "unit": "C"}',
    "a call of no bound tool": CALL.replace("get_weather", "get_time"),
    "a call of the other tool": '{"name": "add", "arguments": {"a": 1, "b": 2}}',
    "a cut call": Reply(text=CALL[:-12], finish_reason="length"),
    "an unreadable call": '<tool_call>{"name": "get_weather", "arguments": {"city" "Paris" ]]</tool_call>',
    "nothing": "",
    "only space": " \n ",
    "cut prose": Reply(text="The sky is", finish_reason="length"),
    "thoughts": f"<think>Maybe {CALL}</think>Done.",
    "unicode": "Grüße, 世界 🌍: " + CALL.replace("Paris", "Zürich 🏔"),
}
NATIVE = {
    "native call": Reply(tool_calls=[("get_weather", {"city": "Paris"})]),
    "native prose and two calls": Reply(
        text="Let me look.",
        tool_calls=[("get_weather", {"city": "Paris"}), ("add", {"a": 1, "b": 2})],
    ),
    "native call with broken arguments": Reply(tool_calls=[("get_weather", '{"city": "Pa')]),
    "native call beside its own text": Reply(
        text=f"<tool_call>{CALL}</tool_call>", tool_calls=[("get_weather", {"city": "Paris"})]
    ),
}
CHOICES = ["auto", "none", "any", "get_weather"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def bound(server, mode, choice, **kwargs):
    llm = ChatToolEmu(llm=server.chat_model(), mode=mode, on_failure="continue", **kwargs)
    return llm.bind_tools([get_weather, add], tool_choice=choice)


def in_pieces(reply, size=3):
    reply = reply if isinstance(reply, Reply) else Reply(text=reply)
    pieces = [reply.text[start : start + size] for start in range(0, len(reply.text), size)]
    usage = {"prompt_tokens": 500, "completion_tokens": 7, "total_tokens": 507}
    return Reply(
        text=pieces, tool_calls=reply.tool_calls, finish_reason=reply.finish_reason, usage=usage
    )


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
@pytest.mark.parametrize("reply", [*REPLIES, *NATIVE])
def test_the_four_ways_give_one_message(reply, mode, choice):
    """A table of replies, choices and modes: four ways to call, one message."""
    said = in_pieces({**REPLIES, **NATIVE}[reply])
    with ScriptedServer(lambda request: said) as server:
        ways = four_ways(bound(server, mode, choice), "What is the weather in Paris?")
    assert ways["ainvoke"] == ways["invoke"]
    assert ways["astream"] == ways["stream"]
    if (
        mode == "off" and "broken" in reply
    ):  # the provider's own two APIs differ here: stream completes partial JSON
        return
    if mode == "fallback" and "broken" in reply:
        # A stream's arguments have an end that keeps them from being completed; whole ones are as they came.
        ((_, cut),) = ways["stream"].pop("invalid")
        ((_, came),) = ways["invoke"].pop("invalid")
        assert cut.startswith(came)
        assert came == '{"city": "Pa'
    assert ways["stream"] == ways["invoke"]


@pytest.mark.parametrize("reply", REPLIES)
def test_the_four_ways_agree_after_a_refusal_of_tools(reply):
    """A turn that starts native and goes on emulated gives one message four ways, too."""
    said = in_pieces(REPLIES[reply])
    with ScriptedServer(without_tools(lambda request: said)) as server:
        ways = four_ways(bound(server, "fallback", "auto"), "What is the weather in Paris?")
    assert ways["invoke"] == ways["ainvoke"] == ways["stream"] == ways["astream"]


@given(
    text=st.lists(
        st.sampled_from(
            [*(t for t in REPLIES.values() if isinstance(t, str)), "\n", "```", "{", "<tool_"]
        ),
        max_size=4,
    ).map("".join),
    cuts=st.lists(st.integers(0, 300), max_size=12),
)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_chunking_gives_the_message_of_the_whole(text, cuts):
    """However a reply is cut into pieces, the stream adds up to what invoke gives."""
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[start:stop] for start, stop in pairwise(edges)]
    with ScriptedServer(lambda request: Reply(text=pieces)) as server:
        ways = four_ways(
            bound(server, "force", "auto", max_reasks=0), "What is the weather in Paris?"
        )
    assert ways["invoke"] == ways["ainvoke"] == ways["stream"] == ways["astream"]
