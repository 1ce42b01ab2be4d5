"""What follows an error of a request: tables of errors, and the requests that come after them."""

from json import JSONDecodeError

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from pydantic import BaseModel, ValidationError

from langchain_toolemu.errors import PolicyError
from langchain_toolemu.turn import after_error
from tests.scripted_turns import Said, play, watch_rules
from tests.tables import every_row
from tests.thoroughness import share
from tests.unit_tests.turn.test_after_native import NATIVE, SKY
from tests.weather import CALL

FORM = {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}  # fmt: skip
ANN = '{"name": "Ann"}'


class _Person(BaseModel):
    name: str


def raised_by(make, *args, **kwargs):
    """The error of a client that cannot make its value of a reply."""
    try:
        make(*args, **kwargs)
    except ValidationError as error:
        return error


class _ServerError(Exception):
    def __init__(self, message, status_code=400):
        super().__init__(message)
        self.status_code = status_code


BAD = _ServerError("Bad Request")
OTHER = ValueError("no")
RATE = _ServerError("Rate limit reached", 429)
TOOLS = _ServerError("this model does not support tools")
CHOICE = _ServerError("tool_choice is not supported by this model")
PARALLEL = _ServerError("Unsupported parameter: parallel_tool_calls")
SCHEMA = _ServerError("response_format is not supported")
SYSTEM = _ServerError("System role not supported")
GRAMMAR = ValueError("unknown field: grammar")
LONG = _ServerError("This model's maximum context length is 2048 tokens")
ROOMY = _ServerError("This model's maximum context length is 40960 tokens")
JITER = ValueError("expected value at line 1 column 1")
NO_JSON = JSONDecodeError("Expecting value", "<html>", 0)
MISFIT = raised_by(_Person)
MISREAD = raised_by(AIMessage, "", tool_calls=[{"name": "f", "args": "{}", "id": "1"}])
PARSER = _ServerError("Failed to parse input at pos 3", 500)
POLICY = PolicyError("no")
UNREAD = raised_by(
    AIMessageChunk, "", tool_call_chunks=[{"name": "f", "args": 5, "id": "1", "index": 0}]
)
REASONING = _ServerError("Missing `reasoning_content` field in the assistant message")
NO_REASONING = _ServerError("Unsupported field: reasoning_content")
DENIES = "I cannot access real-time data, sorry."
MISFITTING = '{"name": "get_weather", "arguments": {"town": "Rome"}}'
BROKEN = Said("Hm.", calls=[("get_wether", "{}")])
CALLED = AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Paris"}, "id": "1"}], additional_kwargs={"reasoning_content": "Hm."})  # fmt: skip
THOUGHT = [HumanMessage("Weather?"), CALLED, ToolMessage("22", tool_call_id="1")]

NATIVELY = {"mode": "fallback"}
MANY = {**NATIVELY, "tools": [{"title": f"Tool{n}", "description": "Do it. " * 60, "type": "object", "properties": {}} for n in range(30)]}  # fmt: skip
FORMED = {**NATIVELY, "tools": (), "form": FORM}
TRUSTED = {**NATIVELY, "earlier": [[NATIVE]]}
WITH_GRAMMAR, WITH_SCHEMA = {"constraint": "grammar"}, {"constraint": "schema", "choice": "any"}
SPOKEN = {"messages": [SystemMessage("Be kind."), HumanMessage("Hi")]}


def course(turn, error):
    """The requests, native or in text, and the end: words, or whose error."""
    ways = ["native" if way else "text" for way in turn.natively]
    if turn.error is None:
        return [*ways, turn.message.content]
    # One that is too long is of LangChain's class as well.
    is_same = isinstance(turn.error, type(error)) and str(turn.error) == str(error)
    return [*ways, "raised" if is_same else repr(turn.error)]


