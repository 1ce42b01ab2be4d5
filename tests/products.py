"""Tests over a product of parameters: some of its rows by default, all of them where there is time (tests/thoroughness.py).

`@pytest.mark.pairwise`: rows in which every two values meet. Most faults need no more than two. For three axes or more.
`@pytest.mark.in_turn(2)`: each value of the longest axis with two rows of the others, which take turns. For two axes.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

import pytest

Row = tuple[int, ...]


def keep_some(metafunc: pytest.Metafunc) -> None:
    """Of the cases of one test, keep those that its mark asks for; all if it has none."""
    test = metafunc.definition
    if test.get_closest_marker("pairwise"):
        _choose(metafunc, pairwise_rows)
    elif mark := test.get_closest_marker("in_turn"):
        _choose(metafunc, lambda sizes: rows_in_turn(sizes, *mark.args))


def pairwise_rows(sizes: Sequence[int]) -> Iterator[Row]:
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


def rows_in_turn(sizes: Sequence[int], times: int = 1) -> Iterator[Row]:
    """Rows of indices: each index of the longest axis so many times, with rows of the other axes that take turns."""
    longest = max(range(len(sizes)), key=sizes.__getitem__)
    others = list(product(*(range(size) for axis, size in enumerate(sizes) if axis != longest)))
    for number in range(sizes[longest] * times):
        row = others[number % len(others)]
        yield (*row[:longest], number // times, *row[longest:])


def _choose(metafunc, rows_of):
    """Keep the cases in the chosen rows of the product, before pytest makes a test of each."""
    axes = [_names(mark.args[0]) for mark in metafunc.definition.iter_markers("parametrize")]
    seen = [{} for _ in axes]
    rows = {}
    for case in metafunc._calls:
        keys = [tuple(id(case.params[name]) for name in names) for names in axes]
        row = [found.setdefault(key, len(found)) for found, key in zip(seen, keys, strict=True)]
        rows[tuple(row)] = case
    wanted = set(rows_of([len(found) for found in seen]))
    metafunc._calls = [case for row, case in rows.items() if row in wanted]


def _names(names: str | Iterable[str]) -> list[str]:
    """The names of one `parametrize`."""
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
