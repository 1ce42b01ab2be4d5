"""What a check found out: which way of asking to take and how far to trust it, as text, a table, and one HTML page.

The page has no script, loads nothing from elsewhere, and escapes every word of a model.
"""

import json
import math
from collections.abc import Sequence
from datetime import datetime, timezone
from html import escape

from langchain_toolemu._version import __version__
from langchain_toolemu.check.named_model import NamedModel
from langchain_toolemu.check.trial_runs import (
    FALLBACK,
    FORCE,
    NAIVE,
    NATIVE,
    Attempt,
    Findings,
    RecordedRequest,
    Result,
)

_SURE = 1.96
_WORTHWHILE = 0.9
_HEADS = ("way", "right calls", "left alone", "requests", "tokens", "seconds")
_COLUMNS = ("model", "native", "naive prompt", "default (fallback)", "force", "best setting")

# --- advice ---


def best(findings: Findings) -> Result:
    """The way that did best; of equals the one with fewer requests, then the plainer, which comes first.

    One that was not tried to its end could only win by luck.
    """
    return max(findings.results, key=lambda one: (*_success(one), -one.requests))


def _success(result: Result) -> tuple[int, float, int]:
    return len(result.attempts), result.share, result.passed


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
    said = [
        f"Caution: the sample is small. {right} right calls of {of} mean {_interval(right, of)} in the long run; ways that "
        "differ by one or two are equals."
    ]
    if findings.stopped:
        said.insert(0, "The check was stopped: this is what was measured until then.")
    equals = [one for one in findings.results if _success(one) == _success(winner)]
    cheapest = min(equals, key=lambda one: one.tokens)
    if 0 < cheapest.tokens < _WORTHWHILE * winner.tokens:
        said.append(
            f"{cheapest.name} did as well with {cheapest.tokens:,} tokens instead of {winner.tokens:,}."
        )
    return said


def _interval(good: int, of: int) -> str:
    """Where the true share lies with a probability of 95 % (Wilson's interval)."""
    if not of:
        return "anything"
    share, square = good / of, _SURE**2
    middle = share + square / (2 * of)
    reach = _SURE * math.sqrt(share * (1 - share) / of + square / (4 * of**2))
    low, high = ((middle + way * reach) / (1 + square / of) for way in (-1, 1))
    return f"{max(0.0, low):.0%} to {min(1.0, high):.0%}"


# --- tables ---


def _cells(result: Result) -> tuple[str, ...]:
    """A way of asking in figures."""
    counts = (f"{good} of {of}" if of else "not tried" for good, of in (result.calls, result.silences))  # fmt: skip
    figures = (str(result.requests), str(result.tokens), f"{result.seconds:.1f}")
    return (f"{result.name}{' (ended early)' if result.unasked else ''}", *counts, *figures)


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
    measured = [_brief(by_name.get(name)) for name in (NATIVE, NAIVE, FALLBACK, FORCE)]
    winner = best(findings)
    row = [findings.model, *measured, f"{_brief(winner)} ({winner.name})"]
    return "".join(map(_markdown_row, (_COLUMNS, ["---"] * len(_COLUMNS), row)))


def _brief(result: Result | None) -> str:
    """So many right calls of so many, and so many turns left alone."""
    if result is None:
        return "not tried"
    (right, wanted), (silent, idle) = result.calls, result.silences
    return f"{right}/{wanted} calls" + (f", {silent}/{idle} left alone" if idle else "")


def _markdown_row(row: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n"


# --- the page ---

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --shade: #f4f5f7; --line: #d8dce2; --faint: #5b6570;
  --good: #176639; --bad: #a3241b; --bar: #2f6fba; --track: #e8ebef; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #15181c; --shade: #22272e; --line: #3a414a;
  --faint: #a3adb8; --good: #6fcf97; --bad: #ff8a80; --bar: #6ba6ea; --track: #2b3139; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  background: var(--paper); }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere; }
pre { background: var(--shade); padding: .75rem; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
svg { max-width: 100%; height: auto; } text { fill: var(--ink); font-size: 14px; } .bar { fill: var(--bar); } .track { fill: var(--track); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
details { margin: .3rem 0; border-left: 3px solid var(--line); padding-left: .8rem; } summary { cursor: pointer; }
.passed { color: var(--good); } .failed { color: var(--bad); } .who, .about { color: var(--faint); font-size: .85rem; }
.who { margin-top: .5rem; }
@media (max-width: 40rem) { td, th { padding: .3rem .2rem; font-size: .8rem; } th, td:first-child { white-space: normal; } }
"""

_EXPLAINED = """<p>Each way asks the same questions. Some want a call, and count where the right tool was called with the
right arguments; the others want words, and count where the model was <i>left alone</i> to answer. <b>json</b>, <b>fenced</b> and
<b>tagged</b> are how a call is to be written; <b>grammar</b> has the server hold the reply to words or a call, <b>quotes</b> the
values to what was said; <b>decision</b> first asks for a call or none, and then for the answer. A way <i>ended early</i>
where it could not become the best any more. The first way may have paid for filling the server's cache, so its seconds are
more.</p>"""

_BAR, _ROW, _LEFT = 220, 26, 150  # a phone shrinks it: any wider, and its words were too small


def write_page(findings: Findings, lines: str) -> str:
    """The whole page."""
    when = datetime.now(timezone.utc).strftime("%d %B %Y, %H:%M UTC")
    where = f". The model is at {escape(findings.address)}" if findings.address else ""
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>toolemu check: {escape(findings.model)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>toolemu check: {escape(findings.model)}</h1>",
            f'<p class="about">{when}, by langchain-toolemu {__version__}{where}</p>',
            f"<p>Native tool calling: <b>{escape(findings.support.verdict)}</b> "
            f"({escape(findings.support.reason)}).</p>",
            f"<h2>Recommended</h2><pre>{escape(lines)}</pre>",
            *(f"<p>{escape(words)}</p>" for words in cautions(findings)),
            "<h2>Ways of asking</h2>",
            _EXPLAINED,
            _table(findings),
            "<h3>Calls that were right, of those wanted</h3>",
            _chart([(one.name, *one.calls) for one in findings.all]),
            "<h3>Turns left alone, of those that want no call</h3>",
            _chart([(one.name, *one.silences) for one in findings.all]),
            "<h2>What was asked and answered</h2>",
            "<p>Each request is shown as it was sent. The examples that teach the form come first, and the question "
            "last.</p>",
            *(_way(result, opened=result is best(findings)) for result in findings.all),
            "</body></html>",
        ]
    )


def _table(findings: Findings) -> str:
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(one))}</tr>"
        for one in findings.all
    )
    return f'<div class="wide"><table><tr>{heads}</tr>{rows}</table></div>'


def _chart(rows: list[tuple[str, int, int]]) -> str:
    """Bars, as SVG."""
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
