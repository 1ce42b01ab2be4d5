"""What the wrapped model can do by itself, and how we know."""

from langchain_toolemu.capability.endpoints import endpoint_of, model_name_of
from langchain_toolemu.capability.knowledge import Capability, Snapshot, forget_tool_support
from langchain_toolemu.capability.memory import forget
from langchain_toolemu.capability.overrides import Override, override_tool_support
from langchain_toolemu.capability.probe import aprobe_tool_support, probe_tool_support
from langchain_toolemu.capability.store import set_verdict_store
from langchain_toolemu.capability.support import Support
from langchain_toolemu.model_facts import Axis, Trouble
from langchain_toolemu.model_facts.error_text import diagnose

__all__ = [
    "Axis", "Capability", "Override", "Snapshot", "Support", "Trouble", "aprobe_tool_support", "diagnose",
    "endpoint_of", "forget", "forget_tool_support", "model_name_of", "override_tool_support",
    "probe_tool_support", "set_verdict_store",
]  # fmt: skip
