"""What follows a reply to a request in text: an ordered tuple of named rules, of which the first that fits decides.

The rules stand in the order of harm: what can no longer be taken back, a call that cannot be run, a call that does not
fit, a demanded call that is missing, and only then what merely could be better.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from langchain_toolemu.contract import NO_TOOL, corrections
from langchain_toolemu.model_facts import Lesson
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn.emulated_end import EmulatedEnd, accepted, corrected, gave_up
from langchain_toolemu.turn.forms import bare_value
from langchain_toolemu.turn.requests import tools_to_steer_to
from langchain_toolemu.turn.stages import (
    Finish,
    Move,
    Path,
    Send,
    answer_stage,
    steered_stage,
)

Rule: TypeAlias = Callable[[EmulatedEnd], Move | None]


def after_emulated(end: EmulatedEnd) -> Move:
    """What follows a reply to a request in text."""
    move = next(move for rule in RULES if (move := rule(end)))
    return replace(
        move,
        # What the server made of the text itself was shown.
        warnings=(*(() if end.called else end.reply.left_out), *move.warnings),
        lessons=(*_check_lessons(end), *move.lessons),
    )


# --- what can no longer be taken back ---


def _server_called(end: EmulatedEnd) -> Move | None:
    """The server read the text too and made a call of it, which was shown."""
    return Finish(path="emulated") if end.called else None


def _broken_off(end: EmulatedEnd) -> Move | None:
    """A call whose arguments were shown and never ended: it is not asked for again, and must not run."""
    if not end.reply.broken:
        return None
    return accepted(end, *(f"a call of {bad.name}: {bad.detail}" for bad in end.reply.broken))


# --- a check of a native reply ---


def _native_is_right(end: EmulatedEnd) -> Move | None:
    """A check found no call, or none that could be made, so the native reply is the answer."""
    checked = end.stage.checks
    if checked is None or _found_call(end) or not _has_native_words(end):
        return None
    return Finish(path="native", show=checked.words, warnings=end.not_made)


def _check_lessons(end: EmulatedEnd) -> tuple[Lesson, ...]:
    if end.stage.checks is None or end.called or end.reply.broken:
        return ()
    if _found_call(end):
        return ("check_found_call",)
    return ("check_agreed",) if _has_native_words(end) else ()


def _found_call(end: EmulatedEnd) -> bool:
    return bool(end.reply.calls or end.reply.misfits or end.doubted_calls)


def _has_native_words(end: EmulatedEnd) -> bool:
    checked = end.stage.checks
    return end.spoke_before or (checked is not None and bool(checked.words))


# --- where there is nothing to ask again ---


def _declined(end: EmulatedEnd) -> Move | None:
    """A refusal on principle is never argued with: what there is of the reply is the answer."""
    if not end.metadata.declined or end.reply.calls:
        return None
    return gave_up(end, "missing_call") if end.forced else accepted(end)


def _copied_an_example(end: EmulatedEnd) -> Move | None:
    """Nothing came but calls with an example's values: the smallest models are led to the tool that is spoken of."""
    if end.forced or not end.has_only_copies or end.has_calls or end.spoke:
        return None
    names = tools_to_steer_to(end.order, end.settings, end.stage)
    if end.stage.steered_to or not names:
        return None
    why = f"asked for a call of {' or '.join(names)}: the question speaks of it"
    return Send(stage=steered_stage(end.stage, names), warnings=(*end.not_made, why))


def _decided_on_none(end: EmulatedEnd) -> Move | None:
    """A decision against a call: the answer is asked for."""
    reply = end.reply
    bad = [one for one in reply.bad_calls if not _is_none(one)]
    called = reply.calls or reply.misfits or reply.doubted or reply.held_back or bad
    if end.stage.phase != "decision" or called or not reply.raw.strip() or end.forced:
        return None
    return Send(stage=answer_stage(end.stage))


def _is_none(bad: BadCall) -> bool:
    """Whether a call is the way in which a decision says that there is nothing to call."""
    return bad.reason == "unknown_tool" and str(bad.name).lower() == NO_TOOL


# --- where an answer was asked for ---


def _imitated_call(end: EmulatedEnd) -> Move | None:
    if end.stage.phase != "answer" or not end.is_empty or not end.has_unwanted:
        return None
    return corrected(end, "imitated_call", corrections.imitated_call())


def _no_answer(end: EmulatedEnd) -> Move | None:
    if end.stage.phase != "answer" or not end.is_empty:
        return None
    return corrected(end, "empty_reply", corrections.empty_answer())


def _answered(end: EmulatedEnd) -> Move | None:
    return accepted(end) if end.stage.phase == "answer" else None


# --- where a call may be made ---


def _bare_answer(end: EmulatedEnd) -> Move | None:
    """An answer that is no object, such as a list, is the one argument of its form's call."""
    form = end.order.form
    if form is None or end.has_calls or end.metadata.cut:
        return None
    args = bare_value(end.reply.raw, form)
    if args is None:
        return None
    call = Call(form.name, args, end.reply.raw, envelope="json", explicit=False)
    return Finish(path="emulated", show=(*end.reply.thoughts, call))


