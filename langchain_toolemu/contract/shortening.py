"""A contract made to fit a window, in steps that are told: examples go first, then long descriptions, then details.

- Every tool keeps its signature: name, arguments, types and limits. No tool is ever left out.
- What is chosen depends on the tools, the window and how the conversation opens, not on what follows: so all requests of a
  conversation begin alike, and servers' prompt caches work.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from langchain_toolemu.contract.rules import Contract
from langchain_toolemu.contract.shortened_tools import WHOLE, Shortening
from langchain_toolemu.contract.size import ContractSize, estimated_tokens, tokens_of
from langchain_toolemu.contract.small_models.mentions import tools_spoken_of
from langchain_toolemu.tools import ToolSet

_SHARE = 0.75
"""How much of a window the contract and the opening messages may take: the rest is for results and the reply."""

_LONGEST = 100
"""How many characters of a description are left where long ones are cut."""

_NAMED = 5
"""How many tools a warning names."""

Write: TypeAlias = Callable[[Shortening], Contract]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A contract, and how large it is.

    Attributes:
        contract: What is sent.
        size: What is to be known of its size.
    """

    contract: Contract
    size: ContractSize


@dataclass(frozen=True, slots=True)
class Space:
    """What a contract must fit into.

    Attributes:
        window: How many tokens the model's window holds; `None` if that is not known.
        opening: What is said up to the user's first question, and that too.
        question: The user's first question.
        always: The tools that are described whatever the question is.
    """

    window: int | None = None
    opening: Sequence[str] = ()
    question: str = ""
    always: tuple[str, ...] = ()

    def holds(self, tokens: int) -> bool:
        """Whether so many tokens fit, and leave enough for what follows."""
        if self.window is None:
            return True
        return tokens + sum(map(estimated_tokens, self.opening)) <= self.window * _SHARE


def fit_contract(write: Write, tools: ToolSet, space: Space) -> Fitted:
    """The contract that leaves out the least and fits; the shortest if none does.

    Args:
        write: Writes the contract, shortened as it is told.
        tools: The tools that it lists.
        space: What it must fit into.
    """
    contract = write(WHOLE)
    tokens, left_out = tokens_of(contract), []
    for shortening, words in _steps(tools, space):
        if space.holds(tokens):
            break
        shorter = write(shortening)
        fewer = tokens_of(shorter)
        if fewer < tokens:
            contract, tokens = shorter, fewer
            left_out.append(words)
    size = ContractSize(
        tokens,
        len(tools),
        contract.shows_examples,
        space.window,
        tuple(left_out),
        space.holds(tokens),
    )
    return Fitted(contract, size)


def _steps(tools: ToolSet, space: Space) -> Iterator[tuple[Shortening, str]]:
    """What is left out, a little more each time, and how the last of it is told."""
    yield Shortening(examples=False), "examples left out"
    yield Shortening(examples=False, longest=_LONGEST), "long descriptions cut"
    spoken = (*tools_spoken_of(space.question, tools), *space.always)
    kept = tuple(name for name in tools.names if name in spoken)
    yield Shortening(examples=False, longest=_LONGEST, detailed=kept), _details_of(kept)


def _details_of(kept: Sequence[str]) -> str:
    if not kept:
        return "descriptions left out"
    named = (
        kept if len(kept) <= _NAMED else [f"{len(kept)} tools that the first question speaks of"]
    )
    return f"descriptions kept only of {', '.join(named)}"
