"""Which repeated calls are asked about, and which acts are not done again."""

import json
from itertools import count

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.policy import CallContext, Conversation, NotRepeated
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row
from tests.ways import WAYS, ask

TOOL = ToolSpec("check", "", {})
JOB = {"job": "a"}


def call(args=JOB):
    return Call("check", args, "", "json", explicit=False)


IDS = count()


def rounds(*results, args=JOB, name="check"):
    """A round for each result; one that is an exception failed. No two calls have the same id."""
    messages = []
    for result in results:
        status, id_ = "error" if isinstance(result, Exception) else "success", f"call_{next(IDS)}"
        messages += [
            AIMessage("", tool_calls=[{"name": name, "args": args, "id": id_}]),
            ToolMessage(str(result), tool_call_id=id_, status=status),
        ]
    return messages


def outcome(*messages, made=None, **facts):
    talk = Conversation([HumanMessage("Wait for job a."), *messages])
    context = CallContext(TOOL, [TOOL], talk, **facts)
    return NotRepeated().review(made or call(), context).outcome


OTHER = rounds("ok", args={"job": "b"})
BOTH = [
    AIMessage(
        "",
        tool_calls=[
            {"name": "check", "args": JOB, "id": "1"},
            {"name": "check", "args": {"job": "b"}, "id": "2"},
        ],
    ),
    ToolMessage("ok", tool_call_id="1"),
    ToolMessage("ok", tool_call_id="2"),
]
BOTH_TURNED = AIMessage("", tool_calls=BOTH[0].tool_calls[::-1])
TABLE = [
    ("nothing was called", [], "accept"),
    ("the first repeat", rounds("ok"), "ask"),
    ("the second: it was insisted on", rounds("ok", "ok"), "accept"),
    ("results that differ", rounds("ok", "fine"), "accept"),
    ("five identical results", rounds(*["ok"] * 5), "ask"),
    ("six", rounds(*["ok"] * 6), "accept"),
    ("ten", rounds(*["ok"] * 10), "ask"),
    ("five results, one of them another", rounds("ok", "ok", "ok", "fine", "ok"), "accept"),
    ("it failed", rounds(ValueError("no")), "accept"),
    ("another call came since", [*rounds("ok"), *OTHER], "accept"),
    ("another call came before", [*OTHER, *rounds("ok")], "ask"),
    ("another call stood beside it", BOTH, "ask"),
    ("both came twice: it was insisted on", BOTH * 2, "accept"),
    ("it stood behind another call", [BOTH_TURNED, *BOTH[1:]], "ask"),
    ("a cycle, once", [*rounds("ok"), *OTHER], "accept"),
    ("a cycle that came twice", [*rounds("ok"), *OTHER] * 2, "ask"),
    ("the same with another result", [*rounds("ok"), *OTHER, *rounds("done"), *OTHER], "accept"),
    ("a cycle that failed", [*rounds(ValueError("no")), *OTHER] * 2, "accept"),
    ("a cycle of three", [*rounds("ok"), *OTHER, *rounds("x", args={"job": "c"})] * 2, "ask"),
    ("the user spoke since", [*rounds("ok"), HumanMessage("And now?")], "accept"),
    ("no result yet", rounds("ok")[:1], "accept"),
]


@pytest.mark.parametrize(("case", "messages", "expected"), TABLE, ids=[case for case, *_ in TABLE])
def test_the_table(case, messages, expected):
    """Only an exact repeat of the last successful call is asked about, and only the first time."""
    assert outcome(*messages) == expected


def test_what_may_always_be_repeated():
    """A call without arguments, a demanded one, one beside another, one with other arguments."""
    last = rounds("ok")
    assert outcome(*rounds("4", args={}), made=call({})) == "accept"
    assert outcome(*last, forced=True) == "accept"
    assert outcome(*last, is_answer=True) == "accept"
    assert outcome(*last, earlier=(call({"job": "b"}),)) == "accept"
    assert outcome(*last, made=call({"job": "A"})) == "accept"


