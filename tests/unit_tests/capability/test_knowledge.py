"""`Capability`: which source of a verdict wins, and what a turn can enter."""

import logging
import threading
import warnings

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import HumanMessage
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI

from langchain_toolemu.capability import (
    Capability,
    Trouble,
    endpoint_of,
    memory,
    override_tool_support,
)
from langchain_toolemu.capability.support import ModelDescription, Support
from langchain_toolemu.errors import ToolEmuWarning
from langchain_toolemu.model_facts import InputTokens, Notice
from langchain_toolemu.model_facts.error_text import diagnose
from langchain_toolemu.model_facts.token_count import judge_token_count


def keep_description(endpoint, description):
    memory.update(endpoint, lambda record: record.hear(description))


def chat(model="gpt-4o", url=None):
    return ChatOpenAI(model=model, base_url=url, api_key="x")


def local(model="m"):
    return chat(model, "http://127.0.0.1:1/v1")


TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get the weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


def test_the_sources_strongest_first():
    """User, override, experience, the server's own word, the name: each yields to those before it."""
    llm = chat()
    capability = Capability(llm)
    assert capability.known.support.reason.startswith("LangChain's profile")
    said = {"tools": Support("none", "the server says so", "claimed")}
    keep_description(endpoint_of(llm), ModelDescription(said))
    assert capability.known.support == said["tools"]
    capability.learn("native", "a call came")
    assert capability.known.support == Support("native", "a call came")
    with override_tool_support("openai", "none"):
        assert capability.known.support == Support("none", "overridden for 'openai'")
        explicit = Capability(llm, explicit="native")
        assert explicit.known.support == Support("native", "the constructor says so")
    assert capability.known.verdict == "native"


def test_the_sources_of_the_size_strongest_first():
    """User, the name, what the server counts; if nobody says it, the report says how to."""
    llm, unnamed = (chat(name, "http://127.0.0.1:1/v1") for name in ("qwen2.5:7b", "my-model"))
    for counted in (llm, unnamed):
        keep_description(endpoint_of(counted), ModelDescription({}, 1.5))
    assert Capability(llm).known.size.in_words == "7 billion parameters, as its name says"
    assert Capability(unnamed).known.size.in_words == "1.5 billion parameters, as its server says"
    told = Capability(llm, model_size=0.5)
    assert (told.known.size.billions, told.known.size.in_words) == (0.5, "0.5 billion parameters, as model_size= says")  # fmt: skip
    unknown = "unknown size (pass model_size=7 for 7 billion parameters)"
    assert (Capability(local()).known.size.billions, Capability(local()).known.size.in_words) == (
        None,
        unknown,
    )


def test_nothing_is_known_of_a_name_on_a_local_server():
    """A local server may serve any model under any name."""
    assert Capability(chat("gpt-4o", "http://127.0.0.1:1/v1")).known.verdict == "unknown"


def test_a_class_without_tools_is_known():
    """A chat model that cannot bind tools has none, and its server is not asked."""
    capability = Capability(FakeListChatModel(responses=[]))
    capability.consult()
    assert capability.known.support == Support("none", "FakeListChatModel has no bind_tools")


def test_an_unknown_said_by_the_user_says_nothing():
    """`unknown` leaves the verdict to the other sources."""
    assert Capability(chat(), explicit="unknown").known.verdict == "native"


def test_copies_share_what_one_learned_and_other_names_do_not():
    """A verdict is an endpoint's, not an object's; a call with another model is another endpoint."""
    Capability(local()).learn("none", "it said so")
    assert Capability(local().model_copy()).known.verdict == "none"
    assert Capability(local(), "n").known.verdict == "unknown"
    assert Capability(chat("n", "http://127.0.0.1:1/v1"), "m").known.verdict == "none"


