"""Construction, binding and what the model says of itself. No network."""

import asyncio
import json
import pickle
import subprocess
import sys
from dataclasses import replace

import pytest
from langchain_core.callbacks import BaseCallbackHandler, CallbackManager
from langchain_core.language_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.load import dumps
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.rate_limiters import InMemoryRateLimiter
from langchain_core.runnables import ConfigurableField, RunnableBinding, RunnableLambda
from langchain_openai import ChatOpenAI

import langchain_toolemu
from langchain_toolemu import ChatToolEmu, Dialect, Recipe, ToolSpecError
from tests.tables import every_row
from tests.toy_models import Streaming
from tests.weather import get_weather

SECRET = "sk-very-secret"


def chat_openai(**kwargs):
    return ChatOpenAI(
        **{"model": "m", "api_key": SECRET, "base_url": "http://127.0.0.1:1/v1", **kwargs}
    )


def fake(*replies):
    return FakeListChatModel(responses=list(replies))


def test_the_public_names():
    """What the package exports is a promise: a name added or removed is a decision."""
    assert langchain_toolemu.__all__ == [
        "CallContext",
        "CallPolicy",
        "ChatToolEmu",
        "Checks",
        "Dialect",
        "FENCED",
        "JSON",
        "MARKDOWN",
        "Recipe",
        "Review",
        "Support",
        "TAGGED",
        "ToolCallParseError",
        "ToolChoiceError",
        "ToolEmuCallbackHandler",
        "ToolEmuChatOpenAI",
        "ToolEmuError",
        "ToolEmuMiddleware",
        "ToolEmuWarning",
        "ToolSpecError",
        "__version__",
        "aprobe_tool_support",
        "forget_tool_support",
        "get_toolemu_callback",
        "override_tool_support",
        "probe_tool_support",
        "set_verdict_store",
    ]
    assert all(getattr(langchain_toolemu, name) for name in langchain_toolemu.__all__)
    assert dir(langchain_toolemu) == langchain_toolemu.__all__
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        langchain_toolemu.nonsense  # noqa: B018


# One process for both: it takes two seconds to load LangChain.
IMPORTS = """
import sys, langchain_toolemu
langchain_toolemu.ChatToolEmu
print({"langchain", "langchain_openai", "openai"} & sys.modules.keys())
sys.modules["langchain"] = None
try:
    langchain_toolemu.ToolEmuMiddleware
except ImportError as error:
    print(error)
"""


def test_what_the_package_imports():
    """ChatToolEmu loads no provider's client, nor langchain; without langchain, the middleware's error says what to install."""
    program = [sys.executable, "-c", IMPORTS]
    said = subprocess.run(program, capture_output=True, text=True, check=True)
    loaded, error = said.stdout.splitlines()
    assert loaded == "set()"
    assert "needs langchain 1.0 or later: pip install -U langchain" in error


BAD_MODELS = {
    "missing": ({}, "`llm` is missing"),
    "a class": ({"llm": ChatOpenAI}, "Pass an object"),
    "a chain": ({"llm": RunnableLambda(str)}, "not a RunnableLambda"),
    "with_retry": ({"llm": fake("x").with_retry()}, "call .with_retry"),
    "with_fallbacks": ({"llm": fake("x").with_fallbacks([fake("y")])}, "on the ChatToolEmu"),
    "bound tools": ({"llm": chat_openai().bind_tools([get_weather])}, "already carries 'tools'"),
    "bound response_format": (
        {"llm": chat_openai().bind(response_format={"type": "json_object"})},
        "already carries 'response_format'",
    ),
    "a foreign argument": (
        {"llm": chat_openai(), "temperature": 0.3},
        "no parameter 'temperature'. Set it on the wrapped model: ChatToolEmu.ChatOpenAI.temperature",
    ),
    "a typo": ({"llm": fake("x"), "mod": "force"}, "no parameter 'mod'"),
    "an unknown dialect": (
        {"llm": fake("x"), "contract": {"dialect": "klingon"}},
        "dialect='klingon' is not known. Use 'json'",
    ),
}


