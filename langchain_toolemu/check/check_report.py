"""The report of a check: which way of asking to use and how far to trust it, as text, a table, and one HTML page.

The page has no script, loads nothing, and escapes every word of a model.
"""

import json
import math
from datetime import datetime, timezone
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

from langchain_toolemu._version import __version__
from langchain_toolemu.chat_models.recording import SentRequest
from langchain_toolemu.check.agent_run import TASK
from langchain_toolemu.check.named_model import NamedModel
from langchain_toolemu.check.trial_runs import MEANS, Attempt, Findings, Result
from langchain_toolemu.messages.content import write_json

_SURE = 1.96
_WORTHWHILE = 0.9
_ENOUGH = 1.5  # billions of parameters: the smallest model that was measured to be good at it
_HEADS = ("way", "right calls", "left alone", "requests", "tokens", "seconds")
_LEGEND = (
    "right calls: a tool was needed, and the right one was called with the right values",
    "left alone: no tool was needed, and none was called",
    "recipe: how the instructions in the prompt are written, by the model's size; dialect: how a call is written",
)
_PARTS = {
    "native": "the server's own tool calling",
    "default": "ChatToolEmu with nothing set",
    "force": "the tools are always in the prompt",
    "grammar": "the server allows nothing but words or a complete call",
    "quotes": "the same, and values must be quoted from the conversation",
    "decision": "a first request decides on a call, a second one answers",
}
"""What the parts of a way's name mean; all others are dialects."""
_COLUMNS = ("model", "server", "quantisation", "size", "date", *MEANS, "best setting")

# --- advice ---


class Advice(NamedTuple):
    """What to do about a model: which way of asking to use, why, and the lines to paste."""

    heading: str
    why: str
    lines: str


def advice(findings: Findings, named: NamedModel, least: float) -> Advice:
    """Which way of asking to use, with the lines to paste; where none is good enough, which model would be."""
    winner = findings.best
    heading = f"Recommended: {winner.name}"
    if winner.share < least:
        heading = f"No way of asking reached {100 * least:.0f} %: not usable for tools; the least bad is {winner.name}."
        return Advice(heading, _better_model(findings.size), "")
    settings = (winner.settings or {}).items()
    written = "".join(f", {name}={json.dumps(value)}" for name, value in settings)
    imports = sorted([named.imported, "from langchain_toolemu import ChatToolEmu"])
    lines = [*imports, "", f"llm = ChatToolEmu(llm={named.expression}{written})"]
    return Advice(heading, _reason(findings), "\n".join(lines))


def _better_model(billions: float | None) -> str:
    """What would do instead of a model that is not usable."""
    if billions is not None and billions >= _ENOUGH:
        return "No setting helps here. Use a model that was trained to call tools, or a larger one."
    return (
        "No setting helps here. Use a larger model: Qwen2.5-Coder 1.5B (ollama pull qwen2.5-coder:1.5b) made 35 of 36 plain "
        "calls right; from 7 billion parameters on, most models trained to call tools will do."
    )


def _reason(findings: Findings) -> str:
    """Why the marked row was chosen."""
    winner = findings.best
    equals = [result for result in findings.results if result.rank == winner.rank]
    fewest = [result for result in equals if len(result.requests) == len(winner.requests)]
    why = f"of {len(fewest)} ways that did equally well with as few requests, it changes the least"
    if len(findings.results) == 1:
        why = "the only way that was measured"
    elif len(equals) == 1:
        why = "more trials passed than in any other way"
    elif len(fewest) == 1:
        why = f"of {len(equals)} ways that did equally well, it took the fewest requests"
    return f"* marks {winner.name}: {why}.{_cheaper(equals, winner)}"


def _cheaper(equals: list[Result], winner: Result) -> str:
    """Which way did as well with clearly fewer tokens, if one did."""
    cheapest = min(equals, key=lambda result: result.tokens)
    if not 0 < cheapest.tokens < _WORTHWHILE * winner.tokens:
        return ""
    return f" {cheapest.name} did as well with {cheapest.tokens:,} tokens instead of {winner.tokens:,}."


def cautions(findings: Findings) -> list[str]:
    """What limits the recommendation."""
    winner = findings.best
    right, of = winner.calls
    figures = f"{right} of {of} right (95 % interval: {_interval(right, of)} %). " if of else ""
    advice = "A difference of one or two trials means nothing."
    notes = [f"Caution: the sample is small. {figures}{advice}"]
    if findings.stopped:
        notes.insert(0, "The check was stopped: this is what was measured until then.")
    return notes


def _interval(good: int, of: int) -> str:
    """Wilson's interval, in percent: where the true share lies with a probability of 95 %."""
    share, square = good / of, _SURE**2
    middle = share + square / (2 * of)
    reach = _SURE * math.sqrt(share * (1 - share) / of + square / (4 * of**2))
    low, high = ((middle + way * reach) / (1 + square / of) for way in (-1, 1))
    return f"{100 * max(0.0, low):.0f}-{100 * min(1.0, high):.0f}"


# --- tables ---


def _cells(findings: Findings, result: Result) -> tuple[str, ...]:
    counts = (f"{good} of {of}" if of else "not tried" for good, of in (result.calls, result.silences))  # fmt: skip
    seconds = sum(request.seconds or 0.0 for request in result.requests)
    figures = (str(len(result.requests)), str(result.tokens), f"{seconds:.1f}")
    mark = "*" if result is findings.best else " "
    early = " (ended early)" if result.remaining else ""
    return (f"{mark} {result.name}{early}", *counts, *figures)


