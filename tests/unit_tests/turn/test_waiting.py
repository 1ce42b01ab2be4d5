"""Which call of a reply waits for the result of an earlier one: tables of both kinds."""

import pytest
from langchain_core.messages import AIMessage, FunctionMessage, HumanMessage, ToolMessage

from langchain_toolemu.tools import read_tools, to_openai_tools
from langchain_toolemu.turn.conversation import Conversation
from langchain_toolemu.turn.heard import Heard
from langchain_toolemu.turn.values import is_date_or_time, is_looked_up
from langchain_toolemu.turn.waiting import awaited, is_placeholder, untold
from tests.unit_tests.turn.playing import Known, order, play
from tests.weather import get_weather


def find_order(customer: str) -> str:
    """Find the id of a customer's latest order."""


def cancel_order(order_id: str) -> str:
    """Cancel an order by its id."""


def find_email(customer: str) -> str:
    """Find the email address of a customer."""


def send_email(address: str, text: str) -> str:
    """Send an email to an address."""


def find_price(product: str) -> float:
    """Find the price of a product in euros."""


def create_invoice(customer: str, euros: float) -> str:
    """Create an invoice for a customer over an amount in euros."""


def set_timer(minutes: int) -> str:
    """Set a timer."""


def create_event(title: str, date: str, notes: str = "") -> str:
    """Create an event in the calendar."""


def add(a: int, b: int) -> int:
    """Add two numbers."""


def save_note(title: str, text: str) -> str:
    """Save a note under a title."""


TOOLS = read_tools(
    to_openai_tools(
        [
            find_order,
            cancel_order,
            find_email,
            send_email,
            find_price,
            create_invoice,
            set_timer,
            create_event,
            add,
            save_note,
        ]
    )
)

PLACEHOLDERS = [
    "<order_id>", "<result of find_order>", "{{order_id}}", "{order_id}", "[order id]", "$order_id", "${result}", "...", "…",
    "result of find_order", "the result of the first call", "previous result", "the previous output", "ORDER_ID",
    "ORDER_ID_FROM_ABOVE", "the order id from the previous step", "example result", "your_order_id", "the result",
]  # fmt: skip
VALUES = [
    "A-7731", "Paris", "The result is fine.", "<b>bold</b> text", "max_size", "I will be late, see you at the result party",
    "{\"a\": 1, \"b\": 2}", "[1, 2, 3] are numbers", "$5 off", "resultant", 3, None, True, "", "first of May", "Total",
]  # fmt: skip


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_a_placeholder_is_known(value):
    """What stands where a value should be, and only says where it comes from."""
    assert is_placeholder(value)


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_not_a_placeholder(value):
    """Words, code, prices and constants are values."""
    assert not is_placeholder(value)


# What the user says, the calls before, the call, and the argument that waits.
CASES = [
    ("Cancel Ana's order.", ["find_order"], ("cancel_order", {"order_id": "12345"}), "order_id"),
    ("Cancel Ana's order.", ["find_order"], ("cancel_order", {"order_id": "<order_id>"}), "order_id"),
    ("Cancel Ana's order.", ["find_order"], ("cancel_order", {"order_id": "example result"}), "order_id"),
    ("Cancel order A-7731 of Ana.", ["find_order"], ("cancel_order", {"order_id": "A-7731"}), None),
    ("Write to Ana.", ["find_email"], ("send_email", {"address": "ana@example.com", "text": "Hi"}), "address"),
    ("Write to ana@example.com.", ["find_email"], ("send_email", {"address": "ana@example.com", "text": "Hi"}), None),
    ("Bill Ana for a lamp.", ["find_price"], ("create_invoice", {"customer": "Ana", "euros": 49.0}), "euros"),
    ("Bill Ana 49 euros for a lamp.", ["find_price"], ("create_invoice", {"customer": "Ana", "euros": 49.0}), None),
    ("Bill Ana 1,200 euros.", ["find_price"], ("create_invoice", {"customer": "Ana", "euros": 1200}), None),
    # Nothing before it could give the value: it is the model's own.
    ("Set timers for half an hour and for two hours.", ["set_timer"], ("set_timer", {"minutes": 120}), None),
    ("Timer for an hour, and dinner next Friday.", ["set_timer"], ("create_event", {"title": "dinner", "date": "2025-03-14"}), None),
    ("Add 1 and 2, then 3 to the result.", ["add"], ("add", {"a": 3, "b": 3}), None),
    ("Add 17 and 25 and note it.", ["add"], ("save_note", {"title": "Total", "text": "42"}), None),
    ("Add 17 and 25 and note it.", ["add"], ("save_note", {"title": "Total", "text": "<result>"}), "text"),
    # Free text never waits.
    ("Find Ana's order and write to her.", ["find_order"], ("send_email", {"address": "Ana", "text": "Your order 12345 is on its way."}), None),
    ("Cancel Ana's order.", [], ("cancel_order", {"order_id": "12345"}), None),
]  # fmt: skip


