"""Rows of a product: pairwise, every two values meet, in few rows; in turn, every value comes up."""

from itertools import combinations, product
from math import prod

import pytest

from tests.products import pairwise_rows, rows_in_turn
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


def test_every_value_has_its_turn():
    """Each value of the longest axis comes so many times, each time with another row of the others."""
    assert list(rows_in_turn((2, 3))) == [(0, 0), (1, 1), (0, 2)]
    for sizes, times in (((25, 4), 2), ((2, 7, 3), 3), ((4, 4), 1)):
        rows = list(rows_in_turn(sizes, times))
        longest = sizes.index(max(sizes))
        assert len(set(rows)) == len(rows) == max(sizes) * times
        for axis, size in enumerate(sizes):
            assert {row[axis] for row in rows} == set(range(size))
        for value in range(max(sizes)):
            assert sum(row[longest] == value for row in rows) == times


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
