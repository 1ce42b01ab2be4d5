"""What is known of one wrapped model: a frozen `Snapshot` that a turn starts with, and that its lessons replace.

Strongest first: what the user says of the model, of its provider or name; what was learned; what the server says of itself;
what is known of the name on its vendor's host. Only `consult` makes a request, to a server about itself.
"""

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel

from langchain_toolemu import model_facts
from langchain_toolemu.capability import (
    endpoints,
    lessons,
    memory,
    overrides,
    servers,
    store,
)
from langchain_toolemu.capability.memory import Record
from langchain_toolemu.capability.support import UNKNOWN, ModelDescription, Support
from langchain_toolemu.errors import warn_user
from langchain_toolemu.model_facts import Axis, Verdict
from langchain_toolemu.model_facts.token_count import positive_count

CHECKS_UNTIL_TRUST = 3  # how many checks that agree with the native reply are enough

SECONDS_REFUSED = 3600.0
"""How long it is remembered that requests with some tools failed in every native form."""

_log = logging.getLogger("langchain_toolemu")

_NOTHING = ModelDescription()


def forget_tool_support(llm: BaseChatModel | None = None) -> None:
    """Forget what was learned of a model, or of all: after its server was started anew with other settings.

    It is deleted in the verdict store, too, if there is one, and other processes forget it at their next turn.

    Example:
        ```python
        forget_tool_support(llm)
        ```
    """
    endpoint = None if llm is None else endpoints.endpoint_of(endpoints.innermost(llm))
    memory.forget(endpoint)
    store.discard(endpoint)


class ModelSize(NamedTuple):
    """How large a model is, in billions of parameters, and who says so."""

    billions: float | None
    source: str

    @property
    def in_words(self) -> str:
        """The size and its source; how to set it, if nobody says it."""
        known = self.billions
        return f"{known:.3g} billion parameters, {self.source}" if known else self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(model_facts.Knowledge):
    """All that is known of a model at one moment."""

    endpoint: endpoints.Endpoint
    supports: Mapping[Axis, Support]  # by the strongest source of each axis
    size: ModelSize
    window: int | None  # how many tokens fit into a request and its reply
    told_window: int | None  # the same, if the server itself reports it
    on_vendor_host: bool  # a vendor whose native calls are well formed, and never text

    @property
    def support(self) -> Support:
        """The verdict on the model's native tools, and its reason."""
        return self.supports.get("tools", UNKNOWN)

    @property
    def may_begin_thoughts(self) -> bool:
        """Whether a reply may begin inside a thought: one did, or the model's name says that it thinks."""
        known = self.supports.get("begun_thought", UNKNOWN).verdict
        return known == "native" or (known == "unknown" and endpoints.thinks(self.endpoint.model))

    @property
    def keeps_forms(self) -> bool:
        """Whether the server is known to hold an answer to the schema that it is handed, not only to take one."""
        form = self.supports.get("response_format", UNKNOWN)
        return self.on_vendor_host or form.verdict == "native"


