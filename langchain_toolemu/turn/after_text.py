"""What follows a reply to a request in text: an ordered tuple of named rules, of which the first that fits decides.

The rules stand in the order of harm: what can no longer be taken back, a call that cannot be run, a call that does not
fit, a demanded call that is missing, and only then what merely could be better.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from langchain_toolemu.contract import corrections
from langchain_toolemu.contract.response_format import bare_value
from langchain_toolemu.contract.rules import NO_TOOL
from langchain_toolemu.contract.shortlist import likeliest_first
from langchain_toolemu.errors import ToolCallParseError, ToolChoiceError
from langchain_toolemu.messages.content import Part, Words
from langchain_toolemu.model_facts import LessonCode
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import ToolSet
from langchain_toolemu.turn import stages
from langchain_toolemu.turn.reasoning_text import is_only_reasoning, thought_of
from langchain_toolemu.turn.requests import UNREAD, tools_to_steer_to
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.suspicion import may_refuse_on_principle, repeats_words
from langchain_toolemu.turn.turn_output import ReaskReason, TurnWarning, label_of, warning

_LONGEST_RESULT = 2_000  # characters of a result that may stand for the answer
_MAX_COMPARED = 4_000  # characters of a reply that are compared with the rules
# Worth one question and no more: a refusal that is repeated is an answer, and a call that comes again is meant.
_ONCE: tuple[ReaskReason, ...] = (
    "refusal", "doubted_call", "imitated_call", "unclear_call", "announced_call",
)  # fmt: skip
# Asked for a call and nothing else; other corrections leave the model free to answer in words.
_DEMANDING: frozenset[ReaskReason] = frozenset(
    {"cut_call", "unreadable_call", "bad_arguments", "wrong_tool", "missing_call"}
)

TextRule: TypeAlias = Callable[[ReviewedReply], stages.Decision | None]


def after_text(end: ReviewedReply) -> stages.Decision:
    """What follows a reply to a request in text."""
    decision = next(decision for rule in RULES if (decision := rule(end)))
    dropped = () if end.reply.unremarkable else end.reply.dropped_call_warnings
    lessons = _check_lessons(end) if end.stage.checks else ()
    lessons += _contract_lessons(end, decision)
    if not (dropped or lessons):
        return decision
    warnings = (*dropped, *decision.warnings)
    return replace(decision, warnings=warnings, lessons=(*lessons, *decision.lessons))


def _broken_call(end: ReviewedReply) -> stages.Decision | None:
    """A call whose arguments were shown and never ended: it is not asked for again, and must not run."""
    return _accept(end, *_broken_warnings(end.reply.broken)) if end.reply.broken else None


def _native_is_right(end: ReviewedReply) -> stages.Decision | None:
    """A check found no call, or none that could be made, so the native reply is the answer."""
    checked = end.stage.checks
    if checked is None or end.finds_call or not end.has_native_words:
        return None
    return stages.EndTurn(path="native", show=checked.words, warnings=end.failed_call_warnings)


def _check_lessons(end: ReviewedReply) -> tuple[LessonCode, ...]:
    if end.reply.broken:
        return ()
    if end.finds_call:
        return ("check_found_call",)
    return ("check_agreed",) if end.has_native_words else ()


def _contract_lessons(end: ReviewedReply, decision: stages.Decision) -> tuple[LessonCode, ...]:
    """Whether the model follows the contract, if the turn ends here and that decides on the recipe."""
    if not end.settings.adapts_recipe or end.stage.phase == "answer":
        return ()
    if not (isinstance(decision, stages.Fail) or (isinstance(decision, stages.EndTurn) and decision.path == "emulated")):  # fmt: skip
        return ()
    shown = (*end.judge.before, *end.reply.calls, *decision.show)
    calls = [part for part in shown if isinstance(part, Call)]
    if calls:
        return () if any(call.errors for call in calls) else ("contract_followed",)
    return ("contract_failed",) if not _is_excused(end) and _breaks_contract(end) else ()


def _is_excused(end: ReviewedReply) -> bool:
    """A refusal on principle, a reply that was cut off and a call that the policy stopped teach nothing."""
    said, reply, reasks = end.metadata, end.reply, end.stage.reasks
    if said.cut or said.declined or reply.doubted or reply.held_back:
        return True
    if end.stage.has_asked("cut_call", "doubted_call"):
        return True
    return any(map(may_refuse_on_principle, (reply.raw, *(reask.failed for reask in reasks))))


def _breaks_contract(end: ReviewedReply) -> bool:
    """Whether a demanded call is missing, the reply is empty, or it repeats what we said."""
    raw = end.reply.raw
    if end.forced or end.reply.suspicion == "echo":
        return True
    if not raw.strip():
        return not thought_of(end.pieces, raw)
    return repeats_words(raw[:_MAX_COMPARED], end.settings.contract.rules)


# --- where there is nothing to ask again ---


def _calls_made(end: ReviewedReply) -> stages.Decision | None:
    return _good_enough(end) if end.reply.calls and not end.reply.misfits else None


def _refused_on_principle(end: ReviewedReply) -> stages.Decision | None:
    """A refusal on principle is never argued with: what there is of the reply is the answer."""
    if not end.metadata.declined or end.reply.calls:
        return None
    return _give_up(end, "missing_call") if end.forced else _accept(end)


def _copied_an_example(end: ReviewedReply) -> stages.Decision | None:
    """Nothing came but calls with an example's values: the smallest models are led to the tool that is spoken of."""
    if end.forced or not end.has_only_copies or end.has_calls or end.spoke:
        return None
    names = tools_to_steer_to(end.sent_input, end.settings, end.stage)
    if end.stage.steered_to or not names:
        return None
    warnings = (*end.failed_call_warnings, warning("steered", names=" or ".join(names)))
    return stages.AskAgain(stage=stages.steered_stage(end.stage, names), warnings=warnings)


