"""Asking a model for a call to see whether one comes; only if the user wants it.

One call is enough for "native"; "none" takes a provider that says so, or three replies that agree. A reply that was cut,
and an error that says nothing, leave it unknown.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from langchain_toolemu.capability import store
from langchain_toolemu.capability.endpoints import innermost
from langchain_toolemu.capability.knowledge import Capability
from langchain_toolemu.capability.support import Support
from langchain_toolemu.messages.metadata import CUT_WORDS, DECLINED_WORDS, FINISH_KEYS
from langchain_toolemu.model_facts import Trouble
from langchain_toolemu.model_facts.error_text import diagnose

# Another number each time, so that no cache on the way answers twice.
_NUMBERS = (41, 67, 93)
_QUESTION = "Call the tool report_number with the number {number}. Do not answer in text."
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
    llm = innermost(llm)  # a wrapper's own tools always work
    capability = Capability(llm)
    found = _probe(llm, capability, ask, _NUMBERS, forced=True)
    capability.learn(found.verdict, found.reason)
    store.keep(capability.endpoint)
    return found


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


def _probe(
    llm: BaseChatModel,
    capability: Capability,
    ask: Callable[[Any, str], AIMessage],
    numbers: Sequence[int],
    *,
    forced: bool,
) -> Support:
    """What comes of asking for a call with each of the numbers; who refuses only the demand for one is asked without it."""
    choice = {"tool_choice": "any"} if forced else {}
    try:
        model = with_short_replies(llm).bind_tools([_TOOL], **choice)
    except NotImplementedError:
        return Support("none", f"{type(llm).__name__} has no bind_tools")
    except (TypeError, ValueError) as error:
        if forced:
            return _probe(llm, capability, ask, numbers, forced=False)
        return Support("unknown", f"bind_tools failed: {error}")
    for place, number in enumerate(numbers):
        try:
            reply = ask(model, _QUESTION.format(number=number))
        except Exception as error:  # noqa: BLE001 - whatever a provider raises is an answer
            trouble = diagnose(error)
            if trouble:
                capability.learn_from(trouble)
            if trouble and trouble.axis == "tool_choice" and forced:
                return _probe(llm, capability, ask, numbers[place:], forced=False)
            return _after_failure(error, trouble)
        if found := _after_reply(reply):
            return found
    return Support("none", f"{len(_NUMBERS)} probes asked for a call and none came")


def _after_failure(error: Exception, trouble: Trouble | None) -> Support:
    if trouble and trouble.axis == "tools" and trouble.lasting:
        return Support("none", f"the provider said: {trouble.words}")
    return Support("unknown", f"a probe failed with {type(error).__name__}")


def _after_reply(reply: AIMessage) -> Support | None:
    metadata = reply.response_metadata
    ended = str(next((metadata[key] for key in FINISH_KEYS if metadata.get(key)), "")).lower()
    if reply.tool_calls or reply.invalid_tool_calls:
        return Support("native", "it made the call that a probe asked for")
    if ended in _UNFINISHED:
        return Support("unknown", f"a probe's reply ended by {ended!r} before any call")
    return None