@every_row("case", BAD_MODELS)
def test_bad_construction_is_a_typed_error_that_says_what_to_do(case):
    """What cannot be wrapped is refused when it is wrapped, in words that say what to do."""
    arguments, message = BAD_MODELS[case]
    with pytest.raises(ToolSpecError, match=message):
        ChatToolEmu(**arguments)


def test_an_unknown_mode_is_refused():
    """A mode that does not exist is refused with the three that do."""
    with pytest.raises(ValueError, match="'off', 'fallback' or 'force'"):
        ChatToolEmu(llm=fake("x"), mode="on")


def test_a_binding_is_unwrapped_with_its_settings():
    """A bound model is wrapped with the binding's arguments and its tags kept."""
    bound = chat_openai().bind(temperature=0.3).with_config(tags=["mine"]).bind(seed=1)
    llm = ChatToolEmu(llm=bound)
    assert isinstance(llm.llm, ChatOpenAI)
    assert llm.bound_kwargs == {"temperature": 0.3, "seed": 1}
    assert llm.model_copy().bound_kwargs == llm.bound_kwargs
    with pytest.raises(ToolSpecError, match="Fields cannot be configured"):
        llm.configurable_fields(mode=ConfigurableField("mode"))
    assert llm.tags == ["mine"]


def test_the_wrapped_models_run_settings_are_taken_over():
    """Callbacks, tags and metadata set on the wrapped model still count, since it is called below its own."""
    handler = BaseCallbackHandler()
    inner = GenericFakeChatModel(
        messages=iter([]), callbacks=[handler], tags=["t"], metadata={"k": "v"}, output_version="v1"
    )
    llm = ChatToolEmu(llm=inner)
    assert (llm.callbacks, llm.tags, llm.metadata["k"], llm.output_version) == (
        [handler],
        ["t"],
        "v",
        "v1",
    )


class Counted(BaseCallbackHandler):
    """Counts the runs it was told of, and notes what they were called."""

    def __init__(self):
        self.names = []

    def on_chat_model_start(self, serialized, messages, *, tags=None, **kwargs):
        self.names.append((serialized["name"], tags))


RUNS = {
    "lists": lambda one, two: ([one], [two]),
    "a manager inside": lambda one, two: (CallbackManager([one]), [two]),
    "a manager outside": lambda one, two: ([one], CallbackManager([two])),
    "managers": lambda one, two: (CallbackManager([one]), CallbackManager([two])),
    "one in both": lambda one, two: ([one, two], [two]),
}


@pytest.mark.parametrize("case", RUNS)
def test_run_settings_of_both_models_count(case):
    """Callbacks, tags and a name count wherever they were set: on the model, on its binding or on the wrapper."""
    one, two, three = Counted(), Counted(), Counted()
    inside, outside = RUNS[case](one, two)
    model = FakeListChatModel(responses=["Hi."], callbacks=inside, tags=["model"])
    bound = model.with_config(callbacks=[three], tags=["bound"], run_name="named")
    llm = ChatToolEmu(llm=bound, callbacks=outside, tags=["wrapper", "model"], mode="force")
    llm.invoke("Hi")
    configured = llm.configurable_fields(mode=ConfigurableField(id="mode"))
    configured.invoke("Hi", config={"configurable": {"mode": "off"}})
    told = [("named", ["wrapper", "model", "bound"])] * 2
    assert [one.names, two.names, three.names] == [told] * 3


@pytest.mark.parametrize(
    ("word", "given", "mode"),
    [
        (None, {}, "fallback"),
        ("", {}, "fallback"),
        (" ", {}, "fallback"),
        ("force", {}, "force"),
        (" Force\n", {}, "force"),
        ("off", {"mode": "force"}, "force"),
    ],
)
def test_the_environment_sets_the_default_mode(monkeypatch, word, given, mode):
    """TOOLEMU_MODE replaces the default, and an explicit argument replaces it; empty, it says nothing."""
    monkeypatch.delenv("TOOLEMU_MODE", raising=False)
    if word is not None:
        monkeypatch.setenv("TOOLEMU_MODE", word)
    assert ChatToolEmu(llm=fake("x"), **given).mode == mode


