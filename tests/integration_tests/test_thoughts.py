"""Thoughts told from the answer, behind a real ChatOpenAI: four ways, in both output versions, and in an agent."""

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage

from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI
from langchain_toolemu.capability import forget
from tests.essence import calls, four_ways, report
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.ways import WAYS, ask
from tests.weather import CALL, PARIS, get_weather

THOUGHT = "The user means Paris.\nSo I look it up."
ANSWER = f"<think>\n{THOUGHT}\n</think>\n\nIt is sunny."
CALLING = f"<think>\n{THOUGHT}\n</think>\n\n{CALL}"
REASONING = {"type": "reasoning", "reasoning": THOUGHT}
TEXT = {"type": "text", "text": "It is sunny."}


def pieces(text, size=5):
    return Reply([text[start : start + size] for start in range(0, len(text), size)])


def blocks(message):
    """The blocks without what only serves to add chunks up."""
    kept = ("type", "reasoning", "text", "name", "args")
    return [
        {key: value for key, value in block.items() if key in kept}
        for block in message.content_blocks
    ]


@pytest.mark.pairwise
@pytest.mark.parametrize("version", [None, "v1"])
@pytest.mark.parametrize("inner", [None, "v1"])
@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("way", WAYS)
def test_content_blocks_hold_the_thought(way, mode, inner, version):
    """In each way of calling and each output version there is a reasoning block, and the text is the answer alone."""
    with ScriptedServer(lambda request: pieces(ANSWER)) as server:
        forget()
        llm = server.chat_model(output_version=inner)
        model = ChatToolEmu(llm, mode=mode, reasoning="blocks", output_version=version)
        for asked in (model, model.bind_tools([get_weather], tool_choice="none")):
            message = ask(asked, "Weather?", way)
            assert blocks(message) == [REASONING, TEXT]
            assert message.text == "It is sunny."


@pytest.mark.in_turn
@pytest.mark.parametrize("version", [None, "v1"])
@pytest.mark.parametrize("way", WAYS)
def test_a_call_after_a_thought_keeps_its_block(way, version):
    """The blocks are the thought and the call, and the call can run."""
    with ScriptedServer(without_tools(lambda request: pieces(CALLING))) as server:
        forget()
        model = ChatToolEmu(server.chat_model(), reasoning="blocks", output_version=version)
        message = ask(model.bind_tools([get_weather]), "Weather?", way)
    assert calls(message) == PARIS
    assert [block["type"] for block in message.content_blocks] == ["reasoning", "tool_call"]
    assert blocks(message)[0] == REASONING


@pytest.mark.parametrize("native", [True, False], ids=["native", "emulated"])
@pytest.mark.parametrize("reasoning", ["keep", "blocks", "drop"])
def test_four_ways_give_one_message(reasoning, native):
    """Whole and streamed, sync and async, what becomes of thoughts is the same."""

    def script(request):
        asks = native and "tools" in request
        text = ANSWER.removesuffix("It is sunny.")
        called = [("get_weather", {"city": "Paris"})]
        # What a server bills for a call depends on whether it is streamed.
        return Reply(text, tool_calls=called, usage=None) if asks else Reply(CALLING, usage=None)

    with ScriptedServer(script if native else without_tools(script)) as server:
        model = ChatToolEmu(server.chat_model(), reasoning=reasoning).bind_tools([get_weather])
        seen = four_ways(model, "Weather?")
    first = seen["invoke"]
    for way, one in seen.items():
        assert one == first, way
    assert first["calls"] == PARIS
    assert ("<think>" in first["content"]) == (reasoning == "keep")
    assert first["additional"] == ({"reasoning_content": THOUGHT} if reasoning == "blocks" else {})


def test_a_thought_is_streamed_as_it_comes():
    """Pieces of the thought are shown as reasoning before the answer begins, and no piece holds a mark."""
    with ScriptedServer([pieces(ANSWER)]) as server:
        model = ChatToolEmu(server.chat_model(), reasoning="blocks")
        shown = list(model.stream("Weather?"))
    thought = [chunk.additional_kwargs.get("reasoning_content", "") for chunk in shown]
    assert "".join(thought) == THOUGHT
    assert sum(map(bool, thought)) > 3
    assert "".join(chunk.text for chunk in shown) == "It is sunny."
    assert shown[-1].response_metadata["toolemu"]["path"] == "native"


