"""The CPU time of a turn after 500 KB of history, here and in another checkout.

`python -m tests.benchmarks.history_cpu --against PATH [--rounds 30]` prints the milliseconds of a
turn in its best round, and the ratio. The rounds of the two trees alternate, as in `turn_cpu`. The
results of the history hold prose, a tool's name, or a call of it with other values than the
reply's.
"""

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from tests.benchmarks.turn_cpu import HERE, Recorded, measure, tools

SIZE, RESULTS = 500_000, 45
PROSE = "The quick brown fox jumps over the lazy dog; nothing of this is of any use to us. "
HOLDS: dict[str, Callable[[int], str]] = {
    "prose": lambda n: "",
    "the name": lambda n: f"The tool write_file was of use on day {n}. ",
    "a call": lambda n: json.dumps(
        {"name": "write_file", "arguments": {"path": f"/tmp/notes_{n}.md", "content": "Hello."}}
    ),
    "a call with numbers": lambda n: json.dumps({"name": "add", "arguments": {"a": n, "b": 7}}),
}
LONG = {"path": "/tmp/report.md", "content": "A line of the report.\n" * 1100}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "short call": ("write_file", {"path": "/tmp/report.md", "content": "Done."}),
    "24 KB call": ("write_file", LONG),
    "add": ("add", {"a": 815, "b": 4711}),
}
PLAYED = [
    ("prose", "short call"), ("prose", "24 KB call"), ("the name", "short call"),
    ("the name", "24 KB call"), ("a call", "short call"), ("a call", "24 KB call"),
    ("a call with numbers", "add"),
]  # fmt: skip


def history(holds: Callable[[int], str], asked: str = "search") -> list[BaseMessage]:
    """A long search: each result has about the same size."""
    messages: list[BaseMessage] = [HumanMessage("Look around, and then write the report.")]
    for n in range(RESULTS):
        call = {"name": asked, "args": {"query": f"thing {n}", "limit": 5}, "id": f"c{n}"}
        filled = PROSE * (SIZE // RESULTS // len(PROSE) // 2)
        text = f"{filled}\n{holds(n)}\n{filled}"
        messages += [AIMessage("", tool_calls=[call]), ToolMessage(text, tool_call_id=f"c{n}")]
    return messages


def ways() -> dict[str, Callable[[], float]]:
    """Each history and reply, whole and streamed, as a function that times a turn."""
    from langchain_toolemu import ChatToolEmu

    model = Recorded()
    bare = {"contract": {"examples": False}}
    if "examples" in ChatToolEmu.model_fields:  # in an older checkout
        bare = {"examples": False}
    force = ChatToolEmu(model, mode="force", **bare).bind_tools(tools())

    def timed(take: Callable[[Any], object], held: str, called: str) -> Callable[[], float]:
        name, args = CALLS[called]
        messages, text = history(HOLDS[held]), json.dumps({"name": name, "arguments": args})

        def round_() -> float:
            model.text = text
            start = time.process_time()
            take(messages)
            return (time.process_time() - start) * 1000

        return round_

    return {
        f"{held}, {called}, {how}": timed(take, held, called)
        for held, called in PLAYED
        for how, take in {
            "whole": force.invoke,
            "streamed": lambda m: list(force.stream(m)),
        }.items()
    }


def work() -> None:
    """Play a round of every way for each line that comes in; write the times as JSON."""
    warnings.simplefilter("ignore")
    known = ways()
    for _ in sys.stdin:
        print(json.dumps({name: way() for name, way in known.items()}), flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--against", type=Path, help="the root of another checkout")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        work()
        return
    trees = [HERE, args.against.resolve()] if args.against else [HERE]
    here, *other = measure(trees, args.rounds, script=__file__)
    for name, taken in here.items():
        there = (
            f"  there {other[0][name]:7.2f} ms  ratio {taken / other[0][name]:.2f}" if other else ""
        )
        print(f"{name:40} {taken:7.2f} ms{there}")


if __name__ == "__main__":
    main()
