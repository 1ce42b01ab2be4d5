"""The public conformance suite for tool-call parsers, `canitoolcall`, on this library: counted by that project's own checks.

    pip install canitoolcall --target FOLDER
    python -m tests.benchmarks.conformance FOLDER
    python -m tests.benchmarks.conformance FOLDER --show deepseek/     # what differs, of these fixtures

Engines are told which parser to use; this library is told nothing but the tools and the model's name, and with `--template`
whether the prompt ends inside a thought, which a server's template tells. Every fixture is read whole and in the suite's own splits, of characters: a
client sees text, and its pieces may end anywhere. `canitoolcall_engine` is what that project's own runner takes.
"""

import argparse
import json
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from langchain_toolemu import ChatToolEmu, __version__
from langchain_toolemu.capability import forget_tool_support

PUBLISHED = {
    "vLLM 0.30.0": (354, 469),
    "llama.cpp a25c9865": (324, 438),
    "SGLang 0.5.20": (251, 448),
    "Ollama 7af39318": (234, 261),
    "transformers 5.17.0": (40, 48),
}
"""Passed, strictly or but for white space, of those that an engine supports: the suite's page of September 2026."""

THOUGHT_OPENED = re.compile(
    r"<[\w:]*think(?:ing)?>\s*\Z|<\|open\|>think<\|sep\|>\s*\Z|\[THINK\]\s*\Z"
)
"""How a prompt ends that has begun the thought of the reply."""


class SaidInPieces(BaseChatModel):
    """Says one reply in the pieces that it was given."""

    pieces: list[str]
    finish: str = "stop"
    model: str = ""

    @property
    def _llm_type(self) -> str:
        return "said-in-pieces"

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        ended = {"finish_reason": self.finish}
        message = AIMessage("".join(self.pieces), response_metadata=ended)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        for piece in self.pieces:
            yield ChatGenerationChunk(message=AIMessageChunk(piece))
        ended = AIMessageChunk("", response_metadata={"finish_reason": self.finish})
        yield ChatGenerationChunk(message=ended)


def parsed(message: AIMessage) -> dict[str, Any]:
    """A message in the suite's words."""
    blocks = message.content_blocks
    thoughts = "".join(
        str(one.get("reasoning", "")) for one in blocks if one["type"] == "reasoning"
    )
    calls = [
        {"name": call["name"], "arguments_raw": json.dumps(call["args"])}
        for call in message.tool_calls
    ]
    return {
        "content": message.text or None,
        "reasoning_content": thoughts or None,
        "tool_calls": calls,
        "exception": None,
    }


class Adapter:
    """What the suite's runner calls; it has the shape of `canitoolcall.adapters.base.Adapter`, which is not installed here."""

    name = "langchain-toolemu"
    pinned_version = __version__
    supports_text_deltas = True
    tokens_per_step = "many"

    def __init__(self, *, told_template: bool = True) -> None:
        from canitoolcall.adapters.base import Support
        from canitoolcall.results import ParseResult

        self._result, self._support = ParseResult.from_dict, Support(True)
        self._told_template = told_template

    def version(self) -> str:
        return __version__

    def engine_details(self) -> dict[str, Any]:
        return {}

    def commit(self) -> None:
        return None

    def supports(self, family: str, model: str) -> Any:
        return self._support

    def special_token_ids(self, raw: Any) -> None:
        return None

    def close(self) -> None:
        pass

    def units(self, raw: Any) -> list[int]:
        """The characters: what a client of any server gets."""
        return [ord(char) for char in raw.text]

    def parser_config(self, raw: Any) -> dict[str, Any]:
        opened = THOUGHT_OPENED.search(raw.generation_prompt or "")
        return {
            "mode": "force",
            "policy": "trust",
            "max_reasks": 0,
            "on_failure": "continue",
            "reasoning": "blocks",
            "contract": {"starts_in_thought": bool(opened) and self._told_template},
        }

    def parse(self, raw: Any, tools: Sequence[Any]) -> Any:
        return self._result(parsed(self._bound(raw, [raw.text], tools).invoke("Go on.")))

    def parse_stream(self, raw: Any, chunks: Sequence[Sequence[int]], tools: Sequence[Any]) -> Any:
        return self.parse_stream_text(raw, ["".join(map(chr, one)) for one in chunks], tools)

    def parse_stream_text(self, raw: Any, deltas: Sequence[str], tools: Sequence[Any]) -> Any:
        chunks = list(self._bound(raw, list(deltas), tools).stream("Go on."))
        return self._result(parsed(sum(chunks[1:], start=chunks[0])))

    def _bound(self, raw: Any, pieces: list[str], tools: Sequence[Any]) -> Any:
        finish = "length" if raw.truncated else "stop"
        llm = SaidInPieces(pieces=pieces, finish=finish, model=raw.model)
        forget_tool_support(llm)  # each fixture is the first reply of its model
        return ChatToolEmu(llm=llm, **self.parser_config(raw)).bind_tools(list(tools))


