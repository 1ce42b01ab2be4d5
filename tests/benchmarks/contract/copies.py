"""What of a reply can only come from the contract's own examples: the words and values that they show."""

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from langchain_toolemu.contract.example_values import NUMBERS, PLACEHOLDERS

_PHRASES = ("example result", "how do magnets work", "magnets pull on iron")


def from_examples(said: str, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> list[str]:
    """The examples' words in a reply that nobody in the conversation said."""
    heard = " ".join(str(message.content) for message in messages).lower() + str(tools).lower()
    shown = [*PLACEHOLDERS, *map(str, NUMBERS), *_PHRASES]
    words = [word.lower() for word in shown]
    return [word for word in words if re.search(rf"\b{word}\b", said.lower()) and word not in heard]
