"""What the user says of providers and models at run time, over everything that is learned or known of them.

The latest override of a model wins, then the latest of its provider.
"""

from contextlib import ExitStack
from functools import partial
from threading import Lock
from typing import Literal, get_args

from langchain_toolemu.capability.endpoints import canonical
from langchain_toolemu.capability.support import Support
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.model_facts import Axis

_invalid = partial(ToolSpecError, code="bad_override")
_lock = Lock()
_overrides: list[tuple[str, Axis, Support]] = []


class Override(ExitStack):
    """An override in force; leaving its `with` block, or `undo`, ends it.

    Example:
        ```python
        with override_tool_support("openai", "none"):
            ...
        ```
    """

    undo = ExitStack.close  # twice is harmless


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
        such_as = "pass one such as 'openai', or a model such as 'openai:gpt-4o'"
        raise _invalid(f"{key!r} names no provider: {such_as}.")
    if axis not in get_args(Axis):
        raise _invalid(f"{axis!r} cannot be overridden: pass one of {', '.join(get_args(Axis))}.")
    if verdict not in ("native", "none"):
        raise _invalid(f"{verdict!r} is not a verdict to override with: pass 'native' or 'none'.")
    support = Support(verdict, f"overridden for {key!r}")
    entry = canonical(provider) + colon + model, axis, support
    with _lock:
        _overrides.append(entry)
    override = Override()
    override.callback(_end, entry)
    return override


def _end(entry: tuple[str, Axis, Support]) -> None:
    with _lock:
        _overrides[:] = [other for other in _overrides if other is not entry]


def any_override() -> bool:
    """Whether any override is in force."""
    return bool(_overrides)


def overrides_for(provider: str, model: str) -> dict[Axis, Support]:
    """What the user says of a model, by its name or by its provider's."""
    with _lock:
        overrides = list(_overrides)
    names = provider, f"{provider}:{model}"
    return {axis: support for name in names for key, axis, support in overrides if key == name}