def _decided_on_none(end: ReviewedReply) -> stages.Decision | None:
    reply = end.reply
    if end.stage.phase != "decision" or not reply.raw.strip():
        return None
    # By a call of this tool, which nobody offers, a decision says that there is nothing to call.
    called = [(one.reason, str(one.name).lower()) for one in reply.bad_calls]
    bad = any(one != ("unknown_tool", NO_TOOL) for one in called)
    if reply.calls or reply.misfits or reply.doubted or reply.held_back or bad:
        return None
    return stages.AskAgain(stage=stages.answer_stage(end.stage))


def _call_in_thought(end: ReviewedReply) -> stages.Decision | None:
    """A call that ends a thought with no words after it was meant."""
    if end.stage.phase == "answer" or end.has_any_call or end.has_calls:
        return None
    call = end.call_ending_thought
    return stages.EndTurn(path="emulated", show=(*end.reply.unshown, call)) if call else None


# --- where an answer was asked for ---


def _answer_only(end: ReviewedReply) -> stages.Decision | None:
    """No call was asked for: any words are the answer."""
    if end.stage.phase != "answer":
        return None
    if not end.is_empty:
        return _refused_after_decision(end) or _accept(end)
    if end.has_unwanted:
        return _ask_again(end, "imitated_call", corrections.IMITATED_CALL)
    return _ask_again(end, "empty_reply", corrections.EMPTY_ANSWER)


def _refused_after_decision(end: ReviewedReply) -> stages.Decision | None:
    """The model decided against a call, and then says that it cannot know: it is asked inline, once."""
    reply, reasks = end.reply, end.stage.reasks
    if reply.suspicion != "refusal" or len(reasks) >= end.settings.max_reasks:
        return None
    reasks = (*reasks, stages.Reask("refusal", reply.raw, "", words=reply.held))
    log = (f"re-ask {len(reasks)} ({label_of('refusal')})",)
    inline = replace(end.stage, phase="call", follows_decision=False, reasks=reasks)
    return stages.AskAgain(stage=inline, log=log)


# --- where a call may be made ---


def _bare_answer(end: ReviewedReply) -> stages.Decision | None:
    """An answer that is no object, such as a list, is the one argument of its form's call; any object may be the answer."""
    form = end.sent_input.form
    if form is None or end.has_calls or end.metadata.cut:
        return None
    if form.is_open and len(end.sent_input.tools) > 1:  # it may be a call with a wrong name
        return None
    args = bare_value(end.reply.raw, form)
    if args is None:
        return None
    call = Call(form.name, args, end.reply.raw, envelope="json", explicit=False)
    return stages.EndTurn(path="emulated", show=(*end.reply.thoughts, call))


