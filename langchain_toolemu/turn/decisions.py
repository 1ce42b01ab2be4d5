"""How a turn goes on after a reply: what is taken of it, how the model is asked again, and what is left when nothing helps.

A re-ask is one value. Here it is decided whether it goes to the provider as a conversation that goes on, or in text.
"""

from dataclasses import replace
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.errors import ToolCallParseError, ToolChoiceError
from langchain_toolemu.messages.content import Part
from langchain_toolemu.messages.past_calls import calls_of
from langchain_toolemu.model_facts import Lesson
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn import stages
from langchain_toolemu.turn.native_calls import message_of
from langchain_toolemu.turn.reasks import REASKS, FailedMessage, Reask, ReaskReason, label_of
from langchain_toolemu.turn.reply_setup import ReplyCall
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.turn_output import TurnWarning, warning

_SHOWN = 2000  # characters of arguments that cannot be read


# --- what is taken of a reply ---


def keep(end: ReviewedReply) -> stages.EndTurn:
    """A native reply is the answer as it came."""
    return stages.EndTurn(path="native", show=end.reply.unshown)


def accept(end: ReviewedReply, *warnings: TurnWarning) -> stages.EndTurn:
    """What is right of a reply in text is taken."""
    all_warnings = list(warnings)
    if end.reply.doubted:
        all_warnings += (call.warning for call in end.reply.rejected)
    if end.is_echo:
        all_warnings.append(warning("echo"))
    return stages.EndTurn(path="emulated", show=_leftovers(end), warnings=tuple(all_warnings))


def _leftovers(end: ReviewedReply) -> tuple[Part, ...]:
    """What is still to be shown: held words, calls that do not fit or were asked about, bad ones as invalid."""
    reply, stage = end.reply, end.stage
    if not end.made_call and end.is_empty:
        # The doubted calls of an earlier reply, if the model said nothing to the question.
        kept = (past.calls for past in stage.reasks if past.calls and not past.review.demands)
        if doubted := next(kept, ()):
            return doubted
        if end.only_unwanted:
            # The text of such calls is all there is to say; as an answer it is none.
            return reply.bad_calls if stage.phase == "answer" else reply.unshown
    words = reply.without_rejected if reply.doubted else reply.held
    if end.is_echo:
        words = ()
    if stage.phase != "answer" and not reply.calls:
        refused = next((past.words for past in stage.reasks if past.reason == "refusal"), ())
        words = refused or words
    # Next to a call that stands, those that the policy holds back are only told of.
    held_back = () if end.made_call else tuple(call.as_invalid for call in reply.held_back)
    return (*words, *reply.misfits, *held_back, *reply.bad_calls)


# --- asking again ---


def emulate(
    end: ReviewedReply,
    why: TurnWarning,
    *,
    show: tuple[Part, ...] = (),
    checks: stages.NativeReply | None = None,
    lessons: tuple[Lesson, ...] = (),
) -> stages.Decision:
    """A native turn goes on in text; words that are not shown are dropped, since they may be what is asked for again."""
    # Nothing in text makes up for what a provider's own tools did not do.
    if end.turn_input.is_providers_alone:
        return keep(end)
    return stages.AskAgain(
        stage=end.text_stage(end.as_native_reply(show), checks),
        show=show,
        warnings=(why,),
        log=f"{why.text}; the turn goes on emulated",
        lessons=lessons,
    )


def ask(end: ReviewedReply, reason: ReaskReason, correction: str) -> stages.Decision:
    """Ask again, unless that was done often enough. In text, a call that is asked for again is asked for more strictly."""
    if end.natively:
        reask = _reask(end, reason, correction)
        return _go_on_natively(end, reask) if reask.message else _go_on_in_text(end, reask)
    reasks, kind = end.stage.reasks, REASKS[reason]
    is_new = (end.forced and end.reply.rejected) or end.asks_anew
    if kind.once and end.stage.has_asked(reason) and not is_new:
        return accept(end)
    if len(reasks) >= end.settings.max_reasks:
        return give_up(end, reason)
    if reasks and kind.only_call:
        correction += corrections.STRICTER
    stage = _reask_stage(end, _reask(end, reason, correction))
    return stages.AskAgain(stage=stage, log=f"re-ask {len(reasks) + 1} ({label_of(reason)})")


