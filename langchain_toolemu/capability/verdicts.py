"""What is learned of the endpoints that this process spoke to, and what its user says of them: mutable, and locked.

Kept by class, model name and address, so that copies of a model share it. The lock is never held across a request. The latest
override of a model wins, then the latest of its provider.
"""

import logging
import os
import time
import uuid
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Literal, TypeAlias, get_args

from typing_extensions import Self

from langchain_toolemu.capability.endpoints import Endpoint, canonical
from langchain_toolemu.capability.entries import Counter, Entry, Finding, load_entry
from langchain_toolemu.capability.support import UNKNOWN, ModelDescription, Support
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.model_facts import Axis

ToldOnce: TypeAlias = Literal["emulated", "cut", "parser_failed", "reasoning", "recipe"]
"""What the user is told once for each endpoint: its calls are emulated; it cuts off what it is sent; its parser fails; its
reasoning is lost; it is asked as smaller models are."""

_log = logging.getLogger("langchain_toolemu")


@dataclass(slots=True)
class _EndpointState:
    entry: Entry = field(default_factory=Entry)
    kept: bytes | None = None  # what the verdict store is known to hold of it
    noticed: set[ToldOnce] = field(default_factory=set)
    max_input_tokens: int = 0  # that it ever counted: its window holds as many


_lock = Lock()
_states: dict[Endpoint, _EndpointState] = {}
_overrides: list["Override"] = []
_token = uuid.uuid4().hex[:16]


def _process() -> str:
    """What this process counts under; a forked process counts separately."""
    return f"{_token}-{os.getpid()}"


def _state(endpoint: Endpoint) -> _EndpointState:
    return _states.setdefault(endpoint, _EndpointState())


def entry_of(endpoint: Endpoint) -> Entry:
    """All that was learned of an endpoint."""
    with _lock:
        state = _states.get(endpoint)
        return state.entry if state else _NOTHING


_NOTHING = Entry()


def learn(
    endpoint: Endpoint, support: Support, axis: Axis = "tools", *, concluded: bool = False
) -> None:
    """Remember what a turn found out; what it only concluded does not overwrite anything."""
    if support.verdict == "unknown":
        return
    now = time.time()
    with _lock:
        state = _state(endpoint)
        before = state.entry.findings.get(axis)
        if concluded and before:
            return
        after = Finding(support, concluded, now)
        if before and (before.support, before.concluded) == (support, concluded):
            after = before.again(now)
            if after is before:
                return
        state.entry = replace(state.entry, findings={**state.entry.findings, axis: after})
    if before is None or before.support.verdict != support.verdict:
        _log.info("%s %s: %s (%s)", endpoint, axis, support.verdict, support.reason)


def keep_description(endpoint: Endpoint, description: ModelDescription) -> None:
    """Remember what a server said, even if nothing: it is not asked again. What another turn was told stays."""
    with _lock:
        state = _state(endpoint)
        if description or not state.entry.said:
            state.entry = replace(state.entry, said=description, said_at=time.time())
    _log.debug("%s says of itself: %s", endpoint, description or "nothing")


def keep_read_window(endpoint: Endpoint, tokens: int) -> None:
    """Remember how much a server read of a request whose beginning it cut off."""
    with _lock:
        state = _state(endpoint)
        said = replace(state.entry.said or ModelDescription(), read_window=tokens)
        state.entry = replace(state.entry, said=said, said_at=time.time())
    _log.info("%s reads at most %d tokens", endpoint, tokens)


def count(endpoint: Endpoint, counter: Counter) -> int:
    """Count once more; returns what all processes have counted together."""
    with _lock:
        state = _state(endpoint)
        state.entry = state.entry.with_count(counter, _process(), time.time())
        return state.entry.number(counter)


def reset_count(endpoint: Endpoint, counter: Counter) -> None:
    """Count from nothing."""
    with _lock:
        state = _states.get(endpoint)
        if state and state.entry.number(counter):
            state.entry = state.entry.with_reset(counter, _process(), time.time())


def record_input_tokens(endpoint: Endpoint, tokens: int) -> int:
    """Remember how many input tokens a reply counted; returns the most that any did."""
    with _lock:
        state = _state(endpoint)
        state.max_input_tokens = max(state.max_input_tokens, tokens)
        return state.max_input_tokens


