"""The numbers in an error about a request that does not fit the model's window, and the limit of a reply that would fit.

Servers count differently: the prompt alone, or with the limit of the reply. So a number is the prompt's only as far as the
limit that was asked for explains the others.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from langchain_toolemu.model_facts.error_text import bodies, is_too_long, links, statements
from langchain_toolemu.model_facts.error_wordings import fold_sentence
from langchain_toolemu.model_facts.token_count import SMALLEST_WINDOW, positive_count

_NUMBER = r"(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d{1,9})(?!\w)"
# How the window is named, the surest first.
_WINDOWS = tuple(
    re.compile(pattern.replace("N", _NUMBER))
    for pattern in (
        r"\[\d+, N\]",  # DashScope
        r">=? ?(?:n_ctx: ?)?N",  # Anthropic, vLLM, LM Studio
        r"N maximum\b",  # Mistral
        r"\b(?:context|model|prompt|input) (?:length|window|size|limit)(?! by)[^\d.;]{1,12}N",
        r"(?:\btokens? limit\W{1,3}|\bmax size\W{1,3}|\bmust be <= |\bless than |\bnot exceed )N",
        r"\bmaximum number of tokens(?: allowed)?\W{1,3}N",  # Google
    )
)


@dataclass(frozen=True, slots=True)
class Overflow:
    """A window, and the other numbers of the error."""

    window: int
    others: tuple[int, ...] = ()

    @property
    def excess(self) -> tuple[int, int] | None:
        """How many tokens were too many, and how many fit, if the error has both."""
        most = max(self.others, default=0)
        return (most, self.window) if most > self.window else None

    def prompt(self, limit: int) -> int | None:
        """The tokens of the prompt alone, for a request that asked for so many in reply; `None` if they are not told."""
        rest = [number for number in self.others if number != limit]
        most = max(rest, default=None)
        if most is None or most <= max(self.window, limit):
            return most
        with_reply = most - limit in rest or limit not in self.others
        return most - limit if with_reply else most


def overflow_in(error: BaseException) -> Overflow | None:
    """The numbers that an error gives; `None` if it does not tell the window."""
    return next((found for link in links(error) for found in _overflows(link)), None)


@dataclass
class ReplyLimit:
    """The most tokens of a reply, lowered where prompt and reply would not fit the window together.

    - Coding agents ask for more than a small window holds, and many servers refuse that at once.
    - It is lowered by the window that the server tells, or by the numbers in its error, after which it is asked once more.
    - It is never lowered below a quarter of the window: a prompt that leaves less is too long, and the client is told so.
    """

    most: int | None  # `None` if there is none, or if it must not be changed
    cap: int | None = None  # what the upstream is asked for instead
    _retried: bool = False

    def fit(self, window: int, prompt: Callable[[], int]) -> bool:
        """Lower the limit to what a window leaves; false if it stays. The prompt is counted only if it matters."""
        if self.most is None or self.most <= window // 4:
            return False
        room = max(window // 4, window - prompt())
        if room >= self.most:
            return False
        self.cap = self.most = room
        return True

    def fit_after(self, error: BaseException, estimate: Callable[[], int]) -> bool:
        """Lower the limit by the numbers of an error; false if it has none, if they would not help, or the second time."""
        found = overflow_in(error) if self.most and is_too_long(error) else None
        if self.most is None or found is None or self._retried:
            return False
        self._retried = True
        prompt = found.prompt(self.most)
        if prompt is None:
            return self.fit(found.window, estimate)
        fits = found.window - prompt >= found.window // 4
        return fits and self.fit(found.window, lambda: prompt)


def _overflows(link: BaseException) -> Iterator[Overflow]:
    for body in bodies(link):
        inner = body.get("error", body) if isinstance(body, Mapping) else None
        if isinstance(inner, Mapping) and (window := positive_count(inner.get("n_ctx"))):
            sent = positive_count(inner.get("n_prompt_tokens"))  # llama.cpp
            yield Overflow(window, (sent,) if sent else ())
    for text in map(fold_sentence, statements(link)):
        found = next(filter(None, (pattern.search(text) for pattern in _WINDOWS)), None)
        window = _count(found[1]) if found else 0
        if window >= SMALLEST_WINDOW:
            numbers = map(_count, re.findall(_NUMBER, text))
            yield Overflow(window, tuple(number for number in numbers if number != window))


def _count(text: str) -> int:
    return int(text.replace(",", ""))
