"""What is added to a conversation to ask for calls in text."""

from langchain_toolemu.contract.rules import CONTRACT_VERSION, Contract, write_contract

__all__ = ["CONTRACT_VERSION", "Contract", "write_contract"]
