"""What follows a reply, native or in text: an ordered table of named rules, of which the first that fits decides.

- The rules stand in the order of harm: what can no longer be taken back, a call that cannot be run, a call that does not fit, a
  demanded call that is missing, and only then what merely could be better.
- A provider's call that stands is never asked for again. A call written as text is rescued without a request. Emulation takes over
  where a native reply shows that tools do not work here. A refusal on principle stands.
- How a re-ask travels, natively or in text, is not a rule's matter: see `decisions`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeAlias

from langchain_toolemu.contract import corrections
from langchain_toolemu.contract.response_format import (
    answer_in,
    bare_value,
    is_json,
    misfits,
    suspect_opening,
)
from langchain_toolemu.contract.rules import NO_TOOL
from langchain_toolemu.contract.shortlist import likeliest_first
from langchain_toolemu.messages.content import Words, write_json
from langchain_toolemu.model_facts import LessonCode, OtherForm, ToolsRefused
from langchain_toolemu.policy.conversation import keyed_scalars
from langchain_toolemu.policy.repeats import TOO_LATE
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import ToolSet
from langchain_toolemu.turn import stages
from langchain_toolemu.turn.decisions import (
    accept,
    ask,
    ask_for_answer,
    ask_in_text_once,
    emulate,
    fault,
    give_up,
    keep,
)
from langchain_toolemu.turn.forms import fingerprint
from langchain_toolemu.turn.native_calls import NativeCalls
from langchain_toolemu.turn.reply_setup import ReplyCall
from langchain_toolemu.turn.requests import tools_to_steer_to
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.suspicion import MAX_OPENING
from langchain_toolemu.turn.turn_output import Doubt, TurnWarning, bad_call_warning, warning
from langchain_toolemu.validation import NOTHING, read_json

_NOT_GIVEN = "value_not_given: no value of it was given"

Where: TypeAlias = Literal["native", "text", "both"]
Rule: TypeAlias = Callable[[ReviewedReply], stages.Decision | None]


def after_reply(end: ReviewedReply) -> stages.Decision:
    """What follows a reply."""
    decision = _decide(end)
    if end.reply.quoted and not end.quoted_question:
        warnings = (*end.reply.quoted_call_warnings, *decision.warnings)
        decision = replace(decision, warnings=warnings)
    if end.natively:
        return decision
    dropped = () if end.reply.unremarkable else end.reply.dropped_call_warnings
    lessons = _check_lessons(end) if end.stage.checks else ()
    if not (dropped or lessons):
        return decision
    warnings = (*dropped, *decision.warnings)
    return replace(decision, warnings=warnings, lessons=(*lessons, *decision.lessons))


def _decide(end: ReviewedReply) -> stages.Decision:
    """What the first rule says that fits a reply of this kind."""
    ways = ("native", "both") if end.natively else ("text", "both")
    for where, rule in RULES:
        if where in ways and (decision := rule(end)):
            return decision
    raise AssertionError("the last rule fits every reply")


def _check_lessons(end: ReviewedReply) -> tuple[LessonCode, ...]:
    if end.reply.broken:
        return ()
    if end.finds_call:
        return ("check_found_call",)
    return ("check_agreed",) if end.has_native_words else ()


# --- calls that were made ---


def _provider_called(end: ReviewedReply) -> stages.Decision | None:
    """A call that stands is never asked for again: others are invalid ones, and its own text is not left beside it."""
    if not end.made_call:
        return None
    new = [call for call in end.rescuable if not (call.errors or end.repeats_native_call(call))]
    waits = any(end.counts(record.call) for record in end.reply.held_back)
    further = [] if end.turn_input.parallel is False else new
    invalid = end.native_calls.invalid
    show, warnings = end.reply.unshown, _unmade_warnings(end.native_calls)
    if further or waits or any(map(end.repeats_native_call, end.rescuable)):
        show = (*end.held_with(further), *end.reply.bad_calls)
        warnings = (*end.reply.dropped_call_warnings, *warnings)
    path: stages.MessagePath = "rescued" if further else "native"
    # What the stream lost came whole.
    stage = end.stage
    is_new = stage.whole and stage.again and not stage.whole_once
    is_new = is_new and not (stage.reasks or end.native_calls.broken)
    lessons = (OtherForm(("streamed_calls",)),) if is_new else ()
    show = (*show, *invalid)
    return stages.EndTurn(path=path, show=show, warnings=warnings, lessons=lessons)


def _unmade_warnings(calls: NativeCalls) -> tuple[TurnWarning, ...]:
    """What is told of the provider's calls that are not made, where another one stands."""
    return (*map(_broken_warning, calls.invalid), *calls.left_out_warnings)


