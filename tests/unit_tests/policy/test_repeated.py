"""Which answered calls are asked about or not done again, and which look-ups come too late."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import InTime, NotRepeated
from tests.unit_tests.policy.talks import call, each, review, rounds, spec, verdict

TOOLS = [spec(name) for name in ("get_bill", "find_mail", "pay_bill", "send_mail", "run_tests")]
LOOK, FIND = call("get_bill", bill="7"), call("find_mail", name="Ana")
PAY, MAIL, RUN = (
    call("pay_bill", bill="7"),
    call("send_mail", to="Ana"),
    call("run_tests", suite="a"),
)
PAY_8, FAIL = call("pay_bill", bill="8"), ValueError("offline")
DEFAULT, CAREFUL = NotRepeated(), NotRepeated(careful=True)


def reply(*made):
    """One reply with several calls, each answered with "ok"."""
    calls = [{"name": one.name, "args": one.args, "id": f"b{n}"} for n, one in enumerate(made)]
    results = [ToolMessage("ok", tool_call_id=one["id"]) for one in calls]
    return [AIMessage("", tool_calls=calls), *results]


def done(*made):
    """A round for each call, answered with "ok"."""
    return rounds(*((one, "ok") for one in made))


REPEATS = [
    # what was done, the history, the call, the verdict of default, of careful
    ("nothing", [], PAY, "accept", "accept"),
    ("the act", done(PAY), PAY, "ask", "refuse"),
    ("the act, twice", done(PAY, PAY), PAY, "accept", "refuse"),
    ("the act with other arguments", done(PAY_8), PAY, "accept", "accept"),
    ("on, off, on", done(PAY, PAY_8), PAY, "accept", "accept"),
    ("the act, then a look-up", done(PAY, LOOK), PAY, "accept", "refuse"),
    ("the act, then another one", done(PAY, MAIL), PAY, "accept", "refuse"),
    ("two acts over and over", done(PAY, MAIL, PAY, MAIL), PAY, "accept", "refuse"),
    ("the act, which failed", rounds((PAY, FAIL)), PAY, "accept", "accept"),
    ("the act, without a result", done(PAY)[:1], PAY, "accept", "accept"),
    ("the act, before the user spoke", [*done(PAY), HumanMessage("And now?")], PAY, "accept",
        "accept"),
    ("the act beside another", reply(MAIL, PAY), PAY, "ask", "refuse"),
    ("the look-up", done(LOOK), LOOK, "ask", "ask"),
    ("the look-up, insisted on", done(LOOK, LOOK), LOOK, "accept", "ask"),
    ("the look-up, then another", done(LOOK, FIND), LOOK, "accept", "ask"),
    ("the look-up, then an act", done(LOOK, PAY), LOOK, "accept", "accept"),
    ("the look-up, which changes", rounds((LOOK, "open"), (LOOK, "paid")), LOOK, "accept",
        "accept"),
    ("the look-up, which failed", rounds((LOOK, FAIL)), LOOK, "accept", "accept"),
    ("the look-up, before the user spoke", [*done(LOOK), HumanMessage("And now?")], LOOK, "accept",
        "accept"),
    ("five equal results", done(*[LOOK] * 5), LOOK, "ask", "refuse"),
    ("five results, one of them another", rounds(*[(LOOK, "ok")] * 4, (LOOK, "fine")), LOOK,
        "accept", "accept"),
    ("no arguments", done(call("get_bill")), call("get_bill"), "accept", "ask"),
    ("what may be repeated", done(RUN), RUN, "accept", "accept"),
    ("what may be repeated, five times", done(*[RUN] * 5), RUN, "ask", "ask"),
]  # fmt: skip


@each("messages made default careful", REPEATS)
def test_a_call_that_was_answered(messages, made, default, careful):
    """By default asked about once; an act is not done again for a small model."""
    for check, expected in ((DEFAULT, default), (CAREFUL, careful)):
        found = review(check, made, TOOLS, "Pay the bill.", *messages)
        assert verdict(found) == expected
        assert found.code == ("" if expected == "accept" else "repeated_call")


COUNTS = [
    # the user's words, how often they allow the payment of bill 7
    ("Pay the bill.", 1),
    ("Pay bill 7.", 1),  # the count is a value of the call
    ("Pay the bill 3 times.", 3),
    ("Pay the bill x2.", 2),
    ("2x pay, please.", 2),
    ("Two waters: 4 glasses.", 4),
    ("Pay 120 dollars.", 1),
    ("Pay at 3:30 by room-2 for 0.5.", 1),
]
WORDS = [
    ("English", "Pay it twice.", "Pay it."),
    ("another", "Pay another bill.", "Pay a bill."),
    ("each", "Pay it for each guest.", "Pay it for a guest."),
    ("until", "Pay until it is paid.", "Pay it now."),
    ("Chinese", "付给Ann两次", "付给Ann"),
    ("German", "Bezahle sie zweimal.", "Bezahle sie."),
    ("French", "Paie-la deux fois.", "Paie-la."),
    ("Spanish", "Paga dos veces.", "Paga la factura."),
    ("Portuguese", "Pague duas vezes.", "Pague a conta."),
    ("Italian", "Paga due volte.", "Paga il conto."),
    ("Russian", "Заплати дважды.", "Заплати."),
    ("Japanese", "もう一度支払って", "支払って"),
    ("Arabic", "ادفع مرتين", "ادفع"),
    ("Hindi", "दो बार भुगतान करो", "भुगतान करो"),
]


def again(*messages, asked="Pay it.", **facts):
    """What a small model's payment of bill 7 gets after these messages."""
    return verdict(review(CAREFUL, PAY, TOOLS, asked, *messages, **facts))


