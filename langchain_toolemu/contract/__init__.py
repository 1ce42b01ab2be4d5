"""What is added to a conversation to ask for calls in text."""

from langchain_toolemu.contract.dialects import Dialect, find_dialect
from langchain_toolemu.contract.examples import Example
from langchain_toolemu.contract.rules import (
    CAPABLE,
    SMALL,
    SMALLEST,
    STANDARD,
    Contract,
    Recipe,
    write_contract,
)

__all__ = [
    "CAPABLE", "SMALL", "SMALLEST", "STANDARD", "Contract", "Dialect", "Example", "Recipe",
    "find_dialect", "write_contract",
]  # fmt: skip
