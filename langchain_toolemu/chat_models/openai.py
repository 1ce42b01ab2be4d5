"""`ToolEmuChatOpenAI`: ChatOpenAI's own constructor and attributes, so that one changed name is the whole change.

What ChatOpenAI has a field for is read and set on the ChatOpenAI inside. What LangChain looks for on the model that is
called is the wrapper's: `callbacks`, `tags`, `metadata`, `name`.
"""

import os
from collections.abc import Mapping
from copy import copy
from inspect import getdoc
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.load.serializable import SerializedConstructor, SerializedNotImplemented
from langchain_core.runnables import ConfigurableField, RunnableSerializable
from langchain_core.runnables.configurable import RunnableConfigurableFields
from langchain_core.runnables.utils import AnyConfigurableField
from langchain_openai import ChatOpenAI
from pydantic import Field, SecretStr
from typing_extensions import Self, override

from langchain_toolemu.capability.endpoints import is_local
from langchain_toolemu.chat_models.constructor import (
    refuse_bad_values,
    refuse_misspelt,
    show_options,
)
from langchain_toolemu.chat_models.reasoning_chat_openai import ReasoningChatOpenAI
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.options import FIELDS, OPTIONS

if TYPE_CHECKING:
    from langchain_toolemu import options

    class _Base(ChatToolEmu, ChatOpenAI): ...  # type: ignore[misc, override]

else:
    _Base = ChatToolEmu

_CHAT_OPENAI = ChatOpenAI.model_fields.keys()
_THEIRS = _CHAT_OPENAI - ChatToolEmu.model_fields.keys()
# What LangChain reads off the model that is called, and no hook takes over for it.
_SEEN = ("name", "profile", "verbose")
# What both models read, so that it is set on both.
_SHARED = ("disable_streaming", "custom_get_token_ids")
# What only the model inside may show: LangChain uses whatever it reads off the model that is called, so twice.
_USED_INSIDE = ("cache", "rate_limiter")
# What both models are passed under one name: a word is ours, ChatOpenAI's is a dict.
_BOTH = {option.name for option in OPTIONS.values() if option.is_shared}
_KEYS = ("api_key", "openai_api_key")
_NO_KEY = SecretStr("not-needed")
_INSIDE = {*_THEIRS, *_SHARED, *_USED_INSIDE}


class ToolEmuChatOpenAI(_Base):
    """ChatOpenAI with tool calling for every model and server it can talk to.

    Takes ChatOpenAI's arguments, which reach the ChatOpenAI inside, and the options of `ChatToolEmu`.

    Example:
        ```python
        from langchain_toolemu import ToolEmuChatOpenAI

        llm = ToolEmuChatOpenAI(model="gemma2", base_url="http://localhost:8000/v1")
        llm.bind_tools([get_weather]).invoke("What is the weather in Paris?").tool_calls
        ```
    """

    if TYPE_CHECKING:
        # Both models have these. A type checker makes the constructor of the fields of both.
        llm: BaseChatModel = Field(default=..., init=False)
        reasoning: dict[str, Any] | options.Reasoning | None = None  # type: ignore[assignment]
    else:

        def __init__(self, llm: Any = None, **data: Any) -> None:
            ours = {name: data.pop(name) for name in self._own_names() & data.keys()}
            theirs = [name for name in _BOTH & ours.keys() if not isinstance(ours[name], str)]
            data |= {name: ours.pop(name) for name in theirs}
            if llm is not None:
                ours["llm"] = _require_chat_openai(llm)
                super().__init__(**_copy_arguments(ours, data))
            else:
                refuse_misspelt(type(self), ChatOpenAI, data)
                _refuse_chat_model(data.get("model"))
                seen = {name: data[name] for name in (*_SEEN, *_SHARED) if name in data}
                # Values are checked before a ChatOpenAI is made: it may fail for want of a key.
                refuse_bad_values(ours)
                super().__init__(llm=ReasoningChatOpenAI(**_with_key(data)), **ours, **seen)

    @classmethod
    def _own_names(cls) -> set[str]:
        """The names by which fields are passed that ChatOpenAI does not have: ours, and those of a subclass."""
        fields = cls.model_fields
        names = fields.keys() - _CHAT_OPENAI
        return {*names, *(alias for name in names if (alias := fields[name].alias))}

    @classmethod
    @override
    def is_lc_serializable(cls) -> bool:
        """Whether `dumps` writes it so that `loads` can make it again: yes, as ChatOpenAI."""
        return True

    @property
    @override
    def lc_secrets(self) -> dict[str, str]:
        return self.llm.lc_secrets

    @override
    def to_json(self) -> SerializedConstructor | SerializedNotImplemented:
        """What ChatOpenAI writes of itself, and the options of ours that were set."""
        written = self.llm.to_json()
        if written["type"] != "constructor":
            return written
        theirs = written["kwargs"]
        if self.llm.openai_api_key == _NO_KEY:  # type: ignore[attr-defined]
            theirs = {name: value for name, value in theirs.items() if name not in _KEYS}
        fields = type(self).model_fields
        own = {*FIELDS, "name", *self._own_names()} - {"llm"}
        chosen = [name for name in sorted(own & self.model_fields_set) if not fields[name].exclude]
        values = {fields[name].alias or name: getattr(self, name) for name in chosen}
        ours = {name: value for name, value in values.items() if value != {}}
        kwargs = {**theirs, **ours}
        return {**written, "id": self.lc_id(), "name": self.get_name(), "kwargs": kwargs}

    @override
    def __setattr__(self, name: str, value: Any) -> None:
        if name in (*_SHARED, *_USED_INSIDE):
            setattr(self.llm, name, value)
        if name not in _USED_INSIDE:
            super().__setattr__(name, value)

    def __copy__(self) -> Self:
        """A copy with a ChatOpenAI of its own, so that what is set on one is not set on the other."""
        copied = super().__copy__()
        copied.llm = copy(self.llm)
        return copied

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy; what is changed of ChatOpenAI's fields is changed on the ChatOpenAI inside."""
        changes = dict(update or {})
        inside = {name: changes.pop(name) for name in _INSIDE & changes.keys()}
        copied = super().model_copy(update=changes, deep=deep)
        for name, value in inside.items():
            setattr(copied, name, value)
        return copied

    @override
    def configurable_fields(self, **kwargs: AnyConfigurableField) -> RunnableSerializable[Any, Any]:
        """ChatOpenAI's fields can be configured at run time as on ChatOpenAI itself."""
        if not _THEIRS & kwargs.keys():
            return super().configurable_fields(**kwargs)
        described = {name: _with_annotation(name, field) for name, field in kwargs.items()}
        return RunnableConfigurableFields(default=self, fields=described)