@pytest.mark.parametrize("way", WAYS)
def test_several_calls_that_come_again_are_asked_about_together(way):
    """They are made if the model insists; else its answer stands; new calls beside them are made with them."""
    pair, new = call_text({"job": "a"}, {"job": "b"}), call_text({"job": "a"}, {"job": "c"})
    asked = [HumanMessage("Wait for the jobs a and b."), *BOTH]
    answered = ask(scripted(pair, "Both are done."), asked, way)
    assert (answered.content, answered.tool_calls) == ("Both are done.", [])
    insisted = ask(scripted(pair, pair), asked, way)
    assert [one["args"]["job"] for one in insisted.tool_calls] == ["a", "b"]
    beside = ask(scripted(new), asked, way)
    assert [one["args"]["job"] for one in beside.tool_calls] == ["a", "c"]


def call_text(*calls):
    return "\n".join(json.dumps({"name": "check", "arguments": one}) for one in calls)


def scripted(*replies):
    llm = GenericFakeChatModel(messages=iter(map(AIMessage, replies)))
    schema = {"type": "object", "properties": {"job": {"type": "string"}}}
    bound = {"name": "check", "description": "Check a job.", "parameters": schema}
    return ChatToolEmu(llm=llm, mode="force").bind_tools([bound])


# --- acts: done once ---

PAY, MAIL, LOOK = (ToolSpec(name, "", {}) for name in ("pay_bill", "send_mail", "get_bill"))
TESTS, CARD = ToolSpec("run_tests", "", {}), ToolSpec("charge_card", "One call for each card.", {})
BILL = {"bill": "7"}


def step(name, result="done", args=BILL):
    return rounds(result, args=args, name=name)


def review_of(*messages, asked="Pay bill 7.", name="pay_bill", args=BILL, **facts):
    tools = [PAY, MAIL, LOOK, TESTS, CARD, TOOL]
    [tool] = [one for one in tools if one.name == name]
    said = [HumanMessage(asked)] if isinstance(asked, str) else asked
    context = CallContext(tool, tools, Conversation([*said, *messages]), **facts)
    return NotRepeated().review(Call(name, args, "", "json", explicit=False), context)


PAID, MAILED, LOOKED = step("pay_bill"), step("send_mail"), step("get_bill")
TWICE = [
    AIMessage("", tool_calls=[{"name": "pay_bill", "args": BILL, "id": str(n)} for n in (1, 2)]),
    *(ToolMessage("done", tool_call_id=str(n)) for n in (1, 2)),
]
PAIR = [
    AIMessage("", tool_calls=[{"name": name, "args": BILL, "id": name} for name in ("pay_bill", "check")]),
    *(ToolMessage("done", tool_call_id=name) for name in ("pay_bill", "check")),
]  # fmt: skip
ACTS = [
    ("nothing was done", [], False),
    ("it was done", PAID, True),
    ("it was done twice", PAID * 2, True),
    ("it was done twice in one reply", TWICE, True),
    ("with other arguments", step("pay_bill", args={"bill": "8"}), False),
    ("with a blank more", step("pay_bill", args={"bill": "7 "}), True),
    ("with an empty note", step("pay_bill", args={"bill": "7", "note": ""}), True),
    ("a look-up came since", [*PAID, *LOOKED], True),
    ("three look-ups came since", [*PAID, *LOOKED * 3], True),
    ("another act came since", [*PAID, *MAILED], False),
    ("another act and a look-up came since", [*PAID, *MAILED, *LOOKED], False),
    ("another act failed since", [*PAID, *step("send_mail", ValueError("no"))], True),
    ("another act came before", [*MAILED, *PAID], True),
    ("a payment of another bill came since", [*PAID, *step("pay_bill", args={"bill": "8"})], False),
    ("a sequence came once", [*PAID, *MAILED], False),
    ("a sequence came twice", [*PAID, *MAILED] * 2, True),
    ("a sequence with a look-up came twice", [*PAID, *LOOKED, *MAILED] * 2, True),
    (
        "a sequence of five came twice",
        [*PAID, *MAILED, *LOOKED, *step("check"), *step("run_tests")] * 2,
        True,
    ),
    ("a sequence with a reply of two calls came twice", [*PAIR, *MAILED] * 2, True),
    (
        "each time with another receipt",
        [*step("pay_bill", "receipt 1"), *MAILED, *step("pay_bill", "receipt 2"), *MAILED],
        True,
    ),
    (
        "each time after another edit",
        [*PAID, *MAILED, *PAID, *step("send_mail", args={"bill": "8"})],
        False,
    ),
    (
        "each time after another finding",
        [*PAID, *LOOKED, *MAILED, *PAID, *step("get_bill", "open"), *MAILED],
        False,
    ),
    ("the same with another result", [*PAID, *MAILED, *step("pay_bill", "paid"), *MAILED], False),
    ("it has no result yet", PAID[:1], False),
    ("it failed, and then it was done", [*step("pay_bill", ValueError("no")), *PAID], True),
    ("it was done, and then it failed", [*PAID, *step("pay_bill", ValueError("no"))], True),
    ("the user spoke since", [*PAID, HumanMessage("And now?")], False),
]


