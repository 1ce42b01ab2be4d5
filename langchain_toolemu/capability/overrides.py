"""What the user says of a provider or a model at run time: in force until undone.

The rules here:

- The latest override of a model wins, then the latest of its provider.
- Each is undone by itself, in whatever order: threads and nested blocks do not disturb one another.
"""

from threading import Lock
from types import TracebackType
from typing import Literal, get_args

from typing_extensions import Self

from langchain_toolemu.capability.endpoints import canonical
from langchain_toolemu.capability.support import UNKNOWN, Support
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.model_facts import Axis

_lock = Lock()
_in_force: list["Override"] = []


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
            _in_force[:] = [other for other in _in_force if other is not self]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.undo()


def override_tool_support(
    key: str, verdict: Literal["native", "none"], *, axis: Axis = "tools"
) -> Override:
    """Say what a provider or a model supports, over everything learned or known of it, in the whole process.

    Args:
        key: A provider such as `"openai"`, or exactly one model of it such as `"ollama:llama3.1:8b"`. The provider is
            that of the host, or where the host is not known, what LangChain calls the class's.
        verdict: `"native"` or `"none"`.
        axis: What is meant: `"tools"`, `"tool_choice"`, `"response_format"`, `"system_role"` or `"grammar"`.

    Raises:
        ToolSpecError: An empty key, or a verdict or axis that does not exist.

    Example:
        ```python
        override_tool_support("deepinfra", "native")  # until the process ends
        with override_tool_support("openai:gemma2", "none"):  # only here
            ...
        ```
    """
    override = Override(_read_key(key), _read_axis(axis), Support(_read(verdict), f"overridden for {key!r}"))  # fmt: skip
    with _lock:
        _in_force.append(override)
    return override


def overridden(provider: str, model: str, axis: Axis) -> Support:
    """What the user says of a model, by its name or by its provider's."""
    with _lock:
        said = {override.key: override.support for override in _in_force if override.axis == axis}
    return said.get(f"{provider}:{model}") or said.get(provider) or UNKNOWN


def any_override() -> bool:
    """Whether any override is in force."""
    with _lock:
        return bool(_in_force)


def _read_key(key: str) -> str:
    provider, colon, model = key.partition(":")
    if not provider.strip() or (colon and not model):
        raise ToolSpecError(
            f"{key!r} names no provider: pass one such as 'openai', or a model such as 'openai:gpt-4o'."
        )
    return canonical(provider) + colon + model


def _read(verdict: str) -> Literal["native", "none"]:
    if verdict == "native":
        return "native"
    if verdict == "none":
        return "none"
    raise ToolSpecError(f"{verdict!r} is not a verdict to override with: pass 'native' or 'none'.")


def _read_axis(axis: Axis) -> Axis:
    if axis in get_args(Axis):
        return axis
    raise ToolSpecError(f"{axis!r} cannot be overridden: pass one of {', '.join(get_args(Axis))}.")
