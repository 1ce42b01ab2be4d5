"""Windows that are too small: what is sent, and what the user is told, on servers that cut, refuse or have enough.

A token is four characters here. The tools are ten real ones over and over, under other names.
"""

import json
import logging
from pathlib import Path

import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu import ChatToolEmu, Recipe, forget_tool_support
from langchain_toolemu.local import LocalServer
from tests.essence import calls, report
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.ways import WAYS, ask

REAL = json.loads((Path(__file__).parents[1] / "real_tools.json").read_text())
QUESTION = "What is in the text notes.txt?"
CALL = '{"name": "read_text_file", "arguments": {"path": "notes.txt"}}'
READ = [("read_text_file", {"path": "notes.txt"})]
EXAMPLES = "Examples of how to reply"
DESCRIBED = "Read the complete contents of a file"  # of the tool that the question speaks of
LONG = "to read only the last N lines"  # the end of its description
OTHER = "Create a new issue"  # of a tool that the question does not speak of


def tools(number):
    """So many tools: the ten, and copies of them under other names."""
    return [_copy(REAL[place % len(REAL)], place // len(REAL)) for place in range(number)]


def _copy(tool, serial):
    function = tool["function"]
    name = f"{function['name']}_{serial}" if serial else function["name"]
    return {**tool, "function": {**function, "name": name}}


def answer(heard):
    """What the model says: it calls a tool that it has heard of."""
    return CALL if "read_text_file(" in heard else "I know of no notes."


def ollama(window, *, tells):
    """A server that cuts off the beginning without a word."""
    return ScriptedOllama(
        lambda body: answer(body["heard"]),
        capabilities=["completion"],
        window=window,
        tells_window=tells,
    )


def llama_server(window, *, tells):
    """A server that refuses what does not fit."""

    def reply(request):
        heard = "\n".join(str(message["content"]) for message in request["messages"])
        tokens = len(heard) // 4
        if tokens > window:
            said = f"request ({tokens} tokens) exceeds the available context size ({window} tokens), try increasing it"
            error = {"code": 400, "message": said, "type": "exceed_context_size_error"}
            return Reply(status=400, body={"error": error})
        return answer(heard)

    props = {
        "chat_template_caps": {"supports_tools": False},
        "default_generation_settings": {"n_ctx": window},
    }
    return ScriptedServer(without_tools(reply), pages={"/props": props} if tells else None)


def sent_to(server):
    """What the last request said."""
    return "\n".join(str(message["content"]) for message in server.requests[-1]["messages"])


def bound(server, number, most="all"):
    """So many tools, all of which are described if they fit, unless they are too many."""
    return ChatToolEmu(llm=server.chat_model(), contract=Recipe(tools_shown=most)).bind_tools(
        tools(number)
    )


def level_of(text):
    """How much of the contract was sent."""
    if EXAMPLES in text:
        return "whole"
    if LONG in text:
        return "without examples"
    return "descriptions cut" if OTHER in text else "details of few"


def told_by(message):
    """The warnings about the window, each by how it begins."""
    kinds = {"the contract was shortened": "shortened", "the contract of": "too large", "the server truncated": "cut"}  # fmt: skip
    found = [
        kind
        for said in report(message)["warnings"]
        for start, kind in kinds.items()
        if said.startswith(start)
    ]
    return " ".join(found)


# The window, the number of tools; what is sent where the window is known, and what is told then.
KNOWN = [
    (2_048, 1, "whole", ""),
    (2_048, 10, "without examples", "shortened"),
    (2_048, 11, "descriptions cut", "shortened"),
    (2_048, 20, "details of few", "shortened"),
    (2_048, 30, "details of few", "shortened too large"),
    (4_096, 10, "whole", ""),
    (4_096, 23, "without examples", "shortened"),
    (4_096, 26, "descriptions cut", "shortened"),
    (4_096, 30, "details of few", "shortened"),
    (8_192, 30, "whole", ""),
    (8_192, 60, "details of few", "shortened"),
    (65_536, 200, "whole", ""),
]


@pytest.mark.in_turn
@pytest.mark.parametrize("kind", [ollama, llama_server])
@pytest.mark.parametrize(("window", "number", "level", "told"), KNOWN)
def test_a_known_window(kind, window, number, level, told):
    """The contract is made to fit, which is told; every tool's signature is sent, and the model can call."""
    with kind(window, tells=True) as server:
        message = bound(server, number).invoke(QUESTION)
        text = sent_to(server)
    assert (level_of(text), told_by(message)) == (level, told)
    assert all(f"\n{tool['function']['name']}(" in text for tool in tools(number))
    assert DESCRIBED in text
    assert calls(message) == READ


SHORT = [
    (2_048, 20, "shortened"),
    (2_048, 30, "shortened"),
    (2_048, 60, "shortened"),
    (4_096, 30, ""),
    (4_096, 200, ""),
]


@pytest.mark.in_turn
@pytest.mark.parametrize("kind", [ollama, llama_server])
@pytest.mark.parametrize(("window", "number", "told"), SHORT)
def test_a_shortlist_fits_where_all_tools_do_not(kind, window, number, told):
    """Every tool's name is sent, the tool that is spoken of is described, and the model can call."""
    with kind(window, tells=True) as server:
        message = bound(server, number, None).invoke(QUESTION)
        text = sent_to(server)
    assert told_by(message) == told
    assert all(tool["function"]["name"] in text for tool in tools(number))
    assert DESCRIBED in text
    assert calls(message) == READ


@pytest.mark.in_turn
@pytest.mark.parametrize("kind", [ollama, llama_server])
@pytest.mark.parametrize(("window", "number"), [(2_048, 10), (4_096, 30), (32_768, 60)])
def test_an_unknown_window_that_is_large_enough(kind, window, number):
    """Nothing is left out, and nothing is told."""
    with kind(window, tells=False) as server:
        llm = bound(server, number)
        messages = [llm.invoke(QUESTION) for _ in range(3)]
        assert level_of(sent_to(server)) == "whole"
    assert [(calls(message), told_by(message)) for message in messages] == [(READ, "")] * 3


# The window, the number of tools, whether the server tells its window; whether the shortened contract can be read.
CUT = [
    (2_048, 45, False, True),
    (2_048, 60, False, True),
    (4_096, 90, False, True),
    (2_048, 200, False, False),
    (2_048, 200, True, False),
]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("window", "number", "tells", "helps"), CUT)
def test_a_server_that_cuts(window, number, tells, helps, way, caplog):
    """After the first turn that is cut off, the contract is shortened to what was read, each turn says so, and the log once."""
    with caplog.at_level(logging.WARNING, "langchain_toolemu"), ollama(window, tells=tells) as server:  # fmt: skip
        llm = bound(server, number)
        messages = [ask(llm, QUESTION, way) for _ in range(3)]
        lengths = [len(str(request["messages"])) for request in server.requests]
    assert [calls(message) for message in messages] == [[], *[READ if helps else []] * 2]
    assert tells or (lengths[1] == lengths[2] and lengths[1] < lengths[0] / 2)
    told = [told_by(message) for message in messages]
    assert [("shortened" in one, "cut" in one) for one in told] == [(tells, False), *[(True, True)] * 2]  # fmt: skip
    (line,) = [record.getMessage() for record in caplog.records]
    read = f"truncated an earlier prompt, and read only {window:,} tokens of it"
    assert read in line
    assert "num_ctx or OLLAMA_CONTEXT_LENGTH" in line
    assert any(one.endswith(read) for one in report(messages[-1])["warnings"])


# What a server counts of so many tokens that were sent; what of its contract is sent after three turns.
COUNTS = {
    "all": (lambda sent: sent, "whole"),
    "a window": (lambda sent: min(sent, 1_200), "details of few"),
    "words, which are fewer than tokens": (lambda sent: sent // 2, "whole"),
    "one": (lambda sent: 1, "whole"),
}


@pytest.mark.parametrize(("count", "level"), COUNTS.values(), ids=COUNTS)
def test_what_is_a_window(count, level):
    """Counts that follow what was sent, and those that are too small for any window, shorten nothing for long."""

    def reply(request):
        tokens = count(sum(len(str(message["content"])) for message in request["messages"]) // 4)
        usage = {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}
        return Reply("Hello.", usage=usage)

    with ScriptedServer(without_tools(reply)) as server:
        llm = bound(server, 20)
        for _ in range(3):
            llm.invoke(QUESTION)
        assert level_of(sent_to(server)) == level


def test_a_window_that_is_larger_than_was_read():
    """What a server reads later counts, if that is more; forgetting the model forgets its window."""
    with ollama(2_048, tells=False) as server:
        llm = bound(server, 60)
        llm.invoke(QUESTION)
        server.window = 32_768
        lengths = []
        for question in (QUESTION, f"{'Please. ' * 4_000}{QUESTION}", QUESTION):
            llm.invoke(question)
            lengths.append(len(server.requests[-1]["messages"][0]["content"]))
    assert lengths[0] < lengths[2]
    with ollama(2_048, tells=False) as server:
        model = server.chat_model()
        llm = ChatToolEmu(llm=model, contract=Recipe(tools_shown="all")).bind_tools(tools(60))
        llm.invoke(QUESTION)
        forget_tool_support(model)
        llm.invoke(QUESTION)
        assert level_of(sent_to(server)) == "whole"


REFUSED = [(2_048, 60, False), (2_048, 60, True), (4_096, 200, False), (4_096, 200, True)]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", ["invoke", "stream"])
@pytest.mark.parametrize(("window", "number", "tells"), REFUSED)
def test_a_server_that_refuses(window, number, tells, way, caplog):
    """The provider's own error comes, with a note of how large the contract is and what helps, as the log has it."""
    with caplog.at_level(logging.WARNING, "langchain_toolemu"), llama_server(window, tells=tells) as server:  # fmt: skip
        llm = bound(server, number)
        with pytest.raises(openai.BadRequestError) as caught:
            ask(llm, QUESTION, way)
    assert "exceeds the available context size" in str(caught.value)
    (line,) = [record.getMessage() for record in caplog.records]
    assert f"the contract of {number} tools is about" in line
    assert "num_ctx or OLLAMA_CONTEXT_LENGTH" in line
    assert ("examples=False" in line) is not tells
    notes = getattr(caught.value, "__notes__", None)
    assert notes is None or line.endswith(notes[0])  # Python 3.10 has no notes


def test_a_conversation_begins_alike():
    """What is left out is decided by the first question: later ones change nothing that a prompt cache holds."""
    first = [HumanMessage(QUESTION)]
    made = AIMessage("", tool_calls=[{"name": READ[0][0], "args": READ[0][1], "id": "1"}])
    result = ToolMessage("Nothing. " * 200, tool_call_id="1")
    later = [*first, made, result, AIMessage("It is empty."), HumanMessage("Create an issue then.")]
    with ollama(4_096, tells=True) as server:
        llm = bound(server, 30)
        contracts = set()
        for messages in (first, [*first, made, result], later):
            before = len(server.requests)
            llm.invoke(messages)
            # A question about a repeated call offers other tools, and is not the conversation's own.
            contracts.add(server.requests[before]["messages"][0]["content"])
        llm.invoke("Create an issue.")
        other = server.requests[-1]["messages"][0]["content"]
    assert len(contracts) == 1
    assert OTHER not in contracts.pop()
    assert OTHER in other


def test_a_client_that_asks_for_a_window_gets_it():
    """ChatOllama's num_ctx is what the server uses, whatever the model file says."""
    with ollama(2_048, tells=True) as server:
        model = ChatToolEmu(
            llm=server.chat_model(num_ctx=32_768), contract=Recipe(tools_shown="all")
        )
        llm = model.bind_tools(tools(30))
        message = llm.invoke(QUESTION)
    assert told_by(message) == ""
    assert level_of(sent_to(server)) == "whole"


def test_a_check_that_does_not_fit_leaves_the_native_reply():
    """A native reply without a call is kept if the check by emulation is refused as too long."""

    def reply(request):
        if "tools" in request:
            return Reply("The notes are long.", usage=None)
        error = {"message": "prompt is too long: 9000 tokens > 2048 maximum", "code": 400}
        return Reply(status=400, body={"error": error})

    with ScriptedServer(reply) as server:
        message = bound(server, 60).invoke(QUESTION)
        assert len(server.requests) == 2
    assert message.content == "The notes are long."
    assert report(message)["path"] == "native"
    (warning,) = report(message)["warnings"]
    assert warning.startswith("kept the native reply: an emulated request does not fit")


@pytest.mark.model
@pytest.mark.more("a second llama.cpp server that reads a long prompt takes up to a minute")
def test_the_embedded_server_with_a_small_window():
    """llama.cpp itself: ten tools are shortened to 2,048 tokens and answered, sixty are refused and explained."""
    with LocalServer(context=2048) as server:
        model = server.chat_model(max_tokens=8)
        llm = ChatToolEmu(llm=model, max_reasks=0, contract=Recipe(tools_shown="all"))
        message = llm.bind_tools(tools(10)).invoke(QUESTION)
        with pytest.raises(openai.BadRequestError, match="exceeds the available context size") as caught:  # fmt: skip
            llm.bind_tools(tools(60)).invoke(QUESTION)
    assert told_by(message) == "shortened"
    assert message.usage_metadata["input_tokens"] < 2048 * 0.75
    notes = getattr(caught.value, "__notes__", ["the contract of 60 tools"])
    assert "the contract of 60 tools" in notes[0]