def _never_ended(end: ReviewedReply) -> stages.Decision | None:
    """A call whose arguments were shown and never ended: it is not asked for again, and must not run."""
    return accept(end, *map(_broken_warning, end.reply.broken)) if end.reply.broken else None


def _asked_if_quoted(end: ReviewedReply) -> stages.Decision | None:
    """After the question if a call is meant: it came again alone, or the first reply stands."""
    stage, about = end.stage, end.quoted_question
    if about is None:
        return None
    if calls := end.confirmed_calls:
        return stages.EndTurn(path="emulated", show=calls)
    if end.reply.misfits and not end.reply.calls:
        return None  # its arguments are asked for first
    if end.forced:
        return give_up(end, "doubted_call")
    notice = warning("call_quoted", name=about.name, why=about.review)
    if stage.phase == "decision" and not stage.native:
        return stages.AskAgain(stage=stages.answer_stage(stage), warnings=(notice,))
    path: stages.MessagePath = "native" if stage.native else "emulated"
    return stages.EndTurn(path=path, show=stage.reasks[-1].words, resumes=True, warnings=(notice,))


def _quoted_call(end: ReviewedReply) -> stages.Decision | None:
    """A call that a text holds: the model is asked if it means it, whatever else it wrote."""
    return _doubted_call(end) if end.quotes_call and not end.made_call else None


def _native_is_right(end: ReviewedReply) -> stages.Decision | None:
    """A check found no call, or none that could be made, so the native reply is the answer."""
    checked = end.stage.checks
    if checked is None or end.finds_call or not end.has_native_words:
        return None
    return stages.EndTurn(path="native", show=checked.words, warnings=end.failed_call_warnings)


def _call_made(end: ReviewedReply) -> stages.Decision | None:
    """A call was made: only one beside it whose arguments do not fit is asked for again. No rule after this one asks whether."""
    if not end.made_call:
        return None
    goes_on = _bad_arguments(end) or _decided_on_none(end)
    return goes_on or accept(end, *map(_broken_warning, end.reply.bad_calls))


def _malformed_call(end: ReviewedReply) -> stages.Decision | None:
    """The server says that it could not read the model's call, and sends nothing else: once more natively, then in text."""
    says = end.reply.raw.strip() or end.native_calls.broken
    if not end.metadata.malformed_call or says:
        return None
    notice = warning("call_unreadable")
    if end.stage.again or not end.settings.max_reasks:
        return emulate(end, notice)
    again = replace(end.stage, again=True)
    return stages.AskAgain(stage=again, log=f"{notice.text}, which is asked for once more")


def _stream_lost(end: ReviewedReply) -> stages.Decision | None:
    """A stream's calls are broken as a server's parser breaks them: the same is asked for once more, whole."""
    stage, broken = end.stage, end.native_calls.broken
    if stage.reasks or end.metadata.cut or end.rescuable:
        return None
    if stage.whole and stage.again and broken:
        # It was not the stream: one more native request would be one too many.
        in_text = ToolsRefused(fingerprint(end.turn_input.tools), "text")
        lessons = () if stage.whole_once else (in_text,)
        return emulate(end, warning("call_unreadable"), lessons=lessons)
    if not end.streamed or stage.again:
        return None
    came = end.native_calls.has_pieces or end.reply.bad_calls or end.reply.calls
    is_missing = end.metadata.claims_call and not came
    if not is_missing and not (broken and all(map(_is_lost, broken))):
        return None
    whole = replace(stage, whole=True, again=True, whole_once=end.is_trusted)
    return stages.AskAgain(stage=whole, log="the stream lost a call, and is asked for whole")


