"""invoke == ainvoke == sum(stream) == sum(astream) over HTTP: a choice of cases.

What a turn makes of every reply, choice, mode and chunking is tested without I/O, in unit_tests/turn/test_turn.py. Here
the four drivers and a real client are in between.
"""

import pytest
from langchain.agents import create_agent

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import forget
from tests.essence import four_ways
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.ways import WAYS, ask
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


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_native_arguments_that_are_broken_are_as_they_came(mode):
    """Four ways a provider's cut arguments are the model's own text with a reason; a whole message has its client's words."""
    said = in_pieces(Reply(tool_calls=[("get_weather", '{"city": "Pa')]))
    with ScriptedServer(lambda request: said) as server:
        ways = four_ways(bound(server, mode, "auto"), "What is the weather in Paris?")
    for message in ways.values():
        ((name, args, error),) = message["invalid"]
        assert (name, args) == ("get_weather", '{"city": "Pa')
        assert error
    assert ways["stream"] == ways["astream"]


CUT = '{"name": "get_weather", "arguments": {"city": "a\\"b"'
UNKNOWN = f"<tool_call>{CALL.replace('get_weather', 'get_time')}</tool_call>"
BROKEN = {
    "cut in a string": (CUT[:-1], "length", CUT[:-1], "the reply ends inside it"),
    "cut after a string": (CUT, "length", CUT, "the reply ends inside it"),
    "in an envelope": (f"<tool_call>{CUT}", "length", f"<tool_call>{CUT}", "the reply ends inside it"),
    "words before it": (f"Let me look. {CUT}", "length", CUT, "the reply ends inside it"),
    "of a tool that does not exist": (UNKNOWN, "stop", UNKNOWN, "get_time"),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_call_is_the_models_own_text_and_a_reason(case, mode):
    """Four ways it holds no character that the model did not write, says why it cannot run, and goes back as it was."""
    text, finish, own, reason = BROKEN[case]
    said = in_pieces(Reply(text=text, finish_reason=finish))
    script = (lambda request: said) if mode == "force" else without_tools(lambda request: said)
    with ScriptedServer(script) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode=mode, max_reasks=0)
        ways = four_ways(llm.bind_tools([get_weather, add]), "What is the weather in Paris?")
        message = llm.bind_tools([get_weather, add]).invoke("What is the weather in Paris?")
    assert ways["invoke"] == ways["ainvoke"] == ways["stream"] == ways["astream"]
    ((_, args, error),) = ways["invoke"]["invalid"]
    assert args == own
    assert reason in error
    sent = llm.preview([("user", "?"), message, ("user", "Well?")], tools=[get_weather])
    assert sent[-2].content.endswith(own)


@pytest.mark.parametrize("reply", ["The sky is blue.", CALL, TWO, ""])
def test_the_four_ways_agree_after_a_refusal_of_tools(reply):
    """A turn that starts native and goes on emulated gives one message four ways, too."""
    said = in_pieces(reply)
    with ScriptedServer(without_tools(lambda request: said)) as server:
        ways = four_ways(bound(server, "fallback", "auto"), "What is the weather in Paris?")
    assert ways["invoke"] == ways["ainvoke"] == ways["stream"] == ways["astream"]


ROME = CALL.replace("Paris", "Rome")
SPOKEN = {
    "call, text, call": (f"{CALL}\nAnd Rome.\n{ROME}", "call text call"),
    "call, text": (f"{CALL}\nSo.", "call text"),
    "words before calls": (
        f"I will look.\n{CALL}\nI will look again.\n{ROME}\nThat is all.",
        "text call text call text",
    ),
    "call, text, call, text": (f"{CALL}\nAnd Rome.\n{ROME}\nSo.", "call text call text"),
    "calls": (f"{CALL}\n{ROME}", "call call"),
    "text": ("The sky is blue.", "text"),
    "a cut call": (Reply(text=f"{CALL}\nAnd {CUT}", finish_reason="length"), "call text invalid"),
    "native calls": (Reply("Look.", [*PARIS, ("add", {"a": 1, "b": 2})]), "text call call"),
}
ENVELOPED = f"<tool_call>{CALL}</tool_call>"
RESCUED = {
    **{case: SPOKEN[case] for case in ("words before calls", "call, text, call")},
    "envelopes": (f"One.\n{ENVELOPED}\nTwo.\n{ENVELOPED}\nThree.", "text call text call text"),
}
_KINDS = {"tool_call": "call", "invalid_tool_call": "invalid", "text": "text"}


def blocks_of(model, messages):
    """The content blocks that each of the four ways gives, without ids and without what only streams number."""
    found = [(forget(), ask(model, messages, way))[1] for way in WAYS]
    kept = ("type", "text", "name", "args", "error")
    return [
        [{key: block[key] for key in kept if key in block} for block in message.content]
        for message in found
    ]


TURNS = [("force", case) for case in SPOKEN]
TURNS += [("fallback", case) for case in (*RESCUED, "native calls", "text", "calls")]


@pytest.mark.in_turn
@pytest.mark.parametrize("whose", ["wrapped", "wrapper"])
@pytest.mark.parametrize(("mode", "case"), TURNS)
def test_content_blocks_have_one_order_four_ways(mode, case, whose):
    """With `output_version="v1"` text and calls stand in the order in which the model wrote them."""
    text, kinds = {**SPOKEN, **(RESCUED if mode == "fallback" else {})}[case]
    said = in_pieces(text)
    inner, outer = ({"output_version": "v1"}, {})[:: 1 if whose == "wrapped" else -1]
    with ScriptedServer(lambda request: said) as server:
        llm = ChatToolEmu(llm=server.chat_model(**inner), mode=mode, max_reasks=0, **outer)
        whole, *others = blocks_of(llm.bind_tools([get_weather, add]), "Weather in Paris?")
    assert others == [whole] * 3
    assert " ".join(_KINDS[block["type"]] for block in whole) == kinds


@pytest.mark.filterwarnings("ignore:.*experimental")
@pytest.mark.parametrize("how", ["messages", "v3"])
def test_a_graph_that_streams_keeps_the_reason(how):
    """LangChain adds the chunks up by itself there: the message in the state is the one that `invoke` gives."""
    said = in_pieces(Reply(text=CUT, finish_reason="length"))
    with ScriptedServer(lambda request: said) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force", max_reasks=0)
        graph = create_agent(llm, [get_weather])
        asked = {"messages": [("user", "What is the weather in Paris?")]}
        if how == "messages":
            *_, state = [part for kind, part in graph.stream(asked, stream_mode=["messages", "values"]) if kind == "values"]  # fmt: skip
        else:
            run = graph.stream_events(asked, version="v3")
            list(run)
            state = run.output
    (call,) = state["messages"][-1].invalid_tool_calls
    assert (call["args"], call["error"]) == (CUT, "the reply ends inside it")