def write_text(findings: Findings, advice: Advice) -> str:
    """What a terminal shows: what was found out, a line for each way of asking, and the advice."""
    support = findings.support
    rows = [(f"  {_HEADS[0]}", *_HEADS[1:]), *(_cells(findings, result) for result in findings.all)]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
        for row in rows
    ]
    pasted = [f"    {line}".rstrip() for line in advice.lines.splitlines()]
    return "\n".join([
        f"Model: {findings.model}",
        f"Native tool calling: {support.verdict} ({support.reason})",
        f"Asked in text with the recipe {findings.recipe}",
        "", *table, "", *_LEGEND, *_parts(findings), "", *_agent_lines(findings), *cautions(findings), "", advice.heading, advice.why, "",
        *pasted, *([""] if pasted else []),
    ])  # fmt: skip


def _parts(findings: Findings) -> list[str]:
    """What the names of the ways mean that were tried."""
    parts = dict.fromkeys(part for result in findings.all for part in result.name.split(" + "))
    meanings = [f"{part}: {words}" for part, words in _PARTS.items() if part in parts]
    dialects = ", ".join(part for part in parts if part not in _PARTS)
    return [
        *meanings,
        *([f"{dialects}: the call is written in that dialect"] if dialects else []),
    ]


def _agent_lines(findings: Findings) -> list[str]:
    """Whether the model acts rightly as an agent."""
    return [f"As an agent ({TASK}): {findings.agent.in_words}.", ""] if findings.agent else []


def markdown(findings: Findings) -> str:
    """A table of one row: the server, and how many trials passed by each means."""
    by_name, server = {result.name: result for result in findings.all}, findings.server
    size = f"{findings.size:.3g} B" if findings.size else ""
    about = [findings.model, str(server), server.quantisation, size]
    winner = findings.best
    row = [
        *(fact or "unknown" for fact in about),
        datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        *(_brief(by_name.get(name)) for name in MEANS),
        f"{_brief(winner)} ({winner.name})",
    ]
    rows = (_COLUMNS, ["---"] * len(_COLUMNS), [cell.replace("|", "/") for cell in row])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def _brief(result: Result | None) -> str:
    if result is None:
        return "not tried"
    (right, wanted), (silent, idle) = result.calls, result.silences
    return f"{right}/{wanted} calls" + (f", {silent}/{idle} left alone" if idle else "")


# --- the page ---


def write_page(findings: Findings, advice: Advice) -> str:
    """The whole page: check_report.html, filled in."""
    template = (files(__package__) / "check_report.html").read_text(encoding="utf-8")
    when = datetime.now(timezone.utc).strftime("%d %B %Y, %H:%M UTC")
    where = f". The model is at {findings.address} ({findings.server})" if findings.address else ""
    return Template(template.rstrip()).substitute(
        model=escape(findings.model),
        about=escape(f"{when}, by langchain-toolemu {__version__}{where}"),
        verdict=escape(findings.support.verdict),
        reason=escape(findings.support.reason),
        recipe=escape(findings.recipe),
        heading=escape(advice.heading),
        why=escape(advice.why),
        lines=f"<pre>{escape(advice.lines)}</pre>" if advice.lines else "",
        cautions="\n".join(
            f"<p>{escape(words)}</p>"
            for words in (*_agent_lines(findings), *cautions(findings))
            if words
        ),
        heads="".join(f"<th>{head}</th>" for head in _HEADS),
        rows="".join(_row(findings, result) for result in findings.all),
        ways="\n".join(map(_way, findings.all)),
    )


def _row(findings: Findings, result: Result) -> str:
    cells = [escape(cell) for cell in _cells(findings, result)]
    for place, (good, of) in ((1, result.calls), (2, result.silences)):
        cells[place] += f' <meter value="{good}" max="{of}"></meter>' if of else ""
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _way(result: Result) -> str:
    inner = "".join(map(_attempt, result.attempts))
    failed = sum(not attempt.passed for attempt in result.attempts)
    count = f'<span class="failed">{failed} of {len(result.attempts)} failed</span>'
    head = f"<summary><b>{escape(result.name)}</b> {count if failed else 'all passed'}</summary>"
    return f"<details{' open' if failed else ''}>{head}{inner}</details>"


def _attempt(attempt: Attempt) -> str:
    word = "passed" if attempt.passed else "failed"
    count = len(attempt.requests)
    after = f" (after {count} requests)" if count > 1 else ""
    head = f'<span class="{word}">{word}</span> {escape(attempt.trial.question)}{after}'
    wanted = "an answer in words, no call"
    if attempt.trial.call is not None:
        name, args = attempt.trial.call
        wanted = f"{name}({dict(args)})"
    outcome = _labelled("wanted", wanted) + _labelled("outcome", attempt.outcome)
    sent = "".join(_request(number, request) for number, request in enumerate(attempt.requests, 1))
    return f"<details><summary>{head}</summary>{outcome}{sent}</details>"


def _request(number: int, request: SentRequest) -> str:
    head = f"<details open><summary>request {number}, {request.seconds or 0:.1f} s</summary>"
    messages = [(message["role"], message["content"]) for message in request.messages]
    shown = [_labelled(*part) for part in [*messages, ("reply", "".join(request.reply))]]
    return f"{head}{''.join(shown)}</details>"


def _labelled(label: str, content: Any) -> str:
    text = content if isinstance(content, str) else write_json(content)
    return f'<div class="who">{escape(label)}</div><pre>{escape(text)}</pre>'
