"""More tools than can be described: those that may be meant are, and each of the others can be called by its name."""

import itertools
import json
from pathlib import Path

import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool

from langchain_toolemu import ChatToolEmu, Recipe, get_toolemu_callback
from langchain_toolemu.contract.size import estimate_tokens
from tests.essence import calls, report
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.thoroughness import share
from tests.ways import WAYS, ask

REAL = json.loads((Path(__file__).parents[1] / "real_tools.json").read_text())
VERBS = ("get", "list", "add", "remove", "rename", "share", "export", "archive", "count", "compare")
THINGS = (
    "invoice", "contract", "photo", "playlist", "recipe", "parcel", "meeting", "holiday", "vehicle", "sensor", "ticket",
    "survey", "budget", "garden", "course", "museum", "patient", "auction", "molecule", "bridge",
)  # fmt: skip


def tool(verb, thing):
    said = f"{verb.capitalize()} a {thing} of the account, with all that is known of it, if there is one."
    parameters = {
        "type": "object",
        "properties": {
            f"{thing}_id": {"type": "string", "description": f"Which {thing} is meant."},
            "format": {"type": "string", "enum": ["short", "long"]},
        },
        "required": [f"{thing}_id"],
    }
    return {"type": "function", "function": {"name": f"{verb}_{thing}", "description": said, "parameters": parameters}}  # fmt: skip


TOOLS = [tool(verb, thing) for thing, verb in itertools.product(THINGS, VERBS)]
NAMES = [one["function"]["name"] for one in TOOLS]


def args_of(name):
    return {f"{name.partition('_')[2]}_id": "A-1"}


def write(name, args):
    return json.dumps({"name": name, "arguments": args})


def heard(request):
    return "\n".join(str(message["content"]) for message in request["messages"])


def forced(server, **kwargs):
    return ChatToolEmu(server.chat_model(), mode="force", **kwargs)


def described(text):
    """The tools whose signature is in a text."""
    return {name for name in NAMES if f"{name}(" in text}


# --- every tool can be called ---

CALLED = share(NAMES, 0, 5)  # each where there is time


def test_each_of_200_tools_is_called_by_its_name():
    """Though nothing but the names was told: a call that fits is made."""
    with ScriptedServer([write(name, args_of(name)) for name in CALLED]) as server:
        llm = forced(server).bind_tools(TOOLS)
        found = [calls(llm.invoke("Do what you were told, with A-1.")) for _ in CALLED]
        assert described("\n".join(map(heard, server.requests))) == set()
    assert found == [[(name, args_of(name))] for name in CALLED]


def test_each_of_200_tools_is_described_to_a_model_that_guessed_wrong():
    """A call that does not fit is asked for again, with the description of its tool."""

    def told(request):
        shown = described(request["messages"][-1]["content"])
        name = next(names)[0] if not shown else shown.pop()
        return write(name, args_of(name) if shown is not None and "does not fit" in heard(request) else {})  # fmt: skip

    names = iter([(name,) for name in CALLED])
    with ScriptedServer(told) as server:
        llm = forced(server).bind_tools(TOOLS)
        messages = [llm.invoke("Do what you were told, with A-1.") for _ in CALLED]
    assert [calls(message) for message in messages] == [[(name, args_of(name))] for name in CALLED]
    assert all(report(message)["reasks"] == ["validation: bad_arguments"] for message in messages)


@pytest.mark.in_turn
@every_row("way", WAYS)
@pytest.mark.parametrize("flow", ["inline", "decision"])
@pytest.mark.parametrize("kind", [ScriptedServer, ScriptedOllama])
def test_a_guess_is_corrected_in_every_way(kind, flow, way):
    """Whole and streamed, in one request and with a decision before."""
    wrong, right = (
        write("count_bridge", {"name": "A-1"}),
        write("count_bridge", {"bridge_id": "A-1"}),
    )
    replies = [wrong, right]
    with kind(lambda request: replies.pop(0)) as server:
        llm = forced(server, flow=flow).bind_tools(TOOLS)
        message = ask(llm, "Do what you were told, with A-1.", way)
        first, second = map(heard, server.requests)
    assert calls(message) == [("count_bridge", {"bridge_id": "A-1"})]
    assert (described(first), described(second)) == (set(), {"count_bridge"})


