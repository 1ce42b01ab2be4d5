"""Replies in which a model denies that it has tools, told apart from answers and from refusals on principle."""

from langchain_toolemu.turn.refusals.suspicion import (
    MAX_OPENING,
    Detector,
    OpeningCheck,
    Suspicion,
    may_refuse_on_principle,
    repeats_words,
    suspicion,
)

__all__ = [
    "MAX_OPENING",
    "Detector",
    "OpeningCheck",
    "Suspicion",
    "may_refuse_on_principle",
    "repeats_words",
    "suspicion",
]
