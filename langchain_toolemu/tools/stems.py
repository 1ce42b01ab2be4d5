"""Words cut to their stems, for telling whether two texts speak of the same thing."""

import re
import unicodedata
from collections.abc import Iterator

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]{3,}")
_LETTERS = 5  # they tell a word from others in most of its forms


def stems(text: str, *, shortest: int = 3) -> Iterator[str]:
    """The stems of a text's words of so many letters or more; the names of tools and arguments have words, too."""
    return (stem_of(word) for word in words_of(text) if len(word) >= shortest)


def words_of(text: str) -> list[str]:
    """The words of three letters or more, in lower case and without accents."""
    return _WORD.findall(fold_text(_HUMP.sub(" ", text)).replace("e-mail", "email"))


def stem_of(word: str) -> str:
    """A word in lower case cut to its stem."""
    return word.removesuffix("s")[:_LETTERS]


def fold_text(text: str) -> str:
    """Lower case, without accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(char for char in plain if not unicodedata.combining(char))