def test_a_guess_is_corrected_as_often_as_other_calls():
    """After the last re-ask the call is given as it is, with a warning."""
    with ScriptedServer([write("count_bridge", {})] * 2) as server:
        llm = forced(server, max_reasks=1).bind_tools(TOOLS)
        message = llm.invoke("Do what you were told, with A-1.")
    assert calls(message) == [("count_bridge", {})]
    assert "count_bridge: bridge_id: required, but missing" in report(message)["warnings"]


def test_an_unknown_name_is_answered_with_those_like_it():
    """Of many tools, the correction names those first whose words the wrong name has."""
    right = write("count_bridge", {"bridge_id": "A-1"})
    with ScriptedServer([write("bridges_counting_api", {}), right]) as server:
        message = forced(server).bind_tools(TOOLS).invoke("Do what you were told, with A-1.")
        last = server.requests[1]["messages"][-1]["content"]
    assert calls(message) == [("count_bridge", {"bridge_id": "A-1"})]
    assert "only these tools can: count_bridge, " in last
    assert "and 170 others that were listed" in last


# --- what is described ---


def test_the_tools_that_may_be_meant_are_described():
    """With the message that may mean them; every name is in the system message; the report counts."""
    with ScriptedServer(["It is fine."]) as server, get_toolemu_callback() as counted:
        message = forced(server).bind_tools(TOOLS).invoke("Please rename my playlist 7.")
        system, user = (one["content"] for one in server.requests[0]["messages"])
    shown = described(user)
    assert "rename_playlist" in shown
    assert len(shown) <= 8
    assert described(system) <= {NAMES[0]}  # of the example
    assert all(name in system for name in NAMES)
    assert user.endswith("Please rename my playlist 7.")
    told = report(message)
    assert (told["tools_shown"], told["tools_offered"]) == (len(shown), 200)
    assert (counted.total.tools_shown, counted.total.tools_offered) == (len(shown), 200)


def test_few_tools_are_all_described_and_not_counted():
    """The contract of twenty tools is what it always was."""
    with ScriptedServer(["Fine."] * 2) as server:
        for llm in (forced(server), forced(server, contract=Recipe(tools_shown="all"))):
            message = llm.bind_tools(TOOLS[:20]).invoke("Please rename my playlist 7.")
            assert "tools_shown" not in report(message)
    first, second = server.requests
    assert first["messages"] == second["messages"]


@every_row(("most", "count"), [(3, 3), ("all", 200), (None, 5)])
def test_the_number_can_be_set(most, count):
    """`None`: as the model's size says."""
    with ScriptedServer(["Fine."]) as server:
        forced(server, contract=Recipe(tools_shown=most, examples=False)).bind_tools(TOOLS).invoke(
            "Playlist 7?"
        )
        assert len(described(heard(server.requests[0]))) == count


def test_a_demanded_tool_is_described_at_the_end():
    """Whatever the user says; the system message stays as it is."""
    with ScriptedServer([write("count_bridge", args_of("count_bridge")), "Fine."]) as server:
        llm = forced(server)
        message = llm.bind_tools(TOOLS, tool_choice="count_bridge").invoke("Hello!")
        llm.bind_tools(TOOLS).invoke("Hello!")
        (system, last), (same, _) = (one["messages"] for one in server.requests)
    assert calls(message) == [("count_bridge", {"bridge_id": "A-1"})]
    assert described(last["content"]) == {"count_bridge"}
    assert system == same


