"""What is added to a conversation to ask for calls in text."""

from langchain_toolemu.contract.cache import ContractCache
from langchain_toolemu.contract.examples import (
    PLAIN_EXAMPLES,
    Example,
    copied_answers,
    copied_words,
    fill_in,
)
from langchain_toolemu.contract.recipe import (
    CAPABLE,
    SMALL,
    SMALLEST,
    STANDARD,
    Recipe,
    recipe_for,
)
from langchain_toolemu.contract.rules import (
    CONTRACT_VERSION,
    NO_TOOL,
    Contract,
    write_closing,
    write_contract,
    write_decision,
    write_form,
)
from langchain_toolemu.contract.shortened_tools import WHOLE, Shortening
from langchain_toolemu.contract.size import ContractSize
from langchain_toolemu.contract.values import NUMBERS, PLACEHOLDERS, copied_values

__all__ = [
    "CAPABLE",
    "CONTRACT_VERSION",
    "NO_TOOL",
    "NUMBERS",
    "PLACEHOLDERS",
    "PLAIN_EXAMPLES",
    "SMALL",
    "SMALLEST",
    "STANDARD",
    "WHOLE",
    "Contract",
    "ContractCache",
    "ContractSize",
    "Example",
    "Recipe",
    "Shortening",
    "copied_answers",
    "copied_values",
    "copied_words",
    "fill_in",
    "recipe_for",
    "write_closing",
    "write_contract",
    "write_decision",
    "write_form",
]
