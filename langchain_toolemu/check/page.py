"""The report as one HTML page: no script, nothing loaded from elsewhere, and every word of a model escaped."""

from collections.abc import Iterator
from datetime import datetime, timezone
from html import escape

from langchain_toolemu._version import __version__
from langchain_toolemu.check.advice import best, cautions
from langchain_toolemu.check.checking import Attempt, Findings, Result
from langchain_toolemu.check.recorder import Exchange
from langchain_toolemu.check.tables import HEADS, cells
from langchain_toolemu.check.trials import Trial

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
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>toolemu check: {escape(findings.model)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>toolemu check: {escape(findings.model)}</h1>",
            _about(findings),
            f"<p>Native tool calling: <b>{escape(findings.support.verdict)}</b> "
            f"({escape(findings.support.reason)}).</p>",
            f"<h2>Recommended</h2><pre>{escape(lines)}</pre>",
            *(f"<p>{escape(words)}</p>" for words in cautions(findings)),
            "<h2>Ways of asking</h2>",
            _EXPLAINED,
            _table(findings),
            "<h3>Calls that were right, of those wanted</h3>",
            _chart([(one.name, *one.calls) for one in _all(findings)]),
            "<h3>Turns left alone, of those that want no call</h3>",
            _chart([(one.name, *one.silences) for one in _all(findings)]),
            "<h2>What was asked and answered</h2>",
            "<p>Each request is shown as it was sent. The examples that teach the form come first, and the question "
            "last.</p>",
            *(_way(result, opened=result is best(findings)) for result in _all(findings)),
            "</body></html>",
        ]
    )


def _about(findings: Findings) -> str:
    """When, with what and where it was measured."""
    when = datetime.now(timezone.utc).strftime("%d %B %Y, %H:%M UTC")
    where = f". The model is at {escape(findings.address)}" if findings.address else ""
    return f'<p class="about">{when}, by langchain-toolemu {__version__}{where}</p>'


def _table(findings: Findings) -> str:
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells(one))}</tr>"
        for one in _all(findings)
    )
    heads = "".join(f"<th>{head}</th>" for head in HEADS)
    return f'<div class="wide"><table><tr>{heads}</tr>{rows}</table></div>'


def _all(findings: Findings) -> list[Result]:
    return [*findings.results, *findings.compared]


def _chart(rows: list[tuple[str, int, int]]) -> str:
    """Bars, as SVG."""
    width, height = _LEFT + _BAR + 80, _ROW * len(rows)
    drawn = "".join(_drawn(place, *row) for place, row in enumerate(rows))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg {size} role="img">{drawn}</svg>'


def _drawn(place: int, name: str, good: int, of: int) -> str:
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
