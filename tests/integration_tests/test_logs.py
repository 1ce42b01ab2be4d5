"""What the log holds: at DEBUG the exact requests and raw replies, above it not a word of either."""

import logging
import re
import warnings

import pytest
from langchain_core.messages import HumanMessage, ToolMessage

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.chat_models import diagnostics
from tests.scripted_server import Reply, ScriptedServer, slowly, without_tools
from tests.tables import every_row
from tests.ways import WAYS, ask

QUESTION = "Where did I leave my umbrella?"
SECRET = "sk-never-shown"
CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
BAD = '{"name": "get_weather", "arguments": {"town": 1}}'
NATIVE = Reply(tool_calls=[("get_weather", {"city": "Paris"})])
_LINE = re.compile(r"(request|reply) ([0-9a-f]{8})")


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"sun in {city}"


def now() -> str:
    """Tell the time."""
    return "noon"


@pytest.fixture
def debug(caplog):
    """The lines of exchanges, at DEBUG."""
    with caplog.at_level(logging.DEBUG, "langchain_toolemu"):
        yield lambda: [line for line in caplog.messages if _LINE.match(line)]


@pytest.mark.parametrize("way", WAYS)
def test_each_request_and_each_raw_reply_is_a_line(way, debug):
    """Every message with every word that was sent, the settings, and the reply as it came, re-asks too."""
    said = [f"Well.\n{BAD}", CALL]
    with ScriptedServer([Reply([text[:9], text[9:]]) for text in said]) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force").bind_tools([get_weather], seed=7)
        ask(llm, QUESTION, way, stop=["END"])
        sent = [request["messages"] for request in server.requests]
    lines = debug()
    assert [_LINE.match(line)[1] for line in lines] == ["request", "reply"] * 2
    for request, reply, messages, text in zip(lines[::2], lines[1::2], sent, said, strict=True):
        assert _LINE.match(request)[2] == _LINE.match(reply)[2]
        assert "to scripted: {'stop': ['END'], 'seed': 7}\n[system]" in request
        assert all(message["content"] in request for message in messages)
        assert reply.endswith(f"\n{text}")
    assert lines[0].count(QUESTION) == 1


@pytest.mark.parametrize("way", WAYS)
def test_native_calls_and_tools_are_shown(way, debug):
    """A native request's tools and a native reply's calls are no text, and shown all the same."""
    with ScriptedServer([NATIVE]) as server:
        ask(ChatToolEmu(llm=server.chat_model()).bind_tools([get_weather]), QUESTION, way)
    request, reply = debug()
    assert "'tools': [{'type': 'function'" in request
    assert "get_weather" in reply
    assert "Paris" in reply


