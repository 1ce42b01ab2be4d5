"""Whether a call's arguments fit its tool's schema, and what can be mended without loss."""

from langchain_toolemu.validation.fitting import Fitted, fit

__all__ = ["Fitted", "fit"]
