"""The dialects a contract can ask for, by name. To add one: a file of its own, and a line here."""

from langchain_toolemu.contract.dialects.bare_json import JSON
from langchain_toolemu.contract.dialects.dialect import Dialect, write_result
from langchain_toolemu.contract.dialects.fenced import FENCED
from langchain_toolemu.contract.dialects.tagged import TAGGED
from langchain_toolemu.errors import ToolSpecError

DIALECTS = {dialect.name: dialect for dialect in (JSON, FENCED, TAGGED)}

__all__ = ["DIALECTS", "FENCED", "JSON", "TAGGED", "Dialect", "find_dialect", "write_result"]


def find_dialect(dialect: str | Dialect) -> Dialect:
    """The dialect of this name, or your own as it is.

    Raises:
        ToolSpecError: No dialect has this name.
    """
    if isinstance(dialect, Dialect):
        return dialect
    if found := DIALECTS.get(dialect):
        return found
    raise ToolSpecError(
        f"dialect={dialect!r} is not known. Use {', '.join(map(repr, DIALECTS))}, or a Dialect of your own."
    )
