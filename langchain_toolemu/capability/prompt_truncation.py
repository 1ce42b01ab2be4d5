"""Whether a server cuts off the beginning of what it is sent, and how much it reads.

Two turns whose token counts cannot hold what was sent are told to the user. What the first of them read is the window of the
turns that follow, so that their contracts are written to fit.
"""

from langchain_toolemu.capability import token_count, verdicts
from langchain_toolemu.capability.endpoints import Endpoint
from langchain_toolemu.model_facts import InputTokens

CUTS_UNTIL_KNOWN = 2

SMALLEST_WINDOW = 512  # fewer tokens are no window's

_NEARLY = 0.9  # how much of its window a server reads of a longer request


def detect_prompt_truncation(endpoint: Endpoint, counted: InputTokens) -> bool:
    """Whether the server is known to cut off the beginning; a window that held as much before was only read from a cache."""
    most = verdicts.record_input_tokens(endpoint, counted.tokens)
    read = counted.tokens + counted.cached
    if fits := token_count.can_hold(read, counted.messages):
        verdicts.reset_count(endpoint, "cuts")
    is_cut = not fits and not token_count.can_hold(most, counted.messages)
    said = verdicts.entry_of(endpoint).said
    known = said.read_window if said else None
    if known:
        # A count that is lower for a shorter request, and still too low for it, is no window's.
        is_wrong = not fits and read < known * _NEARLY
        _learn_window(endpoint, known, 0 if is_wrong else max(known, read))
    elif known is None and is_cut and max(most, read) >= SMALLEST_WINDOW:
        _learn_window(endpoint, known, max(most, read))
    return is_cut and verdicts.count(endpoint, "cuts") >= CUTS_UNTIL_KNOWN


def _learn_window(endpoint: Endpoint, known: int | None, tokens: int) -> None:
    if tokens != known:
        verdicts.keep_read_window(endpoint, tokens)
