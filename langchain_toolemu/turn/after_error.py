"""What follows an error: an ordered tuple of named rules, of which the first that fits decides.

If the error refuses a part of the request that is not needed, the request is sent again without it. Any other error is the
caller's, save four: a parser that failed is given another chance; where the contract does not fit, a native reply is kept;
tools that are too long for the window are asked for in text, which only names most of them; and a reply that was asked about stands.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from pydantic import ValidationError

from langchain_toolemu.errors import DialectError, PolicyError
from langchain_toolemu.model_facts import (
    Axis,
    Knowledge,
    LessonCode,
    Notice,
    OtherForm,
    ParserFailure,
    PastReasoning,
    Refusal,
    ToolsRefused,
)
from langchain_toolemu.model_facts.overflow import overflow_in
from langchain_toolemu.model_facts.token_count import whole_text
from langchain_toolemu.turn import stages
from langchain_toolemu.turn.forms import FORMS, fingerprint, forms_left
from langchain_toolemu.turn.turn_input import Request, Settings, TurnInput
from langchain_toolemu.turn.turn_output import TurnWarning, warning

_CUT = "EOF while parsing"  # what pydantic and jiter say of JSON that ends too early
_JITER = re.compile(r" at line \d+ column \d+\Z")
_GRAMMAR_FIELDS = ("grammar", "structured_outputs", "extra_body")
"""What a grammar is handed over in: a server's fields, or a client's argument that takes them."""

MAX_FORMS = 3  # further requests

_TOKEN = 4  # characters, as an estimate
_NEARLY = 0.8  # of a window, for that reason


@dataclass(frozen=True)
class Failure:
    """A request that failed, and all that its rules go by."""

    error: Exception  # what was raised
    turn_input: TurnInput  # what the caller asks for
    settings: Settings  # how the wrapper was set up
    knowledge: Knowledge  # what is known of the model
    stage: stages.Stage  # what was asked
    request: Request  # as it was sent
    refused: str | None = None  # what the provider refuses by the error
    demanded: str | None = None  # what it demands by the error
    started: bool = False  # whether anything was shown
    shows_reply: bool = False  # of the reply that failed
    called_before: bool = False  # whether an earlier reply of the turn made a call
    spoke_before: bool = False  # whether earlier replies of the turn said anything
    too_long: bool = False  # whether the error says that the request does not fit the window
    parser: ParserFailure | None = None  # of a reply of which the error holds no word
    # Whether the request was refused for its form, before anything came.
    refusal: Refusal | None = None

    @property
    def may_emulate(self) -> bool:
        """Whether a request in text can ask for the same."""
        turn_input = self.turn_input
        return turn_input.is_about_tools and not turn_input.is_providers_alone

    @property
    def demands_call(self) -> bool:
        """Whether nothing but a call will do."""
        return self.turn_input.choice.forced and self.settings.on_failure == "error"

    @property
    def text_stage(self) -> stages.Stage:
        """How the turn goes on in text."""
        return stages.first_in_text(self.turn_input, self.settings, self.knowledge)


ErrorRule: TypeAlias = Callable[[Failure], stages.Decision | None]


def after_error(failure: Failure) -> stages.Decision:
    """What follows an error: it is the caller's, unless a rule fits."""
    decisions = (decision for rule in RULES if (decision := rule(failure)))
    decision = next(decisions, stages.Reraise())
    ends = isinstance(decision, stages.Reraise | stages.Fail)
    return (_earlier_reply(failure) if ends else None) or decision


def _earlier_reply(failure: Failure) -> stages.EndTurn | None:
    """The reply that was asked about, as if the model had said nothing to that: an error is no evidence."""
    stage, last, called = failure.stage, failure.stage.current_reask, failure.called_before
    if failure.shows_reply or isinstance(failure.error, (PolicyError, DialectError)):
        return None
    calls = last.calls if last and not (called or last.review.demands) else ()
    past = [reask for reask in stage.reasks if called or reask.words or reask.stands]
    if not calls and (not past or (failure.demands_call and not called)):
        return None
    is_native = stage.native or stage.phase == "native"
    notice = warning("reask_failed", error=type(failure.error).__name__)
    return stages.EndTurn(
        path="native" if is_native and not (calls or called) else "emulated",
        show=calls or (() if called else past[0].words),
        resumes=True,
        warnings=(notice,),
        lessons=(Notice("reask_failed", f"{notice.text}, so the reply before it stands"),),
    )


