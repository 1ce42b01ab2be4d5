"""`Capability`: what is known of one wrapped model, as a turn asks for it and adds to it.

Strongest first: what the user says of the model, of its provider or name; what was learned; what the server says of itself;
what is known of the name on its vendor's host. Only `consult` makes a request, to a server about itself.
"""

import asyncio
import logging
import time
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel

from langchain_toolemu import model_facts
from langchain_toolemu.capability import (
    endpoints,
    error_text,
    parser_failures,
    prompt_truncation,
    recipe_evidence,
    servers,
    store,
    token_count,
    verdicts,
)
from langchain_toolemu.capability.entries import Counter
from langchain_toolemu.capability.support import UNKNOWN, ModelDescription, Support
from langchain_toolemu.errors import warn_user
from langchain_toolemu.model_facts import Axis, Verdict

TIMES = 2
"""How often something is found that one turn alone does not tell, until it is believed."""

CHECKS_UNTIL_TRUST = 3  # how many checks that agree with the native reply are enough

FAILURES_UNTIL_TEXT = 2
"""How many failures of a server's parser, with no native reply between them, mean that the model is asked in text first."""

TURNS_IN_TEXT = 20
SECONDS_IN_TEXT = 600.0
"""After so many turns, or so long after the last failure, the model is asked natively again."""


class _Rule(NamedTuple):
    """What a lesson means: the support that is learned, at once or if it is counted often enough; what is counted anew."""

    support: Support | None = None
    axis: Axis = "tools"
    counts: Counter | None = None
    resets: tuple[Counter, ...] = ()
    concluded: bool = False  # and not seen


_FAILED_WITH = Support("none", "requests with it failed, and were sent without it")
_RULES: Mapping[model_facts.LessonCode, _Rule] = {
    "native_call": _Rule(Support("native", "it made a native call"), resets=("rescues",)),
    "demanded_call": _Rule(Support("native", "it made a call that was demanded"), "tool_choice"),
    # A demand is not worth another native request.
    "choice_ignored": _Rule(Support("none", "a demanded call did not come"), "tool_choice", concluded=True),
    "call_in_text": _Rule(Support("none", "it writes its calls as text", "text"), counts="rescues"),
    "check_found_call": _Rule(
        Support("none", "native replies lack the calls that emulation finds"),
        counts="calls_found", resets=("checks_agreed",), concluded=True,
    ),
    "check_agreed": _Rule(counts="checks_agreed"),
    "denied_tools": _Rule(resets=("checks_agreed",)),
    "parser_failed": _Rule(counts="parser_failures", resets=("turns_in_text",)),
    "parser_worked": _Rule(resets=("parser_failures", "turns_in_text")),
    "parser_avoided": _Rule(counts="turns_in_text"),
    "does_without_grammar": _Rule(_FAILED_WITH, "grammar", "without_grammar", concluded=True),
    "does_without_schema": _Rule(_FAILED_WITH, "response_format", "without_schema", concluded=True),
    "does_without_system_message": _Rule(_FAILED_WITH, "system_role", "without_system_message", concluded=True),
}  # fmt: skip

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
    verdicts.forget(endpoint)
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


