"""ToolEmuChatOpenAI takes what ChatOpenAI takes, and shows what ChatOpenAI shows. No network."""

from copy import copy
from unittest.mock import patch

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.load import dumpd, dumps, loads
from langchain_core.messages import HumanMessage
from langchain_core.rate_limiters import InMemoryRateLimiter
from langchain_core.runnables import ConfigurableField, ConfigurableFieldSingleOption
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient
from pydantic import Field, SecretStr

from langchain_toolemu import ChatToolEmu, Recipe, ToolEmuChatOpenAI
from langchain_toolemu.policy import TRUST, Checks, Review
from tests.tables import every_row

BASE = {"model": "m", "api_key": "sk-very-secret", "base_url": "http://127.0.0.1:1/v1"}
CLIENT = ChatOpenAI(**BASE)


def count(text):
    return [len(text)]


# A value for every field that ChatOpenAI has: a new one fails the test until it is listed here.
VALUES = {
    "async_client": CLIENT.async_client,
    "cache": InMemoryCache(),
    "callbacks": [BaseCallbackHandler()],
    "client": CLIENT.client,
    "context_management": [{"type": "compaction"}],
    "custom_get_token_ids": count,
    "default_headers": {"X-Header": "1"},
    "default_query": {"q": "1"},
    "disable_streaming": "tool_calling",
    "disabled_params": {"parallel_tool_calls": None},
    "extra_body": {"top_k": 3},
    "frequency_penalty": 0.1,
    "http_async_client": DefaultAsyncHttpxClient(trust_env=False),
    "http_client": DefaultHttpxClient(trust_env=False),
    "http_socket_options": [],
    "include": ["reasoning.encrypted_content"],
    "include_response_headers": True,
    "logit_bias": {1: 2},
    "logprobs": True,
    "max_retries": 7,
    "max_tokens": 11,
    "metadata": {"key": "value"},
    "model_kwargs": {"user": "ann"},
    "model_name": "other",
    "n": 2,
    "name": "named",
    "openai_api_base": "http://127.0.0.1:2/v1",
    "openai_api_key": SecretStr("other"),
    "openai_organization": "org",
    "openai_proxy": "http://127.0.0.1:3",
    "output_version": "v1",
    "presence_penalty": 0.2,
    "profile": {"max_input_tokens": 99},
    "prompt_cache_options": {"ttl": "1h"},
    "rate_limiter": InMemoryRateLimiter(requests_per_second=100),
    "reasoning": {"effort": "low"},
    "reasoning_effort": "low",
    "request_timeout": 3.0,
    "root_async_client": CLIENT.root_async_client,
    "root_client": CLIENT.root_client,
    "seed": 5,
    "service_tier": "flex",
    "stop": ["END"],
    "store": True,
    "stream_chunk_timeout": 9.0,
    "stream_usage": True,
    "streaming": True,
    "tags": ["tag"],
    "temperature": 0.4,
    "tiktoken_model_name": "gpt-4",
    "top_logprobs": 3,
    "top_p": 0.5,
    "truncation": "auto",
    "use_previous_response_id": True,
    "use_responses_api": True,
    "verbose": True,
    "verbosity": "low",
}
SPELLINGS = [
    (name, spelling)
    for name, field in ChatOpenAI.model_fields.items()
    for spelling in dict.fromkeys([name, field.alias or name])
]


@every_row(("name", "spelling"), SPELLINGS)
def test_each_field_of_chat_openai_is_taken_and_reaches_it(name, spelling):
    """Every argument of ChatOpenAI, by its name and its alias, arrives in the ChatOpenAI inside."""
    alias = ChatOpenAI.model_fields[name].alias
    given = {key: value for key, value in BASE.items() if key not in (name, alias)}
    given[spelling] = VALUES[name]
    plain, llm = ChatOpenAI(**given), ToolEmuChatOpenAI(**given)
    assert isinstance(llm.llm, ChatOpenAI)
    # ChatOpenAI builds these two anew whatever it is given.
    built = name in ("root_client", "root_async_client")
    seen, expected = getattr(llm.llm, name), getattr(plain, name)
    assert (type(seen) is type(expected)) if built else seen == expected
    assert spelling in llm.llm.model_fields_set or name in llm.llm.model_fields_set


# These are the wrapper's own answers: it adds its version and its abilities, and leaves caching to the model inside.
OWN = {"cache", "metadata", "profile", "rate_limiter"}


@every_row("name", sorted(set(ChatOpenAI.model_fields) - OWN))
def test_each_field_of_chat_openai_can_be_read_on_the_wrapper(name):
    """A program that reads an attribute of ChatOpenAI reads the same one here."""
    alias = ChatOpenAI.model_fields[name].alias
    given = {key: value for key, value in BASE.items() if key not in (name, alias)}
    llm = ToolEmuChatOpenAI(**given, **{name: VALUES[name]})
    assert getattr(llm, name) == getattr(llm.llm, name)


