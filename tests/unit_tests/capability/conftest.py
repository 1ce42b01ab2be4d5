"""Every test of what was learned begins and ends with nothing learned."""

from collections.abc import Iterator

import pytest

from langchain_toolemu.capability import forget


@pytest.fixture(autouse=True)
def _nothing_learned() -> Iterator[None]:
    forget()
    yield
    forget()
