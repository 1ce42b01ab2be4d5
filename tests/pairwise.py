"""Pairwise tests: some rows of a product in which every two values meet. Most faults need no more than two.

`@pytest.mark.pairwise` on a test with several `parametrize` keeps these rows. The whole product runs where there is time
(see tests/thoroughness.py).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest


def pairwise_rows(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Rows of indices, one index for each axis, such that any two indices of two axes meet in some row.

    Each row begins with the first pair that is missing; every other axis takes the index that adds most pairs. The rows are
    the same in every run, and the product itself is never built.
    """
    axes = range(len(sizes))
    missing = {
        ((one, left), (other, right)): None
        for one, other in combinations(axes, 2)
        for left in range(sizes[one])
        for right in range(sizes[other])
    }
    while missing:
        row = dict(next(iter(missing)))
        for axis in axes:
            if axis not in row:
                gains = [_gain((axis, index), row, missing) for index in range(sizes[axis])]
                row[axis] = gains.index(max(gains))
        for pair in combinations(sorted(row.items()), 2):
            missing.pop(pair, None)
        yield tuple(row[axis] for axis in axes)


def _gain(chosen, row, missing):
    """How many missing pairs an index of an axis adds to a row."""
    return sum((min(chosen, other), max(chosen, other)) in missing for other in row.items())


def keep_pairs(items: list[pytest.Function]) -> list[pytest.Function]:
    """Of the cases of one test, those that a pairwise test runs."""
    axes = [_names(mark.args[0]) for mark in items[0].iter_markers("parametrize")]
    seen: list[dict[tuple[int, ...], int]] = [{} for _ in axes]
    rows = {}
    for item in items:
        given = item.callspec.params
        keys = [tuple(id(given[name]) for name in names) for names in axes]
        row = [found.setdefault(key, len(found)) for found, key in zip(seen, keys, strict=True)]
        rows[tuple(row)] = item
    wanted = set(pairwise_rows([len(found) for found in seen]))
    return [item for row, item in rows.items() if row in wanted]


def _names(names: str | Sequence[str]) -> list[str]:
    """The names of one `parametrize`."""
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
