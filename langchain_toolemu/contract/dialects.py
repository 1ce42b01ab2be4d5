"""How calls and results are written in text: a dialect is what stands around a JSON body. To add one: a line here.

Nothing here reads: there is one reader, and it reads every dialect whatever the contract asked for.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.errors import ToolSpecError

# The result's frame is the same in every dialect: what a model reads need not mirror what it writes.
_RESULT_CLOSER = "</tool_response>"
_LIKE_A_CLOSER = re.compile(r"(<\s*)(/\s*tool[\s_-]*response)", re.IGNORECASE)
_NO_NAME = re.compile(r"""[\s"'<>`\\]+""")


@dataclass(frozen=True, slots=True)
class Dialect:
    """A way to write calls.

    Attributes:
        name: What `ChatToolEmu(dialect=...)` and the metadata call it.
        opening: What comes before the JSON object of a call.
        closing: What comes after it.
        name_key: The key of the tool's name.
        args_key: The key of the arguments.

    Example:
        ```python
        Dialect("mine", opening="<call>", closing="</call>").write("add", {"a": 1})
        # '<call>{"name": "add", "arguments": {"a": 1}}</call>'
        ```
    """

    name: str
    opening: str = ""
    closing: str = ""
    name_key: str = "name"
    args_key: str = "arguments"

    def write(self, tool: str, args: Mapping[str, Any]) -> str:
        """One call as text."""
        body = json.dumps(
            {self.name_key: tool, self.args_key: dict(args)}, ensure_ascii=False, default=str
        )
        return f"{self.opening}{body}{self.closing}"

    def write_cut(self, tool: str, args: str) -> str:
        """A call whose arguments are not whole, as far as it goes."""
        name = json.dumps(tool, ensure_ascii=False)
        return f'{self.opening}{{"{self.name_key}": {name}, "{self.args_key}": {args}'

    def write_all(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Several calls as text, one below the other."""
        return "\n".join(self.write(tool, args) for tool, args in calls)

    def form(self) -> str:
        """A call with blanks to fill in, for the contract's rules."""
        return (
            f'{self.opening}{{"{self.name_key}": "tool name", '
            f'"{self.args_key}": {{"argument name": value}}}}{self.closing}'
        )


def write_result(tool: str, content: str, *, failed: bool = False) -> str:
    """A tool's result in a frame that says which call it answers and whether it failed.

    The content goes in as it is; only what reads like the frame's own closer is neutralised, so that a
    result cannot end its frame and speak as somebody else. Neither can the name of a tool.
    """
    name = _NO_NAME.sub(" ", tool).strip() or "tool"
    status = ' status="error"' if failed else ""
    safe = _LIKE_A_CLOSER.sub(r"\1\\\2", content)
    return f'<tool_response name="{name}"{status}>\n{safe}\n{_RESULT_CLOSER}'


JSON = Dialect("json")
"""No envelope: small models keep to it best, and nothing can be left out."""

MARKDOWN = Dialect("markdown", opening="```json\n", closing="\n```")
"""A JSON code block, which is how most models write a call when they are left to themselves."""

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
    if isinstance(dialect, Dialect):
        return dialect
    if isinstance(dialect, str) and (
        found := DIALECTS.get("json" if dialect == "auto" else dialect)
    ):
        return found
    names = ", ".join(map(repr, ["auto", *DIALECTS]))
    raise ToolSpecError(
        f"dialect={dialect!r:.80} is not known. Use {names}, or a Dialect of your own."
    )
