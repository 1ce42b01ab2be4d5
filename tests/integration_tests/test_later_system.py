"""Servers that refuse a later system message: each request still begins with the one before it."""

import json
import re
import warnings
from itertools import pairwise, takewhile

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability.knowledge import Capability
from tests.refusing_servers import BOOK, openai_error
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.thoroughness import share
from tests.ways import WAYS, ask

TURNS = 12
PROMPT = "You are a travel agent."
MODES = ("fallback", "force")


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def roles(body):
    return [message["role"] for message in body["messages"]]


def later(body):
    return "system" in roles(body)[1:]


def system(body):
    return "system" in roles(body)


def unordered(body):
    """User and assistant do not take turns, or the user speaks after a result."""
    talk = [role for role in roles(body) if role != "system"]
    wrong = {("user", "user"), ("assistant", "assistant"), ("tool", "user")}
    return talk[0] != "user" or not wrong.isdisjoint(pairwise(talk))


def template(words, status=400):
    return Reply(status=status, body={"object": "error", "message": words, "code": status})


FIRST_ONLY = "System message must be at the beginning."
ALTERNATE = (
    "After the optional system message, conversation roles must alternate user/assistant/user/..."
)
LLAMA = {
    "code": 500,
    "message": "Unable to generate parser for this template. Automatic parser generation failed: \n"
    "------------\nWhile executing CallExpression at line 85, column 32 in source:\n"
    f"Error: Jinja Exception: {FIRST_ONLY}",
    "type": "server_error",
}
ROLE = {
    "type": "literal_error",
    "loc": ["body", "messages", 2, "role"],
    "msg": "Input should be 'user' or 'assistant'",
    "input": "system",
}
MISTRAL = (
    "Only user and assistant roles are supported, with the exception of an initial optional system "
    "message!"
)
DASHSCOPE = "Role specification invalid, please refer to API documentation."
GEMMA = (system, template("System role not supported"))
LATER, ORDER, ALL = {"later_system"}, {"message_order"}, {"later_system", "system_role"}


def several(body):
    return roles(body).count("system") > 1


def either(body):
    return later(body) or unordered(body)


# What is refused, in which words, in the order of the server's checks; what is remembered of it.
REFUSED = {
    "Qwen": ([(later, template(FIRST_ONLY))], LATER),
    "llama.cpp": ([(later, Reply(status=500, body={"error": LLAMA}))], LATER),
    "a schema": ([(later, Reply(status=422, body={"detail": [ROLE]}))], LATER),
    "Mistral's API": ([(later, openai_error("Unexpected role 'system' after role 'user'"))], LATER),
    "DashScope": ([(later, openai_error(DASHSCOPE))], LATER),
    "one only": ([(several, openai_error("more than one system instruction"))], LATER),
    "not a word of it": ([(later, openai_error("Bad Request"))], LATER),
    "Mistral's template": (
        [(later, template(MISTRAL)), (unordered, template(ALTERNATE, 500))],
        LATER | ORDER,
    ),
    "turns alone": ([(either, template(ALTERNATE))], LATER | ORDER),
    "Gemma": ([GEMMA], ALL),
    "Gemma, in turns": ([GEMMA, (unordered, template(ALTERNATE))], ALL | ORDER),
    "none, not a word of it": ([(system, openai_error("Bad Request"))], ALL),
}
SERVERS = {name: checks for name, (checks, _) in REFUSED.items()}


def refused_by(checks, body):
    return next((reply for refuses, reply in checks if refuses(body)), None)


def playing(checks):
    """A server that books a room for each question, and says so after the result."""

    def play(body):
        if refused := refused_by(checks, body):
            return refused
        asked, booked = (
            {*re.findall(pattern, str(body["messages"]))}
            for pattern in (r"Room (\d+)", r"Booked: room (\d+)")
        )
        if asked == booked:
            return "It is booked."
        args = {"city": "Paris"}
        if "tools" in body:
            return Reply(tool_calls=[("book", args)])
        return f"```json\n{json.dumps({'name': 'book', 'arguments': args})}\n```"

    return play


def talk_with(llm, way, turns=TURNS, reminds=True):
    """Turns of a call and a reminder, which stands after the question or the result, or before."""
    talk = [SystemMessage(PROMPT)]
    for turn in range(turns):
        reminder = [SystemMessage(f"Reminder {turn}: the list is empty.")] if reminds else []
        question = HumanMessage(f"Room {turn}, please, in Paris, with a view of the river.")
        talk += [*reminder, question] if turn % 3 == 2 else [question]
        talk += reminder if turn % 3 == 0 else []
        reply = ask(llm, talk, way)
        (call,) = reply.tool_calls
        talk += [reply, ToolMessage(f"Booked: room {turn}.", tool_call_id=call["id"])]
        talk += reminder if turn % 3 == 1 else []
        answer = ask(llm, talk, way)
        assert answer.content == "It is booked."
        talk.append(answer)
    return talk


def share_kept(before, after):
    """How much of what one request said the next one begins with."""
    written, rest = (json.dumps(body["messages"]) for body in (before, after))
    same = takewhile(lambda pair: pair[0] == pair[1], zip(written, rest, strict=False))
    return sum(1 for _ in same) / len(written)


def kept_at_least(checks, requests):
    """The least that a prompt cache can use, once three turns have taught what is refused."""
    taken = [body for body in requests if not refused_by(checks, body)][6:]
    assert len(taken) > TURNS
    return min(share_kept(before, after) for before, after in pairwise(taken))