def _is_lost(broken: ReplyCall) -> bool:
    """Whether a call's arguments lack their beginning or their end, or none came where some must."""
    call = broken.call
    if isinstance(call, BadCall):
        # Arguments that are JSON, but no object, are the model's own, and so is what is wrong inside them.
        is_whole = call.raw.startswith("{") and call.raw.rstrip().endswith("}")
        is_own = is_whole or read_json(call.raw) is not NOTHING
        return call.reason == "cut" or (call.reason == "unreadable" and not is_own)
    return broken.verdict == "misfit" and not call.args


def _broken_call(end: ReviewedReply) -> stages.Decision | None:
    """None of the provider's calls can be made as it is: they are answered by what is wrong with them."""
    broken = end.native_calls.broken
    if not broken or end.rescuable:
        return None
    reason, _ = fault(end, broken[0])
    doubted = [call for call in broken if call.verdict != "held_back"]
    if not doubted:
        return replace(keep(end), show=end.native_words)
    # Without functions there is nothing that a second question could lead to.
    asks = end.can_ask_natively and not (end.turn_input.is_providers_alone and end.stage.reasks)
    if asks:
        return ask(end, reason, fault(end, doubted[0])[1])
    if not end.settings.max_reasks or not all(map(_is_unknown, broken)):
        return give_up(end, reason)
    if end.forced or end.turn_input.form:  # words alone would not do
        return ask_in_text_once(end, "unknown_tool")
    return ask_for_answer(end, closes=end.turn_input.conversation.has_result)


def _is_unknown(broken: ReplyCall) -> bool:
    return isinstance(broken.call, BadCall) and broken.call.reason == "unknown_tool"


def _unasked_call(end: ReviewedReply) -> stages.Decision | None:
    """Nothing came but a call where none was to be made: the answer is asked for."""
    says = end.reply.raw.strip() or not end.native_calls.left_out
    if says or end.turn_input.choice.kind != "none" or not end.settings.max_reasks:
        return None
    return stages.AskAgain(stage=end.text_stage(), log="a call that was not asked for was left out")


def _form_missed(end: ReviewedReply) -> stages.Decision | None:
    """An answer that begins in its form was shown. Any other counts if its form is in it, else it is asked for in text."""
    form, raw = end.turn_input.form, end.reply.raw
    if form is None or end.rescuable:
        return None
    if end.output.spoke and not end.metadata.declined:
        wrong = (warning("form_misfit", error=error) for error in misfits(raw, form))
        return replace(keep(end), warnings=tuple(wrong))
    client_checks = end.turn_input.client_checks_form
    is_checked = client_checks and suspect_opening(raw[:MAX_OPENING], form, MAX_OPENING) == "none"
    if end.metadata.declined or end.is_formed or is_checked:
        return keep(end)
    answer = answer_in(raw, form)
    if answer is None:
        return emulate(end, warning("form_ignored"), lessons=_ignored_form(end))
    if is_json(raw, answer):
        return keep(end)
    show = (*end.reply.thoughts, Words(write_json(answer)))
    return stages.EndTurn(path="rescued", show=show, log="an answer in another form was rescued")


def _ignored_form(end: ReviewedReply) -> tuple[LessonCode, ...]:
    """What an answer in no form teaches, unless it was cut, or beside tools, where words may be right."""
    if end.metadata.cut or end.turn_input.tools or end.settings.on_vendor_host:
        return ()
    return ("schema_ignored" if end.turn_input.hands_over_form else "json_mode_ignored",)


def _no_function_offered(end: ReviewedReply) -> stages.Decision | None:
    return None if end.turn_input.offers_functions else keep(end)


def _first_call_in_text(end: ReviewedReply) -> stages.Decision | None:
    """A small model, given tools that its server only claims to pass on, calls one whatever is said.

    If no value of its call was given, by the user or a result, it is asked in text.
    """
    is_new = end.knowledge.evidence != "text" and end.settings.is_small and end.can_ask
    is_plain = end.reply.unremarkable and not (end.output.spoke or end.turn_input.form)
    if not (end.rescuable and is_new and is_plain) or end.forced:
        return None
    given = end.turn_input.conversation.given
    values = (value for call in end.rescuable for _, value in keyed_scalars(call.args, ""))
    if any(isinstance(value, str | int | float) and given.has(value) for value in values if value):
        return None
    return stages.AskAgain(
        stage=end.text_stage(end.as_native_reply()),
        doubts=tuple(Doubt(call.name, call.args, _NOT_GIVEN) for call in end.rescuable),
        log="a call written as text, with no value that was given, is asked for again",
        lessons=("call_in_text",),
    )


