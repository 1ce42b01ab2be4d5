"""A history as rounds: what was said before the calls, the calls, their results; then the final text.

A value that is JSON through and through, and back without loss: a record says in plain fields what a reader wants to
see, and holds in `more` whatever else its message carries and nothing that its fields have said.
"""

from langchain_toolemu.rounds.records import (
    CallRecord,
    Exchange,
    InvalidCallRecord,
    ResultRecord,
    Round,
    TextRecord,
)
from langchain_toolemu.rounds.rounds import Rounds, to_messages, to_rounds

__all__ = [
    "CallRecord", "Exchange", "InvalidCallRecord", "ResultRecord", "Round", "Rounds",
    "TextRecord", "to_messages", "to_rounds",
]  # fmt: skip
