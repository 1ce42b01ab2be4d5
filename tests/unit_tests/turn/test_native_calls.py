"""The provider's own calls: what passes, what is repaired, what is asked for again, in any pieces."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu.policy import Checks, Review
from tests.tables import every_row
from tests.unit_tests.turn.playing import Known, Said, order, play

PARIS = ("get_weather", {"city": "Paris"})
ARGS = json.dumps(PARIS[1])
GOOD = Said(calls=[PARIS])
SIZES = [1, 4, 1000]


@dataclass(frozen=True)
class Native(Said):
    """A streamed reply with native calls as `(name, args)`, whose arguments come in pieces."""

    made: Sequence[tuple[str, str]] = ()

    def pieces(self, size: int) -> list[ChatGenerationChunk]:
        messages = [AIMessageChunk(self.text)] if self.text else []
        for index, (name, args) in enumerate(self.made):
            first = {"name": name, "args": "", "id": f"native_{index}", "index": index}
            messages.append(AIMessageChunk("", tool_call_chunks=[first]))
            for start in range(0, len(args), size):
                more = {
                    "name": None,
                    "args": args[start : start + size],
                    "id": None,
                    "index": index,
                }
                messages.append(AIMessageChunk("", tool_call_chunks=[more]))
        messages.append(
            AIMessageChunk("", response_metadata={"finish_reason": self.finish or "tool_calls"})
        )
        return [ChatGenerationChunk(message=message) for message in messages]


def ask(*replies, size=4, known="native", **asked):
    settings = asked.pop("settings", {})
    return play(
        *replies, order=order(**asked), known=Known(known), mode="fallback", size=size, **settings
    )


def calls(one):
    return [(call["name"], call["args"]) for call in one.message.tool_calls]


REPAIRED = [
    ("sum_up", '{"a": "1", "b": 2}', ("sum_up", {"a": 1, "b": 2})),
    ("sumUp", '{"a": 1, "b": 2}', ("sum_up", {"a": 1, "b": 2})),
    ("functions.get_weather", ARGS, PARIS),
    ("get_weather", "{'city': 'Paris'}", PARIS),
    ("get_weather", '{"city": "Pa\nris"}', ("get_weather", {"city": "Pa\nris"})),
    ("functions.get_weather:0", ARGS, PARIS),
    ("get_weather", "\ufeff" + ARGS, PARIS),
    ("get_weather", json.dumps({"parameters": PARIS[1]}), PARIS),
    ("get_weather", '{"city": "Paris",}', PARIS),
    ("get_weather", '{"city": "Paris"', PARIS),
    ("get_weather", json.dumps(ARGS), PARIS),
    ("get_weather", "{}" + ARGS, PARIS),
    ("get_weather", ARGS + ARGS, PARIS),
    ("get_weather", f"```json\n{ARGS}\n```", PARIS),
]


@every_row("size", SIZES)
@every_row(("name", "args", "meant"), REPAIRED)
def test_what_loses_nothing_is_repaired(name, args, meant, size):
    """One request, the provider's id, and a note in the report."""
    one = ask(Native(made=[(name, args)]), size=size)
    assert (calls(one), len(one.requests), one.report["path"]) == ([meant], 1, "native")
    assert one.message.tool_calls[0]["id"] == "native_0"
    assert one.report["repairs"]


def test_a_text_that_the_client_made_an_object_is_a_text_again():
    """ChatOllama reads a text that is JSON; elsewhere an object for a text is the model's mistake."""
    given = Native(made=[("get_weather", '{"city": {"a": 1}}')])
    one = ask(given, settings={"is_chat_ollama": True})
    assert (calls(one), len(one.requests)) == ([("get_weather", {"city": '{"a": 1}'})], 1)


class WithIds(Native):
    """Native calls with ids of the test's choice."""

    ids = (None, "a", "a", "past")

    def pieces(self, size):
        made = super().pieces(size)
        for chunk in made:
            for piece in chunk.message.tool_call_chunks:
                piece["id"] = self.ids[piece["index"]] if piece["id"] else None
        return made


PAST = [
    HumanMessage("Which?"),
    AIMessage("", tool_calls=[{"name": "get_weather", "args": PARIS[1], "id": "past"}]),
    ToolMessage("Sunny.", tool_call_id="past"),
]


