"""What a model, a provider or a tool's author can make large takes time in proportion: ratios within one run."""

import json
import re
import time
from itertools import count, islice

import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage, SystemMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.model_facts.error_wordings import WORDINGS
from langchain_toolemu.reader import Reader
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Settings
from langchain_toolemu.validation import fit
from langchain_toolemu.validation.limits import Pattern
from tests.unit_tests.samples import TOOLS
from tests.unit_tests.turn.playing import Known, order, play

pytestmark = pytest.mark.benchmark(group="linearity")
TREE = {
    "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
    "$defs": {
        "node": {
            "anyOf": [
                {
                    "properties": {
                        "value": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                        "next": {"$ref": "#/$defs/node"},
                    }
                },
                {"type": "null"},
            ]
        }
    },
}


def seconds(work, *args):
    """The shortest of three."""

    def once():
        began = time.perf_counter()
        work(*args)
        return time.perf_counter() - began

    return min(once() for _ in range(3))


@pytest.mark.parametrize("item", [1, "1", "x"])
def test_fitting_arguments(benchmark, item):
    """Ten times the items, behind a reference and two unions, take about ten times as long."""
    many = [{"value": item, "next": {"value": item}} for _ in range(10_000)]
    small = seconds(fit, {"all": many[:1_000]}, TREE)
    benchmark.pedantic(fit, ({"all": many}, TREE), rounds=1)
    assert seconds(fit, {"all": many}, TREE) < 30 * small


TEXTS = [
    "does not support ",
    "only ",
    "tool_choice ",
    "unknown parameter ",
    "unknown parameter: a, ",
    "response_format ",
    "no endpoints found that support ",
    "input should be user or ",
    "a",
    " ",
    "tools (",
]


def _search(text):
    for wording in WORDINGS:
        re.search(wording.text, text)


