"""What a check found out: which way of asking to take and how far to trust it, as text, a table, and one HTML page.

The page has no script, loads nothing from elsewhere, and escapes every word of a model.
"""

import json
import math
from datetime import datetime, timezone
from html import escape
from importlib.resources import files
from string import Template

from langchain_toolemu._version import __version__
from langchain_toolemu.check.named_model import NamedModel
from langchain_toolemu.check.trial_runs import MEANS, Attempt, Findings, RecordedRequest, Result

_SURE = 1.96
_WORTHWHILE = 0.9
_HEADS = ("way", "right calls", "left alone", "requests", "tokens", "seconds")
_COLUMNS = ("model", "native", "naive prompt", "default (fallback)", "force", "best setting")

# --- advice ---


def best(findings: Findings) -> Result:
    """The way that did best; of equals the one with fewer requests, then the plainer, which comes first."""
    # One that was not tried to its end could only win by luck.
    return max(findings.results, key=lambda one: (*_rank(one), -len(one.requests)))


def _rank(result: Result) -> tuple[int, float, int]:
    return len(result.attempts), result.share, sum(one.passed for one in result.attempts)


def constructor(findings: Findings, named: NamedModel) -> str:
    """The lines to paste: what is imported, and the chat model."""
    settings = ""
    if findings.support.verdict != "native":
        settings = ', mode="force"' if findings.support.verdict == "none" else ""
        chosen = best(findings).settings.items()
        settings += "".join(f", {name}={json.dumps(value)}" for name, value in chosen)
    imports = sorted([named.imported, "from langchain_toolemu import ChatToolEmu"])
    made = f"llm = ChatToolEmu(llm={named.expression}{settings})"
    return "\n".join([*imports, "", made])


def is_usable(findings: Findings, least: float) -> bool:
    """Whether tools can be used with this model: natively, or by the best way of asking."""
    return findings.support.verdict == "native" or best(findings).share >= least


def cautions(findings: Findings) -> list[str]:
    """What to keep in view before the recommendation is believed."""
    winner = best(findings)
    right, of = winner.calls
    figures = f"{right} of {of} right (95 % interval: {_interval(right, of)} %). " if of else ""
    said = [f"Caution: the sample is small. {figures}Ways that differ by one or two are equals."]
    if findings.stopped:
        said.insert(0, "The check was stopped: this is what was measured until then.")
    equals = [one for one in findings.results if _rank(one) == _rank(winner)]
    cheapest = min(equals, key=lambda one: one.tokens)
    if 0 < cheapest.tokens < _WORTHWHILE * winner.tokens:
        said.append(
            f"{cheapest.name} did as well with {cheapest.tokens:,} tokens instead of {winner.tokens:,}."
        )
    return said


def _interval(good: int, of: int) -> str:
    """Wilson's interval, in percent: where the true share lies with a probability of 95 %."""
    share, square = good / of, _SURE**2
    middle = share + square / (2 * of)
    reach = _SURE * math.sqrt(share * (1 - share) / of + square / (4 * of**2))
    low, high = ((middle + way * reach) / (1 + square / of) for way in (-1, 1))
    return f"{100 * max(0.0, low):.0f}-{100 * min(1.0, high):.0f}"


# --- tables ---


def _cells(result: Result) -> tuple[str, ...]:
    counts = (f"{good} of {of}" if of else "not tried" for good, of in (result.calls, result.silences))  # fmt: skip
    seconds = sum(request.seconds for request in result.requests)
    figures = (str(len(result.requests)), str(result.tokens), f"{seconds:.1f}")
    return (f"{result.name}{' (ended early)' if result.remaining else ''}", *counts, *figures)


def table(findings: Findings) -> str:
    """All ways of asking, a line each."""
    rows = [_HEADS, *map(_cells, findings.all)]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
        for row in rows
    )


def markdown(findings: Findings) -> str:
    """A table of one row: how many trials went well by each means."""
    by_name = {one.name: one for one in findings.all}
    measured = [_brief(by_name.get(name)) for name in MEANS]
    winner = best(findings)
    row = [findings.model, *measured, f"{_brief(winner)} ({winner.name})"]
    rows = (_COLUMNS, ["---"] * len(_COLUMNS), [cell.replace("|", "/") for cell in row])
    return "".join(f"| {' | '.join(one)} |\n" for one in rows)


