"""What a provider sends next to a call and wants back with it: Gemini's thought signatures, over routes in OpenAI's protocol.

A message holds them in `additional_kwargs`, by the call's id; those of the message itself under their own name. A piece of a
stream that has no id counts by its index.
"""

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from langchain_toolemu.messages.tool_calls import new_call_id

CALL_EXTRAS = "tool_call_extras"
_FIELDS = ("extra_content", "thought_signature", "provider_specific_fields")
"""Google's own, a signature that stands for itself, and LiteLLM's."""
_HELD_BY = frozenset({CALL_EXTRAS, *_FIELDS})

_NO_SIGNATURE = {
    "extra_content": {"google": {"thought_signature": "skip_thought_signature_validator"}}
}
"""What Google documents for calls that another model made."""


def extras_in(message: Any) -> dict[str, Any]:
    """The extras in a server's message or delta, as a message holds them. A call that has some gets an id."""
    calls = enumerate(get_field(message, "tool_calls") or ())
    extras = dict(filter(None, map(_of_call, calls)))
    return {**_fields_of(message), **({CALL_EXTRAS: extras} if extras else {})}


def _of_call(numbered: tuple[int, Any]) -> tuple[str, dict[str, Any]] | None:
    place, call = numbered
    function = get_field(call, "function")
    own, inner = _fields_of(call), _fields_of(function)
    if not (own or inner):
        return None
    if not get_field(call, "id") and get_field(function, "name"):
        set_field(call, "id", new_call_id())
    index = get_field(call, "index")
    key = get_field(call, "id") or _place(place if index is None else index)
    return key, {**own, **({"function": inner} if inner else {})}


def _fields_of(holder: Any) -> dict[str, Any]:
    return {name: value for name in _FIELDS if (value := get_field(holder, name))}


def _place(number: int) -> str:
    return f"#{number}"


def with_extras(message: BaseMessage, written: Mapping[str, Any]) -> dict[str, Any]:
    """A message as it is sent, with the extras that it came with."""
    held, kwargs = extras_of(message), message.additional_kwargs
    kept = {name: kwargs[name] for name in _FIELDS if name in kwargs}
    calls = written.get("tool_calls")
    if not (held and isinstance(calls, list)):
        return {**written, **kept}
    signed_calls = [
        signed(call, held.get(call.get("id")) or held.get(_place(number)) or {})
        for number, call in enumerate(calls)
    ]
    return {**written, **kept, "tool_calls": signed_calls}


def signed(call: Mapping[str, Any], extras: Mapping[str, Any]) -> dict[str, Any]:
    """A call in OpenAI's protocol, with its extras."""
    if "function" not in extras:
        return {**call, **extras}
    return {**call, **extras, "function": {**call["function"], **extras["function"]}}


def extras_of(message: BaseMessage) -> Mapping[str, Any]:
    """What was sent next to a message's calls, by their ids."""
    held = message.additional_kwargs.get(CALL_EXTRAS) if isinstance(message, AIMessage) else None
    return held if isinstance(held, Mapping) else {}


def has_extras(message: BaseMessage) -> bool:
    """Whether a message came with any, of its calls or its own."""
    return isinstance(message, AIMessage) and not _HELD_BY.isdisjoint(message.additional_kwargs)


def without_extras(message: BaseMessage) -> BaseMessage:
    """A message without them, for a server that does not know such fields."""
    if not has_extras(message):
        return message
    kwargs = message.additional_kwargs
    others = {key: kwargs[key] for key in kwargs if key not in _HELD_BY}
    return message.model_copy(update={"additional_kwargs": others})


def with_some_signature(message: BaseMessage) -> BaseMessage:
    """A message each of whose calls has a signature, for a server that insists: of another model's calls there is none."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    held = extras_of(message)
    places = {_place(number): call["id"] for number, call in enumerate(calls)}
    missing = [id_ for place, id_ in places.items() if id_ and not {id_, place} & held.keys()]
    return (
        _with_held(message, {**dict.fromkeys(missing, _NO_SIGNATURE), **held})
        if missing
        else message
    )


def with_renamed_ids(message: BaseMessage, rename: Callable[[str], str]) -> BaseMessage:
    """A message whose extras go by other ids."""
    held = extras_of(message)
    renamed = {id_ if id_.startswith("#") else rename(id_): extras for id_, extras in held.items()}
    return _with_held(message, renamed) if held else message


def _with_held(message: BaseMessage, held: Mapping[str, Any]) -> BaseMessage:
    kwargs = {**message.additional_kwargs, CALL_EXTRAS: dict(held)}
    return message.model_copy(update={"additional_kwargs": kwargs})


def get_field(holder: Any, name: str) -> Any:
    """A field of a server's message, which is a dict or an object."""
    return holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)


def set_field(holder: Any, name: str, value: Any) -> None:
    """Set a field of such a message."""
    if isinstance(holder, dict):
        holder[name] = value
    else:
        setattr(holder, name, value)
