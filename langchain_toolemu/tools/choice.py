"""Every spelling of `tool_choice`, as one value; one that names no bound tool is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Literal

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.tools.specs import built_ins, function_name, label_of, tool_names


@dataclass(frozen=True)
class ToolChoice:
    """Free choice, no call, some call, or one named tool; no call with a name demands a provider's built-in tool."""

    kind: Literal["auto", "none", "any", "named"]
    name: str | None = None

    @cached_property
    def forced(self) -> bool:
        """Whether a call is required."""
        return self.kind in ("any", "named")

    @property
    def built_in(self) -> bool:
        """Whether a provider's built-in tool is demanded."""
        return self.kind == "none" and self.name is not None

    def check_emulable(self) -> None:
        """Refuse the demand for a provider's built-in tool, which no text can meet."""
        if self.built_in:
            raise ToolSpecError(
                f"tool_choice demands {self.name!r}, which is built into its provider and cannot be emulated in text. "
                "Use mode='off' with a provider that has it, or choose a function tool instead.",
                code="built_in_tool",
            )

    def check_tools_bound(self) -> None:
        """Refuse the demand for a call where there is no tool to call."""
        if self.forced:
            raise ToolSpecError(
                "tool_choice demands a call, but no tools are bound. "
                "Bind at least one tool, or leave tool_choice out.",
                code="tool_choice",
            )


_MOST_COMPARED = 64  # characters
AUTO = ToolChoice("auto")
NONE = ToolChoice("none")
ANY = ToolChoice("any")
_WAYS = "Use 'auto', 'none', 'any', or a tool's name"
_WORDS = {"auto": AUTO, "none": NONE, "any": ANY, "required": ANY}


def named_choice(name: str) -> str | dict[str, Any]:
    """The choice of one tool as every `bind_tools` takes it: its name, unless that has a meaning of its own."""
    return {"type": "function", "function": {"name": name}} if name in _WORDS else name


def choice_among(tools: Sequence[Mapping[str, Any]], choice: Any) -> ToolChoice:
    """What a `tool_choice` means for these tools."""
    if choice is None or choice is False:
        return AUTO
    functions = [tool for tool in tools if tool.get("type") == "function"]
    others = built_ins(tools)
    built_in = [*map(label_of, others), *(tool["type"] for tool in others if tool.get("type"))]
    return read_choice(choice, tool_names(functions), built_in)


def forbids_parallel(choice: Any) -> bool:
    """Whether a choice itself allows one call only, as Anthropic's may."""
    return isinstance(choice, Mapping) and choice.get("disable_parallel_tool_use") is True


def bindable_choice(tools: Sequence[Mapping[str, Any]], choice: Any) -> Any:
    """The choice as a binding carries it: as ChatOpenAI writes it, or as it came if only its provider can read it."""
    meant = choice_among(tools, choice)
    return choice if meant.built_in or _is_allowance(choice) else to_openai_choice(meant)


def tools_on_offer(tools: Sequence[dict[str, Any]], choice: Any) -> Sequence[dict[str, Any]]:
    """The tools that a choice leaves on offer: OpenAI's `allowed_tools` lists some of them."""
    if not _is_allowance(choice):
        return tools
    allowed = {_word_of_tool(tool) for tool in _allowance(choice)["tools"]}
    return [tool for tool in tools if _word_of_tool(tool) in allowed]


def read_choice(choice: Any, names: Sequence[str], built_in: Sequence[str] = ()) -> ToolChoice:
    """Bring every spelling of `tool_choice` (a word, a bool, a tool's name, a provider's dict) to one value."""
    if choice is None or isinstance(choice, bool):
        return ANY if choice else AUTO
    if _is_allowance(choice):
        return _read_allowance(choice, names)
    kind = choice.get("type") if isinstance(choice, Mapping) else None
    if isinstance(kind, str) and kind not in ("function", "tool", *_WORDS):
        return ToolChoice("none", kind)  # `{"type": "file_search"}`, or a tool of an MCP server
    return _read_word(_word_of(choice) if isinstance(choice, Mapping) else choice, names, built_in)


def _read_word(choice: Any, names: Sequence[str], built_in: Sequence[str]) -> ToolChoice:
    if not isinstance(choice, str):
        name = getattr(choice, "name", None) or getattr(choice, "__name__", None)
        meant = f"Pass its name: tool_choice={name!r}" if name else _WAYS
        raise _refusal(choice, f"is not understood. {meant}.")
    if choice in names:
        return ToolChoice("named", choice)
    if choice in _WORDS:
        return _WORDS[choice]
    if choice in built_in:
        return ToolChoice("none", choice)
    raise _names_nothing(choice, names)


def _names_nothing(choice: str, names: Sequence[str]) -> ToolSpecError:
    near = get_close_matches(choice[:_MOST_COMPARED], names, 1)
    near = near or get_close_matches(choice[:_MOST_COMPARED], _WORDS, 1, 0.8)  # `nope` is no `none`
    meant = f"Did you mean {near[0]!r}? " if near else ""
    bound = f"Bound are: {', '.join(names) or 'none'}."
    ways = "Bind that tool too, or use 'auto', 'none' or 'any'."
    return _refusal(choice, f"names no bound tool. {meant}{bound} {ways}")


def _refusal(choice: Any, words: str) -> ToolSpecError:
    return ToolSpecError(f"tool_choice={choice!r:.80} {words}", code="tool_choice")


def _is_allowance(choice: Any) -> bool:
    return isinstance(choice, Mapping) and choice.get("type") == "allowed_tools"


def _allowance(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    """Mode and tools of OpenAI's `allowed_tools`, which its Responses API writes flat."""
    inner = choice.get("allowed_tools", choice)
    tools = inner.get("tools") if isinstance(inner, Mapping) else None
    if not isinstance(tools, list) or not all(isinstance(tool, Mapping) for tool in tools):
        raise _refusal(choice, f"lists no `tools`. {_WAYS}.")
    return inner  # type: ignore[no-any-return]


def _read_allowance(choice: Mapping[str, Any], names: Sequence[str]) -> ToolChoice:
    inner = _allowance(choice)
    for tool in inner["tools"]:
        if tool.get("type") == "function" and _word_of_tool(tool) not in names:
            raise _names_nothing(str(_word_of_tool(tool)), names)
    return ANY if inner.get("mode") == "required" else AUTO


def _word_of_tool(tool: Mapping[str, Any]) -> str | None:
    """What tells a tool apart: a function's name, or a built-in's type."""
    return function_name(tool) if tool.get("type") == "function" else tool.get("type")


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