@pytest.mark.parametrize(("case", "messages", "done"), ACTS, ids=[case for case, *_ in ACTS])
@pytest.mark.parametrize("is_small", [True, False])
def test_an_act_is_done_once(case, messages, done, is_small):
    """An act that was answered since the user spoke is asked about; a small model's is final."""
    found = review_of(*messages, is_small=is_small)
    assert found.outcome == ("ask" if done else "accept")
    if done:
        assert (found.final, found.yields, found.code) == (is_small, True, "repeated_call")
        assert "pay_bill was already done" in found.correction


FAILED = [
    ("its status", ValueError("no money")),
    ("Error", "Error: no money"),
    ("error", "error - no money"),
    ("an error of Python", "Traceback (most recent call last):\n  no money"),
    ("HTTP and a code", "HTTP 503: try later"),
    ("a status code", "Status code: 404"),
    ("a code and its words", "404 Not Found"),
    ("a code and its words, on the server", "500 Internal Server Error"),
    ("JSON with an error", '{"error": "no money"}'),
    ("JSON with an error that says more", '{"error": {"code": 7}, "bill": "7"}'),
    ("JSON that is not ok", '{"ok": false}'),
    ("JSON without success", ' {"success": false, "bill": "7"}'),
    ("an error of urllib", "HTTP Error 404: Not Found"),
    ("a status line", "HTTP/1.1 503 Service Unavailable"),
    ("an error of requests", "500 Server Error: Internal Server Error for url: http://pay"),
    ("an error of httpx", "Client error '429 Too Many Requests' for url 'http://pay'"),
    ("an error of a client in JavaScript", "Request failed with status code 503"),
    ("an HTTP status", "HTTP status 500"),
    ("a code with a colon", "500: Internal Server Error"),
    ("JSON with an HTTP status", '{"statusCode": 503, "message": "try later"}'),
    ("JSON whose status is an error", '{"status": "error"}'),
    ("JSON whose status is a text", '{"statusCode": "500"}'),
    ("JSON with errors", '{"errors": ["no money"]}'),
    ("a class of Python", "ValueError: service busy"),
    ("what failed", "Payment failed: card declined"),
    ("to what it failed", "Failed to pay bill 7: timeout"),
    ("who may not", "Access denied"),
    ("an error of MCP", "MCP error -32603: internal error"),
    ("German", "Fehler: Karte abgelehnt"),
    ("what could not be", "Could not send it: network down"),
    ("what was unable", "Unable to connect to the bank"),
    ("what took too long", "Timeout after 30 s"),
    ("what is away for now", "Temporarily unavailable, please retry"),
    ("Chinese", "\u9519\u8bef\uff1a\u4f59\u989d\u4e0d\u8db3"),
]  # fmt: skip


NO_FAILURES = ["The parcel was not delivered yet", "Cannot be combined with other offers", "Timeout: 30 s", "500 points were taken", "Code 450 is paid", '{"status": "paid", "code": 450}', "Status: 200", "The client erred", "Server error count 0. Paid", "404 Bad Street: paid", '{"status": 450, "receipt": "R-1"}']  # fmt: skip


@every_row("result", NO_FAILURES)
def test_what_only_has_a_number_of_a_failure_is_none(result):
    """An act with such a result was done."""
    assert review_of(*step("pay_bill", result), is_small=True).final


@every_row(("case", "result"), FAILED)
def test_an_act_that_failed_may_be_done_again(case, result):
    """By its status, or by how the result begins; what failed was not done."""
    assert review_of(*step("pay_bill", result), is_small=True).outcome == "accept"


CHECKED = step("check")
LASTING = [
    ("unknown", "Error: unknown bill"),
    ("invalid", '{"error": "invalid bill number"}'),
    ("not there", "Error: bill 7 does not exist"),
    ("not found", "Error: bill not found"),
    ("none of the kind", ValueError("no such bill")),
]