def _bad_call(end: ReviewedReply) -> stages.Decision | None:
    """A call that cannot be run is asked for again, unless another one was made."""
    bad = None if end.has_calls else next(iter(end.reply.bad_calls), None)
    if bad is None:
        return None
    if bad.reason == "cut":
        return _ask_again(end, "cut_call", corrections.CUT_CALL)
    if bad.reason == "unknown_tool":
        return _unknown_tool(end, bad.name)
    text = corrections.unreadable_call(bad.detail, end.settings.dialect)
    return _ask_again(end, "unreadable_call", text)


def _unknown_tool(end: ReviewedReply, name: str | None) -> stages.Decision:
    """The model is told which tools there are; one that insists gave JSON that was asked for, or is asked for the answer."""
    insists = end.stage.has_asked("unknown_tool") and not end.forced
    if insists and end.sent_input.conversation.asks_for_json:
        return stages.EndTurn(path="emulated", show=end.reply.unshown)
    # A thought that is shown as it came is no answer.
    silent = not end.spoke or is_only_reasoning(end.shown_text)
    if insists and end.settings.is_small and silent:
        answer = stages.answer_stage(end.stage)
        return stages.AskAgain(stage=answer, warnings=end.failed_call_warnings)
    tools, dialect = end.sent_input.toolset, end.settings.dialect
    limit = end.settings.tools_shown
    is_many = limit is not None and len(tools) > limit.above
    names = likeliest_first(tools, name or "") if is_many else tools.names
    return _ask_again(end, "unknown_tool", corrections.unknown_tool(name, names, dialect))


def _first_reply_stands(end: ReviewedReply) -> stages.Decision | None:
    """A reply that had words before the call that was asked about is the answer as it was written, if no call follows."""
    first = next((reask for reask in end.stage.reasks if reask.stands), None)
    if first is None or first.reason in stages.NUDGES or end.has_any_call or end.has_calls:
        return None
    path: stages.MessagePath = "native" if end.stage.native else "emulated"
    return stages.EndTurn(path=path, show=first.words, resumes=True)


def _unclear_call(end: ReviewedReply) -> stages.Decision | None:
    """A call of which the words around it leave open whether it is meant: it may be quoted, so the model is only asked."""
    possible = end.reply.possible_call
    if possible is None or end.has_calls:
        return None
    text = corrections.unclear_call(possible.name, end.settings.dialect)
    return _ask_again(end, "unclear_call", text)


def _bad_arguments(end: ReviewedReply) -> stages.Decision | None:
    wrong = next(iter(end.reply.misfits), None)
    if wrong is None:
        return None
    tool = end.sent_input.toolset.exact(wrong.name)
    shown = end.contract.described_tools if end.contract else None
    # What it takes, if the model was only told its name.
    is_new = tool is not None and shown is not None and wrong.name not in shown
    takes = end.settings.contract.render(ToolSet([tool])) if tool and is_new else ""
    text = corrections.bad_arguments(wrong, end.settings.dialect, takes)
    return _ask_again(end, "bad_arguments", text)


def _doubted_call(end: ReviewedReply) -> stages.Decision | None:
    """A call that the policy doubts is asked about once, with the tools still offered."""
    doubted = next(iter(end.reply.doubted), None)
    if doubted is None or end.has_calls:
        return None
    return _ask_again(end, "doubted_call", doubted.review.correction)


def _runs_on(end: ReviewedReply) -> stages.Decision | None:
    """Asked about a call, a small model writes only calls that are not made: the answer is asked for, without tools."""
    if end.forced or end.has_calls or not (end.settings.is_small and end.runs_on):
        return None
    if not end.stage.has_asked("doubted_call") or not end.settings.max_reasks:
        return None
    log = ("the model wrote only calls that are not made, and is asked for the answer",)
    return stages.AskAgain(
        stage=stages.closing_stage(end.stage), log=log, warnings=end.failed_call_warnings
    )