@every_row("size", SIZES)
@every_row("finish", ["tool_calls", "length"])
@every_row("mode", ["fallback", "force"])
def test_an_id_is_a_calls_own(mode, finish, size):
    """A call without one, with that of a call before it or of the conversation is given a new one; the others keep theirs."""
    cities = [("get_weather", {"city": city}) for city in ("Paris", "Rome", "Oslo", "Bonn")]
    given = WithIds(made=[(name, json.dumps(args)) for name, args in cities], finish=finish)
    one = play(given, order=order(PAST), known=Known("native"), mode=mode, size=size)
    ids = [call["id"] for call in one.message.tool_calls]
    assert (calls(one), len(one.requests)) == (cities, 1)
    assert (all(ids), len({*ids, "past"}), ids[1]) == (True, 5, "a")


BOOK = {
    "name": "book",
    "parameters": {
        "properties": {
            "day": {"type": "string", "description": "The day, as MM/DD/YYYY."},
            "seats": {"type": "integer", "description": "How many."},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "user_id": {"type": "string"},
        },
        "required": ["day"],
        "additionalProperties": True,
    },
}  # fmt: skip


@every_row("size", [None, 4])
@every_row(("args", "meant"), [
    ({"day": "2026-05-01", "note": None}, {"day": "2026-05-01", "note": None}),
    ({"day": "1", "userId": "u", "seats": 2}, {"day": "1", "userId": "u", "seats": 2}),
    ({"day": "1", "note": None, "seats": None}, {"day": "1", "note": None}),
    ({"Day": "1"}, {"day": "1"}),
])  # fmt: skip
def test_only_what_does_not_fit_is_changed(args, meant, size):
    """A date is as the provider spelt it, a further name is welcome where any is; null is left out only where it may not be."""
    one = ask(Said(calls=[("book", args)]), size=size, tools=[BOOK])
    assert (calls(one), len(one.requests)) == ([("book", meant)], 1)
    assert bool(one.report["repairs"]) is (args != meant)


BROKEN = [
    ("get_weather", '{"city": "Par', "reader: unreadable_call"),
    ("get_weather", "Paris", "reader: unreadable_call"),
    ("get_weather", '{"city": "Paris"}{"city": "Rome"}', "reader: unreadable_call"),
    ("get_weather", "{}", "validation: bad_arguments"),
    ("sum_up", '{"a": "one", "b": 2}', "validation: bad_arguments"),
    ("get_weather", '{"city": {"type": "string"}}', "validation: bad_arguments"),
    ("get_wether", ARGS, "validation: unknown_tool"),
    ("", ARGS, "validation: unknown_tool"),
]


@every_row("size", SIZES)
@every_row(("name", "args", "reason"), BROKEN)
def test_what_cannot_be_repaired_is_asked_for_again_natively(name, args, reason, size):
    """The model gets its own message back, each call with a result that says what is wrong."""
    one = ask(Native("Let me look.", made=[(name, args)]), GOOD, size=size)
    assert (one.message.content, calls(one)) == ("Let me look.", [PARIS])
    assert (one.report["reasks"], one.report["path"]) == ([reason], "native")
    *_, said, result = one.requests[1].messages
    assert (type(said), type(result)) == (AIMessage, ToolMessage)
    assert (said.content, len(said.tool_calls), said.invalid_tool_calls) == ("Let me look.", 1, [])
    assert said.tool_calls[0]["id"] == result.tool_call_id == "native_0"
    assert said.tool_calls[0]["name"] == (name or "unknown_tool")


@every_row("size", SIZES)
@every_row(("name", "args", "reason"), BROKEN)
def test_next_to_a_good_call_a_broken_one_is_an_invalid_one(name, args, reason, size):
    """Nothing is asked again, in whatever order they come."""
    for made in ([(name, args), ("get_weather", ARGS)], [("get_weather", ARGS), (name, args)]):
        one = ask(Native(made=made), size=size)
        assert (calls(one), len(one.requests)) == ([PARIS], 1)
        (invalid,) = one.message.invalid_tool_calls
        assert (invalid["args"], bool(invalid["error"])) == (args, True)


def test_who_fails_in_the_same_way_again_is_asked_in_text():
    """Natively the server's parser may be to blame."""
    broken = Native(made=[("get_weather", "Paris")])
    one = ask(broken, broken, '{"name": "get_weather", "arguments": {"city": "Paris"}}')
    assert (calls(one), len(one.requests), one.report["path"]) == ([PARIS], 3, "emulated")