def test_the_form_of_the_answer_is_always_described():
    """It is part of the list."""
    form = {
        "title": "verdict",
        "description": "What was found.",
        "type": "object",
        "properties": {"found": {"type": "boolean"}},
        "required": ["found"],
    }
    with ScriptedServer(['{"name": "verdict", "arguments": {"found": true}}']) as server:
        llm = forced(server).bind_tools(TOOLS, response_format={"type": "json_schema", "json_schema": {"name": "verdict", "schema": form}})  # fmt: skip
        message = llm.invoke("Hello!")
        assert "verdict(found: boolean)" in server.requests[0]["messages"][0]["content"]
    assert json.loads(message.text) == {"found": True}


def rename_lake(lake: str) -> str:
    """Give a lake another name."""
    return lake


def add_town(town: str) -> str:
    """Add a town to the map."""
    return town


def test_a_deferred_tool_is_listed_by_name_until_it_may_be_needed():
    """LangChain's mark for tools that are loaded later, however few tools there are."""
    tools = [add_town, StructuredTool.from_function(rename_lake, extras={"defer_loading": True})]
    with ScriptedServer(["Fine."] * 2) as server:
        llm = forced(server).bind_tools(tools)
        first, second = (llm.invoke(text) for text in ("Hello!", "Rename the lake."))
        texts = [heard(request) for request in server.requests]
    assert ["rename_lake(lake: string)" in text for text in texts] == [False, True]
    assert all("rename_lake" in text and "add_town(town: string)" in text for text in texts)
    assert [report(one)["tools_shown"] for one in (first, second)] == [1, 2]


def test_a_native_request_is_left_alone():
    """A tool that is not sent natively cannot be called."""
    with ScriptedServer([Reply(tool_calls=[("add_photo", {"photo_id": "A-1"})])]) as server:
        message = ChatToolEmu(server.chat_model()).bind_tools(TOOLS).invoke("Hello!")
        assert len(server.requests[0]["tools"]) == 200
    assert "tools_shown" not in report(message)


def test_the_grammar_admits_every_name():
    """A server that decodes under one lets the model call what is only listed."""
    with ScriptedServer([write("count_bridge", {"bridge_id": "A-1"})]) as server:
        llm = forced(server, contract=Recipe(constraint="grammar")).bind_tools(
            TOOLS, tool_choice="any"
        )
        llm.invoke("Hello!")
        grammar = server.requests[0]["grammar"]
    assert all(name in grammar for name in NAMES)


# --- a conversation ---


def test_a_conversation_of_ten_turns_only_grows():
    """Each request begins as the one before it ended, so that prompt caches hold."""
    history = []
    with ScriptedServer(lambda request: "Fine.") as server:
        llm = forced(server).bind_tools(TOOLS)
        for number, thing in enumerate(THINGS[:10]):
            history.append(HumanMessage(f"What of the {thing} {number}?"))
            llm.invoke(history)
            call = {"name": f"get_{thing}", "args": {f"{thing}_id": "7"}, "id": str(number)}
            history += [AIMessage("", tool_calls=[call]), ToolMessage("Nothing.", tool_call_id=str(number))]  # fmt: skip
            llm.invoke(history)
            history.append(AIMessage("There is none."))
        sent = [request["messages"] for request in server.requests]
    assert len({one[0]["content"] for one in sent}) == 1
    for earlier, later in itertools.pairwise(sent):
        assert later[: len(earlier)] == earlier
    assert described(str(sent[-1])) > described(str(sent[0]))


def test_decisions_begin_alike():
    """What a decision is told of the tools that may be meant stands with the messages, too."""
    none, history = write("none", {}), []
    with ScriptedServer([none, "Fine."] * 3) as server:
        llm = forced(server, flow="decision").bind_tools(TOOLS)
        for thing in THINGS[:3]:
            history.append(HumanMessage(f"What of the {thing}?"))
            history.append(llm.invoke(history))
        decisions = [request["messages"] for request in server.requests[::2]]
    assert len({messages[0]["content"] for messages in decisions}) == 1
    shown = [described(str(messages[1:])) for messages in decisions]
    assert set() < shown[0] < shown[1] < shown[2]


