"""A test over a table: it runs every row, and names each that fails."""

import pytest

from tests.tables import every_row

ROWS = [(1, 1), (2, 4), (3, 9)]


@pytest.mark.parametrize("power", [2])
@every_row(("number", "expected"), ROWS)
def test_a_table_stands_next_to_parameters_and_fixtures(number, expected, power, tmp_path):
    """Only the names of the table are taken from the test's own."""
    assert number**power == expected
    assert tmp_path.exists()


def test_every_row_that_fails_is_named():
    """A wrong row does not hide the next one, whether an assertion or an error ended it."""
    seen = []

    @every_row("number", [1, 2, 0, 3])
    def check(number):
        seen.append(number)
        assert 6 / number > 2, "too large"

    with pytest.raises(AssertionError) as failed:
        check()
    assert seen == [1, 2, 0, 3]
    told = str(failed.value)
    assert "2 of 4 rows do not hold" in told
    assert "0\n  division by zero" in told
    assert "3\n  too large" in told


def test_a_row_that_raises_nothing_is_named():
    """Where an error was expected and none came, the row has failed, too."""

    @every_row("text", ["x", "1"])
    def check(text):
        with pytest.raises(ValueError):
            int(text)

    with pytest.raises(AssertionError, match="1 of 2 rows"):
        check()


def test_tables_of_tables():
    """Two tables are their product."""
    seen = []

    @every_row("letter", "ab")
    @every_row("number", [1, 2])
    def check(letter, number):
        seen.append(f"{letter}{number}")

    check()
    assert seen == ["a1", "a2", "b1", "b2"]
