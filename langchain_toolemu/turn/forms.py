"""Other forms of a native request, for servers that refuse one as it is: pure functions of the request, the cheapest first.

A form changes only what reaches the server: ids and names are mapped, a thread that broke off is completed, schemas say less. The
caller's messages and tools stay what they are, and a call is still held to its tool's own schema.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import groupby
from string import ascii_letters, digits
from typing import Any, NamedTuple, TypeAlias

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from langchain_toolemu.contract.dialects import write_result
from langchain_toolemu.contract.history import join_two, relayed
from langchain_toolemu.messages.call_extras import (
    with_renamed_ids,
    with_some_signature,
    without_extras,
)
from langchain_toolemu.messages.content import blocks_of, simplest, with_one_text, words_of
from langchain_toolemu.messages.tool_calls import SomeMessage, change_calls, rename_ids
from langchain_toolemu.model_facts import Axis
from langchain_toolemu.turn.turn_input import Request
from langchain_toolemu.validation.loosened import flattened, without_keywords

_Change: TypeAlias = Callable[[Request], Request]

_PLAIN_ID = re.compile(r"[a-zA-Z0-9]{9}")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_ID_CHARS = ascii_letters + digits
_NO_RESULT = "There is no result: the call was interrupted before it ran."
_LONGEST_DESCRIPTION = 1024
_LIFTED = "(shown in the next message)"
_OPENING = "Hello."
_AFTER_RESULTS = "I have read the results."
_GO_ON = "Go on."
_EMPTY = {"ai": "(no answer)", "call": "I call a tool.", "tool": "(no output)"}


class Form(NamedTuple):
    """Another form of a request."""

    change: _Change
    words: str  # how the user is told of it
    # One that servers insist on or do not know: tried only where the error names it.
    named_only: bool = False


def in_forms(request: Request, forms: Collection[Axis]) -> Request:
    """The request in these forms."""
    if "message_order" in forms and not _OF_SYSTEM.isdisjoint(forms):
        # A user may not speak after a result.
        request = _with_relayed((HumanMessage, ToolMessage))(request)
    for axis, form in FORMS.items():
        if axis in forms:
            request = form.change(request)
    return request


def forms_left(request: Request) -> list[Axis]:
    """The forms that would change a request, the cheapest first. One that goes on with a stored reply is not touched."""
    if "previous_response_id" in request.kwargs:
        return []
    changed = ((axis, form.change(request)) for axis, form in FORMS.items())
    return [axis for axis, other in changed if replace(other, names=request.names) != request]


def _in_messages(change: Callable[[list[BaseMessage]], Iterable[BaseMessage]]) -> _Change:
    """A form of the messages alone."""
    return lambda request: replace(request, messages=[*change(request.messages)])


def fingerprint(tools: Sequence[Mapping[str, Any]], *more: str) -> str:
    """What tools are known by, however often they are bound."""
    written = json.dumps([tools, more], sort_keys=True, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:16]


# --- ids ---


def _with_plain_ids(messages: Sequence[BaseMessage]) -> Iterator[BaseMessage]:
    """Ids of nine letters and digits, as Mistral's templates want them: the same each time, and another one where an id comes again."""
    times = Counter[str]()
    for message in messages:
        if isinstance(message, AIMessage):
            calls = (*message.tool_calls, *message.invalid_tool_calls)
            times.update({call["id"] for call in calls if call["id"]})
        yield _with_ids(message, lambda id_: _plain_id(id_, times[id_]))


def _with_ids(message: BaseMessage, rename: Callable[[str], str]) -> BaseMessage:
    own = message.tool_call_id if isinstance(message, ToolMessage) else None
    changed = {"tool_call_id": rename(own)} if own else {}
    return change_calls(with_renamed_ids(message, rename), partial(rename_ids, rename), changed)


