"""What a bill says of the tools, by tables of real and reckoned bills."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_toolemu.model_facts.token_count import can_hold, judge_token_count
from tests.tables import every_row
from tests.thoroughness import examples, share


def tool(name="get_weather", description="Get the weather of a city.", **properties):
    schema = {"type": "object", "properties": properties or {"city": {"type": "string"}}}
    function = {"name": name, "description": description, "parameters": schema}
    return {"type": "function", "function": function}


WEATHER = tool()
SEARCH = tool(
    "search_flights",
    "Search for flights between two airports on a given day. Returns at most ten, cheapest first.",
    origin={"type": "string", "description": "The IATA code of the airport of departure."},
    destination={"type": "string", "description": "The IATA code of the airport of arrival."},
    date={"type": "string", "description": "The day of departure, such as 2025-01-31."},
)
PARIS = [HumanMessage("What is the weather in Paris?")]
AGENT = [SystemMessage("You are a helpful travel agent. Answer in one sentence."), *PARIS]
LONG = [HumanMessage("Tell me about the history of aviation, please. " * 200)]


@every_row(
    ("tokens", "messages", "tools", "expected"),
    [
        # SmolLM2 on llama-server, measured: 27 with the tool and 27 without.
        (27, PARIS, [WEATHER], "dropped"),
        # The same with ten tools: the design notes report a bill that does not grow.
        (27, PARIS, [WEATHER] * 10, "dropped"),
        # A bare template: the question alone is 7 tokens, measured.
        (7, PARIS, [WEATHER], "dropped"),
        # The tersest way to write a tool that is known, OpenAI's, by its own rules: 14 and 39.
        (53, PARIS, [WEATHER], "unclear"),
        # The same tool as JSON in a prompt, measured with SmolLM2's tokenizer: 27 and 51.
        (78, PARIS, [WEATHER], "unclear"),
        # Two tools as JSON beside a system message.
        (230, AGENT, [WEATHER, SEARCH], "counted"),
        (40, AGENT, [WEATHER, SEARCH], "dropped"),
        (90, AGENT, [WEATHER, SEARCH], "dropped"),
        # A default system message may be this long, so a small excess proves nothing.
        (110, PARIS, [WEATHER], "unclear"),
        (200, PARIS, [WEATHER], "counted"),
        # Beside a long message one tool is within the error of the estimate.
        (1_580, LONG, [WEATHER], "unclear"),
        (2_000, LONG, [WEATHER], "unclear"),
        # A prompt that was cut to the context, or a bill without what was cached: no whole bill.
        (512, LONG, [WEATHER] * 40, "unclear"),
        (50_000, LONG * 20, [WEATHER] * 400, "unclear"),
        (3, PARIS, [WEATHER], "unclear"),
        # More than the messages explain and less than ten tools take: perhaps some of them.
        (150, PARIS, [WEATHER] * 10, "unclear"),
        # Ten tools that are plainly there.
        (1_400, AGENT, [SEARCH] * 10, "counted"),
        (None, PARIS, [WEATHER], "unclear"),
        (0, PARIS, [WEATHER], "unclear"),
        (27, PARIS, [], "unclear"),
        (27, PARIS, [{"type": "web_search"}], "unclear"),
        (27, PARIS, [WEATHER, {"type": "web_search"}], "unclear"),
    ],
)
def test_a_bill_is_judged_conservatively(tokens, messages, tools, expected):
    """Plainly too few is dropped, plainly more than the messages take is counted, anything else is unclear."""
    assert judge_token_count(tokens, messages, tools) == expected


def test_a_sum_that_is_none_is_unclear():
    """More cached tokens than tokens in all means that the bill counts only the rest."""
    assert judge_token_count(27, PARIS, [WEATHER], cached=26) == "dropped"
    assert judge_token_count(27, PARIS, [WEATHER], cached=500) == "unclear"


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "url": "https://example.com/a.png"},
        {"type": "image_url", "image_url": {"url": "data:..."}},
        {"type": "input_audio", "input_audio": {}},
        {"type": "file", "base64": "x"},
    ],
)
@pytest.mark.parametrize("tokens", [5, 27, 5_000])
def test_what_is_not_text_is_unclear(block, tokens):
    """Nobody knows how many tokens an image takes."""
    messages = [HumanMessage([{"type": "text", "text": "What is this?"}, block])]
    assert judge_token_count(tokens, messages, [WEATHER]) == "unclear"


def test_history_counts_on_the_safe_side():
    """Thoughts and results may be left out of a prompt, so they do not raise what it must hold; calls may be in it."""
    call = {"name": "get_weather", "args": {"city": "Paris " * 100}, "id": "c"}
    history = [
        *PARIS,
        AIMessage("<think>" + "Let me see. " * 100 + "</think>", tool_calls=[call]),
        ToolMessage("22 degrees " * 100, tool_call_id="c"),
    ]
    assert judge_token_count(27, history, [WEATHER]) == "dropped"
    assert judge_token_count(500, history, [WEATHER]) == "unclear"


@pytest.mark.parametrize(
    "text",
    [
        "1234567890" * 20,
        "今天巴黎的天气怎么样" * 20,
        "aGVsbG8gd29ybGQgdGhpcyBp" * 20,
        "😀🎉" * 40,
    ],
    ids=["digits", "Chinese", "base64", "emoji"],
)
def test_texts_that_take_many_tokens_do_not_look_like_tools(text):
    """A token a byte, as small vocabularies need here, is not taken for the tools' tokens."""
    assert judge_token_count(len(text.encode()) + 40, [HumanMessage(text)], [WEATHER]) != "counted"


@pytest.mark.parametrize("text", [" " * 5_000, "=" * 5_000, "\n    " * 1_000], ids=["spaces", "line", "indents"])  # fmt: skip
def test_texts_that_take_few_tokens_do_not_look_like_dropped_tools(text):
    """Runs of one character are a few tokens, which leave room for the tools."""
    assert judge_token_count(120, [HumanMessage("Hi" + text)], [WEATHER]) == "unclear"


@settings(max_examples=examples(20), deadline=None)
@given(st.text(max_size=100))
def test_a_growing_bill_moves_one_way(text):
    """As the bill grows it is unclear, dropped, unclear and counted, in that order, each perhaps left out."""
    messages = [HumanMessage(text)]
    bills = share(range(1, 800, 7), 0, 3)
    judged = [judge_token_count(count, messages, [WEATHER, SEARCH]) for count in bills]
    runs = [judgement for judgement, _ in itertools.groupby(judged)]
    assert runs[-1] == "counted"
    assert [run for run in runs if run != "unclear"] in (["dropped", "counted"], ["counted"])


@every_row(
    ("tokens", "messages", "held"),
    [
        (7, PARIS, True),
        (1_580, LONG, True),  # SmolLM2, measured
        (600, LONG, False),
        (600, [HumanMessage([{"type": "image_url", "image_url": "x"}]), *LONG], True),
        (100, LONG * 20, True),  # too long to be looked through
        (10, [AIMessage("<think>" + "Hm, let me see. " * 50 + "</think>Yes.")], True),
        (100, [HumanMessage("=" * 3000)], True),  # one sign over and over may be few tokens
        (0, [], True),
    ],
)
def test_what_so_many_tokens_can_hold(tokens, messages, held):
    """Only what no vocabulary could write so tersely is not held."""
    assert can_hold(tokens, messages) is held
