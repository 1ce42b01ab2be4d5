"""Berkeley's cases through every dialect and fault; `python -m tests.benchmarks.bfcl --show` says more."""

from tests.benchmarks.bfcl.__main__ import main
from tests.benchmarks.bfcl.dialects import DIALECTS
from tests.benchmarks.bfcl.report import CLEAN, passed
from tests.benchmarks.bfcl.silences import SILENCES


def test_what_models_write_is_read_back(benchmark, request):
    """All of it without faults, at least 99 % with them, and never a wrong call."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        score = benchmark.pedantic(lambda: main(["--cases", "8"]), rounds=1)
    shares = {one.name: passed(score.total([one.name], [CLEAN])) for one in DIALECTS}
    assert {name: share for name, share in shares.items() if share < 1} == {}
    assert score.total()["wrong"] == 0
    assert passed(score.total(shares)) >= 0.99
    assert passed(score.total(SILENCES)) == 1
