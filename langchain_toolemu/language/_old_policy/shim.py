"""Names that policy/ imports, until the merge. Delete this folder and the two lines that import from it."""

from langchain_toolemu.language._old_policy.phrases import (
    ASK_SOMEBODY,
    COUNTS,
    DEPENDS,
    EACH,
    EMBEDDED_QUESTION,
    FAILURE_WORDS,
    FOREIGN,
    IN_PROGRESS,
    LINKS,
    MORE,
    NO_REQUEST,
    NOT_MORE,
    RULED_OUT,
    SEVERAL,
    SUM_IN_WORDS,
    UNTIL,
)

__all__ = [
    "ASK_SOMEBODY",
    "COUNTS",
    "DEPENDS",
    "EACH",
    "EMBEDDED_QUESTION",
    "FAILURE_WORDS",
    "FOREIGN",
    "IN_PROGRESS",
    "LINKS",
    "MORE",
    "NOT_MORE",
    "NO_REQUEST",
    "RULED_OUT",
    "SEVERAL",
    "SUM_IN_WORDS",
    "UNTIL",
]
from langchain_toolemu.language.language import Phrases

Phrases.acts = Phrases.tells = ""  # type: ignore[attr-defined]
