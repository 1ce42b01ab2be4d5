"""A fence tagged `json action`: never mistaken for an answer, easy for models raised on code."""

from langchain_toolemu.contract.dialects.dialect import Dialect

FENCED = Dialect("fenced", opening="```json action\n", closing="\n```")