def test_a_history_of_calls_is_shown_with_its_ids(debug):
    """What a native request says beside its texts is in the line: calls, ids, names."""
    history = [
        ("user", QUESTION),
        {"role": "assistant", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": "c1", "type": "tool_call"}]},
        {"role": "tool", "content": "sun", "tool_call_id": "c1"},
    ]  # fmt: skip
    with ScriptedServer(["Fine."]) as server:
        ChatToolEmu(llm=server.chat_model(), mode="off").invoke(history)
    assert "[tool] {'tool_call_id': 'c1', 'status': 'success'}\nsun" in debug()[0]
    assert "'tool_calls': [{'name': 'f'" in debug()[0]


@pytest.mark.parametrize("way", ["stream", "astream"])
def test_a_stream_that_breaks_is_shown_as_far_as_it_came(way, debug):
    """The words that came, and the class of the error but none of its words."""
    broken = Reply(["Half a ", "word"], breaks_after=1, body={"error": {"message": SECRET}})
    with ScriptedServer([broken]) as server, pytest.raises(Exception, match=SECRET):
        ask(ChatToolEmu(llm=server.chat_model(), mode="force"), QUESTION, way)
    assert ", broken off by APIError: " in debug()[1]
    assert debug()[1].endswith("\nHalf a ")
    assert SECRET not in "".join(debug())


def test_a_stream_that_is_left_is_shown_as_far_as_it_came(debug):
    """Whoever stops listening closes the stream, and the line is written then."""
    with ScriptedServer([Reply(slowly(["word "] * 20))]) as server:
        stream = ChatToolEmu(llm=server.chat_model(), mode="force").stream(QUESTION)
        next(stream)
        stream.close()
    assert ", broken off by GeneratorExit: " in debug()[1]


@pytest.mark.parametrize("way", WAYS)
def test_keys_and_headers_are_masked_at_debug_too(way, debug):
    """Headers of a binding and of a call reach the provider, and no line."""
    with ScriptedServer(["Hi."]) as server:
        bound = server.chat_model(api_key=SECRET).bind(extra_headers={"X-One": SECRET})
        ask(ChatToolEmu(llm=bound, mode="off"), QUESTION, way, extra_body={"api_key": SECRET})
    assert SECRET not in "".join(debug())
    assert "'extra_headers': {'X-One': '***'}" in debug()[0]


LOUD = {
    "native": ("fallback", lambda _: NATIVE),
    "a check by emulation": ("fallback", lambda _: Reply(f"{QUESTION} I wonder.", usage=None)),
    "a refusal of tools": ("fallback", without_tools(lambda _: CALL)),
    "dropped tools": ("fallback", lambda _: Reply("Yes.", usage={"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2})),
    "rescued": ("fallback", lambda _: f"<tool_call>{CALL}</tool_call>"),
    "re-asked in vain": ("force", lambda _: BAD.replace("1", f'"{QUESTION}"')),
    "an echo": ("fallback", lambda request: CALL if "tools" not in request else Reply(status=400, body={"error": {"message": f'tools are not supported, input: "{QUESTION}"', "input": QUESTION}})),
    "off": ("off", lambda _: QUESTION),
}  # fmt: skip


@pytest.mark.parametrize("case", LOUD)
def test_above_debug_no_line_and_no_warning_holds_a_prompt_a_key_or_a_header(case, caplog):
    """Decisions are told at INFO and in warnings, without a word of what was said or of what opens doors."""
    mode, script = LOUD[case]
    with (
        caplog.at_level(logging.INFO),
        warnings.catch_warnings(record=True) as told,
        ScriptedServer(script) as server,
    ):
        warnings.simplefilter("always")
        inner = server.chat_model(api_key=SECRET, default_headers={"X-One": SECRET})
        llm = ChatToolEmu(llm=inner.bind(extra_headers={"X-Two": SECRET}), mode=mode)
        llm.bind_tools([get_weather]).invoke(QUESTION)
    ours = [line.getMessage() for line in caplog.records if line.name == "langchain_toolemu"]
    shown = "\n".join([*ours, *(str(warning.message) for warning in told)])
    assert ours or mode == "off"
    assert not [word for word in (QUESTION, SECRET, "Paris", "umbrella") if word in shown]


def test_nothing_is_written_where_nobody_reads(monkeypatch, caplog):
    """Above DEBUG neither a request nor a reply is put into words."""
    monkeypatch.setattr(diagnostics, "_request_text", None)
    monkeypatch.setattr(diagnostics, "_reply_text", None)
    with caplog.at_level(logging.INFO), ScriptedServer(lambda _: "Hi.") as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        assert {ask(llm, QUESTION, way).text for way in WAYS} == {"Hi."}
    assert not [line for line in caplog.records if line.levelno == logging.DEBUG]


@every_row("way", WAYS)
def test_each_turn_is_a_line_with_its_round(way, caplog):
    """Round, path, requests and the tools called, and nothing that was said."""
    turns = [
        (NATIVE, "round 1: native, 1 request, calls get_weather"),
        ('<tool_call>{"name": "now", "arguments": {}}</tool_call>', "round 2: rescued, 1 request, calls now"),
        (Reply("Sun."), "round 3: native, 1 request, calls nothing"),
    ]  # fmt: skip
    history = [HumanMessage(QUESTION)]
    with caplog.at_level(logging.DEBUG), ScriptedServer([said for said, _ in turns]) as server:
        caplog.clear()
        llm = ChatToolEmu(llm=server.chat_model(api_key=SECRET)).bind_tools([get_weather, now])
        for _ in turns:
            message = ask(llm, history, way)
            history += [message, *(ToolMessage("sun", tool_call_id=one["id"]) for one in message.tool_calls)]  # fmt: skip
    lines = [line for line in caplog.messages if line.startswith("round ")]
    assert [re.sub(r" of .*?/v1: ", ": ", line) for line in lines] == [line for _, line in turns]
    assert not [word for word in (QUESTION, SECRET, "Paris") if word in "".join(lines)]


FAILING = [
    (Reply(status=503, body={"error": {"message": SECRET}}), "native, 1 request, failed by "),
    (BAD, "emulated, 3 requests, failed by ToolChoiceError"),
]


@every_row("way", WAYS)
@every_row(("said", "words"), FAILING)
def test_a_turn_that_fails_is_a_line_too(said, words, way, caplog):
    """It names the class of the error."""
    mode = "force" if said == BAD else "fallback"
    with caplog.at_level(logging.DEBUG), ScriptedServer(lambda _: said) as server:
        caplog.clear()
        llm = ChatToolEmu(llm=server.chat_model(), mode=mode)
        with pytest.raises(Exception):  # noqa: B017 - each provider has its own
            ask(llm.bind_tools([get_weather, now], tool_choice="now"), QUESTION, way)
    (line,) = [line for line in caplog.messages if line.startswith("round ")]
    assert words in line
    assert SECRET not in line
