"""Native replies of any calls in any pieces: a stream amounts to the whole reply, and no call is dropped in silence."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from hypothesis import given, settings
from hypothesis import strategies as some
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.tool import invalid_tool_call, tool_call, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Settings
from tests.tables import every_row
from tests.thoroughness import examples
from tests.unit_tests.turn.playing import Known, Said, order, play

CALLS = [
    ("get_weather", '{"city": "Paris"}'),
    ("sum_up", '{"a": 1, "b": 2}'),
    ("write_file", json.dumps({"path": "a", "content": "x" * 700})),
    # to be repaired
    ("sum_up", '{"a": "1", "b": 2}'),
    ("getWeather", '{"city": "Paris"}'),
    ("get_weather", "{'city': 'Rome'}"),
    ("get_weather", '{"city": "Oslo"'),
    # broken
    ("get_weather", "Bonn"),
    ("get_weather", ""),
    ("get_weather", '{"city": 3.5}'),
    ("rocket", '{"n": 1}'),
    ("", '{"n": 2}'),
    ("get_weather", '{"city": "Mad'),
]
TAGGED = '<tool_call>{"name": "%s", "arguments": {"city": "%s"}}</tool_call>'
TEXTS = [
    "",
    "Let me look.",
    f"Sure.\n{TAGGED % ('get_weather', 'Paris')}",
    TAGGED % ("get_weather", "Bern"),
    f"{TAGGED % ('get_weather', 'Kiel')}\n{TAGGED % ('rocket', 'Lima')}",
    f"{TAGGED % ('get_weather', 'Kiel')}\n{TAGGED % ('sum_up', 'Lima')}",
]
STYLES = ["indexes", "in turns", "one index", "no index", "one chunk", "names again"]


@dataclass(frozen=True)
class Reply(Said):
    """A native reply with calls as `(name, args)`, in pieces of a style."""

    made: Sequence[tuple[str, str]] = ()
    style: str = "one chunk"
    size: int = 1000

    def whole(self) -> ChatResult:
        """The message of a client that does not stream."""
        good, bad = [], []
        for number, (name, args) in enumerate(self.made):
            if is_object(args):
                good.append(tool_call(name=name, args=json.loads(args or "{}"), id=id_of(number)))
            else:
                bad.append(
                    invalid_tool_call(name=name, args=args, id=id_of(number), error="no JSON")
                )
        message = AIMessage(
            self.text, tool_calls=good, invalid_tool_calls=bad, response_metadata=self._ending()
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def pieces(self, size: int) -> list[ChatGenerationChunk]:
        messages = [AIMessageChunk(text) for text in split(self.text, self.size)]
        messages += [AIMessageChunk("", tool_call_chunks=some) for some in self._batches()]
        messages.append(AIMessageChunk("", response_metadata=self._ending()))
        return [ChatGenerationChunk(message=message) for message in messages]

    def _ending(self):
        return {"finish_reason": self.finish or ("tool_calls" if self.made else "stop")}

    def _batches(self):
        """The pieces of the calls as they come together."""
        calls = [self._call_pieces(number, *made) for number, made in enumerate(self.made)]
        if self.style == "one chunk":
            return [[piece for call in calls for piece in call]] if calls else []
        if self.style == "in turns":
            turns = zip_longest(*calls)
            return [[piece] for turn in turns for piece in turn if piece]
        return [[piece] for call in calls for piece in call]

    def _call_pieces(self, number, name, args):
        id_, index = id_of(number), 0 if self.style == "one index" else number
        if self.style == "no index":
            return [tool_call_chunk(name=name, args=args, id=id_, index=None)]
        if self.style == "one chunk":
            return [tool_call_chunk(name=name, args=args, id=id_, index=index)]
        names, texts = split(name, self.size) or [""], split(args, self.size)
        # Where all calls have one index, only the id tells whose piece it is.
        again = id_ if self.style == "one index" else None
        first = tool_call_chunk(name=names[0], args="", id=id_, index=index)
        more = [tool_call_chunk(name=one, args=None, id=again, index=index) for one in names[1:]]
        rest = [tool_call_chunk(name=None, args=one, id=again, index=index) for one in texts]
        if self.style == "names again" and name in {known for known, _ in CALLS[:3]}:
            first = tool_call_chunk(name=name, args="", id=id_, index=index)
            return [first, *({**piece, "name": name} for piece in rest)]
        return [first, *more, *rest]


def split(text, size):
    return [text[start : start + size] for start in range(0, len(text), size)]


def id_of(number):
    return f"call_{number}"


def is_object(args):
    try:
        return isinstance(json.loads(args or "{}"), dict)
    except ValueError:
        return False


def outcome(reply, then, asked, size, **known):
    again = [reply, reply, reply] if then == "the same" else [Said("It is sunny.")]
    one = play(
        reply, *again, order=order(**asked), known=Known(**known), mode="fallback", size=size
    )
    assert one.error is None or asked.get("choice") in ("any", "get_weather"), one.error
    return one


def told(one):
    """What a message amounts to; ids of calls in text are new each time."""
    if one.message is None:
        return type(one.error)
    message = one.message
    calls = [*message.tool_calls, *message.invalid_tool_calls]
    ids = [call["id"] if call["id"].startswith("call_") else "new" for call in calls]
    invalid = [(call["name"], call["args"], call["error"]) for call in message.invalid_tool_calls]
    return {
        "content": message.content,
        "calls": [(call["name"], call["args"]) for call in message.tool_calls],
        "invalid": invalid,
        "ids": ids,
        "finish": message.response_metadata["finish_reason"],
        "report": message.response_metadata["toolemu"],
    }


@settings(max_examples=examples(300), deadline=None)
@given(
    text=some.sampled_from(TEXTS),
    made=some.lists(some.sampled_from(CALLS), max_size=4),
    finish=some.sampled_from([None, None, "length"]),
    style=some.sampled_from(STYLES),
    size=some.integers(1, 30),
    choice=some.sampled_from([None, "any", "get_weather", "none"]),
    parallel=some.sampled_from([None, False]),
    then=some.sampled_from(["the same", "words"]),
    verdict=some.sampled_from(["native", "unknown"]),
)  # fmt: skip
def test_any_pieces_give_the_whole_reply(
    text, made, finish, style, size, choice, parallel, then, verdict
):
    """A stream of any pieces is the whole reply; every call is made, invalid, or told of; one that was cut never runs."""
    asked = {"choice": choice, "parallel": parallel}
    streamed = outcome(
        Reply(text, made=made, finish=finish, style=style, size=size),
        then,
        asked,
        1,
        verdict=verdict,
    )
    expected = outcome(Reply(text, made=made, finish=finish), then, asked, 1, verdict=verdict)
    assert told(streamed) == told(expected)
    readable = [is_object(args) for _, args in made]
    if (
        sorted(readable, reverse=True) == readable
    ):  # a whole message has those that are no JSON last
        whole = outcome(Reply(text, made=made, finish=finish), then, asked, None, verdict=verdict)
        assert told(whole) == told(expected)
    if expected.message is None or len(expected.requests) > 1:
        return
    message, warnings = expected.message, " ".join(expected.report["warnings"])
    ids = [call["id"] for call in (*message.tool_calls, *message.invalid_tool_calls)]
    for number, (name, _) in enumerate(made):
        assert id_of(number) in ids or (name or "a tool") in warnings
    for call in message.tool_calls:
        number = int(call["id"].removeprefix("call_")) if call["id"].startswith("call_") else None
        assert not (finish and number is not None and not is_object(made[number][1]))


LONG = ("write_file", json.dumps({"path": "a", "content": "x" * 700}))
SHORT = ("get_weather", '{"city": "Paris"}')
SHOWN_EARLY = {
    "a long text at its end": ([LONG], ["write_file"]),
    "the next call has begun": ([SHORT, SHORT], ["get_weather"]),
    "its end may still reject it": ([SHORT], []),
    "a short one before a long one": ([SHORT, LONG], ["get_weather", "write_file"]),
}


@every_row(("made", "names"), SHOWN_EARLY.values())
def test_a_native_call_is_shown_as_soon_as_only_its_end_can_reject_it(made, names):
    """Whoever waits for a long file sees it come: the rest of the reply is not awaited."""
    turn = Turn(order(), Settings("fallback", JSON), Known("native"))
    turn.ask()
    pieces = Reply(made=made, style="indexes", size=100).pieces(1)[:-2]  # without the last of it
    shown = [piece for chunk in pieces for piece in turn.feed(chunk)]
    calls = [call for piece in shown for call in piece.message.tool_call_chunks]
    assert [call["name"] for call in calls if call["name"]] == names


@every_row("finish", [None, "length"])
def test_a_name_that_every_piece_repeats_is_the_name_once(finish):
    """Whether or not the reply was cut after the call."""
    said = Reply(made=[CALLS[0]], finish=finish, style="names again", size=3)
    played = outcome(said, "words", {}, 1, verdict="native")
    assert [call["name"] for call in played.message.tool_calls] == ["get_weather"]
