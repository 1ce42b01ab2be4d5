"""Bare JSON, no envelope: small models keep to it best, and nothing can be left out."""

from langchain_toolemu.contract.dialects.dialect import Dialect

JSON = Dialect("json")
