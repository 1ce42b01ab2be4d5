"""Rows of a pairwise test: every two values meet, in few rows, and the same ones in every run."""

from itertools import combinations, product
from math import prod

import pytest

from tests.pairwise import pairwise_rows
from tests.thoroughness import FULL_PRODUCTS

SIZES = [(2, 3), (1, 1, 1), (8, 8, 7), (40, 2, 2), (2,) * 6, (4, 2, 6, 3), (2,) * 20]


def test_every_two_values_meet():
    """No pair of values is left out, each value is one of its axis, and no row comes twice."""
    for sizes in SIZES:
        rows = list(pairwise_rows(sizes))
        for one, other in combinations(range(len(sizes)), 2):
            met = {(row[one], row[other]) for row in rows}
            assert met == set(product(range(sizes[one]), range(sizes[other]))), sizes
        assert len(set(rows)) == len(rows)


def test_the_rows_are_few():
    """Hardly more than the two longest axes need, however many axes there are."""
    for sizes in SIZES[:-1]:
        longest, second, *_ = sorted(sizes, reverse=True)
        assert len(list(pairwise_rows(sizes))) <= min(prod(sizes), longest * second * 2)
    assert len(list(pairwise_rows(SIZES[-1]))) <= 20


def test_an_axis_without_values_gives_no_row():
    """A product with an empty axis is empty, and so are its pairs with that axis."""
    assert list(pairwise_rows((0, 0, 0))) == []


@pytest.mark.pairwise
@pytest.mark.parametrize("letter", "abc")
@pytest.mark.parametrize(("number", "square"), [(1, 1), (2, 4), (3, 9)])
@pytest.mark.parametrize("word", ["x", pytest.param("y", id="why")])
def test_a_marked_test_runs_its_pairs(letter, number, square, word, request):
    """Nine of eighteen cases run, or all where there is time; names that are given together are one axis."""
    cases = [
        item for item in request.session.items if item.originalname == request.function.__name__
    ]
    assert len(cases) <= (18 if FULL_PRODUCTS else 9)
    assert square == number**2
