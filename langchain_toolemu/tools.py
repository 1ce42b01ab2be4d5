"""What is offered: tools of every kind LangChain knows, and every spelling of a tool choice.

Bad tools and bad choices are refused here, with the tool named and the mend said; nothing behind
this room ever meets one.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.masks import masked

ToolLike: TypeAlias = Mapping[str, Any] | type | Callable[..., Any] | BaseTool

_SEPARATORS = re.compile(r"[\s\\_.\-]+")
_NAMESPACE = re.compile(r"[.:/]+")


@dataclass(frozen=True)
class ToolSpec:
    """One tool as the contract describes it and the reader looks it up."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    @property
    def properties(self) -> Mapping[str, Any]:
        """The argument schemas by name, in the order the tool declares them."""
        found = self.parameters.get("properties")
        return found if isinstance(found, Mapping) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the arguments that must be there."""
        found = self.parameters.get("required")
        return tuple(found) if isinstance(found, Sequence) else ()


class ToolSet:
    """The bound tools, looked up by the names models write.

    Example:
        ```python
        ToolSet([spec]).resolve("functions.Get-Weather")  # the spec of get_weather
        ```
    """

    def __init__(self, specs: Sequence[ToolSpec] = ()) -> None:
        self._by_name = {spec.name: spec for spec in specs}
        self.specs = tuple(self._by_name.values())

    def __iter__(self) -> Iterator[ToolSpec]:
        return iter(self.specs)

    def __len__(self) -> int:
        return len(self.specs)

    @property
    def names(self) -> tuple[str, ...]:
        """The names as bound."""
        return tuple(self._by_name)

    def exact(self, name: str) -> ToolSpec | None:
        """The tool of exactly this name."""
        return self._by_name.get(name)

    def resolve(self, name: str) -> ToolSpec | None:
        """The one tool that a model's spelling can mean; `None` if there is none or more than one.

        Tried in order: the name itself; case and separators aside; without a namespace in front.
        """
        if found := self._by_name.get(name):
            return found
        if found := self._only(fold_name(name)):
            return found
        bare = _NAMESPACE.split(name.strip())[-1]
        return self._by_name.get(bare) or self._only(fold_name(bare))

    def _only(self, folded: str) -> ToolSpec | None:
        fitting = self._by_folded_name.get(folded, ())
        return fitting[0] if len(fitting) == 1 else None

    @cached_property
    def _by_folded_name(self) -> dict[str, list[ToolSpec]]:
        folded: dict[str, list[ToolSpec]] = {}
        for spec in self.specs:
            folded.setdefault(fold_name(spec.name), []).append(spec)
        return folded


def fold_name(name: str) -> str:
    """A name without case and separators, in which models' spellings differ."""
    return _SEPARATORS.sub("", name).casefold()


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """What the caller wants of the model: free choice, no call, some call, or one named tool.

    No call with a name is the demand for a provider's built-in tool: no function is to be called.
    """

    kind: Literal["auto", "none", "any", "named"]
    name: str | None = None

    @property
    def forced(self) -> bool:
        """Whether a reply without a call misses what was asked."""
        return self.kind in ("any", "named")

    @property
    def built_in(self) -> bool:
        """Whether a provider's built-in tool is demanded."""
        return self.kind == "none" and self.name is not None

    def check_emulable(self) -> None:
        """Refuse what no text can do.

        Raises:
            ToolSpecError: A provider's built-in tool is demanded.
        """
        if self.built_in:
            raise ToolSpecError(
                f"tool_choice demands {self.name!r}, which is built into its provider and cannot be emulated in text. "
                "Use mode='off' with a provider that has it, or choose a function tool instead."
            )


AUTO = ToolChoice("auto")
NONE = ToolChoice("none")
ANY = ToolChoice("any")


def to_openai_tools(
    tools: Sequence[ToolLike], *, strict: bool | None = None
) -> list[dict[str, Any]]:
    """Describe tools of any kind as OpenAI tool dicts, the form LangGraph's agents look for.

    Raises:
        ToolSpecError: A tool cannot be described, has no name, or two different ones share one.
    """
    described = [_to_openai_tool(tool, strict) for tool in tools]
    by_name: dict[str, Any] = {}
    for tool in described:
        name = _function_name(tool)
        if name and _untitled(by_name.setdefault(name, tool)) != _untitled(tool):
            raise ToolSpecError(
                f"Two different tools are named {name!r}. Rename one: a call could not be told apart."
            )
    return described


