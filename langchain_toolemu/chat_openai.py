"""`ToolEmuChatOpenAI`: ChatOpenAI's own constructor and attributes, so that one changed name is the whole change.

The rule of this room: whatever ChatOpenAI has a field for belongs to the ChatOpenAI inside, and is read and set
there. Nothing is kept twice.
"""

from typing import TYPE_CHECKING, Any

from langchain_core.runnables import ConfigurableField, RunnableSerializable
from langchain_core.runnables.configurable import RunnableConfigurableFields
from langchain_core.runnables.utils import AnyConfigurableField
from langchain_openai import ChatOpenAI
from typing_extensions import override

from langchain_toolemu.chat_models import ChatToolEmu

_THEIRS = ChatOpenAI.model_fields.keys() - ChatToolEmu.model_fields.keys()
_OURS = {
    name
    for field_name, field in ChatToolEmu.model_fields.items()
    for name in (field_name, field.alias)
    if name and name not in ChatOpenAI.model_fields
}

_SEEN = ("name", "verbose")
"""What LangChain reads off the model that is called, and nobody takes over for it."""


class ToolEmuChatOpenAI(ChatToolEmu):
    """ChatOpenAI with tool calling for every model and server it can talk to.

    Takes ChatOpenAI's arguments, which reach the ChatOpenAI inside, and those of `ChatToolEmu`.

    Example:
        ```python
        from langchain_toolemu import ToolEmuChatOpenAI

        llm = ToolEmuChatOpenAI(model="gemma2", base_url="http://localhost:8000/v1", api_key="none")
        llm.bind_tools([get_weather]).invoke("What is the weather in Paris?").tool_calls
        ```
    """

    def __init__(self, **data: Any) -> None:
        ours = {name: data.pop(name) for name in _OURS if name in data}
        if "llm" in ours:
            super().__init__(**_changed(ours, data))
        else:
            seen = {name: data[name] for name in _SEEN if name in data}
            super().__init__(llm=ChatOpenAI(**data), **ours, **seen)

    if TYPE_CHECKING:
        # ChatOpenAI's fields are made properties below, where a type checker does not look.
        def __getattr__(self, name: str) -> Any: ...

    @override
    def configurable_fields(self, **kwargs: AnyConfigurableField) -> RunnableSerializable[Any, Any]:
        """ChatOpenAI's fields can be configured at run time as on ChatOpenAI itself."""
        if not _THEIRS & kwargs.keys():
            return super().configurable_fields(**kwargs)
        described = {name: _described(name, field) for name, field in kwargs.items()}
        return RunnableConfigurableFields(default=self, fields=described)


def _changed(ours: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """The arguments for a copy, as LangChain makes one to configure it: changes for the model inside go there."""
    changes = {name: data.pop(name) for name in _THEIRS if name in data}
    if not changes:
        return {**ours, **data}
    llm = ours["llm"]
    kept = {name: value for name, value in vars(llm).items() if name in type(llm).model_fields}
    return {**ours, **data, "llm": type(llm)(**{**kept, **changes})}


def _described(name: str, field: AnyConfigurableField) -> AnyConfigurableField:
    """A configurable field that says its own type: LangChain looks for it among our fields."""
    if not isinstance(field, ConfigurableField) or name not in _THEIRS:
        return field
    theirs = ChatOpenAI.model_fields[name]
    return field._replace(
        annotation=field.annotation or theirs.annotation,
        description=field.description or theirs.description or name,
    )


def _delegated(name: str) -> property:
    """A field of the ChatOpenAI inside, as an attribute of the wrapper."""

    def read(self: ToolEmuChatOpenAI) -> Any:
        return getattr(self.llm, name)

    def write(self: ToolEmuChatOpenAI, value: Any) -> None:
        setattr(self.llm, name, value)

    return property(read, write, doc=f"`{name}` of the ChatOpenAI inside.")


# By name, each a field that ChatOpenAI declares: `__getattr__` would also hand out the hooks that LangChain looks
# up on a model, and those of the wrapped one would bypass us.
for _name in (*_THEIRS, "model"):
    setattr(ToolEmuChatOpenAI, _name, _delegated(_name))