def _call_in_text(end: ReviewedReply) -> stages.Decision | None:
    if not end.rescuable or (end.forced and any(call.errors for call in end.rescuable)):
        return None  # a demanded call that does not fit is asked for again
    if end.can_ask and all(call.errors for call in end.rescuable):
        return _ask_for_arguments(end, end.rescuable[0])
    held, invalid = end.held_with(end.rescuable), end.native_calls.invalid
    return stages.EndTurn(
        path="rescued",
        show=(*held, *end.reply.bad_calls, *invalid),
        warnings=(*end.reply.dropped_call_warnings, *_unmade_warnings(end.native_calls)),
        log="calls written as text were rescued",
        lessons=("call_in_text",),
    )


def _call_in_thought(end: ReviewedReply) -> stages.Decision | None:
    """A call that ends a thought with no words after it was meant."""
    if end.natively:
        may_call = not end.settings.on_vendor_host and end.turn_input.offers_functions
        may_call = may_call and not end.metadata.declined
    else:
        may_call = end.stage.phase != "answer" and not end.holds_call
    call = end.call_ending_thought if may_call else None
    if call is None:
        return None
    show = (*end.reply.unshown, call)
    if not end.natively:
        return stages.EndTurn(path="emulated", show=show)
    log = "a call at the end of a thought was rescued"
    return stages.EndTurn(path="rescued", show=show, log=log, lessons=("call_in_text",))


# --- where there is nothing to ask again ---


def _refused_on_principle(end: ReviewedReply) -> stages.Decision | None:
    """A refusal on principle is never argued with: what there is of the reply is the answer."""
    if not end.metadata.declined:
        return None
    if end.natively:
        return keep(end)
    return give_up(end, "missing_call") if end.forced else accept(end)


def _copied_an_example(end: ReviewedReply) -> stages.Decision | None:
    """Nothing came but calls with an example's values: the smallest models are led to the tool that is spoken of."""
    if end.forced or not end.has_only_copies or end.output.spoke:
        return None
    names = tools_to_steer_to(end.turn_input, end.settings, end.stage)
    if end.stage.steered_to or not names:
        return None
    warnings = (*end.failed_call_warnings, warning("steered", names=" or ".join(names)))
    return stages.AskAgain(stage=stages.steered_stage(end.stage, names), warnings=warnings)


def _decided_on_none(end: ReviewedReply) -> stages.Decision | None:
    reply = end.reply
    if end.stage.phase != "decision" or not reply.raw.strip():
        return None
    if any(reask.stands for reask in end.stage.reasks):
        return None  # the reply that was asked about is the answer
    # By a call of this tool, which nobody offers, a decision says that there is nothing to call.
    called = [(call.reason, str(call.name).lower()) for call in reply.bad_calls]
    bad = any(fault != ("unknown_tool", NO_TOOL) for fault in called)
    good = reply.calls or reply.misfits or reply.doubted or reply.held_back
    if good or bad or end.unclear_call:
        return None
    log = "the model decided against a call, and is asked for the answer"
    return stages.AskAgain(stage=stages.answer_stage(end.stage), log=log)


# --- where an answer was asked for ---


def _closed(end: ReviewedReply) -> stages.Decision | None:
    """No words came where only refused calls had come: there is no answer, and the user is told."""
    if not end.stage.closes or end.forced or not (end.is_empty or end.says_nothing):
        return None
    show = () if end.is_empty else end.reply.unshown
    return stages.EndTurn(path="emulated", show=show, warnings=(warning("closed_without_answer"),))


def _answer_only(end: ReviewedReply) -> stages.Decision | None:
    """No call was asked for: any words are the answer."""
    if end.stage.phase != "answer":
        return None
    insists = end.reply.bad_calls if end.stage.has_asked("unknown_tool") else ()
    if insists or not end.is_empty:
        return accept(end, *map(_broken_warning, insists))
    if end.only_unwanted:
        return ask(end, "imitated_call", corrections.IMITATED_CALL)
    return ask(end, "empty_reply", corrections.EMPTY_ANSWER)