def _policy_failed(failure: Failure) -> stages.Decision | None:
    """The request went well: what failed is the caller's policy, or dialect."""
    return stages.Reraise() if isinstance(failure.error, (PolicyError, DialectError)) else None


def _check_failed(failure: Failure) -> stages.Decision | None:
    """A check is not needed: the native reply is the answer, unless the error names what the check can be sent without."""
    stage, refusal = failure.stage, failure.refusal
    if stage.checks is None or not (failure.spoke_before or stage.checks.words):
        return None
    is_named = failure.refused in FORMS or (refusal and refusal.named)
    if is_named and (decision := _form_refused(failure)):
        return decision
    why = warning("check_failed", error=type(failure.error).__name__)
    return stages.EndTurn(path="native", show=stage.checks.words, warnings=(why,))


def _contract_does_not_fit(failure: Failure) -> stages.Decision | None:
    """What came natively fits, and is kept unless it lacks a call that must come; else the caller is told why."""
    size = failure.request.contract
    if not failure.too_long or size is None:
        return None
    note = f"The request does not fit the context window: {size.in_words}. {size.what_helps}"
    native = failure.stage.native
    if native is None or failure.demands_call:
        return stages.Reraise(note=note)
    why = warning("native_kept", size=size.in_words, what_helps=size.what_helps)
    return stages.EndTurn(path="native", show=native.words, warnings=(why,))


def _parser_failed(failure: Failure) -> stages.Decision | None:
    """The server could not parse what its model wrote: the same is asked once more, and after that in text."""
    parser, stage, turn_input = failure.parser, failure.stage, failure.turn_input
    if parser is None:
        return None
    warnings = () if stage.again else (warning("parser_failed", server=parser.server),)
    natively = stage.phase == "native"
    if not (stage.again or (natively and parser.repeats)):
        log = f"{parser.server} could not parse the reply, which is asked for once more"
        return stages.AskAgain(stage=replace(stage, again=True), warnings=warnings, log=log)
    if natively and (turn_input.form or failure.may_emulate):
        log = f"{parser.server} could not parse the reply; the turn goes on emulated"
        in_text = ToolsRefused(fingerprint(turn_input.tools), "text")
        stage = replace(failure.text_stage, retry=stages.PlainRetry(failure.error, (in_text,)))
        return stages.AskAgain(stage=stage, warnings=warnings, log=log)
    return stages.Reraise()


def _too_late(failure: Failure) -> stages.Decision | None:
    """What was shown cannot be taken back."""
    return stages.Reraise() if failure.started else None


def _reply_misread(failure: Failure) -> stages.Decision | None:
    """The wrapped model's client fails at the whole reply, whose calls have arguments of the wrong type: in pieces it does not."""
    error = failure.error
    if failure.stage.in_pieces or not isinstance(error, ValidationError):
        return None
    if not any(fault["loc"][:1] == ("tool_calls",) for fault in error.errors()):
        return None
    log = "the reply could not be read whole, and is asked for in pieces"
    return stages.AskAgain(stage=replace(failure.stage, in_pieces=True), log=log)


def _native_reask_failed(failure: Failure) -> stages.Decision | None:
    """What we added to the conversation may be to blame: a call is asked for in text, and what stopped short stands."""
    stage = failure.stage
    if stage.phase != "native" or not stage.reasks:
        return None
    last, notice = stage.reasks[-1], warning("reask_failed", error=type(failure.error).__name__)
    if last.kind.nudges or failure.turn_input.is_providers_alone:
        return stages.EndTurn(path="native", show=last.words, resumes=True, warnings=(notice,))
    native, reasks = stages.NativeReply(last.words), stages.forget_corrections(stage.reasks)
    text = replace(failure.text_stage, native=native, reasks=reasks)
    return stages.AskAgain(stage=text, warnings=(notice,))


def _form_refused(failure: Failure) -> stages.Decision | None:
    """The same is said in another form: what the error names first, then the cheapest, then all, at last in text."""
    stage, refusal, known = failure.stage, failure.refusal, failure.knowledge
    if refusal is None and failure.refused in FORMS:  # whatever its status is
        refusal = Refusal()
    if refusal is None or failure.too_long:
        return None
    tools, before = failure.turn_input.tools, stage.retry
    key = fingerprint(tools, *refusal.named)
    if before is None:
        if known.refused_tools.get(key) == "nothing":
            return None
        before = stages.PlainRetry(failure.error, in_vain=(ToolsRefused(key, "nothing"),))
    elif before.attempts + _repeats(failure) >= MAX_FORMS:
        return None
    else:
        before = before._replace(attempts=before.attempts + 1 + _repeats(failure))
    if chosen := _next_forms(failure, refusal):
        forms = (*stage.forms, *chosen)
        lesson = OtherForm(tuple(axis for axis in forms if known.may_send(axis)))
        retry = before._replace(lessons=(lesson,))
        return _say(replace(stage, decoding="free", forms=forms, retry=retry), chosen)
    may_emulate = refusal.too_many or not (_is_callers(refusal) or known.at_vendor)
    if stage.phase != "native" or not (failure.may_emulate and may_emulate):
        return None
    retry = before._replace(lessons=(ToolsRefused(fingerprint(tools), "text"),))
    return _say(replace(failure.text_stage, decoding="free", retry=retry), ())