# The error, the replies with it, what is asked, and the course of the turn.
TABLE = [
    ("a policy of the wrapped model fails in a check", POLICY, [SKY, Said(error=POLICY)], NATIVELY, ["native", "text", "raised"]),
    ("reasoning is wanted", REASONING, [Said(error=REASONING), SKY], {**TRUSTED, "messages": THOUGHT}, ["native", "native", SKY]),
    ("reasoning is wanted in text", REASONING, [Said(error=REASONING), SKY], {"messages": THOUGHT}, ["text", "text", SKY]),
    ("reasoning is wanted after it was sent", REASONING, [Said(error=REASONING)], {**TRUSTED, "messages": THOUGHT}, ["native", "native", "raised"]),
    ("reasoning is refused", NO_REASONING, [Said(error=NO_REASONING), SKY], {**TRUSTED, "messages": THOUGHT}, ["native", "native", SKY]),
    ("reasoning is refused after it was wanted", NO_REASONING, [Said(error=REASONING), Said(error=NO_REASONING)], {**TRUSTED, "messages": THOUGHT}, ["native", "native", "raised"]),
    ("tools are refused", TOOLS, [Said(error=TOOLS), SKY], NATIVELY, ["native", "text", SKY]),
    ("a choice is refused", CHOICE, [Said(error=CHOICE), CALL], {**NATIVELY, "choice": "any"}, ["native", "text", ""]),
    ("tools are refused where none are sent", TOOLS, [Said(error=TOOLS), SKY], {**NATIVELY, "tools": ()}, ["text", "raised"]),
    ("a limit of calls is refused", PARALLEL, [Said(error=PARALLEL), SKY], {**TRUSTED, "parallel": False}, ["native", "native", SKY]),
    ("it is refused again", PARALLEL, [Said(error=PARALLEL)], {**TRUSTED, "parallel": False}, ["native", "native", "text", "raised"]),
    ("a form of the request is refused", SYSTEM, [Said(error=SYSTEM), SKY], {**TRUSTED, **SPOKEN}, ["native", "native", SKY]),
    ("a form is refused", SCHEMA, [Said(error=SCHEMA), ANN], FORMED, ["text", "text", ANN]),
    ("a client judges a native answer", MISFIT, [Said(error=MISFIT), ANN], FORMED, ["text", "text", ANN]),
    ("a client cannot read a native answer", JITER, [Said(error=JITER), ANN], FORMED, ["text", "text", ANN]),
    ("the same where no form is demanded", JITER, [Said(error=JITER), SKY], NATIVELY, ["native", "raised"]),
    ("a body that is no JSON", NO_JSON, [Said(error=NO_JSON), ANN], FORMED, ["text", "raised"]),
    ("a grammar is refused", GRAMMAR, [Said(error=GRAMMAR), SKY], WITH_GRAMMAR, ["text", "text", SKY]),
    ("a schema is refused", SCHEMA, [Said(error=SCHEMA), CALL], WITH_SCHEMA, ["text", "text", ""]),
    ("a client judges a reply", MISFIT, [Said(error=MISFIT), CALL], WITH_SCHEMA, ["text", "text", ""]),
    ("a client cannot read a reply", JITER, [Said(error=JITER), CALL], WITH_SCHEMA, ["text", "text", ""]),
    ("a system message is refused", SYSTEM, [Said(error=SYSTEM), SKY], {}, ["text", "text", SKY]),
    ("a system message is refused twice", SYSTEM, [Said(error=SYSTEM)], {}, ["text", "text", "raised"]),
    ("a system message was demanded", SYSTEM, [Said(error=SYSTEM), SKY], {"place": "system"}, ["text", "raised"]),
    ("a check fails", OTHER, [SKY, Said(error=OTHER)], NATIVELY, ["native", "text", SKY]),
    ("a check fails that nothing stands for", OTHER, ["", Said(error=OTHER)], NATIVELY, ["native", "text", "raised"]),
    ("a check of an empty reply does not fit", LONG, ["", Said(error=LONG)], NATIVELY, ["native", "text", ""]),
    ("a request after a native reply does not fit", LONG, [f"{SKY} <tool_call>{CALL[:30]}", Said(error=LONG)], NATIVELY, ["native", "text", f"{SKY} <tool_call>{CALL[:30]}"]),
    ("the same, and a call must come", LONG, [SKY, Said(error=LONG)], {**NATIVELY, "choice": "any"}, ["native", "text", "raised"]),
    ("the same, and it may be missing", LONG, [SKY, Said(error=LONG)], {**NATIVELY, "choice": "any", "on_failure": "continue"}, ["native", "text", SKY]),
    ("another error after a native reply", OTHER, [SKY, Said(error=OTHER)], {**NATIVELY, "choice": "any"}, ["native", "text", "raised"]),
    ("a contract does not fit", LONG, [Said(error=LONG)], {}, ["text", "raised"]),
    ("a native request does not fit", LONG, [Said(error=LONG)], NATIVELY, ["native", "raised"]),
    ("many tools do not fit natively", LONG, [Said(error=LONG), SKY], MANY, ["native", "text", SKY]),
    ("many tools fit neither natively nor in text", LONG, [Said(error=LONG)], MANY, ["native", "text", "raised"]),
    ("a conversation beside many tools does not fit", LONG, [Said(error=LONG)], {**MANY, "messages": [HumanMessage("Word. " * 5000)]}, ["native", "raised"]),
    ("a bad request with a grammar", BAD, [Said(error=BAD), SKY], WITH_GRAMMAR, ["text", "text", SKY]),
    ("a bad request with a system message of ours", BAD, [Said(error=BAD), SKY], {}, ["text", "text", SKY]),
    ("a bad request with the schema of a form", BAD, [Said(error=BAD), ANN], {**FORMED, **SPOKEN, "mode": "force"}, ["text", "text", ANN]),
    ("a bad request with the caller's system message", BAD, [Said(error=BAD), SKY], {**SPOKEN, "constraint": "never"}, ["text", "text", SKY]),
    ("the same with a grammar", BAD, [Said(error=BAD), SKY], {**SPOKEN, **WITH_GRAMMAR}, ["text", "text", SKY]),
    ("a bad request without additions", BAD, [Said(error=BAD), SKY], {"place": "user", "constraint": "never"}, ["text", "raised"]),
    ("a bad request, again", BAD, [Said(error=BAD)], {}, ["text", "text", "raised"]),
    ("a request with a grammar that is too long", LONG, [Said(error=LONG)], WITH_GRAMMAR, ["text", "raised"]),
    ("a call is asked for again natively, and then in text", OTHER, [BROKEN, Said(error=OTHER), CALL], NATIVELY, ["native", "native", "text", "Hm."]),
    ("neither way to ask again works", OTHER, [BROKEN, Said(error=OTHER)], NATIVELY, ["native", "native", "text", "Hm."]),
    ("a model was asked to go on", OTHER, ["", Said(error=OTHER)], TRUSTED, ["native", "native", ""]),
    ("a server cannot parse a native reply", PARSER, [Said(error=PARSER), SKY], TRUSTED, ["native", "native", SKY]),
    ("the same once more", PARSER, [Said(error=PARSER), Said(error=PARSER), SKY], TRUSTED, ["native", "native", "text", SKY]),
    ("its client cannot, and never will", UNREAD, [Said(error=UNREAD), SKY], TRUSTED, ["native", "text", SKY]),
    ("the same in text", UNREAD, [Said(error=UNREAD), SKY], {}, ["text", "text", SKY]),
    ("the same as so often before", PARSER, [Said(error=PARSER), SKY], {**NATIVELY, "earlier": [[NATIVE], *[[Said(error=PARSER)] * 2 + [SKY]] * 2]}, ["text", "text", SKY]),
    ("the same twice where there are no tools", PARSER, [Said(error=PARSER)], {**NATIVELY, "tools": ()}, ["text", "text", "raised"]),
    ("a server cannot parse a reply in text", PARSER, [Said(error=PARSER), SKY], {}, ["text", "text", SKY]),
    ("a server cannot parse a reply in text, again", PARSER, [Said(error=PARSER)], {}, ["text", "text", "raised"]),
    ("a rate limit meets another form", RATE, [Said(error=BAD), Said(error=RATE)], NATIVELY, ["native", "text", "raised"]),
    ("a rate limit meets many tools in text", RATE, [Said(error=LONG), Said(error=RATE)], MANY, ["native", "text", "raised"]),
    ("only the reply's limit does not fit beside many tools", ROOMY, [Said(error=ROOMY)], MANY, ["native", "raised"]),
    ("a refusal was asked about", RATE, [DENIES, Said(error=RATE)], {}, ["text", "text", DENIES]),
    ("the same, and a call must come", RATE, [DENIES, Said(error=RATE)], {"choice": "any"}, ["text", "text", "raised"]),
    ("a call stands, and another is asked for again", RATE, [f"{CALL}\n{MISFITTING}", Said(error=RATE)], {}, ["text", "text", ""]),
    ("a call that cannot be made is asked for again", RATE, [MISFITTING, Said(error=RATE)], {}, ["text", "text", "raised"]),
    ("an empty reply", RATE, ["", Said(error=RATE)], {}, ["text", "text", "raised"]),
    ("a policy fails at a further reply", POLICY, [DENIES, Said(error=POLICY)], {}, ["text", "text", "raised"]),
    ("any other error", OTHER, [Said(error=OTHER)], NATIVELY, ["native", "raised"]),
    ("any other error in text", OTHER, [Said(error=OTHER)], {}, ["text", "raised"]),
]  # fmt: skip
STREAMED = [
    ("words were shown", TOOLS, [Said("The sky is ", error=TOOLS), SKY], TRUSTED, ["native", "raised"]),
    ("words were shown, and a client cannot read the rest", JITER, [Said("The sky is ", error=JITER), SKY], TRUSTED, ["native", "raised"]),
    ("words were shown, and a server cannot parse the rest", PARSER, [Said("The sky is ", error=PARSER), SKY], TRUSTED, ["native", "native", f"The sky is \n\n{SKY}"]),
    ("a client fails at calls of a stream", MISREAD, [Said(error=MISREAD)], TRUSTED, ["native", "native", "raised"]),
]  # fmt: skip
WHOLE = ("a client fails at calls of a whole reply", MISREAD, [Said(error=MISREAD), SKY], TRUSTED, ["native", "native", SKY])  # fmt: skip
# Whole and streamed where there is time, else one of them, in turn.
ROWS = [(*row, way) for number, row in enumerate(TABLE) for way in share((False, True), number, 2)]
ROWS += [*((*row, True) for row in STREAMED), (*WHOLE, False)]


