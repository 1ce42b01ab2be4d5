"""A request for a chat of Ollama's, or for the answer to one prompt.

- Calls need no ids: a result belongs to the call with its id, else to the first one of its name,
  else to the first one, among those without a result.
- A request without messages only loads the model: nothing is sent. Streaming is the default.
"""

import base64
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter_ns
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_toolemu.serve import protocol
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.protocol import Fields

LATEST = ":latest"  # the tag of a name without one
OPTION = "options."  # before the names of options among a request's own fields
_SHARED = ("temperature", "top_p")
# The first bytes of image files.
_IMAGES = {b"\xff\xd8": "image/jpeg", b"GIF": "image/gif", b"RIFF": "image/webp"}
# Fields of a prompt that a chat model has no place for.
_UNSUPPORTED = ("suffix", "template", "context", "raw")


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaRequest(protocol.ClientRequest):
    """A request, and what its answer depends on."""

    is_prompt: bool = False  # whether the answer is a `response`, not a `message`
    shows_reasoning: bool = True  # false if the client does not want it
    unloads: bool = False  # whether a request without messages unloads the model
    started: int = field(default_factory=perf_counter_ns)


def read_chat(raw: protocol.RawRequest) -> OllamaRequest:
    """What the body of a chat asks for."""
    fields = Fields(raw.body)
    reader = _MessageReader()
    messages = [reader.read(message) for message in fields.take_each("messages")]
    tools = fields.take_each("tools")
    for tool in tools:
        tool.need_fields("function").need("name", str)
    functions = [{"type": "function", "function": tool.body["function"]} for tool in tools]
    return _request(fields, messages, tools=functions)


def read_prompt(raw: protocol.RawRequest) -> OllamaRequest:
    """What the body of a prompt asks for."""
    fields = Fields(raw.body)
    for name in _UNSUPPORTED:
        if fields.take(name, str, list, bool):
            raise invalid(f"'{name}' is not supported: this server uses chat models.", name)
    system, prompt = fields.take("system", str), fields.take("prompt", str)
    content = _content(fields, prompt or "")
    messages: list[BaseMessage] = [HumanMessage(content)] if content else []
    if system and messages:
        messages.insert(0, SystemMessage(system))
    return _request(fields, messages, is_prompt=True)


def _request(fields: Fields, messages: Sequence[BaseMessage], **more: Any) -> OllamaRequest:
    options = fields.take_fields("options")
    most = int(options.take("num_predict", float) or 0)
    think, keep_alive = fields.take("think", bool, str), fields.take("keep_alive", str, float)
    more |= {
        # Not Ollama's; they mean the same as in Chat Completions.
        "tool_choice": fields.take("tool_choice", str, dict),
        "parallel": fields.take("parallel_tool_calls", bool),
        "response_format": _response_format(fields),
        "stop": options.take_texts("stop") or None,
        "limit": ("num_predict", most) if most > 0 else None,
        "shows_reasoning": think is not False,
        "unloads": keep_alive in (0, "0", "0s"),
    }
    # Fields that every protocol has are options here, and a negative limit means none.
    own = {"think": think, "keep_alive": keep_alive, f"{OPTION}num_predict": min(most, 0) or None}
    own |= {
        name if name in _SHARED else OPTION + name: value for name, value in options.rest.items()
    }
    fields.rest |= {name: value for name, value in own.items() if value is not None}
    fields.rest.setdefault("stream", True)
    shared = fields.take_shared()
    shared["model"] = shared["model"].removesuffix(LATEST)
    shared["thoughts_apart"] = bool(think)
    return OllamaRequest(wire="ollama_chat", messages=messages, **shared, **more)


def _response_format(fields: Fields) -> dict[str, Any] | None:
    form = fields.take("format", str, dict)
    if isinstance(form, dict):
        return protocol.schema_format(form)
    if form not in (None, "", "json"):
        raise invalid("'format' must be \"json\" or a JSON schema.", "format")
    return {"type": "json_object"} if form else None


class _MessageReader:
    def __init__(self) -> None:
        self._new_ids = (f"call_{number}" for number in count())
        self._open: set[str] = set()  # ids of calls without a result
        self._ids: dict[Any, deque[str]] = defaultdict(deque)  # of calls by name, and of all

    def read(self, fields: Fields) -> BaseMessage:
        role, text = fields.need("role", str), fields.take("content", str)
        content = _content(fields, text or "")
        match role:
            case "user":
                self._open.clear()
                return HumanMessage(content)
            case "system":
                return SystemMessage(content)
            case "assistant":
                thought = fields.take("thinking", str) or ""
                return protocol.assistant_message(content, self._calls(fields), thought)
            case "tool":
                name = fields.take("tool_name", str) or fields.take("name", str)
                id_ = self._answered(fields.take("tool_call_id", str), name)
                return ToolMessage(content, tool_call_id=id_, name=name)
        place = fields.place("role")
        raise invalid(f"'{place}' must be 'system', 'user', 'assistant' or 'tool'.", place)

    def _calls(self, fields: Fields) -> protocol.PastCalls:
        calls = protocol.PastCalls()
        for call in fields.take_each("tool_calls"):
            function = call.need_fields("function")
            name, arguments = function.need("name", str), function.take("arguments", dict, str)
            id_ = call.take("id", str) or next(self._new_ids)
            calls.add(name, arguments, id_)
            self._open.add(id_)
            self._ids["name", name].append(id_)
            self._ids[None].append(id_)
        return calls

    def _answered(self, id_: str | None, name: str | None) -> str:
        """The id of the call that a result belongs to; its own if there is none."""
        for ids in (deque([id_]), self._ids["name", name], self._ids[None]):
            while ids:
                if (found := ids.popleft()) in self._open:
                    self._open.remove(found)
                    return found
        return id_ or next(self._new_ids)


def _content(fields: Fields, text: str) -> Any:
    given, place = fields.take_texts("images"), fields.place("images")
    images = [_image(image, f"{place}[{at}]") for at, image in enumerate(given)]
    return [*([{"type": "text", "text": text}] if text else ()), *images] if images else text


def _image(image: str, place: str) -> dict[str, Any]:
    try:
        data = base64.b64decode(image, validate=True)
    except ValueError as error:
        raise invalid(f"'{place}' must be an image in base64.", place) from error
    kinds = [kind for start, kind in _IMAGES.items() if data.startswith(start)]
    return {"type": "image", "base64": image, "mime_type": (*kinds, "image/png")[0]}
