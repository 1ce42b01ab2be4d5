"""Text to calls. One reader for every way models write them, fed piece by piece."""

from langchain_toolemu.reader.reader import Reader

__all__ = ["Reader"]