class Capability:
    """Finds out what is known of one wrapped model, or of the `model` that a call names instead, and remembers more.

    `explicit` and `model_size`, in billions of parameters, are what the user says of its tools and its size.
    """

    def __init__(
        self,
        llm: BaseChatModel,
        model: Any = None,
        *,
        explicit: Verdict | None = None,
        model_size: float | None = None,
    ) -> None:
        self._llm = llm
        self._explicit = explicit if explicit != "unknown" else None
        self._model_size = model_size
        self.endpoint = endpoints.endpoint_of(llm, model)

    # --- what is known ---

    @property
    def known(self) -> Snapshot:
        """All that is known by now."""
        record = memory.recall(self.endpoint)
        supports, description = self._supports(record), record.description or _NOTHING
        tools = supports.get("tools", UNKNOWN)
        is_settled = tools.verdict == "none" or _has_called(tools)
        requested = positive_count(vars(self._llm).get("num_ctx"))  # ChatOllama's
        windows = requested or description.window or self._by_name.window, description.read_window
        window = min(filter(None, windows), default=None)
        return Snapshot(
            endpoint=self.endpoint,
            supports=supports,
            verdict=tools.verdict,
            evidence=tools.evidence,
            size=self._size(description),
            window=window,
            told_window=window if window == description.window else None,
            read_window=description.read_window or None,
            on_vendor_host=self._vendor in endpoints.WELL_BEHAVED,
            # By an `extra_body`, as OpenAI's client has it.
            knows_grammar=hasattr(self._llm, "extra_body")
            and supports.get("grammar", UNKNOWN).verdict == "native",
            past_reasoning=_past_reasoning(supports.get("reasoning", UNKNOWN)),
            wants_check=not is_settled and record.number("checks_agreed") < CHECKS_UNTIL_TRUST,
            prompt_truncated=record.was_cut and record.number("cuts") >= lessons.TIMES,
            at_vendor=self._vendor in endpoints.VENDORS,
            lacks=frozenset([axis for axis in supports if supports[axis].verdict == "none"]),
            refused_tools=_recent(record.refused_tools) if record.refused_tools else {},
        )

    @cached_property
    def _vendor(self) -> str | None:
        return endpoints.vendor_of(self._llm, self.endpoint.address)

    @cached_property
    def _by_name(self) -> ModelDescription:
        return endpoints.description_by_name(self._llm, self.endpoint, self._vendor)

    def _supports(self, record: Record) -> dict[Axis, Support]:
        """What is known on each axis, by its strongest source."""
        supports = dict(self._by_name.supports)
        if record.description:
            supports |= record.description.supports
        for axis, finding in record.findings.items():
            if finding.counts_for(axis):
                supports[axis] = finding.support
        if overrides.any_override():
            provider = self._vendor or endpoints.provider_by_class(self._llm)
            supports |= overrides.overrides_for(provider, self.endpoint.model)
        if self._explicit:
            supports["tools"] = Support(self._explicit, "the constructor says so")
        return supports

    def _size(self, description: ModelDescription) -> ModelSize:
        """The model's size, as the user says, else as its name says, else as its server counts."""
        if self._model_size:
            return ModelSize(self._model_size, "as model_size= says")
        if named := self._by_name.billions:
            return ModelSize(named, "as its name says")
        if description.billions and not description.is_named:
            return ModelSize(description.billions, "as its server says")
        if description.billions:
            return ModelSize(description.billions, "as the name says that its server lists")
        return ModelSize(None, "unknown size (pass model_size=7 for 7 billion parameters)")

    # --- asking the server about itself ---

    def consult(self) -> None:
        """Ask the server about itself and its model, where that may be done; once for each endpoint."""
        if self._should_ask():
            self._hear(servers.ask(self._llm, self.endpoint.model))

    async def aconsult(self) -> None:
        """The same on a thread of its own, which is left alone if the look-up of a name takes long."""
        if self._should_ask():
            consultation = asyncio.wrap_future(store.start_thread(self.consult))
            try:
                await asyncio.wait_for(consultation, servers.SECONDS + 1)
            except asyncio.TimeoutError:
                self._hear(_NOTHING)

    def _should_ask(self) -> bool:
        # Where the user has set the verdict, nothing in the server's answer would change a request.
        address = self.endpoint.address
        if self._explicit == "native" or not endpoints.may_be_asked(self._llm, address):
            return False
        return memory.recall(self.endpoint).description is None

    def _hear(self, description: ModelDescription) -> None:
        memory.update(self.endpoint, lambda record: record.hear(description))
        _log.debug("%s says of itself: %s", self.endpoint, description or "nothing")

    # --- what a turn finds out ---

    def learn(self, verdict: Verdict, reason: str, axis: Axis = "tools") -> None:
        """Remember what was seen."""
        support = Support(verdict, reason)
        self._log_changes(*memory.update(self.endpoint, lambda record: record.learn(support, axis)))

    def learn_from(self, *turn_lessons: model_facts.Lesson) -> bool:
        """Remember what a turn returned, and tell the user what it has to say; returns whether any of it was new."""
        is_new = False
        for lesson in turn_lessons:
            if isinstance(lesson, model_facts.Notice):
                self._tell_user(lesson)
                continue
            before, after = memory.update(self.endpoint, partial(self._learned, lesson))
            if after is not before:
                self._log_changes(before, after)
                is_new = True
        return is_new

    def _learned(self, lesson: model_facts.Lesson, record: Record) -> Record:
        if lesson == "call_in_text" and _has_called(self._supports(record).get("tools", UNKNOWN)):
            return record  # more is known
        if lesson == "choice_ignored" and "tool_choice" in self._supports(record):
            return record
        return lessons.learned(record, lesson)

    def _log_changes(self, before: Record, after: Record) -> None:
        for axis, finding in after.findings.items():
            known, support = before.findings.get(axis), finding.support
            if known is None or known.support.verdict != support.verdict:
                _log.info("%s %s: %s (%s)", self.endpoint, axis, support.verdict, support.reason)
        if after.read_window is not None and after.read_window != before.read_window:
            _log.info("%s reads at most %d tokens", self.endpoint, after.read_window)

    # --- telling the user ---

    def _tell_user(self, notice: model_facts.Notice) -> None:
        match notice.kind:
            case "log":
                if _log.isEnabledFor(logging.INFO):
                    _log.info("%s: %s", self.endpoint, notice.text)
            case "emulated":
                self.announce()
            case "parser_failed":
                if memory.is_first_notice(self.endpoint, "parser_failed"):
                    warn_user(f"{self.endpoint}: {notice.text}", "parser_failed")
            case "unknown_tool" | "reask_failed" as code:
                warn_user(f"{self.endpoint}: {notice.text}", code)
            case "prompt_truncated" if not memory.is_first_notice(self.endpoint, "cut"):
                pass
            case _:
                _log.warning("%s: %s", self.endpoint, notice.text)

    def announce(self) -> None:
        """Warn, once a model, if emulation has taken over."""
        known = self.known.support
        if known.verdict == "none" and memory.is_first_notice(self.endpoint, "emulated"):
            warn_user(
                f"{self.endpoint} does not call tools natively ({known.reason}): its calls "
                "are emulated from now on. Set mode='force' to always emulate and silence this warning.",
                "calls_emulated",
            )

    def warn_of_lost_reasoning(self, known: Snapshot) -> None:
        """Warn, once a model, if the server wants its reasoning back and the client has dropped it from the replies."""
        drops = type(self._llm).__name__ == "ChatOpenAI"
        wanted = known.past_reasoning in ("send", "fill")
        if drops and wanted and memory.is_first_notice(self.endpoint, "reasoning"):
            warn_user(
                f"{self.endpoint} wants the reasoning of past messages back "
                f"({known.supports['reasoning'].reason}), and ChatOpenAI drops it. "
                "Use ToolEmuChatOpenAI with the same arguments.",
                "reasoning_lost",
            )


def _recent(refused: Mapping[str, tuple[str, float]]) -> dict[str, str]:
    now = time.time()
    return {tools: came for tools, (came, at) in refused.items() if now - at < SECONDS_REFUSED}


def _past_reasoning(known: Support) -> model_facts.PastReasoning:
    """How the reasoning of past messages is to be sent: a server that asked for it gets it in every message."""
    match known.verdict:
        case "none":
            return "leave_out"
        case "native":
            return "fill" if known.evidence == "observed" else "send"
    return "as_is"


def _has_called(known: Support) -> bool:
    return known.verdict == "native" and known.evidence == "observed"