@pytest.mark.parametrize(("case", "result"), LASTING)
def test_what_failed_for_its_values_is_looked_up_before_it_is_tried_again(case, result):
    """A small model only: a look-up that was not made is demanded, and the same call is not made a third time."""
    found = review_of(*step("pay_bill", result), is_small=True)
    assert (found.outcome, found.offers, found.demands) == ("ask", ("get_bill", "check"), True)
    assert (found.final, found.must_insist) == (False, True)
    assert review_of(*step("pay_bill", result) * 2, is_small=True).final
    assert review_of(*step("pay_bill", result), is_small=False).outcome == "accept"


@pytest.mark.parametrize(
    ("case", "messages", "outcome"),
    [
        ("the right value was found before", [*LOOKED, *step("pay_bill", "Error: unknown bill")], "ask"),
        ("something was found since", [*step("pay_bill", "Error: unknown bill"), *LOOKED], "accept"),
        ("with other values", step("pay_bill", "Error: unknown bill", args={"bill": "8"}), "accept"),
        ("it may pass", step("pay_bill", "Error: offline") * 2, "accept"),
        ("it does not pass", step("pay_bill", "Error: offline") * 3, "ask"),
    ],
)  # fmt: skip
def test_a_call_that_fails_is_tried_three_times_where_nothing_else_helps(case, messages, outcome):
    """Then the model is told so, and what it says of it is the answer."""
    found = review_of(*messages, is_small=True)
    assert found.outcome == outcome
    if outcome == "ask" and not found.offers:
        assert "pay_bill failed with these arguments: Error" in found.correction


SEGMENTS = ToolSpec("get_segments", "Audience segments.", {})
CAMPAIGNS = ToolSpec("list_campaigns", "Campaigns that are ready.", {})
WEATHER = ToolSpec("get_weather", "The weather.", {})
SEND = ToolSpec("send_campaign", "Send a campaign.", {"required": ["campaign_id", "segment_id"]})
SENT = {"campaign_id": "C-90", "segment_id": "VIP"}


@pytest.mark.parametrize("again", ["send_campaign", "list_campaigns"])
def test_what_was_wrong_is_looked_up_whatever_is_repeated(again):
    """The act that failed for its values, or the look-up before it; only what could tell one of them is offered."""
    failed = rounds("Error: unknown campaign or segment", args=SENT, name="send_campaign")
    found = rounds("C-90 Spring", args={}, name="list_campaigns")
    talk = Conversation([HumanMessage("Send the spring newsletter."), *found, *failed])
    tools = {tool.name: tool for tool in (SEGMENTS, CAMPAIGNS, WEATHER, SEND)}
    args = SENT if again == "send_campaign" else {}
    context = CallContext(tools[again], [*tools.values()], talk, is_small=True)
    review = NotRepeated().review(Call(again, args, "", "json", explicit=False), context)
    assert (review.offers, review.demands) == (("get_segments",), True)


TIMER = ToolSpec("start_timer", "Start a timer.", {"properties": {"minutes": {"type": "integer"}}, "required": ["minutes"]})  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "done", "outcome"),
    [
        ("Set three timers of 6 minutes.", 2, "accept"),
        ("Set three timers of 6 minutes.", 3, "ask"),
        ("Set three timers of 6 minutes on K-3.", 2, "accept"),
        ("Start six timers.", 1, "ask"),  # six is the value of the call
        ("Start 4 kitchen timers.", 3, "accept"),
        ("Start timer 3 and tell Ana.", 1, "ask"),
        ("A timer of 6 minutes, one for each pot.", 2, "accept"),
        ("Ponme temporizadores de 6 minutos, uno para cada olla.", 2, "accept"),
        ("Stell Timer auf 6 Minuten, je einen pro Topf.", 2, "accept"),
        ("Lance un minuteur de 6 minutes, un pour chaque plat.", 2, "accept"),
        ("Start a timer of 6 minutes.", 1, "ask"),
    ],
)
def test_an_act_is_done_as_often_as_things_are_asked_for(asked, done, outcome):
    """By a number before the tool's noun that is no value of the call, or by one for each."""
    messages = step("start_timer", args={"minutes": 6}) * done
    talk = Conversation([HumanMessage(asked), *messages])
    call = Call("start_timer", {"minutes": 6}, "", "json", explicit=False)
    found = NotRepeated().review(call, CallContext(TIMER, [TIMER], talk, is_small=True))
    assert found.outcome == outcome