def test_an_unknown_mode_in_the_environment_names_the_three(monkeypatch):
    """A typo in TOOLEMU_MODE is an error, not the default."""
    monkeypatch.setenv("TOOLEMU_MODE", "on")
    with pytest.raises(ToolSpecError, match="TOOLEMU_MODE='on'.*'off', 'fallback' or 'force'"):
        ChatToolEmu(llm=fake("x"))


def test_binding_gives_a_binding_of_openai_dicts():
    """LangGraph's agents look into a binding for tool dicts; bare objects there would crash them."""
    bound = ChatToolEmu(llm=chat_openai()).bind_tools(
        [get_weather], tool_choice="any", parallel_tool_calls=False
    )
    assert isinstance(bound, RunnableBinding)
    assert [tool["function"]["name"] for tool in bound.kwargs["tools"]] == ["get_weather"]
    assert bound.kwargs["tool_choice"] == "required"
    assert bound.kwargs["parallel_tool_calls"] is False


def test_the_native_binding_is_the_wrapped_models_own():
    """For the native path a binding keeps what the wrapped model's own bind_tools makes of the original tools."""
    expected = chat_openai().bind_tools([get_weather], tool_choice="any", strict=True).kwargs
    bound = ChatToolEmu(llm=chat_openai()).bind_tools([get_weather], tool_choice="any", strict=True)
    assert bound.kwargs["toolemu_native"] == expected


def test_off_binds_as_the_wrapped_model_does():
    """In mode off a binding is the wrapped model's own, argument for argument."""
    expected = chat_openai().bind_tools([get_weather], tool_choice="any").kwargs
    assert (
        ChatToolEmu(llm=chat_openai(), mode="off")
        .bind_tools([get_weather], tool_choice="any")
        .kwargs
        == expected
    )


@pytest.mark.parametrize("mode", ["fallback", "force"])
def test_a_choice_of_an_unbound_tool_is_refused_at_bind_time(mode):
    """A tool_choice that names no bound tool fails when it is bound, not when it is used."""
    with pytest.raises(ToolSpecError, match="names no bound tool"):
        ChatToolEmu(llm=fake("x"), mode=mode).bind_tools([get_weather], tool_choice="get_time")


@pytest.mark.parametrize("choice", [{"type": "file_search"}, {"type": "mcp", "server_label": "s"}])
def test_a_choice_of_a_built_in_tool_is_refused_where_it_would_be_emulated(choice):
    """What only a provider can do is bound in fallback as it is, and refused at once in force."""
    bound = ChatToolEmu(llm=chat_openai()).bind_tools([get_weather], tool_choice=choice)
    assert bound.kwargs["tool_choice"] == bound.kwargs["toolemu_native"]["tool_choice"] == choice
    for llm in (ChatToolEmu(llm=chat_openai(), mode="force"), ChatToolEmu(llm=fake("x"))):
        with pytest.raises(ToolSpecError, match="cannot be emulated"):
            llm.bind_tools([get_weather], tool_choice=choice)


def test_a_built_in_tool_is_refused_at_bind_time_in_force():
    """A provider's built-in tool cannot be emulated: in force that is known at once, in fallback not yet."""
    tools = [{"type": "web_search_preview"}]
    with pytest.raises(ToolSpecError, match="cannot be emulated"):
        ChatToolEmu(llm=chat_openai(), mode="force").bind_tools(tools)
    assert ChatToolEmu(llm=chat_openai(), mode="force").bind_tools([*tools, get_weather])
    assert ChatToolEmu(llm=chat_openai()).bind_tools(tools).kwargs["tools"] == tools


def test_functions_are_refused_where_nothing_is_sent_natively():
    """The API before tools is the provider's: force says what to use instead, the other modes send it on."""
    functions = [{"name": "f", "parameters": {"type": "object", "properties": {}}}]
    with pytest.raises(ToolSpecError, match="`functions` is the API that `tools` replaced.*bind_tools"):  # fmt: skip
        ChatToolEmu(llm=fake("x"), mode="force").bind(functions=functions).invoke("Hi")
    for mode in ("off", "fallback"):
        toy = Streaming(said=["Hi."])
        ChatToolEmu(llm=toy, mode=mode).bind(functions=functions).invoke("Hi")
        assert toy.heard[0][2] == {"functions": functions}


