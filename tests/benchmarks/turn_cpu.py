"""The CPU time of a turn over recorded replies, here and in another checkout.

`python -m tests.benchmarks.turn_cpu [--against PATH] [--rounds 10]` prints the mean milliseconds of
a turn in the best round, for each mode, whole and streamed; with another checkout, its figures and
the ratio, too. The rounds of the two alternate, so that whatever else the machine does hits both.
Only the public API is used: this file runs on both trees.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

HERE = Path(__file__).parents[2]
REPLIES = HERE / "tests" / "unit_tests" / "samples" / "recorded.json"
PIECE = 4
"""How many characters a streamed piece has: about those of a token."""

STRING, INTEGER = {"type": "string"}, {"type": "integer"}
PARAMETERS: dict[str, dict[str, Any]] = {
    "get_weather": {"city": STRING},
    "add": {"a": INTEGER, "b": INTEGER},
    "write_file": {"path": STRING, "content": STRING},
    "search": {"query": STRING, "limit": INTEGER},
}


def tools() -> list[dict[str, Any]]:
    """The tools that the replies were recorded with, or the like."""
    described = []
    for name, properties in PARAMETERS.items():
        schema = {"type": "object", "properties": properties, "required": list(properties)}
        function = {"name": name, "description": f"Tool {name}.", "parameters": schema}
        described.append({"type": "function", "function": function})
    return described


class Recorded(BaseChatModel):
    """Says one text, whatever it is asked, and takes tools without a word about them."""

    text: str = ""

    @property
    def _llm_type(self) -> str:
        return "recorded"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """Bind tools as most integrations do."""
        return self.bind(tools=tools, **kwargs)

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        message = AIMessage(self.text, response_metadata={"finish_reason": "stop"})
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        for start in range(0, len(self.text), PIECE):
            piece = AIMessageChunk(self.text[start : start + PIECE])
            yield ChatGenerationChunk(message=piece)
        end = AIMessageChunk("", response_metadata={"finish_reason": "stop"})
        yield ChatGenerationChunk(message=end)


def ways() -> dict[str, Callable[[], float]]:
    """Each way to take a turn, as a function that gives the mean milliseconds of one round."""
    from langchain_toolemu import ChatToolEmu

    recorded = [(one["text"], one["origin"]) for one in json.loads(REPLIES.read_text("utf-8"))]
    model = Recorded()
    force = ChatToolEmu(model, mode="force").bind_tools(tools())
    fallback = ChatToolEmu(model, mode="fallback", tool_support="native").bind_tools(tools())

    def timed(take: Callable[[str], object]) -> Callable[[], float]:
        def round_() -> float:
            start = time.process_time()
            for text, question in recorded:
                model.text = text
                take(question)
            return (time.process_time() - start) / len(recorded) * 1000

        return round_

    return {
        "the model alone, whole": timed(model.invoke),
        "the model alone, streamed": timed(lambda question: list(model.stream(question))),
        "force, whole": timed(force.invoke),
        "force, streamed": timed(lambda question: list(force.stream(question))),
        "fallback, whole": timed(fallback.invoke),
        "fallback, streamed": timed(lambda question: list(fallback.stream(question))),
    }


def work() -> None:
    """Play a round of every way for each line that comes in; write the times as JSON."""
    warnings.simplefilter("ignore")
    known = ways()
    for _ in sys.stdin:
        print(json.dumps({name: way() for name, way in known.items()}), flush=True)


class Worker:
    """A script in a process of its own, on one tree."""

    def __init__(self, tree: Path, script: str) -> None:
        """Start it; one round is played and not counted, so that what is kept is there."""
        self._process = subprocess.Popen(
            [sys.executable, script, "--work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(tree)},
        )
        self.play()

    def play(self) -> dict[str, float]:
        """The milliseconds of each way in one round."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        told: dict[str, float] = json.loads(self._process.stdout.readline())
        return told

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def measure(trees: list[Path], rounds: int, script: str = __file__) -> list[dict[str, float]]:
    """The milliseconds of a turn in the best round of each tree, by way."""
    workers = [Worker(tree, script) for tree in trees]
    played = [[worker.play() for worker in workers] for _ in range(rounds)]
    for worker in workers:
        worker.close()
    best = [
        {name: min(times[name] for times in of_one) for name in of_one[0]}
        for of_one in zip(*played, strict=True)
    ]
    for times in best:
        ours = [taken for name, taken in times.items() if not name.startswith("the model")]
        times["the mean of ours"] = sum(ours) / len(ours)
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--against", type=Path, help="the root of another checkout")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        work()
        return
    trees = [HERE, args.against.resolve()] if args.against else [HERE]
    here, *other = measure(trees, args.rounds)
    for name, taken in here.items():
        there = other[0][name] if other else None
        against = f"   there {there:6.2f} ms   ratio {taken / there:.2f}" if there else ""
        print(f"{name:27} {taken:6.2f} ms{against}")


if __name__ == "__main__":
    main()
