"""What can go wrong, split by whose fault it was.

    ToolEmuError (LangChainException)
    ├── ToolSpecError (ValueError)      the caller's: a tool, a choice or an argument
    ├── ToolChoiceError                 the model's: a call was demanded and never came
    │   └── ToolCallParseError          the same, and it wrote one that cannot be read
    │                                   (OutputParserException)
    ├── DialectError                    the dialect's: the `read` of one of your own failed
    ├── PolicyError                     the policy's: one of your own failed, or returned no review
    ├── LocalModelError                 the machine's: the embedded model is unavailable
    │                                   (langchain_toolemu.local)
    └── TurnOrderError (RuntimeError)   ours: a turn was driven out of order

A provider's own errors pass through as they are. Only a request that is too long is raised as
LangChain's `ContextOverflowError` as well, since its middleware recovers by that. An option with a
value that it cannot have is a `ToolSpecError`; an argument of LangChain's own is pydantic's
`ValidationError`.
Each message says what to do, and each error has a `code` for programs: docs/errors.md lists them.
"""

import inspect
import warnings
from functools import lru_cache
from typing import Any

from langchain_core.exceptions import (
    ContextOverflowError,
    LangChainException,
    OutputParserException,
)

_LIBRARIES = (
    "langchain_toolemu", "langchain_core", "langchain", "langgraph", "langsmith", "deepagents",
    "asyncio", "concurrent", "threading",
)  # fmt: skip


class Coded(Exception):  # noqa: N818 - a warning is one, too
    """A message with a code, which programs can tell it by."""

    code = ""

    def __init__(self, *args: Any, code: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self.code = code or self.code


class ToolEmuError(Coded, LangChainException):
    """Base class of every error this package raises.

    Example:
        ```python
        try:
            model.invoke("What is the weather in Paris?")
        except ToolEmuError as error:
            print(error)
        ```
    """


class ToolSpecError(ToolEmuError, ValueError):
    """A tool, a tool choice or a constructor argument that cannot be used; says which, and what can.

    Example:
        ```python
        ChatToolEmu(model, mode="forced")  # mode='forced' is not known. Did you mean 'force'? ...
        ```
    """

    code = "bad_value"


class ToolChoiceError(ToolEmuError):
    """A call was demanded by `tool_choice` and the model never made it.

    Example:
        ```python
        model.bind_tools([get_weather], tool_choice="any")  # may raise it on invoke
        ```
    """

    code = "tool_call_missing"


class ToolCallParseError(ToolChoiceError, OutputParserException):
    """A call was demanded, and the model wrote one that is cut or unreadable, up to the last re-ask.

    Example:
        ```python
        try:
            model.bind_tools([get_weather], tool_choice="any").invoke("...")
        except ToolCallParseError as error:
            print(error.llm_output)
        ```
    """

    code = "tool_call_unreadable"


class DialectError(ToolEmuError):
    """The `read` of a dialect of your own failed, or returned something other than calls."""

    code = "dialect_failed"


class PolicyError(ToolEmuError):
    """A policy of your own raised an error, or returned no `Review`; its own error is the cause."""

    code = "policy_failed"


class TurnOrderError(ToolEmuError, RuntimeError):
    """A turn was driven out of order, such as `feed` before `ask`: a fault of its driver."""

    code = "turn_order"


class ToolEmuWarning(Coded, UserWarning):
    """Something was done for you that you may want to know about, such as emulation.

    Example:
        ```python
        warnings.simplefilter("ignore", ToolEmuWarning)
        ```
    """


def reason_of(error: BaseException) -> Any:
    """What an error says: one of the system without its number, file and brackets."""
    return getattr(error, "strerror", None) or error


def as_context_overflow(error: Exception) -> Exception:
    """The same error, still of its own class, as LangChain's `ContextOverflowError` as well."""
    if isinstance(error, ContextOverflowError):
        return error
    overflow = _remake(type(error), error.args, dict(vars(error)))
    overflow.__cause__ = error
    return overflow


def _remake(kind: type[Exception], args: tuple[Any, ...], held: dict[str, Any]) -> Exception:
    # mypy doubts that a class has a hash.
    both: type[Exception] = _overflow_class(kind)  # type: ignore[arg-type]
    overflow = both.__new__(both, *args)  # a client's `__init__` wants what it made the fields of
    vars(overflow).update(held)
    return overflow


@lru_cache(maxsize=64)
def _overflow_class(kind: type[Exception]) -> type[Exception]:
    """A class that is both; of a class that cannot be extended so, only LangChain's."""

    def reduce(self: Exception) -> tuple[Any, ...]:
        return _remake, (kind, self.args, dict(vars(self)))

    members = {
        "__doc__": ContextOverflowError.__doc__,
        "__module__": __name__,
        "__reduce__": reduce,
    }
    try:
        return type(f"{kind.__name__}ContextOverflow", (ContextOverflowError, kind), members)
    except TypeError:
        return ContextOverflowError


def warn_user(text: str, code: str) -> None:
    """Warn by a `ToolEmuWarning` that shows the line of whoever called LangChain.

    In a thread of LangChain's that line is unknown: then it shows ours.
    """
    level, frame, found = 1, inspect.currentframe(), 2
    while frame:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] not in _LIBRARIES:
            found = level
            break
        level, frame = level + 1, frame.f_back
    warnings.warn(ToolEmuWarning(text, code=code), stacklevel=found)
