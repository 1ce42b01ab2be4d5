"""The most tokens of a reply: what a client asked for, lowered where prompt and reply would not fit the window together.

- Coding agents ask for more than a small window holds, and many servers refuse that at once.
- Only the server's own word lowers it: the window that it tells, or the numbers in its error, after which it is asked once
  more.
- It is never lowered below a quarter of the window: a prompt that leaves less is too long, and the client is told so.
"""

from collections.abc import Callable
from dataclasses import dataclass

from langchain_toolemu.capability.error_text import is_too_long
from langchain_toolemu.capability.overflow import overflow_in


@dataclass
class ReplyLimit:
    """The limit of one turn; `most` is `None` where there is none, or where it is not to be changed."""

    most: int | None
    cap: int | None = None  # what the upstream is asked for instead
    _retried: bool = False

    def fit(self, window: int, prompt: Callable[[], int]) -> bool:
        """Lower the limit to what a window leaves; false if it stays. The prompt is counted only if it matters."""
        if self.most is None or self.most <= window // 4:
            return False
        room = max(window // 4, window - prompt())
        if room < self.most:
            self.cap = self.most = room
            return True
        return False

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
