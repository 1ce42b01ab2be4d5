"""What can go wrong, split by whose fault it was.

    ToolEmuError (LangChainException)
    ├── ToolSpecError (ValueError)          the caller's: a tool, a choice or an argument
    ├── ToolChoiceError                     the model's: a call was demanded and never came
    │   └── ToolCallParseError              the same, and it wrote one that cannot be read (OutputParserException)
    ├── DialectError                        the dialect's: the `read` of one of your own failed
    ├── PolicyError                         the policy's: one of your own failed, or returned no review
    ├── LocalModelError                     the machine's: the embedded model is unavailable (langchain_toolemu.local)
    └── TurnOrderError (RuntimeError)       ours: a turn was driven out of order

A provider's own errors are never wrapped: they pass through as they are. An option with a value that
it cannot have is a `ToolSpecError`; an argument of LangChain's own is pydantic's `ValidationError`.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from langchain_core.exceptions import LangChainException, OutputParserException


class ToolEmuError(LangChainException):
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
        ChatToolEmu(model, mode="forced")  # ToolSpecError: mode='forced' is not known. Did you mean 'force'? ...
        ```
    """


class ToolChoiceError(ToolEmuError):
    """A call was demanded by `tool_choice` and the model never made it.

    Example:
        ```python
        model.bind_tools([get_weather], tool_choice="any")  # may raise it on invoke
        ```
    """


class ToolCallParseError(ToolChoiceError, OutputParserException):
    """A call was demanded, and the model wrote one that is cut or cannot be read, until every re-ask was used up.

    Example:
        ```python
        try:
            model.bind_tools([get_weather], tool_choice="any").invoke("...")
        except ToolCallParseError as error:
            print(error.llm_output)
        ```
    """


class DialectError(ToolEmuError):
    """The `read` of a dialect of your own failed, or returned something else than calls.

    Example:
        ```python
        try:
            ChatToolEmu(model, mode="force", dialect=mine).bind_tools([add]).invoke("Add 1 and 2.")
        except DialectError as error:
            print(error.__cause__)
        ```
    """


class PolicyError(ToolEmuError):
    """A policy of your own raised an error, or returned something else than a `Review`; its own error is the cause.

    Example:
        ```python
        try:
            ChatToolEmu(model, policy=MyPolicy()).bind_tools(tools).invoke("...")
        except PolicyError as error:
            print(error.__cause__)
        ```
    """


class TurnOrderError(ToolEmuError, RuntimeError):
    """A turn was driven out of order, such as `feed` before `ask`: a fault of its driver.

    Example:
        ```python
        Turn(order, settings, knowledge).end()  # TurnOrderError
        ```
    """


class ToolEmuWarning(UserWarning):
    """Something was done for you that you may want to know of, such as emulation taking over.

    Example:
        ```python
        warnings.simplefilter("ignore", ToolEmuWarning)
        ```
    """


def add_report(error: BaseException, report: Mapping[str, Any]) -> None:
    """Leave the report of a turn on the error that ends it, whoever's it is: there is no message to have it."""
    with suppress(AttributeError):  # a class may have no place for it
        error.toolemu_report = dict(report)  # type: ignore[attr-defined]


def report_of(error: BaseException) -> dict[str, Any]:
    """What a turn did before this error ended it, as `response_metadata["toolemu"]` would say it; empty if it was none.

    Example:
        ```python
        report_of(error)["reasks"]  # ['contract: missing_call', 'contract: missing_call']
        ```
    """
    return dict(getattr(error, "toolemu_report", ()))
