"""Whether a call's arguments fit its tool's schema, and what can be repaired without loss."""

from langchain_toolemu.validation.dates import asked_spelling
from langchain_toolemu.validation.fitting import Fitted, fit

__all__ = ["Fitted", "asked_spelling", "fit"]
