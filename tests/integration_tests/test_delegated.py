"""All that is not about tools: what the wrapped model answers for itself, through the wrapper."""

import json
import logging
import pickle

import pytest
from langchain.chat_models import init_chat_model
from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.globals import set_llm_cache
from langchain_core.language_models import FakeListChatModel
from langchain_core.load import dumps
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.rate_limiters import InMemoryRateLimiter
from langchain_openai import ChatOpenAI

from langchain_toolemu import (
    ChatToolEmu,
    ToolChoiceError,
    ToolEmuChatOpenAI,
    ToolSpecError,
    get_toolemu_callback,
)
from langchain_toolemu.contract import Recipe
from tests.essence import essence, four_ways
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.toy_models import Streaming, Toy
from tests.ways import WAYS, ask
from tests.weather import find_city, get_weather

pytestmark = pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning")
SECRET = "sk-very-secret"
BASE = {"model": "gpt-4o", "api_key": SECRET, "base_url": "http://127.0.0.1:1/v1"}
CALL = json.dumps({"name": "get_weather", "arguments": {"city": "Paris"}})


class Counting(InMemoryRateLimiter):
    """Counts how often it was asked."""

    def __init__(self):
        super().__init__(requests_per_second=1000)
        self.asked = 0

    def acquire(self, *, blocking=True):
        self.asked += 1
        return True

    async def aacquire(self, *, blocking=True):
        self.asked += 1
        return True


@pytest.mark.in_turn
@pytest.mark.parametrize("whose", ["wrapped", "wrapper"])
@pytest.mark.parametrize("way", WAYS)
def test_a_rate_limiter_counts_every_way(way, whose):
    """A rate limiter is asked once a call, streamed or not, whichever of the two models it was given to."""
    limiter = Counting()
    given = {"rate_limiter": limiter}
    with ScriptedServer(lambda request: CALL) as server:
        inner = server.chat_model(**(given if whose == "wrapped" else {}))
        llm = ChatToolEmu(llm=inner, mode="force", **(given if whose == "wrapper" else {}))
        ask(llm.bind_tools([get_weather]), "Hi", way)
    assert limiter.asked == 1


@pytest.mark.parametrize("whose", ["wrapped", "wrapper"])
@pytest.mark.parametrize("output_version", ["v0", "v1"])
def test_a_cache_hit_never_repeats_an_id(whose, output_version):
    """The second answer costs no request, and its calls have ids of their own."""
    given = {"cache": InMemoryCache()}
    with ScriptedServer([f"Well. {CALL}", "Done."]) as server:
        inner = server.chat_model(
            output_version=output_version, **(given if whose == "wrapped" else {})
        )
        llm = ChatToolEmu(llm=inner, mode="force", **(given if whose == "wrapper" else {}))
        bound = llm.bind_tools([get_weather])
        first, second, third = (bound.invoke("Hi") for _ in range(3))
        assert len(server.requests) == 1
        ids = [message.tool_calls[0]["id"] for message in (first, second, third)]
        assert len(set(ids)) == 3
        for message in (first, second, third):
            blocks = [block for block in message.content_blocks if block["type"] == "tool_call"]
            assert [block["id"] for block in blocks] == [message.tool_calls[0]["id"]]
        results = [ToolMessage("sunny", tool_call_id=id_) for id_ in ids[:2]]
        bound.invoke([HumanMessage("Hi"), first, results[0], second, results[1]])


@pytest.mark.pairwise
@pytest.mark.parametrize("whose", ["wrapped", "wrapper", "everybody's"])
@pytest.mark.parametrize("kind", [Toy, Streaming])
@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
def test_a_cache_hit_without_usage_is_a_message(mode, kind, whose):
    """A model that reports no tokens says the same out of the cache as before, four ways, counted and in an agent's graph."""
    cache = InMemoryCache()
    inner = kind(said=["Hi there."], cache=cache if whose == "wrapped" else None)
    llm = ChatToolEmu(llm=inner, mode=mode, **({"cache": cache} if whose == "wrapper" else {}))
    set_llm_cache(cache if whose == "everybody's" else None)
    try:
        with get_toolemu_callback():
            said = [essence(llm.invoke("Hi")) for _ in range(2)]
            ways = four_ways(llm, "Hi")
    finally:
        set_llm_cache(None)
    assert len(inner.heard) == 1 if kind is Toy else len(inner.heard) <= 3
    for message in (*said, *ways.values()):
        assert (message["content"], message["toolemu"]) == ("Hi there.", said[0]["toolemu"])


KEYS = {
    "mode": {"mode": "fallback"},
    "dialect": {"contract": Recipe(dialect="tagged")},
    "flow": {"flow": "decision"},
    "constrain": {"contract": Recipe(constraint="never")},
    "an inner parameter": {"temperature": 0.9},
    "the inner model": {"model": "other"},
}


