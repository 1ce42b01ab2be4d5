"""Several calls in one reply; `parallel_tool_calls` and `tool_choice` on clients and servers that do not take them: not sent, and held to all the same."""

import json

import httpx
import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway
from tests.integration_tests.serve.wires import CHAT, MESSAGES, RESPONSES, events_of
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.toy_models import Binding
from tests.ways import WAYS, ask
from tests.weather import PARIS, get_weather

BOTH = [*PARIS, ("get_weather", {"city": "Rome"})]
QUESTION = "What is the weather in Paris and in Rome?"


def cities(message):
    return [call["args"]["city"] for call in message.tool_calls]


@every_row("way", WAYS)
@every_row(("parallel", "expected"), [(False, ["Paris"]), (True, ["Paris", "Rome"])])
def test_ollama_is_not_sent_the_limit_and_is_held_to_it(way, parallel, expected):
    """ChatOllama's client has no such argument; what the caller asks for counts all the same."""
    with ScriptedOllama(tool_calls=BOTH) as server:
        llm = ChatToolEmu(server.chat_model())
        bound = llm.bind_tools([get_weather], parallel_tool_calls=parallel)
        assert cities(ask(bound, QUESTION, way)) == expected
        later = llm.bind_tools([get_weather])
        assert cities(ask(later, QUESTION, way, parallel_tool_calls=parallel)) == expected
    assert len(server.requests) == 2


ONE, OTHER = (f'{{"name": "get_weather", "arguments": {{"city": "{city}"}}}}' for city in ("Paris", "Rome"))  # fmt: skip
WRITTEN = [
    f"{ONE}\n{OTHER}",
    f"{ONE},\n{OTHER}",
    f"[{ONE}, {OTHER}]",
    f"```json\n{ONE}\n```\n```json\n{OTHER}\n```",
    f"```json\n{ONE}\n```\n\nand\n\n```json\n{OTHER}\n```",
    f"```json\n{ONE}\n{OTHER}\n```",
    f"```json\n{ONE},\n{OTHER}\n```",
    f"```json\n[\n  {ONE},\n  {OTHER}\n]\n```",
    f"1. {ONE}\n2. {OTHER}",
    f'{{"tool_calls": [{ONE}, {OTHER}]}}',
]


@every_row("way", WAYS)
@every_row("flow", ["inline", "decision"])
def test_every_way_to_write_two_calls_is_read(way, flow):
    """Whatever the contract asked for, and whether the request only decides or not: both are made, in one request."""
    with ScriptedServer(WRITTEN) as server:
        llm = ChatToolEmu(server.chat_model(), mode="force", flow=flow).bind_tools([get_weather])
        made = [cities(ask(llm, QUESTION, way)) for _ in WRITTEN]
    assert made == [["Paris", "Rome"]] * len(WRITTEN)
    assert len(server.requests) == len(WRITTEN)


@every_row("way", WAYS)
def test_the_limit_holds_for_calls_that_are_doubted(way):
    """Both were answered; if the model says nothing to the question, one is made again, as in a reply without doubts."""
    made = [("get_weather", {"city": "Paris"}), ("get_weather", {"city": "Rome"})]
    asked = [{"name": name, "args": args, "id": args["city"]} for name, args in made]
    results = [ToolMessage("22 degrees", tool_call_id=args["city"]) for _, args in made]
    history = [HumanMessage(QUESTION), AIMessage("", tool_calls=asked), *results]
    written = "\n".join(json.dumps({"name": name, "arguments": args}) for name, args in made)
    with ScriptedServer([written, "", ""]) as server:
        llm = ChatToolEmu(server.chat_model(), mode="force")
        message = ask(llm.bind_tools([get_weather], parallel_tool_calls=False), history, way)
    assert cities(message) == ["Paris"]
    assert "call_surplus" in message.response_metadata["toolemu"]["warning_codes"]


def test_calls_that_come_one_after_the_other_are_all_made():
    """After each result the question is repeated, so that an agent does not stop at its first part."""
    with ScriptedServer([ONE, OTHER, "Both are sunny."]) as server:
        llm = ChatToolEmu(server.chat_model(), mode="force", model_size=1.5)
        said = create_agent(llm, [get_weather]).invoke({"messages": [("user", QUESTION)]})
    made = [
        city for message in said["messages"] if message.type == "ai" for city in cities(message)
    ]
    assert (made, said["messages"][-1].text) == (["Paris", "Rome"], "Both are sunny.")
    later = [request["messages"][-1]["content"] for request in server.requests[1:]]
    assert all(QUESTION in text for text in later)