@pytest.mark.parametrize(("asked", "times"), COUNTS)
def test_a_count_in_the_user_s_words_allows_repeats(asked, times):
    """As often as it says; a number that is a value, a time or a part of a word is none."""
    found = [review(CAREFUL, PAY, TOOLS, asked, *done(*[PAY] * n)) for n in (times - 1, times)]
    assert [one.outcome for one in found] == ["accept", "ask"]


@each("more once", WORDS)
def test_again_in_the_user_s_words_allows_a_repeat(more, once):
    """One is made, and a further one if the model insists; without such a word none is."""
    assert again(*done(PAY), asked=more) == "accept"
    assert again(*done(PAY, PAY), asked=more) == "ask"
    assert again(*done(PAY), asked=once) == "refuse"


def test_only_the_user_s_own_last_words_count():
    """Neither an earlier question's nor a result's."""
    talk = [*done(PAY), AIMessage("Paid."), HumanMessage("Pay bill 7."), *done(PAY)]
    assert again(*talk, asked="Pay it twice.") == "refuse"
    assert again(*rounds((PAY, "Pay it twice."))) == "refuse"


NOTES = [
    (HumanMessage("<system-reminder>\nThe list is empty.\n</system-reminder>"), True),
    (HumanMessage([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]), True),
    (HumanMessage(" "), True),
    (HumanMessage("So far: paid.", additional_kwargs={"lc_source": "summarization"}), True),
    (HumanMessage("<system-reminder>\nEmpty.\n</system-reminder> Pay it."), False),
    (HumanMessage("Pay it."), False),
]


@pytest.mark.parametrize(("note", "is_note"), NOTES)
def test_a_note_after_a_result_is_not_the_user(note, is_note):
    """Programs send reminders, pictures and summaries: the act was done all the same."""
    assert again(*done(PAY), note) == ("refuse" if is_note else "accept")


def test_several_in_one_reply_are_made():
    """Two equal calls beside each other are two, for any model."""
    assert again(beside=[PAY], earlier=[PAY]) == "accept"


def test_what_a_caller_demands_is_made():
    """This very call always; where any call will do, another tool than the act's is."""
    said = ["Pay it.", *done(PAY)]
    for facts in ({"chosen": True}, {"is_answer": True}):
        assert again(*done(PAY), **facts) == "accept"
    found = review(CAREFUL, PAY, TOOLS, *said, forced=True)
    assert (verdict(found), found.demands) == ("refuse", True)
    assert found.offers == ("get_bill", "find_mail", "send_mail", "run_tests")
    assert verdict(review(CAREFUL, LOOK, TOOLS, "Pay.", *done(LOOK), forced=True)) == "accept"


def test_who_repeats_a_look_up_is_offered_the_other_tools():
    """A small model that is shown its call only writes it again; a larger one is told."""
    small, large = (review(check, LOOK, TOOLS, "Pay.", *done(LOOK)) for check in (CAREFUL, DEFAULT))
    others = ("find_mail", "pay_bill", "send_mail", "run_tests")
    assert (small.offers, small.demands, small.correction) == (others, False, "")
    assert (large.offers, bool(large.correction)) == ((), True)


FAILED = [
    ("Error: no money", "No errors: paid"),
    ("error - no money", "Errors: 0"),
    ("Traceback (most recent call last):", "Trace 7: paid"),
    ("404 Not Found", "Paid 404 euros"),
    ("500: Internal Server Error", "Points: 500"),
    ("HTTP Error 404: Not Found", "HTTP 200"),
    ("ValueError: busy", "Value: busy"),
    ("Failed to pay bill 7", "Failed payments: none"),
    ('{"error": "no money"}', '{"ok": true, "error": null}'),
    ('{"error": {"code": 7}}', '{"success": true, "error": "none"}'),
    (' {"ok": false}', '{"paid": false}'),
    ('{"errors": ["no money"]}', '{"errors": []}'),
    ('{"isError": true}', '{"a":' + "[" * 1900 + "]" * 1900 + "}"),
]


@pytest.mark.parametrize(("failure", "success"), FAILED, ids=[row[0][:12] for row in FAILED])
def test_what_failed_may_be_done_again(failure, success):
    """By how its result begins, in a text or a block; anything else was done."""
    asked, told = rounds((PAY, failure))
    block = told.model_copy(update={"content": [{"type": "text", "text": failure}]})
    assert (again(asked, told), again(asked, block)) == ("accept", "accept")
    assert again(*rounds((PAY, success))) == "refuse"


LATE = [
    ("a look-up", LOOK, done(FIND), {}, "refuse"),
    ("an act", PAY, done(FIND), {}, "accept"),
    ("what may be repeated", RUN, done(FIND), {}, "accept"),
    ("the first of the run", LOOK, [], {}, "accept"),
    ("a demanded one", LOOK, done(FIND), {"forced": True}, "accept"),
    ("an answer", LOOK, done(FIND), {"is_answer": True}, "accept"),
]


@each("made messages facts expected", LATE)
def test_a_look_up_in_the_last_step_is_not_made(made, messages, facts, expected):
    """Nobody would read its result; in any earlier step it is made."""
    found = review(InTime(), made, TOOLS, "Pay it.", *messages, is_last_step=True, **facts)
    assert (verdict(found), found.code) == (expected, "too_late" if expected == "refuse" else "")
    assert verdict(review(InTime(), made, TOOLS, "Pay it.", *messages, **facts)) == "accept"