def _reask(end: ReviewedReply, reason: ReaskReason, correction: str) -> Reask:
    """A re-ask with all that is known of the reply: what stands of it, and what is made if nothing else comes."""
    reply, kind = end.reply, REASKS[reason]
    if end.natively and (message := _failed_message(end, reason)):
        return Reask(reason, reply.raw, correction, end.native_words, message=message)
    if not (kind.asks_about_call or reason == "announced_call"):
        words = reply.held if reason == "refusal" else ()
        return Reask(reason, reply.raw, correction, words=words)
    first = reply.doubted[0] if reason == "doubted_call" else None
    is_text = first is not None and first.review.is_text
    # Of a further reply no words are shown.
    stands = end.output.spoke or is_text or reason == "unclear_call"
    words = reply.unshown if stands and not end.spoke_before else ()
    calls = () if is_text else reply.askable
    reask = Reask(reason, reply.raw, correction, words, end.output.spoke, calls)
    if first is None:
        return reask
    return replace(reask, review=first.review, about=first.call.name or "")


def _reask_stage(end: ReviewedReply, reask: Reask) -> stages.Stage:
    stage = end.stage
    if end.forced and not stage.steered_to and end.has_only_copies:
        # Told that it copied an example, a small model copies its own reply: it is asked afresh.
        demanded = end.turn_input.choice.name
        names = (demanded,) if demanded else end.turn_input.toolset.names
        reasks = (*stage.reasks, Reask(reask.reason, reask.failed, ""))
        return stages.steered_stage(replace(stage, reasks=reasks, checks=None), names)
    if reask.review.demands and stages.can_hold_to_call(end.settings, end.knowledge):
        stage = replace(stage, decoding="grammar")
    return replace(stage, reasks=(*stage.reasks, reask), checks=None)


def _go_on_natively(end: ReviewedReply, reask: Reask) -> stages.AskAgain:
    """The same request, which goes on with the reply and with what is wrong with it."""
    reasks = end.stage.reasks
    if any(_calls(past) == _calls(reask) != [] for past in reasks):
        # Natively the model, or its server's parser, fails in the same way again.
        return ask_in_text_once(end, reask.reason)
    reasks = (*reasks, reask)
    log = f"native re-ask {len(reasks)} ({label_of(reask.reason)})"
    return stages.AskAgain(stage=replace(end.stage, reasks=reasks), log=log)


def ask_in_text_once(end: ReviewedReply, reason: ReaskReason) -> stages.AskAgain:
    """A native turn goes on in text with the re-asks left; nothing is said of what failed."""
    log = f"re-ask {len(end.stage.reasks) + 1} ({label_of(reason)}), in text"
    return stages.AskAgain(stage=_afresh(end, reason), log=log)


def _afresh(end: ReviewedReply, reason: ReaskReason) -> stages.Stage:
    """The turn in text, where nothing is said of the reply that failed."""
    stage = end.text_stage(stages.NativeReply(end.native_words)) if end.natively else end.stage
    failed = Reask(reason, end.reply.raw, "")
    return replace(stage, reasks=(*stages.forget_corrections(end.stage.reasks), failed))


def ask_for_answer(end: ReviewedReply, *, closes: bool) -> stages.AskAgain:
    """Asks a model that writes only calls that are not made for the answer, once, without tools."""
    is_known = not end.natively and (closes or end.stage.has_asked("unknown_tool"))
    stage = end.stage if is_known else _afresh(end, "unknown_tool")
    return stages.AskAgain(
        stage=stages.answer_stage(stage, closes=closes),
        warnings=end.failed_call_warnings,
        log="the model wrote only calls that are not made, and is asked for the answer",
    )


