"""How calls and results are written in text: a dialect is what stands around a JSON body. To add one: a line here.

Nothing here reads: there is one reader, and it reads every dialect whatever the contract asked for. It is told the marks
and keys of one that is not among these, and by whom it is read if it brings a `read` of its own.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.options import identity_of
from langchain_toolemu.reader.context import CallFormat

# The result's frame is the same in every dialect: what a model reads need not mirror what it writes.
_RESULT_CLOSER = "</tool_response>"
_LIKE_A_CLOSER = re.compile(r"(<\s*)(/\s*tool[\s_-]*response)", re.IGNORECASE)
_LIKE_A_FRAME = re.compile(r"<\s*/?\s*tool[\s_-]*response", re.IGNORECASE)
_NO_NAME = re.compile(r"""[\s"'<>`\\]+""")


@dataclass(frozen=True, slots=True)
class Dialect(CallFormat):
    """A way to write calls.

    Attributes:
        name: What `ChatToolEmu(dialect=...)` and the metadata call it.
        opening: What comes before the JSON object of a call.
        closing: What comes after it.
        name_key: The key of the tool's name.
        args_key: The key of the arguments.
        between: What stands between two calls of one reply. Without it each call has its own opening and closing, one below
            the other.
        read: A function of your own from text to calls, each a name and a dict of arguments, for calls that are no JSON:
            override `write` and `form` in a subclass then. It gets the text from the opening mark to the first closing mark or
            the reply's end; without an opening mark, the whole reply once it has ended.

    Raises:
        ToolSpecError: It could not be read: keys that are the same or empty, an opening of nothing but white space, a closing
            without an opening, or an opening that begins a tool's result.

    Example:
        ```python
        Dialect("mine", opening="<call>", closing="</call>").write("add", {"a": 1})
        # '<call>{"name": "add", "arguments": {"a": 1}}</call>'
        ```
    """

    between: str = ""

    def __post_init__(self) -> None:
        if fault := next((why for wrong, why in self._faults() if wrong), ""):
            raise ToolSpecError(f"Dialect {self.name!r:.80}: {fault}", code="bad_dialect")

    def _faults(self) -> Iterator[tuple[bool, str]]:
        texts = (self.name, self.opening, self.closing, self.name_key, self.args_key, self.between)
        yield not all(isinstance(text, str) for text in texts), "marks and keys must be strings."
        keys = (self.name_key.strip(), self.args_key.strip())
        yield not all(keys), "name_key and args_key must not be empty."
        yield keys[0] == keys[1], f"both keys are {keys[0]!r}. Give args_key another name."
        blank = bool(self.opening) and not self.opening.strip()
        yield blank, "opening is nothing but white space. Leave it empty, or give it a mark."
        unopened = bool(self.closing.strip()) and not self.opening
        yield unopened, "closing has no opening. Give it an opening, too, or leave both empty."
        framed = bool(_LIKE_A_FRAME.search(self.opening))
        yield framed, f"opening={self.opening!r:.80} begins a tool's result. Choose another mark."
        yield self.read is not None and not callable(self.read), "read must be a function."

    @property
    def identity(self) -> Any:
        """What tells it apart in a cache's key."""
        return (repr(self), identity_of(self.read)) if self.read else self

    def write(self, tool: str, args: Mapping[str, Any]) -> str:
        """One call as text."""
        return f"{self.opening}{self._body(tool, args)}{self.closing}"

    def write_all(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """The calls of one reply as text."""
        if not self.between:
            return "\n".join(self.write(tool, args) for tool, args in calls)
        bodies = self.between.join(self._body(tool, args) for tool, args in calls)
        return f"{self.opening}{bodies}{self.closing}"

    def _body(self, tool: str, args: Mapping[str, Any]) -> str:
        return json_text({self.name_key: tool, self.args_key: dict(args)})

    @property
    def separator(self) -> str:
        """All that stands between the JSON objects of two calls."""
        return self.between or f"{self.closing}\n{self.opening}"

    def write_cut(self, tool: str, args: str) -> str:
        """A call whose arguments are not whole, as far as it goes."""
        return f"{self.opening}{self.write_head(tool)}{args}"

    def write_head(self, tool: str) -> str:
        """The JSON object of a call, up to its arguments."""
        name_key, name, args_key = map(json_text, (self.name_key, tool, self.args_key))
        return f"{{{name_key}: {name}, {args_key}: "

    def form(self) -> str:
        """A call with blanks to fill in, for the contract's rules."""
        return f'{self.opening}{self.write_head("tool name")}{{"argument name": value}}}}{self.closing}'


def json_text(value: Any) -> str:
    """A value as JSON for a model to read; what JSON does not know is written as a string."""
    return json.dumps(value, ensure_ascii=False, default=str)


def write_result(tool: str, content: str, *, failed: bool = False) -> str:
    """A tool's result in a frame, in which neither the content nor the tool's name can write the frame's own closer."""
    name = _NO_NAME.sub(" ", tool).strip() or "tool"
    status = ' status="error"' if failed else ""
    safe = _LIKE_A_CLOSER.sub(r"\1\\\2", content)
    return f'<tool_response name="{name}"{status}>\n{safe}\n{_RESULT_CLOSER}'


JSON = Dialect("json")
"""No envelope: small models keep to it best, and nothing can be left out."""

MARKDOWN = Dialect("markdown", opening="```json\n", closing="\n```", between="\n")
"""A JSON code block, which is how most models write calls when they are left to themselves: several in one block."""

FENCED = Dialect("fenced", opening="```json action\n", closing="\n```")
"""A fence tagged `json action`: never mistaken for an answer, easy for models raised on code."""

TAGGED = Dialect("tagged", opening="<tool_call>\n", closing="\n</tool_call>")
"""Hermes tags: what Qwen, Hermes and many fine-tunes were trained to write."""

DIALECTS = {dialect.name: dialect for dialect in (JSON, MARKDOWN, FENCED, TAGGED)}
"""The dialects that can be asked for by name."""


def find_dialect(dialect: str | Dialect) -> Dialect:
    """The dialect of this name, or your own as it is; for `"auto"` bare JSON, where no recipe says better.

    Raises:
        ToolSpecError: No dialect has this name.
    """
    known = {"auto": JSON, **DIALECTS}
    if isinstance(dialect, Dialect):
        return dialect
    if isinstance(dialect, str) and dialect in known:
        return known[dialect]
    names = ", ".join(map(repr, known))
    raise ToolSpecError(
        f"dialect={dialect!r:.80} is not known. Use {names}, or a Dialect of your own.",
        code="bad_dialect",
    )