def _plain_id(id_: str, time: int) -> str:
    """Another id for a call that is the first, second ... of its id."""
    if time <= 1 and _PLAIN_ID.fullmatch(id_):
        return id_
    written = id_ if time <= 1 else f"{id_} {time}"
    number = int.from_bytes(hashlib.sha256(written.encode()).digest()[:8], "big")
    return "".join(_ID_CHARS[(number // 62**place) % 62] for place in range(9))


# --- calls and results that belong together ---


def _paired(messages: Sequence[BaseMessage]) -> Iterator[BaseMessage]:
    """Each call has its result right after it, and each result its call: what is missing is said."""
    taken = set[int]()
    for place, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            yield from () if place in taken else (_as_data(message),)
            continue
        yield message
        waiting = _calls(message)
        for later, other in enumerate(messages[place + 1 :], place + 1):
            if not waiting or waiting.keys() & _calls(other):  # an id that comes again
                break
            if isinstance(other, ToolMessage) and other.tool_call_id in waiting:
                del waiting[other.tool_call_id]
                taken.add(later)
                yield other
        for id_, name in waiting.items():
            yield ToolMessage(_NO_RESULT, tool_call_id=id_, name=name, status="error")


def _calls(message: BaseMessage) -> dict[str, str]:
    """The names of a message's calls by their ids."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return {call["id"]: call["name"] for call in calls if call["id"]}


def _as_data(message: ToolMessage) -> HumanMessage:
    """A result whose call is gone, in the frame in which a model without tools is told results."""
    failed = message.status == "error"
    return HumanMessage(write_result(message.name or "tool", message.text, failed=failed))


# --- pictures ---


def _lifted(messages: Sequence[BaseMessage]) -> Iterator[BaseMessage]:
    """What is no text in a tool's result is shown by the user after it."""
    pictures: list[Any] = []
    for message in messages:
        blocks = blocks_of(message.content) if isinstance(message, ToolMessage) else []
        objects = [block for block in blocks if isinstance(block, dict)]
        lifted = [block for block in objects if block.get("type") != "text"]
        if pictures and not isinstance(message, ToolMessage):
            yield HumanMessage(simplest(pictures))
            pictures = []
        if lifted:
            source = f"From the result of {message.name or 'the tool'}:"
            pictures += [{"type": "text", "text": source}, *lifted]
            texts = [words_of([block]) for block in blocks if block not in lifted]
            text = "\n".join(filter(None, (*texts, _LIFTED)))
            message = message.model_copy(update={"content": text})
        yield message
    if pictures:
        yield HumanMessage(simplest(pictures))


# --- order, text, speakers ---


def _in_turns(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """User and assistant take turns, and the user speaks first and last; system messages stay where they are."""
    ordered: list[BaseMessage] = []
    for kind, neighbours in groupby(messages, _kind):
        group = [*neighbours]
        ordered += [reduce(join_two, group)] if kind in ("human", "ai") else group
    return [*_completed(ordered)]


def _kind(message: BaseMessage) -> str:
    """What neighbours have in common that may be one message."""
    return "call" if isinstance(message, AIMessage) and message.tool_calls else message.type


def _completed(messages: Sequence[BaseMessage]) -> Iterator[BaseMessage]:
    """The messages, with what the order lacks at the start, after results, and at the end."""
    last = None
    for message in messages:
        if not isinstance(message, SystemMessage):
            if last is None and isinstance(message, AIMessage):
                yield HumanMessage(_OPENING)
            if isinstance(last, ToolMessage) and isinstance(message, HumanMessage):
                yield AIMessage(_AFTER_RESULTS)
            last = message
        yield message
    if isinstance(last, AIMessage) and not last.tool_calls:
        yield HumanMessage(_GO_ON)


def _with_text(message: BaseMessage) -> BaseMessage:
    """A message that has some text, or anything else to show."""
    blocks = [block for block in blocks_of(message.content) if not _is_blank(block)]
    if blocks:
        kept = len(blocks) == len(blocks_of(message.content))
        return message if kept else message.model_copy(update={"content": blocks})
    return message.model_copy(update={"content": _EMPTY.get(_kind(message), "(no text)")})


def _is_blank(block: object) -> bool:
    if isinstance(block, dict):
        return block.get("type") == "text" and not str(block.get("text") or "").strip()
    return not str(block).strip()


def _without_name(message: BaseMessage) -> BaseMessage:
    """A message without its speaker's name, which a user's text begins with."""
    if not message.name or isinstance(message, ToolMessage):
        return message
    changed: dict[str, object] = {"name": None}
    if isinstance(message, HumanMessage):
        speaker, content = f"{message.name}:", message.content
        is_text = isinstance(content, str)
        changed["content"] = f"{speaker} {content}" if is_text else [speaker, *content]
    return message.model_copy(update=changed)


# --- names ---


def _with_plain_names(request: Request) -> Request:
    """Names of letters, digits and `_`, 64 at most; told apart where two would be one, and mapped back in the reply."""
    offered = [function["name"] for function in _functions(request)]
    names = _plain_names([*offered, *_past_names(request.messages)])
    if not names:
        return request
    keys = [key for key in ("tools", "tool_choice") if key in request.kwargs]
    kwargs = request.kwargs | {key: _with_names(request.kwargs[key], names) for key in keys}
    messages = [with_names(message, names) for message in request.messages]
    own = {plain: name for name, plain in names.items()}
    return replace(request, messages=messages, kwargs=kwargs, names={**request.names, **own})


def _plain_names(names: Sequence[str]) -> dict[str, str]:
    odd = list(dict.fromkeys(name for name in names if not _PLAIN_NAME.fullmatch(name)))
    taken, found = {name for name in names if name not in odd}, dict[str, str]()
    for name in odd:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
        plain = base = (plain if plain[:1].isalpha() or plain[:1] == "_" else f"t_{plain}")[:64]
        number = 2
        while plain in taken:
            plain = f"{base[: 63 - len(str(number))]}_{number}"
            number += 1
        taken.add(plain)
        found[name] = plain
    return found


def _functions(request: Request) -> Iterator[Mapping[str, Any]]:
    """What describes each tool of the request that is not a provider's own."""
    for tool in request.kwargs.get("tools") or ():
        if isinstance(tool, Mapping):
            function = tool.get("function", tool)
            is_own = isinstance(function, Mapping) and isinstance(function.get("name"), str)
            if is_own and _schema_key(function):
                yield function


def _schema_key(function: Mapping[str, Any]) -> str | None:
    return next((key for key in ("parameters", "input_schema") if key in function), None)


def _past_names(messages: Sequence[BaseMessage]) -> list[str]:
    replies = (message for message in messages if isinstance(message, AIMessage))
    calls = (call for reply in replies for call in (*reply.tool_calls, *reply.invalid_tool_calls))
    return [call["name"] for call in calls if call["name"]]


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    """Tools or a choice with the names that the server takes, wherever a name stands beside or in `function`."""
    if isinstance(value, list):
        return [_with_names(item, names) for item in value]
    if isinstance(value, str):
        return names.get(value, value)
    if not isinstance(value, Mapping):
        return value
    keys = [key for key in ("function", "name", "custom") if key in value]
    return {**value, **{key: _with_names(value[key], names) for key in keys}}


def with_names(message: SomeMessage, names: Mapping[str, str]) -> SomeMessage:
    """A message with other names of tools, in calls, chunks and blocks, by the names that it has."""
    own = message.name if isinstance(message, ToolMessage) else None
    changed = {"name": names.get(own, own)} if own else {}
    return change_calls(message, partial(_with_names, names=names), changed)


# --- tools ---


def _in_tools(change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> _Change:
    """A form of what describes the tools, alone."""

    def changed(tool: Any) -> Any:
        if not isinstance(tool, Mapping):
            return tool
        inner = tool.get("function")
        return {**tool, "function": change(inner)} if isinstance(inner, Mapping) else change(tool)

    def in_request(request: Request) -> Request:
        tools = {"tools": [*map(changed, request.kwargs.get("tools") or ())]}
        return replace(request, kwargs={**request.kwargs, **tools}) if tools["tools"] else request

    return in_request


def _with_schema(loosen: Callable[[Any], Any], function: Mapping[str, Any]) -> Mapping[str, Any]:
    key = _schema_key(function)
    is_schema = key is not None and isinstance(function[key], Mapping)
    return {**function, key: loosen(function[key])} if key and is_schema else function


def _with_short_description(function: Mapping[str, Any]) -> Mapping[str, Any]:
    """A longer description ends where OpenAI's API would refuse it."""
    text = function.get("description")
    if not isinstance(text, str) or len(text) <= _LONGEST_DESCRIPTION:
        return function
    return {**function, "description": f"{text[: _LONGEST_DESCRIPTION - 1]}…"}


def _without_strict(function: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the flag that the server is to follow the schema to the letter."""
    return {key: value for key, value in function.items() if key != "strict"}


# --- the rest ---


def _without(name: str, request: Request) -> Request:
    """The reply is held to it all the same."""
    kwargs = {key: value for key, value in request.kwargs.items() if key != name}
    return replace(request, kwargs=kwargs)


def _without_stream_options(request: Request) -> Request:
    """Without asking for the tokens of a stream."""
    return replace(_without("stream_options", request), stream_usage=False)


# --- what the system says ---

_OF_SYSTEM = frozenset({"later_system", "system_role"})


def has_later_system(request: Request) -> bool:
    """Whether a system message is not the first message."""
    return any(isinstance(message, SystemMessage) for message in request.messages[1:])


def _with_relayed(hosts: tuple[type[BaseMessage], ...]) -> _Change:
    """A later system message stays in its place: at the end of a host, else as the user's own."""

    def placed(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        found: list[BaseMessage] = []
        for message in messages:
            last = found[-1] if found else None
            if last is None or not isinstance(message, SystemMessage):
                found.append(message)
            elif isinstance(last, SystemMessage):
                found[-1] = _longer(last, message)
            elif isinstance(last, hosts):
                found[-1] = _longer(last, relayed(message))
            else:
                found.append(relayed(message))
        return found

    return _in_messages(placed)


def _longer(message: BaseMessage, more: BaseMessage) -> BaseMessage:
    content = simplest([*blocks_of(message.content), *blocks_of(more.content)])
    return message.model_copy(update={"content": content})


_without_later_system = _with_relayed((HumanMessage,))


def _without_system_role(request: Request) -> Request:
    """The first system message opens the first user message; a later one would be new there."""
    request = _without_later_system(request)
    system, *talk = request.messages or (None,)
    if not isinstance(system, SystemMessage):
        return request
    opening: BaseMessage = HumanMessage(simplest(blocks_of(system.content)))
    if talk and isinstance(talk[0], HumanMessage):
        opening = join_two(opening, talk.pop(0))
    return replace(request, messages=[opening, *talk])


FORMS: Mapping[Axis, Form] = {
    "call_extras": Form(_in_messages(partial(map, without_extras)), "without the fields that another provider added to calls", named_only=True),
    "call_ids": Form(_in_messages(_with_plain_ids), "with ids of nine letters and digits"),
    "paired_results": Form(_in_messages(_paired), "with a result for each call"),
    "result_pictures": Form(_in_messages(_lifted), "with the pictures of results in a user message"),
    "text_blocks": Form(_in_messages(partial(map, with_one_text)), "with the texts of a message as one"),
    "message_text": Form(_in_messages(partial(map, _with_text)), "with some text in each message"),
    "speaker_names": Form(_in_messages(partial(map, _without_name)), "without the names of those who speak"),
    "tool_names": Form(_with_plain_names, "with plain names of tools"),
    "parallel_tool_calls": Form(partial(_without, "parallel_tool_calls"), "without parallel_tool_calls"),
    "tool_descriptions": Form(_in_tools(_with_short_description), "with shorter descriptions of tools", named_only=True),
    "schema_keywords": Form(_in_tools(partial(_with_schema, without_keywords)), "with fewer keywords in schemas"),
    "schema_unions": Form(_in_tools(partial(_with_schema, flattened)), "with flat schemas"),
    "stream_options": Form(_without_stream_options, "without stream_options", named_only=True),
    "strict": Form(_in_tools(_without_strict), "without strict: calls are checked here", named_only=True),
    "later_system": Form(_without_later_system, "with later system messages told by the user"),
    "system_role": Form(_without_system_role, "without a system message"),
    "call_signatures": Form(_in_messages(partial(map, with_some_signature)), "with a signature on each call", named_only=True),
    "message_order": Form(_in_messages(_in_turns), "with user and assistant in turns"),
}  # fmt: skip
"""By what a server lacks, the cheapest first."""
