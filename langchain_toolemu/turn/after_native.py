"""What follows a native reply: an ordered tuple of named rules, of which the first that fits decides.

- A provider's call that stands is never asked for again. If none can be made, the model gets its message back with what is wrong.
- A call written as text is rescued without a request. Emulation takes over where the reply shows that tools do not work here.
- A check asks whether emulation would have called; if not, the native reply is the answer. A refusal on principle stands.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.messages.utils import message_chunk_to_message

from langchain_toolemu.contract import corrections
from langchain_toolemu.contract.response_format import answer_in, is_json, misfits, suspect_opening
from langchain_toolemu.messages.content import Part, Words, write_json
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn import stages
from langchain_toolemu.turn.native_calls import sum_of_chunks
from langchain_toolemu.turn.reply_setup import ReplyCall
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.suspicion import MAX_OPENING
from langchain_toolemu.turn.turn_output import ReaskReason, TurnWarning, label_of, warning

_SHOWN = 2000  # characters of arguments that cannot be read

NativeRule: TypeAlias = Callable[[ReviewedReply], stages.Decision | None]


def after_native(end: ReviewedReply) -> stages.Decision:
    """What follows a native reply."""
    return next(decision for rule in RULES if (decision := rule(end)))


def _provider_called(end: ReviewedReply) -> stages.Decision | None:
    """A call that stands is never asked for again: others are invalid ones, and its own text is not left beside it."""
    if not end.called:
        return None
    new = [one for one in end.rescuable if not (one.errors or end.repeats_native_call(one))]
    further = [] if end.sent_input.parallel is False else new
    show, warnings = end.reply.unshown, end.broken_call_warnings
    if further or any(map(end.repeats_native_call, end.rescuable)):
        show = (*end.held_with(further), *end.reply.bad_calls)
        warnings = (*end.reply.dropped_call_warnings, *warnings)
    path: stages.MessagePath = "rescued" if further else "native"
    return stages.EndTurn(path=path, show=(*show, *end.invalid_calls), warnings=warnings)


def _broken_call(end: ReviewedReply) -> stages.Decision | None:
    """None of the provider's calls can be made as it is: they are answered by what is wrong with them."""
    broken = end.native_calls.broken
    if not broken or end.rescuable:
        return None
    names = end.sent_input.functions.names
    reason, _ = _fault(broken[0], names)
    doubted = [one for one in broken if one.verdict != "held_back"]
    show = (*end.reply.unshown, *(one.as_it_came for one in broken))
    if doubted and end.can_ask_natively:
        added = end.native_calls.answer(end.pieces, lambda one: _fault(one, names)[1])
        if any(_calls(past.added) == _calls(added) for past in end.stage.reasks):
            # Natively the model, or its server's parser, fails in the same way again.
            stage = end.text_stage(stages.NativeReply(show))
            log = (f"re-ask {len(end.stage.reasks) + 1} ({label_of(reason)}), in text",)
            past = stages.forget_corrections(end.stage.reasks)
            reasks = (*past, stages.Reask(reason, end.reply.raw, ""))
            return stages.AskAgain(stage=replace(stage, reasks=reasks), log=log)
        _, correction = _fault(doubted[0], names)
        reask = stages.Reask(reason, end.reply.raw, correction, show, added=added)
        return _ask_natively(end, reask)
    if not doubted:
        return stages.EndTurn(path="native", show=show)
    told = (warning("gave_up", label=label_of(reason)),) if end.settings.max_reasks else ()
    return stages.EndTurn(path="native", show=show, warnings=told, gave_up=reason)


def _calls(messages: Sequence[BaseMessage]) -> list[tuple[str, Any]]:
    """The calls that a re-ask answers."""
    said = next((one.tool_calls for one in messages if isinstance(one, AIMessage)), ())
    return [(call["name"], call["args"]) for call in said]


def _fault(broken: ReplyCall, names: Sequence[str]) -> tuple[ReaskReason, str]:
    """What is wrong with a call, and what the model is told of it."""
    match broken.call:
        case Call(errors=()):
            return "doubted_call", broken.review.correction or str(broken.review)
        case Call() as call:
            reason: ReaskReason = "bad_arguments" if broken.verdict == "misfit" else "doubted_call"
            return reason, corrections.bad_arguments(call, None)
        case BadCall(reason="unknown_tool", name=name):
            return "unknown_tool", corrections.unknown_tool(name, names, None)
        case BadCall(reason="cut"):
            return "cut_call", corrections.CUT_CALL
        case BadCall(detail=detail, raw=raw):
            why = corrections.unreadable_call(detail, None)
            return "unreadable_call", f"{why}\nThe arguments were: {raw[:_SHOWN]}"


def _ask_natively(end: ReviewedReply, reask: stages.Reask) -> stages.AskAgain:
    """The same request, which goes on with the reply and with what is wrong with it."""
    reasks = (*end.stage.reasks, reask)
    log = (f"native re-ask {len(reasks)} ({label_of(reask.reason)})",)
    return stages.AskAgain(stage=replace(end.stage, reasks=reasks), log=log)