# --- where a call may be made ---


def _bare_answer(end: ReviewedReply) -> stages.Decision | None:
    """An answer that is no object, such as a list, is the one argument of its form's call; any object may be the answer."""
    form = end.turn_input.form
    if form is None or end.metadata.cut:
        return None
    if form.is_open and len(end.turn_input.tools) > 1:  # it may be a call with a wrong name
        return None
    args = bare_value(end.reply.raw, form)
    if args is None:
        return None
    call = Call(form.name, args, end.reply.raw, envelope="json", explicit=False)
    return stages.EndTurn(path="emulated", show=(*end.reply.thoughts, call))


def _runs_on(end: ReviewedReply) -> stages.Decision | None:
    """Nothing came but refused calls, or nothing to the question about one: the answer is asked for."""
    reviews = [record.review for record in end.reply.doubted]
    last = end.stage.reasks[-1].review if end.stage.reasks else None
    is_silent = end.is_empty and last is not None and (last.final or last.demands)
    refused = all(review.final for review in reviews) if reviews else is_silent
    if not refused or end.forced or end.asks_anew:
        return None
    is_late = any(review.code == TOO_LATE for review in reviews)
    was_asked = end.stage.has_asked("doubted_call", "bad_arguments" if reviews else "doubted_call")
    if not (is_late or was_asked) or not end.settings.max_reasks:
        return None
    return ask_for_answer(end, closes=True)


def _doubted_call(end: ReviewedReply) -> stages.Decision | None:
    """A call that the policy doubts is asked about once, with the tools still offered."""
    doubted = next(iter(end.reply.doubted), None)
    if doubted is None:
        return None
    if end.natively and not any(end.counts(record.call) for record in end.reply.doubted):
        return None
    if end.natively and not end.can_ask:  # the others are made then
        warnings = (*end.reply.dropped_call_warnings, *end.failed_call_warnings)
        show = end.reply.without_rejected
        return stages.EndTurn(path="rescued", show=show, warnings=warnings)
    return ask(end, "doubted_call", doubted.review.correction)


def _held_back_call(end: ReviewedReply) -> stages.Decision | None:
    """A call in text that the policy does not let through: it is an invalid one, unless another one is asked for again."""
    held_back = [record for record in end.reply.held_back if end.counts(record.call)]
    if not held_back or end.reply.bad_calls:
        return None
    show = (*end.reply.held, *(call.as_invalid for call in held_back))
    return stages.EndTurn(path="rescued", show=show, warnings=end.reply.dropped_call_warnings)


def _unknown_tool(end: ReviewedReply) -> stages.Decision | None:
    """A call of a tool that is not bound is no answer, and the model is told which tools there are."""
    unknown = [bad for bad in end.reply.bad_calls if bad.reason == "unknown_tool"]
    if not unknown:
        return None
    if end.natively:
        if len(unknown) < len(end.reply.bad_calls):
            return None
        if end.unknown_call_is_example:
            return None if end.metadata.claims_call else keep(end)
    elif unknown[0] is not end.reply.bad_calls[0]:
        return None
    elif decided := _insists(end):
        return decided
    tools, limit = end.turn_input.functions, end.settings.tools_shown
    is_many = limit is not None and len(tools) > limit.above and not end.natively
    names = likeliest_first(tools, unknown[0].name or "") if is_many else tools.names
    text = corrections.unknown_tool(unknown[0].name, names, end.settings.dialect)
    return ask(end, "unknown_tool", text)


def _insists(end: ReviewedReply) -> stages.Decision | None:
    """A model that insists on an unknown tool gave JSON that was asked for, or is asked for the answer."""
    again, most = end.stage.has_asked("unknown_tool"), end.settings.max_reasks
    if end.forced:
        return None
    if again and end.turn_input.conversation.asks_for_json:
        return stages.EndTurn(path="emulated", show=end.reply.unshown)
    # A small model is not asked a second time.
    is_asked = again and end.settings.is_small and not end.output.gave_words
    if not (is_asked or (most and not end.can_ask_natively)):
        return None
    return ask_for_answer(end, closes=end.turn_input.conversation.has_result)