NONE = ["none", {"type": "none"}]


@every_row("way", WAYS)
@every_row("choice", NONE)
def test_ollama_is_not_offered_tools_that_must_not_be_called(way, choice):
    """ChatOllama never sends a choice: without the tools, the model cannot call one."""
    with ScriptedOllama("Fine.", tool_calls=PARIS) as server:
        llm = ChatToolEmu(server.chat_model())
        for bound, later in [(choice, {}), (None, {"tool_choice": choice})]:
            message = ask(llm.bind_tools([get_weather], tool_choice=bound), QUESTION, way, **later)
            assert (message.text, message.tool_calls) == ("Fine.", [])
    assert not any(request.get("tools") for request in server.requests)


@every_row("way", WAYS)
@every_row("choice", ["any", "get_weather"])
def test_a_demand_on_ollama_is_offered_all_the_same(way, choice):
    """The model may well call by itself."""
    with ScriptedOllama(tool_calls=PARIS) as server:
        llm = ChatToolEmu(server.chat_model()).bind_tools([get_weather], tool_choice=choice)
        assert cities(ask(llm, QUESTION, way)) == ["Paris"]
    assert len(server.requests) == 1


class TakesNoLimit(Binding):
    """A client without such an argument, of which nothing is known before."""

    model: str = "m"
    base_url: str

    def _next(self, messages, stop, kwargs):
        message = super()._next(messages, stop, kwargs)
        if "parallel_tool_calls" in kwargs:
            raise TypeError("create() got an unexpected keyword argument 'parallel_tool_calls'")
        return message


def refuse_limit(request):
    """A server that does not know the field, and a model that makes two calls."""
    if "parallel_tool_calls" not in request:
        return Reply(tool_calls=BOTH)
    said = "Unsupported parameter: 'parallel_tool_calls' is not supported with this model."
    return Reply(status=400, body={"error": {"message": said, "code": "unsupported_parameter"}})


@every_row("way", WAYS)
def test_a_server_that_refuses_the_limit_is_asked_without_it(way):
    """Once in vain, and from then on never again; the reply is held to one call."""
    with ScriptedServer(refuse_limit) as server:
        llm = ChatToolEmu(server.chat_model()).bind_tools([get_weather], parallel_tool_calls=False)
        said = [ask(llm, QUESTION, way) for _ in range(2)]
        sent = ["parallel_tool_calls" in request for request in server.requests]
    assert [cities(message) for message in said] == [["Paris"]] * 2
    assert {message.response_metadata["toolemu"]["path"] for message in said} == {"native"}
    assert sent == [True, False, False]


@every_row("way", WAYS)
def test_a_client_that_has_no_such_argument_is_called_without_it(way):
    """A `TypeError` says so, too."""
    calls = [{"name": name, "args": args, "id": args["city"]} for name, args in BOTH]
    said = AIMessage("", tool_calls=calls)
    inner = TakesNoLimit(said=[said], base_url=f"http://{way}.example.com")
    llm = ChatToolEmu(inner).bind_tools([get_weather], parallel_tool_calls=False)
    assert [cities(ask(llm, QUESTION, way)) for _ in range(2)] == [["Paris"]] * 2
    assert ["parallel_tool_calls" in kwargs for *_, kwargs in inner.heard] == [True, False, False]


SINGLE = {
    "chat": (CHAT, {"parallel_tool_calls": False}),
    "responses": (RESPONSES, {"parallel_tool_calls": False}),
    "messages": (MESSAGES, {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}),
}


