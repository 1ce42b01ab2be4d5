"""Each fault of the soak, four ways: the right message, or the wrapped model's own error."""

import pytest

from tests.benchmarks.soak.faults import FAULTS, WAYS, suffer, verdict


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_gives_the_right_message_or_the_providers_error(fault, way):
    """Never half a call, never a swallowed error, never a hang."""
    assert not verdict(fault, *suffer(fault, way)).startswith("wrong")