def test_a_window_bounds_what_is_described():
    """In a long conversation the descriptions take a quarter of a known window; what was shown stays."""
    history, counts = [], []
    with ScriptedOllama("Fine.", capabilities=["completion"]) as server:
        llm = ChatToolEmu(server.chat_model(num_ctx=8_192), mode="force").bind_tools(TOOLS)
        for thing in THINGS:
            history += [HumanMessage(f"What of the {thing}?"), AIMessage("There is none.")]
            counts.append(report(llm.invoke(history[:-1]))["tools_shown"])
        sent = [request["messages"] for request in server.requests]
    for earlier, later in itertools.pairwise(sent):
        assert later[: len(earlier)] == earlier
    assert 8 < counts[-1] == counts[-2] < 60


# The estimate is about a sixth too high.
@every_row(("number", "most"), [(60, 1_800), (200, 3_000)])
@pytest.mark.parametrize("model", ["m-1.5b", "m-0.5b", "m"])
def test_the_prompt_stays_small(model, number, most):
    """However many tools there are."""
    with ScriptedServer() as server:
        llm = ChatToolEmu(server.chat_model(model=model), mode="force")
        tools = [*REAL, *TOOLS[: number - len(REAL)]]
        for question in ("Please rename my playlist 7.", "Which pull requests are open?", "Hello!"):
            messages = llm.preview(question, tools=tools)
            assert sum(estimate_tokens(message.text) for message in messages) <= most


# --- a window that is too small for all of them ---


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
def test_tools_that_fit_only_in_text_are_asked_for_there(way):
    """A server that refuses 200 native tools for their length gets the same in text, and from then on nothing else."""

    def answer(request):
        if "tools" in request:
            return Reply(status=400, body={"error": {"message": "request (26498 tokens) exceeds the available context size (8192 tokens)"}})  # fmt: skip
        return write("rename_playlist", args_of("rename_playlist"))

    with ScriptedServer(answer) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools(TOOLS)
        messages = [ask(llm, "Please rename my playlist A-1.", way) for _ in range(2)]
        natively = ["tools" in request for request in server.requests]
    assert [calls(message) for message in messages] == [[("rename_playlist", args_of("rename_playlist"))]] * 2  # fmt: skip
    assert "tools_too_long" in report(messages[0])["warning_codes"]
    assert natively == [True, False, False]


def too_long(window):
    message = f"This model's maximum context length is {window} tokens"
    return Reply(status=400, body={"error": {"message": message, "code": "context_length_exceeded"}})  # fmt: skip


def test_a_rate_limit_in_text_is_told_as_it_is():
    """It says nothing of the tools: the next turn begins as this one did, and goes well."""
    limited = Reply(status=429, body={"error": {"message": "Rate limit reached"}})
    written = write("rename_playlist", args_of("rename_playlist"))
    replies = [too_long(8192), limited, too_long(8192), written]
    with ScriptedServer(replies) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools(TOOLS)
        with pytest.raises(openai.RateLimitError):
            llm.invoke("Please rename my playlist A-1.")
        message = llm.invoke("Please rename my playlist A-1.")
    assert calls(message) == [("rename_playlist", args_of("rename_playlist"))]


@every_row(
    ("question", "window", "natively"),
    [
        ("Hello!", 4_096, [True, False, False]),
        ("Say something of this: " + "It was a fine day. " * 2_500, 25_000, [True, False, True]),
    ],
)
def test_one_long_question_does_not_switch_native_calls_off(question, window, natively):
    """Only tools that do not fit by themselves are asked for in text from then on."""

    def answer(request):
        is_long = len(str(request)) > 4 * window
        return too_long(window) if is_long and "tools" in request else "Hello."

    with ScriptedServer(answer) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0), tool_support="native").bind_tools(TOOLS)
        for asked in (question, "Hello!"):
            llm.invoke(asked)
        assert ["tools" in request for request in server.requests] == natively
