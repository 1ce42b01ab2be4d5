"""What the middleware does with a request's model: wraps it once, with the options it was given."""

import asyncio

import pytest
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain.chat_models import init_chat_model
from langchain_core.messages import AIMessage
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI, ToolEmuMiddleware, ToolSpecError
from tests.tables import every_row
from tests.toy_models import Binding

TOY = Binding(said=["Hi."])
EMULATED = ChatToolEmu(TOY, mode="force")


def model_asked(middleware, model, way="sync"):
    """The model of the request that the handler gets."""
    asked = []

    def handle(request):
        asked.append(request.model)
        return ModelResponse(result=[AIMessage("Hi.")])

    async def ahandle(request):
        return handle(request)

    request = ModelRequest(model=model, messages=[])
    if way == "sync":
        middleware.wrap_model_call(request, handle)
    else:
        asyncio.run(middleware.awrap_model_call(request, ahandle))
    assert request.model is model
    return asked[0]


@every_row("way", ["sync", "async"])
def test_a_model_is_wrapped_once_and_kept(way):
    """What the wrapper caches lives on it, so the same model gets the same wrapper, and another model another."""
    middleware = ToolEmuMiddleware(mode="force", max_reasks=1)
    wrapped = model_asked(middleware, TOY, way)
    assert isinstance(wrapped, ChatToolEmu)
    assert (wrapped.llm, wrapped.mode, wrapped.max_reasks) == (TOY, "force", 1)
    assert model_asked(middleware, TOY, way) is wrapped
    assert model_asked(middleware, Binding(said=["Hi."]), way) is not wrapped


WRAPPED = [
    EMULATED,
    EMULATED.bind(seed=7),
    EMULATED.with_config(tags=["a"]).bind(seed=7),
    EMULATED.with_retry(),
    EMULATED.configurable_fields(max_reasks=ConfigurableField("reasks")),
    ToolEmuChatOpenAI(model="m", api_key="k"),
]


@every_row("model", WRAPPED)
def test_a_model_that_is_wrapped_already_stays_as_it_is(model):
    """Its own options count."""
    assert model_asked(ToolEmuMiddleware(mode="fallback"), model) is model


def test_settings_and_runnables_around_a_model_are_kept():
    """A binding's settings go along; a retry and fallbacks stay around the wrapped models."""
    middleware = ToolEmuMiddleware()
    bound = model_asked(middleware, TOY.bind(seed=7))
    assert (bound.llm, bound.bound_kwargs) == (TOY, {"seed": 7})
    retry = model_asked(middleware, TOY.with_retry(stop_after_attempt=5))
    assert (retry.bound.llm, retry.max_attempt_number) == (TOY, 5)
    chain = model_asked(middleware, TOY.with_fallbacks([Binding(said=["Ho."]), EMULATED]))
    first, second = chain.fallbacks
    assert (chain.runnable.llm, first.llm.said, second) == (TOY, ["Ho."], EMULATED)


def test_a_configurable_model_is_made_as_the_run_says():
    """Both of LangChain's kinds are resolved by the config of the run."""
    named = init_chat_model("m", model_provider="openai", api_key="k", configurable_fields=("model",))  # fmt: skip
    fielded = ChatOpenAI(model="m", api_key="k").configurable_fields(
        model_name=ConfigurableField("model")
    )
    for model in (named, fielded):
        asked = RunnableLambda(lambda _, model=model: [model_asked(ToolEmuMiddleware(), model)])
        (wrapped,) = asked.invoke("", {"configurable": {"model": "other"}})
        assert (type(wrapped), wrapped.model_name) == (ChatToolEmu, "other")


BAD = [
    ({"mod": "force"}, "no parameter 'mod'. Did you mean mode"),
    ({"mode": "on"}, "'off', 'fallback' or 'force'"),
    ({"temperature": 0}, "Set it on the wrapped model"),
    ({"llm": TOY}, r"takes no model, it wraps the agent's: create_agent\(model"),
]


@every_row(("options", "words"), BAD)
def test_a_bad_option_is_refused_as_by_the_wrapper(options, words):
    """When the middleware is made, not when the agent runs."""
    with pytest.raises(ToolSpecError, match=words):
        ToolEmuMiddleware(**options)


def test_a_model_by_position_is_refused():
    """The agent has one."""
    with pytest.raises(ToolSpecError, match="takes no model"):
        ToolEmuMiddleware(TOY)