def test_a_model_without_bind_tools_is_emulated():
    """A chat model that never heard of tools calls them, in fallback, without a wasted request."""
    llm = ChatToolEmu(llm=fake('{"name": "get_weather", "arguments": {"city": "Paris"}}'))
    message = llm.bind_tools([get_weather]).invoke("Weather in Paris?")
    assert [call["args"] for call in message.tool_calls] == [{"city": "Paris"}]
    assert message.response_metadata["toolemu"]["requests"] == 1


def test_off_on_a_model_without_bind_tools_says_so():
    """Plain delegation includes the wrapped model's own refusal."""
    with pytest.raises(NotImplementedError):
        ChatToolEmu(llm=fake("x"), mode="off").bind_tools([get_weather])


def test_binding_no_tools_is_plain_chat_that_streams():
    """`bind_tools([])` changes nothing and still streams piece by piece."""
    chunks = list(ChatToolEmu(llm=fake("Hello there.")).bind_tools([]).stream("Hi"))
    assert "".join(chunk.content for chunk in chunks) == "Hello there."
    assert len(chunks) > 5


def test_preview_shows_what_would_be_sent():
    """Preview gives the contract, the examples and the question, as the wrapped model would get them."""
    messages = ChatToolEmu(llm=fake("x")).preview(
        "Weather in Paris?", tools=[get_weather], tool_choice="any"
    )
    assert "get_weather(city: string)" in messages[0].content
    assert messages[-1].content.startswith("Weather in Paris?")
    assert messages[-1].content.endswith("nothing else.)")
    assert ChatToolEmu(llm=fake("x"), mode="off").preview("Hi", tools=[get_weather]) == [
        HumanMessage("Hi")
    ]


def test_the_wrapped_model_speaks_for_itself():
    """Name, tracing parameters, token counts and outputs are the wrapped model's; the type is ours."""
    llm = ChatToolEmu(llm=chat_openai(model="gpt-4o", temperature=0.5))
    assert llm.model_name == "gpt-4o"
    assert llm._get_ls_params()["ls_provider"] == "openai"
    assert llm._get_ls_params(model="other")["ls_model_name"] == "other"
    assert (
        llm._combine_llm_outputs([{"token_usage": {"total_tokens": 2}}] * 2)["token_usage"][
            "total_tokens"
        ]
        == 4
    )
    assert llm._llm_type == "toolemu-chat"
    assert llm.profile["tool_calling"] is True
    assert ChatToolEmu(llm=chat_openai(model="gpt-4o"), mode="off").profile == llm.llm.profile


def test_cache_keys_differ_by_what_changes_the_request():
    """Two models that send different things never share a cache entry."""
    variants = [
        ChatToolEmu(llm=chat_openai(), mode="force"),
        ChatToolEmu(llm=chat_openai(), mode="fallback"),
        ChatToolEmu(llm=chat_openai(), mode="force", contract=Recipe(dialect="tagged")),
        ChatToolEmu(
            llm=chat_openai(), mode="force", contract=Recipe(dialect=Dialect("mine", opening="<c>"))
        ),
        ChatToolEmu(llm=chat_openai(), mode="force", contract=Recipe(examples=False)),
        ChatToolEmu(llm=chat_openai(temperature=1), mode="force"),
        ChatToolEmu(llm=chat_openai(model="other"), mode="force"),
        ChatToolEmu(llm=chat_openai().bind(seed=1), mode="force"),
    ]
    assert len({model._get_llm_string() for model in variants}) == len(variants)


def test_no_secret_shows():
    """Neither repr nor a dump holds the key, nor the headers, which may hold another, nor those of a binding."""
    inner = chat_openai(default_headers={"Authorization": SECRET})
    llm = ChatToolEmu(llm=inner.bind(extra_headers={"Authorization": SECRET}, seed=7))
    assert "bound={'extra_headers': {'Authorization': '***'}, 'seed': 7}" in repr(llm)
    assert SECRET not in repr(llm)
    assert "ChatOpenAI('m')" in repr(llm)
    assert SECRET not in dumps(llm)
    assert SECRET not in str(llm._get_invocation_params())