def test_an_error_of_the_second_request_is_no_evidence():
    """Then the model is asked in text; if that fails, too, the reply stands, its call invalid."""
    refused = Said(error=ValueError("this model does not support tools"))
    text = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    known = Known("native")
    one = play(
        Native(made=[("rocket", "{}")]),
        refused,
        text,
        order=order(),
        known=known,
        mode="fallback",
        size=4,
    )
    assert calls(one) == [PARIS]
    assert not any(hasattr(lesson, "axis") for lesson in known.learned)
    one = ask(Native("Hm.", made=[("rocket", "{}")]), refused, refused)
    assert (one.message.content, calls(one)) == ("Hm.", [])
    assert [call["name"] for call in one.message.invalid_tool_calls] == ["rocket"]


@every_row("size", SIZES)
@every_row(("terms", "made"), [
    ({"choice": "none"}, []),
    ({"parallel": False}, [PARIS]),
    ({"choice": "get_weather"}, [PARIS, ("get_weather", {"city": "Rome"})]),
])  # fmt: skip
def test_the_callers_choice_is_kept_to(terms, made, size):
    """Calls that were not asked for are left out, and a warning tells."""
    given = [
        ("get_weather", ARGS),
        ("get_weather", '{"city": "Rome"}'),
        ("sum_up", '{"a": 1, "b": 2}'),
    ]
    one = ask(Native("Hm.", made=given), size=size, **terms)
    assert (calls(one), one.message.content, len(one.requests)) == (made, "Hm.", 1)
    assert len([text for text in one.report["warnings"] if "dropped" in text]) == 3 - len(made)


def test_nothing_but_a_call_where_none_may_come_is_asked_for_an_answer():
    """The call is left out."""
    one = ask(GOOD, "It is sunny.", choice="none")
    assert (one.message.content, calls(one), len(one.requests)) == ("It is sunny.", [], 2)


@pytest.mark.parametrize("size", [None, *SIZES])
def test_a_cut_call_never_runs(size):
    """It is asked for again; a whole one that a length limit follows is passed on as it came."""
    cut = Native(made=[("get_weather", '{"city": "Par')], finish="length")
    assert (calls(ask(cut, GOOD, size=4)), calls(ask(cut, cut, cut, size=4))) == ([PARIS], [])
    whole = Native(made=[("sum_up", '{"a": "1", "b": 2}')], finish="length")
    assert calls(ask(whole, size=4)) == [("sum_up", {"a": "1", "b": 2})]
    others = [("sum_up", '{"a": 1, "b": 2}'), ("get_weather", ARGS)]
    one = ask(Native(made=others[::-1], finish="length"), parallel=False)
    assert (calls(one), len(one.requests)) == ([PARIS], 1)
    one = ask(Native(made=others, finish="length"), choice="get_weather")
    assert (calls(one), len(one.requests)) == ([PARIS], 1)


class WithoutIndex(Native):
    """Native calls that come at once."""

    def pieces(self, size):
        *some, end = super().pieces(100_000)
        whole = [{**some[0].message.tool_call_chunks[0], "args": self.made[0][1], "index": None}]
        message = AIMessageChunk("", tool_call_chunks=whole)
        return [ChatGenerationChunk(message=message), end]


def test_a_cut_call_without_an_index_is_not_completed():
    """That the reply was cut is only known at its end."""
    cut = WithoutIndex(made=[("get_weather", '{"city": "Par"')], finish="length")
    assert calls(ask(cut, cut, cut)) == []
    assert calls(ask(WithoutIndex(made=cut.made))) == [("get_weather", {"city": "Par"})]


def test_a_long_argument_streams():
    """As soon as nothing but its end can reject the call, its pieces pass as they come."""
    long = json.dumps({"path": "a.txt", "content": "line\n" * 2000})
    one = ask(Native(made=[("write_file", long)]), size=100)
    assert len([chunk for chunk in one.chunks if chunk.message.tool_call_chunks]) > 50
    early = json.dumps({"path": 3, "content": "line\n" * 2000})
    one = ask(Native(made=[("write_file", early)]), size=100)
    assert len([chunk for chunk in one.chunks if chunk.message.tool_call_chunks]) == 1


TAGGED = '<tool_call>{"name": "sum_up", "arguments": {"a": 1, "b": 2}}</tool_call>'


def test_a_second_call_in_the_text_is_made_too():
    """Unless it is the same, or only one may come."""
    one = ask(Native(f"Sure.\n{TAGGED}", made=[("get_weather", ARGS)]))
    assert calls(one) == [PARIS, ("sum_up", {"a": 1, "b": 2})]
    assert (one.message.content.strip(), len(one.requests)) == ("Sure.", 1)
    one = ask(Native(f"Sure.\n{TAGGED}", made=[("sum_up", '{"a": 1, "b": 2}')]))
    assert (len(one.message.tool_calls), one.message.content.strip()) == (1, "Sure.")
    assert one.report["path"] == "native"
    one = ask(Native(f"Sure.\n{TAGGED}", made=[("get_weather", ARGS)]), parallel=False)
    assert calls(one) == [PARIS]