class Capability:
    """What is known of one wrapped model, or of the `model` that a call names instead.

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
        self.prompt_truncated = False
        """Whether the server is known to cut off the beginning of what this turn sent."""

    # --- what is known ---

    @property
    def verdict(self) -> Verdict:
        """What is known so far of the model's native tools."""
        return self.support_for("tools").verdict

    @property
    def support(self) -> Support:
        """The verdict on the model's native tools, and its reason."""
        return self.support_for("tools")

    @property
    def evidence(self) -> model_facts.Evidence:
        """What the verdict on the model's native tools rests on."""
        return self.support_for("tools").evidence

    @cached_property
    def on_vendor_host(self) -> bool:
        """Whether requests go to a vendor whose native calls come as they should, and whose text is no call."""
        vendor = endpoints.vendor_of(self._llm, self.endpoint.address)
        return vendor in endpoints.WELL_BEHAVED

    @property
    def size(self) -> ModelSize:
        """The model's size, as the user says, else as its server says, else as its name says."""
        if self._model_size:
            return ModelSize(self._model_size, "as model_size= says")
        if said := self._said.billions:
            return ModelSize(said, "as its server says")
        if named := self._by_name.billions:
            return ModelSize(named, "as its name says")
        return ModelSize(None, "size not known: pass model_size=7 (billions of parameters)")

    @property
    def adapts_recipe(self) -> bool:
        """Whether the model's replies decide on its recipe: nobody says its size, and it is not on a vendor's host."""
        vendor = endpoints.vendor_of(self._llm, self.endpoint.address)
        return self.size.billions is None and vendor not in endpoints.VENDORS

    @property
    def follows_capable(self) -> bool:
        """False once replies have shown that the model cannot follow the recipe for capable models, for a while."""
        return not self.adapts_recipe or recipe_evidence.follows_capable(self.endpoint)

    @property
    def window(self) -> int | None:
        """How many tokens fit into a request and its reply: what the client asks for, what the server says, a profile."""
        asked = endpoints.positive_count(getattr(self._llm, "num_ctx", None))  # ChatOllama's
        told = asked or self._said.window or self._by_name.window
        return min(filter(None, (told, self.read_window)), default=None)

    @property
    def told_window(self) -> int | None:
        """The window that the server itself tells of, if it is the one in use."""
        return self._said.window if self._said.window == self.window else None

    @property
    def read_window(self) -> int | None:
        """How many tokens the server read of an earlier request whose beginning it cut off, if it did."""
        return self._said.read_window or None

    @property
    def _said(self) -> ModelDescription:
        return verdicts.entry_of(self.endpoint).said or _NOTHING

    @cached_property
    def _by_name(self) -> ModelDescription:
        return endpoints.description_by_name(self._llm, self.endpoint)

    def support_for(self, axis: Axis) -> Support:
        """The verdict on one axis, and its reason."""
        if self._explicit and axis == "tools":
            return Support(self._explicit, "the constructor says so")
        if verdicts.any_override():
            provider, model = endpoints.provider_of(self._llm), self.endpoint.model
            if (said := verdicts.override_for(provider, model, axis)).verdict != "unknown":
                return said
        learned = verdicts.entry_of(self.endpoint)
        if axis in learned.findings:
            return learned.findings[axis].support
        by_server = learned.said.supports.get(axis) if learned.said else None
        return by_server or self._by_name.supports.get(axis, UNKNOWN)

    # --- asking the server about itself ---

    def consult(self) -> None:
        """Ask the server about itself and its model, where that may be done; once for each endpoint."""
        if self._should_ask():
            told = servers.ask(self._llm, self.endpoint.model)
            verdicts.keep_description(self.endpoint, told)

    async def aconsult(self) -> None:
        """The same on a thread of its own, which is left alone if the look-up of a name takes long."""
        if self._should_ask():
            asked = asyncio.wrap_future(store.start_thread(self.consult))
            try:
                await asyncio.wait_for(asked, servers.SECONDS + 1)
            except asyncio.TimeoutError:
                verdicts.keep_description(self.endpoint, _NOTHING)

    def _should_ask(self) -> bool:
        if self._explicit == "native":  # nothing that the server says would change how it is asked
            return False
        asked = verdicts.entry_of(self.endpoint).said is not None
        return not asked and endpoints.may_be_asked(self._llm, self.endpoint.address)

    # --- what a turn finds out ---

    def learn(self, verdict: Verdict, reason: str, axis: Axis = "tools") -> None:
        """Remember what a turn has seen."""
        verdicts.learn(self.endpoint, Support(verdict, reason), axis)

    def learn_from(self, lesson: model_facts.Lesson) -> None:
        """Remember what a turn returned, and tell the user what it has to say."""
        match lesson:
            case model_facts.Trouble():
                if lesson.lasting:
                    verdict: Verdict = "native" if lesson.demanded else "none"
                    self.learn(verdict, f"the provider said: {lesson.words}", lesson.axis)
            case model_facts.ToolsDropped(input_tokens=tokens):
                reason = f"{tokens} input tokens cannot hold the tools: they were dropped"
                verdicts.learn(self.endpoint, Support("none", reason), concluded=True)
            case model_facts.InputTokens():
                detect = prompt_truncation.detect_prompt_truncation
                self.prompt_truncated = detect(self.endpoint, lesson)
            case model_facts.Notice():
                self._tell_user(lesson)
            case "contract_failed":
                recipe_evidence.count_failure(self.endpoint)
            case "contract_followed":
                recipe_evidence.count_right_call(self.endpoint)
            case _:
                self._learn_code(lesson)

    def _learn_code(self, code: model_facts.LessonCode) -> None:
        rule = _RULES[code]
        calls = self.verdict == "native" and self.evidence == "observed"
        knows_choice = self.support_for("tool_choice").verdict != "unknown"
        if (code == "call_in_text" and calls) or (code == "choice_ignored" and knows_choice):
            return  # more is known
        for counter in rule.resets:
            verdicts.reset_count(self.endpoint, counter)
        number = verdicts.count(self.endpoint, rule.counts) if rule.counts else TIMES
        if rule.support and number >= TIMES:
            verdicts.learn(self.endpoint, rule.support, rule.axis, concluded=rule.concluded)

    def may_send(self, axis: Axis) -> bool:
        """False once the model or its server has refused it, or ignored a demand for a call."""
        return self.support_for(axis).verdict != "none"

    @property
    def past_reasoning(self) -> model_facts.PastReasoning:
        """How the reasoning of past messages is to be sent: a server that asked for it gets it in every message."""
        known = self.support_for("reasoning")
        match known.verdict:
            case "none":
                return "leave_out"
            case "native":
                return "fill" if known.evidence == "observed" else "send"
        return "as_is"

    @property
    def knows_grammar(self) -> bool:
        """Whether the server is known to decode under a grammar, and can be handed one."""
        return self.hands_over_grammars and self.support_for("grammar").verdict == "native"

    @property
    def keeps_forms(self) -> bool:
        """Whether the server is known to hold an answer to the schema that it is handed, not only to take one."""
        return self.on_vendor_host or self.support_for("response_format").verdict == "native"

    @property
    def hands_over_grammars(self) -> bool:
        """Whether the wrapped model adds to its requests what it is told to, as OpenAI's client does."""
        return hasattr(self._llm, "extra_body")

    is_bad_request = staticmethod(error_text.is_bad_request)
    is_too_long = staticmethod(error_text.is_too_long)
    diagnose = staticmethod(error_text.diagnose)
    parser_failure = staticmethod(parser_failures.parser_failure)
    judge_token_count = staticmethod(token_count.judge_token_count)

    @property
    def wants_check(self) -> bool:
        """Whether a native reply without a call is to be checked by emulation."""
        known = self.support
        if known.verdict == "none" or (known.verdict == "native" and known.evidence == "observed"):
            return False
        return verdicts.entry_of(self.endpoint).number("checks_agreed") < CHECKS_UNTIL_TRUST

    @property
    def parser_failed(self) -> bool:
        """Whether the server's parser failed in the last native request."""
        return verdicts.entry_of(self.endpoint).number("parser_failures") > 0

    @property
    def avoids_parser(self) -> bool:
        """Whether that happened so often that the model is asked in text for a while."""
        entry = verdicts.entry_of(self.endpoint)
        if entry.number("parser_failures") < FAILURES_UNTIL_TEXT:
            return False
        is_recent = time.time() - entry.last("parser_failures") < SECONDS_IN_TEXT
        return is_recent and entry.number("turns_in_text") < TURNS_IN_TEXT

    # --- telling the user ---

    def _tell_user(self, notice: model_facts.Notice) -> None:
        match notice.kind:
            case "log":
                if _log.isEnabledFor(logging.INFO):
                    _log.info("%s: %s", self.endpoint, notice.text)
            case "emulated":
                self.announce()
            case "parser_failed":
                if verdicts.is_first_notice(self.endpoint, "parser_failed"):
                    warn_user(f"{self.endpoint}: {notice.text}", "parser_failed")
            case "prompt_truncated" if not verdicts.is_first_notice(self.endpoint, "cut"):
                pass
            case _:
                _log.warning("%s: %s", self.endpoint, notice.text)

    def announce(self) -> None:
        """Warn, once a model, if emulation has taken over."""
        if self.verdict == "none" and verdicts.is_first_notice(self.endpoint, "emulated"):
            warn_user(
                f"{self.endpoint} does not call tools natively ({self.support.reason}): its calls "
                "are emulated from now on. Set mode='force' to always emulate and silence this warning.",
                "calls_emulated",
            )

    def warn_of_lost_reasoning(self) -> None:
        """Warn, once a model, if the server wants its reasoning back and the client has dropped it from the replies."""
        drops = type(self._llm).__name__ == "ChatOpenAI"
        wanted = self.past_reasoning in ("send", "fill")
        if drops and wanted and verdicts.is_first_notice(self.endpoint, "reasoning"):
            warn_user(
                f"{self.endpoint} wants the reasoning of past messages back "
                f"({self.support_for('reasoning').reason}), and ChatOpenAI drops it. Use ToolEmuChatOpenAI with the same "
                "arguments, or set send_reasoning='never' to silence this warning.",
                "reasoning_lost",
            )