@every_row(("case", "error", "replies", "terms", "follows", "streamed"), ROWS)
def test_the_table(case, error, replies, terms, follows, streamed):
    """A part that is refused and not needed is left out; every other error is the caller's."""
    assert course(play(*replies, **terms, streamed=streamed), error) == follows


def test_every_rule_decides_something(monkeypatch):
    """No rule is there for nothing: each decides at least one case of the tables."""
    names = {rule.__name__ for rule in after_error.RULES}
    decided = watch_rules(after_error, monkeypatch)
    for _, _, replies, terms, _, streamed in ROWS:
        play(*replies, **terms, streamed=streamed)
    assert decided == names


def parts_of(request):
    """What of ours a request has that it can do without."""
    messages, kwargs = request
    system = ["system"] if any(message.type == "system" for message in messages) else []
    return {*system, *kwargs.get("extra_body", kwargs)} - {
        "structured_outputs"
    }  # the grammar, as vLLM takes it


# What the first request has, and the second does not.
LEFT_OUT = [
    (GRAMMAR, WITH_GRAMMAR, {"grammar"}),
    (SCHEMA, WITH_SCHEMA, {"response_format"}),
    (SYSTEM, {}, {"system"}),
    (BAD, {}, {"system"}),
    (BAD, WITH_GRAMMAR, {"grammar"}),
    (PARALLEL, {**TRUSTED, "parallel": False}, {"parallel_tool_calls"}),
]