def _next_forms(failure: Failure, refusal: Refusal) -> list[Axis]:
    """The forms that are tried next; none if nothing is left that may have been meant."""
    left = [axis for axis in forms_left(failure.request) if axis not in failure.stage.forms]
    # Vendors take a system message: what else they refuse is the caller's. In text it is ours.
    is_text, place = failure.stage.phase != "native", failure.settings.place
    # What was refused natively as well is hardly refused for ours, unless the error says so.
    is_named = "system_role" in (*refusal.named, failure.refused)
    is_set = place is not None or (failure.stage.retry is not None and not is_named)
    keeps_role = is_set if is_text else failure.knowledge.at_vendor
    if keeps_role or "later_system" in left:  # which may be all that is refused
        left = [axis for axis in left if axis != "system_role"]
    named = [axis for axis in left if axis in refusal.named or axis == failure.refused]
    if "later_system" in named and len(named) > 1:  # it alone is meant, or may be meant as well
        is_meant = failure.refused == "later_system"
        named = [axis for axis in named if (axis == "later_system") is is_meant]
    if not named and "schema_keywords" in refusal.named:  # which are not to blame
        named = [axis for axis in left if axis in ("schema_unions", "tool_names")]
    of_tools = refusal.too_many or (refusal.names_tools and failure.refused != "system_role")
    if named or _is_callers(refusal) or of_tools:
        return named
    left = [axis for axis in left if not FORMS[axis].named_only]
    return left if failure.stage.retry or _repeats(failure) else left[:1]


def _is_callers(refusal: Refusal) -> bool:
    """Whether a native request was refused for what is the caller's own."""
    return refusal.is_callers or refusal.names_format


def _repeats(failure: Failure) -> int:
    """How often the client itself repeated the request that failed."""
    is_retried = failure.refusal is not None and failure.refusal.is_retried
    return failure.settings.client_retries if is_retried else 0


def _say(stage: stages.Stage, forms: Sequence[Axis]) -> stages.Decision:
    words = ", ".join(FORMS[axis].words for axis in forms) or "with the tools in the prompt"
    notice = warning("other_form", form=words)
    return stages.AskAgain(stage=stage, warnings=(notice,), log=notice.text)


def _tools_do_not_fit(failure: Failure) -> stages.Decision | None:
    """So many tools are too long for the window: in text most of them are only named."""
    limit, tools = failure.settings.tools_shown, failure.turn_input.tools
    if not failure.too_long or failure.stage.phase != "native" or limit is None:
        return None
    if len(tools) <= limit.above or not failure.may_emulate:
        return None
    size = len(str(tools)) / _TOKEN
    words = sum(len(whole_text(message)) for message in failure.request.messages) / _TOKEN
    overflow = overflow_in(failure.error)
    window = overflow.window if overflow else (size + words) * _NEARLY
    # Else it may be the limit of the reply that does not fit, or what was said.
    if size < words or size + words < window * _NEARLY:
        return None
    notice = warning("tools_too_long", count=len(tools))
    lessons = (ToolsRefused(fingerprint(tools), "text"),) if size > window else ()
    return _go_on_in_text(failure, notice, stages.PlainRetry(failure.error, lessons))


def _native_refused(failure: Failure) -> stages.Decision | None:
    """The provider refuses what was asked natively: the turn goes on in text."""
    why = _why_not_natively(failure) if failure.stage.phase == "native" else None
    if why is None:
        return None
    ignored = not failure.turn_input.tools and not failure.settings.on_vendor_host
    ignored = ignored and _is_no_json(failure.error)
    lessons: tuple[LessonCode, ...] = ("schema_ignored",) if ignored else ()
    return replace(_go_on_in_text(failure, why), lessons=lessons)