@pytest.mark.parametrize("case", KEYS)
def test_cache_keys_differ(case):
    """Models that would send something else have another key; equal ones share it."""
    plain = ToolEmuChatOpenAI(**BASE, mode="force")
    assert plain._get_llm_string() == ToolEmuChatOpenAI(**BASE, mode="force")._get_llm_string()
    other = ToolEmuChatOpenAI(**{**BASE, "mode": "force", **KEYS[case]})
    assert other._get_llm_string() != plain._get_llm_string()


class Traced(BaseCallbackHandler):
    """Everything that tracers are told."""

    def __init__(self):
        self.told = []

    def on_chat_model_start(self, *args, **kwargs):
        self.told.append(repr((args, kwargs)))

    def on_llm_error(self, error, **kwargs):
        self.told.append(repr((str(error), kwargs)))


@pytest.mark.parametrize("make", ["ChatToolEmu", "ToolEmuChatOpenAI"])
def test_no_secret_in_repr_dumps_traces_logs_or_errors(make, caplog):
    """The key shows nowhere: not in a repr, a trace, the debug log or an error.

    What `dumps` writes of a ToolEmuChatOpenAI can be loaded, and holds headers as ChatOpenAI's does.
    """
    headers = {"X-Secret": SECRET}
    traced = Traced()
    with ScriptedServer(lambda _: Reply(status=400, body={"error": {"message": "no"}})) as server:
        given = {"base_url": server.base_url, "default_headers": headers, "max_retries": 0}
        kept = {**BASE, **given}
        llm = (
            ToolEmuChatOpenAI(**kept, mode="force")
            if make == "ToolEmuChatOpenAI"
            else ChatToolEmu(llm=ChatOpenAI(**kept), mode="force")
        )
        with (
            caplog.at_level(logging.DEBUG, logger="langchain_toolemu"),
            pytest.raises(Exception) as raised,
        ):
            llm.bind_tools([get_weather]).invoke("Hi", config={"callbacks": [traced]})
    shown = [repr(llm), str(llm), caplog.text, repr(raised.value), *traced.told]
    shown += [] if make == "ToolEmuChatOpenAI" else [dumps(llm)]
    assert len(traced.told) == 2
    assert not [text for text in shown if SECRET in text]


def test_the_profile_is_the_wrapped_models_with_what_is_emulated():
    """Limits and modalities are the wrapped model's; tool calling is there, since we give it."""
    inner = ChatOpenAI(**BASE)
    profile = ChatToolEmu(llm=inner).profile
    assert profile["tool_calling"]
    assert profile["tool_choice"]
    assert inner.profile.items() <= {**profile, **inner.profile}.items()
    assert profile["max_input_tokens"] == inner.profile["max_input_tokens"]
    assert ChatToolEmu(llm=inner, mode="off").profile == inner.profile


def test_versions_name_all_who_take_part():
    """A trace's versions name LangChain, the provider's package and ours."""
    versions = ChatToolEmu(llm=ChatOpenAI(**BASE)).metadata["lc_versions"]
    assert {"langchain-core", "langchain-openai", "langchain-toolemu"} <= set(versions)


def test_what_langsmith_is_told():
    """Provider, model and temperature are the wrapped model's, overrides of a call included."""
    inner = ChatOpenAI(**BASE, temperature=0.4)
    llm = ChatToolEmu(llm=inner)
    assert llm._get_ls_params(stop=["x"]) == inner._get_ls_params(stop=["x"])
    assert llm._get_ls_params(model="other")["ls_model_name"] == "other"


def test_token_usage_adds_up_over_prompts():
    """`generate` over several prompts keeps the sum of what they cost."""
    with ScriptedServer(lambda request: "Hi.") as server:
        plain = server.chat_model()
        prompts = [[HumanMessage("a")], [HumanMessage("b")]]
        expected = plain.generate(prompts).llm_output
        assert ChatToolEmu(llm=plain).generate(prompts).llm_output == expected


def test_a_picklable_model_stays_picklable():
    """What the wrapped model allows, the wrapper allows."""
    llm = ChatToolEmu(llm=FakeListChatModel(responses=[CALL]), mode="force")
    again = pickle.loads(pickle.dumps(llm))
    assert again.bind_tools([get_weather]).invoke("Hi").tool_calls[0]["name"] == "get_weather"


