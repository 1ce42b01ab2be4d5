"""What the wrapper costs beside what it wraps, as ratios within one run.

The two sides of a ratio are timed in turn, call by call, and the medians compared: whatever else the machine
does hits both alike.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu import ChatToolEmu
from tests.scripted_server import Reply, ScriptedServer

ROUNDS = 200
CALL = '{"name": "tool_3", "arguments": {"query": "weather in Paris", "limit": 5}}'


def tools(count=10):
    """Tools of the size people bind."""
    return [
        {
            "type": "function",
            "function": {
                "name": f"tool_{number}",
                "description": f"Look things up in source {number}, and give the best few of them back.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "query": {"type": "string", "description": "What to look for"},
                        "limit": {"type": "integer", "description": "How many at most"},
                        "order": {"type": "string", "enum": ["newest", "best"]},
                    },
                    "required": ["query"],
                },
            },
        }
        for number in range(count)
    ]


def history(length=20):
    """A conversation of twenty messages, tool rounds among them."""
    messages = [SystemMessage("You are a helpful assistant.")]
    for round_ in range((length - 2) // 3):
        call = {"name": f"tool_{round_}", "args": {"query": f"thing {round_}"}, "id": f"c{round_}"}
        messages += [
            HumanMessage(f"Question {round_}: what is thing {round_}, and why does it matter?"),
            AIMessage("Let me look.", tool_calls=[call]),
            ToolMessage(f"Thing {round_} is a thing. " * 10, tool_call_id=f"c{round_}"),
        ]
    return [*messages, HumanMessage("And the weather in Paris?")]


def medians(*ways: Callable[[], object], rounds=ROUNDS) -> list[float]:
    """The median time of each way, taken in turn."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, taken in zip(ways, times, strict=True):
            start = time.perf_counter()
            way()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


@pytest.mark.parametrize("streamed", [False, True], ids=["invoke", "stream"])
@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
def test_overhead_of_a_turn(benchmark, mode, streamed):
    """Wrapper and ChatOpenAI take at most 1.25 times what ChatOpenAI takes alone, on an instant server."""
    reply = Reply(text=[CALL[start : start + 8] for start in range(0, len(CALL), 8)])
    if mode != "force":
        reply = Reply(tool_calls=[("tool_3", {"query": "weather in Paris", "limit": 5})])

    with ScriptedServer(lambda request: reply, keep_alive=True) as server:
        alone = server.chat_model().bind_tools(tools())
        wrapped = ChatToolEmu(llm=server.chat_model(), mode=mode).bind_tools(tools())
        messages = history()
        ways = (
            (lambda: list(alone.stream(messages)), lambda: list(wrapped.stream(messages)))
            if streamed
            else (
                lambda: alone.invoke(messages),
                lambda: wrapped.invoke(messages),
            )
        )
        for way in ways:
            way()
        bare, ours = medians(*ways)
        benchmark(ways[1])
    benchmark.extra_info.update(alone_ms=bare * 1e3, wrapped_ms=ours * 1e3, ratio=ours / bare)
    print(
        f"\n{mode:9}{'stream' if streamed else 'invoke':7} alone {bare * 1e3:.2f} ms, wrapped {ours * 1e3:.2f} ms, ratio {ours / bare:.3f}"
    )
    assert ours / bare <= 1.25


def test_import_costs_next_to_nothing(benchmark):
    """Importing the package takes at most 1.1 times what importing langchain_core's chat models takes."""

    def importing(what):
        return lambda: subprocess.run([sys.executable, "-c", f"import {what}"], check=True)

    base, ours = medians(
        importing("langchain_core.language_models.chat_models"),
        importing("langchain_core.language_models.chat_models, langchain_toolemu"),
        rounds=12,
    )
    _, used = medians(
        importing("langchain_core.language_models.chat_models"),
        importing("langchain_toolemu; langchain_toolemu.ChatToolEmu"),
        rounds=12,
    )
    benchmark.pedantic(importing("langchain_toolemu"), rounds=3)
    print(
        f"\nimport langchain_core's chat models {base:.3f} s, with langchain_toolemu {ours:.3f} s ({ours / base:.3f}); with ChatToolEmu used {used:.3f} s ({used / base:.3f})"
    )
    assert ours / base <= 1.1


# Each reply with the opening by which it is told from a call or a refusal: "the" may still become "there are no
# tools", and in a Python fence a call is told from a program by what its first name is.
OPENINGS = {
    "prose": ("The sky is blue today.", "The "),
    "prose in a fence of code": ("```python\nprint(1)\n```", "```python\nprint("),
    "a JSON answer": ('{"temperature": 20}', '{"temperature"'),
    "a bracket": ("[1] is a footnote", "[1"),
    "a tag of HTML": ("<b>Hello</b>", "<b"),
}


class Letters(BaseChatModel):
    """A model that sends its reply letter by letter, and knows how many were taken."""

    text: str
    taken: int = 0

    @property
    def _llm_type(self):
        return "letters"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        raise NotImplementedError

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        for letter in self.text:
            self.taken += 1
            yield ChatGenerationChunk(message=AIMessageChunk(content=letter))


@pytest.mark.parametrize("opening", OPENINGS)
def test_first_text_comes_as_soon_as_it_can_be_no_call(benchmark, opening):
    """The first text is shown no later than the reply's opening can be told from a call."""
    text, needed = OPENINGS[opening]

    def first_shown():
        model = Letters(text=text)
        stream = ChatToolEmu(llm=model, mode="force").bind_tools(tools()).stream("?")
        next(chunk for chunk in stream if chunk.content)
        return model.taken

    taken = benchmark(first_shown)
    print(f"\n{opening}: first text after {taken} characters; {len(needed)} tell it from a call")
    assert taken <= len(needed) + 1
