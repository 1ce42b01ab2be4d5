"""What `bind` and `bind_tools` return: LangChain's binding, which can also be previewed."""

from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import _ChatModelBinding
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableBinding


class ToolEmuBinding(_ChatModelBinding):
    """A `ChatToolEmu` with what is bound to it; dumped and compared as every binding is.

    Example:
        ```python
        llm.bind_tools([get_weather]).preview("What is the weather in Paris?")
        ```
    """

    def preview(self, messages: LanguageModelInput, **kwargs: Any) -> list[BaseMessage]:
        """The messages that emulation would send with what is bound; `kwargs` as a call takes them.

        Example:
            ```python
            for message in llm.bind_tools([get_weather]).preview("What is the weather in Paris?"):
                message.pretty_print()
            ```
        """
        previewed: Any = self.bound
        while not hasattr(previewed, "preview"):  # `with_retry` puts itself in between
            previewed = previewed.bound
        return previewed.preview(messages, **{**self.kwargs, **kwargs})  # type: ignore[no-any-return]


def previewable(bound: Any, model: Any) -> Any:
    """A binding of a `ChatToolEmu` that another model made, as one of ours; anything else as it is."""
    if not isinstance(bound, RunnableBinding) or bound.bound is not model:
        return bound
    return ToolEmuBinding(
        bound=bound.bound,
        kwargs=bound.kwargs,
        config=bound.config,
        config_factories=bound.config_factories,
        custom_input_type=bound.custom_input_type,
        custom_output_type=bound.custom_output_type,
    )