def test_models_of_init_chat_model_are_wrapped():
    """A model made by `init_chat_model` is wrapped like any other; one that is not made yet is refused in words."""
    llm = ChatToolEmu(llm=init_chat_model("gpt-4o", model_provider="openai", api_key=SECRET))
    assert llm.model_name == "gpt-4o"
    with pytest.raises(ToolSpecError, match="must be a chat model"):
        ChatToolEmu(llm=init_chat_model(api_key=SECRET))


STOPS = {
    "a binding": lambda model, mode: ChatToolEmu(llm=model.bind(stop=["END"]), mode=mode),
    "a binding of a binding": lambda model, mode: ChatToolEmu(
        model.bind(stop=["NO"]).bind(stop=["END"]), mode=mode
    ),
}


@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
@pytest.mark.parametrize("way", STOPS)
def test_stop_sequences_for_every_request(way, mode):
    """Stop sequences set once are sent with every request, and those of a call replace them."""
    with ScriptedServer(lambda request: "Hi.") as server:
        llm = STOPS[way](server.chat_model(), mode)
        for one in WAYS:
            ask(llm, "Hi", one)
        llm.invoke("Hi", stop=["X"])
        assert [request["stop"] for request in server.requests] == [["END"]] * 4 + [["X"]]


TWO = f"{CALL}\n{CALL.replace('Paris', 'Rome')}"
TERMS = {
    "one call": ({"parallel_tool_calls": False}, TWO, 1),
    "several": ({}, TWO, 2),
    "a demand": ({"tool_choice": "required"}, "No.", "ToolChoiceError"),
    "a demand of one": ({"tool_choice": "get_weather"}, "No.", "ToolChoiceError"),
    "a ban": ({"tool_choice": "none"}, "No.", 0),
}


@pytest.mark.parametrize("case", TERMS)
def test_a_binding_that_says_how_to_call_is_minded(case):
    """How tools are called may be set on the model before it is wrapped; without tools nobody is told."""
    terms, reply, calls = TERMS[case]
    with ScriptedServer(lambda request: reply) as server:
        llm = ChatToolEmu(llm=server.chat_model().bind(**terms), mode="force")
        bound = llm.bind_tools([get_weather])
        if calls == "ToolChoiceError":
            with pytest.raises(ToolChoiceError):
                bound.invoke("Hi")
        else:
            assert len(bound.invoke("Hi").tool_calls) == calls
        ChatToolEmu(llm=server.chat_model().bind(**terms)).invoke("Hi")
        assert not [request for request in server.requests if terms.keys() & request.keys()]


ALLOWED = {
    "type": "allowed_tools",
    "allowed_tools": {
        "mode": "auto",
        "tools": [{"type": "function", "function": {"name": "get_weather"}}],
    },
}


def test_a_choice_of_some_tools_is_minded_natively_and_emulated():
    """OpenAI's `allowed_tools` is sent as it came; where it is emulated, only the allowed tools are on offer."""
    with ScriptedServer([Reply(tool_calls=[("get_weather", {"city": "Paris"})])]) as server:
        llm = ChatToolEmu(llm=server.chat_model())
        llm.bind_tools([get_weather, find_city], tool_choice=ALLOWED).invoke("Hi")
        (request,) = server.requests
    assert (request["tool_choice"], len(request["tools"])) == (ALLOWED, 2)
    forbidden = json.dumps({"name": "find_city", "arguments": {"person": "Ann"}})
    with ScriptedServer(lambda request: f"{forbidden}\n{CALL}") as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        said = llm.bind_tools([get_weather, find_city], tool_choice=ALLOWED).invoke("Hi")
        assert "find_city" not in str(server.requests[0])
    assert [call["name"] for call in said.tool_calls] == ["get_weather"]


def test_a_demand_for_a_built_in_tool_is_never_emulated():
    """It is sent as it came, its answer stands unchecked, and a server without tools leads to an error that says so."""
    demand = {"type": "web_search_preview"}
    with ScriptedServer(lambda request: "It is sunny.") as server:
        bound = ChatToolEmu(llm=server.chat_model()).bind_tools([get_weather], tool_choice=demand)
        assert bound.invoke("Hi").content == "It is sunny."
        assert [request["tool_choice"] for request in server.requests] == [demand]
    with ScriptedServer(without_tools(lambda request: "x")) as server:
        bound = ChatToolEmu(llm=server.chat_model()).bind_tools([get_weather], tool_choice=demand)
        with pytest.raises(ToolSpecError, match="demands 'web_search_preview'"):
            bound.invoke("Hi")


def test_a_binding_is_unwrapped():
    """The settings of a bound model reach the provider through the wrapper."""
    with ScriptedServer(["Hi."]) as server:
        ChatToolEmu(llm=server.chat_model().bind(temperature=0.3, seed=7)).invoke("Hi")
        (request,) = server.requests
    assert (request["temperature"], request["seed"]) == (0.3, 7)