PIZZA = ToolSpec("order", "Order one pizza.", {"properties": {"kind": {"type": "string"}}, "required": ["kind"]})  # fmt: skip


@every_row(
    ("asked", "done", "expected"),
    [
        ("Order two margheritas and a funghi.", 1, "accept"),
        ("Order two margheritas and a funghi.", 2, "ask"),
        ("Order a margherita for two persons.", 1, "ask"),
    ],
)
def test_what_a_call_is_for_may_be_counted(asked, done, expected):
    """By one of its values, where the tool's name has another word."""
    talk = Conversation([HumanMessage(asked), *step("order", args={"kind": "margherita"}) * done])
    call = Call("order", {"kind": "margherita"}, "", "json", explicit=False)
    found = NotRepeated().review(call, CallContext(PIZZA, [PIZZA], talk, is_small=True))
    assert found.outcome == expected


SEND_MONEY = ToolSpec("transfer_money", "", {"properties": {"to": {"type": "string"}, "currency": {"type": "string", "default": "EUR"}, "tags": {"type": "array"}}, "required": ["to"]})  # fmt: skip


@every_row(
    ("more", "expected"),
    [
        ({"currency": "EUR"}, "ask"),
        ({"tags": []}, "ask"),
        ({"to": "Ann  Lee."}, "ask"),
        ({"currency": "USD"}, "accept"),
    ],
)
def test_an_act_with_a_default_written_out_is_the_same(more, expected):
    """What says no more than if it were left out makes no other act."""
    done = step("transfer_money", args={"to": "Ann Lee"})
    talk = Conversation([HumanMessage("Send Ann Lee the money."), *done])
    call = Call("transfer_money", {"to": "Ann Lee", **more}, "", "json", explicit=False)
    found = NotRepeated().review(call, CallContext(SEND_MONEY, [SEND_MONEY], talk, is_small=True))
    assert found.outcome == expected


@every_row(
    ("steps", "expected"),
    [
        ([{"line": 7}], "accept"),
        ([], "ask"),
        ([{}], "ask"),
        ([{"line": 9}], "ask"),
    ],
)
def test_an_act_is_due_again_at_another_place(steps, expected):
    """After a step to where nothing was done yet; a step without a place, or to the same one, is none."""
    goto, delete = ToolSpec("goto_line", "", {}), ToolSpec("delete_line", "", {})
    before = [*step("goto_line", args={"line": 9}), *step("delete_line", args={})]
    after = [message for args in steps for message in step("goto_line", args=args)]
    talk = Conversation([HumanMessage("Delete lines 9 and 7."), *before, *after])
    context = CallContext(delete, [goto, delete], talk, is_small=True)
    call = Call("delete_line", {}, "", "json", explicit=False)
    assert NotRepeated().review(call, context).outcome == expected


DONE = [
    "done",
    "Paid, no errors.",
    "Errors: 0",
    "404 euros were paid.",
    pytest.param("Bill 7 is paid: 500 Euros.", id="500 Euros"),
    "Bill 7 was paid. HTTP 200",
    '{"ok": true, "error": null}',
    '{"error": null, "ok": true}',
    '{"error": "", "success": true}',
    '{"paid": false}',
    "",
]


@pytest.mark.parametrize("result", DONE)
def test_an_act_whose_result_is_no_error_was_done(result):
    """Whatever else it says."""
    found = review_of(*step("pay_bill", result), is_small=True)
    assert (found.outcome, found.final) == ("ask", True)


WORDS = [
    ("Pay the bill twice.", 1, "accept"),
    ("Pay the bill twice.", 2, "ask"),
    ("Pay bill 7 twice.", 2, "ask"),
    ("Pay it again.", 1, "ask"),
    ("The printer works again. Pay it.", 1, "ask"),
    ("Pay it, then pay it again.", 1, "accept"),
    ("Pay the bill 3 times.", 2, "accept"),
    ("Pay the bill 3 times.", 3, "ask"),
    ("Pay it three times.", 2, "accept"),
    ("Repeat the payment once more.", 1, "ask"),
    ("Zahle die Rechnung zweimal.", 1, "accept"),
    ("Zahl mal die Rechnung.", 1, "ask"),
    ("Zahl sie bitte sieben mal.", 6, "accept"),
    ("Paie tout en une seule fois.", 1, "ask"),
    ("Paie-la plusieurs fois.", 1, "accept"),
    ("Betaal de rekening twee keer.", 1, "accept"),
    ("Pay bill 7.", 1, "ask"),
    ("Pay 3 euros for bill 7.", 1, "ask"),
    ("They charged me twice! Pay bill 7 anyway.", 1, "ask"),
    ("Pay bill 7 and then never do it again.", 1, "ask"),
    ("Pay the two bills, 7 and 8.", 1, "ask"),
    ("Pay the bill for me and another one for Bo.", 1, "accept"),
    ("Zahle die Rechnung und dann noch eine.", 1, "accept"),
]  # fmt: skip