UNTOLD = [
    ("Cancel the order 'latest'.", ("cancel_order", {"order_id": "latest"}), None),
    ("Cancel Ana's latest order.", ("cancel_order", {"order_id": "LATEST"}), None),
    ("Bitte eine Rechnung mit dem Preis.", ("create_invoice", {"customer": "Ana", "euros": 15}), None),
    ("Cancel Ana's latest order.", ("cancel_order", {"order_id": "12345"}), "find_order"),
    ("Cancel Ana's latest order.", ("cancel_order", {"order_id": "latest"}), "find_order"),
    ("Cancel Ana's latest order.", ("cancel_order", {"order_id": "Ana's latest order"}), "find_order"),
    ("Cancel order A-7731.", ("cancel_order", {"order_id": "A-7731"}), None),
    ("Write to Ana.", ("send_email", {"address": "ana@example.com", "text": "Hi"}), "find_email"),
    ("Write to Ana.", ("send_email", {"address": "Ana's email", "text": "Hi"}), "find_email"),
    ("Write to ana@example.com.", ("send_email", {"address": "ana@example.com", "text": "Hi"}), None),
    ("Bill Ana for a lamp.", ("create_invoice", {"customer": "Ana", "euros": 15}), "find_price"),
    ("Bill Ana 15 euros.", ("create_invoice", {"customer": "Ana", "euros": 15}), None),
    ("Bill Ana fifteen euros.", ("create_invoice", {"customer": "Ana", "euros": 15}), None),
    ("Set a timer for half an hour.", ("set_timer", {"minutes": 30}), None),
    ("Note that the total is due.", ("save_note", {"title": "Total", "text": "The total is due on day 7."}), None),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "call", "source"), UNTOLD)
def test_a_value_that_another_tool_could_tell(asked, call, source):
    """An id, an address or a number that nobody gave is to be looked up by the tool that tells it."""
    name, args = call
    found = untold(args, TOOLS.exact(name), TOOLS.specs, Heard(asked, asked))
    assert (found and found[2].name) == source


@pytest.mark.parametrize(("asked", "before", "call", "waits"), CASES)
def test_what_waits(asked, before, call, waits):
    """A value that only an earlier call's result could give makes a call wait; what was said or written does not."""
    name, args = call
    earlier = [TOOLS.exact(one) for one in before]
    assert awaited(args, TOOLS.exact(name), earlier, Heard(asked, asked)) == waits


GUESS = '{"name": "get_weather", "arguments": {"city": "New York"}}'
COPIED = '{"name": "get_weather", "arguments": {"city": "Zorbel"}}'
SIZES = (None, 1, 3, 7)
OTHER_GUESS = '{"name": "sum_up", "arguments": {"a": 17, "b": 23}}'


@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("guess", [GUESS, OTHER_GUESS])
@pytest.mark.parametrize("size", [None, 3])
def test_a_call_with_a_made_up_value_is_answered_instead(guess, size, mode):
    """Nobody asked for anything: the next request asks for a plain answer, without tools."""
    asked = order("Good evening!")
    one = play(guess, "Good evening!", order=asked, size=size, mode=mode, is_small=True)
    assert (one.message.text, one.message.tool_calls) == ("Good evening!", [])
    assert len(one.requests) == 2
    assert "get_weather" not in str(one.requests[-1].messages)
    assert "is made up" in str(one.report["warnings"])