def _go_on_in_text(end: ReviewedReply, reask: Reask) -> stages.AskAgain:
    """The turn goes on in text, with what was wrong with the call that was written."""
    unsure = reask.reason == "unclear_call" or reask.kind.nudges
    return stages.AskAgain(
        stage=replace(end.text_stage(end.as_native_reply()), reasks=(reask,)),
        log=f"re-ask 1 ({label_of(reask.reason)})",
        lessons=() if unsure else ("call_in_text",),
    )


def _failed_message(end: ReviewedReply, reason: ReaskReason) -> FailedMessage | None:
    """The reply as the provider's conversation goes on with it; none where only text can say what is wrong."""
    if end.native_calls.broken and not end.rescuable:
        return end.native_calls.failed_message(lambda call: fault(end, call)[1])
    if not (end.is_trusted and REASKS[reason].nudges):
        return None
    is_empty = reason == "empty_reply"
    return FailedMessage(None if is_empty else message_of(end.native_calls.chunks))


def _calls(reask: Reask) -> list[tuple[str, Any]]:
    """The calls that a re-ask is about."""
    reply = reask.message.reply if reask.message else None
    return [(call.name, call.args) for call in calls_of(reply)] if reply else []


def fault(end: ReviewedReply, broken: ReplyCall) -> tuple[ReaskReason, str]:
    """What is wrong with a provider's call, and what the model is told of it."""
    match broken.call:
        case Call(errors=()):
            return "doubted_call", broken.review.correction or str(broken.review)
        case Call() as call:
            is_misfit = broken.verdict == "misfit"
            text = corrections.bad_arguments(call, None)
            return "bad_arguments" if is_misfit else "doubted_call", text
        case BadCall(reason="unknown_tool", name=name):
            names = [*end.turn_input.functions.names, *end.turn_input.built_in_names]
            return "unknown_tool", corrections.unknown_tool(name, names, None)
        case BadCall(reason="cut"):
            return "cut_call", corrections.CUT_CALL
        case BadCall(detail=detail, raw=raw):
            why = corrections.unreadable_call(detail, None)
            return "unreadable_call", f"{why}\nThe arguments were: {raw[:_SHOWN]}"


# --- where nothing helps ---


def give_up(end: ReviewedReply, reason: ReaskReason) -> stages.Decision:
    """No re-ask is left: an error if a demanded call is missing, else the reply as it is, with a warning."""
    unknown = end.failed_call_warnings if reason == "unknown_tool" else ()
    notice = warning("gave_up", label=label_of(reason))
    if end.natively:
        warnings = (notice,) if end.settings.max_reasks or reason == "unclear_call" else ()
        warnings = (*unknown, *warnings)
        show = end.native_words
        return stages.EndTurn(path="native", show=show, warnings=warnings, gave_up=reason)
    missed = end.forced and not (end.output.calls or end.reply.misfits or end.reply.askable)
    # An answer in the wrong form is its parser's to refuse; no caller waits for a call.
    waited_for = end.turn_input.form is None or end.reply.rejected
    if missed and waited_for and end.settings.on_failure == "error":
        return stages.Fail(error=_error(end, reason))
    return replace(
        accept(end, *unknown, notice), gave_up=reason, log=f"gave up ({label_of(reason)})"
    )


def _error(end: ReviewedReply, reason: ReaskReason) -> ToolChoiceError:
    cut_off = "The reply was cut off at its token limit: raise max_tokens"
    way_out = cut_off if end.metadata.cut else "Simplify the request"
    refused = next(iter((*end.reply.rejected, *end.reply.held_back)), None)
    failed = f"the policy accepted no call ({refused.review})" if refused else "did not"
    text = (
        f"The model had to call {end.turn_input.choice.name or 'a tool'}, but {failed} in "
        f"{end.metadata.requests} requests (last: {label_of(reason)}). {way_out}, use a more capable "
        "model, or pass on_failure='continue' to get the reply as it is."
    )
    if REASKS[reason].is_unread:
        return ToolCallParseError(text, llm_output="" if end.is_echo else end.reply.raw)
    return ToolChoiceError(text)
