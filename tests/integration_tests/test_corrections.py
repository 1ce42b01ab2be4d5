"""Corrections, refusals, loops and limits, against a real server."""

from functools import reduce
from operator import add as plus

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.contract import Recipe
from tests.essence import calls, essence, report
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.ways import WAYS, ask

CALL = '{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}'
BAD_DAYS = CALL.replace("2", '"soon"')
OTHER = '{"name": "get_time", "arguments": {}}'
PARIS = ("get_weather", {"city": "Paris", "days": 2})
REFUSAL = "I'm sorry, but I don't have access to real-time weather data."


def get_weather(city: str, days: int) -> str:
    """Get the weather of a city."""
    return city


def get_time() -> str:
    """Get the time."""
    return "noon"


def round_of(city="Paris", status="success", id_="c1"):
    call = {"name": "get_weather", "args": {"city": city, "days": 2}, "id": id_}
    return [
        AIMessage("", tool_calls=[call]),
        ToolMessage("22 degrees", tool_call_id=id_, status=status),
    ]


def run(replies, messages="Weather in Paris?", choice=None, **kwargs):
    """The message that invoke and stream both give, and the requests it took."""
    with ScriptedServer([*replies, *replies]) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force", **kwargs).bind_tools(
            [get_weather, get_time], tool_choice=choice
        )
        whole = llm.invoke(messages)
        requests = list(server.requests)
        assert len(requests) == len(replies)
        assert essence(reduce(plus, llm.stream(messages))) == essence(whole)
    return whole, requests


TABLE = {
    "arguments that fail the schema are re-asked with the error": (
        ["bad", CALL.replace("2", '"soon"'), CALL],
        {},
        "",
        [PARIS],
        ["validation: bad_arguments"],
    ),
    "arguments that can be repaired without loss are not": (
        ["x", CALL.replace("2", '"2"')],
        {},
        "",
        [PARIS],
        [],
    ),
    "an unknown tool in an explicit call is re-asked with the list": (
        ["x", "<tool_call>" + CALL.replace("get_weather", "weather_now") + "</tool_call>", CALL],
        {},
        "",
        [PARIS],
        ["validation: unknown_tool"],
    ),
    "a refusal is re-asked, and was never said": (
        ["x", REFUSAL, CALL],
        {},
        "",
        [PARIS],
        ["contract: refusal"],
    ),
    "a refusal that stands keeps its first text": (
        ["x", REFUSAL, "I really can't access anything live."],
        {},
        REFUSAL,
        [],
        ["contract: refusal"],
    ),
    "a refusal on grounds of safety is never argued with": (
        ["x", "I can't help with that."],
        {},
        "I can't help with that.",
        [],
        [],
    ),
    "an empty reply is re-asked": (
        ["x", " ", "Hello."],
        {},
        "Hello.",
        [],
        ["contract: empty_reply"],
    ),
    "a cut call is re-asked": (
        ["x", Reply(text=CALL[:40], finish_reason="length"), CALL],
        {},
        "",
        [PARIS],
        ["reader: cut_call"],
    ),
    "an unreadable call is re-asked": (
        ["x", '<tool_call>{"name": "get_weather", "arguments": ]]</tool_call>', CALL],
        {},
        "",
        [PARIS],
        ["reader: unreadable_call"],
    ),
    "another tool than the named one is re-asked": (
        ["x", OTHER, CALL],
        {"choice": "get_weather"},
        "",
        [PARIS],
        ["policy: wrong_tool"],
    ),
    "the same call right after its result is re-asked once": (
        ["x", CALL, "It is 22 degrees."],
        {"messages": [HumanMessage("?"), *round_of()]},
        "It is 22 degrees.",
        [],
        ["policy: doubted_call"],
    ),
    "polling is legitimate: repeated again, it is accepted": (
        ["x", CALL, CALL],
        {"messages": [HumanMessage("?"), *round_of()]},
        "",
        [PARIS],
        ["policy: doubted_call"],
    ),
    "a call after a failed result is no repetition": (
        ["x", CALL],
        {"messages": [HumanMessage("?"), *round_of(status="error")]},
        "",
        [PARIS],
        [],
    ),
    "the same call in a new exchange is no repetition": (
        ["x", CALL],
        {"messages": [HumanMessage("?"), *round_of(), AIMessage("22."), HumanMessage("And now?")]},
        "",
        [PARIS],
        [],
    ),
    "a good call stands beside a re-asked one": (
        ["x", f"{OTHER}\n{BAD_DAYS}", CALL],
        {},
        "",
        [("get_time", {}), PARIS],
        ["validation: bad_arguments"],
    ),
    "a correction that repeats the good call adds it once": (
        ["x", f"{OTHER}\n{BAD_DAYS}", f"{OTHER}\n{CALL}"],
        {},
        "",
        [("get_time", {}), PARIS],
        ["validation: bad_arguments"],
    ),
}