def _closed(end: ReviewedReply) -> stages.Decision | None:
    """No words came where a small model was asked for its answer: the last result is the answer as it came, if it is a short text."""
    asked = end.stage.closes or end.stage.has_asked("imitated_call", "empty_reply")
    if (
        end.stage.phase != "answer"
        or not (asked and end.settings.is_small and end.is_empty)
        or end.forced
    ):
        return None
    result = end.sent_input.conversation.last_result
    if end.sent_input.form or not result or len(result) > _LONGEST_RESULT:
        code = "closed_without_answer"
        return (
            stages.EndTurn(path="emulated", warnings=(warning(code),)) if end.stage.closes else None
        )
    return stages.EndTurn(
        path="emulated", show=(Words(result),), warnings=(warning("closed_by_result"),)
    )


def _missing_call(end: ReviewedReply) -> stages.Decision | None:
    """A demanded call did not come, or one of another tool came instead."""
    if not end.forced or end.has_calls or end.reply.misfits or end.reply.doubted:
        return None
    asked, dialect = end.sent_input, end.settings.dialect
    wanted = asked.choice.name or f"one of {corrections.list_names(asked.toolset.names)}"
    if other := next(iter(end.reply.unwanted), None):
        text = corrections.wrong_tool(other.name, wanted, dialect)
        return _ask_again(end, "wrong_tool", text)
    return _ask_again(end, "missing_call", corrections.missing_call(wanted, dialect))


def _refusal(end: ReviewedReply) -> stages.Decision | None:
    """Words that deny the tools; a reply that declines a call of them does not."""
    if end.reply.suspicion != "refusal" or end.has_calls or end.reply.declines_call:
        return None
    text = corrections.refusal(end.sent_input.toolset.names, end.settings.dialect)
    return _ask_again(end, "refusal", text)


def _copied_answer(end: ReviewedReply) -> stages.Decision | None:
    """The answer was copied from an example: the model is asked without examples."""
    if end.reply.suspicion != "copied" or end.has_calls:
        return None
    answer = stages.answer_stage(end.stage)
    return stages.AskAgain(stage=answer, warnings=(warning("copied_answer"),))


def _announced_call(end: ReviewedReply) -> stages.Decision | None:
    if end.has_calls or end.has_any_call or end.metadata.cut or not end.settings.repairs_native:
        return None
    if not end.announces_call:
        return None
    if end.stage.has_asked("announced_call") and end.spoke_before:
        # It only repeats what was shown.
        path: stages.MessagePath = "native" if end.stage.native else "emulated"
        return stages.EndTurn(path=path, resumes=True)
    text = corrections.announced_call(end.settings.dialect)
    return _ask_again(end, "announced_call", text)


def _empty_reply(end: ReviewedReply) -> stages.Decision | None:
    # Thoughts and nothing else may be as far as a model gets: it is asked once.
    asked = end.metadata.cut or end.stage.reasks or end.stage.native
    thinks_only = end.says_nothing and not asked
    if not (end.is_empty or thinks_only) or end.has_calls or end.has_any_call:
        return None
    return _ask_again(end, "empty_reply", corrections.empty_reply(end.settings.dialect))


def _good_enough(end: ReviewedReply) -> stages.Decision | None:
    """What is right of the reply is taken; a call that cannot be run is an invalid one, and is told."""
    return _accept(end, *_broken_warnings(end.reply.bad_calls))


def _broken_warnings(failed: tuple[BadCall, ...]) -> Iterator[TurnWarning]:
    return (warning("call_broken", name=bad.name, why=bad.detail) for bad in failed)


RULES: tuple[TextRule, ...] = (
    _broken_call,
    _native_is_right,
    _calls_made, _call_in_thought, _refused_on_principle, _copied_an_example, _decided_on_none,
    _closed, _answer_only,
    _bare_answer, _bad_call, _first_reply_stands, _unclear_call, _bad_arguments, _runs_on, _doubted_call, _missing_call,
    _refusal, _copied_answer, _empty_reply, _announced_call, _good_enough,
)  # fmt: skip


# --- accept, ask again, give up ---


def _accept(end: ReviewedReply, *warnings: TurnWarning) -> stages.EndTurn:
    told = list(warnings)
    if end.reply.doubted:
        told += (one.warning for one in end.rejected_calls)
    if end.reply.suspicion == "echo":
        told.append(warning("echo"))
    return stages.EndTurn(path="emulated", show=_leftovers(end), warnings=tuple(told))


