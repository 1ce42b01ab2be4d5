"""`python -m tests.benchmarks.serve`: the tables of docs/gateway.md.

The gateway, LiteLLM's proxy, Forge's and toolrails, each in one process in front of the same
upstream, which answers at once: in one run and in turn, so that whatever else the machine does hits
all. `make rivals` installs the others; without them the gateway is measured alone.
"""

import argparse
import asyncio
import contextlib
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.serve import in_process
from tests.benchmarks.serve.load import (
    BODIES,
    CALL,
    SLOW,
    Latency,
    Target,
    answers,
    at_once,
    in_turn,
)
from tests.benchmarks.serve.servers import (
    FORGE,
    cpu_seconds,
    known_servers,
    megabytes,
    started,
    upstream,
)

_ITSELF = "the upstream itself"
_SLICES = 5


def main() -> None:
    """Measure, and print."""
    options = _options()
    with upstream() as port, contextlib.ExitStack() as stack:
        known = known_servers(options.rivals)
        chosen = options.servers.split(",") if options.servers else known
        commands = {name: known[name] for name in chosen}
        starts: Mapping[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.starts - 1):
            for name, command in commands.items():
                with started(name, command, port) as (_target, seconds):
                    starts[name].append(seconds)
        targets = []
        for name, command in commands.items():
            target, seconds = stack.enter_context(started(name, command, port))
            targets.append(target)
            starts[name].append(seconds)
        _line("", [_ITSELF, *commands])
        _line("---", ["---"] * (1 + len(commands)))
        _line("start, s", ["", *(f"{statistics.median(own):.2f}" for own in starts.values())])
        _in_turn([Target(_ITSELF, port), *targets], options)
        _line("memory, MB", ["", *(f"{megabytes(target):.0f}" for target in targets)])
        if options.requests:
            _loads(targets, options)
        if options.in_process:
            print("\n| the same turn in process | median ms | p99 ms |\n|---|---|---|")
            measured = in_process.measured(port, options.rounds * 10)
            for name, took in asyncio.run(measured).items():
                print(f"| {name} | {took.median:.2f} | {took.p99:.2f} |", flush=True)


def _in_turn(targets: Sequence[Target], options: argparse.Namespace) -> None:
    """Requests one after the other: added to the upstream's own median, and the CPU time."""
    names = [target.name for target in targets]
    for kind, body in BODIES.items():
        asked = _answering(targets, body)
        before = {target.name: cpu_seconds(target) for target in asked[1:]}
        took = asyncio.run(in_turn(asked, body, options.rounds))
        count = 10 * (options.rounds + 1)  # with those that warm up
        cpu = {one.name: 1000 * (cpu_seconds(one) - before[one.name]) / count for one in asked[1:]}
        added = {name: _added(ends, took[_ITSELF][0]) for name, (ends, _) in took.items()}
        _line(f"{kind}: ms added, p10 / p50 / p99", _cells(names, added))
        _line(f"{kind}: ms of CPU", _cells(names, {name: f"{ms:.2f}" for name, ms in cpu.items()}))
        if FORGE in cpu:
            ratios = {name: f"{ms / cpu[FORGE]:.2f}" for name, ms in cpu.items()}
            _line(f"{kind}: CPU, of Forge's", _cells(names, ratios))
    took = asyncio.run(in_turn(targets, SLOW, options.rounds // 10 or 1, each=2))
    added = {name: _added(firsts, took[_ITSELF][1]) for name, (_, firsts) in took.items()}
    _line("first word of a slow stream: ms added, likewise", _cells(names, added))


def _answering(targets: Sequence[Target], body: dict[str, Any]) -> list[Target]:
    return [target for target in targets if asyncio.run(answers(target, body))]


def _added(took: Sequence[float], upstreams: Sequence[float]) -> str:
    if took is upstreams:
        return f"({Latency.of(took)})"
    return str(Latency.of(took, besides=Latency.of(upstreams).median))


def _cells(names: Sequence[str], figures: Mapping[str, str]) -> list[str]:
    return [figures.get(name, "") for name in names]


def _loads(targets: Sequence[Target], options: argparse.Namespace) -> None:
    """As many requests a second as there can be, in slices; and the memory after many of them."""
    names = ["", *(target.name for target in targets)]
    for kind, body in BODIES.items():
        asked = _answering(targets, body)
        before = {target.name: cpu_seconds(target) for target in asked}
        seconds = dict.fromkeys(before, 0.0)
        count = options.requests // _SLICES
        for target in asked * _SLICES:
            seconds[target.name] += count / _rate(target, [body], count, options)
        cells = {}
        for target in asked:
            used = 1000 * (cpu_seconds(target) - before[target.name])
            rate = _SLICES * count / seconds[target.name]
            cells[target.name] = f"{rate:.0f} / {used / (_SLICES * count):.2f}"
        _line(f"{kind}: requests a second / ms of CPU", _cells(names, cells))
    for target in targets:
        _rate(target, [CALL, {**CALL, "stream": True}], options.endure, options)
    after = [f"{megabytes(target):.0f}" for target in targets]
    _line(f"memory after {options.endure:,} more requests, MB", ["", *after])


def _rate(
    target: Target, bodies: Sequence[dict[str, Any]], count: int, options: argparse.Namespace
) -> float:
    return asyncio.run(at_once(target, bodies, count, options.connections))


def _line(head: str, cells: Iterable[str]) -> None:
    print(f"| {head} | {' | '.join(cells)} |", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rivals", type=Path, default=Path(".rivals"), help="where they are")
    parser.add_argument("--servers", help="some of them, with commas; default: all that are there")
    parser.add_argument("--rounds", type=int, default=50, help="of ten requests to each server")
    parser.add_argument("--starts", type=int, default=3, help="of which the median counts")
    parser.add_argument("--requests", type=int, default=1000, help="at once, of each kind; 0: none")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--endure", type=int, default=10_000, help="requests before memory is read")
    parser.add_argument("--in-process", action="store_true", help="the same without a gateway, too")
    return parser.parse_args()


if __name__ == "__main__":
    main()
