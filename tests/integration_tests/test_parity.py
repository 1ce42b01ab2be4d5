"""invoke == ainvoke == sum(stream) == sum(astream) over HTTP: a choice of cases.

What a turn makes of every reply, choice, mode and chunking is tested without I/O, in unit_tests/turn/test_turn.py. Here
the four drivers and a real client are in between.
"""

import pytest

from langchain_toolemu import ChatToolEmu
from tests.essence import four_ways
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.weather import CALL, PARIS, get_weather

SUM = '{"name": "add", "arguments": {"a": 1, "b": 2}}'
TWO = f"One.\n{CALL}\nTwo.\n{CALL.replace('Paris', 'Rome')}\nThree."
CASES = [
    ("prose", "The sky is blue.", "force", "auto"),
    ("prose in fallback", "The sky is blue.", "fallback", "auto"),
    ("prose in off", "The sky is blue.", "off", "auto"),
    ("a call", CALL, "force", "auto"),
    ("a call in fallback", CALL, "fallback", "auto"),
    ("a call that is rescued", f"<tool_call>{CALL}</tool_call>", "fallback", "any"),
    ("two calls with prose between", TWO, "force", "auto"),
    ("two calls with prose between, one named", TWO, "force", "get_weather"),
    ("a call of the other tool", SUM, "force", "get_weather"),
    ("a cut call", Reply(text=CALL[:-12], finish_reason="length"), "force", "auto"),
    ("a cut call that was demanded", Reply(text=CALL[:-12], finish_reason="length"), "force", "any"),
    ("nothing", "", "force", "auto"),
    ("only space", " \n ", "fallback", "any"),
    ("thoughts", f"<think>Maybe {CALL}</think>Done.", "force", "auto"),
    ("unicode", "Grüße, 世界 🌍: " + CALL.replace("Paris", "Zürich 🏔"), "force", "auto"),
    ("a native call", Reply(tool_calls=PARIS), "fallback", "auto"),
    ("a native call in off", Reply(tool_calls=PARIS), "off", "any"),
    ("native prose and two calls", Reply("Look.", [*PARIS, ("add", {"a": 1, "b": 2})]), "fallback", "auto"),
    ("a native call in force", Reply(f"<tool_call>{CALL}</tool_call>", PARIS), "force", "auto"),
]  # fmt: skip


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def bound(server, mode, choice):
    llm = ChatToolEmu(llm=server.chat_model(), mode=mode, on_failure="continue")
    return llm.bind_tools([get_weather, add], tool_choice=choice)


def in_pieces(reply, size=3):
    reply = reply if isinstance(reply, Reply) else Reply(text=reply)
    pieces = [reply.text[start : start + size] for start in range(0, len(reply.text), size)]
    usage = {"prompt_tokens": 500, "completion_tokens": 7, "total_tokens": 507}
    return Reply(
        text=pieces, tool_calls=reply.tool_calls, finish_reason=reply.finish_reason, usage=usage
    )


@pytest.mark.parametrize(
    ("case", "reply", "mode", "choice"), CASES, ids=[case for case, *_ in CASES]
)
def test_the_four_ways_give_one_message(case, reply, mode, choice):
    """Four ways to call, one message."""
    said = in_pieces(reply)
    with ScriptedServer(lambda request: said) as server:
        ways = four_ways(bound(server, mode, choice), "What is the weather in Paris?")
    assert ways["invoke"] == ways["ainvoke"] == ways["stream"] == ways["astream"]


def test_native_arguments_that_are_broken():
    """A stream's arguments have an end that keeps them from being completed; whole ones are as they came."""
    said = in_pieces(Reply(tool_calls=[("get_weather", '{"city": "Pa')]))
    with ScriptedServer(lambda request: said) as server:
        ways = four_ways(bound(server, "fallback", "auto"), "What is the weather in Paris?")
    ((_, cut),) = ways["stream"].pop("invalid")
    ((_, came),) = ways["invoke"].pop("invalid")
    assert cut.startswith(came)
    assert came == '{"city": "Pa'
    assert ways["stream"] == ways["invoke"]


@pytest.mark.parametrize("reply", ["The sky is blue.", CALL, TWO, ""])
def test_the_four_ways_agree_after_a_refusal_of_tools(reply):
    """A turn that starts native and goes on emulated gives one message four ways, too."""
    said = in_pieces(reply)
    with ScriptedServer(without_tools(lambda request: said)) as server:
        ways = four_ways(bound(server, "fallback", "auto"), "What is the weather in Paris?")
    assert ways["invoke"] == ways["ainvoke"] == ways["stream"] == ways["astream"]