@every_row(("asked", "done", "expected"), WORDS)
def test_the_user_s_words_allow_an_act_again(asked, done, expected):
    """As often as they say; after that a small model's act is asked about and not done again."""
    found = review_of(*PAID * done, asked=asked, is_small=True)
    assert (found.outcome, found.final) == (expected, expected == "ask")


REMINDER = HumanMessage("<system-reminder>\nThe todo list is empty.\n</system-reminder>")
PICTURE = HumanMessage([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}])
SUMMARY = HumanMessage("Bill 7 is due.", additional_kwargs={"lc_source": "summarization"})
NOTES = [
    ("a reminder", REMINDER, "ask"),
    ("a picture", PICTURE, "ask"),
    ("an empty message", HumanMessage(" "), "ask"),
    ("a reminder with the user's words", HumanMessage(f"{REMINDER.text} Pay it."), "accept"),
    ("words", HumanMessage("Pay it."), "accept"),
]


@pytest.mark.parametrize(("case", "note", "expected"), NOTES, ids=[case for case, *_ in NOTES])
def test_a_note_after_a_result_is_not_the_user(case, note, expected):
    """Programs send reminders and pictures as the user's messages: the act was done all the same."""
    assert review_of(*PAID, note, is_small=True).outcome == expected
    assert review_of(*PAID, PICTURE, REMINDER, note, is_small=True).outcome == expected
    looked = review_of(*LOOKED * 2, note, name="get_bill", is_small=True)
    assert looked.outcome == expected


def test_a_summary_is_not_the_user():
    """What an agent's middleware wrote in place of the first messages does not end the run."""
    assert review_of(*PAID, asked=[SUMMARY], is_small=True).final


@pytest.mark.parametrize("note", [REMINDER, PICTURE])
def test_a_note_does_not_hide_the_user_s_words(note):
    """Who asked for two payments gets two."""
    assert review_of(*PAID, note, asked="Pay bill 7 twice.", is_small=True).outcome == "accept"


@pytest.mark.parametrize("facts", [{"chosen": True}, {"is_answer": True}])
def test_a_demanded_act_is_done(facts):
    """The caller wants it."""
    assert review_of(*PAID, is_small=True, **facts).outcome == "accept"


def test_where_any_call_must_come_an_act_is_done_once():
    """An agent whose answer is a call would pay without end: any other call is asked for."""
    found = review_of(*PAID, is_small=True, forced=True)
    assert (found.outcome, found.final, found.demands) == ("ask", True, True)
    assert found.offers == ("send_mail", "get_bill", "run_tests", "charge_card", "check")
    assert review_of(*LOOKED, name="get_bill", is_small=True, forced=True).outcome == "accept"


def test_a_small_model_does_not_act_twice_in_one_reply():
    """The second one is left out without a question, unless the user asked for two; a larger model may mean both."""
    same = Call("pay_bill", BILL, "", "json", explicit=False)
    other = Call("pay_bill", {"bill": "8"}, "", "json", explicit=False)
    found = review_of(beside=(same,), is_small=True)
    assert (found.outcome, found.code) == ("hold_back", "repeated_call")
    assert review_of(beside=(other,), is_small=True).outcome == "accept"
    assert review_of(beside=(same,), is_small=False).outcome == "accept"
    assert review_of(asked="Pay it twice.", beside=(same,), is_small=True).outcome == "accept"


