"""Other ways to ask for the first step, measured beside ours: see "What was tried" in docs/internals/contract.md."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatResult

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.contract import CAPABLE
from langchain_toolemu.contract.tool_list import write_signatures
from langchain_toolemu.tools.specs import ToolSet, read_functions

_ROUTE = """\
Which of these tools must be called first to answer me?

{tools}

Reply with one line and nothing else: Tool: NAME
If none of them does what I ask for, reply with: Tool: none"""

_BARE_NONE = CAPABLE.decision.replace("{none}", "none")
_ADVISED = """\
Decide whether a tool must be called to answer the user. Do not answer. If the description of a tool says that it does what \
the user's last message asks for, even in other words, it must be called, even if you think you know the answer. Then reply with \
only this:
{form}
{several} If no tool does that, as with small talk or general knowledge, reply with only this:
{none}

Tools:
{tools}"""


class Routed(ChatToolEmu):
    """Ours, told by a first request which tool to call: the call is demanded then, or no tools are offered."""

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        tools, is_first = kwargs.get("tools"), not isinstance(messages[-1], ToolMessage)
        if tools and is_first and "tool_choice" not in kwargs:
            choice = self.route(messages, tools)
            if choice is None:
                kwargs = {k: v for k, v in kwargs.items() if k not in ("tools", *_OURS)}
            else:
                kwargs = {**kwargs, "tool_choice": choice, "toolemu_on_failure": "continue"}
                kwargs.pop("toolemu_native", None)
        return super()._generate(messages, *args, **kwargs)

    def route(self, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> Any:
        """The choice of tools to go on with; `None`: no tools."""
        raise NotImplementedError


_OURS = ("toolemu_native", "toolemu_made_of")


class RoutingLine(Routed):
    """A short free line names the tool."""

    def route(self, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> Any:
        """The tool that the line names."""
        asked = HumanMessage(_ROUTE.format(tools=write_signatures(_toolset(tools))))
        said = self.llm.invoke(_joined(messages, asked), max_tokens=16).text
        names = [one["function"]["name"] for one in tools]
        found = [name for name in names if name in said]
        name = max(found, key=len, default=None)
        return {"type": "function", "function": {"name": name}} if name else None


class FirstToken(Routed):
    """The first token under the inline contract decides, with a threshold of its own."""

    threshold: float

    def route(self, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> Any:
        """Any tool, if the reply is likely enough to begin as a call does."""
        asked = ChatToolEmu(llm=self.llm, mode="force", flow="inline", model_size=1.5)
        sent = asked.preview(list(messages), tools=list(tools))
        clean = [type(one)(content=one.content) for one in sent]
        reply = self.llm.invoke(clean, max_tokens=1, logprobs=True, top_logprobs=20)
        top = reply.response_metadata["logprobs"]["content"][0]["top_logprobs"]
        call = sum(
            math.exp(one["logprob"]) for one in top if one["token"].strip()[:1] in ("`", "{")
        )
        return "any" if call >= self.threshold else None


def _toolset(tools: Sequence[Any]) -> ToolSet:
    return read_functions(tools)


def _joined(messages: Sequence[BaseMessage], asked: HumanMessage) -> list[BaseMessage]:
    *before, last = messages
    return [*before, HumanMessage(f"{last.text}\n\n{asked.content}")]


def _deciding(decision: str = CAPABLE.decision, **settings: Any) -> Callable[[BaseChatModel], Any]:
    recipe = replace(CAPABLE, decision=decision)
    return lambda llm: ChatToolEmu(
        llm=llm, cache=False, contract=recipe, flow="decision", **settings
    )


CANDIDATES: dict[str, Callable[[BaseChatModel], Any]] = {
    "decision, free": _deciding(constrain="never"),
    "decision, bare none": _deciding(_BARE_NONE, constrain="never"),
    "decision, advised": _deciding(_ADVISED),
    "routing line": lambda llm: RoutingLine(llm=llm, cache=False, mode="force", flow="inline"),
    "first token 0.5": lambda llm: FirstToken(llm=llm, cache=False, mode="force", threshold=0.5),
    "first token 0.2": lambda llm: FirstToken(llm=llm, cache=False, mode="force", threshold=0.2),
    "first token 0.05": lambda llm: FirstToken(llm=llm, cache=False, mode="force", threshold=0.05),
}
