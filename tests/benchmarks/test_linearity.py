"""What a model, a provider or a tool's author can make large takes time in proportion: ratios within one run."""

import time

import pytest

from langchain_toolemu.capability.error_wordings import WORDINGS
from langchain_toolemu.validation import fit
from langchain_toolemu.validation.limits import Pattern

pytestmark = pytest.mark.benchmark(group="linearity")
TREE = {
    "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
    "$defs": {
        "node": {
            "anyOf": [
                {
                    "properties": {
                        "value": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                        "next": {"$ref": "#/$defs/node"},
                    }
                },
                {"type": "null"},
            ]
        }
    },
}


def seconds(work, *args):
    """The shortest of three."""

    def once():
        began = time.perf_counter()
        work(*args)
        return time.perf_counter() - began

    return min(once() for _ in range(3))


@pytest.mark.parametrize("item", [1, "1", "x"])
def test_fitting_arguments(benchmark, item):
    """Ten times the items, behind a reference and two unions, take about ten times as long."""
    many = [{"value": item, "next": {"value": item}} for _ in range(10_000)]
    small = seconds(fit, {"all": many[:1_000]}, TREE)
    benchmark.pedantic(fit, ({"all": many}, TREE), rounds=1)
    assert seconds(fit, {"all": many}, TREE) < 30 * small


TEXTS = [
    "does not support ",
    "only ",
    "tool_choice ",
    "unknown parameter ",
    "unknown parameter: a, ",
    "response_format ",
    "no endpoints found that support ",
    "input should be user or ",
    "a",
    " ",
    "tools (",
]


def _search(text):
    for wording in WORDINGS:
        wording.pattern.search(text)


@pytest.mark.parametrize("text", TEXTS)
def test_searching_errors(benchmark, text):
    """Ten times the text of an error takes at most fifty times as long: gaps in a pattern are bounded."""
    small, large = text * (200 // len(text)), text * (2_000 // len(text))
    benchmark.pedantic(_search, (large,), rounds=1)
    assert seconds(_search, large) < 50 * seconds(_search, small)


@pytest.mark.parametrize(
    "source", [r"^(a+)+$", r"^(a|aa)+$", r"(.*)*x", r".*.*.*.*.*=", r"((a*)*)*b"]
)
def test_matching_patterns(benchmark, source):
    """The known catastrophes take no longer on 100,000 characters than a plain pattern takes on a thousand times that."""
    pattern, plain = Pattern.read(source), Pattern.read("^a*$")
    worst = max(seconds(pattern.matches, "a" * length + "!") for length in (9, 12, 19, 30, 100))
    benchmark.pedantic(pattern.matches, ("a" * 100_000 + "!",), rounds=1)
    assert worst < 100_000 * seconds(plain.matches, "a" * 1000)