@pytest.mark.parametrize("case", TABLE)
def test_correction(case):
    """Each fault is corrected as the table says, in invoke as in a stream, and its stage is in the metadata."""
    (_, *replies), order, content, made, reasks = TABLE[case]
    message, _ = run(replies, **order)
    assert (message.content, calls(message), report(message)["reasks"]) == (content, made, reasks)


def test_the_failed_reply_and_the_error_are_part_of_the_reask():
    """The model sees what it wrote and what is wrong with it, and each re-ask is stricter."""
    message, requests = run([BAD_DAYS, BAD_DAYS, CALL])
    first, second = (request["messages"][-2:] for request in requests[1:])
    assert first[0] == {"role": "assistant", "content": BAD_DAYS}
    assert "days: expected integer" in first[1]["content"]
    assert len(second[1]["content"]) > len(first[1]["content"])
    assert calls(message) == [PARIS]


def test_two_values_for_one_are_asked_for_as_two_calls():
    """A model that writes two cities as one value is told to make a call for each, and both are made."""
    two = CALL.replace('"Paris"', '["Paris", "Rome"]')
    message, requests = run([two, f"{CALL}\n{CALL.replace('Paris', 'Rome')}"])
    assert "city takes one value: make one call for each." in requests[1]["messages"][-1]["content"]
    assert calls(message) == [PARIS, ("get_weather", {"city": "Rome", "days": 2})]


def test_arguments_that_still_fail_are_passed_on():
    """After the budget the agent gets the call, so that the ToolNode can answer with the error; a warning says why."""
    message, _ = run([BAD_DAYS] * 3)
    assert calls(message) == [("get_weather", {"city": "Paris", "days": "soon"})]
    assert any("days: expected integer" in warning for warning in report(message)["warnings"])


def test_a_stop_sequence_that_cut_the_call_is_left_out_of_the_reask():
    """The caller's stop sequences go with the first request and not with the one that mends what they cut."""
    with ScriptedServer([CALL[:40], CALL]) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather])
        message = llm.invoke("?", stop=["\n"])
        stops = [request.get("stop") for request in server.requests]
    assert stops == [["\n"], None]
    assert calls(message) == [PARIS]


def test_no_refusal_is_suspected_once_results_are_there():
    """After a result, a reply that says what it lacks is an answer."""
    message, _ = run([REFUSAL], [HumanMessage("?"), *round_of()])
    assert message.content == REFUSAL


def test_a_refusal_is_not_shown_before_it_is_decided():
    """In a stream nothing of a refusal that is then re-asked is ever shown."""
    with ScriptedServer([Reply(text=list(REFUSAL)), CALL]) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather])
        shown = [chunk.content for chunk in llm.stream("?") if chunk.content]
    assert shown == []


def test_after_so_many_rounds_the_answer_is_asked_for():
    """At the limit of rounds one request without tools asks for the answer from what was gathered."""
    history = [
        HumanMessage("?"),
        *(
            message
            for number in range(3)
            for message in round_of(f"City {number}", id_=f"c{number}")
        ),
    ]
    message, (request,) = run(["All are warm."], history, max_tool_rounds=3)
    assert "get_weather(city" not in request["messages"][0]["content"]
    assert "3 rounds" in request["messages"][-1]["content"]
    assert message.content == "All are warm."
    _, (request,) = run(["Not yet."], history, max_tool_rounds=4)
    assert "get_weather(city" in request["messages"][0]["content"]


def test_a_forced_choice_wins_over_the_limit_of_rounds():
    """A call that is demanded is asked for whatever the rounds."""
    history = [HumanMessage("?"), *round_of("Rome")]
    message, _ = run([CALL], history, choice="any", max_tool_rounds=1)
    assert calls(message) == [PARIS]


@pytest.mark.parametrize(
    ("replies", "content", "reasks"),
    [
        ([CALL, "It was 22 degrees."], "It was 22 degrees.", ["contract: imitated_call"]),
        ([CALL, CALL], "", ["contract: imitated_call"]),
        ([f"It was 22 degrees.\n{CALL}"], "It was 22 degrees.\n", []),
        (["It was 22 degrees."], "It was 22 degrees.", []),
    ],
)
def test_a_call_without_tools_bound_is_never_returned(replies, content, reasks):
    """Models imitate the calls in their history: without tools on offer a call is re-asked once for prose."""
    with ScriptedServer([*replies, *replies]) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        whole, summed = (
            llm.invoke([HumanMessage("?"), *round_of()]),
            reduce(plus, llm.stream([HumanMessage("?"), *round_of()])),
        )
    assert essence(whole) == essence(summed)
    assert (whole.content, whole.tool_calls, report(whole)["reasks"]) == (content, [], reasks)


