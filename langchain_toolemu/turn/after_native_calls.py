"""What follows a native reply with calls of the provider's own: the rules of `after_native` about them.

A call that stands is never asked for again. Where none can be made, the model gets its own message back, each call answered
by what is wrong with it; if it fails in the same way again, it is asked in text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from langchain_core.messages import AIMessage, BaseMessage, ToolCall

from langchain_toolemu.contract import corrections
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn import stages
from langchain_toolemu.turn.native_reply import NativeReplyResult
from langchain_toolemu.turn.reviewed_reply import ReplyCall
from langchain_toolemu.turn.turn_output import ReaskReason, label_of, warning

_SHOWN = 2000  # characters of arguments that cannot be read


def provider_called(end: NativeReplyResult) -> stages.Decision | None:
    """A call that stands is never asked for again: others are invalid ones, and its own text is not left beside it."""
    if not end.called:
        return None
    further, invalid = end.further_calls, end.invalid_calls
    show, warnings = end.reply.unshown, end.broken_call_warnings
    if further or any(map(end.repeats_native_call, end.rescuable)):
        show = (*end.held_with(further), *end.reply.bad_calls)
        warnings = (*end.reply.dropped_call_warnings, *warnings)
    path: stages.MessagePath = "rescued" if further else "native"
    return stages.EndTurn(path=path, show=(*show, *invalid), warnings=warnings)


def broken_call(end: NativeReplyResult) -> stages.Decision | None:
    """None of the provider's calls can be made as it is: they are answered by what is wrong with them."""
    broken = end.native_calls.broken
    if not broken or end.rescuable:
        return None
    reason = _reason(broken[0])
    doubted = [one for one in broken if one.status != "held_back"]
    show = (*end.reply.unshown, *(one.as_it_came for one in broken))
    if doubted and end.can_ask_natively:
        correct = partial(_correct, end.sent_input.functions.names)
        added = end.native_calls.answer(end.pieces, correct)
        if any(_is_repeat(past.added, added) for past in end.stage.reasks):
            # Natively the model, or its server's parser, fails in the same way again.
            stage = end.text_stage(stages.NativeReply(show))
            log = (f"re-ask {len(end.stage.reasks) + 1} ({label_of(reason)}), in text",)
            past = stages.forget_corrections(end.stage.reasks)
            reasks = (*past, stages.Reask(reason, end.reply.raw, ""))
            return stages.AskAgain(stage=replace(stage, reasks=reasks), log=log)
        correction = correct(doubted[0])
        reask = stages.Reask(reason, end.reply.raw, correction, show, added=added)
        return ask_natively(end, reask)
    if not doubted:
        return stages.EndTurn(path="native", show=show)
    told = (warning("gave_up", label=label_of(reason)),) if end.settings.max_reasks else ()
    return stages.EndTurn(path="native", show=show, warnings=told, gave_up=reason)


def _is_repeat(past: Sequence[BaseMessage], added: Sequence[BaseMessage]) -> bool:
    """Whether two re-asks answer the same calls."""
    calls = ([(one["name"], one["args"]) for one in _calls(messages)] for messages in (past, added))
    return next(calls) == next(calls)


def _calls(messages: Sequence[BaseMessage]) -> Sequence[ToolCall]:
    return next((one.tool_calls for one in messages if isinstance(one, AIMessage)), ())


def _reason(broken: ReplyCall) -> ReaskReason:
    if isinstance(broken.call, BadCall):
        reasons: Mapping[str, ReaskReason] = {"unknown_tool": "unknown_tool", "cut": "cut_call"}
        return reasons.get(broken.call.reason, "unreadable_call")
    return "bad_arguments" if broken.status == "misfit" else "doubted_call"


def _correct(names: Sequence[str], broken: ReplyCall) -> str:
    call = broken.call
    if isinstance(call, Call):
        doubt = broken.review.correction or str(broken.review)
        return corrections.bad_arguments(call, None) if call.errors else doubt
    if call.reason == "unknown_tool":
        return corrections.unknown_tool(call.name, names, None)
    if call.reason == "cut":
        return corrections.cut_call()
    why = corrections.unreadable_call(call.detail, None)
    return f"{why}\nThe arguments were: {call.raw[:_SHOWN]}"


def ask_natively(end: NativeReplyResult, reask: stages.Reask) -> stages.AskAgain:
    """The same request, which goes on with the reply and with what is wrong with it."""
    reasks = (*end.stage.reasks, reask)
    log = (f"native re-ask {len(reasks)} ({label_of(reask.reason)})",)
    return stages.AskAgain(stage=replace(end.stage, reasks=reasks), log=log)


def unasked_call(end: NativeReplyResult) -> stages.Decision | None:
    """Nothing came but a call where none was to be made: the answer is asked for."""
    says = end.reply.raw.strip() or not end.native_calls.left_out
    if says or end.sent_input.choice.kind != "none" or not end.settings.max_reasks:
        return None
    log = ("a call that was not asked for was left out",)
    return stages.AskAgain(stage=end.text_stage(), log=log)