@pytest.mark.parametrize("text", TEXTS)
def test_searching_errors(benchmark, text):
    """Ten times the text of an error takes at most fifty times as long: gaps in a pattern are bounded."""
    small, large = text * (200 // len(text)), text * (2_000 // len(text))
    benchmark.pedantic(_search, (large,), rounds=1)
    assert seconds(_search, large) < 50 * seconds(_search, small)


@pytest.mark.parametrize(
    "source", [r"^(a+)+$", r"^(a|aa)+$", r"(.*)*x", r".*.*.*.*.*=", r"((a*)*)*b"]
)
def test_matching_patterns(benchmark, source):
    """The known catastrophes take no longer on 100,000 characters than a plain pattern takes on a thousand times that."""
    pattern, plain = Pattern.read(source), Pattern.read("^a*$")
    worst = max(seconds(pattern.matches, "a" * length + "!") for length in (9, 12, 19, 30, 100))
    benchmark.pedantic(pattern.matches, ("a" * 100_000 + "!",), rounds=1)
    assert worst < 100_000 * seconds(plain.matches, "a" * 1000)


def _play(chunks):
    """Feed a native reply to a turn that asks once more at most."""
    turn = Turn(order(), Settings(mode="fallback", dialect=JSON), Known("native"))
    for reply in (chunks, [AIMessageChunk("Well.")]):
        if turn.ask():
            for chunk in reply:
                turn.feed(ChatGenerationChunk(message=chunk))
            turn.end()
    turn.close()


def _pieces(name, args, index=0):
    texts = [args[start : start + 4] for start in range(0, len(args), 4)]
    first = tool_call_chunk(name=name, args="", id=f"call_{index}", index=index)
    rest = [tool_call_chunk(name=None, args=one, id=None, index=index) for one in texts]
    return [_unread(piece) for piece in (first, *rest)]


def _unread(piece):
    return AIMessageChunk("").model_copy(update={"tool_call_chunks": [piece]})


def _many(args, *, index):
    calls = (
        tool_call_chunk(name="sum_up", args=args, id=f"call_{n}", index=index and index(n))
        for n in count()
    )
    return lambda size: [_unread(call) for call in islice(calls, size // 20)]


def _written(text, **dumped):
    return lambda size: json.dumps({"path": "a", "content": text * size}, **dumped)


def _in_turns(size):
    both = (_pieces("write_file", _written("}")(size), index) for index in (0, 1))
    return [piece for pair in zip(*both, strict=True) for piece in pair]


NATIVE_REPLIES = {
    "long text": lambda size: _pieces("write_file", _written("x")(size)),
    "indented": lambda size: _pieces("write_file", _written("x", indent=2)(size)),
    "unknown tool": lambda size: _pieces("rocket", _written("x")(size)),
    "no JSON": lambda size: _pieces("get_weather", "Paris " * (size // 6)),
    "never closed": lambda size: _pieces("get_weather", '{"city": ' + "[" * size),
    "in turns": _in_turns,
    "calls": _many('{"a": 1, "b": 2}', index=int),
    "calls of one index": _many('{"a": 1, "b": 2}', index=lambda n: 0),
    "calls without index": _many('{"a": 1, "b": 2}', index=None),
    "repaired calls": _many('{"a": "1", "b": 2}', index=int),
    "broken calls": _many('{"a": "x", "b": 2}', index=int),
}


@pytest.mark.parametrize("kind", NATIVE_REPLIES)
def test_reading_native_calls(benchmark, kind):
    """Eight times the arguments, or the calls, take about eight times as long, whatever is wrong with them."""
    small, large = (NATIVE_REPLIES[kind](size) for size in (4_000, 32_000))
    benchmark.pedantic(_play, (large,), rounds=1)
    assert seconds(_play, large) < 24 * seconds(_play, small)


AFTER_CALLS = {
    "marks after a call": ('<tool_call>{"name": "now", "arguments": {}} ', "get_wea<|se "),
    "brackets after a call": ('<tool_call>{"name": "now", "arguments": {}} ', "<a b="),
    "words in a section": ("<|python_tag|>", "Let me see: a "),
    "a word in a section": ("<|python_tag|>", "wait)"),
    "closing tags in an argument": ("<function=run><parameter=command>ls", "</function>"),
}


def _read_letters(text):
    reader = Reader(TOOLS)
    for letter in text:
        reader.feed(letter)
    reader.close()


@pytest.mark.parametrize("kind", AFTER_CALLS)
def test_judging_what_follows_letter_by_letter(benchmark, kind):
    """Ten times the text that a decision waits for takes about ten times as long: no letter has all of it judged again."""
    opening, unit = AFTER_CALLS[kind]
    small, large = (opening + (unit * size)[:size] for size in (48, 480))
    benchmark.pedantic(_read_letters, (large,), rounds=1)
    assert seconds(_read_letters, large) < 30 * seconds(_read_letters, small)


PROMPT = "Use write_file, get_weather or sum_up. write_file: writes. {'name': 'sum_up'} "
CALL_TEXT = '{"name": "write_file", "arguments": {"path": "b.md", "content": "y"}} '


def _told(text):
    """A long call after a long text, in pieces."""
    sent = order([SystemMessage(text), HumanMessage("Write it.")])
    call = json.dumps(
        {"name": "write_file", "arguments": {"path": "a.md", "content": "word " * 20_000}}
    )
    return play(call, order=sent, size=200)


@pytest.mark.parametrize("unit", [PROMPT, CALL_TEXT, "plain words "])
def test_texts_that_may_hold_a_call(benchmark, unit):
    """Ten times the text takes at most twenty times as long, and a call of 100 KB streams beside it."""
    small, large = unit * (50_000 // len(unit)), unit * (500_000 // len(unit))
    played = benchmark.pedantic(_told, (large,), rounds=1)
    assert sum(bool(chunk.message.tool_call_chunks) for chunk in played.chunks) > 50
    assert seconds(_told, large) < 20 * seconds(_told, small)
