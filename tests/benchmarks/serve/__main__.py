"""`python -m tests.benchmarks.serve`: the tables of docs/gateway.md.

The gateway, LiteLLM's proxy, Forge's and toolrails, each in one process in front of the same upstream, which answers at once,
in one run and in turn, so that whatever else the machine does hits all. `make rivals` installs the others; without them the
gateway is measured alone.
"""

import argparse
import asyncio
import contextlib
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.benchmarks.serve import in_process
from tests.benchmarks.serve.load import BODIES, CALL, SLOW, Latency, Target, at_once, in_turn
from tests.benchmarks.serve.servers import cpu_seconds, known_servers, megabytes, started, upstream

_ITSELF = "the upstream itself"


def main() -> None:
    """Measure, and print."""
    options = _options()
    with upstream() as port, contextlib.ExitStack() as stack:
        commands = known_servers(options.rivals)
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
        _latencies([Target(_ITSELF, port), *targets], options)
        if options.requests:
            _loads(targets, options)
        if options.in_process:
            print("\n| the same turn in process | median ms | p99 ms |\n|---|---|---|")
            measured = in_process.measured(port, options.rounds * 10)
            for name, took in asyncio.run(measured).items():
                print(f"| {name} | {took.median:.2f} | {took.p99:.2f} |", flush=True)


def _latencies(targets: Sequence[Target], options: argparse.Namespace) -> None:
    """Requests one after the other: what each server adds to the upstream's own median."""
    for kind, body in BODIES.items():
        took = asyncio.run(in_turn(targets, body, options.rounds))
        seconds = {name: ends for name, (ends, _) in took.items()}
        _line(f"{kind}: ms added, p10 / p50 / p99", _added(seconds))
    took = asyncio.run(in_turn(targets, SLOW, options.rounds // 10 or 1, each=2))
    _line("first word of a slow stream: ms added, likewise", _added({n: firsts for n, (_, firsts) in took.items()}))  # fmt: skip


def _added(seconds: Mapping[str, Sequence[float]]) -> Iterable[str]:
    own = Latency.of(seconds[_ITSELF])
    yield f"({own})"
    for name, took in seconds.items():
        if name != _ITSELF:
            yield str(Latency.of(took, besides=own.median))


def _loads(targets: Sequence[Target], options: argparse.Namespace) -> None:
    """Requests over many connections, as many a second as there can be; and the memory after many of them."""
    count, connections = options.requests, options.connections
    for kind, body in BODIES.items():
        cells = []
        for target in targets:
            before = cpu_seconds(target)
            rate = asyncio.run(at_once(target, [body], count, connections))
            cells.append(f"{rate:.0f} / {1000 * (cpu_seconds(target) - before) / count:.1f}")
        _line(f"{kind}: requests a second / ms of CPU each", ["", *cells])
    _line("memory, MB", ["", *(f"{megabytes(target):.0f}" for target in targets)])
    for target in targets:
        both = [CALL, {**CALL, "stream": True}]
        asyncio.run(at_once(target, both, options.endure, connections))
    after = [f"{megabytes(target):.0f}" for target in targets]
    _line(f"memory after {options.endure:,} more requests, MB", ["", *after])


def _line(head: str, cells: Iterable[str]) -> None:
    print(f"| {head} | {' | '.join(cells)} |", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rivals", type=Path, default=Path(".rivals"), help="where they are")
    parser.add_argument("--rounds", type=int, default=50, help="of ten requests to each server")
    parser.add_argument("--starts", type=int, default=3, help="of which the median counts")
    parser.add_argument("--requests", type=int, default=1000, help="at once, of each kind; 0: none")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--endure", type=int, default=10_000, help="requests before memory is read")
    parser.add_argument("--in-process", action="store_true", help="the same without a gateway, too")
    return parser.parse_args()


if __name__ == "__main__":
    main()