def _go_on_in_text(
    failure: Failure, why: TurnWarning, retry: stages.PlainRetry | None = None
) -> stages.AskAgain:
    stage, log = replace(failure.text_stage, retry=retry), f"{why.text}; the turn goes on emulated"
    return stages.AskAgain(stage=stage, warnings=(why,), log=log)


def _why_not_natively(failure: Failure) -> TurnWarning | None:
    turn_input, refused = failure.turn_input, failure.refused
    if turn_input.is_about_tools and refused in ("tools", "tool_choice"):
        return warning("native_refused", what=refused.replace("_", " "))
    if turn_input.constraint and refused == "response_format":
        return warning("native_refused", what="a response format")
    # OpenAI's client checks a native answer itself, and raises where the server ignored the schema.
    unparsed = turn_input.hands_over_form and _is_unparsed(failure.error)
    misfit = isinstance(failure.error, ValidationError) or unparsed
    return warning("form_missed") if turn_input.form and misfit else None


def _is_unparsed(error: Exception) -> bool:
    """Whether a client could not read an answer as JSON: OpenAI's says so of a stream, by a plain `ValueError` of jiter."""
    return type(error) is ValueError and bool(_JITER.search(str(error)))


def _is_no_json(error: Exception) -> bool:
    """Whether a client says that an answer is no JSON at all; half an answer was only cut off."""
    if isinstance(error, ValidationError):
        return any(
            found["type"] == "json_invalid" and _CUT not in str(found["ctx"]["error"])
            for found in error.errors(include_url=False, include_input=False)
        )
    return _is_unparsed(error) and _CUT not in str(error)


def _constraint_refused(failure: Failure) -> stages.Decision | None:
    """What the server was to decode under is left out, if the error is about that, or about nothing that has another form."""
    stage, refusal = failure.stage, failure.refusal
    if stage.decoding == "free":
        return None
    retry = None
    if not _is_about_decoding(failure):
        named = {*refusal.named, failure.refused} if refusal else set()
        has_form = not named.isdisjoint(forms_left(failure.request))
        if refusal is None or refusal.is_callers or has_form:
            return None
        retry = stages.PlainRetry(failure.error, (OtherForm(stage.decoded_by),))
    notice = warning("asked_without", decoding=stage.decoding)
    warnings = () if stage.decoding == "form" else (notice,)
    plain = replace(stage, decoding="free", retry=retry)
    return stages.AskAgain(stage=plain, warnings=warnings)


def _is_about_decoding(failure: Failure) -> bool:
    error = failure.error
    if failure.stage.decoding == "grammar":
        return any(field in str(error).lower() for field in _GRAMMAR_FIELDS)
    # The request may have gone well, and a client only judges the reply: OpenAI's does where a schema was sent.
    judged = isinstance(error, ValidationError) or _is_unparsed(error)
    is_cut = type(error).__name__ == "LengthFinishReasonError"
    return failure.refused == "response_format" or judged or is_cut


def _reasoning_wanted_or_refused(failure: Failure) -> stages.Decision | None:
    """The request is sent again with the reasoning of past messages, or without."""
    stage, axis = failure.stage, "reasoning"
    if axis not in (failure.refused, failure.demanded):
        return None
    reasoning: PastReasoning = "fill" if failure.demanded else "leave_out"
    if stage.reasoning_settled or reasoning == stage.reasoning:
        return None
    verb = "wants" if failure.demanded else "refuses"
    log = f"the server {verb} the reasoning of past messages"
    settled = replace(stage, reasoning=reasoning, reasoning_settled=True)
    return stages.AskAgain(stage=settled, log=log)


def _plain_retry_failed(failure: Failure) -> stages.Decision | None:
    """It was not our additions: the error of the request as it was first sent is the caller's. Of a rate or a lost connection that says nothing."""
    retry = failure.stage.retry
    if retry is None or not (failure.refusal or failure.refused or failure.demanded):
        return None
    if retry.in_vain and hasattr(retry.error, "add_note"):
        count = f"{retry.attempts} other form{'s' * (retry.attempts > 1)}"
        retry.error.add_note(f"The request was refused in {count} as well.")
    return stages.Fail(error=retry.error, lessons=retry.in_vain)


RULES: tuple[ErrorRule, ...] = (
    _contract_does_not_fit, _policy_failed, _check_failed, _parser_failed, _native_reask_failed, _too_late,
    _reply_misread, _tools_do_not_fit, _reasoning_wanted_or_refused, _native_refused, _constraint_refused, _form_refused, _plain_retry_failed,
)  # fmt: skip
