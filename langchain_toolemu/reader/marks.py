"""Marks that mean the same wherever they are: quotes, and what ends an envelope. Data only."""

import re

import regex

from langchain_toolemu.reader.window import Waiting, Window

# Opening quote -> what may close it. Sample smart-quotes: models mix them.
QUOTES: dict[str, tuple[str, ...]] = {
    '"""': ('"""',),
    "'''": ("'''",),
    "&quot;": ("&quot;",),
    '\\"': ('\\"',),  # sample escaped-too-often
    "<escape>": ("<escape>",),  # FunctionGemma
    '<|"|>': ('<|"|>',),  # Gemma 4
    '"': ('"',),
    "'": ("'",),
    "`": ("`",),
    "“": ("”", "“", '"'),
    "”": ("”", "“", '"'),
    "„": ("”", "“", '"'),
    "\u2018": ("\u2019", "\u2018", "'"),
    "\u2019": ("\u2019", "\u2018", "'"),
}
# Quotes that never are content: nothing between them is an escape, and the first that comes closes.
TOKENS = frozenset({"<escape>", '<|"|>'})
TRIPLE = frozenset({'"""', "'''"})
LONG_QUOTE = regex.compile("|".join(regex.escape(quote) for quote in QUOTES if len(quote) > 1))
QUOTE_STARTS = frozenset(quote[0] for quote in QUOTES)

# The same in prose, where a quotation is somebody else's words.
SPOKEN_QUOTES: dict[str, tuple[str, ...]] = {
    '"': ('"',),
    "'": ("'",),
    "“": ("”", '"'),
    "„": ("“", "”"),
    "\u2018": ("\u2019", "'"),
    "«": ("»",),
    "»": ("«",),
    "「": ("」",),
    "『": ("』",),
    "《": ("》",),
}

# What can only come after a call: the closer of its envelope, or of a fence around it.
ENVELOPE_END = regex.compile(r"</|<[|\uff5c]|<tool|```|~~~|\[/|\[END|&lt;/|&lt;tool|JSON_END")

# The name of a tool in a program, and in an envelope; what comes before a block of code.
NAME = re.compile(r"[\w.\-\\]+")
WIDE_NAME = re.compile(r"[\w.:/\\-]+")
FENCE_MARKS = re.compile(r"[`~]+")

_INFO = re.compile(r"[\w ]+")


def skip_fence(window: Window) -> Waiting[bool]:
    """Consume a run of fence marks and the words after it; whether it was a fence."""
    marks = yield from window.run(FENCE_MARKS)
    if len(marks) < 3:
        return False
    yield from window.run(_INFO)
    return True
