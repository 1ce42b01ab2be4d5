"""Counts what happened over many turns: what each message, or the error in its place, reports."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.tracers.context import register_configure_hook
from typing_extensions import override

from langchain_toolemu.messages.metadata import usage_of


@dataclass(slots=True)
class Counts:
    """What was counted of one model; the gateway's `/metrics` shows the same.

    Attributes:
        turns: Turns that passed through a `ChatToolEmu` in mode fallback or force, those that failed included.
        failed: Turns that ended in an error.
        requests: Requests to the wrapped model.
        paths: Turns by who made the message: `"native"`, `"emulated"`, `"rescued"`.
        modes: Turns by mode.
        fallbacks: Turns in mode fallback that the provider's own tool calling did not do.
        reasks: Re-asks by `"stage: reason"`.
        doubts: Calls that were doubted, `"made"` and `"not made"`.
        calls: Tool calls returned.
        repaired: Repairs of calls, such as a name resolved or a closer added.
        invalid: Calls that could not be read or that were cut off.
        tools_shown: Tools of which a contract said more than the name, where it did not so of all.
        tools_offered: Tools that were offered in those turns.
        warnings: Warnings of the metadata, `"tool calls emulated"` among them.
        input_tokens: Tokens sent, over all requests.
        output_tokens: Tokens received, over all requests.
    """

    turns: int = 0
    failed: int = 0
    requests: int = 0
    paths: Counter[str] = field(default_factory=Counter)
    modes: Counter[str] = field(default_factory=Counter)
    fallbacks: int = 0
    reasks: Counter[str] = field(default_factory=Counter)
    doubts: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    repaired: int = 0
    invalid: int = 0
    tools_shown: int = 0
    tools_offered: int = 0
    warnings: Counter[str] = field(default_factory=Counter)
    input_tokens: int = 0
    output_tokens: int = 0

    def add(
        self,
        report: Mapping[str, Any],
        calls: int = 0,
        invalid: int = 0,
        usage: UsageMetadata | None = None,
        *,
        failed: bool = False,
    ) -> None:
        """Count one turn: what it reports, and what its message holds if it gave one."""
        self.turns += 1
        self.failed += failed
        self.requests += report["requests"]
        self.paths[report["path"]] += 1
        self.modes[report["mode"]] += 1
        self.fallbacks += report["mode"] == "fallback" and report["path"] != "native"
        self.reasks.update(report["reasks"])
        self.doubts.update("made" if doubt["made"] else "not made" for doubt in report["doubted"])
        self.calls += calls
        self.repaired += len(report["repairs"])
        self.invalid += invalid
        self.tools_shown += report.get("tools_shown", 0)
        self.tools_offered += report.get("tools_offered", 0)
        self.warnings.update(report["warnings"])
        if usage:
            self.input_tokens += usage["input_tokens"]
            self.output_tokens += usage["output_tokens"]


class ToolEmuCallbackHandler(BaseCallbackHandler):
    """Counts turns by model; what `get_toolemu_callback` gives, or passed as a callback by hand.

    Attributes:
        models: The counts by model name.
        errors: Turns that ended in an error, by its class.

    Example:
        ```python
        handler = ToolEmuCallbackHandler()
        agent.invoke(question, {"callbacks": [handler]})
        handler.models["gemma2"].reasks  # Counter({'validation: bad_arguments': 2})
        ```
    """

    def __init__(self) -> None:
        self.models: dict[str, Counts] = {}
        self.errors: Counter[str] = Counter()
        self._lock = Lock()

    @property
    def total(self) -> Counts:
        """All models together."""
        sums = Counts()
        for counts in self.models.values():
            for name in Counts.__slots__:
                setattr(sums, name, getattr(sums, name) + getattr(counts, name))
        return sums

    @override
    def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
        # A handler without this is given all messages as one text, which takes long to write.
        pass

    @override
    def on_llm_end(self, response: LLMResult, **kwargs: Any) -> None:
        for generation in (first for (first, *_) in response.generations):
            if isinstance(generation, ChatGeneration):
                self._count(generation.message)

    @override
    def on_llm_error(self, error: BaseException, **kwargs: Any) -> None:
        with self._lock:
            self.errors[type(error).__name__] += 1
            if report := getattr(error, "toolemu_report", None):
                self._counts(report["model"]).add(report, failed=True)

    def _count(self, message: Any) -> None:
        report = message.response_metadata.get("toolemu")
        if isinstance(message, AIMessage) and report:
            holds = len(message.tool_calls), len(message.invalid_tool_calls), usage_of(message)
            with self._lock:
                self._counts(message.response_metadata.get("model_name")).add(report, *holds)

    def _counts(self, name: str | None) -> Counts:
        return self.models.setdefault(name or "unnamed", Counts())

    @override
    def __repr__(self) -> str:
        return f"ToolEmuCallbackHandler(models={self.models!r}, errors={dict(self.errors)!r})"


_in_block: ContextVar[ToolEmuCallbackHandler | None] = ContextVar("toolemu_callback", default=None)
register_configure_hook(_in_block, inheritable=True)


@contextmanager
def get_toolemu_callback() -> Iterator[ToolEmuCallbackHandler]:
    """Count everything that happens in a block, whoever calls the models there.

    Example:
        ```python
        with get_toolemu_callback() as counted:
            agent.invoke({"messages": [("user", "What is the weather in Paris?")]})
        counted.total.requests
        ```
    """
    handler = ToolEmuCallbackHandler()
    token = _in_block.set(handler)
    try:
        yield handler
    finally:
        _in_block.reset(token)