def test_a_reply_without_a_thought_is_as_ever():
    """Where there is nothing to take out, the message is the one that it would have been."""
    with ScriptedServer(lambda request: "It is sunny.") as server:
        seen = {
            way: four_ways(ChatToolEmu(server.chat_model(), reasoning=way), "Weather?")
            for way in ("keep", "blocks", "drop")
        }
        told = ChatToolEmu(server.chat_model(), reasoning="blocks").invoke("Weather?")
    assert seen["keep"] == seen["blocks"] == seen["drop"]
    assert told.response_metadata["model_provider"] == "openai"


def test_an_agent_thinks_before_it_calls():
    """Each message of an agent has its thought, which no request to the model repeats."""

    def script(request):
        results = [one for one in request["messages"] if "22 degrees" in str(one["content"])]
        return "<think>Now I know.</think>It is 22 degrees." if results else CALLING

    with ScriptedServer(without_tools(script)) as server:
        forget()
        model = ChatToolEmu(server.chat_model(), reasoning="blocks")
        agent = create_agent(model, [get_weather])
        said = agent.invoke({"messages": [("user", "Weather in Paris?")]})["messages"]
        again = agent.invoke({"messages": [*said, ("user", "And now?")]})["messages"]
        sent = server.bodies
    thoughts = [
        one.additional_kwargs["reasoning_content"] for one in said if isinstance(one, AIMessage)
    ]
    assert thoughts == [THOUGHT, "Now I know."]
    assert said[-1].content == "It is 22 degrees."
    assert again[-1].content == "It is 22 degrees."
    assert not [body for body in sent if b"Now I know" in body or b"I look it up" in body]


def test_an_agent_that_drops_thoughts_says_so():
    """What is left out is counted in the metadata of each message."""
    with ScriptedServer(lambda request: ANSWER) as server:
        message = ChatToolEmu(server.chat_model(), reasoning="drop").invoke("Weather?")
    assert (message.content, message.additional_kwargs.get("reasoning_content")) == (
        "It is sunny.",
        None,
    )
    assert report(message)["warnings"] == [
        f"dropped reasoning ({len(THOUGHT)} characters) because of reasoning='drop'"
    ]


def test_mode_off_takes_nothing_out():
    """Plain delegation stays plain."""
    with ScriptedServer(lambda request: ANSWER) as server:
        model = ChatToolEmu(server.chat_model(), mode="off", reasoning="blocks")
        seen = four_ways(model, "Weather?")
    assert {one["content"] for one in seen.values()} == {ANSWER}


def test_a_word_is_ours_and_a_dict_is_chat_openais():
    """ToolEmuChatOpenAI passes ChatOpenAI's own `reasoning` on, and keeps the word for itself."""
    told = {"model": "m", "base_url": "http://127.0.0.1:1/v1"}
    ours = ToolEmuChatOpenAI(**told, reasoning="blocks")
    theirs = ToolEmuChatOpenAI(**told, reasoning={"effort": "low"})
    both = ToolEmuChatOpenAI(**told, reasoning={"effort": "low"}, thoughts="drop")
    assert (ours.thoughts, ours.llm.reasoning) == ("blocks", None)
    assert (theirs.thoughts, theirs.reasoning) == ("keep", {"effort": "low"})
    assert (both.thoughts, both.llm.reasoning) == ("drop", {"effort": "low"})


@pytest.mark.parametrize("way", WAYS)
def test_chat_ollama_gives_thoughts_in_text_as_its_own(way):
    """A model whose thoughts Ollama does not know gives them where ChatOllama has those that it knows."""
    with ScriptedOllama(CALLING, capabilities=["completion"]) as server:
        forget()
        model = ChatToolEmu(server.chat_model(), reasoning="blocks").bind_tools([get_weather])
        message = ask(model, "Weather?", way)
    assert message.additional_kwargs["reasoning_content"] == THOUGHT
    assert message.response_metadata["model_provider"] == "ollama"
    assert [block["type"] for block in message.content_blocks] == ["reasoning", "tool_call"]
