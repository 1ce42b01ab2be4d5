"""What can go wrong, split by whose fault it was.

    ToolEmuError (LangChainException)
    ├── ToolSpecError (ValueError)                  the caller's: a tool, a choice or an argument
    ├── ToolCallParseError (OutputParserException)  the model's: it wrote a call nobody can read
    └── ToolChoiceError                             the model's: a call was demanded and never came

A provider's own errors are never wrapped: they pass through as they are.
"""

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
    """A tool, a tool choice or a constructor argument that cannot be used; says which and the mend.

    Example:
        ```python
        ChatToolEmu(llm="gpt-4o")  # ToolSpecError: `llm` must be a chat model ...
        ```
    """


class ToolCallParseError(ToolEmuError, OutputParserException):
    """The model wrote a call that cannot be read, and every re-ask was used up.

    Example:
        ```python
        try:
            model.invoke("...")
        except ToolCallParseError as error:
            print(error.llm_output)
        ```
    """


class ToolChoiceError(ToolEmuError):
    """A call was demanded by `tool_choice` and the model never made it.

    Example:
        ```python
        model.bind_tools([get_weather], tool_choice="any")  # may raise it on invoke
        ```
    """


class ToolEmuWarning(UserWarning):
    """Something was done for you that you may want to know of, such as emulation taking over.

    Example:
        ```python
        warnings.simplefilter("ignore", ToolEmuWarning)
        ```
    """
