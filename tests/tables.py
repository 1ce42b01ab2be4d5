"""One test for a whole table, where nobody would run a single row by its name."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

Check = Callable[..., None]


def every_row(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Check], Check]:
    """Run a test with each row of a table, and fail with a list of all rows that do not hold.

    It takes what `pytest.mark.parametrize` takes, and can stand above or below it.
    """
    table = list(rows)
    assert table, "a table without rows shows nothing"

    def decorate(test: Check) -> Check:
        @wraps(test)
        def run(**others: Any) -> None:
            failed = {}
            for row in table:
                values = {names: row} if isinstance(names, str) else zip(names, row, strict=True)
                try:
                    test(**dict(values), **others)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - any error fails the row
                    failed[repr(row)] = error
            if failed:
                told = [f"{row:.200}\n  {error!s:.500}" for row, error in failed.items()]
                head = f"{len(failed)} of {len(table)} rows do not hold:"
                raise AssertionError("\n".join([head, *told])) from next(iter(failed.values()))

        known = inspect.signature(test)
        left = [one for name, one in known.parameters.items() if name not in _names(names)]
        run.__signature__ = known.replace(parameters=left)
        del run.__wrapped__
        return run

    return decorate


def _names(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else [*names]
