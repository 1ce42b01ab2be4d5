"""A JSON code block, which is how most models write a call when they are left to themselves."""

from langchain_toolemu.contract.dialects.dialect import Dialect

MARKDOWN = Dialect("markdown", opening="```json\n", closing="\n```")
