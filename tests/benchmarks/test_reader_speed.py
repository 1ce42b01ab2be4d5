"""What reading costs: time per KB from 1 KB to 1 MB, whole and in pieces, on friendly and hostile text.

Everything is asserted as a ratio within one run, in processor time, each measurement in a process of its
own that is stopped at a limit: a quadratic reader (json_repair is one) would otherwise run for hours.
"""

import contextlib
import functools
import importlib
import json
import math
import multiprocessing
import resource
import signal
import time
from collections.abc import Callable

import pytest
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from langchain_toolemu.reader import Reader
from langchain_toolemu.tools import ToolSet, ToolSpec

KB = 1024
SIZES = (1, 10, 100, 1024)
PIECE = 4
LIMIT = 60.0
LONG_ENOUGH = 0.1
RIVAL_LIMIT = 5.0
RIVAL_SIZES = (10, 100, 1024)

TOOLS = ToolSet(
    [
        ToolSpec(
            "f",
            "A tool with the shortest of names.",
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}},
        ),
        ToolSpec(
            "write_file",
            "Write a file.",
            {
                "type": "object",
                "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
                "required": ["path", "content"],
            },
        ),
    ]
)

SENTENCES = (
    "The weather in Paris is mild today, and it won't rain before the evening. "
    'Most people (about 60 %) stay outside; some say it\'s "too warm" for the season.\n'
)
CODE = 'def area(shape):\n    if shape["kind"] == "circle":  # {r}\n        return [3.14 * shape["r"] ** 2]\n'


def repeated(unit: str) -> Callable[[int], str]:
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def call_of(text: str) -> Callable[[int], str]:
    """One call with an argument of this size."""

    def write(size: int) -> str:
        content = repeated(text)(size)
        return json.dumps({"name": "write_file", "arguments": {"path": "a.py", "content": content}})

    return write


def call_of_many_values(size: int) -> str:
    items = [{"id": number, "tags": ["x", True, None], "w": 0.5} for number in range(size // 50)]
    return json.dumps({"name": "f", "arguments": {"a": "x", "b": items}})


def unclosed(
    opening: str, text: str = SENTENCES.replace('"', "'").replace("\n", " ")
) -> Callable[[int], str]:
    return lambda size: opening + repeated(text)(size)


FRIENDLY = {
    "prose": repeated(SENTENCES),
    "code as prose": repeated(CODE),
    "call: long text": call_of(SENTENCES),
    "call: long code": call_of(CODE),
    "call: many values": call_of_many_values,
    "many calls": repeated('{"name": "f", "arguments": {"a": "x"}}\n'),
    "many Python calls": repeated('f(a="x")\n'),
}
HOSTILE = {
    "{": repeated("{"),
    "[": repeated("["),
    '"': repeated('"'),
    "backticks": repeated("`"),
    "<tool_call>": repeated("<tool_call>"),
    '{"a":': repeated('{"a":'),
    "backslashes": repeated("\\"),
    "f(": repeated("f("),
    "unclosed string": unclosed('{"name": "write_file", "arguments": {"content": "'),
    "unclosed, escapes": unclosed('{"name": "write_file", "arguments": {"content": "', '\\n\\"'),
    "unclosed, quotes": unclosed(
        '{"name": "write_file", "arguments": {"content": "', 'say "hi" now '
    ),
    "unclosed strings": repeated('{"a": "b'),
    "unclosed Python": unclosed('f(a="', "it's \\' so, "),
    # Not in anybody's list, and no better for it.
    "calls in calls": repeated('{"name": "f", "arguments": {"a": '),
    "f(a=": repeated("f(a="),
    "[f(": repeated("[f("),
    "f lines": repeated("f\n"),
    "<f>": repeated("<f>"),
    "<f><a> ...": unclosed("<f>\n<a>", "text </b> <a> "),
    "<function=f>": repeated("<function=f>"),
    "parameters": unclosed("<function=f>", "<parameter=a>x</parameter>"),
    "unclosed parameter": unclosed("<function=f><parameter=a>", "</parameter> x "),
    "<think>": repeated("<think>"),
    "</think>": repeated("</think>"),
    "channels": repeated("<|channel>th"),
    "&lt;": repeated("&lt;tool_call&gt;"),
    "[TOOL_CALLS]": repeated("[TOOL_CALLS]"),
    "fences": repeated("```json\n"),
    "fenced braces": repeated("```json\n{\n"),
    "comments": unclosed('{"name": "f", ', "/* x "),
    "# comments": unclosed('{"name": "f", ', "# x\n"),
    "ReAct": repeated("Action: f\n"),
    "ReAct inputs": repeated("Action: f\nAction Input: {\n"),
    "YAML": unclosed("<tool_call>\nname: f\narguments:\n", "  a: x\n"),
    "smart quotes": repeated("{“a”: "),
    "commas": unclosed('{"name": "f", "arguments": {"b": [', ","),
    "spaces": unclosed('{"name": "f",', " "),
    "spaces behind a call": unclosed('{"name": "f"}', " "),
    "closers": repeated("}"),
    "closers behind a call": unclosed('{"name": "f"}', " }"),
    "namespaces": repeated("s.f"),
    "namespaced lines": repeated("s.f(1)\n"),
    "keys twice": unclosed('{"name": "f", "arguments": {', '"a": 1, '),
    "quote, comma": unclosed('{"name": "f", "arguments": {"a": "', '", '),
}
TEXTS = {**FRIENDLY, **HOSTILE}
RIVAL_TEXTS = (
    "prose",
    "code as prose",
    "call: long text",
    "call: long code",
    "call: many values",
    "many calls",
    "{",
    "[",
    '"',
    "backslashes",
    '{"a":',
    "unclosed string",
    "unclosed, quotes",
    "unclosed strings",
)


def read_whole(text: str) -> None:
    reader = Reader(TOOLS)
    reader.feed(text)
    reader.close()


def read_in_pieces(text: str) -> None:
    reader = Reader(TOOLS)
    for start in range(0, len(text), PIECE):
        reader.feed(text[start : start + PIECE])
    reader.close()


WAYS = {"whole": read_whole, "pieces": read_in_pieces}


def seconds(way: Callable[[str], object], text: str, limit: float = LIMIT) -> float | str:
    """The processor time of a run; or what went wrong, in a word."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(way, text, theirs, limit), daemon=True)
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        process.join()
        stopped = process.exitcode in (-signal.SIGKILL, -signal.SIGXCPU)
        return f"> {limit:.0f} s" if stopped else "crash"
    finally:
        process.join()


def measure(way: Callable[[str], object], text: str, pipe, limit: float) -> None:
    """Run in a process of its own, which the system stops at the limit.

    The mean of as many runs as take a while together: the system counts processor time in ticks.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))
    runs, began = 0, time.process_time()
    while (taken := time.process_time() - began) < LONG_ENOUGH:
        try:
            way(text)
        except (ValueError, RecursionError) as error:
            pipe.send(type(error).__name__)
            return
        runs += 1
    pipe.send(taken / runs)


