"""Thoughts, words and calls as blocks: the same message whole and streamed, however the model gives its thoughts."""

from functools import reduce
from operator import add
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, message_chunk_to_message
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import forget
from tests.thoroughness import examples
from tests.ways import WAYS, ask
from tests.weather import CALL, get_weather

ROME = CALL.replace("Paris", "Rome")
# What a reply may hold, one after the other.
SAID = st.sampled_from([
    "<think>Hm so.</think>", "<think>Still thinking", "Hello. ", "I'll look.\n", f"<tool_call>\n{CALL}\n</tool_call>\n",
    "Now Rome.\n", f"<tool_call>\n{ROME}\n</tool_call>\n", "\n\n",
])  # fmt: skip


class Thinker(BaseChatModel):
    """Gives a thought in the text, next to it or in a block, then a text in pieces; whole, it is their sum."""

    thought: str = ""
    apart: str = "text"  # where the thought is
    text: str = ""
    size: int = 5
    provider: str | None = None

    @property
    def _llm_type(self) -> str:
        return "thinker"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=tools)

    def _cut(self, text: str) -> list[str]:
        return [text[at : at + self.size] for at in range(0, len(text), self.size)]

    def _pieces(self) -> list[AIMessageChunk]:
        match self.apart:
            case "next to it":
                said = [AIMessageChunk("", additional_kwargs={"reasoning_content": one}) for one in self._cut(self.thought)]  # fmt: skip
                return said + [AIMessageChunk(one) for one in self._cut(self.text)]
            case "blocks":
                said = [AIMessageChunk([{"type": "reasoning", "reasoning": one, "index": 0}]) for one in self._cut(self.thought)]  # fmt: skip
                return said + [AIMessageChunk([{"type": "text", "text": one, "index": 1}]) for one in self._cut(self.text)]  # fmt: skip
        before = f"<think>{self.thought}</think>" if self.thought else ""
        return [AIMessageChunk(one) for one in self._cut(before + self.text)]

    def _stream(self, *args: Any, **kwargs: Any) -> Any:
        named = {"model_provider": self.provider} if self.provider else {}
        for piece in self._pieces() or [AIMessageChunk("")]:
            yield ChatGenerationChunk(message=piece.model_copy(update={"response_metadata": named}))

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        whole = message_chunk_to_message(reduce(add, [one.message for one in self._stream()]))
        return ChatResult(generations=[ChatGeneration(message=whole)])


def shown(message: Any) -> Any:
    """What a message shows, without ids and without what only streams number."""
    kept = ("type", "text", "reasoning", "name", "args")
    blocks = [{key: block[key] for key in kept if key in block} for block in message.content_blocks]
    apart = message.additional_kwargs.get("reasoning_content")
    provider = message.response_metadata.get("model_provider")
    content = message.content if isinstance(message.content, str) else blocks
    return content, blocks, apart, provider, message.response_metadata["toolemu"]["warnings"]


def four(model: Any) -> list[Any]:
    return [(forget(), shown(ask(model, "Weather?", way)))[1] for way in WAYS]


@settings(max_examples=examples(150), deadline=None)
@given(
    thought=st.sampled_from(["", "Let me see. So."]),
    apart=st.sampled_from(["text", "next to it", "blocks"]),
    parts=st.lists(SAID, max_size=4),
    size=st.sampled_from([1, 4, 1000]),
    provider=st.sampled_from([None, "openai", "ollama", "anthropic"]),
    mode=st.sampled_from(["force", "fallback"]),
    version=st.sampled_from(["v0", "v1"]),
    reasoning=st.sampled_from(["blocks", "keep", "drop"]),
)
def test_thoughts_and_order_are_the_same_four_ways(
    thought, apart, parts, size, provider, mode, version, reasoning
):
    """Whole and streamed, the blocks of a message are the same and in the same order."""
    named = provider if apart != "blocks" else None  # no such provider speaks in these blocks
    model = Thinker(thought=thought, apart=apart, text="".join(parts), size=size, provider=named)
    emulated = ChatToolEmu(model, mode=mode, reasoning=reasoning, output_version=version, max_reasks=0)  # fmt: skip
    whole, *others = four(emulated.bind_tools([get_weather]))
    assert others == [whole] * 3


def test_a_provider_that_hides_calls_shows_them_as_blocks():
    """A call beside a text is a block, also where LangChain looks for none: Anthropic's models never write it so."""
    for version in ("v0", "v1"):
        llm = Thinker(text=f"I'll look.\n{CALL}", provider="anthropic")
        model = ChatToolEmu(llm, mode="force", output_version=version)
        for _, blocks, *_ in four(model.bind_tools([get_weather])):
            assert [block["type"] for block in blocks] == ["text", "tool_call"]


def test_a_provider_that_hides_reasoning_shows_it_as_a_block():
    """With reasoning="blocks" a thought next to the content is a block, also where LangChain looks for none."""
    for version in ("v0", "v1"):
        llm = Thinker(thought="Hm.", apart="next to it", text="Hi.", provider="openai")
        model = ChatToolEmu(llm, reasoning="blocks", output_version=version)
        for _, blocks, *_ in four(model):
            assert [block["type"] for block in blocks] == ["reasoning", "text"]


def test_a_thought_that_comes_both_ways_is_given_once_each():
    """A thought next to the content and one in the text are two thoughts, apart from each other."""
    llm = Thinker(thought="Hm.", apart="next to it", text="<think>So.</think>Hi.")
    for content, _, apart, *_ in four(ChatToolEmu(llm, reasoning="blocks")):
        assert (content, apart) == ("Hi.", "Hm.\n\nSo.")