def test_next_to_a_good_call_a_made_up_one_is_left_out():
    """The good one is made, and a warning tells of the other."""
    asked = order("What is the weather in Paris?")
    right = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    one = play(f"{right}\n{OTHER_GUESS}", order=asked, is_small=True)
    assert [call["name"] for call in one.message.tool_calls] == ["get_weather"]
    assert "left out a call of sum_up" in str(one.report["warnings"])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Good evening to you!", ""),
        ("", "Good evening to you!"),
        ("Good evening. ", "\nAnd to you!"),
    ],
)
def test_words_next_to_a_made_up_call_are_the_answer(before, after, size):
    """A native reply that has said something is not answered a second time."""
    text = f"{before}<tool_call>{GUESS}</tool_call>{after}"
    asked = order("Good evening!")
    one = play(text, "Again.", order=asked, size=size, mode="fallback", is_small=True)
    assert (one.message.text, len(one.requests)) == (before + after, 1)
    assert "is made up" in str(one.report["warnings"])


@pytest.mark.parametrize("size", SIZES)
def test_what_follows_a_made_up_call_in_a_native_reply_keeps_its_place(size):
    """The call turns out to stand in a thought: all of the reply is text, in its order and once."""
    text = f"{GUESS}```json\n{GUESS}\n```so.</think>Good evening to you!"
    known, asked = Known(wants_check=False), order("Good evening!")
    one = play(text, order=asked, size=size, mode="fallback", known=known, is_small=True)
    assert one.message.text == text


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("thought", ["<think>A greeting.</think>", "A greeting.</think>\n\n"])
def test_a_thought_before_a_made_up_call_is_no_answer(thought, mode, size):
    """A model that only thought is asked for the answer, though its thoughts are shown as they came."""
    asked, reply = order("Good evening!"), f"{thought}{GUESS}"
    one = play(reply, "Hello to you!", order=asked, size=size, mode=mode, is_small=True)
    assert one.message.text == f"{thought}\n\nHello to you!"
    assert one.message.tool_calls == []


@pytest.mark.parametrize("size", SIZES)
def test_a_made_up_call_in_a_check_is_none(size):
    """The native reply stands, and the model is not learnt to lack the call."""
    asked, native = order("Good evening!"), "Good evening to you!"
    one = play(native, GUESS, order=asked, size=size, mode="fallback", is_small=True)
    assert (one.message.text, one.report["path"]) == (native, "native")
    assert one.known.lessons == ["check_agreed"]
    assert "is made up" in str(one.report["warnings"])


UNKNOWN = '{"name": "dream", "arguments": {"of": "sheep"}}'
MISFIT = '{"name": "sum_up", "arguments": {"a": 17}}'


@pytest.mark.parametrize("reasks", [0, 1, 2])
@pytest.mark.parametrize("size", [None, 3])
@pytest.mark.parametrize(
    "reply", [GUESS, MISFIT, f"{UNKNOWN}\n{GUESS}", f"{GUESS}\n{MISFIT}", f"{COPIED}\n{GUESS}"]
)
def test_a_made_up_call_is_never_made(reply, size, reasks):
    """However many re-asks there are and whatever stands next to it, it is told of."""
    asked, replies = order("Good evening!"), [reply] * (reasks + 1)
    one = play(*replies, "Hello.", order=asked, size=size, max_reasks=reasks, is_small=True)
    assert one.message.tool_calls == []
    assert "is made up" in str(one.report["warnings"])


@pytest.mark.parametrize("size", [None, 3])
def test_without_re_asks_a_value_to_be_looked_up_is_not_made_up_either(size):
    """The model cannot be told which tool to call first, so it is asked for the answer."""
    asked = order("Cancel Ana's latest order.", tools=[find_order, cancel_order])
    guess = '{"name": "cancel_order", "arguments": {"order_id": "12345"}}'
    one = play(guess, "Which?", order=asked, size=size, max_reasks=0, is_small=True)
    assert (one.message.text, one.message.tool_calls) == ("Which?", [])


def test_an_unfit_call_next_to_a_copied_one_is_asked_for_again():
    """It is meant, so it is not dropped with the other."""
    unfit = '{"name": "sum_up", "arguments": {"a": 1}}'
    fit = '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
    one = play(f"{COPIED}\n{unfit}", fit, order=order("Sum up 1 and 2."), is_small=True)
    assert [call["args"] for call in one.message.tool_calls] == [{"a": 1, "b": 2}]


def test_all_calls_that_give_way_to_an_answer_are_told():
    """An unknown tool that is insisted on, and what stands next to it."""
    reply = f"{UNKNOWN}\n{UNKNOWN.replace('dream', 'sleep')}\n{GUESS}"
    one = play(reply, reply, "Hello.", order=order("Good evening!"), is_small=True)
    told = str(one.report["warnings"])
    assert all(f"left out a call of {name}" in told for name in ("dream", "sleep", "get_weather"))