DUMPED = {
    "as it is": ({}, {"contract": "auto"}),
    "a recipe": ({"contract": {"examples": False}}, {"contract": str(Recipe(examples=False))}),
    "a dialect that reads": (
        {"contract": Recipe(dialect=Dialect("mine", read=fake))},
        {"contract": str(Recipe(dialect=Dialect("mine", read=fake)))},
    ),
}


@every_row("case", DUMPED)
def test_a_model_can_be_dumped_as_json(case):
    """Whatever it was set up with; the wrapped model is its class and name, and no secret is in it."""
    given, expected = DUMPED[case]
    inner = chat_openai(default_headers={"X": SECRET}).bind(extra_headers={"X": SECRET})
    dumped = ChatToolEmu(llm=inner, **given).model_dump_json()
    assert SECRET not in dumped
    found = json.loads(dumped)
    assert found["llm"] == "ChatOpenAI('m')"
    assert {name: found[name] for name in expected} == expected


def test_a_header_makes_another_cache_key():
    """Two tenants told apart by a header never share an entry, though no trace tells the headers apart."""
    one, two = (
        ChatToolEmu(llm=chat_openai().bind(extra_headers={"X-Tenant": name})) for name in "ab"
    )
    assert one._get_llm_string() != two._get_llm_string()
    assert one._get_invocation_params() == two._get_invocation_params()


def test_a_server_and_its_headers_make_another_cache_key():
    """Two servers of one model's name, or two tenants of one server, never share an entry; and no key is in it."""
    settings = [{"base_url": f"http://127.0.0.1:{port}/v1"} for port in (1, 2)]
    settings += [{"default_headers": {"X-Tenant": name}} for name in "ab"]
    keys = [ChatToolEmu(llm=chat_openai(**given))._get_llm_string() for given in settings]
    assert len(set(keys)) == len(keys)
    assert keys[0] == ChatToolEmu(llm=chat_openai(**settings[0]))._get_llm_string()
    assert not [key for key in keys if SECRET in key]


FAULTS = {
    "a dict of settings": lambda: ChatToolEmu(llm={"api_key": SECRET}),
    "a wrong mode": lambda: ChatToolEmu(llm=chat_openai(api_key=SECRET), mode="sometimes"),
    "an unknown argument": lambda: ChatToolEmu(llm=chat_openai(), api_key=SECRET),
    "a binding with tools": lambda: ChatToolEmu(
        llm=chat_openai().bind(tools=[{"headers": SECRET}], api_key=SECRET)
    ),
    "a tool without a name": lambda: ChatToolEmu(llm=chat_openai()).bind_tools(
        [{"server": "x", "headers": {"Authorization": SECRET}}]
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_errors_show_no_secret(fault):
    """What is said of a wrong argument names it, and quotes no key and no header."""
    with pytest.raises(ValueError) as raised:
        FAULTS[fault]()
    assert SECRET not in str(raised.value)


def test_streaming_is_disabled_where_the_wrapped_model_disables_it():
    """`disable_streaming` on the wrapped model counts, the kind for tool calls included."""

    def chunks(**kwargs):
        llm = ChatToolEmu(llm=FakeListChatModel(responses=["Hello there."], **kwargs), mode="force")
        return len(list(llm.bind_tools([get_weather]).stream("Hi")))

    assert chunks() > 2
    assert chunks(disable_streaming=True) == 1
    assert chunks(disable_streaming="tool_calling") == 1


def test_the_wrapped_models_rate_limiter_counts_on_streams_too():
    """Each request acquires the wrapped model's rate limiter once, streamed or not."""

    class Counting(InMemoryRateLimiter):
        def acquire(self, *, blocking=True):
            acquired.append(1)
            return True

    acquired = []
    llm = ChatToolEmu(
        llm=FakeListChatModel(responses=["Hi."], rate_limiter=Counting()), mode="force"
    )
    llm.invoke("Hi")
    list(llm.stream("Hi"))
    assert len(acquired) == 2


def test_a_picklable_model_stays_picklable():
    """A wrapper can be pickled where what it wraps can, before and after a turn."""
    llm = ChatToolEmu(llm=fake("Hello."), mode="force")
    for _ in range(2):
        llm = pickle.loads(pickle.dumps(llm))
        assert llm.invoke("Hi").content == "Hello."


def test_a_turn_is_set_up_as_the_options_are_now():
    """An option that is assigned between two turns, or given by a copy or a binding, counts from then on."""
    llm = ChatToolEmu(llm=chat_openai(), mode="force")

    def settings(model=llm, **kwargs):
        return model._turn([], None, kwargs, model._capability({}))._settings

    before = settings()
    assert settings() == before
    llm.max_reasks = 0
    llm.llm.max_retries = 5
    assert (settings().max_reasks, settings().client_retries) == (0, 5)
    assert settings(llm.model_copy(update={"mode": "fallback"})).mode == "fallback"
    assert settings(toolemu_on_failure="continue").on_failure == "continue"
    assert settings() == replace(before, max_reasks=0, client_retries=5)


def test_nothing_given_is_mutated():
    """Neither the messages nor the tool dicts that came in are changed by a turn."""
    tool = {
        "type": "function",
        "function": {"name": "f", "parameters": {"type": "object", "properties": {}}},
    }
    history = [HumanMessage("q"), AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "1"}])]
    before = (repr(tool), repr(history))
    ChatToolEmu(llm=fake('{"name": "f", "arguments": {}}'), mode="force").bind_tools([tool]).invoke(
        history
    )
    assert (repr(tool), repr(history)) == before


