"""How much is tried: a part by default, all of it where there is time.

`HYPOTHESIS_PROFILE=all` asks for every example of a property and for whole products (tests/products.py); CI does. `TOOLEMU_TEST_ALL=1` asks for the tests that are marked `more`, too; `make more` does.
"""

import os
from collections.abc import Sequence
from typing import Any

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "few")
_SHARE = {"few": 6, "all": 1}[PROFILE]

TEST_ALL = bool(os.environ.get("TOOLEMU_TEST_ALL"))
FULL_PRODUCTS = TEST_ALL or PROFILE == "all"


def examples(number: int) -> int:
    """The number of examples to try, given how many a thorough run tries."""
    return max(10, number // _SHARE)


def share(rows: Sequence[Any], number: int, of: int) -> Sequence[Any]:
    """All rows where there is time, else the share of one of so many tests, which together have them all."""
    return rows if FULL_PRODUCTS else rows[number % of :: of]


def steps(number: int) -> range:
    """The numbers up to this one: each where there is time, else some of them."""
    return range(1, number, 1 if PROFILE == "all" else 11)