def _untitled(schema: Any) -> Any:
    """A schema without its titles, in which two descriptions of one pydantic class differ."""
    if isinstance(schema, Mapping):
        named = {
            key: value
            for key, value in schema.items()
            if key != "title" or not isinstance(value, str)
        }
        return {key: _untitled(value) for key, value in named.items()}
    return [_untitled(item) for item in schema] if isinstance(schema, list) else schema


def tool_names(tools: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of those tools that have one; a provider's built-in may have none."""
    return [name for tool in tools if (name := _function_name(tool)) is not None]


def _to_openai_tool(tool: ToolLike, strict: bool | None) -> dict[str, Any]:
    try:
        described = convert_to_openai_tool(tool, strict=strict)
    except Exception as error:
        # LangChain quotes a dict that is no tool, headers and all.
        words = str(error).replace(str(tool), str(masked(tool)))
        raise ToolSpecError(
            f"The tool {_label(tool)} cannot be described: {' '.join(words.split())} "
            "Pass a BaseTool, a function with type hints and a docstring, a pydantic class, "
            "a TypedDict or an OpenAI tool dict."
        ) from error
    if described.get("type") == "function" and _function_name(described) in (None, "<lambda>"):
        raise ToolSpecError(f"The tool {_label(tool)} has no name. Give its function a `name`.")
    _check_parameters(described)
    return described


def _check_parameters(tool: Mapping[str, Any]) -> None:
    """Refuse what is no schema of arguments at all; what it says of each is the schema's own matter."""
    function = tool.get("function", tool)
    parameters = function.get("parameters") if isinstance(function, Mapping) else None
    if parameters is None:
        return
    properties = parameters.get("properties", {}) if isinstance(parameters, Mapping) else None
    if not isinstance(properties, Mapping):
        raise ToolSpecError(
            f"The tool {_label(tool)} has no proper schema: `parameters` must be an object whose `properties` are an "
            'object, too, such as {"type": "object", "properties": {"city": {"type": "string"}}}.'
        )


def _function_name(tool: Mapping[str, Any]) -> str | None:
    function = tool.get("function")
    name = function.get("name") if isinstance(function, Mapping) else tool.get("name")
    return name if isinstance(name, str) and name else None


def _label(tool: ToolLike) -> str:
    if isinstance(tool, Mapping):
        return repr(_function_name(tool) or tool.get("title") or tool.get("type") or masked(tool))
    return repr(getattr(tool, "name", None) or getattr(tool, "__name__", None) or tool)


def read_tools(tools: Sequence[Mapping[str, Any]]) -> ToolSet:
    """The tool set behind OpenAI tool dicts.

    Raises:
        ToolSpecError: One of them is a provider's built-in that no text can emulate.
    """
    return ToolSet([_read_tool(tool) for tool in tools])


def _read_tool(tool: Mapping[str, Any]) -> ToolSpec:
    # OpenAI's Responses API writes a function tool flat, without the inner "function".
    function = tool.get("function", tool)
    if tool.get("type") != "function" or not isinstance(function, Mapping):
        raise ToolSpecError(
            f"The tool {_label(tool)} is built into its provider and cannot be emulated in text. "
            "Use mode='off' with a provider that has it, or bind a function tool instead."
        )
    name = _function_name(tool)
    if name is None:
        raise ToolSpecError(f"The tool {masked(tool)!r} has no name. Give its function a `name`.")
    return ToolSpec(
        name=name,
        description=str(function.get("description") or ""),
        parameters=function.get("parameters") or {"type": "object", "properties": {}},
    )


def choice_among(tools: Sequence[Mapping[str, Any]], choice: Any) -> ToolChoice:
    """What a `tool_choice` means for these tools.

    Raises:
        ToolSpecError: The choice names a tool that is not bound, or nothing known.
    """
    functions = [tool for tool in tools if tool.get("type") == "function"]
    others = [tool for tool in tools if tool.get("type") != "function"]
    built_in = [*tool_names(others), *(tool["type"] for tool in others if tool.get("type"))]
    return read_choice(choice, tool_names(functions), built_in)


def bindable_choice(tools: Sequence[Mapping[str, Any]], choice: Any) -> Any:
    """The choice as a binding carries it: as ChatOpenAI writes it, or as it came if only its provider can read it.

    Raises:
        ToolSpecError: The choice names a tool that is not bound, or nothing known.
    """
    meant = choice_among(tools, choice)
    return choice if meant.built_in or _is_allowance(choice) else to_openai_choice(meant)


def offered_by(tools: Sequence[dict[str, Any]], choice: Any) -> Sequence[dict[str, Any]]:
    """The tools that a choice leaves on offer: OpenAI's `allowed_tools` lists some of them."""
    if not _is_allowance(choice):
        return tools
    allowed = {_word_of_tool(tool) for tool in _allowance(choice)["tools"]}
    return [tool for tool in tools if _word_of_tool(tool) in allowed]


def read_choice(choice: Any, names: Sequence[str], built_in: Sequence[str] = ()) -> ToolChoice:
    """Bring every spelling of `tool_choice` to one value.

    Args:
        choice: `None`, a bool, `"auto"`, `"none"`, `"any"`, `"required"`, a tool's name, or a dict
            as OpenAI, Anthropic or Bedrock write it.
        names: The bound functions' names.
        built_in: The names and types of the bound tools that are built into their provider.

    Raises:
        ToolSpecError: The choice names a tool that is not bound, or nothing known.
    """
    if choice is None or isinstance(choice, bool):
        return ANY if choice else AUTO
    if _is_allowance(choice):
        return _read_allowance(choice, names)
    if _is_of_provider(choice):
        return ToolChoice("none", choice["type"])
    return _read_word(_word_of(choice) if isinstance(choice, Mapping) else choice, names, built_in)


def _read_word(choice: Any, names: Sequence[str], built_in: Sequence[str]) -> ToolChoice:
    if not isinstance(choice, str):
        raise ToolSpecError(
            f"tool_choice={choice!r} is not understood. Use 'auto', 'none', 'any', or a tool's name."
        )
    if choice in names:
        return ToolChoice("named", choice)
    match choice:
        case "auto":
            return AUTO
        case "none":
            return NONE
        case "any" | "required":
            return ANY
    if choice in built_in:
        return ToolChoice("none", choice)
    raise _names_nothing(choice, names)


def _names_nothing(choice: str, names: Sequence[str]) -> ToolSpecError:
    return ToolSpecError(
        f"tool_choice={choice!r} names no bound tool. Bound are: {', '.join(names) or 'none'}. "
        "Bind that tool too, or use 'auto', 'none' or 'any'."
    )


def _is_of_provider(choice: Any) -> bool:
    """Whether a dict chooses neither a function nor among them: `{"type": "file_search"}`, or a tool of an MCP server."""
    kind = choice.get("type") if isinstance(choice, Mapping) else None
    return isinstance(kind, str) and kind not in _KINDS


_KINDS = ("function", "tool", "auto", "none", "any", "required")


def _is_allowance(choice: Any) -> bool:
    return isinstance(choice, Mapping) and choice.get("type") == "allowed_tools"


def _allowance(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    """Mode and tools of OpenAI's `allowed_tools`, which its Responses API writes flat."""
    inner = choice.get("allowed_tools", choice)
    tools = inner.get("tools") if isinstance(inner, Mapping) else None
    if not isinstance(tools, list) or not all(isinstance(tool, Mapping) for tool in tools):
        raise ToolSpecError(
            f"tool_choice={choice!r} is not understood. It lists no `tools`; use 'auto', 'none', 'any', or a tool's name."
        )
    return inner  # type: ignore[no-any-return]


def _read_allowance(choice: Mapping[str, Any], names: Sequence[str]) -> ToolChoice:
    inner = _allowance(choice)
    for tool in inner["tools"]:
        if tool.get("type") == "function" and _word_of_tool(tool) not in names:
            raise _names_nothing(str(_word_of_tool(tool)), names)
    return ANY if inner.get("mode") == "required" else AUTO


def _word_of_tool(tool: Mapping[str, Any]) -> str | None:
    """What tells a tool apart: a function's name, or a built-in's type."""
    return _function_name(tool) if tool.get("type") == "function" else tool.get("type")


def _word_of(choice: Mapping[str, Any]) -> Any:
    """The tool's name, or the kind, out of a provider's dict.

    OpenAI: `{"type": "function", "function": {"name": n}}`; its Responses API:
    `{"type": "function", "name": n}`; Anthropic: `{"type": "tool", "name": n}`, `{"type": "any"}`;
    Bedrock: `{"tool": {"name": n}}`, `{"any": {}}`.
    """
    for inner in (choice.get("function"), choice.get("tool"), choice):
        if isinstance(inner, Mapping) and isinstance(inner.get("name"), str):
            return inner["name"]
    kind = choice.get("type") or next((key for key in ("any", "auto") if key in choice), None)
    return kind if isinstance(kind, str) else dict(choice)


def to_openai_choice(choice: ToolChoice) -> str | dict[str, Any] | None:
    """The choice as ChatOpenAI's binding carries it."""
    match choice.kind:
        case "named":
            return {"type": "function", "function": {"name": choice.name}}
        case "any":
            return "required"
        case "none":
            return "none"
    return None