@pytest.mark.parametrize("way", WAYS)
def test_an_act_that_was_left_out_beside_an_equal_one_is_reported_as_not_made(way):
    """The one that was made is not the one that was doubted."""
    pay = json.dumps({"name": "pay_bill", "arguments": BILL})
    llm = GenericFakeChatModel(messages=iter([AIMessage(f"{pay}\n{pay}")]))
    schema = {"type": "object", "properties": {"bill": {"type": "string"}}}
    bound = {"name": "pay_bill", "description": "Pay a bill.", "parameters": schema}
    model = ChatToolEmu(llm=llm, mode="force", model_size=1).bind_tools([bound])
    message = ask(model, [HumanMessage("Pay bill 7.")], way)
    assert [one["args"] for one in message.tool_calls] == [BILL]
    [doubt] = message.response_metadata["toolemu"]["doubted"]
    assert (doubt["name"], doubt["made"]) == ("pay_bill", False)


REPEATABLE = [
    ("a key is pressed, tests are run", "run_tests", BILL, 1, "accept"),
    ("without arguments", "run_tests", {}, 5, "accept"),
    ("the third time", "run_tests", BILL, 2, "accept"),
    ("one call for each", "charge_card", BILL, 2, "accept"),
]


@pytest.mark.parametrize(("case", "name", "args", "times", "expected"), REPEATABLE)
@pytest.mark.parametrize("is_small", [True, False])
def test_some_tools_may_be_repeated(case, name, args, times, expected, is_small):
    """Their second call is no second payment."""
    done = step(name, "passed", args) * times
    assert review_of(*done, name=name, args=args, is_small=is_small).outcome == expected


@pytest.mark.parametrize(("result", "expected"), [("Error: no such suite", "ask"), ("Error: 2 failed", "accept")])  # fmt: skip
def test_what_may_be_repeated_is_not_if_its_values_are_wrong(result, expected):
    """A small model is to look up the right ones; a test that fails may be run again."""
    done = step("run_tests", result, BILL)
    assert review_of(*done, name="run_tests", args=BILL, is_small=True).outcome == expected


STUCK = [
    ("twice", 2, "Run the tests.", True, "accept"),
    ("three times", 3, "Run the tests.", True, "ask"),
    ("four times: it was insisted on", 4, "Run the tests.", True, "accept"),
    ("five times", 5, "Run the tests.", True, "ask"),
    ("as often as was asked for", 3, "Run the tests three times.", True, "hold"),
    ("three times, by a larger model", 3, "Run the tests.", False, "accept"),
    ("three times, of five that were asked for", 3, "Run the tests 5 times.", True, "accept"),
    ("until something happens", 7, "Run the tests until one of them fails.", True, "accept"),
    ("until something happens, in German", 7, "Starte die Tests, bis einer fehlschlägt.", True, "accept"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "times", "asked", "is_small", "expected"), STUCK, ids=[case for case, *_ in STUCK])  # fmt: skip
def test_a_small_model_that_gets_the_same_result_again_and_again_is_stopped(case, times, asked, is_small, expected):  # fmt: skip
    """What may be repeated is asked about, and made if the model insists, unless the user said how often."""
    done = rounds(*["passed"] * times, args=BILL, name="run_tests")
    found = review_of(*done, asked=asked, name="run_tests", is_small=is_small)
    outcome = "ask" if expected == "hold" else expected
    assert (found.outcome, found.final) == (outcome, expected == "hold")


@pytest.mark.parametrize(("is_small", "expected"), [(True, "ask"), (False, "accept")])
def test_a_small_model_that_starts_over_is_asked(is_small, expected):
    """Having made two calls at once, it begins with the first again: all that it did would be done again."""
    calls = [{"name": name, "args": BILL, "id": name} for name in ("run_tests", "press_key")]
    results = [ToolMessage("done", tool_call_id=call["id"]) for call in calls]
    done = [AIMessage("", tool_calls=calls), *results]
    found = review_of(*done, asked="Run the tests.", name="run_tests", is_small=is_small)
    assert found.outcome == expected


LOOK_UPS = [
    ("once", ["blue"], True, "ask", False),
    ("twice", ["blue", "blue"], True, "ask", True),
    ("three times", ["blue"] * 3, True, "ask", True),
    ("twice, by a larger model", ["blue", "blue"], False, "accept", False),
    ("five times, by a larger model", ["blue"] * 5, False, "ask", False),
    ("with another result", ["blue", "red"], True, "accept", False),
    ("with another result, then the same twice", ["red", "blue", "blue"], True, "ask", True),
    ("it is pending", ["pending", "pending"], True, "accept", False),
    ("it is in progress", ["in progress: 7"] * 2, True, "accept", False),
    ("it is at 40 %", ["40%", "40%"], True, "accept", False),
    ("it is not ready", ["The bill is not ready."] * 2, True, "accept", False),
    ("it failed", [ValueError("no")] * 2, True, "accept", False),
    ("it failed in words", ["Error: no"] * 2, True, "accept", False),
]


