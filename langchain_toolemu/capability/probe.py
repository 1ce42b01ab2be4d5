"""Asking a model for a call to see whether one comes; only if the user wants it.

One call is enough for "native"; "none" takes a provider that says so, or three replies that agree. A reply that was cut,
and an error that says nothing, leave it unknown.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable

from langchain_toolemu.capability import store
from langchain_toolemu.capability.endpoints import innermost
from langchain_toolemu.capability.knowledge import Capability
from langchain_toolemu.capability.support import UNKNOWN, Support
from langchain_toolemu.messages.metadata import CUT_WORDS, DECLINED_WORDS, FINISH_KEYS
from langchain_toolemu.model_facts import Verdict
from langchain_toolemu.model_facts.error_text import diagnose

# Another number each time, so that no cache on the way answers twice.
_NUMBERS = (41, 67, 93)
_TOOL = {
    "type": "function",
    "function": {
        "name": "report_number",
        "description": "Report a number.",
        "parameters": {
            "type": "object",
            "properties": {"number": {"type": "integer", "description": "The number to report."}},
            "required": ["number"],
        },
    },
}
_MAX_TOKENS = 256
_LIMITS = ("max_tokens", "num_predict", "max_output_tokens", "max_new_tokens")
_UNFINISHED = CUT_WORDS | DECLINED_WORDS


def probe_tool_support(llm: BaseChatModel) -> Support:
    """Find out by one to three short requests whether a model calls tools natively, and remember it.

    Example:
        ```python
        llm = ChatOpenAI(model="gemma2", base_url="http://localhost:8080/v1", api_key="none")
        probe_tool_support(llm).verdict  # 'none'
        ```
    """
    return run_probe(llm, lambda model, question: model.invoke(question))


def run_probe(llm: BaseChatModel, ask: Callable[[Any, str], AIMessage]) -> Support:
    """The same by a function that sends the requests, for instance under a time limit."""
    probe = _Probe(llm)
    while probe.goes_on:
        try:
            reply = ask(probe.model, probe.question)
        except Exception as error:  # noqa: BLE001 - whatever a provider raises is an answer
            probe.fail(error)
        else:
            probe.take(reply)
    store.keep(probe.capability.endpoint)
    return probe.result


async def aprobe_tool_support(llm: BaseChatModel) -> Support:
    """Find out by one to three short requests whether a model calls tools natively, and remember it.

    Example:
        ```python
        (await aprobe_tool_support(llm)).reason
        ```
    """
    return await asyncio.wrap_future(store.start_thread(lambda: probe_tool_support(llm)))


def with_short_replies(llm: BaseChatModel, tokens: int = _MAX_TOKENS) -> BaseChatModel:
    """A copy with a limit on its replies, by whatever name, and without its cache."""
    limits = {name: tokens for name in _LIMITS if name in type(llm).model_fields}
    return llm.model_copy(update={"cache": False, **limits})


class _Probe:
    def __init__(self, llm: BaseChatModel) -> None:
        self._llm = innermost(llm)  # a wrapper's own tools always work
        self.capability = Capability(self._llm)
        self.model: Runnable[LanguageModelInput, AIMessage]
        self._misses = 0
        self.goes_on = True
        self.result = UNKNOWN
        self._bind(forced=True)

    @property
    def question(self) -> str:
        number = _NUMBERS[self._misses]
        return f"Call the tool report_number with the number {number}. Do not answer in text."

    def _bind(self, *, forced: bool) -> None:
        choice = {"tool_choice": "any"} if forced else {}
        self._forced = forced
        try:
            self.model = with_short_replies(self._llm).bind_tools([_TOOL], **choice)
        except NotImplementedError:
            self._end("none", f"{type(self._llm).__name__} has no bind_tools")
        except (TypeError, ValueError) as error:
            if forced:
                return self._bind(forced=False)
            self._end("unknown", f"bind_tools failed: {error}")

    def take(self, reply: AIMessage) -> None:
        metadata = reply.response_metadata
        ended = str(next((metadata[key] for key in FINISH_KEYS if metadata.get(key)), "")).lower()
        if reply.tool_calls or reply.invalid_tool_calls:
            self._end("native", "it made the call that a probe asked for")
        elif ended in _UNFINISHED:
            self._end("unknown", f"a probe's reply ended by {ended!r} before any call")
        else:
            self._misses += 1
            if self._misses == len(_NUMBERS):
                self._end("none", f"{self._misses} probes asked for a call and none came")

    def fail(self, error: Exception) -> None:
        """An error came: one that refuses only the choice is asked again without it."""
        trouble = diagnose(error)
        if trouble:
            self.capability.learn_from(trouble)
        if trouble and trouble.axis == "tool_choice" and self._forced:
            self._bind(forced=False)
        elif trouble and trouble.axis == "tools" and trouble.lasting:
            self._end("none", f"the provider said: {trouble.words}")
        else:
            self._end("unknown", f"a probe failed with {type(error).__name__}")

    def _end(self, verdict: Verdict, reason: str) -> None:
        self.goes_on = False
        self.result = Support(verdict, reason)
        self.capability.learn(verdict, reason)