def test_a_code_is_not_made_up():
    """Nobody says `it`, who wants a text in Italian."""
    asked = order("How do you say good night in Italian?")
    right = '{"name": "get_weather", "arguments": {"city": "it"}}'
    one = play(right, order=asked, is_small=True)
    assert [call["args"] for call in one.message.tool_calls] == [{"city": "it"}]


def answered(*called):
    """A question and calls, each with its result."""
    history = [HumanMessage("Get the weather in Paris, then add 1 and 2.")]
    for number, (name, args) in enumerate(called):
        history.append(AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(number)}]))
        history.append(ToolMessage("done", tool_call_id=str(number)))
    return history


WEATHER, SUM = ("get_weather", {"city": "Paris"}), ("sum_up", {"a": 1, "b": 2})
PARIS = '{"name": "get_weather", "arguments": {"city": "Paris"}}'


@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("size", [None, 3])
def test_a_small_model_does_not_go_in_circles(size, mode):
    """A call that was answered since the user spoke, if not just now, is asked about; then the answer is asked for."""
    asked = order(answered(WEATHER, SUM))
    one = play(PARIS, PARIS, "All is done.", order=asked, size=size, mode=mode, is_small=True)
    assert (one.message.text, one.message.tool_calls) == ("All is done.", [])
    assert "left out a call of get_weather, which was answered" in one.report["warnings"]


@pytest.mark.parametrize("choice", [None, "any"])
def test_without_re_asks_a_small_model_does_not_go_in_circles_either(choice):
    """The answer is asked for at once; a demanded call is made all the same."""
    asked = order(answered(WEATHER), choice=choice)
    one = play(PARIS, "All is done.", order=asked, max_reasks=0, is_small=True)
    assert bool(one.message.tool_calls) == (choice == "any")
    assert ("which was answered" in str(one.report["warnings"])) == (choice is None)


@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_next_to_a_new_call_an_answered_one_is_left_out(mode):
    """The new one is made, and a warning tells of the other."""
    new = '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
    one = play(f"{PARIS}\n{new}", order=order(answered(WEATHER)), mode=mode, is_small=True)
    assert [call["name"] for call in one.message.tool_calls] == ["sum_up"]
    assert "left out a call of get_weather, which was answered" in one.report["warnings"]


def test_the_same_call_after_the_user_spoke_again_is_made():
    """What was answered before is asked for anew."""
    history = [
        *answered(WEATHER),
        AIMessage("Sunny."),
        HumanMessage("And the weather in Paris now?"),
    ]
    one = play(PARIS, order=order(history), is_small=True)
    assert [call["name"] for call in one.message.tool_calls] == ["get_weather"]


def test_the_last_numbers_and_words_of_a_long_conversation_are_known():
    """A table of thousands of numbers or a large file that was written before do not hide what the user says."""
    table = HumanMessage(" ".join(map(str, range(10_000, 13_000))))
    file = {"name": "write_file", "args": {"path": "a", "content": "x " * 110_000}, "id": "1"}
    written = [AIMessage("", tool_calls=[file]), ToolMessage("done", tool_call_id="1")]
    heard = Conversation([table, *written, HumanMessage("Add 77 in Lisbon.")]).heard
    assert heard.holds(77)
    assert heard.holds("Lisbon")


@pytest.mark.parametrize("is_small", [True, False])
def test_a_number_too_large_for_a_float_is_a_value_like_others(is_small):
    """A row of digits without end is judged, and breaks nothing."""
    endless = f'{{"name": "sum_up", "arguments": {{"a": {"9" * 400}, "b": 1}}}}'
    asked = order("What is the weather in Paris?")
    one = play(f"{PARIS}\n{endless}", order=asked, is_small=is_small)
    assert one.message.tool_calls[0]["name"] == "get_weather"


@pytest.mark.parametrize("day", ["07-10-2022", "7/10/2022", "10.07.2022", "2022-07-10", "7.10.22"])
def test_a_date_is_not_looked_up(day):
    """In any spelling, for it was respelt from the user's words."""
    assert is_date_or_time(day)
    assert not is_looked_up(day)


def house_price(location: str, months: int) -> str:
    """Predict house prices.

    Args:
        location: Where the houses are.
        months: How far the forecast reaches.
    """


def share_price(company: str, days: int) -> str:
    """Predict the price of a share. A forecast for some days."""