def test_our_parameters_stand_beside_theirs():
    """Every parameter of ChatToolEmu is taken too, and lands on the wrapper."""
    llm = ToolEmuChatOpenAI(
        **BASE, temperature=0.3, mode="force", contract=Recipe(dialect="tagged"), max_reasks=1
    )
    assert (llm.mode, llm.contract.dialect, llm.max_reasks) == ("force", "tagged", 1)
    assert llm.temperature == 0.3
    assert (llm.model, llm.model_name, llm.openai_api_base) == ("m", "m", BASE["base_url"])


def test_an_attribute_that_is_set_reaches_the_model_inside():
    """`llm.temperature = 0.9` changes what is sent, as it does on ChatOpenAI."""
    llm = ToolEmuChatOpenAI(**BASE)
    llm.temperature = 0.9
    assert llm.llm.temperature == 0.9


SETTABLE = {
    "temperature": (0.1, 0.9),
    "disable_streaming": (True, False),
    "custom_get_token_ids": (count, None),
    "cache": (InMemoryCache(), False),
    "rate_limiter": (VALUES["rate_limiter"], None),
}


def test_a_chat_openai_can_be_taken_over():
    """As the model inside, whatever else is set."""
    assert ToolEmuChatOpenAI(llm=CLIENT, mode="force").llm.model_name == "m"


@pytest.mark.parametrize("name", SETTABLE)
def test_what_is_changed_is_changed_inside_and_on_no_other_copy(name):
    """Set, updated in a copy or set on a copy: the model inside has the new value, and the one copied keeps its own."""
    first, then = SETTABLE[name]
    llm = ToolEmuChatOpenAI(**BASE, **{name: first})
    updated, copies = llm.model_copy(update={name: then}), [llm.model_copy(), copy(llm)]
    for one in copies:
        setattr(one, name, then)
    changed = [getattr(one.llm, name) for one in (updated, *copies)]
    assert (getattr(llm.llm, name), changed) == (first, [then] * 3)
    if name not in OWN:
        assert [getattr(one, name) for one in (llm, updated, *copies)] == [first, *[then] * 3]
    assert updated.model_copy(update={"mode": "force"}).mode == "force"
    setattr(llm, name, then)
    assert getattr(llm.llm, name) == then


def test_streaming_can_be_allowed_again():
    """`disable_streaming` that is taken back, at once or at run time, is taken back on both models."""
    llm = ToolEmuChatOpenAI(**BASE, disable_streaming=True)
    field = ConfigurableField(id="it")
    configured = llm.configurable_fields(disable_streaming=field)
    allowed, _ = configured.prepare({"configurable": {"it": False}})
    assert (llm._streaming_disabled(), allowed._streaming_disabled()) == (True, False)
    llm.disable_streaming = False
    assert not llm._streaming_disabled()


def test_a_subclass_has_fields_of_its_own():
    """A field that a subclass declares is taken by name and alias, and ChatOpenAI hears nothing of it."""

    class Ours(ToolEmuChatOpenAI):
        team: str = "blue"
        place: str = Field(default="here", alias="where")

    llm = Ours(**BASE, team="red", where="there", temperature=0.3)
    assert (llm.team, llm.place, llm.temperature, llm.model_kwargs) == ("red", "there", 0.3, {})
    assert (Ours(**BASE).team, llm.model_copy(update={"team": "x"}).team) == ("blue", "x")
    assert llm.rate_limiter is llm.llm.rate_limiter is None


def test_tokens_are_counted_with_chat_openais_own_arguments():
    """What ChatOpenAI takes to count a conversation is handed to it."""
    base = {**BASE, "model": "gpt-4o", "custom_get_token_ids": count}
    given = {"allow_fetching_images": False}
    llm, plain = ToolEmuChatOpenAI(**base), ChatOpenAI(**base)
    with patch.object(ChatOpenAI, "get_num_tokens_from_messages", return_value=7) as counted:
        assert llm.get_num_tokens_from_messages([HumanMessage("Hi")], **given) == 7
    assert counted.call_args.kwargs == given
    assert llm.get_num_tokens("Hi") == plain.get_num_tokens("Hi") == 1


def test_unknown_arguments_are_chat_openais_to_judge():
    """What ChatOpenAI does not know goes where ChatOpenAI puts it, with its warning."""
    with pytest.warns(UserWarning, match="top_k"):
        llm = ToolEmuChatOpenAI(**BASE, top_k=3)
    assert llm.model_kwargs == {"top_k": 3}
    with pytest.raises(AttributeError):
        llm.nonsense  # noqa: B018


def test_the_key_stays_hidden():
    """Neither the repr nor a set attribute shows the API key."""
    llm = ToolEmuChatOpenAI(**BASE)
    assert "secret" not in f"{llm!r} {llm} {llm.openai_api_key}"


CONFIGURABLE = {
    "theirs": ({"temperature": ConfigurableField(id="it")}, 0.1, ("temperature", 0.1)),
    "ours": ({"mode": ConfigurableField(id="it")}, "off", ("mode", "off")),
    "an option": (
        {"model_name": ConfigurableFieldSingleOption(id="it", options={"a": "b"}, default="a")},
        "a",
        ("model_name", "b"),
    ),
}


