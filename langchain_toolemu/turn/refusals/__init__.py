"""Replies in which a model denies that it has tools, told apart from answers and from refusals on principle.

To add a language: a file with its words, and its name in `suspicion.LANGUAGES`.
"""

from langchain_toolemu.turn.refusals.suspicion import (
    MAX_OPENING,
    Detector,
    Suspicion,
    suspicion,
)

__all__ = ["MAX_OPENING", "Detector", "Suspicion", "suspicion"]
