"""Models that speak in blocks: what comes out is what they said, whole and in pieces, over one reply or several."""

from functools import reduce
from operator import add
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    message_chunk_to_message,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_openai.chat_models.base import _construct_responses_api_input

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import forget
from tests.weather import CALL, get_weather

TAGGED = f"<tool_call>{CALL}</tool_call>"
UNFIT = CALL.replace("city", "town")
WORDS = "Let me look this up for you now. " * 8


class InBlocks(BaseChatModel):
    """Speaks as ChatOpenAI does on the Responses API, or as ChatAnthropic does: a thought, then a text, reply by reply."""

    replies: list[str]
    provider: str = "openai"
    asked: int = 0

    @property
    def _llm_type(self) -> str:
        return "in-blocks"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """Takes any."""
        return self.bind(tools=tools, **kwargs)

    def _next(self) -> tuple[str, int]:
        self.asked += 1
        return self.replies[min(self.asked, len(self.replies)) - 1], self.asked

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        text, number = self._next()
        message = AIMessage(
            [*_whole_thought(self.provider, number), _whole_text(self.provider, text, number)],
            id=f"resp_{number}",
            additional_kwargs={"mark": f"mark {number}"},
            response_metadata={"id": f"resp_{number}", "model_provider": self.provider},
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, *args: Any, **kwargs: Any) -> Any:
        text, number = self._next()
        metadata = {"model_provider": self.provider}
        yield _piece([], {"id": f"resp_{number}", **metadata}, id=f"resp_{number}")
        yield _piece([], metadata, additional_kwargs={"mark": f"mark {number}"})
        for block in _pieces(self.provider, text, number):
            yield _piece([block], metadata)
        yield _piece([], metadata, chunk_position="last")


def _piece(content: Any, metadata: Any, **kwargs: Any) -> ChatGenerationChunk:
    message = AIMessageChunk(content, response_metadata=metadata, **kwargs)
    return ChatGenerationChunk(message=message)


def _whole_thought(provider: str, number: int) -> list[dict[str, Any]]:
    if provider == "anthropic":
        return [{"type": "thinking", "thinking": "hm", "signature": f"sig {number}"}]
    summary = [{"type": "summary_text", "text": "hm"}]
    return [{"type": "reasoning", "id": f"rs_{number}", "summary": summary}]


def _whole_text(provider: str, text: str, number: int) -> dict[str, Any]:
    if provider == "anthropic":
        return {"type": "text", "text": text}
    return {"type": "text", "text": text, "annotations": [], "id": f"msg_{number}"}


def _pieces(provider: str, text: str, number: int) -> list[dict[str, Any]]:
    spoken = [
        {"type": "text", "text": text[at : at + 7], "index": 1} for at in range(0, len(text), 7)
    ]
    if provider == "anthropic":
        thought = [{"type": "thinking", "thinking": piece, "index": 0} for piece in "hm"]
        signed = {
            "type": "thinking",
            "thinking": "",
            "signature": f"sig {number}",
            "index": 0,
        }
        return [*thought, signed, *spoken]
    part = {"index": 0, "type": "summary_text"}
    return [
        {"type": "reasoning", "id": f"rs_{number}", "summary": [], "index": 0},
        {"type": "reasoning", "summary": [{**part, "text": "h"}], "index": 0},
        {"type": "reasoning", "summary": [{**part, "text": "m"}], "index": 0},
        *spoken,
        {"type": "text", "text": "", "id": f"msg_{number}", "index": 1},
    ]


def invoked(model, question="Hi"):
    return model.invoke(question)


def streamed(model, question="Hi"):
    return message_chunk_to_message(reduce(add, model.stream(question)))


def emulating(*replies, provider="openai", mode="force", **kwargs):
    forget()
    llm = InBlocks(replies=list(replies), provider=provider)
    return ChatToolEmu(llm=llm, mode=mode, **kwargs).bind_tools([get_weather])


def sent_back(message):
    """What ChatOpenAI sends of a message when the conversation goes on."""
    items = _construct_responses_api_input([HumanMessage("Hi"), message])[1:]
    return [(item["type"], item.get("id") or item.get("call_id")) for item in items]


BOTH = pytest.mark.parametrize("way", [invoked, streamed])
PROVIDERS = pytest.mark.parametrize("provider", ["openai", "anthropic"])


@BOTH
@PROVIDERS
@pytest.mark.parametrize(
    "kwargs",
    [
        {"mode": "force"},
        {"mode": "fallback", "tool_support": "native"},
        {"mode": "fallback"},
    ],
)
def test_prose_comes_out_in_the_blocks_it_came_in(way, provider, kwargs):
    """Held back, checked or passed on: thoughts, texts and their ids are those of the wrapped model."""
    native = way(InBlocks(replies=["The sky is blue."], provider=provider))
    message = way(emulating("The sky is blue.", provider=provider, **kwargs))
    assert message.content == native.content
    assert message.content_blocks == native.content_blocks
    assert message.additional_kwargs == native.additional_kwargs
    assert message.id == native.id