def judge(fixture: Any, family: Any, adapter: Adapter, splits: int) -> tuple[dict[str, bool], Any]:
    """What holds of one fixture, and its parses."""
    from canitoolcall.adapters.base import ReplayInput
    from canitoolcall.checks import run_checks
    from canitoolcall.chunking import ChunkStrategy, split
    from canitoolcall.results import Observation, Status

    raw, tools = ReplayInput.from_fixture(fixture, family), list(fixture.tools)
    ways = [ChunkStrategy("one"), ChunkStrategy("token")]
    ways += [ChunkStrategy("rand", seed=seed, max_group=8) for seed in range(1, splits - 1)]
    units = adapter.units(raw)
    streams = {way.id: adapter.parse_stream(raw, split(units, way), tools) for way in ways[:splits]}
    seen = Observation(nonstream=adapter.parse(raw, tools), streams=streams)
    failed = {row.check for row in run_checks(fixture, family, seen) if row.status is Status.FAIL}
    alike = {
        json.dumps(one.to_dict(), sort_keys=True) for one in (seen.nonstream, *streams.values())
    }
    holds = {
        "calls": calls_hold(fixture, seen.nonstream),
        "all": not failed,
        "streams": len(alike) == 1,
    }
    return holds, (seen, failed)


def calls_hold(fixture: Any, result: Any) -> bool:
    """Whether exactly the calls that are expected were read."""
    got = [(call.name, json.loads(call.arguments_raw)) for call in result.tool_calls]
    if fixture.expected is None:
        return not got
    return got == [(call.name, dict(call.arguments)) for call in fixture.expected.tool_calls]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="where canitoolcall was installed with --target")
    parser.add_argument(
        "--template", action="store_true", help="told whether the prompt ends in a thought"
    )
    parser.add_argument("--splits", type=int, default=8)
    parser.add_argument(
        "--show", metavar="ID", help="print what differs of fixtures whose id begins so"
    )
    options = parser.parse_args()
    sys.path.insert(0, options.folder)
    warnings.simplefilter("ignore")
    from canitoolcall.fixtures import default_fixtures_dir, load_families, load_fixtures

    families = load_families(default_fixtures_dir())
    adapter, counted, sizes = Adapter(told_template=options.template), {}, Counter()
    for fixture in load_fixtures():
        if options.show and not fixture.id.startswith(options.show):
            continue
        holds, told = judge(fixture, families.get(fixture.family), adapter, options.splits)
        sizes[fixture.family] += 1
        counted.setdefault(fixture.family, Counter()).update({key for key in holds if holds[key]})
        if options.show and not all(holds.values()):
            show(fixture, holds, *told)
    print(f"{'family':15}{'fixtures':>9}{'calls':>7}{'all':>6}{'streams':>9}")
    for family, found in [*counted.items(), ("together", sum(counted.values(), Counter()))]:
        size = sizes[family] or sum(sizes.values())
        print(f"{family:15}{size:9}{found['calls']:7}{found['all']:6}{found['streams']:9}")
    if not options.show:
        print(
            "as published:",
            *(f"{name} {a} of {b}" for name, (a, b) in PUBLISHED.items()),
            sep="\n  ",
        )


def show(fixture: Any, holds: dict[str, bool], seen: Any, failed: set[str]) -> None:
    print(f"--- {fixture.id}", [key for key in holds if not holds[key]], sorted(failed))
    print("text    ", repr(fixture.raw_output))
    wanted = fixture.expected or fixture.expected_error
    print("prompt  ", repr(fixture.generation_prompt), "\nexpected", wanted)
    print("read    ", seen.nonstream.to_dict())


if __name__ == "__main__":
    main()