def test_a_call_in_text_beside_a_broken_native_one_is_rescued_and_the_broken_one_told_of():
    """Nothing is asked again, and no call is dropped in silence."""
    one = ask(Native(f"Sure.\n{TAGGED}", made=[("get_weather", "Paris")]))
    assert (calls(one), len(one.requests)) == ([("sum_up", {"a": 1, "b": 2})], 1)
    assert [call["id"] for call in one.message.invalid_tool_calls] == ["native_0"]
    one = ask(
        Native(f"{TAGGED}\n{TAGGED.replace('sum_up', 'rocket')}", made=[("get_weather", ARGS)])
    )
    assert [call["name"] for call in one.message.invalid_tool_calls] == ["rocket"]


def test_a_long_call_in_text_and_as_a_call_is_made_once():
    """Also one that was passed on before it had ended."""
    args = {"path": "a.txt", "content": "line\n" * 200}
    text = f"<tool_call>{json.dumps({'name': 'write_file', 'arguments': args})}</tool_call>"
    one = ask(Native(f"{text}\n{TAGGED}", made=[("write_file", json.dumps(args))]))
    assert calls(one) == [("write_file", args), ("sum_up", {"a": 1, "b": 2})]
    given = Native(TAGGED, made=[("sum_up", '{"a": 1, "b": 2}')])
    assert len(ask(given, settings={"on_vendor_host": True}).message.tool_calls) == 1


@every_row("size", SIZES)
def test_calls_keep_their_order_where_some_are_repaired(size):
    """In a whole reply, too, where all of them come at once."""
    made = [("sum_up", {"a": "1", "b": 2}), PARIS]
    assert calls(ask(Said(calls=made), size=size)) == [("sum_up", {"a": 1, "b": 2}), PARIS]


class InTurns(Native):
    """Native calls whose pieces come in turns, without their end."""

    def pieces(self, size):
        first, *rest, end = super().pieces(size)
        second = next(n for n, one in enumerate(rest) if one.message.tool_call_chunks[0]["id"])
        return [first, rest[second], *rest[second + 1 :], *rest[:second], end]


def test_of_calls_in_turns_the_first_to_begin_is_the_first():
    """Where one may come, it is the one, whichever ends first."""
    one = ask(InTurns(made=[("get_weather", ARGS), ("sum_up", '{"a": 1, "b": 2}')]), parallel=False)
    assert calls(one) == [PARIS]


class Doubting(Checks):
    """Doubts every call."""

    def review(self, call, context):
        return Review.ask("it is odd", "Is it right?")


@pytest.mark.parametrize("reviewed", [True, False])
def test_only_a_policy_that_was_set_doubts_native_calls(reviewed):
    """Who insists gets the call."""
    settings = {"policy": Doubting(()), "reviews_native": reviewed}
    one = ask(GOOD, GOOD, settings=settings)
    assert (calls(one), len(one.requests)) == ([PARIS], 2 if reviewed else 1)
    if reviewed:
        assert one.requests[1].messages[-1].content == "Is it right?"


def test_a_doubted_call_that_does_not_fit_is_asked_about_once():
    """What does not fit is what the model is told; it counts as the one question about the call."""
    settings = {"policy": Doubting(()), "reviews_native": True}
    one = ask(Native(made=[("get_weather", "{}")]), GOOD, settings=settings)
    assert (calls(one), len(one.requests)) == ([PARIS], 2)
    assert one.report["reasks"] == ["policy: doubted_call"]
    assert "city" in one.requests[1].messages[-1].content


def test_nothing_is_held_or_changed_without_repair():
    """On a vendor's host, where only an unknown tool is held."""
    given = Native(made=[("rocket", '{"a": "1"}'), ("sum_up", '{"a": "1", "b": 2}')])
    one = ask(given, settings={"on_vendor_host": True}, size=1)
    assert calls(one) == [("sum_up", {"a": "1", "b": 2})]
    assert [call["name"] for call in one.message.invalid_tool_calls] == ["rocket"]


FORCED = [
    (("get_weather", "{'city': 'Paris'}"), {}, [PARIS], 1),
    (("getWeather", ARGS), {}, [PARIS], 1),
    (("rocket", ARGS), {}, [PARIS], 2),
    (("get_weather", "{}"), {}, [PARIS], 2),
    (("sum_up", '{"a": 1, "b": 2}'), {"choice": "get_weather"}, [PARIS], 2),
    (("get_weather", ARGS), {"choice": "none"}, [], 2),
]


