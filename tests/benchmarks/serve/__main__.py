"""`python -m tests.benchmarks.serve --litellm PATH`: the table of docs/gateway.md.

LiteLLM's proxy is installed apart, since it pins half the ecosystem: `pip install "litellm[proxy]"` into an environment of its
own, whose `litellm` is named here. Without it the gateway is measured alone.
"""

import argparse
import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.serve import in_process
from tests.benchmarks.serve.load import (
    BODIES,
    Target,
    at_once,
    one_after_the_other,
    streams_at_once,
)
from tests.benchmarks.serve.servers import gateway, litellm, megabytes, upstream

_HEADING = "| server | request | median ms | p99 ms | requests a second |\n|---|---|---|---|---|"


def main() -> None:
    """Measure, and print."""
    options = _options()
    with upstream() as port:
        print("| in process | median ms | p99 ms |\n|---|---|---|")
        for name, took in asyncio.run(in_process.measured(port, options.latency)).items():
            print(f"| {name} | {took.median:.2f} | {took.p99:.2f} |", flush=True)
        print(f"\n{_HEADING}")
        _measure(Target("the upstream itself", port), ("no tools",), options)
        for server in _servers(port, options):
            with server as target:
                kinds = tuple(BODIES) if target.name.startswith("toolemu") else tuple(BODIES)[:2]
                _measure(target, kinds, options)
                _endure(target, options)


def _servers(
    port: int, options: argparse.Namespace
) -> Iterator[contextlib.AbstractContextManager[Target]]:
    yield gateway(port, options.workers)
    if options.litellm:
        yield litellm(port, options.litellm, options.workers)


def _measure(target: Target, kinds: tuple[str, ...], options: argparse.Namespace) -> None:
    for kind in kinds:
        took = asyncio.run(one_after_the_other(target, BODIES[kind], options.latency))
        rate = asyncio.run(at_once(target, BODIES[kind], options.requests, options.connections))
        figures = f"{took.median:.2f} | {took.p99:.2f} | {rate:.0f}"
        print(f"| {target.name} | {kind} | {figures} |", flush=True)


def _endure(target: Target, options: argparse.Namespace) -> None:
    before = megabytes(target)
    asyncio.run(at_once(target, BODIES["native call"], options.endure, options.connections))
    after = megabytes(target)
    ended, seconds = asyncio.run(streams_at_once(target, options.streams))
    print(
        f"{target.name}: {before:.0f} MB, {after:.0f} MB after {options.endure:,} more requests; "
        f"{ended} of {options.streams} streams at once ended well, in {seconds:.1f} s",
        flush=True,
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--litellm", type=Path, help="the executable of LiteLLM's proxy")
    parser.add_argument("--latency", type=int, default=500, help="requests one after the other")
    parser.add_argument("--requests", type=int, default=2000, help="requests at once")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--endure", type=int, default=10_000, help="requests before memory is read")
    parser.add_argument("--workers", type=int, default=1, help="processes of each server")
    parser.add_argument("--streams", type=int, default=200)
    return parser.parse_args()


if __name__ == "__main__":
    main()
