"""The old path of `langchain_toolemu.contract.dialects`."""

from langchain_toolemu.contract.dialects import *  # noqa: F403