def _unreadable_call(end: ReviewedReply) -> stages.Decision | None:
    """A call that was meant and cannot be run; natively, one that was only announced must be confirmed by emulation."""
    bad = next(iter(end.reply.bad_calls), None)
    if end.natively:
        announced = end.metadata.claims_call
        if not (bad or announced):
            return None
        checks = stages.NativeReply() if announced and not end.forced else None
        return emulate(end, warning("call_unreadable" if bad else "call_missing"), checks=checks)
    if bad is None:
        return None
    if bad.reason == "cut":
        return ask(end, "cut_call", corrections.CUT_CALL)
    text = corrections.unreadable_call(bad.detail, end.settings.dialect)
    return ask(end, "unreadable_call", text)


def _first_reply_stands(end: ReviewedReply) -> stages.Decision | None:
    """A reply that had words before the call that was asked about is the answer as it was written, if no call follows."""
    first = next((reask for reask in end.stage.reasks if reask.stands), None)
    if first is None or first.kind.nudges or end.holds_call:
        return None
    path: stages.MessagePath = "native" if end.stage.native else "emulated"
    return stages.EndTurn(path=path, show=first.words, resumes=True)


def _unclear_call(end: ReviewedReply) -> stages.Decision | None:
    """A call of which the words around it leave open whether it is meant: the model is only asked."""
    possible = end.unclear_call
    if possible is None:
        return None
    if end.forced and (possible.name is None or end.stage.has_asked("unclear_call")):
        return None  # a demanded call is missing
    if end.natively and (end.forced or end.is_trusted or end.declines_call):
        return None
    if end.natively and not end.can_ask:
        return give_up(end, "unclear_call")
    text = corrections.unclear_call(possible.name, end.settings.dialect)
    review = end.review_of_unclear
    return ask(end, "unclear_call", review.correction if review.is_text else text)


def _bad_arguments(end: ReviewedReply) -> stages.Decision | None:
    wrong = next(iter(end.reply.misfits), None)
    return _ask_for_arguments(end, wrong) if wrong else None


def _ask_for_arguments(end: ReviewedReply, wrong: Call) -> stages.Decision:
    tool = end.turn_input.toolset.exact(wrong.name)
    shown = end.contract.described_tools if end.contract else None
    # What it takes, if the model was only told its name.
    is_new = tool is not None and shown is not None and wrong.name not in shown
    takes = end.settings.contract.render(ToolSet([tool])) if tool and is_new else ""
    text = corrections.bad_arguments(wrong, end.settings.dialect, takes)
    return ask(end, "bad_arguments", text)


def _missing_call(end: ReviewedReply) -> stages.Decision | None:
    """A demanded call did not come, or one of another tool came instead."""
    if not end.forced:
        return None
    if end.natively:
        lessons: tuple[LessonCode, ...] = () if end.metadata.cut else ("choice_ignored",)
        return emulate(end, warning("call_missing"), lessons=lessons)
    turn_input, dialect = end.turn_input, end.settings.dialect
    wanted = turn_input.choice.name or f"one of {corrections.list_names(turn_input.toolset.names)}"
    if other := next(iter(end.reply.unwanted), None):
        text = corrections.wrong_tool(other.name, wanted, dialect)
        return ask(end, "wrong_tool", text)
    return ask(end, "missing_call", corrections.missing_call(wanted, dialect))


# --- what merely could be better ---


def _refusal(end: ReviewedReply) -> stages.Decision | None:
    """Words that deny the tools; a reply that declines a call of them does not."""
    if end.reply.suspicion != "refusal" or end.declines_call:
        return None
    text = corrections.refusal(end.turn_input.toolset.names, end.settings.dialect)
    return ask(end, "refusal", text)


def _copied_answer(end: ReviewedReply) -> stages.Decision | None:
    """The answer was copied from an example: the model is asked without examples."""
    if end.reply.suspicion != "copied":
        return None
    answer = stages.answer_stage(end.stage)
    return stages.AskAgain(stage=answer, warnings=(warning("copied_answer"),))


