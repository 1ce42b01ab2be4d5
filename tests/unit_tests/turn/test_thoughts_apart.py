"""Thoughts that are given apart from the text, or left out: the same message in any pieces, without I/O."""

from functools import reduce
from operator import add

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.messages.content import Words
from langchain_toolemu.turn.reasoning_text import ReasoningSplitter
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Settings
from tests.tables import every_row
from tests.thoroughness import share
from tests.unit_tests.turn.playing import Known, Said, order, play
from tests.weather import CALL, PARIS

PLAIN = order(tools=())
FORM = {
    "type": "object",
    "title": "Answer",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
NATIVE = {"mode": "fallback", "known": Known(verdict="native")}
MAYBE = {"may_start_in_thought": True}
UNKNOWN = {"mode": "fallback", "known": Known(wants_check=False)}
HISTORY = [
    HumanMessage("Weather in Rome?"),
    AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Rome"}, "id": "c1"}]),
    ToolMessage("20 degrees", tool_call_id="c1"),
]
LONG = "so " * 100 + "be it."

# The replies, how the turn is set up; then the text, the thought and the calls of the message.
TURNS = {
    "an emulated answer": (["<think>Hm.</think>Hi."], {}, "Hi.", "Hm.", []),
    "white space around it": (["\n<think>\n Hm.\n\nOK. \n</think>\n\n Hi. \n"], {}, "Hi. \n", "Hm.\n\nOK.", []),
    "an emulated call": ([f"<think>Hm.</think>\n\n{CALL}"], {}, "", "Hm.", PARIS),
    "words before a call": ([f"<think>Hm.</think>I look.\n{CALL}"], {}, "I look.\n", "Hm.", PARIS),
    "a call that is demanded": ([f"<think>Hm.</think>{CALL}"], {"order": order(choice="any")}, "", "Hm.", PARIS),
    "a draft in the thought": ([f"<think>{CALL}? No.</think>Hi."], {}, "Hi.", f"{CALL}? No.", []),
    "a draft in a tag": ([f"<think><tool_call>{CALL}</tool_call>? No.</think>Hi."], {}, "Hi.", f"<tool_call>{CALL}</tool_call>? No.", []),
    "a thought that ends in a call": ([f"<think>Hm. <tool_call>{CALL}</tool_call>"], {}, "", "Hm.", PARIS),
    "a decision": ([f"<think>Hm.</think>{CALL}"], {"flow": "decision"}, "", "Hm.", PARIS),
    "a decision and an answer": (["<think>No.</think>none", "<think>Hm.</think>Hi."], {"flow": "decision"}, "Hi.", "Hm.", []),
    "two thoughts": (["<think>A</think>One. <think>B</think> Two."], {}, "One. Two.", "A\n\nB", []),
    "an empty thought": (["<think>\n\n</think>\n\nHi."], {}, "Hi.", "", []),
    "nothing but a thought": (["<think>Hm.</think>"], {}, "", "Hm.", []),
    "no thought": (["  Hi. "], {}, "  Hi. ", "", []),
    "a re-ask after a thought": ([f"<think>{LONG}</think>" + '{"name": "nope", "arguments": {}}', "<think>Hm.</think>Hi."], {}, "Hi.", LONG, []),
    "a re-ask after words": (["<think>Hm.</think>Well then, here I go: " + "x " * 90 + "\n\n" + '{"name": "nope", "arguments": {}}', f"<think>So.</think>{CALL}"], {}, None, "Hm.", PARIS),
    "no tools": (["<think>Hm.</think>\n\nHi."], {"order": PLAIN}, "Hi.", "Hm.", []),
    "no tools, in fallback": (["<think>Hm.</think>\n\nHi."], {"order": PLAIN, **UNKNOWN}, "Hi.", "Hm.", []),
    "no tools, text like a call": ([f"<think>Hm.</think>```json\n{CALL}\n```\n<tool_call>{CALL}</tool_call>"], {"order": PLAIN}, f"```json\n{CALL}\n```\n<tool_call>{CALL}</tool_call>", "Hm.", []),
    "no tools, a history of calls": (["<think>Hm.</think>20."], {"order": order(HISTORY, tools=())}, "20.", "Hm.", []),
    "a native answer": (["<think>Hm.</think>\n\nHi."], NATIVE, "Hi.", "Hm.", []),
    "a native answer of an unknown model": (["<think>Hm.</think>\n\nHi."], UNKNOWN, "Hi.", "Hm.", []),
    "a native call": ([Said("<think>Hm.</think>\n\n", [("get_weather", {"city": "Paris"})])], NATIVE, "", "Hm.", PARIS),
    "a native call inside a thought": ([Said("<think>Hm.", [("get_weather", {"city": "Paris"})])], NATIVE, "", "Hm.", PARIS),
    "a rescued call": ([f"<think>Hm.</think>\n<tool_call>{CALL}</tool_call>"], NATIVE, "", "Hm.", PARIS),
    "a native thought that is long": ([f"<think>{LONG}</think>Hi."], UNKNOWN, "Hi.", LONG, []),
    "a check": (["<think>Hm.</think>Hi.", "<think>No call.</think>none"], {"mode": "fallback"}, "Hi.", "Hm.", []),
    "a form": (['<think>Hm.</think>\n{"city": "Oslo"}'], {"order": order(tools=(), form=FORM)}, '{"city": "Oslo"}', "Hm.", []),
    "a native form": (['<think>Hm.</think>\n{"city": "Oslo"}'], {"order": order(tools=(), form=FORM), **NATIVE}, '{"city": "Oslo"}', "Hm.", []),
    "channels": (["<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi."], {}, "Hi.", "Hm.", []),
    "channels, no tools": (["<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi."], {"order": PLAIN}, "Hi.", "Hm.", []),
    "channels without their tokens": (["analysisHm.assistantfinalHi."], {}, "Hi.", "Hm.", []),
    "Gemma's channel": (["<|channel>thought\nHm.<channel|>Hi."], {}, "Hi.", "Hm.", []),
    "brackets": (["[THINK]Hm.[/THINK]Hi."], {}, "Hi.", "Hm.", []),
    "other tags": (["<thinking>A</thinking><|START_THINKING|>B<|END_THINKING|>Hi."], {}, "Hi.", "A\n\nB", []),
    "a thought in code": (["Write `<think>` or\n```\n<think>x</think>\n```\nso."], {}, "Write `<think>` or\n```\n<think>x</think>\n```\nso.", "", []),
    "a thought in code, no tools": (["Write `<think>` or\n```\n<think>x</think>\n```\nso."], {"order": PLAIN}, "Write `<think>` or\n```\n<think>x</think>\n```\nso.", "", []),
    "a mark in quotes": (['The tag "<think>" opens it.'], {}, 'The tag "<think>" opens it.', "", []),
    "it begins inside": (["\nHm.\n</think>\n\nHi."], {"starts_in_thought": True}, "Hi.", "Hm.", []),
    "it begins inside, no tools": (["\nHm.\n</think>\n\nHi."], {"starts_in_thought": True, "order": PLAIN}, "Hi.", "Hm.", []),
    "it begins inside, natively": (["Hm.</think>Hi."], {"starts_in_thought": True, **NATIVE}, "Hi.", "Hm.", []),
    "it begins inside, with a draft": ([f"{CALL}? No.</think>{CALL}"], {"starts_in_thought": True}, "", f"{CALL}? No.", PARIS),
    "it begins inside and says so": (["<think>Hm.</think>Hi."], {"starts_in_thought": True}, "Hi.", "Hm.", []),
    "an empty thought that it begins inside": (["</think>Hi."], {"starts_in_thought": True}, "Hi.", "", []),
    "it may begin inside, and does": (["\nHm.\n</think>\n\nHi."], MAYBE, "Hi.", "Hm.", []),
    "it may begin inside, and does, no tools": (["Hm.</think>Hi."], {"order": PLAIN, **MAYBE}, "Hi.", "Hm.", []),
    "it may begin inside, and does, natively": (["Hm.</think>Hi."], {**MAYBE, **NATIVE}, "Hi.", "Hm.", []),
    "it may begin inside, with a draft": ([f"{CALL}? No.</think>{CALL}"], MAYBE, "", f"{CALL}? No.", PARIS),
    "it may begin inside, and says so": (["<think>Hm.</think>Hi."], MAYBE, "Hi.", "Hm.", []),
    "it may begin inside, and ends in brackets": (["Hm.[/THINK]Hi."], MAYBE, "Hi.", "Hm.", []),
    "it may begin inside, and does not": (["Hi. <b>There</b>."], MAYBE, "Hi. <b>There</b>.", "", []),
    "it may begin inside, and calls": ([f"Let me look.\n{CALL}"], MAYBE, None, "", PARIS),
    "it may begin inside, on channels": (["<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi."], MAYBE, "Hi.", "Hm.", []),
    "it may begin inside, and quotes a mark": (["`</think>` ends it.</think>Hi."], MAYBE, "Hi.", "`</think>` ends it.", []),
}  # fmt: skip
# Each turn in pieces of every size where there is time, else of two sizes, in turn.
ROWS = [(case, size) for number, case in enumerate(TURNS) for size in share([None, 1, 7, 3], number, 2)]  # fmt: skip


@pytest.mark.parametrize("size", [None, 1, 7])
def test_a_reply_that_is_cut_in_a_begun_thought_has_no_words(size):
    """The length limit came before the end of the thought; a call that was cut is no thought."""
    cut = play(Said("The user wants", finish="length"), size=size, reasoning="blocks", **MAYBE)
    assert (cut.message.content, cut.message.additional_kwargs["reasoning_content"]) == (
        "",
        "The user wants",
    )
    said = Said(f"Hm. <tool_call>{CALL}</tool_call>\n<tool_call>{CALL[:20]}", finish="length")
    assert play(said, size=size, reasoning="blocks", **MAYBE).message.tool_calls


def test_what_is_held_back_for_a_doubt_has_a_limit():
    """After 32,000 characters without a mark the words are shown."""
    long = "word " * 8000
    one = play(f"{long}</think>Hi.", size=400, reasoning="blocks", **MAYBE)
    assert one.message.content == f"{long}</think>Hi."
    assert len([chunk for chunk in one.chunks if chunk.text]) > 10


@every_row(("case", "size"), ROWS)
def test_a_thought_is_given_apart(case, size):
    """With "blocks" the text holds no thought and no mark, and the reasoning is the thought."""
    replies, settings, text, thought, made = TURNS[case]
    one = play(*replies, size=size, reasoning="blocks", **settings)
    message = one.message
    assert text in (None, message.content)
    assert message.additional_kwargs.get("reasoning_content", "") == thought
    assert [(call["name"], call["args"]) for call in message.tool_calls] == made
    kinds = [block["type"] for block in message.content_blocks]
    assert ("reasoning" in kinds) == bool(thought)
    assert one.essence == play(*replies, reasoning="blocks", **settings).essence


@every_row(("case", "size"), ROWS)
def test_a_thought_is_left_out(case, size):
    """With "drop" the message is the same without the reasoning, and a warning counts what is missing."""
    replies, settings, _, thought, _ = TURNS[case]
    given = play(*replies, size=size, reasoning="blocks", **settings)
    dropped = play(*replies, size=size, reasoning="drop", **settings)
    assert dropped.message.content == given.message.content
    assert len(dropped.message.tool_calls) == len(given.message.tool_calls)
    assert dropped.message.additional_kwargs == {}
    counted = [one for one in dropped.report["warnings"] if one.startswith("dropped reasoning")]
    assert bool(counted) == bool(thought)
    assert [one for one in dropped.report["warnings"] if one not in counted] == given.report[
        "warnings"
    ]


@every_row("case", TURNS)
def test_what_becomes_of_thoughts_costs_no_request(case):
    """The calls, the requests and the re-asks are those of a turn that keeps its thoughts in the text."""
    replies, settings, *_ = TURNS[case]
    kept = play(*replies, **settings)
    given = play(*replies, reasoning="blocks", **settings)
    for told in ("requests", "reasks", "path"):
        assert given.report[told] == kept.report[told]
    assert len(given.message.tool_calls) == len(kept.message.tool_calls)
    assert [one.messages for one in given.requests] == [one.messages for one in kept.requests]


@pytest.mark.parametrize("size", [None, 1, 7])
@pytest.mark.parametrize("asked", [order(), PLAIN], ids=["tools", "no tools"])
def test_a_thought_that_was_not_opened_stays_text(asked, size):
    """Text before a stray closer may have been shown, so it stays, and a warning says what to set."""
    one = play("Hm.</think>Hi.", order=asked, size=size, reasoning="blocks")
    assert one.message.content == "Hm.</think>Hi."
    assert one.message.additional_kwargs == {}
    (warning,) = one.report["warnings"]
    assert "starts_in_thought=True" in warning


@pytest.mark.parametrize("size", [None, 1, 7])
@pytest.mark.parametrize("text", ["<think>Hm.", "<|channel|>analysis<|message|>Hm.", "analysisHm."])
@pytest.mark.parametrize("asked", [order(), PLAIN], ids=["tools", "no tools"])
def test_a_thought_that_never_ends_is_told(asked, text, size):
    """All of it is the thought, as the reader has it, and a warning says that no answer came."""
    one = play(text, order=asked, size=size, reasoning="blocks")
    assert one.message.content == ""
    assert one.message.additional_kwargs == {"reasoning_content": "Hm."}
    (warning,) = one.report["warnings"]
    assert "ended inside its reasoning" in warning


@pytest.mark.parametrize(
    "case", ["a thought that ends in a call", "a native call inside a thought"]
)
def test_a_call_that_ends_a_thought_is_no_trouble(case):
    """A thought that was not closed before a call is not warned of."""
    replies, settings, *_ = TURNS[case]
    one = play(*replies, reasoning="blocks", **settings)
    assert not [told for told in one.report["warnings"] if "thought" in told]


@pytest.mark.parametrize("before", ["<think>Hm.", "<think>Hm.</think>One. "])
def test_words_among_the_pieces_of_a_native_call_are_told_apart(before):
    """Some servers send a call before its thought has ended, and the rest of the text after it."""
    told = {"verdict": "native"}
    turn = Turn(order(), Settings("fallback", JSON, reasoning="blocks"), Known(**told))
    turn.ask()
    pieces = [AIMessageChunk(before)]
    for args in ('{"city": ', '"Paris"', "}"):
        opens = {"name": "get_weather", "id": "1"} if args[0] == "{" else {"name": None, "id": None}
        call = {**opens, "args": args, "index": 0}
        pieces.append(AIMessageChunk("", tool_call_chunks=[call]))
    rest = " So.</think>Two." if before == "<think>Hm." else "<think>So.</think> Two."
    pieces += [AIMessageChunk(text) for text in (rest[:7], rest[7:])]
    chunks = [one for piece in pieces for one in turn.feed(ChatGenerationChunk(message=piece))]
    message = reduce(add, [one.message for one in [*chunks, *turn.end(), *turn.close()]])
    assert (message.text, message.additional_kwargs["reasoning_content"]) in (
        ("Two.", "Hm. So."),
        ("One. Two.", "Hm.\n\nSo."),
    )
    assert [(call["name"], call["args"]) for call in message.tool_calls] == PARIS


def test_keeping_tells_nothing():
    """By default the text is to the letter what the model wrote, and no warning is said of its thoughts."""
    for text in ("<think>Hm.</think>\nHi.", "Hm.</think>Hi.", "<think>Hm."):
        one = play(text)
        assert (one.message.content, one.report["warnings"]) == (text, [])


def test_thoughts_are_streamed_as_they_come():
    """Each piece of a thought is shown before the answer begins, its last white space when more follows."""
    one = play(f"<think>{LONG}</think>Hi.", size=7, order=PLAIN, reasoning="blocks")
    shown = [
        (chunk.message.additional_kwargs.get("reasoning_content"), chunk.message.content)
        for chunk in one.chunks
    ]
    thought = [thought for thought, _ in shown if thought]
    assert len(thought) > 20
    assert "".join(thought) == LONG
    assert "".join(text for _, text in shown) == "Hi."
    first = next(place for place, (_, text) in enumerate(shown) if text)
    assert not any(thought for thought, _ in shown[first:])


def test_a_provider_that_hides_reasoning_is_not_named():
    """LangChain reads OpenAI's messages without reasoning: one that has some does not say that it is OpenAI's."""
    for text, provider in (("<think>Hm.</think>Hi.", None), ("Hi.", "openai")):
        for size in (None, 3):
            one = play(_FromOpenAI(text), order=PLAIN, size=size, reasoning="blocks")
            assert one.message.response_metadata.get("model_provider") == provider
            kinds = [block["type"] for block in one.message.content_blocks]
            assert kinds == (["text"] if provider else ["reasoning", "text"])


class _FromOpenAI(Said):
    """A reply that names its provider."""

    def _kwargs(self):
        told = Said._kwargs(self)
        return {**told, "response_metadata": {"finish_reason": "stop", "model_provider": "openai"}}


def test_white_space_inside_a_thought_is_kept():
    """Only what is around a thought is dropped, however it is cut into parts."""
    thoughts = ReasoningSplitter("blocks")
    parts = [
        Words("<think>", kind="mark"),
        Words("\n a", kind="thought"),
        Words(" \n", kind="thought"),
        Words("b ", kind="thought"),
        Words("</think>", kind="mark"),
        Words(" "),
        Words("\nc "),
    ]
    given = [one for part in parts for one in thoughts.split([part])]
    assert "".join(one.text for one in given) == "a \nbc "
    assert thoughts.found


@every_row(
    "text",
    ["Hi. <think>Hm.</think>\n\nSo.", " \n<think>Hm.</think>So.", "Hi.\n\n<think>Hm.", "  Hi. "],
)
@pytest.mark.parametrize(
    "asked", [order(), PLAIN, order(choice="any")], ids=["tools", "none", "any"]
)
def test_white_space_around_a_thought_does_not_depend_on_pieces(asked, text):
    """What stands before a thought is shown as it came, but for white space that the reply begins with."""
    told = {"order": asked, "reasoning": "blocks", "on_failure": "continue"}
    seen = [play(*[text] * 3, size=size, **told).essence for size in (None, 1, 2, 3, 5)]
    assert seen == [seen[0]] * 5