@every_row(("made", "terms", "meant", "requests"), FORCED)
def test_a_call_that_a_server_makes_of_a_text_is_judged_as_one_in_text(
    made, terms, meant, requests
):
    """In force, too, names, arguments and the choice count."""
    text = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    then = "It is sunny." if terms.get("choice") == "none" else text
    one = play(Native(made=[made]), then, order=order(**terms), mode="force", size=4)
    assert (calls(one), len(one.requests)) == (meant, requests)


def test_an_empty_reply_is_asked_to_go_on_once():
    """Of a model that calls natively; the tools are still offered."""
    assert calls(ask("", GOOD)) == [PARIS]
    one = ask("", "", "It is sunny.")
    assert (one.message.content, len(one.requests)) == ("", 2)
    assert isinstance(one.requests[1].messages[-1], HumanMessage)
    assert len(one.requests[1].messages) == 1


@pytest.mark.parametrize(
    "said", ["I'll call get_weather for Paris now.", "Let me check the forecast first:"]
)
def test_an_announced_call_is_asked_for_once(said):
    """The announcement stands, and the call follows it, whether or not the tool is named."""
    one = ask(said, GOOD)
    assert (one.message.content, calls(one)) == (said, [PARIS])
    one = ask(said, said)
    assert (one.message.content, len(one.requests)) == (said, 2)
    one = ask(said, "In Paris it is sunny.")
    assert one.message.content == f"{said}\n\nIn Paris it is sunny."
    assert len(ask(Said(said, finish="length")).requests) == 1
    assert len(ask(said, choice="none").requests) == 1


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_who_announces_a_call_in_text_is_asked_for_it_once(mode):
    """A model that is not known to call natively is asked in text; words that only repeat the announcement are left out."""
    said = "I'll call get_weather for Paris now."
    text = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    known = {"known": Known("native", "claimed")}
    for then, content, made in (
        (text, said, [PARIS]),
        (said, said, []),
        ("Sunny.", f"{said}\n\nSunny.", []),
    ):
        one = play(said, then, order=order(), mode=mode, size=4, **known)
        assert (one.message.content, calls(one), len(one.requests)) == (content, made, 2), then


@pytest.mark.parametrize("size", [None, 4])
def test_who_only_announces_it_again_repeats_himself(size):
    """Other words for the same are not shown; an answer is."""
    said, again = "I'll call get_weather for Paris now.", "Okay, I will call get_weather for Paris."
    assert ask(said, again, size=size).message.content == said
    assert play(said, again, order=order(), mode="force", size=size).message.content == said
    assert ask(said, "It is sunny.", size=size).message.content == f"{said}\n\nIt is sunny."


@pytest.mark.parametrize("size", [None, 4])
def test_an_announcement_in_a_thought_is_none(size):
    """The words after it are the answer."""
    said = "<think>I'll call get_weather for Paris now.</think>It is sunny."
    assert len(ask(said, GOOD, size=size).requests) == 1
    assert len(play(said, order=order(), mode="force", size=size).requests) == 1


@every_row(("ends", "meant"), [("tool_calls", "stop"), ("stop", "stop"), ("length", "length")])
def test_a_reply_whose_calls_are_all_left_out_ends_as_an_answer(ends, meant):
    """Clients wait for calls where it says that there are some."""
    one = ask(Native("Hm.", made=[("get_weather", ARGS)], finish=ends), choice="none")
    assert (one.message.response_metadata["finish_reason"], calls(one)) == (meant, [])


class OldForm(Native):
    """A reply whose call has the form that came before `tool_calls`."""

    def pieces(self, size: int) -> list[ChatGenerationChunk]:
        [(name, args)] = self.made
        cuts = [args[start : start + size] for start in range(0, len(args), size)]
        parts = [{"name": name, "arguments": ""}, *({"arguments": cut} for cut in cuts)]
        messages = [AIMessageChunk("", additional_kwargs={"function_call": one}) for one in parts]
        return [ChatGenerationChunk(message=message) for message in messages]


@pytest.mark.parametrize("size", SIZES)
def test_a_call_in_the_form_before_tool_calls_is_made(size):
    """In one request, natively, with an id; the old form is not shown beside it."""
    one = ask(OldForm(made=[("get_weather", ARGS)]), size=size)
    [call] = one.message.tool_calls
    assert ((call["name"], call["args"]), len(one.requests)) == (PARIS, 1)
    assert call["id"]
    assert one.report["path"] == "native"
    assert "function_call" not in one.message.additional_kwargs
