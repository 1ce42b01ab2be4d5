"""Which files and functions of the package one emulated call passes, and one native call that is passed through.

`python -m tests.benchmarks.one_call` traces one `invoke` of each (one tool, one request, the second of its
kind, so that everything that is kept is there) and prints the counts, the files in the order in
which they are entered, and the counts of each layer. docs/internals/architecture.md says which ten
of the files matter, and a test compares that page with this trace.
"""

import sys
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from langchain_core.language_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

import langchain_toolemu
from langchain_toolemu import ChatToolEmu

PACKAGE = Path(langchain_toolemu.__file__).parent
REPLY = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
QUESTION = "What is the weather in Paris?"


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"Sunny in {city}"


@dataclass(slots=True)
class Trace:
    """What was entered, in order."""

    files: dict[str, None] = field(default_factory=dict)
    functions: Counter[tuple[str, str]] = field(default_factory=Counter)
    moves: int = 0
    _last: str = ""

    @property
    def calls(self) -> int:
        """How many functions of the package were called."""
        return sum(self.functions.values())

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Count one event of `sys.setprofile`."""
        path = Path(frame.f_code.co_filename)
        if event != "call" or not path.is_relative_to(PACKAGE):
            return
        name = str(path.relative_to(PACKAGE))
        self.files.setdefault(name)
        self.functions[name, f"{frame.f_code.co_name}:{frame.f_code.co_firstlineno}"] += 1
        self.moves += name != self._last
        self._last = name


def trace_one_call() -> Trace:
    """Trace the second of two equal calls in text."""
    return _trace(ChatToolEmu(FakeListChatModel(responses=[REPLY, REPLY]), mode="force"))


def trace_native_call() -> Trace:
    """Trace the second of two equal native calls."""
    call = {"name": "get_weather", "args": {"city": "Paris"}, "id": "call_1"}
    said = [AIMessage("", tool_calls=[call]) for _ in range(2)]
    return _trace(ChatToolEmu(_NativeModel(messages=iter(said))))


class _NativeModel(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)


def _trace(llm: ChatToolEmu) -> Trace:
    model = llm.bind_tools([get_weather])
    trace = Trace()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.invoke(QUESTION)
        sys.setprofile(trace)
        try:
            message = model.invoke(QUESTION)
        finally:
            sys.setprofile(None)
    assert message.tool_calls
    return trace


def main() -> None:
    """Print the counts."""
    for name, trace in {"native": trace_native_call(), "emulated": trace_one_call()}.items():
        print(f"--- {name} ---")
        _print_counts(trace)


def _print_counts(trace: Trace) -> None:
    print(
        f"{len(trace.files)} files, {len(trace.functions)} functions, "
        f"{trace.calls} calls, {trace.moves} moves between files\n"
    )
    layers: dict[str, Counter[str]] = {}
    for (name, _), calls in trace.functions.items():
        layer = layers.setdefault(Path(name).parts[0], Counter())
        layer.update(functions=1, calls=calls)
    for name in trace.files:
        layers[Path(name).parts[0]]["files"] += 1
    for layer, counts in layers.items():
        print(
            f"{layer:16}", *(f"{counts[what]:5} {what}" for what in ("files", "functions", "calls"))
        )
    print()
    for place, name in enumerate(trace.files, 1):
        functions = [calls for (file, _), calls in trace.functions.items() if file == name]
        print(f"{place:3} {name:45} {len(functions):4} functions {sum(functions):5} calls")
    if "-v" in sys.argv:
        for (name, function), calls in trace.functions.items():
            print(f"{name:45} {function:40} {calls:5}")


if __name__ == "__main__":
    main()