def is_first_notice(endpoint: Endpoint, notice: ToldOnce) -> bool:
    """Whether the user was not told yet, and is told from now on."""
    with _lock:
        noticed = _state(endpoint).noticed
        first = notice not in noticed
        noticed.add(notice)
        return first


def forget(endpoint: Endpoint | None = None) -> None:
    """Forget one endpoint, or all."""
    with _lock:
        if endpoint is None:
            _states.clear()
        else:
            _states.pop(endpoint, None)


def take_in(endpoint: Endpoint, value: Any) -> None:
    """Add what the store holds. What it held and holds no more was forgotten elsewhere, and so it is here."""
    with _lock:
        if value is not None:
            _merge(_state(endpoint), value)
        elif endpoint in _states and _states[endpoint].kept is not None:
            del _states[endpoint]


def has_news(endpoint: Endpoint) -> bool:
    """Whether more is known than the store is known to hold."""
    with _lock:
        state = _states.get(endpoint)
        if state is None:
            return False
        now = time.time()
        held = load_entry(state.kept, now)
        return held.merge(state.entry).dump(now) != held.dump(now)


def merge_stored(endpoint: Endpoint, value: Any) -> bytes:
    """What is known, with what the store holds by now, as it is to be kept."""
    with _lock:
        state = _state(endpoint)
        if value is not None:
            _merge(state, value)
        return state.entry.dump(time.time())


def _merge(state: _EndpointState, value: Any) -> None:
    now = time.time()
    held = load_entry(value, now)
    state.entry, state.kept = state.entry.merge(held), held.dump(now)


def note_kept(endpoint: Endpoint, value: bytes) -> None:
    """Remember what the store holds."""
    with _lock:
        _state(endpoint).kept = value


def forget_kept() -> None:
    """Forget what a store holds: it is another one from now on."""
    with _lock:
        for state in _states.values():
            state.kept = None


class Override:
    """An override in force; leaving its `with` block, or `undo`, ends it.

    Example:
        ```python
        with override_tool_support("openai", "none"):
            ...
        ```
    """

    def __init__(self, key: str, axis: Axis, support: Support) -> None:
        self.key = key
        self.axis = axis
        self.support = support

    def undo(self) -> None:
        """End the override; ending it twice is harmless.

        Example:
            ```python
            override = override_tool_support("groq", "native")
            override.undo()
            ```
        """
        with _lock:
            _overrides[:] = [other for other in _overrides if other is not self]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.undo()


def override_tool_support(
    key: str, verdict: Literal["native", "none"], *, axis: Axis = "tools"
) -> Override:
    """Say what a provider or a model supports, over everything learned or known of it, in the whole process.

    Args:
        key: A provider such as `"openai"`, or exactly one model of it such as `"ollama:llama3.1:8b"`. The provider is
            that of the host, or where the host is not known, what LangChain calls the class's.
        verdict: `"native"` or `"none"`.
        axis: What is meant: `"tools"`, `"tool_choice"`, `"response_format"`, `"system_role"`,
            `"grammar"` or `"reasoning"` (that of past messages, which the server wants back).

    Raises:
        ToolSpecError: An empty key, or a verdict or axis that does not exist.

    Example:
        ```python
        override_tool_support("deepinfra", "native")  # until the process ends
        with override_tool_support("openai:gemma2", "none"):  # only here
            ...
        ```
    """
    provider, colon, model = key.partition(":")
    if not provider.strip() or (colon and not model):
        raise ToolSpecError(
            f"{key!r} names no provider: pass one such as 'openai', or a model such as 'openai:gpt-4o'."
        )
    if axis not in get_args(Axis):
        raise ToolSpecError(
            f"{axis!r} cannot be overridden: pass one of {', '.join(get_args(Axis))}."
        )
    if verdict not in ("native", "none"):
        raise ToolSpecError(
            f"{verdict!r} is not a verdict to override with: pass 'native' or 'none'."
        )
    support = Support(verdict, f"overridden for {key!r}")
    override = Override(canonical(provider) + colon + model, axis, support)
    with _lock:
        _overrides.append(override)
    return override


def any_override() -> bool:
    """Whether any override is in force."""
    return bool(_overrides)


def override_for(provider: str, model: str, axis: Axis) -> Support:
    """What the user says of a model, by its name or by its provider's."""
    with _lock:
        said = {one.key: one.support for one in _overrides if one.axis == axis}
    return said.get(f"{provider}:{model}") or said.get(provider) or UNKNOWN
