"""What a constructor is given by name: refused, if it cannot be, in words that name what can.

Checked before pydantic sees it, whose own errors name neither the likely spelling nor the other class that was meant.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.options import FIELDS, OPTIONS

_FOR_BINDING = {
    "tools": "bind_tools([...])",
    "tool_choice": "bind_tools([...], tool_choice=...)",
    "functions": "bind_tools([...])",
    "parallel_tool_calls": "bind_tools([...], parallel_tool_calls=...)",
    "strict": "bind_tools([...], strict=...)",
    "response_format": "bind_tools([...], response_format=...) or with_structured_output(...)",
}
_OF_A_MODEL = frozenset({"model", "model_name", "model_provider", "base_url", "api_key", "max_retries"})  # fmt: skip
"""Names of every provider's that look like one of ours."""


def names_of(cls: type[BaseModel]) -> list[str]:
    """The names by which the fields of a class are passed."""
    aliases = [field.alias for field in cls.model_fields.values() if field.alias]
    return [*cls.model_fields, *aliases]


def refuse_unknown(cls: type[BaseModel], llm: Any, data: Mapping[str, Any]) -> None:
    """Refuse what a class has no parameter for, and say where it belongs.

    Raises:
        ToolSpecError: There is such a name.
    """
    known = names_of(cls)
    for name in sorted(set(data) - set(known)):
        raise ToolSpecError(
            f"{cls.__name__} has no parameter {name!r}. {_hint(cls, name, known, llm)}"
        )


def refuse_misspelt(cls: type[BaseModel], inner: type[BaseModel], data: Mapping[str, Any]) -> None:
    """Refuse what a class and the one inside it have no parameter for, if it was meant for the former.

    Raises:
        ToolSpecError: There is such a name; any other is the inner class's to judge.
    """
    theirs = names_of(inner)
    own = [name for name in names_of(cls) if name not in theirs]
    for name in sorted(set(data) - set(theirs)):
        hint = _hint(cls, name, own, None) if name in ("tools", "functions", "tool_choice") else ""
        if get_close_matches(name, own, 1, 0.8):
            # `modle` is as near to their `model` as to our `mode`.
            hint = f"Did you mean {' or '.join(get_close_matches(name, [*own, *theirs], 2, 0.8))}?"
        if hint:
            raise ToolSpecError(f"{cls.__name__} has no parameter {name!r}. {hint}")


def _hint(cls: type[BaseModel], name: str, known: list[str], llm: Any) -> str:
    if name in _FOR_BINDING:
        return f"It is said when tools are bound: {cls.__name__}(...).{_FOR_BINDING[name]}."
    if not _belongs_to(llm, name) and (near := get_close_matches(name, known, 1, 0.7)):
        return f"Did you mean {near[0]}?"
    return _where_to_set(name, llm)


def _where_to_set(name: str, llm: Any) -> str:
    if isinstance(llm, str):
        return (
            f"Set it on the wrapped model: ChatToolEmu(init_chat_model({llm!r:.80}, {name}=...))."
        )
    if not isinstance(llm, BaseChatModel):
        return f"Set it on the wrapped model, such as ChatToolEmu(ChatOpenAI({name}=...))."
    inner = type(llm).__name__
    if name in names_of(type(llm)):
        return f"Set it on the wrapped model: ChatToolEmu({inner}({name}=...))."
    return f"{inner} has none either. What each request is to carry goes into llm_kwargs={{{name!r}: ...}}."


def _belongs_to(llm: Any, name: str) -> bool:
    """Whether the wrapped model has such a parameter, or every provider's has."""
    return name in _OF_A_MODEL or (isinstance(llm, BaseChatModel) and name in names_of(type(llm)))


def refuse_bad_values(data: Mapping[str, Any]) -> None:
    """Refuse a value that its option cannot have, whether it is passed, assigned or copied.

    Raises:
        ToolSpecError: There is such a value.
    """
    for name, value in data.items():
        option = OPTIONS.get(name) or FIELDS.get(name)
        if option and (complaint := option.complaint(value)):
            raise ToolSpecError(complaint)