@pytest.mark.parametrize("protocol", SINGLE)
@every_row("stream", [False, True])
@every_row("mode", ["fallback", "off"])
def test_the_gateway_in_front_of_ollama_takes_the_limit(protocol, stream, mode):
    """In each protocol one call comes back; in mode off the client's limit is left out, and the answer says so."""
    wire, limit = SINGLE[protocol]
    with (
        ScriptedOllama(tool_calls=BOTH) as upstream,
        gateway(ChatToolEmu(upstream.chat_model(), mode=mode)) as server,
        httpx.Client(trust_env=False) as client,
    ):
        asked = {**wire.ask, **limit, "stream": stream}
        answer = client.post(server.url + wire.path, json=asked)
    assert answer.status_code == 200, answer.text
    whole = wire.add_up(events_of(answer.text)) if stream else wire.essence(answer.json())
    assert ("Rome" in str(whole)) is (mode == "off")
    assert "Paris" in str(whole)
    left_out = answer.headers.get("x-toolemu-dropped", "")
    assert ("parallel_tool_calls" in left_out) is (mode == "off")


REFUSED_CHOICE = {
    "chat": (CHAT, {"tool_choice": "none"}),
    "responses": (RESPONSES, {"tool_choice": "none"}),
    "messages": (MESSAGES, {"tool_choice": {"type": "none"}}),
}


@pytest.mark.parametrize("protocol", REFUSED_CHOICE)
@every_row("stream", [False, True])
def test_the_gateway_in_front_of_ollama_keeps_to_a_choice_of_none(protocol, stream):
    """In each protocol words come back, and no call."""
    wire, choice = REFUSED_CHOICE[protocol]
    with (
        ScriptedOllama("Fine.", tool_calls=BOTH) as upstream,
        gateway(upstream.chat_model()) as server,
        httpx.Client(trust_env=False) as client,
    ):
        asked = {**wire.ask, **choice, "stream": stream}
        answer = client.post(server.url + wire.path, json=asked)
    assert answer.status_code == 200, answer.text
    whole = wire.add_up(events_of(answer.text)) if stream else wire.essence(answer.json())
    assert "Fine." in str(whole)
    assert "Paris" not in str(whole)
    assert not any(request.get("tools") for request in upstream.requests)


@every_row("way", WAYS)
@every_row("mode", ["fallback", "force"])
@every_row(("parallel", "expected"), [(None, ["Paris", "Rome"]), (False, ["Paris"])])
def test_a_named_tool_may_be_called_several_times(way, mode, parallel, expected):
    """Natively a demand for one tool brings as many calls of it as there are things to say; emulated, the same."""

    def script(request):
        return Reply(tool_calls=BOTH) if "tools" in request else f"{ONE}\n{OTHER}"

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode)
        options = {} if parallel is None else {"parallel_tool_calls": parallel}
        bound = llm.bind_tools([get_weather], tool_choice="get_weather", **options)
        assert cities(ask(bound, QUESTION, way)) == expected


@every_row("way", WAYS)
@every_row("mode", ["fallback", "force"])
@every_row("bound", [True, False])
def test_a_choice_may_say_that_one_call_is_enough(way, mode, bound):
    """Anthropic's `disable_parallel_tool_use` is `parallel_tool_calls=False`, bound or handed to one call."""
    choice = {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}
    with ScriptedServer([f"{ONE}\n{OTHER}"]) as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode, tool_support="none")
        now, later = (choice, {}) if bound else ({}, choice)
        message = ask(llm.bind_tools([get_weather], **now), QUESTION, way, **later)
    assert cities(message) == ["Paris"]


STRICT = {"a native call": [("plan", {"city": "Paris"})], "beside another": [("plan", {"city": "Paris"}), *PARIS]}  # fmt: skip


@every_row("mode", ["fallback", "force"])
@every_row("made", STRICT)
def test_a_strict_tool_is_called_without_its_defaults(mode, made):
    """An argument with a default may be left out: one request, and no call is lost."""

    def plan(city: str, nights: int = 1) -> str:
        """Plan a trip to a city."""
        return city + str(nights)

    def script(request):
        if "tools" in request:
            return Reply(tool_calls=STRICT[made])
        return "\n".join(json.dumps({"name": name, "arguments": args}) for name, args in STRICT[made])  # fmt: skip

    with ScriptedServer(script) as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode).bind_tools([plan, get_weather], strict=True)  # fmt: skip
        message = llm.invoke("Plan a trip to Paris. What is the weather in Paris?")
        assert len(server.requests) == 1
    assert [(call["name"], call["args"]) for call in message.tool_calls] == STRICT[made]
    assert not message.invalid_tool_calls