@BOTH
@PROVIDERS
@pytest.mark.parametrize("text", [CALL, TAGGED, f"Sure. {CALL}", f"Sure.\n{TAGGED}\nSo."])
def test_an_emulated_call_stands_in_the_content_blocks(way, provider, text):
    """LangChain's standard blocks hold the call once, after the thought, whatever provider they are made from."""
    message = way(emulating(text, provider=provider))
    kinds = [block["type"] for block in message.content_blocks]
    assert [call["args"] for call in message.tool_calls] == [{"city": "Paris"}]
    assert kinds.count("tool_call") == 1
    assert kinds[0] == "reasoning"
    made = next(block for block in message.content_blocks if block["type"] == "tool_call")
    assert (made["id"], made["args"]) == (message.tool_calls[0]["id"], {"city": "Paris"})


@BOTH
@pytest.mark.parametrize("text", [CALL, TAGGED, f"Sure. {CALL}"])
def test_a_thought_goes_back_with_the_text_it_belongs_to(way, text):
    """OpenAI refuses a thought without the item that followed it, so a text that was all call keeps its id."""
    message = way(emulating(text))
    call = message.tool_calls[0]["id"]
    sent = sent_back(message)
    assert sorted(sent) == sorted(
        [("reasoning", "rs_1"), ("message", "msg_1"), ("function_call", call)]
    )
    assert sent[0] == ("reasoning", "rs_1")


@BOTH
@PROVIDERS
def test_a_reply_that_was_asked_for_again_leaves_no_blocks(way, provider):
    """A first reply of thoughts and an unfit call is not shown; the second one's thought is its own."""
    message = way(emulating(UNFIT, CALL, provider=provider))
    thoughts = [block for block in message.content if block["type"] in ("thinking", "reasoning")]
    assert len(thoughts) == 1
    assert thoughts[0].get("id", thoughts[0].get("signature")) in ("rs_2", "sig 2")
    assert message.additional_kwargs == {"mark": "mark 1"}
    assert message.id == "resp_1"


@BOTH
@PROVIDERS
def test_words_that_were_shown_stand_with_their_thoughts(way, provider):
    """What a second reply thinks and says is left out where the first has spoken; its call is added."""
    message = way(emulating(WORDS + UNFIT, CALL, provider=provider))
    thoughts = [block for block in message.content if block["type"] in ("thinking", "reasoning")]
    assert [thought.get("id", thought.get("signature")) for thought in thoughts] in (
        ["rs_1"],
        ["sig 1"],
    )
    assert message.text.strip() == WORDS.strip()
    assert len(message.tool_calls) == 1


@PROVIDERS
def test_a_turn_of_several_replies_is_one_message(provider):
    """Each chunk has the same id, none holds a string, and no block of one reply runs into another's."""
    chunks = list(emulating(WORDS + UNFIT, CALL, provider=provider).stream("Hi"))
    assert {chunk.id for chunk in chunks} == {"resp_1"}
    assert all(isinstance(chunk.content, list) for chunk in chunks[:-1])


def standard(message):
    """The blocks of a message without ids of calls, and without what only streams number."""
    return [
        {key: block[key] for key in block if key not in ("index", "annotations")}
        | _without_id(block)
        for block in message.content
    ]


def _without_id(block):
    return {"id": None} if block["type"] == "tool_call" else {}


SPOKEN = [
    "The sky is blue.",
    CALL,
    f"Sure. {CALL} So.",
    f"{CALL}\nAnd\n{CALL.replace('Paris', 'Rome')}",
    f"{CALL}\nAnd\n{CALL.replace('Paris', 'Rome')}\nSo.",
]


@PROVIDERS
@pytest.mark.parametrize("text", SPOKEN)
def test_standard_blocks_have_one_order_whole_and_streamed(text, provider):
    """With `output_version="v1"` thoughts stay thoughts, and texts and calls keep the order in which they were shown."""

    def model():
        forget()
        llm = InBlocks(replies=[text], provider=provider, output_version="v1")
        return ChatToolEmu(llm=llm, mode="force").bind_tools([get_weather])

    whole, summed = invoked(model()), streamed(model())
    assert standard(whole) == standard(summed)
    assert whole.content[0]["type"] == "reasoning"
    made = [block for block in whole.content if block["type"] == "tool_call"]
    assert [block["id"] for block in made] == [call["id"] for call in whole.tool_calls]


class Rescuable(InBlocks):
    """The same, asked natively."""

    def bind_tools(self, tools, **kwargs):
        return self.bind(**kwargs)


@pytest.mark.pairwise
@PROVIDERS
@pytest.mark.parametrize("version", ["v0", "v1"])
@pytest.mark.parametrize("before", ["One.\n", ""])
def test_rescued_calls_and_words_have_one_order_whole_and_streamed(before, version, provider):
    """Words after a call are not added to the words before it in one way only."""
    call = f"<tool_call>{CALL}</tool_call>"

    def model():
        forget()
        text = f"{before}{call}\nTwo.\n{call}\nThree."
        llm = Rescuable(replies=[text], provider=provider, output_version=version)
        return ChatToolEmu(llm=llm, mode="fallback").bind_tools([get_weather])

    whole, summed = invoked(model()), streamed(model())
    assert whole.response_metadata["toolemu"]["path"] == "rescued"
    kinds = [[(block["type"], block.get("text")) for block in one.content_blocks] for one in (whole, summed)]  # fmt: skip
    assert kinds[0] == kinds[1]