def _empty_reply(end: ReviewedReply) -> stages.Decision | None:
    """Nothing was said: the model is asked to go on, natively once, if it is known to call so."""
    if end.natively:
        wanting = end.is_trusted and end.says_nothing and end.may_nudge
        dialect = None
    else:
        # Thoughts and nothing else may be as far as a model gets: it is asked once.
        was_asked = end.metadata.cut or end.stage.reasks or end.stage.native
        thinks_only = end.says_nothing and not was_asked
        wanting = (end.is_empty or thinks_only) and not end.holds_call
        dialect = end.settings.dialect
    return ask(end, "empty_reply", corrections.empty_reply(dialect)) if wanting else None


def _announced_call(end: ReviewedReply) -> stages.Decision | None:
    """The reply says that a call will be made now, and ends: the model is asked to make it, once."""
    if end.metadata.cut or end.settings.on_vendor_host:
        return None
    if end.reply.possible_call or end.declines_call:
        return None  # asked to go on, the model might make a call that it only spoke of
    if (end.holds_call and not end.natively) or not end.announces_call:
        return None
    if end.stage.has_asked("announced_call") and end.spoke_before:
        # It only repeats what was shown.
        path: stages.MessagePath = "native" if end.natively or end.stage.native else "emulated"
        return stages.EndTurn(path=path, resumes=True)
    if end.natively and not (end.may_nudge and (end.is_trusted or end.can_ask)):
        return None
    dialect = None if end.natively and end.is_trusted else end.settings.dialect
    return ask(end, "announced_call", corrections.announced_call(dialect))


def _final_answer(end: ReviewedReply) -> stages.Decision | None:
    """The answer of a model that calls natively, or one that declines a call: asked again, the model might make it."""
    return keep(end) if end.is_trusted or end.declines_call else None


def _tools_dropped(end: ReviewedReply) -> stages.Decision | None:
    if end.usage_says != "dropped" or end.knowledge.evidence == "text":
        return None
    refused = end.reply.suspicion == "refusal"
    return emulate(end, warning("tools_dropped"), show=() if refused else end.reply.unshown)


def _worth_a_check(end: ReviewedReply) -> stages.Decision | None:
    """Too little is known of the model to take a reply without a call for an answer."""
    reply = end.reply
    unclear = end.usage_says == "unclear" and end.knowledge.wants_check
    refused = reply.suspicion == "refusal"
    wanting = refused or end.says_nothing
    # Words of an earlier reply were shown: it was asked for again, and this one goes on with it.
    if not (wanting or unclear) or end.turn_input.built_in_names or end.spoke_before:
        return None
    show = () if refused else reply.unshown
    stage = end.text_stage(checks=end.as_native_reply(show))
    if stage.checks is None:  # it would not ask for a call
        return None
    return stages.AskAgain(
        stage=stage,
        show=show,
        log="a native reply without a call is checked by emulation",
        lessons=("denied_tools",) if refused else (),
    )


def _good_enough(end: ReviewedReply) -> stages.Decision | None:
    return keep(end) if end.natively else accept(end)


def _broken_warning(bad: BadCall) -> TurnWarning:
    return bad_call_warning(bad, "call_broken")


RULES: tuple[tuple[Where, Rule], ...] = (
    ("native", _provider_called),
    ("text", _asked_if_quoted),
    ("text", _never_ended),
    ("text", _native_is_right),
    ("text", _call_made),
    ("text", _quoted_call),
    ("native", _malformed_call),
    ("native", _stream_lost),
    ("native", _broken_call),
    ("native", _unasked_call),
    ("native", _form_missed),
    ("native", _no_function_offered),
    ("native", _first_call_in_text),
    ("native", _call_in_text),
    ("both", _call_in_thought),
    ("both", _refused_on_principle),
    ("text", _copied_an_example),
    ("text", _decided_on_none),
    ("text", _closed),
    ("text", _answer_only),
    ("text", _bare_answer),
    ("native", _doubted_call),
    ("native", _held_back_call),
    ("both", _unknown_tool),
    ("both", _unreadable_call),
    ("text", _first_reply_stands),
    ("both", _unclear_call),
    ("text", _bad_arguments),
    ("text", _runs_on),
    ("text", _doubted_call),
    ("both", _missing_call),
    ("text", _refusal),
    ("text", _copied_answer),
    ("both", _empty_reply),
    ("both", _announced_call),
    ("native", _final_answer),
    ("native", _tools_dropped),
    ("native", _worth_a_check),
    ("both", _good_enough),
)