def test_a_tool_of_the_same_subject_tells_nothing():
    """What another tool could tell is known by the argument's name: descriptions speak of the same subject."""
    tools = read_tools(to_openai_tools([house_price, share_price]))
    asked = Heard("What will houses cost?", "What will houses cost?")
    args = {"location": "Rome", "months": 18}
    assert untold(args, tools.exact("house_price"), tools.specs, asked) is None


@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_a_small_model_that_insists_on_an_unknown_tool_is_asked_for_the_answer(mode):
    """Told once which tools there are, it calls for another one again: there is nothing to call."""
    asked = order("Do you dream of the weather?")
    one = play(UNKNOWN, UNKNOWN, "I do not.", order=asked, mode=mode, is_small=True)
    assert (one.message.text, one.message.invalid_tool_calls) == ("I do not.", [])
    assert "left out a call of dream, which is not a tool" in one.report["warnings"]


@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("size", [None, 3])
def test_an_unknown_tool_that_stands_for_none_is_answered_at_once(mode, size):
    """Nobody speaks of a bound tool, and the name has no word of theirs: it is a small model's way to talk."""
    one = play(
        UNKNOWN, "I do not.", order=order("Do you dream?"), size=size, mode=mode, is_small=True
    )
    assert (one.message.text, one.message.invalid_tool_calls) == ("I do not.", [])
    assert "left out a call of dream, which is not a tool" in one.report["warnings"]


@pytest.mark.parametrize(
    ("asked", "unknown", "choice"),
    [
        ("How is the weather?", "dream", None),  # the user speaks of a tool
        ("Write to a file.", "dream", None),
        ("Do you dream?", "weather_report", None),  # the model means one
        ("Do you dream of a city?", "dream", None),  # a description speaks of it
        ("Do you dream of sheep?", "dream", None),  # a value of the call was said
        ("Träumst du nicht, und wie ist das?", "dream", None),  # what is spoken of is not known
        ("Do you dream?", "dream", "any"),
    ],
)
@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_an_unknown_tool_that_may_stand_for_a_bound_one_is_asked_about(
    asked, unknown, choice, mode
):
    """The model is told which tools there are."""
    reply = UNKNOWN.replace("dream", unknown)
    asked = order(asked, choice=choice)
    one = play(reply, "I do not.", "I do not.", "No.", order=asked, mode=mode, is_small=True)
    assert "only these tools can" in str(one.requests[1].messages)


