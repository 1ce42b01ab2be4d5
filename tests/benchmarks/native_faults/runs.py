"""One run: a fault, through a proxy, by the OpenAI SDK, whole or streamed.

A native call was seen before, or not.
"""

import itertools
import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import openai

from tests.benchmarks.native_faults.proxies import KEY
from tests.native_faults import FAULTS, PARIS, TOOLS, WEATHER, Call, Fault, Variant, judge, script
from tests.scripted_server import Reply, ScriptedServer

_SERIAL = itertools.count(1)


@dataclass(frozen=True)
class Run:
    """What is run."""

    fault: Fault
    variant: Variant
    streamed: bool
    seen: bool


@dataclass(frozen=True)
class Outcome:
    """What came of it.

    Attributes:
        run: The run.
        wrong: What is wrong with it, or nothing.
        forbidden: Whether a call was made where none may come.
        requests: How many requests the model got.
        seconds: How long it took.
    """

    run: Run
    wrong: str
    forbidden: bool
    requests: int
    seconds: float


def every_run(name: str = "") -> Iterator[Run]:
    """All runs of the faults whose name contains this one."""
    for fault in FAULTS:
        if name in fault.name and "openai" in fault.clients:
            for variant, streamed, seen in itertools.product(
                fault.variants, (False, True), (False, True)
            ):
                yield Run(fault, variant, streamed, seen)


class Bench:
    """A scripted server, and the client that reaches it through a proxy."""

    def __init__(self, server: ScriptedServer, base_url: str) -> None:
        self.server = server
        self.client = openai.OpenAI(base_url=base_url, api_key=KEY, max_retries=0, timeout=60)

    def play(self, run: Run) -> Outcome:
        """Run, under a model name of its own: what is learned of one run must not be known in the next."""
        model = f"scripted-{next(_SERIAL)}"
        if run.seen:
            self.server.play(lambda _: Reply(tool_calls=[PARIS]))
            self._ask(model, {"messages": _messages(WEATHER)}, streamed=False)
        self.server.play(
            _with_respond(run.fault, script(run.fault, run.variant, calls_unasked=False))
        )
        constrained: list[Any] = []
        self.server.pages["/api/chat"] = lambda body: _constrained(run.fault, body, constrained)
        start = time.perf_counter()
        try:
            calls, words = self._ask(model, _body(run.fault), run.streamed)
        except openai.APIError as error:
            calls, words = None, str(error)
        except Exception as error:  # noqa: BLE001 - a reply that breaks the client is wrong
            calls, words = [("the client failed", {})], repr(error)
        took = time.perf_counter() - start
        self.server.errors.clear()
        wrong = judge(run.fault, calls, words)
        forbidden = bool(calls) and not run.fault.calls
        return Outcome(run, wrong, forbidden, len(self.server.requests) + len(constrained), took)

    def seconds(self, number: int, streamed: bool) -> float:
        """The median time of a good call by a model that is known."""
        self.server.play(lambda _: Reply(tool_calls=[PARIS]))
        times = []
        for _ in range(number):
            start = time.perf_counter()
            self._ask("scripted", {"messages": _messages(WEATHER)}, streamed)
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    def _ask(self, model: str, body: dict[str, Any], streamed: bool) -> tuple[list[Call], str]:
        body = {"model": model, "tools": TOOLS, **body}
        if streamed:
            return _sum(self.client.chat.completions.create(**body, stream=True))
        message = self.client.chat.completions.create(**body).choices[0].message
        made = [(call.function.name, call.function.arguments) for call in message.tool_calls or ()]
        return [_read(*call) for call in made], message.content or ""


def _with_respond(
    fault: Fault, play: Callable[[dict[str, Any]], Reply]
) -> Callable[[dict[str, Any]], Reply]:
    """A model that answers by the tool `respond` where a proxy adds one for that."""

    def reply(request: dict[str, Any]) -> Reply:
        said = play(request)
        names = {tool["function"]["name"] for tool in request.get("tools") or ()}
        if "respond" not in names or fault.calls or said.body is not None or said.tool_calls:
            return said
        return Reply(tool_calls=[("respond", {"message": "".join(said.text)})])

    return reply


def _sum(stream: Any) -> tuple[list[Call], str]:
    """A stream's calls and words, put together by index as OpenAI's clients do."""
    words, calls = "", {}
    for chunk in stream:
        for choice in chunk.choices:
            words += choice.delta.content or ""
            for piece in choice.delta.tool_calls or ():
                # A server that numbers all of its calls 0 gives each an id of its own.
                begun = next(reversed(calls), (piece.index, None))
                key = (piece.index, piece.id) if piece.id else begun
                call = calls.setdefault(key, ["", ""])
                call[0] += (piece.function and piece.function.name) or ""
                call[1] += (piece.function and piece.function.arguments) or ""
    return [_read(*call) for call in calls.values()], words


def _read(name: str, arguments: str) -> Call:
    """A call as a client reads it; arguments that are no object are kept as the text they are."""
    try:
        args = json.loads(arguments)
    except (TypeError, ValueError):
        args = None
    return name, args if isinstance(args, dict) else {"unreadable": arguments}


def _body(fault: Fault) -> dict[str, Any]:
    body: dict[str, Any] = {"messages": _messages(fault.asked)}
    if fault.choice is not None:
        named = {"type": "function", "function": {"name": fault.choice}}
        body["tool_choice"] = {"any": "required", "none": "none"}.get(fault.choice, named)
    if fault.parallel is not None:
        body["parallel_tool_calls"] = fault.parallel
    return body


def _messages(asked: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": asked}] if isinstance(asked, str) else list(asked)


def _constrained(fault: Fault, body: dict[str, Any], seen: list[Any]) -> dict[str, Any]:
    """What a model says under a grammar: the right tool or arguments if it knows any, else any that fit."""
    seen.append(body)
    schema = body["format"]
    right = dict(fault.calls)
    if "tool" in schema["properties"]:
        said: Any = {"tool": next(iter(right), schema["properties"]["tool"]["enum"][0])}
    else:
        keys = set(schema["properties"])
        said = next((args for args in right.values() if set(args) <= keys), None)
        kinds = {"integer": 1, "array": [], "object": {}}
        said = said or {
            key: kinds.get(one.get("type"), "x") for key, one in schema["properties"].items()
        }
    return {"message": {"role": "assistant", "content": json.dumps(said)}, "done": True}
