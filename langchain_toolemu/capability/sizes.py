"""How large a model is, in billions of parameters: as its server says, else as its name says."""

import re

# A number with B or M after it, and no letter or digit around: `qwen2.5-coder:1.5b`, `SmolLM2-135M`, `mixtral-8x7b`;
# Gemma's `e4b` has as many parameters in effect. Of a context size (`1M-context`) no word is a size.
_SIZE = re.compile(
    r"(?<![a-z0-9.])(?:(?P<experts>\d{1,3})x|e(?=\d+b))?(?P<number>\d{1,4}(?:[._]\d{1,3})?)\s?(?P<unit>[bm])"
    r"(?![a-z0-9]|[-_ ]?(?:context|ctx|tokens?\b))",
    re.IGNORECASE,
)
_LARGEST_CONTEXT = 0.01
"""In billions: `qwen3-coder-plus-1m` has a context of a million tokens, `-10m` one of ten; no model is so small."""


def billions_in(text: str) -> float | None:
    """The size that a name or a server's word states; the largest, where there are several (`30b-a3b`).

    Example:
        ```python
        billions_in("qwen2.5-coder:1.5b-instruct")  # 1.5
        billions_in("gpt-4o")  # None
        ```
    """
    sizes = (_billions(found) for found in _SIZE.finditer(text))
    return max((size for size in sizes if size > _LARGEST_CONTEXT), default=None)


def _billions(found: re.Match[str]) -> float:
    number = float(found["number"].replace("_", ".")) * int(found["experts"] or 1)
    return number if found["unit"].lower() == "b" else number / 1000