def micros_per_kb(taken: float | str, text: str) -> float:
    return taken * 1e6 / (len(text) / KB) if isinstance(taken, float) else math.inf


def shown(taken: float | str, text: str) -> str:
    return f"{micros_per_kb(taken, text):,.0f}" if isinstance(taken, float) else taken


@pytest.fixture(scope="module")
def flatness(request):
    """A table that the tests fill row by row, printed at the end."""
    table = Table(title="Microseconds per KB", box=None, padding=(0, 2, 0, 0))
    table.add_column("text", no_wrap=True)
    for column in ("fed", *(f"{size} KB" for size in SIZES), "1 MB / 10 KB"):
        table.add_column(column, justify="right", no_wrap=True)
    yield table
    _print(request, table)


def _print(request, *tables: Table) -> None:
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        for table in tables:
            Console(width=120).print("\n", table)


@pytest.mark.parametrize("fed", WAYS)
@pytest.mark.parametrize("name", TEXTS)
def test_time_per_kb_stays_flat(benchmark, flatness, name, fed):
    """A megabyte takes at most three times as long per KB as ten KB do, whatever it holds."""
    texts = [TEXTS[name](size * KB) for size in SIZES]
    times = benchmark.pedantic(lambda: [seconds(WAYS[fed], text) for text in texts], rounds=1)
    rates = [micros_per_kb(taken, text) for taken, text in zip(times, texts, strict=True)]
    ratio = rates[-1] / rates[1]
    cells = (shown(taken, text) for taken, text in zip(times, texts, strict=True))
    flatness.add_row(escape(name), fed, *cells, f"{ratio:.2f}" if ratio < math.inf else "-")
    assert ratio <= 3


@pytest.mark.parametrize("text", [SENTENCES, CODE], ids=["text", "code"])
def test_a_call_in_pieces_costs_little_more_than_prose(benchmark, request, text):
    """A call of 100 KB in pieces of four takes at most twice what the same text takes as prose."""
    call, prose = call_of(text)(100 * KB), repeated(text)(100 * KB)
    as_call = benchmark.pedantic(lambda: seconds(read_in_pieces, call), rounds=1)
    as_prose = seconds(read_in_pieces, prose)
    ratio = as_call / as_prose
    _print(request, f"100 KB in pieces: call {as_call:.3f} s, prose {as_prose:.3f} s, {ratio:.2f}")
    assert ratio <= 2


def rivals() -> dict[str, Callable[[str], object]]:
    """Those that are installed; a rival parses JSON, and knows nothing of calls, prose and pieces."""
    calls = {
        "json_repair": lambda module, text: module.loads(text),
        "fast_json_repair": lambda module, text: module.loads(text),
        "jiter": lambda module, text: module.from_json(text.encode(), partial_mode=True),
    }
    found = {}
    for name, call in calls.items():
        with contextlib.suppress(ImportError):
            found[name] = functools.partial(call, importlib.import_module(name))
    return found


def test_rivals_on_the_same_texts(benchmark, request):
    """A table to read, with one thing held: no text takes us as long as json_repair's slowest."""
    ways = {"ours": read_whole, "ours, pieces": read_in_pieces, **rivals()}
    table = Table(title="Milliseconds for a text", box=None, padding=(0, 2, 0, 0))
    for column in ("text", "KB", *ways):
        table.add_column(column, justify="left" if column == "text" else "right", no_wrap=True)
    worst = benchmark.pedantic(lambda: fill(table, ways), rounds=1)
    _print(request, table)
    assert worst["ours"] < RIVAL_LIMIT


def fill(table: Table, ways: dict[str, Callable[[str], object]]) -> dict[str, float]:
    """Time every way on every text; a way that hit the limit once is spared the larger sizes."""
    worst = dict.fromkeys(ways, 0.0)
    for name in RIVAL_TEXTS:
        spent: set[str] = set()
        for size in RIVAL_SIZES:
            text, cells = TEXTS[name](size * KB), []
            for label, way in ways.items():
                taken = "-" if label in spent else seconds(way, text, RIVAL_LIMIT)
                if isinstance(taken, str) and taken.startswith(">"):
                    spent.add(label)
                worst[label] = max(worst[label], taken if isinstance(taken, float) else math.inf)
                cells.append(f"{taken * 1e3:,.1f}" if isinstance(taken, float) else taken)
            table.add_row(escape(name), str(size), *cells)
    return worst
