"""How large a contract is, by an estimate rather too high than too low, and what is left out to fit the model's window.

Examples go first, then long descriptions are cut, then descriptions go. Every tool keeps its signature, and warnings say
what was left out. That depends on the tools, the window and how the conversation opens, so that prompt caches work.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from langchain_toolemu.contract.rules import Contract
from langchain_toolemu.contract.shortlist import Shortlist, ToolLimit
from langchain_toolemu.contract.tool_list import WHOLE, Shortening
from langchain_toolemu.tools import ToolSet
from langchain_toolemu.tools.stems import stems

# How much of a window the contract and the opening messages may take: the rest is for results and the reply.
_SHARE = 0.75
# How much of a window the tools may take that are described with the messages.
_DESCRIBED_SHARE = 0.25
_LONGEST = 100  # how many characters of a description are left where long ones are cut

_FEW = ToolLimit(5, 5, list_chars=0)
_NAMED = 5  # how many tools a warning names

_SHORTEST = 4  # letters; shorter words are everybody's: get, to, in
_MAX_CHARS = 10_000
_LETTERS_PER_TOKEN = 4
_TOKENS_PER_OTHER = 1.5  # of other scripts, of which small vocabularies know few words
_WORDS_ONLY = dict.fromkeys(
    code for code in range(128) if not (chr(code).isalpha() or chr(code).isspace())
)


def estimate_tokens(text: str) -> int:
    """About how many tokens a text takes."""
    plain = text if text.isascii() else text.encode("ascii", "ignore").decode()
    letters = len(plain.translate(_WORDS_ONLY))
    signs, others = len(plain) - letters, len(text) - len(plain)
    return round(letters / _LETTERS_PER_TOKEN + signs + others * _TOKENS_PER_OTHER)


@lru_cache(maxsize=32)
def tokens_of(contract: Contract) -> int:
    """About how many tokens a contract takes, whatever is demanded in its reminder, which differs from turn to turn."""
    turns = [text for example in contract.examples for text in example]
    # Further tools come with further messages.
    parts = [contract.system, contract.ending, *turns]
    parts += (tools for _, tools in contract.descriptions[:1])
    return sum(map(estimate_tokens, parts))


@dataclass(frozen=True, slots=True)
class ContractSize:
    """How large a contract is that was sent, and what was done to make it fit."""

    tokens: int  # about so many
    tools: int
    described_tools: tuple[str, ...] | None = None  # of them, with more than a name; `None`: all
    shows_examples: bool = False
    window: int | None = None  # in tokens, if known
    left_out: tuple[str, ...] = ()  # in words
    fits: bool = True  # as far as is known

    @property
    def in_words(self) -> str:
        """The size, of how many tools."""
        tools = "1 tool" if self.tools == 1 else f"{self.tools} tools"
        return f"the contract of {tools} is about {self.tokens:,} tokens"

    @property
    def what_helps(self) -> str:
        """What a user can do about a contract that is too large."""
        fewer = ", or examples=False" if self.shows_examples else ""
        return (
            "What helps: a larger window (Ollama: num_ctx or OLLAMA_CONTEXT_LENGTH; llama-server: -c; "
            f"vLLM: --max-model-len), fewer tools or shorter descriptions{fewer}."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for the user."""
        window, warnings = f"a window of {self.window or 0:,} tokens", []
        if self.left_out:
            left_out = ", ".join(self.left_out)
            warnings.append(f"the contract was shortened to fit {window}: {left_out}")
        if not self.fits:
            leaves = f"which leaves too little of {window} for the conversation and the reply"
            warnings.append(f"{self.in_words}, {leaves}. {self.what_helps}")
        return tuple(warnings)


@dataclass(frozen=True, slots=True)
class SizedContract:
    """A contract, and what is to be known of its size."""

    contract: Contract
    size: ContractSize


@dataclass(frozen=True, slots=True)
class Space:
    """What a contract must fit into."""

    window: int | None = None  # in tokens, if known
    opening: Sequence[str] = ()  # what is said up to the user's first question, and that too
    question: str = ""  # the user's first
    always: tuple[str, ...] = ()  # tools that are described whatever the question is

    def holds(self, tokens: int) -> bool:
        """Whether so many tokens fit, and leave enough for what follows."""
        if self.window is None:
            return True
        return tokens + sum(map(estimate_tokens, self.opening)) <= self.window * _SHARE


def fit_contract(
    write: Callable[[Shortening], Contract], tools: ToolSet, space: Space, whole: Shortening = WHOLE
) -> SizedContract:
    """The contract that leaves out the least and fits; the shortest if none does."""
    contract = write(whole)
    tokens, left_out = tokens_of(contract), []
    fits = space.holds(tokens)
    for shortening, words in () if fits else _steps(tools, space, whole.limit):
        shorter = write(shortening)
        fewer = tokens_of(shorter)
        if fewer < tokens:
            contract, tokens = shorter, fewer
            left_out.append(words)
        if fits := space.holds(tokens):
            break
    shown = contract.described_tools, contract.shows_examples
    size = ContractSize(tokens, len(tools), *shown, space.window, tuple(left_out), fits)
    return SizedContract(contract, size)


def within_window(
    chosen: Shortlist, write: Callable[[Sequence[str]], str], window: int
) -> Shortlist:
    """A shortlist that stops to grow when its descriptions, written so, take too much of a window."""
    tokens, kept = 0, list[tuple[int, tuple[str, ...]]]()
    for number, names in chosen.by_message:
        tokens += estimate_tokens(write(names))
        if kept and tokens > window * _DESCRIBED_SHARE:
            break  # the first ones are part of what was made to fit
        kept.append((number, names))
    return replace(chosen, by_message=tuple(kept))


def _steps(
    tools: ToolSet, space: Space, limit: ToolLimit | None
) -> Iterator[tuple[Shortening, str]]:
    """What is left out, a little more each time, and the words for the last of it."""
    short = Shortening(examples=False, limit=limit)
    yield short, "examples left out"
    short = replace(short, longest=_LONGEST)
    yield short, "long descriptions cut"
    mentioned = (*tools_mentioned_in(space.question, tools), *space.always)
    kept = tuple(name for name in tools.names if name in mentioned)
    many = f"{len(kept)} tools that the first question speaks of"
    named = many if len(kept) > _NAMED else ", ".join(kept)
    words = f"descriptions kept only of {named}" if kept else "descriptions left out"
    yield replace(short, detailed=kept), words
    if limit:
        yield replace(short, limit=_FEW), f"only {_FEW.most} tools shown with more than a name"


def tools_mentioned_in(text: str, tools: ToolSet) -> tuple[str, ...]:
    """The names of the tools that a text shares a word with: a hint, for a name says less than a description."""
    mentioned = set(stems(text[-_MAX_CHARS:], shortest=_SHORTEST))
    words = ((name, stems(name, shortest=_SHORTEST)) for name in tools.names)
    return tuple(name for name, named in words if not mentioned.isdisjoint(named))