@every_row(("error", "terms", "parts"), LEFT_OUT)
def test_what_is_left_out(error, terms, parts):
    """What was refused, and nothing else; the metadata tell of it."""
    turn = play(Said(error=error), CALL, **terms)
    first, second = map(parts_of, turn.requests)
    assert first - second == parts
    assert [one for one in turn.warnings if one != "tool calls emulated"]


def test_what_took_over_is_told():
    """Emulation, a grammar that was left out, a check that failed."""
    assert play(Said(error=TOOLS), SKY, **NATIVELY).warnings == [
        "the provider does not support tools"
    ]
    left_out = play(Said(error=GRAMMAR), SKY, **WITH_GRAMMAR)
    assert left_out.warnings == ["the request was sent without a grammar"]
    failed = play(SKY, Said(error=OTHER), **NATIVELY)
    assert failed.warnings == ["the check of the native reply failed with ValueError"]


@every_row(
    ("replies", "is_learned"),
    [
        ([Said(error=BAD), SKY], True),
        ([Said(error=BAD), '{"name": "get_time", "arguments": {}}', SKY], True),
        ([Said(error=BAD)], False),
    ],
)
def test_what_a_retry_teaches(replies, is_learned):
    """A server is known to refuse a grammar once a request without it went well."""
    turn = play(SKY, earlier=[replies], **WITH_GRAMMAR)
    assert ("grammar" not in parts_of(turn.requests[0])) is is_learned