def _unasked_call(end: ReviewedReply) -> stages.Decision | None:
    """Nothing came but a call where none was to be made: the answer is asked for."""
    says = end.reply.raw.strip() or not end.native_calls.left_out
    if says or end.sent_input.choice.kind != "none" or not end.settings.max_reasks:
        return None
    log = ("a call that was not asked for was left out",)
    return stages.AskAgain(stage=end.text_stage(), log=log)


def _call_in_thought(end: ReviewedReply) -> stages.Decision | None:
    """A call that ends a thought with no words after it was meant."""
    call = end.call_ending_thought if end.settings.repairs_native else None
    if call is None or not end.sent_input.offers_functions:
        return None
    return stages.EndTurn(
        path="rescued",
        show=(*end.reply.unshown, call),
        log=("a call at the end of a thought was rescued",),
        lessons=("call_in_text",),
    )


def _stopped_short(end: ReviewedReply) -> stages.Decision | None:
    """A model that calls natively says nothing, or that it will call now: it is asked to go on, once."""
    if end.metadata.cut or not end.settings.repairs_native or not end.can_ask_natively:
        return None
    if end.stage.has_asked(*stages.NUDGES):
        # A second announcement only repeats what was shown.
        asked = end.stage.has_asked("announced_call") and end.spoke_before
        repeats = asked and end.announces_call
        return stages.EndTurn(path="native", resumes=True) if repeats else None
    if end.is_trusted and end.says_nothing:
        text = corrections.empty_reply(None)
        added: tuple[BaseMessage, ...] = (HumanMessage(text),)
        reask = stages.Reask("empty_reply", "", text, end.reply.unshown, added=added)
        return _ask_natively(end, reask)
    if not end.announces_call:
        return None
    if not end.is_trusted:
        text = corrections.announced_call(end.settings.dialect)
        return _ask_again(end, end.question("announced_call", text)) if end.can_ask else None
    text = corrections.announced_call(None)
    added = (message_chunk_to_message(sum_of_chunks(end.pieces)), HumanMessage(text))
    reask = stages.Reask("announced_call", end.reply.raw, text, end.reply.unshown, added=added)
    return _ask_natively(end, reask)


def _form_missed(end: ReviewedReply) -> stages.Decision | None:
    """An answer that begins in its form was shown. Any other counts if its form is in it, else it is asked for in text."""
    form, raw = end.sent_input.form, end.reply.raw
    if form is None or end.rescuable:
        return None
    if end.spoke and not end.metadata.declined:
        wrong = (warning("form_misfit", error=one) for one in misfits(raw, form))
        return replace(_keep(end), warnings=tuple(wrong))
    client_checks = end.sent_input.client_checks_form
    is_checked = client_checks and suspect_opening(raw[:MAX_OPENING], form, MAX_OPENING) == "none"
    if end.metadata.declined or end.is_formed or is_checked:
        return _keep(end)
    answer = answer_in(raw, form)
    if answer is None:
        return _emulate(end, warning("form_ignored"))
    if is_json(raw, answer):
        return _keep(end)
    show = (*end.reply.thoughts, Words(write_json(answer)))
    return stages.EndTurn(path="rescued", show=show, log=("an answer in another form was rescued",))


def _no_function_offered(end: ReviewedReply) -> stages.Decision | None:
    return None if end.sent_input.offers_functions else _keep(end)


def _call_in_text(end: ReviewedReply) -> stages.Decision | None:
    if not end.rescuable or (end.forced and any(call.errors for call in end.rescuable)):
        return None  # a demanded call that does not fit is asked for again
    held = end.held_with(end.rescuable)
    return stages.EndTurn(
        path="rescued",
        show=(*held, *end.reply.bad_calls, *end.invalid_calls),
        warnings=(*end.reply.dropped_call_warnings, *end.broken_call_warnings),
        log=("calls written as text were rescued",),
        lessons=("call_in_text",),
    )


def _doubted_call(end: ReviewedReply) -> stages.Decision | None:
    """A call in text that the policy doubts: the model is asked about it in text, if that offers it the same tools."""
    if not any(map(end.counts, end.reply.doubted)):
        return None
    if not end.can_ask:  # the others are made then
        warnings = (*end.reply.dropped_call_warnings, *end.failed_call_warnings)
        return stages.EndTurn(path="rescued", show=end.without_rejected(), warnings=warnings)
    correction = end.reply.doubted[0].review.correction
    return _ask_again(end, end.question("doubted_call", correction))


def _held_back_call(end: ReviewedReply) -> stages.Decision | None:
    """A call in text that the policy does not let through: it is an invalid one."""
    held_back = [*filter(end.counts, end.reply.held_back)]
    if not held_back:
        return None
    show = (*end.reply.held, *(one.as_invalid for one in held_back))
    return stages.EndTurn(path="rescued", show=show, warnings=end.reply.dropped_call_warnings)