def _leftovers(end: ReviewedReply) -> tuple[Part, ...]:
    """What is still to be shown: held words, calls that do not fit or were asked about, bad ones as invalid."""
    reply, stage = end.reply, end.stage
    if not end.has_calls and end.is_empty:
        # The doubted calls of an earlier reply, if the model said nothing to the question.
        kept = (past.calls for past in stage.reasks if past.calls and not past.must_insist)
        if doubted := next(kept, ()):
            return doubted
        if end.only_unwanted:
            # The text of such calls is all there is to say; as an answer it is none.
            return reply.bad_calls if stage.phase == "answer" else reply.unshown
    words = end.without_rejected() if reply.doubted else reply.held
    if reply.suspicion == "echo":
        words = ()
    if stage.phase != "answer" and not reply.calls:
        refused = next((past.words for past in stage.reasks if past.reason == "refusal"), ())
        words = refused or words
    # Next to a call that stands, those that the policy holds back are only told of.
    held_back = () if end.has_calls else tuple(one.as_invalid for one in reply.held_back)
    return (*words, *reply.misfits, *held_back, *reply.bad_calls)


def _ask_again(end: ReviewedReply, reason: ReaskReason, correction: str) -> stages.Decision:
    """Ask again, unless that was done often enough. Each correction is stricter than the one before it."""
    reasks = end.stage.reasks
    if reason in _ONCE and end.stage.has_asked(reason) and not (end.forced and end.rejected_calls):
        return _accept(end)
    if len(reasks) >= end.settings.max_reasks:
        return _give_up(end, reason)
    if reasks and reason in _DEMANDING:
        correction += corrections.STRICTER
    log = (f"re-ask {len(reasks) + 1} ({label_of(reason)})",)
    return stages.AskAgain(stage=_reask_stage(end, reason, correction), log=log)


def _reask_stage(end: ReviewedReply, reason: ReaskReason, correction: str) -> stages.Stage:
    stage, reply = end.stage, end.reply
    if end.forced and not stage.steered_to and end.has_only_copies:
        # Told that it copied an example, a small model copies its own reply: it is asked afresh.
        demanded = end.sent_input.choice.name
        names = (demanded,) if demanded else end.sent_input.toolset.names
        reasks = (*stage.reasks, stages.Reask(reason, reply.raw, ""))
        return stages.steered_stage(replace(stage, reasks=reasks, checks=None), names)
    if reason in stages.QUESTIONS or reason == "announced_call":
        reask = end.question(reason, correction)
    else:
        words = reply.held if reason == "refusal" else ()
        reask = stages.Reask(reason, reply.raw, correction, words=words)
    return replace(stage, reasks=(*stage.reasks, reask), checks=None)


def _give_up(end: ReviewedReply, reason: ReaskReason) -> stages.Decision:
    """No re-ask is left: an error if a demanded call is missing, else the reply as it is, with a warning."""
    label = label_of(reason)
    missed = end.forced and not (end.calls or end.reply.misfits or end.doubted_calls)
    # An answer in the wrong form is its parser's to refuse; no caller waits for a call.
    waited_for = end.sent_input.form is None or end.rejected_calls
    if missed and waited_for and end.settings.on_failure == "error":
        return stages.Fail(error=_error(end, reason))
    accepted = _accept(end, warning("gave_up", label=label))
    return replace(accepted, gave_up=reason, log=(f"gave up ({label})",))


def _error(end: ReviewedReply, reason: ReaskReason) -> ToolChoiceError:
    cut = end.metadata.cut
    cut_off = "The reply was cut off at its token limit: raise max_tokens"
    way_out = cut_off if cut else "Simplify the request"
    refused = next(iter((*end.rejected_calls, *end.reply.held_back)), None)
    failed = f"the policy accepted no call ({refused.review})" if refused else "did not"
    text = (
        f"The model had to call {end.sent_input.choice.name or 'a tool'}, but {failed} in "
        f"{end.metadata.requests} requests (last: {label_of(reason)}). {way_out}, use a more capable "
        "model, or pass on_failure='continue' to get the reply as it is."
    )
    if reason in UNREAD:
        return ToolCallParseError(text, llm_output=end.reply.raw)
    return ToolChoiceError(text)