def _require_chat_openai(llm: Any) -> BaseChatModel:
    """The ChatOpenAI that LangChain passes to configure a copy; anything else by position is a mistake."""
    if isinstance(llm, ChatOpenAI):
        return llm
    _refuse_chat_model(llm)
    raise ToolSpecError(
        "ToolEmuChatOpenAI takes the arguments of ChatOpenAI, by name: ToolEmuChatOpenAI(model=..., base_url=...).",
        code="not_a_chat_model",
    )


def _refuse_chat_model(value: Any) -> None:
    if isinstance(value, BaseChatModel):
        kind = type(value).__name__
        raise ToolSpecError(
            f"ToolEmuChatOpenAI creates its own ChatOpenAI. To wrap a {kind}: ChatToolEmu({kind}(...)).",
            code="not_a_chat_model",
        )


def _with_key(data: dict[str, Any]) -> dict[str, Any]:
    """ChatOpenAI's arguments, with a dummy key if none is set and the server is local."""
    given = any(data.get(name) for name in _KEYS) or os.environ.get("OPENAI_API_KEY")
    typed = (data.get(name) for name in ("base_url", "openai_api_base"))
    exported = (os.environ.get(name) for name in ("OPENAI_API_BASE", "OPENAI_BASE_URL"))
    address = next((str(url) for url in (*typed, *exported) if url), "")  # empty: OpenAI's own
    if given or not is_local(address):
        return data
    others = {name: value for name, value in data.items() if name not in _KEYS}
    return {**others, "api_key": _NO_KEY}


def _copy_arguments(ours: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """The arguments for a copy, as LangChain makes one to configure it: changes for the model inside go there."""
    llm = ours["llm"]
    changes = {name: data.pop(name) for name in _THEIRS if name in data}
    shared = {name: data[name] for name in _SHARED if name in data}
    changes |= {name: value for name, value in shared.items() if value != getattr(llm, name)}
    if not changes:
        return {**ours, **data}
    # What was not set stays so: LangChain takes `streaming=False` for a wish not to stream, its default for none.
    kept = {name: value for name, value in vars(llm).items() if name in llm.model_fields_set}
    return {**ours, **data, "llm": type(llm)(**{**kept, **changes})}


def _with_annotation(name: str, field: AnyConfigurableField) -> AnyConfigurableField:
    """A configurable field that says its own type: LangChain looks for it among our fields."""
    if not isinstance(field, ConfigurableField) or name not in _THEIRS:
        return field
    theirs = ChatOpenAI.model_fields[name]
    words = field.description or theirs.description or name
    return field._replace(annotation=field.annotation or theirs.annotation, description=words)


def _inner_property(name: str) -> property:
    def read(self: ToolEmuChatOpenAI) -> Any:
        return getattr(self.llm, name)

    def write(self: ToolEmuChatOpenAI, value: Any) -> None:
        setattr(self.llm, name, value)

    def delete(self: ToolEmuChatOpenAI) -> None:
        delattr(self.llm, name)  # as `mock.patch.object` ends

    return property(read, write, delete, doc=f"`{name}` of the ChatOpenAI inside.")


# By name, each a field that ChatOpenAI declares: `__getattr__` would also hand out the hooks that LangChain looks
# up on a model, and those of the wrapped one would bypass us.
for _name in (*_THEIRS, "model"):
    setattr(ToolEmuChatOpenAI, _name, _inner_property(_name))

show_options(ToolEmuChatOpenAI, rest="of_chat_openai")
_options = (getdoc(ChatToolEmu) or "").partition("    mode (")
ToolEmuChatOpenAI.__doc__ = f"{getdoc(ToolEmuChatOpenAI)}\n\nArgs:\n{_options[1]}{_options[2]}"