@pytest.mark.parametrize(("mode", "counts_contract"), [("force", True), ("off", False)])
def test_token_counts_hold_the_contract_where_there_is_one(mode, counts_contract):
    """Counting a conversation's tokens with tools counts what would be sent, and the wrapped model does the counting."""
    inner = FakeListChatModel(responses=["x"], custom_get_token_ids=lambda text: [*text.split()])
    llm, conversation = ChatToolEmu(llm=inner, mode=mode), [HumanMessage("How warm is it?")]
    plain = inner.get_num_tokens_from_messages(conversation)
    assert llm.get_num_tokens_from_messages(conversation) == plain
    counted = llm.get_num_tokens_from_messages(conversation, tools=[get_weather])
    assert (counted > plain + 50) is counts_contract


def test_a_way_to_count_that_the_wrapper_was_given():
    """`custom_get_token_ids` counts on the wrapper as it would on the wrapped model, which stays as it is."""
    inner = fake("x")
    llm = ChatToolEmu(llm=inner, custom_get_token_ids=lambda text: [*range(len(text.split()))])
    assert llm.get_token_ids("How warm is it?") == [0, 1, 2, 3]
    assert llm.get_num_tokens("How warm is it?") == 4
    assert llm.get_num_tokens_from_messages([HumanMessage("How warm is it?")]) == 5
    assert inner.custom_get_token_ids is None


class Pieces:
    """A stream that is no generator and has nothing to close."""

    def __init__(self, *texts):
        self._texts = iter(texts)

    def __iter__(self):
        return self

    def __aiter__(self):
        return self

    def __next__(self):
        return ChatGenerationChunk(message=AIMessageChunk(next(self._texts)))

    async def __anext__(self):
        for text in self._texts:
            return ChatGenerationChunk(message=AIMessageChunk(text))
        raise StopAsyncIteration


class Iterating(FakeListChatModel):
    """A chat model whose streams are plain iterators."""

    def _stream(self, *args, **kwargs):
        return Pieces("Hello ", "there.")

    def _astream(self, *args, **kwargs):
        return Pieces("Hello ", "there.")


@pytest.mark.parametrize("mode", ["off", "force"])
def test_a_stream_need_not_be_a_generator(mode):
    """An iterator that cannot be closed is read like any other stream, sync and async."""

    async def streamed():
        return [chunk.content async for chunk in llm.astream("Hi")]

    llm = ChatToolEmu(llm=Iterating(responses=["x"]), mode=mode)
    assert "".join(chunk.content for chunk in llm.stream("Hi")) == "Hello there."
    assert "".join(asyncio.run(streamed())) == "Hello there."