@pytest.mark.parametrize(
    ("words", "axis"),
    [
        ("m does not support tools", "tools"),
        ("m does not support this tool_choice", "tool_choice"),
        ("System role not supported", "system_role"),
    ],
)
def test_a_refusal_is_remembered_by_its_axis(words, axis):
    """What an error refuses for good is refused for later turns too, with the provider's words as the reason."""
    capability = Capability(local())
    trouble = diagnose(ValueError(words))
    assert trouble == Trouble(axis, words)
    capability.learn_from(trouble)
    assert capability.known.supports[axis] == Support("none", f"the provider said: {words}")
    others = {"tools", "tool_choice", "response_format", "system_role"} - {axis}
    assert capability.known.supports.keys().isdisjoint(others)


def test_a_refusal_of_one_kind_of_request_is_not_remembered():
    """That tools are refused in a stream says nothing of the next call."""
    capability = Capability(local())
    trouble = diagnose(ValueError("does not support tool use in streaming mode"))
    assert trouble.axis == "tools"
    capability.learn_from(trouble)
    assert capability.known.verdict == "unknown"


def test_a_bill_that_cannot_hold_the_tools_settles_it():
    """Dropped tools mean none, unless a call was seen already."""
    capability = Capability(local())
    asked = [HumanMessage("What is the weather in Paris?")]
    assert judge_token_count(27, asked, [TOOL]) == "dropped"
    capability.learn_from("tools_dropped")
    assert capability.known.support.reason.startswith("its input tokens cannot hold the tools")
    capability.learn("native", "a call came")
    capability.learn_from("tools_dropped")
    assert capability.known.verdict == "native"


def test_checks_are_wanted_until_something_is_known():
    """Two calls that only emulation finds mean none; three agreements end the checks; a miss starts them again."""
    capability = Capability(local())
    assert capability.known.wants_check
    for _ in range(3):
        capability.learn_from("check_agreed")
    assert not capability.known.wants_check
    capability.learn_from("denied_tools")
    assert capability.known.wants_check
    capability.learn_from("check_found_call")
    assert capability.known.verdict == "unknown"
    capability.learn_from("check_found_call")
    assert capability.known.support == Support("none", "native replies lack the calls that emulation finds")  # fmt: skip
    assert not capability.known.wants_check


def test_what_is_known_is_not_checked():
    """A verdict either way makes checks needless."""
    assert not Capability(chat()).known.wants_check
    assert not Capability(FakeListChatModel(responses=[])).known.wants_check


def test_the_user_is_told_once():
    """One warning for all copies of a model, once its verdict is `none`, with the reason and how to silence it."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        Capability(local()).announce()
        Capability(local()).learn("none", "the provider said no")
        for _ in range(3):
            Capability(local()).announce()
    assert [warning.category for warning in told] == [ToolEmuWarning]
    assert "ChatOpenAI('m') at http://127.0.0.1:1/v1" in str(told[0].message)
    assert "the provider said no" in str(told[0].message)
    assert "Set mode='force'" in str(told[0].message)


def test_a_demanded_call_that_did_not_come_is_about_demands_only():
    """The choice is not trusted again, the tools are; a demand that was met once is believed for good."""
    capability = Capability(local())
    capability.learn_from("choice_ignored")
    assert not capability.known.may_send("tool_choice")
    assert capability.known.verdict == "unknown"
    met = Capability(chat("n", "http://127.0.0.1:1/v1"))
    met.learn_from("native_call")
    met.learn_from("demanded_call")
    met.learn_from("choice_ignored")
    assert met.known.may_send("tool_choice")
    assert met.known.verdict == "native"


def test_what_a_profile_knows_is_not_unlearned_by_one_miss():
    """On its vendor's host a model known to take a choice keeps it."""
    capability = Capability(chat())
    capability.learn_from("choice_ignored")
    assert capability.known.may_send("tool_choice")


def test_decisions_are_logged_with_the_model_they_are_about(caplog):
    """Each line of the log names class, model and address."""
    with caplog.at_level("INFO", "langchain_toolemu"):
        Capability(local()).learn_from(Notice("log", "re-ask 1 (reader: cut_call)"))
    assert caplog.messages == [
        "ChatOpenAI('m') at http://127.0.0.1:1/v1: re-ask 1 (reader: cut_call)"
    ]