@pytest.mark.parametrize("mode", ["force", "fallback"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["Albert Einstein", "good morning", "Why not? A tale"])
def test_a_made_up_tool_of_several_words_is_no_answer(name, size, mode):
    """Its text is not shown, in whatever pieces it comes."""
    reply = f'{{"name": "{name}", "arguments": {{"of": "physics"}}}}'
    one = play(reply, "A man.", order=order("Who?"), size=size, mode=mode, is_small=True)
    assert (one.message.text, one.message.tool_calls) == ("A man.", [])


@pytest.mark.parametrize("size", [None, 3])
def test_a_made_up_call_where_another_tool_is_spoken_of_is_asked_about(size):
    """The user speaks of the other one: a model asked in text is told so."""
    right = '{"name": "write_file", "arguments": {"path": "a.txt", "content": "Hi"}}'
    asked = order("Put Hi into the file a.txt, please.")
    one = play(GUESS, right, order=asked, size=size, is_small=True)
    assert "did not ask for get_weather. If write_file does" in str(one.requests[1].messages)
    assert [call["name"] for call in one.message.tool_calls] == ["write_file"]


def look_up(query: str) -> str:
    """Search the web."""


@pytest.mark.parametrize(
    ("asked", "again"), [("Who won the cup?", True), ("who won it", True), ("I love pizza.", False)]
)
@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_a_tool_that_takes_any_question_may_be_the_one_that_is_meant(asked, again, mode):
    """Nobody speaks of a search, and every question may want one."""
    right = '{"name": "look_up", "arguments": {"query": "cup winner"}}'
    bound = order(asked, tools=[get_weather, look_up])
    one = play(GUESS, right if again else "Me too.", order=bound, mode=mode, is_small=True)
    assert [call["name"] for call in one.message.tool_calls] == (["look_up"] if again else [])


@pytest.mark.parametrize("size", [None, 3])
def test_after_a_native_reply_it_is_asked_for_afresh(size):
    """A small model takes its own call up again, so it is not shown."""
    right = '{"name": "write_file", "arguments": {"path": "a.txt", "content": "Hi"}}'
    asked = order("Put Hi into the file a.txt, please.")
    one = play(GUESS, right, order=asked, size=size, mode="fallback", is_small=True)
    assert "New York" not in str(one.requests[1].messages)
    assert [call["name"] for call in one.message.tool_calls] == ["write_file"]
    assert "left out a call of get_weather" in str(one.report["warnings"])
    assert one.known.lessons == ["call_in_text"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["force", "fallback"])
def test_a_quoted_text_is_passed_on_as_it_stands(size, mode):
    """A small model embellishes it; the repair is told, and a stream never shows the other spelling."""
    asked = order("Write 'happy birthday' to the file a.txt.")
    reply = '{"name": "write_file", "arguments": {"path": "a.txt", "content": "Happy birthday!"}}'
    one = play(reply, order=asked, size=size, mode=mode, is_small=True)
    assert one.message.tool_calls[0]["args"] == {"path": "a.txt", "content": "happy birthday"}
    assert "'Happy birthday!' -> 'happy birthday'" in str(one.report["repairs"])


def test_a_larger_model_knows_how_to_spell_a_quoted_text():
    """What it makes of it is meant."""
    asked = order("Write 'happy birthday' to the file a.txt.")
    reply = '{"name": "write_file", "arguments": {"path": "a.txt", "content": "Happy birthday!"}}'
    one = play(reply, order=asked)
    assert one.message.tool_calls[0]["args"]["content"] == "Happy birthday!"


@pytest.mark.parametrize(
    "question",
    [
        "Roll the die in Paris three times.",
        "Do it again.",
        "Würfle noch 2 mal.",
        "Würfle dreimal.",
        "Bitte nochmal.",
        "कृपया तीन बार देखें।",
        "انظر ثلاث مرات",
    ],
)
def test_what_the_user_wants_repeated_may_be_repeated(question):
    """A small model that insists on its call was asked for it."""
    history = [HumanMessage(question), *answered(WEATHER)[1:]]
    one = play(PARIS, order=order(history), is_small=True)
    assert [call["name"] for call in one.message.tool_calls] == ["get_weather"]


def test_a_call_whose_results_differ_may_be_repeated():
    """It is polled."""
    history = answered(WEATHER, WEATHER)
    history[-1] = ToolMessage("something else", tool_call_id="1")
    one = play(PARIS, order=order(history), is_small=True)
    assert [call["name"] for call in one.message.tool_calls] == ["get_weather"]


@pytest.mark.parametrize("kind", ["the same ids", "functions"])
def test_a_polled_call_is_known_by_the_results_as_they_came(kind):
    """Some servers give every call the same id, and the API before tools has none."""
    legacy = {"function_call": {"name": "get_weather", "arguments": '{"city": "Paris"}'}}
    made = {"name": "get_weather", "args": {"city": "Paris"}, "id": "call_0"}
    history = [HumanMessage("Wait for the sun in Paris.")]
    for weather in ("rain", "snow"):
        if kind == "functions":
            history.append(AIMessage("", additional_kwargs=legacy))
            history.append(FunctionMessage(weather, name="get_weather"))
        else:
            history.append(AIMessage("", tool_calls=[made]))
            history.append(ToolMessage(weather, tool_call_id="call_0"))
    assert Conversation(history).answered == []
    assert Conversation(history[:3]).answered == [("get_weather", {"city": "Paris"})]


def test_a_call_that_waits_for_its_result_or_failed_is_not_answered():
    """It may be made again."""
    made = answered(WEATHER, WEATHER)
    made[-1] = ToolMessage("no net", tool_call_id="1", status="error")
    assert Conversation(made).answered == []
    assert Conversation(made[:-1]).answered == []


def roll() -> int:
    """Roll a die."""


def test_a_call_without_arguments_may_be_insisted_on():
    """Two dice are two rolls, one after the other."""
    history = [
        HumanMessage("Roll two dice."),
        AIMessage("", tool_calls=[{"name": "roll", "args": {}, "id": "1"}]),
        ToolMessage("4", tool_call_id="1"),
    ]
    asked = order(history, tools=[roll])
    one = play('{"name": "roll", "arguments": {}}', order=asked, is_small=True)
    assert [call["name"] for call in one.message.tool_calls] == ["roll"]
