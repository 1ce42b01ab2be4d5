"""Hermes tags: what Qwen, Hermes and many fine-tunes were trained to write."""

from langchain_toolemu.contract.dialects.dialect import Dialect

TAGGED = Dialect("tagged", opening="<tool_call>\n", closing="\n</tool_call>")
