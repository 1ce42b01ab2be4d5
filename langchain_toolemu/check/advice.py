"""Which way of asking to take, the lines that do it, and how far to trust them."""

import json
import math

from langchain_toolemu.check.checking import Findings, Result
from langchain_toolemu.check.models import NamedModel

_SURE = 1.96
_WORTHWHILE = 0.9


def best(findings: Findings) -> Result:
    """The way that did best; of equals the one with fewer requests, then the plainer, which comes first.

    One that was not tried to its end could only win by luck.
    """
    return max(
        findings.results,
        key=lambda one: (len(one.attempts), one.share, one.passed, -one.requests),
    )


def constructor(findings: Findings, named: NamedModel) -> str:
    """The lines to paste: what is imported, and the chat model."""
    imports = sorted([named.imported, "from langchain_toolemu import ChatToolEmu"])
    return (
        "\n".join(imports) + f"\n\nllm = ChatToolEmu(llm={named.expression}{_settings(findings)})"
    )


def _settings(findings: Findings) -> str:
    if findings.support.verdict == "native":
        return ""
    mode = ', mode="force"' if findings.support.verdict == "none" else ""
    return mode + "".join(
        f", {name}={json.dumps(value)}" for name, value in best(findings).settings.items()
    )


def is_usable(findings: Findings, least: float) -> bool:
    """Whether tools can be used with this model: natively, or by the best way of asking."""
    return findings.support.verdict == "native" or best(findings).share >= least


def cautions(findings: Findings) -> list[str]:
    """What to keep in view before the recommendation is believed."""
    winner = best(findings)
    right, of = winner.calls
    said = [
        f"Caution: the sample is small. {right} right calls of {of} mean {_range(right, of)} in the long run; ways that "
        "differ by one or two are equals."
    ]
    if findings.stopped:
        said.insert(0, "The check was stopped: this is what was measured until then.")
    if cheaper := _cheaper(findings, winner):
        said.append(
            f"{cheaper.name} did as well with {cheaper.tokens:,} tokens instead of {winner.tokens:,}."
        )
    return said


def _cheaper(findings: Findings, winner: Result) -> Result | None:
    """A way that did as well for less, if there is one."""
    equals = (
        one
        for one in findings.results
        if (len(one.attempts), one.share, one.passed)
        == (len(winner.attempts), winner.share, winner.passed)
    )
    cheapest = min(equals, key=lambda one: one.tokens)
    return cheapest if 0 < cheapest.tokens < _WORTHWHILE * winner.tokens else None


def _range(good: int, of: int) -> str:
    """Where the true share lies with a probability of 95 % (Wilson's interval)."""
    if not of:
        return "anything"
    share, square = good / of, _SURE**2
    middle = share + square / (2 * of)
    reach = _SURE * math.sqrt(share * (1 - share) / of + square / (4 * of**2))
    low, high = ((middle + way * reach) / (1 + square / of) for way in (-1, 1))
    return f"{max(0.0, low):.0%} to {min(1.0, high):.0%}"
