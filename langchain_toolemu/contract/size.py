"""How large a contract is, before it is sent: an estimate by its characters, since no tokenizer is known.

Rather too high than too low. Of the embedded model's tokens, whose vocabulary is small, it makes a fifth more for ten ordinary
tools, and as many for bare signatures, which are mostly signs.
"""

from dataclasses import dataclass
from functools import lru_cache

from langchain_toolemu.contract.rules import Contract

_LETTERS_PER_TOKEN = 4
_TOKENS_PER_SIGN = 1
_TOKENS_PER_OTHER = 1.5  # of other scripts, of which small vocabularies know few words
_WORDS_ONLY = dict.fromkeys(
    code for code in range(128) if not (chr(code).isalpha() or chr(code).isspace())
)


def estimated_tokens(text: str) -> int:
    """About how many tokens a text takes.

    Example:
        ```python
        estimated_tokens("get_weather(city: string)")  # 10
        ```
    """
    plain = text if text.isascii() else text.encode("ascii", "ignore").decode()
    letters = len(plain.translate(_WORDS_ONLY))
    signs, others = len(plain) - letters, len(text) - len(plain)
    return round(
        letters / _LETTERS_PER_TOKEN + signs * _TOKENS_PER_SIGN + others * _TOKENS_PER_OTHER
    )


@lru_cache(maxsize=32)
def tokens_of(contract: Contract) -> int:
    """About how many tokens a contract takes, whatever is demanded in its reminder, which differs from turn to turn."""
    turns = [text for example in contract.examples for text in example]
    return sum(map(estimated_tokens, [contract.system, contract.heading, *turns]))


@dataclass(frozen=True, slots=True)
class ContractSize:
    """How large a contract is that was sent, and what was done to make it fit.

    Attributes:
        tokens: About how many tokens it takes.
        tools: How many tools it lists.
        shows_examples: Whether it shows examples.
        window: How many tokens the model's window holds, if that is known.
        left_out: What was left out to make it fit, in words.
        fits: Whether it fits, as far as is known.
    """

    tokens: int
    tools: int
    shows_examples: bool = False
    window: int | None = None
    left_out: tuple[str, ...] = ()
    fits: bool = True

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
        """What a user is told of it."""
        told = []
        if self.left_out:
            told.append(
                f"the contract was shortened to fit a window of {self.window:,} tokens: {', '.join(self.left_out)}"
            )
        if not self.fits:
            told.append(
                f"{self.in_words}, which leaves too little of a window of {self.window:,} tokens for the conversation "
                f"and the reply. {self.what_helps}"
            )
        return tuple(told)
