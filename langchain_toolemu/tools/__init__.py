"""What is offered to a model: tools of every kind, the choice among them, the form of an answer."""

from langchain_toolemu.tools.choice import (
    ANY,
    AUTO,
    NONE,
    ToolChoice,
    bindable_choice,
    choice_among,
    read_choice,
    to_openai_choice,
    tools_on_offer,
)
from langchain_toolemu.tools.specs import (
    ToolLike,
    ToolSet,
    ToolSetCache,
    ToolSpec,
    built_ins,
    label_of,
    read_functions,
    read_tools,
    to_openai_tools,
    tool_names,
    warn_of_bare,
)
from langchain_toolemu.validation import fold_name

__all__ = [
    "ANY",
    "AUTO",
    "NONE",
    "ToolChoice",
    "ToolLike",
    "ToolSet",
    "ToolSetCache",
    "ToolSpec",
    "bindable_choice",
    "built_ins",
    "choice_among",
    "fold_name",
    "label_of",
    "read_choice",
    "read_functions",
    "read_tools",
    "to_openai_choice",
    "to_openai_tools",
    "tool_names",
    "tools_on_offer",
    "warn_of_bare",
]  # fmt: skip