WAYS_IN_TURN = [
    (name, mode, way)
    for number, (name, mode) in enumerate((name, mode) for name in SERVERS for mode in MODES)
    for way in share(WAYS, number // 2 + number % 2, len(WAYS))
]


@pytest.mark.parametrize(("name", "mode", "way"), WAYS_IN_TURN)
def test_each_request_begins_with_the_one_before_it(name, mode, way):
    """With a reminder a turn, whichever words refuse it; only what was refused is remembered."""
    checks, natively = REFUSED[name]
    in_text = natively & {"system_role"}  # in text there are no later ones, and roles take turns
    with ScriptedServer(playing(checks)) as server:
        model = server.chat_model(max_retries=0)
        talk = talk_with(ChatToolEmu(model, mode=mode).bind_tools([BOOK]), way)
        known = Capability(model).known
    assert kept_at_least(checks, server.requests) >= 0.95
    refused = [number for number, body in enumerate(server.requests) if refused_by(checks, body)]
    assert len(refused) <= 5
    assert not any(number > 11 for number in refused)
    assert known.lacks == (natively if mode == "fallback" else in_text)
    assert ("tools" in server.requests[-1]) == (mode == "fallback")
    sent = json.dumps(server.requests[-1]["messages"])
    places = [sent.index(one.text.strip()) for one in talk if one.type in ("system", "human")]
    assert places == sorted(places)


def test_the_first_system_message_stays():
    """Only the later one goes: into the user's message before it, else to one of the user's own."""
    checks = SERVERS["Qwen"]
    with ScriptedServer(playing(checks)) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools([BOOK])
        talk_with(llm, "invoke", 3)
    sent = server.requests[-1]["messages"]
    assert sent[0] == {"role": "system", "content": PROMPT}
    kinds = [
        (one["role"], [word for word in ("Room", "Reminder") if word in str(one["content"])])
        for one in sent[1:]
        if one["role"] == "user"
    ]
    asked, told = ("user", ["Room"]), ("user", ["Reminder"])
    assert kinds == [("user", ["Room", "Reminder"]), asked, told, told, asked]
    assert all("[System message]" in str(one) for one in sent if "Reminder" in str(one))


def test_where_roles_alternate_it_is_part_of_the_result():
    """The user may not speak after one, and nobody else has to say anything."""
    checks = SERVERS["Mistral's template"]
    with ScriptedServer(playing(checks)) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools([BOOK])
        talk_with(llm, "stream")
    sent = server.requests[-1]["messages"]
    assert any(one["role"] == "tool" and "Reminder" in str(one["content"]) for one in sent)
    assert roles(server.requests[-1]).count("assistant") == 2 * TURNS - 1


@every_row("way", WAYS)
def test_a_server_that_takes_them_is_sent_them(way):
    """As the wrapped model sends them by itself, letter for letter."""
    with ScriptedServer(playing([])) as server:
        llm = server.chat_model(max_retries=0)
        for own in (ChatToolEmu(llm), llm):
            talk_with(own.bind_tools([BOOK]), way)
    half = len(server.requests) // 2
    plain = [_without_ids(body) for body in server.requests]
    assert plain[:half] == plain[half:]
    assert roles(server.requests[-1]).count("system") == TURNS + 1


def _without_ids(body):
    ids = {call["id"]: f"c{number}" for number, call in enumerate(
        call for one in body["messages"] for call in one.get("tool_calls") or ()
    )}  # fmt: skip
    written = json.dumps(body)
    for id_, plain in ids.items():
        written = written.replace(id_, plain)
    return written


def test_a_refused_first_one_is_not_a_refused_later_one():
    """A server that refused only later ones is sent the first one in every conversation."""
    checks = SERVERS["a schema"]
    with ScriptedServer(playing(checks)) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0)).bind_tools([BOOK])
        talk_with(llm, "invoke", 1)
        talk_with(llm, "invoke", 1, reminds=False)
    assert [roles(body)[0] for body in server.requests] == ["system"] * 5


TWICE = [HumanMessage("Hello?"), HumanMessage("Room 1, please."), SystemMessage("Be brief.")]


@every_row(
    ("refuses", "words", "forms"),
    [
        (unordered, ALTERNATE, ORDER),
        (later, "Unexpected role 'system' after role 'user'", LATER),
        (either, ALTERNATE, LATER | ORDER),
    ],
)
def test_no_more_is_remembered_than_was_refused(refuses, words, forms):
    """The order of the others, the later system message, or both, where words could mean either."""
    checks = [(refuses, openai_error(words))]
    with ScriptedServer(playing(checks)) as server:
        model = server.chat_model(max_retries=0)
        llm = ChatToolEmu(model).bind_tools([BOOK])
        assert llm.invoke([SystemMessage(PROMPT), *TWICE]).tool_calls
        assert Capability(model).known.lacks == forms
        assert len(server.requests) == 1 + len(forms)


CLIENTS = [
    ValueError("Received multiple non-consecutive system messages."),
    ValueError(f"Unexpected message with type {SystemMessage} at the position 2."),
]


@every_row("error", CLIENTS)
def test_a_client_that_refuses_one_itself(error, monkeypatch):
    """LangChain's clients of Anthropic and Google raise before they send anything."""
    with ScriptedServer(playing([])) as server:
        model = server.chat_model(max_retries=0)
        own = type(model)._get_request_payload

        def checked(self, messages, **kwargs):
            if any(isinstance(message, SystemMessage) for message in messages[1:]):
                raise error
            return own(self, messages, **kwargs)

        monkeypatch.setattr(type(model), "_get_request_payload", checked)
        llm = ChatToolEmu(model).bind_tools([BOOK])
        talk = talk_with(llm, "invoke", 1)
    assert isinstance(talk[-1], AIMessage)
    assert all("tools" in body for body in server.requests)
