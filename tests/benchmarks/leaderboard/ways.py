"""The ways to get tool calls from one chat model, all behind LangChain's interface."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage, convert_to_openai_messages
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.contract.rivals import AdHoc
from tests.benchmarks.leaderboard import official

Docs: TypeAlias = Mapping[str, Mapping[str, Any]]
"""BFCL's own descriptions of functions, by the names under which they are bound."""


class BfclPrompt(BaseChatModel):
    """BFCL's prompt mode: its system prompt, its decoder, and results in a message of the user."""

    llm: BaseChatModel
    docs: Docs = Field(default_factory=dict)
    functions: list[Mapping[str, Any]] = Field(default_factory=list)

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        """The same with these tools in its prompt."""
        found = [convert_to_openai_tool(tool)["function"] for tool in tools]
        functions = [self.docs.get(one["name"], one) for one in found]
        return self.model_copy(update={"functions": functions})

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        asked = list(_as_text(messages))
        if self.functions:
            asked = official.prompted(asked, self.functions)
        reply = self.llm.invoke(asked)
        calls = [
            {"name": name, "args": args, "id": f"call_{number}"}
            for number, call in enumerate(official.decoded(reply.text))
            for name, args in call.items()
        ]
        message = AIMessage(reply.text, tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])

    @property
    def _llm_type(self) -> str:
        return "bfcl-prompt"


def _as_text(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    """A conversation without tool calls: results follow as one message, each beside its call."""
    told: list[dict[str, Any]] = []
    calls: list[Any] = []
    for is_result, group in groupby(messages, lambda one: isinstance(one, ToolMessage)):
        found = list(group)
        if is_result:
            named = zip(official.written(calls), found, strict=False)
            results = [{"role": "tool", "name": name, "content": one.text} for name, one in named]
            told.append({"role": "user", "content": repr(results)})
            continue
        for one in found:
            calls = one.tool_calls if isinstance(one, AIMessage) else []
            plain = AIMessage(one.text) if isinstance(one, AIMessage) else one
            told += convert_to_openai_messages([plain])  # type: ignore[arg-type]
    return told


Way: TypeAlias = Callable[[BaseChatModel, Docs], Any]

WAYS: Mapping[str, Way] = {
    "native": lambda llm, _: llm,
    "ad hoc": lambda llm, _: AdHoc(llm=llm, cache=False),
    "BFCL prompt": lambda llm, docs: BfclPrompt(llm=llm, docs=docs, cache=False),
    "toolemu": lambda llm, _: ChatToolEmu(llm=llm, cache=False),
}
"""Every way: its name, and how it is made of a chat model."""