def _unclear_call(end: ReviewedReply) -> stages.Decision | None:
    """A call of which the words around it leave open whether it is meant: the model is asked, unless it calls natively."""
    possible = end.reply.possible_call
    if possible is None:
        return None
    if not end.can_ask:
        told = warning("gave_up", label=label_of("unclear_call"))
        return replace(_keep(end), warnings=(told,), gave_up="unclear_call")
    text = corrections.unclear_call(possible.name, end.settings.dialect)
    return _ask_again(end, end.question("unclear_call", text))


def _ask_again(end: ReviewedReply, reask: stages.Reask) -> stages.AskAgain:
    """The turn goes on in text, with what was wrong with the call that was written."""
    return stages.AskAgain(
        stage=replace(end.text_stage(end.as_native_reply()), reasks=(reask,)),
        log=(f"re-ask 1 ({label_of(reask.reason)})",),
        lessons=("call_in_text",) if reask.reason not in ("unclear_call", *stages.NUDGES) else (),
    )


def _refused_on_principle(end: ReviewedReply) -> stages.Decision | None:
    return _keep(end) if end.metadata.declined else None


def _unknown_tool(end: ReviewedReply) -> stages.Decision | None:
    """A call of a tool that is not bound is no answer; among the words of a model that calls natively it is an example."""
    unknown = [bad for bad in end.reply.bad_calls if bad.reason == "unknown_tool"]
    if not unknown or len(unknown) < len(end.reply.bad_calls):
        return None
    words = end.reply.raw
    for raw in (*(one.raw for one in end.reply.calls), *(one.raw for one in end.reply.bad_calls)):
        words = words.replace(raw, "", 1)
    explains = words.strip() and (end.is_trusted or end.settings.on_vendor_host)
    if not end.forced and (explains or end.asks_for_object):
        return None if end.metadata.claims_call else _keep(end)
    names, dialect = end.sent_input.functions.names, end.settings.dialect
    correction = corrections.unknown_tool(unknown[0].name, names, dialect)
    return _ask_again(end, stages.Reask("unknown_tool", end.reply.raw, correction))


def _unreadable_call(end: ReviewedReply) -> stages.Decision | None:
    """A call that was meant and did not arrive; one that was only announced must be confirmed by emulation."""
    bad, announced = end.reply.bad_calls, end.metadata.claims_call
    if not (bad or announced):
        return None
    checks = stages.NativeReply() if announced and not end.forced else None
    return _emulate(end, warning("call_unreadable" if bad else "call_missing"), checks=checks)


def _missing_call(end: ReviewedReply) -> stages.Decision | None:
    if not end.forced:
        return None
    return _emulate(end, warning("call_missing"), ignored=not end.metadata.cut)


def _final_answer(end: ReviewedReply) -> stages.Decision | None:
    """The answer of a model that calls natively, or one that declines a call: asked again, the model might make it."""
    return _keep(end) if end.is_trusted or end.reply.declines_call else None


def _tools_dropped(end: ReviewedReply) -> stages.Decision | None:
    if end.usage_says != "dropped" or end.knowledge.evidence == "text":
        return None
    refused = end.reply.suspicion == "refusal"
    return _emulate(end, warning("tools_dropped"), show=() if refused else end.reply.unshown)


def _worth_a_check(end: ReviewedReply) -> stages.Decision | None:
    """Too little is known of the model to take a reply without a call for an answer."""
    reply = end.reply
    unclear = end.usage_says == "unclear" and end.knowledge.wants_check
    refused = reply.suspicion == "refusal"
    wanting = refused or end.says_nothing
    # Words of an earlier reply were shown: it was asked for again, and this one goes on with it.
    if not (wanting or unclear) or end.sent_input.built_in_names or end.spoke_before:
        return None
    show = () if refused else reply.unshown
    stage = end.text_stage(checks=end.as_native_reply(show))
    if stage.checks is None:  # it would not ask for a call
        return None
    return stages.AskAgain(
        stage=stage,
        show=show,
        log=("a native reply without a call is checked by emulation",),
        lessons=("denied_tools",) if refused else (),
    )


def _plain_answer(end: ReviewedReply) -> stages.Decision | None:
    return _keep(end)


RULES: tuple[NativeRule, ...] = (
    _provider_called, _broken_call, _unasked_call, _form_missed, _no_function_offered,
    _call_in_text, _doubted_call, _held_back_call,
    _refused_on_principle, _unknown_tool, _call_in_thought, _unreadable_call, _missing_call,
    _stopped_short, _final_answer, _unclear_call, _tools_dropped, _worth_a_check, _plain_answer,
)  # fmt: skip


def _keep(end: ReviewedReply) -> stages.EndTurn:
    return stages.EndTurn(path="native", show=end.reply.unshown)


def _emulate(
    end: ReviewedReply,
    why: TurnWarning,
    *,
    show: tuple[Part, ...] = (),
    checks: stages.NativeReply | None = None,
    ignored: bool = False,
) -> stages.AskAgain:
    """The turn goes on in text; words that are not shown are dropped, since they may be what is asked for again."""
    return stages.AskAgain(
        stage=end.text_stage(end.as_native_reply(show), checks),
        show=show,
        warnings=(why,),
        log=(f"{why.text}; the turn goes on emulated",),
        lessons=("choice_ignored",) if ignored else (),
    )
