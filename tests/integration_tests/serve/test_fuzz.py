"""A small run of `python -m tests.benchmarks.gateway_fuzz`: malformed requests in every protocol."""

import httpx
import pytest

from tests.benchmarks.gateway_fuzz import ROWS, complaint, fuzz, request_of, served


@pytest.mark.filterwarnings("ignore")
async def test_no_malformed_request_breaks_a_promise():
    """No error of our own, a field in each 400, an inspector that shows its pages, items for their own client alone."""
    with served() as app:
        result = await fuzz(app, seed=7, numbers=range(160))
    assert result.broken == []
    assert {kind for kind, _ in result.statuses} == set(ROWS)
    assert result.recalled
    assert result.refused


def test_a_request_is_made_of_seed_and_number():
    """So that one that was found can be sent again."""
    assert request_of(1, 5) == request_of(1, 5)
    assert len({request_of(1, number)[3] for number in range(20)}) == 20


ANSWERS = [
    (500, '{"error": {"code": "internal_error"}}', "500"),
    (502, '{"error": {"message": "The upstream failed."}}', "502"),
    (502, '{"error": {"message": "The model had to call w, but did not."}}', None),
    (200, 'data: {"error": {"code": "upstream_error"}}', "200"),
    (400, '{"error": {"message": "That is wrong."}}', "names no field"),
    (400, '{"error": {"message": "\'tools\' is wrong."}}', None),
    (400, '{"error": {"message": "tools: it cannot be read: KeyError."}}', "says too little"),
    (200, "{}", None),
]


@pytest.mark.parametrize(("status", "text", "said"), ANSWERS)
def test_what_breaks_a_promise_is_seen(status, text, said):
    """An error of our own, whole or in a stream, and a 400 that helps nobody."""
    found = complaint(httpx.Response(status, text=text), {"tools": [5]})
    assert (said or "") in (found or "")
    assert bool(found) is bool(said)
