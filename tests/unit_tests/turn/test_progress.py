"""What an agent has done after each result, and what it began with and did not do."""

from langchain_core.messages import AIMessage, HumanMessage

from langchain_toolemu.policy import Conversation
from langchain_toolemu.turn.progress import progress_at
from tests.unit_tests.policy.talks import call, each, rounds, spec

TOOLS = [spec(name) for name in ("find_flights", "book_flight", "reserve_hotel")]
FIND, BOOK, STAY = (call(tool.name) for tool in TOOLS)
LACKING = {"name": "book_flight", "reason": "value_not_given: 'F-1' was not given", "made": False}
ORDERED = {**LACKING, "reason": "out_of_order: flight needs a result"}
ROME = HumanMessage("Get me to Rome.")


def begun(*doubted):
    """A reply of which these calls were doubted, and a look-up's result."""
    reply, result = rounds((FIND, "LH 7"))
    report = {"toolemu": {"doubted": [*doubted]}}
    return [reply.model_copy(update={"response_metadata": report}), result]


PROGRESS = [
    ("a look-up was made", [ROME, *begun()], ("", "")),
    ("an act lacked a value", [ROME, *begun(LACKING)], ("book_flight", "")),
    ("an act was to wait", [ROME, *begun(ORDERED)], ("book_flight", "")),
    ("it was made", [ROME, *begun({**LACKING, "made": True})], ("", "")),
    ("it was wrong otherwise", [ROME, *begun({**LACKING, "reason": "from_result: it stands"})], ("",
        "")),
    ("two acts lacked one", [ROME, *begun(LACKING, {**LACKING, "name": "reserve_hotel"})], ("",
        "")),
    ("only a look-up lacked one", [ROME, *begun({**LACKING, "name": "find_flights"})], ("", "")),
    ("of a tool that is not bound", [ROME, *begun({**LACKING, "name": "book_train"})], ("", "")),
    ("it was done since", [ROME, *begun(LACKING), *rounds((BOOK, "ok"))], ("", "book_flight")),
    ("it failed since", [ROME, *begun(LACKING), *rounds((BOOK, ValueError("no")))], ("book_flight",
        "")),
    ("another was done since", [ROME, *begun(LACKING), *rounds((STAY, "ok"))], ("book_flight",
        "reserve_hotel")),
    ("two were done, one twice", [ROME, *rounds((BOOK, "ok"), (STAY, "ok"), (BOOK, "ok"))], ("",
        "book_flight and reserve_hotel")),
    ("the user spoke since", [ROME, *begun(LACKING), HumanMessage("Flights?"), *rounds((FIND,
        "LH"))], ("", "")),
    ("the report is another's", [ROME, AIMessage("", response_metadata={"toolemu": "x"}), *begun()],
        ("", "")),
]  # fmt: skip


@each("messages expected", PROGRESS)
def test_which_act_is_left_and_which_are_done(messages, expected):
    """By the report of the replies and the results; what was said of older results stays."""
    progress = progress_at(messages, Conversation(messages), TOOLS)
    assert progress[len(messages) - 1] == expected
    for place in progress:
        older = messages[: place + 1]
        assert progress_at(older, Conversation(older), TOOLS)[place] == progress[place]