@pytest.mark.parametrize(("case", "results", "is_small", "expected", "final"), LOOK_UPS, ids=[case for case, *_ in LOOK_UPS])  # fmt: skip
def test_a_small_model_s_third_identical_look_up_is_not_made(case, results, is_small, expected, final):  # fmt: skip
    """After two identical results, unless these say that something goes on."""
    done = rounds(*results, args=BILL, name="get_bill")
    found = review_of(*done, asked="Which bill?", name="get_bill", is_small=is_small)
    assert (found.outcome, found.final) == (expected, final)


def test_a_decimal_is_no_number_of_times():
    """A rate of 0.17 does not ask for seventeen runs."""
    done = rounds(*["passed"] * 3, args=BILL, name="run_tests")
    words = "Run the tests, replace 0.17 by 0.193, and run the tests again."
    assert review_of(*done, asked=words, name="run_tests", is_small=True).final


def test_a_look_up_may_be_made_again_after_an_act():
    """What an act may have changed is worth another look, but not one more if it was the same."""
    done = [*LOOKED, *MAILED, *LOOKED]
    assert review_of(*done, asked="Which?", name="get_bill", is_small=True).final
    assert not review_of(*done[:-2], *MAILED, asked="Which?", name="get_bill", is_small=True).final
    assert review_of(*LOOKED, *MAILED, name="get_bill", is_small=True).outcome == "accept"


@pytest.mark.parametrize("done", [[*LOOKED, *OTHER, *LOOKED, *OTHER], [*LOOKED, *OTHER, *LOOKED]])
def test_a_third_look_up_tells_nothing_new_if_nothing_was_done_in_between(done):
    """Other look-ups change nothing; only an act does."""
    assert review_of(*done, asked="Which?", name="get_bill", is_small=True).final


BOOKING = [
    ToolSpec("find_flights", "", {}),
    ToolSpec("book_flight", "", {}),
    ToolSpec("reserve_hotel", "", {}),
]


@pytest.mark.parametrize(
    ("asked", "is_small", "offers"),
    [
        ("Find a flight and book it.", True, ("book_flight",)),
        ("Find a flight and book it.", False, ("book_flight", "reserve_hotel")),
        ("To Rome, please.", True, ("book_flight", "reserve_hotel")),
        ("Find a flight, and if it is cheap, book it.", True, ("book_flight", "reserve_hotel")),
    ],
)
def test_who_repeats_a_look_up_is_offered_what_is_left_to_do(asked, is_small, offers):
    """A small model that is offered all other tools makes a call of one that nobody asked for."""
    made = Call("find_flights", {"to": "Rome"}, "", "json", explicit=False)
    talk = [HumanMessage(asked), *rounds("LH 1", args=made.args, name="find_flights")]
    facts = CallContext(BOOKING[0], BOOKING, Conversation(talk), is_small=is_small)
    found = NotRepeated().review(made, facts)
    assert (found.outcome, found.offers) == ("ask", offers)


@every_row(
    ("asked", "expected"),
    [
        ("Book the flight and run the tests again.", "ask"),
        ("Book the flight, then book it again.", "accept"),
        ("Book the flight twice.", "accept"),
        ("She has asked me twice now. Book the flight.", "ask"),
        ("Sie hat mich zweimal gefragt. Buche den Flug.", "ask"),
        ("Elle m'a demandé deux fois. Book the flight.", "ask"),
        ("The bell has to ring, so book it twice.", "accept"),
    ],
)
def test_what_is_wanted_again_is_neither_another_act_nor_the_past(asked, expected):
    """The words between "and" and "again" say of which tool it is; who has asked twice wants it once."""
    tools = [*BOOKING, ToolSpec("run_tests", "", {})]
    made = Call("book_flight", {"to": "Rome"}, "", "json", explicit=False)
    talk = [HumanMessage(asked), *rounds("ok", args=made.args, name="book_flight")]
    facts = CallContext(BOOKING[1], tools, Conversation(talk), is_small=True)
    assert NotRepeated().review(made, facts).outcome == expected
