"""The report of a check: a line for each way of asking, which one to use, how far to trust that."""

import math

from langchain_toolemu.check.agent_run import TASK
from langchain_toolemu.check.named_model import NamedModel
from langchain_toolemu.check.trial_runs import LEAST, Check, Result, as_arguments

_SURE = 1.96
_HEADS = ("  way", "right calls", "left alone", "requests", "tokens", "seconds")
_LEGEND = (
    "*: the most trials passed; of equal ways the one with the fewest requests, then the simplest",
    "right calls: a tool was needed, and the right one was called with the right values",
    "left alone: no tool was needed, and none was called",
)
_BETTER_MODEL = (
    "No setting helps here. Use a larger model that was trained to call tools: Qwen2.5-Coder 1.5B "
    "made 35 of 36 plain calls right; from 7 billion parameters on, most do."
)


def heading(check: Check) -> str:
    """The verdict: which way of asking to use, if one is good enough."""
    if check.is_usable:
        return f"Recommended: {check.best.name}"
    return f"Not usable for tools: no way of asking passed {100 * LEAST:.0f} % of the trials."


def _lines_to_paste(check: Check, named: NamedModel) -> list[str]:
    """A program's first lines with that way of asking."""
    imports = sorted([named.imported, "from langchain_toolemu import ChatToolEmu"])
    arguments = filter(None, (f"llm={named.expression}", as_arguments(check.best.settings)))
    return [
        "",
        *(f"    {line}" for line in (*imports, f"llm = ChatToolEmu({', '.join(arguments)})")),
    ]


def write_text(check: Check, named: NamedModel, heading: str) -> str:
    """What was found out, and what to do."""
    rows = [_HEADS, *(_cells(check, result) for result in check.results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    advice = _lines_to_paste(check, named) if check.is_usable else [_BETTER_MODEL]
    return "\n".join([
        f"Model: {check.name}",
        f"Native tool calling: {check.support.verdict} ({check.support.reason})",
        "", *table,
        "", *_LEGEND,
        "", *([f"As an agent ({TASK}): {check.agent}.", ""] if check.agent else []),
        *_cautions(check),
        "", heading, *advice, "",
    ])  # fmt: skip


def _cells(check: Check, result: Result) -> tuple[str, ...]:
    mark = "*" if result is check.best else " "
    early = " (ended early)" if result.remaining else ""
    counts = (result.passed(wanted=True), result.passed(wanted=False))
    shares = (f"{good} of {of}" if of else "not tried" for good, of in counts)
    figures = (str(result.requests), str(result.tokens), f"{result.seconds:.1f}")
    return (f"{mark} {result.name}{early}", *shares, *figures)


def _cautions(check: Check) -> list[str]:
    """What limits the recommendation."""
    right, of = check.best.passed(wanted=True)
    figures = f"{right} of {of} right (95 % interval: {_interval(right, of)} %). " if of else ""
    return [
        *["The check was stopped: this is what was measured until then."] * check.stopped,
        f"Caution: the sample is small. {figures}A difference of one or two trials means nothing.",
    ]


def _interval(good: int, of: int) -> str:
    """Wilson's interval, in percent: where the true share lies with a probability of 95 %."""
    share, square = good / of, _SURE**2
    middle = share + square / (2 * of)
    reach = _SURE * math.sqrt(share * (1 - share) / of + square / (4 * of**2))
    low, high = ((middle + way * reach) / (1 + square / of) for way in (-1, 1))
    return f"{100 * max(0.0, low):.0f}-{100 * min(1.0, high):.0f}"