# --- the window ---


def sent(tokens):
    """Messages that take about so many tokens."""
    return [HumanMessage("word and word again " * (tokens // 5))]


# Each turn's tokens as sent, as billed, and those out of a cache; then whether a cut is known after each.
BILLS = {
    "cut twice": ([(6000, 2000, 0), (6000, 2000, 0), (6000, 2000, 0)], [False, True, True]),
    "all was counted": ([(6000, 6000, 0)] * 3, [False] * 3),
    "a little less may be another vocabulary": ([(6000, 5000, 0)] * 3, [False] * 3),
    "a cache explains it": ([(6000, 1000, 5000)] * 3, [False] * 3),
    "a cache that explains too little": ([(6000, 500, 500)] * 2, [False, True]),
    "a cache that is not told: the window held as much before": (
        [(6000, 6000, 0), (6000, 500, 0), (6000, 500, 0), (6000, 500, 0)],
        [False] * 4,
    ),
    "a turn between that was whole": (
        [(6000, 2000, 0), (1000, 1000, 0), (6000, 2000, 0), (6000, 2000, 0)],
        [False, False, False, True],
    ),
    "a larger window since": (
        [(6000, 2000, 0), (6000, 2000, 0), (6000, 6000, 0), (6000, 2000, 0)],
        [False, True, False, False],
    ),
}


@pytest.mark.parametrize(("turns", "cut"), BILLS.values(), ids=BILLS)
def test_a_cut_is_known_by_two_bills(turns, cut):
    """A bill that cannot hold what was sent counts if no cache explains it, and only a second one that agrees is enough."""
    known = Capability(local())
    found = []
    for tokens, counted, cached in turns:
        known.learn_from(InputTokens(counted, cached, sent(tokens)))
        found.append(known.known.prompt_truncated)
    assert found == cut


def test_a_cut_is_logged_once_a_model(caplog):
    """Every turn's metadata say it, the log once."""
    for _ in range(3):
        Capability(local()).learn_from(Notice("prompt_truncated", "the server cut"))
    assert [record.getMessage() for record in caplog.records] == [
        "ChatOpenAI('m') at http://127.0.0.1:1/v1: the server cut"
    ]


def test_the_window_by_its_sources():
    """What the client asks for wins over the server's word, and that over a profile, which counts on its vendor's host."""
    profiled = chat("gpt-4o")
    assert Capability(profiled).known.window == profiled.profile["max_input_tokens"]
    assert Capability(chat("gpt-4o", "http://127.0.0.1:1/v1")).known.window is None
    keep_description(endpoint_of(profiled), ModelDescription(window=2048))
    assert Capability(profiled).known.window == 2048
    asking = ChatOllama(model="m", num_ctx=4096)
    keep_description(endpoint_of(asking), ModelDescription(window=2048))
    assert Capability(asking).known.window == 4096


# --- a server whose parser fails ---


def learned(*lessons):
    capability = Capability(local())
    for lesson in lessons:
        capability.learn_from(lesson)
    return capability


def test_a_failed_parser_is_told_once():
    """By a warning, for each endpoint."""
    with pytest.warns(ToolEmuWarning, match="update it"):
        learned(Notice("parser_failed", "update it"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learned(Notice("parser_failed", "update it"))


def test_64_threads_count_every_check():
    """None is lost, and all see the same."""
    capability = learned()
    threads = [
        threading.Thread(target=capability.learn_from, args=("check_agreed",)) for _ in range(64)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory.recall(capability.endpoint).number("checks_agreed") == 64
    assert not capability.known.wants_check


def test_a_changed_verdict_is_logged_once(caplog):
    """Each decision is one line under the package's logger, with its reason."""
    with caplog.at_level(logging.INFO, logger="langchain_toolemu"):
        Capability(local()).learn("none", "the provider said so")
        Capability(local()).learn("none", "the provider said so")
    (record,) = caplog.records
    assert record.getMessage() == (
        "ChatOpenAI('m') at http://127.0.0.1:1/v1 tools: none (the provider said so)"
    )
