"""`ToolEmuMiddleware`: `ChatToolEmu` around whatever model an agent of `create_agent` is about to ask.

It exchanges the model of a request and does nothing else. langchain is needed here and nowhere below.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableWithFallbacks, ensure_config
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.configurable import DynamicRunnable
from typing_extensions import Unpack, override

from langchain_toolemu.chat_models.constructor import (
    is_plain_binding,
    refuse_bad_values,
    refuse_unknown,
    show_options,
)
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.tools.specs import RecentlyUsed

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState
    from langchain.agents.middleware.types import ModelCallResult, ModelRequest, ModelResponse
except ImportError as missing:
    raise ImportError(
        "ToolEmuMiddleware needs langchain 1.0 or later: pip install -U langchain. "
        "Without it, pass ChatToolEmu(model) to your agent instead."
    ) from missing

if TYPE_CHECKING:
    from langchain_toolemu.chat_models.constructor_types import ToolEmuOptions


class ToolEmuMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Gives tool calling to the model of an agent, whichever model that is when it is asked.

    Takes the options of `ChatToolEmu`. A model that is a `ChatToolEmu` already stays as it is, with its own options.

    Example:
        ```python
        from langchain.agents import create_agent
        from langchain_toolemu import ToolEmuMiddleware

        agent = create_agent(model, tools=[get_weather], middleware=[ToolEmuMiddleware()])
        ```
    """

    if TYPE_CHECKING:
        _options: ToolEmuOptions
        _wrapped: RecentlyUsed[tuple[Any, ChatToolEmu]]

        def __init__(self, **options: Unpack[ToolEmuOptions]) -> None: ...

    else:

        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__()
            if given or "llm" in options:
                raise ToolSpecError(
                    "ToolEmuMiddleware takes no model, it wraps the agent's: "
                    "create_agent(model, middleware=[ToolEmuMiddleware()]).",
                    code="unknown_parameter",
                )
            refuse_unknown(ChatToolEmu, None, options, "ToolEmuMiddleware")
            refuse_bad_values(options)
            self._options = options
            # By identity, each beside the model that it wraps: what a wrapper caches is kept from call to call.
            self._wrapped = RecentlyUsed()

    @override
    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelCallResult[Any]:
        """Ask the request's model through `ChatToolEmu`."""
        return handler(request.override(model=self._wrap(request.model)))

    @override
    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelCallResult[Any]:
        """Ask the request's model through `ChatToolEmu`."""
        return await handler(request.override(model=self._wrap(request.model)))

    def _wrap(self, model: Any) -> Any:
        """A model in which every chat model is a `ChatToolEmu`; one that is made at each call is made now."""
        if _is_wrapped(model):
            return model
        match model:
            case DynamicRunnable():
                return self._wrap(model.prepare(ensure_config())[0])
            case RunnableWithFallbacks():
                others = [self._wrap(fallback) for fallback in model.fallbacks]
                inner = {"runnable": self._wrap(model.runnable), "fallbacks": others}
                return model.model_copy(update=inner)
            case RunnableBindingBase() if not is_plain_binding(model):  # such as `with_retry` gives
                return model.model_copy(update={"bound": self._wrap(model.bound)})
        if not isinstance(model, BaseChatModel | RunnableBindingBase) and hasattr(model, "_model"):
            return self._wrap(model._model())  # noqa: SLF001 - `init_chat_model` with configurable fields
        key, made = id(model), lambda: (model, ChatToolEmu(model, **self._options))
        return self._wrapped.find_or_make(key, made)[1]


def _is_wrapped(model: Any) -> bool:
    while isinstance(model, RunnableBindingBase | DynamicRunnable):
        model = model.bound if isinstance(model, RunnableBindingBase) else model.default
    return isinstance(model, ChatToolEmu)


show_options(ToolEmuMiddleware)
