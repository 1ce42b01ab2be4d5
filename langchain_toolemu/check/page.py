"""The report as one HTML page: no script, nothing loaded from elsewhere, and every word of a model escaped."""

from collections.abc import Iterator
from html import escape

from langchain_toolemu.check.advice import best
from langchain_toolemu.check.checking import Attempt, Findings, Result
from langchain_toolemu.check.recorder import Exchange
from langchain_toolemu.check.trials import Trial

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
h1, h2 { line-height: 1.2; }
pre { background: #f4f5f7; padding: .75rem; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
code { background: #f4f5f7; padding: .1rem .3rem; border-radius: 4px; }
svg { max-width: 100%; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #d8dce2; }
details { margin: .3rem 0; border-left: 3px solid #d8dce2; padding-left: .8rem; } summary { cursor: pointer; }
.passed { color: #176639; } .failed { color: #a3241b; } .who { color: #5b6570; font-size: .85rem; margin-top: .5rem; }
"""

_EXPLAINED = """<p>Each way asks the same questions. Some want a call, and count where the right tool was called with the
right arguments; the others want words, and count where the model was <i>left alone</i> to answer. <b>json</b>, <b>fenced</b> and
<b>tagged</b> are how a call is to be written; <b>grammar</b> has the server hold the reply to words or a call, <b>quotes</b> the
values to what was said; <b>decision</b> first asks for a call or none, and then for the answer. Below, each request is shown as
it was sent, with the examples that teach the form before the question, which is the last message. The first way may have
paid for filling the server's cache, so its seconds are more.</p>"""

_BAR, _ROW, _LEFT = 360, 26, 150


def write_page(findings: Findings, line: str) -> str:
    """The whole page."""
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f"<title>toolemu check: {escape(findings.model)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>toolemu check: {escape(findings.model)}</h1>",
            f"<p>Native tool calling: <b>{escape(findings.support.verdict)}</b> "
            f"({escape(findings.support.reason)}).</p>",
            f"<h2>Recommended</h2><pre>{escape(line)}</pre>",
            "<h2>Ways of asking</h2>",
            _EXPLAINED,
            _table(findings),
            "<h3>Calls that were right, of those wanted</h3>",
            _chart([(one.name, *one.calls) for one in findings.results]),
            "<h3>Turns left alone, of those that want no call</h3>",
            _chart([(one.name, *one.silences) for one in findings.results]),
            "<h2>What was asked and answered</h2>",
            *(_way(result, opened=result is best(findings)) for result in findings.results),
            "</body></html>",
        ]
    )


def _table(findings: Findings) -> str:
    heads = ("way", "right calls", "left alone", "requests", "tokens", "seconds")
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells(one))}</tr>"
        for one in findings.results
    )
    return f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{rows}</table>"


def cells(result: Result) -> tuple[str, ...]:
    """A way of asking in figures."""
    (right, wanted), (silent, idle) = result.calls, result.silences
    figures = (str(result.requests), str(result.tokens), f"{result.seconds:.1f}")
    silences = f"{silent} of {idle}" if idle else "not tried"
    return (result.name, f"{right} of {wanted}", silences, *figures)


def _chart(rows: list[tuple[str, int, int]]) -> str:
    """Bars, as SVG."""
    width, height = _LEFT + _BAR + 80, _ROW * len(rows)
    drawn = "".join(_drawn(place, *row) for place, row in enumerate(rows))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg {size} role="img">{drawn}</svg>'


def _drawn(place: int, name: str, good: int, of: int) -> str:
    top, long = place * _ROW, _BAR * good / of if of else 0
    return (
        f'<text x="0" y="{top + 17}" font-size="14">{escape(name)}</text>'
        f'<rect x="{_LEFT}" y="{top + 4}" width="{_BAR}" height="18" fill="#e8ebef"/>'
        f'<rect x="{_LEFT}" y="{top + 4}" width="{long:.0f}" height="18" fill="#2f6fba"/>'
        f'<text x="{_LEFT + _BAR + 10}" y="{top + 17}" font-size="14">{good} of {of}</text>'
    )


def _way(result: Result, *, opened: bool) -> str:
    inner = "".join(_attempt(attempt) for attempt in result.attempts)
    failed = sum(not attempt.passed for attempt in result.attempts)
    count = f'<span class="failed">{failed} of {len(result.attempts)} failed</span>'
    head = f"<summary><b>{escape(result.name)}</b> {count if failed else 'all passed'}</summary>"
    return f"<details{' open' if opened or failed else ''}>{head}{inner}</details>"


def _attempt(attempt: Attempt) -> str:
    word = "passed" if attempt.passed else "failed"
    requests = len(attempt.exchanges)
    after = f" (after {requests} requests)" if requests > 1 else ""
    head = f'<span class="{word}">{word}</span> {escape(attempt.trial.question)}{after}'
    said = (
        f'<div class="who">wanted</div><pre>{escape(_wanted(attempt.trial))}</pre>'
        f'<div class="who">what came of it</div><pre>{escape(attempt.outcome)}</pre>'
    )
    sent = "".join(_exchange(number, one) for number, one in enumerate(attempt.exchanges, 1))
    return f"<details><summary>{head}</summary>{said}{sent}</details>"


def _wanted(trial: Trial) -> str:
    if trial.call is None:
        return "an answer in words, no call"
    name, args = trial.call
    return f"{name}({dict(args)})"


def _exchange(number: int, exchange: Exchange) -> str:
    return "".join(_messages(number, exchange))


def _messages(number: int, exchange: Exchange) -> Iterator[str]:
    yield f"<details open><summary>request {number}, {exchange.seconds:.1f} s</summary>"
    for who, text in exchange.sent:
        yield f'<div class="who">{escape(who)}</div><pre>{escape(text)}</pre>'
    yield f'<div class="who">reply</div><pre>{escape(exchange.reply)}</pre></details>'