def _cut_call(end: EmulatedEnd) -> Move | None:
    bad = next(iter(end.reply.bad_calls), None)
    if bad is None or bad.reason != "cut" or end.has_calls:
        return None
    return corrected(end, "cut_call", corrections.cut_call())


def _unknown_tool(end: EmulatedEnd) -> Move | None:
    """The model is told which tools there are; a small one that insists is asked for the answer."""
    bad = next(iter(end.reply.bad_calls), None)
    if bad is None or bad.reason != "unknown_tool" or end.has_calls:
        return None
    insists = end.settings.is_small and end.asked_about("unknown_tool")
    if insists and not (end.forced or end.answered):
        return Send(stage=answer_stage(end.stage), warnings=end.not_made)
    names, dialect = end.order.toolset.names, end.settings.dialect
    return corrected(end, "unknown_tool", corrections.unknown_tool(bad.name, names, dialect))


def _unreadable_call(end: EmulatedEnd) -> Move | None:
    bad = next(iter(end.reply.bad_calls), None)
    if bad is None or end.has_calls:
        return None
    text = corrections.unreadable_call(bad.detail, end.settings.dialect)
    return corrected(end, "unreadable_call", text)


def _first_reply_stands(end: EmulatedEnd) -> Move | None:
    """A reply that had words before the call that was asked about is the answer as it was written, if no call follows."""
    first = next((reask for reask in end.stage.reasks if reask.stands), None)
    if first is None or end.has_any_call or end.has_calls:
        return None
    path: Path = "native" if end.stage.native else "emulated"
    return Finish(path=path, show=first.words, resumes=True)


def _unclear_call(end: EmulatedEnd) -> Move | None:
    """A call of which the words around it leave open whether it is meant: it may be quoted, so the model is only asked."""
    possible = next(iter(end.reply.possible), None)
    if possible is None or end.has_calls:
        return None
    text = corrections.unclear_call(possible.name, end.settings.dialect)
    return corrected(end, "unclear_call", text)


def _bad_arguments(end: EmulatedEnd) -> Move | None:
    wrong = next(iter(end.reply.misfits), None)
    if wrong is None:
        return None
    text = corrections.bad_arguments(wrong.name, wrong.errors, end.settings.dialect)
    return corrected(end, "bad_arguments", text)


def _doubted_call(end: EmulatedEnd) -> Move | None:
    """A call that the policy doubts is asked about once, with the tools still offered."""
    doubted = next(iter(end.reply.doubted), None)
    if doubted is None or end.has_calls:
        return None
    return corrected(end, "doubted_call", doubted.review.correction)


def _wrong_tool(end: EmulatedEnd) -> Move | None:
    other = next(iter(end.reply.unwanted), None)
    if other is None or not _misses_call(end):
        return None
    text = corrections.wrong_tool(other.name, _wanted(end), end.settings.dialect)
    return corrected(end, "wrong_tool", text)


def _missing_call(end: EmulatedEnd) -> Move | None:
    if not _misses_call(end):
        return None
    text = corrections.missing_call(_wanted(end), end.settings.dialect)
    return corrected(end, "missing_call", text)


def _misses_call(end: EmulatedEnd) -> bool:
    return end.forced and not (end.has_calls or end.reply.misfits or end.reply.doubted)


def _wanted(end: EmulatedEnd) -> str:
    return end.order.choice.name or f"one of {', '.join(end.order.toolset.names)}"


def _refusal(end: EmulatedEnd) -> Move | None:
    """Words that deny the tools; a reply that declines a call of them does not."""
    if end.reply.suspicion != "refusal" or end.has_calls or end.reply.declined:
        return None
    text = corrections.refusal(end.order.toolset.names, end.settings.dialect)
    return corrected(end, "refusal", text)


def _copied_answer(end: EmulatedEnd) -> Move | None:
    """The answer of an example is nobody's: the model is asked without examples."""
    if end.reply.suspicion != "copied" or end.has_calls:
        return None
    return Send(
        stage=answer_stage(end.stage), warnings=("left out an answer copied from an example",)
    )


def _empty_reply(end: EmulatedEnd) -> Move | None:
    if not end.is_empty or end.has_calls or end.has_any_call:
        return None
    return corrected(end, "empty_reply", corrections.empty_reply(end.settings.dialect))


def _good_enough(end: EmulatedEnd) -> Move | None:
    """What is right of the reply is taken; a call next to it that cannot be run is an invalid one, and is told."""
    return accepted(end, *(f"a call of {bad.name}: {bad.detail}" for bad in end.reply.bad_calls))


RULES: tuple[Rule, ...] = (
    _server_called,
    _broken_off,
    _native_is_right,
    _declined,
    _copied_an_example,
    _decided_on_none,
    _imitated_call,
    _no_answer,
    _answered,
    _bare_answer,
    _cut_call,
    _unknown_tool,
    _unreadable_call,
    _first_reply_stands,
    _unclear_call,
    _bad_arguments,
    _doubted_call,
    _wrong_tool,
    _missing_call,
    _refusal,
    _copied_answer,
    _empty_reply,
    _good_enough,
)
