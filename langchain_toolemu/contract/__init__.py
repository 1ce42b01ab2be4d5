"""What is added to a conversation to ask for calls in text."""

from langchain_toolemu.contract.dialects import (
    DIALECTS,
    FENCED,
    JSON,
    MARKDOWN,
    TAGGED,
    Dialect,
    find_dialect,
)
from langchain_toolemu.contract.examples import Example
from langchain_toolemu.contract.recipe import Recipe
from langchain_toolemu.contract.rules import (
    CAPABLE,
    SMALL,
    SMALLEST,
    STANDARD,
    Contract,
    Template,
    write_contract,
)

__all__ = [
    "CAPABLE", "DIALECTS", "FENCED", "JSON", "MARKDOWN", "SMALL", "SMALLEST",
    "STANDARD", "TAGGED", "Contract", "Dialect", "Example", "Recipe", "Template",
    "find_dialect", "write_contract",
]  # fmt: skip
