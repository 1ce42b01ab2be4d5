"""Plays a case on the tree that is imported, and tells what came of it, as data that JSON can hold."""

import asyncio
import json
import re
import warnings
from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage

from langchain_toolemu import ChatToolEmu, capability
from tests.benchmarks.compare.cases import Case, Turn
from tests.benchmarks.compare.model import TextModel, ToolModel

Outcome: TypeAlias = dict[str, Any]
"""What came of a case in one way: the parts that are compared, by name."""

_SCRIPTED_ID = re.compile(r"(?:call|past)(?:_\d+)+\Z")
_RANDOM = r"lc_(?:run--)?[0-9a-f-]{36}|\b0x[0-9a-f]{6,}\b"
_ADVICE = re.compile(r" \((?:docs/errors\.md#|toolemu explain )\w+\)")  # as older versions ended
_LOOP = asyncio.new_event_loop()
_SHARED: dict[str, tuple[Any, TextModel]] = {}


def play(case: Case) -> dict[str, Outcome]:
    """What came of the case in each of its ways."""
    return {way: play_one(case, way) for way in case.ways}


def play_one(case: Case, way: str) -> Outcome:
    """What came of the case in one way."""
    capability.forget()
    outcome: Outcome = {}
    ids: set[str] = set()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            llm, model = _set_up(case)
        except Exception as error:  # noqa: BLE001 - an error is an outcome too
            return _normalised({"error": _error(error)}, set())
        if case.shares_model:
            warned.clear()  # only the first was set up
        for number, turn in enumerate(case.turns):
            told, made = _take(llm, model, turn, way, case.stop)
            ids |= made
            outcome |= {f"{name} {number + 1}" if number else name: one for name, one in told.items()}  # fmt: skip
    outcome["warnings"] = [f"{one.category.__name__}: {one.message}" for one in warned]
    outcome["requests"] = len(model.requests)
    outcome["request messages"] = [
        [_as_data(message) for message in messages] for messages, _, _ in model.requests
    ]
    outcome["request kwargs"] = [{"stop": stop, **kwargs} for _, stop, kwargs in model.requests]
    sent = [message for messages, _, _ in model.requests for message in messages]
    return _normalised(outcome, ids.union(*map(_ids, sent)))


def _set_up(case: Case) -> tuple[Any, TextModel]:
    """The chat model with its tools, and the model that it wraps."""
    if case.shares_model and case.key in _SHARED:
        llm, model = _SHARED[case.key]
        model.sizes, model.requests = case.sizes, []
        return llm, model
    wrapped = ToolModel if case.native else TextModel
    model = wrapped(sizes=case.sizes, model_name=case.model_name)
    llm = ChatToolEmu(model, **case.options).bind_tools(case.tools, **case.binding)
    if case.shares_model:
        _SHARED[case.key] = llm, model
    return llm, model


def _take(
    llm: Any, model: TextModel, turn: Turn, way: str, stop: list[str] | None
) -> tuple[Outcome, set[str]]:
    model.replies, model.place = turn.replies, 0
    kwargs = {"stop": stop} if stop else {}
    try:
        message = _WAYS[way](llm, turn.messages, kwargs)
    except Exception as error:  # noqa: BLE001 - an error is an outcome too
        return {"error": _error(error)}, set()
    return _message(message), _ids(message)


def _streamed(llm: Any, messages: Any, kwargs: dict[str, Any]) -> Any:
    return reduce(add, llm.stream(messages, **kwargs))


async def _astreamed(llm: Any, messages: Any, kwargs: dict[str, Any]) -> Any:
    return reduce(add, [chunk async for chunk in llm.astream(messages, **kwargs)])


_WAYS: dict[str, Callable[[Any, Any, dict[str, Any]], Any]] = {
    "invoke": lambda llm, messages, kwargs: llm.invoke(messages, **kwargs),
    "ainvoke": lambda llm, messages, kwargs: _LOOP.run_until_complete(llm.ainvoke(messages, **kwargs)),
    "stream": _streamed,
    "astream": lambda llm, messages, kwargs: _LOOP.run_until_complete(_astreamed(llm, messages, kwargs)),
}  # fmt: skip


def _error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _message(message: AIMessage) -> Outcome:
    metadata = dict(message.response_metadata)
    report = metadata.pop("toolemu", None) or {}
    calls = [*message.tool_calls, *message.invalid_tool_calls]
    ids = [call["id"] for call in calls]
    fields = {key: value for key, value in message.additional_kwargs.items() if value}
    return {
        "content": _in_blocks(message.content),
        "tool_calls": [[call["name"], call["args"]] for call in message.tool_calls],
        "invalid_tool_calls": [
            [call["name"], call["args"], call["error"]] for call in message.invalid_tool_calls
        ],
        "unique ids": all(ids) and len(set(ids)) == len(ids),
        "additional_kwargs": fields,
        "response_metadata": metadata,
        "usage": message.usage_metadata,
        **{f"toolemu.{key}": value for key, value in report.items()},
    }


def _as_data(message: BaseMessage) -> dict[str, Any]:
    told = message.model_dump(exclude={"id", "response_metadata", "usage_metadata"})
    return {name: value for name, value in told.items() if value or name == "content"}


def _in_blocks(content: Any) -> Any:
    """Content whose texts in a list are blocks: LangChain adds a text to a list as either."""
    if not isinstance(content, list):
        return content
    return [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]


def _ids(message: Any) -> set[str]:
    """The ids of a message's calls, or of the call that it answers, that were made for it."""
    calls = [*getattr(message, "tool_calls", ()), *getattr(message, "invalid_tool_calls", ())]
    found = {call["id"] for call in calls} | {getattr(message, "tool_call_id", None)}
    return {one for one in found if one and not _SCRIPTED_ID.match(one)}


def _normalised(outcome: Outcome, ids: set[str]) -> Outcome:
    """What JSON keeps of it, with ids by the order in which they come."""
    known: dict[str, str] = {}
    written = json.dumps(outcome, default=repr, ensure_ascii=False)
    random = "|".join([*map(re.escape, sorted(ids)), _RANDOM])
    written = re.sub(random, lambda found: known.setdefault(found[0], f"id {len(known) + 1}"), written)  # fmt: skip
    normalised: Outcome = json.loads(_ADVICE.sub("", written))
    return normalised