def _brief(result: Result | None) -> str:
    """So many right calls of so many, and so many turns left alone."""
    if result is None:
        return "not tried"
    (right, wanted), (silent, idle) = result.calls, result.silences
    return f"{right}/{wanted} calls" + (f", {silent}/{idle} left alone" if idle else "")


# --- the page ---

_BAR, _ROW, _LEFT = 220, 26, 150  # a phone shrinks it: any wider, and its words were too small


def write_page(findings: Findings, lines: str) -> str:
    """The whole page: check_report.html, filled in."""
    template = (files(__package__) / "check_report.html").read_text(encoding="utf-8")
    when = datetime.now(timezone.utc).strftime("%d %B %Y, %H:%M UTC")
    where = f". The model is at {escape(findings.address)}" if findings.address else ""
    ways = [_way(one, opened=one is best(findings)) for one in findings.all]
    return Template(template.rstrip()).substitute(
        model=escape(findings.model),
        about=f"{when}, by langchain-toolemu {__version__}{where}",
        verdict=escape(findings.support.verdict),
        reason=escape(findings.support.reason),
        lines=escape(lines),
        cautions="\n".join(f"<p>{escape(words)}</p>" for words in cautions(findings)),
        table=_table(findings),
        calls_chart=_chart([(one.name, *one.calls) for one in findings.all]),
        silences_chart=_chart([(one.name, *one.silences) for one in findings.all]),
        ways="\n".join(ways),
    )


def _table(findings: Findings) -> str:
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(one))}</tr>"
        for one in findings.all
    )
    return f'<div class="wide"><table><tr>{heads}</tr>{rows}</table></div>'


def _chart(rows: list[tuple[str, int, int]]) -> str:
    width, height = _LEFT + _BAR + 80, _ROW * len(rows)
    drawn = "".join(_chart_row(place, *row) for place, row in enumerate(rows))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg {size} role="img">{drawn}</svg>'


def _chart_row(place: int, name: str, good: int, of: int) -> str:
    top = place * _ROW
    named = f'<text x="0" y="{top + 17}">{escape(name)}</text>'
    if not of:
        return f'{named}<text x="{_LEFT}" y="{top + 17}">not tried</text>'
    return (
        f'{named}<rect class="track" x="{_LEFT}" y="{top + 4}" width="{_BAR}" height="18"/>'
        f'<rect class="bar" x="{_LEFT}" y="{top + 4}" width="{_BAR * good / of:.0f}" height="18"/>'
        f'<text x="{_LEFT + _BAR + 10}" y="{top + 17}">{good} of {of}</text>'
    )


def _way(result: Result, *, opened: bool) -> str:
    inner = "".join(map(_attempt, result.attempts))
    failed = sum(not attempt.passed for attempt in result.attempts)
    count = f'<span class="failed">{failed} of {len(result.attempts)} failed</span>'
    head = f"<summary><b>{escape(result.name)}</b> {count if failed else 'all passed'}</summary>"
    return f"<details{' open' if opened or failed else ''}>{head}{inner}</details>"


def _attempt(attempt: Attempt) -> str:
    word = "passed" if attempt.passed else "failed"
    count = len(attempt.requests)
    after = f" (after {count} requests)" if count > 1 else ""
    head = f'<span class="{word}">{word}</span> {escape(attempt.trial.question)}{after}'
    wanted = "an answer in words, no call"
    if attempt.trial.call is not None:
        name, args = attempt.trial.call
        wanted = f"{name}({dict(args)})"
    outcome = _labelled("wanted", wanted) + _labelled("what came of it", attempt.outcome)
    sent = "".join(_request(number, one) for number, one in enumerate(attempt.requests, 1))
    return f"<details><summary>{head}</summary>{outcome}{sent}</details>"


def _request(number: int, request: RecordedRequest) -> str:
    head = f"<details open><summary>request {number}, {request.seconds:.1f} s</summary>"
    shown = [_labelled(role, text) for role, text in [*request.sent, ("reply", request.reply)]]
    return f"{head}{''.join(shown)}</details>"


def _labelled(label: str, text: str) -> str:
    return f'<div class="who">{escape(label)}</div><pre>{escape(text)}</pre>'
