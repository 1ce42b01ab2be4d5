"""The dialects a contract can ask for, by name. To add one: a file of its own, and a line here."""

from langchain_toolemu.contract.dialects.bare_json import JSON
from langchain_toolemu.contract.dialects.dialect import Dialect, write_result
from langchain_toolemu.contract.dialects.fenced import FENCED
from langchain_toolemu.contract.dialects.markdown import MARKDOWN
from langchain_toolemu.contract.dialects.tagged import TAGGED
from langchain_toolemu.errors import ToolSpecError

DIALECTS = {dialect.name: dialect for dialect in (JSON, MARKDOWN, FENCED, TAGGED)}

__all__ = [
    "DIALECTS",
    "FENCED",
    "JSON",
    "MARKDOWN",
    "TAGGED",
    "Dialect",
    "find_dialect",
    "write_result",
]


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
