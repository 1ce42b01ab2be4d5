"""What the wrapped model can do by itself, and how we know."""

from langchain_toolemu.capability.unsupported import Trouble, diagnose, says_unsupported
from langchain_toolemu.capability.verdicts import Capability, endpoint_of, forget, model_name_of

__all__ = [
    "Capability",
    "Trouble",
    "diagnose",
    "endpoint_of",
    "forget",
    "model_name_of",
    "says_unsupported",
]