def test_long_results_are_cut_and_say_so():
    """A result over the limit is cut in the projection, with a note of how much."""
    history = [HumanMessage("?"), *round_of()[:1], ToolMessage("x" * 100, tool_call_id="c1")]
    _, (request,) = run(["Fine."], history, max_tool_result_chars=10)
    assert "xxxxxxxxxx\n[cut: 10 of 100 characters are shown]" in request["messages"][-1]["content"]


def test_a_model_without_a_system_role_gets_the_contract_from_the_user():
    """`Recipe(place="user")` puts the system message and the contract into the first user message."""
    _, (request,) = run(
        ["Hi."], [SystemMessage("Be kind."), HumanMessage("Hello.")], contract=Recipe(place="user")
    )
    assert request["messages"][0]["role"] == "user"
    assert request["messages"][0]["content"].startswith("Be kind.\n\nYou can call tools.")
    assert request["messages"][0]["content"].endswith("Hello.")


def test_examples_of_your_own_replace_ours():
    """Pairs of messages given as examples are told where the recipe tells its own: in the rules, or as turns."""
    _, (request,) = run(["Hi."], contract=Recipe(examples=(("2+2?", "4"),)))
    assert request["messages"][0]["content"].endswith("User: 2+2?\nAssistant: 4")
    _, (request,) = run(["Hi."], contract=Recipe(examples=(("2+2?", "4"),)), model_size=0.1)
    assert [message["content"] for message in request["messages"][1:3]] == ["2+2?", "4"]


def test_an_object_that_was_asked_for_is_the_answer():
    """A model that goes on writing an object like a call, where JSON was asked for, answers with it."""
    wanted = '{"name": "Ann", "arguments": {"age": 3}}'
    message, requests = run([wanted, wanted], "Fill in: {'name': ...}, as JSON.")
    assert (calls(message), message.content) == ([], wanted)
    assert len(requests) == 2


# --- the decision flow ---


NONE = '{"name": "none", "arguments": {}}'
REFUSAL = "I'm sorry, but I can't access real-time weather data."


def test_a_decision_to_call_costs_one_request_and_no_prose():
    """In the decision flow a call comes alone, after one request that saw the whole conversation."""
    said = [SystemMessage("Be brief."), HumanMessage("Weather in Paris?")]
    message, (request,) = run([f"I think so.\n{CALL}"], said, flow="decision")
    assert calls(message) == [PARIS]
    assert message.content == ""
    system, question = (one["content"] for one in request["messages"])
    assert system.startswith("Be brief.\n\nDecide whether")
    assert question.startswith("Weather in Paris?")


def test_a_decision_not_to_call_is_followed_by_the_answer():
    """No call wanted: the original messages go out without a word of ours, and the answer streams."""
    message, (decision, answer) = run([NONE, "Hello there."], flow="decision")
    assert message.content == "Hello there."
    assert "Decide" in decision["messages"][0]["content"]
    assert answer["messages"] == [{"role": "user", "content": "Weather in Paris?"}]


DECIDED_ELSEWHERE = {
    "a call is demanded": ([CALL], {"choice": "any"}),
    "a result has come": ([CALL], {"messages": [HumanMessage("?"), *round_of("Rome")]}),
    "no call may be made": (["Hi."], {"choice": "none"}),
}


@every_row(("replies", "asked"), DECIDED_ELSEWHERE.values())
def test_there_is_nothing_to_decide(replies, asked):
    """Where a call is certain, forbidden, or the next step of a task, no request decides."""
    _, requests = run(replies, flow="decision", **asked)
    assert not any("Decide" in one["content"] for one in requests[0]["messages"])


@pytest.mark.parametrize("choice", ["any", "get_weather"])
def test_bare_arguments_are_a_call_of_the_only_tool_demanded(choice):
    """Where one tool must be called, an object that fits its schema is its arguments."""
    with ScriptedServer(['{"city": "Paris", "days": 2}']) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        message = llm.bind_tools([get_weather], tool_choice=choice).invoke("?")
    assert calls(message) == [PARIS]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["fallback", "force"])
@pytest.mark.parametrize("support", [None, "native"])
def test_words_and_a_call_of_an_unknown_tool_are_asked_about(mode, support, way):
    """In both modes, also of a model that calls natively, the words stand, and the call that is asked for instead is made."""
    unknown = '<tool_call>{"name": "look_up", "arguments": {"place": "Paris"}}</tool_call>'
    with ScriptedServer([f"Let me look.\n{unknown}", CALL]) as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode, tool_support=support)
        message = ask(
            llm.bind_tools([get_weather]), "What is the weather in Paris for 2 days?", way
        )
        assert len(server.requests) == 2
    assert (message.content, calls(message)) == ("Let me look.\n", [PARIS])