@pytest.mark.parametrize("case", CONFIGURABLE)
def test_fields_can_be_configured_at_run_time(case):
    """`configurable_fields` works for ChatOpenAI's fields as for ours, and changes a copy only."""
    fields, value, (name, expected) = CONFIGURABLE[case]
    llm = ToolEmuChatOpenAI(**BASE, temperature=0.5, mode="force")
    configured, _ = llm.configurable_fields(**fields).prepare({"configurable": {"it": value}})
    assert getattr(configured, name) == expected
    assert isinstance(configured, ToolEmuChatOpenAI)
    assert configured.openai_api_base == llm.openai_api_base
    assert configured._streaming_disabled() is llm._streaming_disabled() is False
    assert (llm.temperature, llm.mode, llm.model_name) == (0.5, "force", "m")


def test_a_configurable_field_says_its_type():
    """The schema of a configured model names the type of ChatOpenAI's field."""
    llm = ToolEmuChatOpenAI(**BASE).configurable_fields(temperature=ConfigurableField(id="it"))
    (spec,) = llm.config_specs
    assert (spec.id, spec.annotation) == ("it", ChatOpenAI.model_fields["temperature"].annotation)


def test_what_langsmith_is_told_is_chat_openais():
    """Provider, model and settings in traces are those of the ChatOpenAI inside, and the cache key holds them."""
    llm, plain = ToolEmuChatOpenAI(**BASE, temperature=0.3), ChatOpenAI(**BASE, temperature=0.3)
    assert llm._get_ls_params(stop=["x"]) == plain._get_ls_params(stop=["x"])
    assert plain._identifying_params.items() <= llm._identifying_params.items()
    assert set(plain.metadata["lc_versions"]) < set(llm.metadata["lc_versions"])


def test_it_is_a_chat_tool_emu():
    """Whatever is written for ChatToolEmu takes it."""
    assert isinstance(ToolEmuChatOpenAI(**BASE), ChatToolEmu)


# --- as ChatOpenAI behaves towards tests, files and agents ---


@pytest.mark.parametrize("name", ["client", "async_client", "root_client", "max_retries"])
def test_an_attribute_can_be_patched(name):
    """For the time of a `with`, and is afterwards what it was, on both models."""
    llm = ToolEmuChatOpenAI(**BASE)
    before = getattr(llm, name)
    with patch.object(llm, name, 5):
        assert getattr(llm, name) == getattr(llm.llm, name) == 5
    assert getattr(llm, name) is getattr(llm.llm, name) is before


WRITTEN = {
    "nothing set": {},
    "ours": {"mode": "force", "model_size": 3.0, "reasoning": "blocks", "policy": "strict"},
    "theirs": {"temperature": 0.3, "max_retries": 4, "extra_body": {"top_k": 3}, "name": "mine"},
    "reasoning of both": {"reasoning": {"effort": "low"}},
}


@pytest.mark.parametrize("given", WRITTEN.values(), ids=WRITTEN)
def test_it_is_written_and_read_as_chat_openai_is(given):
    """`loads` makes of what `dumps` wrote a model with the same settings; the key is no part of it."""
    llm = ToolEmuChatOpenAI(**BASE, **given)
    written = dumps(llm)
    assert "sk-very-secret" not in written
    read = loads(
        written,
        allowed_objects=[ToolEmuChatOpenAI],
        valid_namespaces=["langchain_toolemu"],
        secrets_map={"OPENAI_API_KEY": "sk-very-secret"},
    )
    assert isinstance(read, ToolEmuChatOpenAI)
    assert (read.asdict(), read.name) == (llm.asdict(), llm.name)
    assert read.openai_api_key == llm.openai_api_key
    assert dumps(read) == written


def test_what_no_file_can_hold_is_said_to_be_missing():
    """A policy of one's own reads `not_implemented`, like everything that LangChain cannot write."""
    kwargs = dumpd(ToolEmuChatOpenAI(**BASE, policy=TRUST + Checks(NoDeletes())))["kwargs"]
    assert kwargs["policy"]["type"] == "not_implemented"
    assert kwargs["openai_api_key"] == {"lc": 1, "type": "secret", "id": ["OPENAI_API_KEY"]}


def test_a_key_that_nobody_set_is_not_written(monkeypatch):
    """A local server needs none, and `loads` asks for none."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    kwargs = dumpd(ToolEmuChatOpenAI(model="m", base_url="http://127.0.0.1:1/v1"))["kwargs"]
    assert "openai_api_key" not in kwargs


class NoDeletes:
    """A policy of a user's."""

    def review(self, call, context):
        return Review.accept()


@pytest.mark.parametrize("profile", [{"tool_calling": False}, {"max_input_tokens": 5}])
def test_a_profile_that_is_given_wins(profile):
    """Over what is known of the model and over what this package adds."""
    assert ToolEmuChatOpenAI(**BASE, profile=profile).profile == profile
    assert ToolEmuChatOpenAI(**BASE).profile["tool_calling"] is True
