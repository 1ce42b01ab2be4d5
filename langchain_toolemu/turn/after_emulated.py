"""What follows a reply to a request in text: an ordered tuple of named rules, of which the first that fits decides.

The rules stand in the order of harm: what can no longer be taken back, a call that cannot be run, a call that does not
fit, a demanded call that is missing, and only then what merely could be better.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from langchain_toolemu.contract import NO_TOOL, corrections
from langchain_toolemu.errors import ToolCallParseError, ToolChoiceError
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.messages.parts import Part, Words
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn.judging import Invented, Judge
from langchain_toolemu.turn.order import Lesson, Order, Settings
from langchain_toolemu.turn.reply import Reading
from langchain_toolemu.turn.requests import UNREAD, tools_to_steer_to
from langchain_toolemu.turn.stages import (
    AskedInText,
    Finish,
    GiveUp,
    Move,
    Reask,
    Reason,
    Send,
    answer_stage,
    label_of,
    steered_stage,
)

# Worth one correction and no more: a refusal that is repeated is an answer, and polling is legitimate.
_ONCE: frozenset[Reason] = frozenset({"refusal", "repeated_call", "imitated_call", "unclear_call"})


@dataclass(frozen=True)
class EmulatedEnd:
    """A reply to a request in text that has ended, and all that its rules go by.

    Attributes:
        judge: What its calls are worth.
        stage: What was asked.
        reply: What was read of it.
        metadata: What it says about itself.
        called: Whether the server itself made a call of it.
        spoke: Whether the turn has shown words.
        spoke_before: Whether it had shown words before this reply.
        calls: The calls that the turn has shown.
    """

    judge: Judge
    stage: AskedInText
    reply: Reading
    metadata: TurnMetadata
    called: bool = False
    spoke: bool = False
    spoke_before: bool = False
    calls: tuple[Call, ...] = ()

    @property
    def order(self) -> Order:
        """What was asked, as it was sent."""
        return self.judge.order

    @property
    def settings(self) -> Settings:
        """How the wrapper was set up."""
        return self.judge.settings

    @property
    def forced(self) -> bool:
        """Whether a call was demanded."""
        return self.order.choice.forced

    @property
    def has_calls(self) -> bool:
        """Whether this reply or one before it made a call."""
        return bool(self.judge.before or self.reply.calls)

    @cached_property
    def copied(self) -> list[Call]:
        """The doubtful calls with an example's values."""
        return self.judge.copied_and_meant(self.reply.doubtful)[0]

    @cached_property
    def invented(self) -> list[tuple[Call, Invented]]:
        """The doubtful calls with a value that is not from the conversation."""
        found = ((call, self.judge.invented(call)) for call in self.reply.doubtful)
        return [(call, made) for call, made in found if made]

    @cached_property
    def meant(self) -> list[Call]:
        """The other doubtful calls; next to a good call, those with a made-up value are not."""
        made_up = [call for call, _ in self.invented] if self.has_calls else []
        doubtful = self.judge.copied_and_meant(self.reply.doubtful)[1]
        return [call for call in doubtful if call not in made_up]

    @property
    def only_unwanted(self) -> bool:
        """Whether the reply is nothing but calls that were not asked for, so that it says nothing."""
        words = any(isinstance(part, Words) for part in self.reply.held)
        return bool(self.reply.unwanted) and not (self.spoke or words or self.has_calls)

    @property
    def is_empty(self) -> bool:
        """Whether the reply says nothing."""
        return not self.reply.raw.strip() or self.only_unwanted


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
    warnings = tuple(f"a call of {bad.name}: {bad.detail}" for bad in end.reply.broken)
    return replace(_accepted(end), warnings=warnings)


# --- a check of a native reply ---


def _native_is_right(end: EmulatedEnd) -> Move | None:
    """A check found no call, so the native reply is the answer."""
    checked = end.stage.checks
    if checked is None or _found_call(end) or not _has_native_words(end):
        return None
    return Finish(path="native", show=checked.words)


def _check_lessons(end: EmulatedEnd) -> tuple[Lesson, ...]:
    if end.stage.checks is None or end.called or end.reply.broken:
        return ()
    if _found_call(end):
        return ("check_found_call",)
    return ("check_agreed",) if _has_native_words(end) else ()


def _found_call(end: EmulatedEnd) -> bool:
    return bool(end.reply.calls or end.meant)


def _has_native_words(end: EmulatedEnd) -> bool:
    checked = end.stage.checks
    return end.spoke_before or (checked is not None and bool(checked.words))


# --- where there is nothing to ask again ---


def _declined(end: EmulatedEnd) -> Move | None:
    """A refusal on principle is never argued with: what there is of the reply is the answer."""
    if not end.metadata.declined or end.reply.calls:
        return None
    return _gave_up(end, "missing_call") if end.forced else _accepted(end)


def _copied_an_example(end: EmulatedEnd) -> Move | None:
    """Nothing came but calls with an example's values: the model did not know what to call."""
    if end.forced or not end.copied or end.has_calls or end.spoke:
        return None
    warnings = tuple(f"left out a call of {one.name}, copied from an example" for one in end.copied)
    stage, names = end.stage, tools_to_steer_to(end.order, end.settings, end.stage)
    if stage.steered_to or not names:
        return Send(stage=answer_stage(stage), warnings=warnings)
    why = f"asked for a call of {' or '.join(names)}: the question speaks of it"
    return Send(stage=steered_stage(stage, names), warnings=(*warnings, why))


def _decided_on_none(end: EmulatedEnd) -> Move | None:
    """A decision against a call: the answer is asked for."""
    reply = end.reply
    bad = [one for one in reply.bad_calls if not _is_none(one)]
    said = reply.calls or reply.doubtful or bad or not reply.raw.strip()
    if end.stage.phase != "decision" or said or end.forced:
        return None
    return Send(stage=answer_stage(end.stage))


def _is_none(bad: BadCall) -> bool:
    """Whether a call is the way in which a decision says that there is nothing to call."""
    return bad.reason == "unknown_tool" and str(bad.name).lower() == NO_TOOL


def _steered_in_vain(end: EmulatedEnd) -> Move | None:
    """A model that was steered to a call, though none was demanded, made none: it is not pressed."""
    if not end.stage.steered_to or end.forced or end.reply.calls or end.spoke:
        return None
    return Send(stage=answer_stage(end.stage))


# --- where an answer was asked for ---


def _imitated_call(end: EmulatedEnd) -> Move | None:
    if end.stage.phase != "answer" or not end.is_empty or not end.reply.unwanted:
        return None
    return _corrected(end, "imitated_call", corrections.imitated_call())


def _no_answer(end: EmulatedEnd) -> Move | None:
    if end.stage.phase != "answer" or not end.is_empty:
        return None
    return _corrected(end, "empty_reply", corrections.empty_answer())


def _answered(end: EmulatedEnd) -> Move | None:
    return _accepted(end) if end.stage.phase == "answer" else None


# --- where a call may be made ---


def _cut_call(end: EmulatedEnd) -> Move | None:
    bad = next(iter(end.reply.bad_calls), None)
    if bad is None or bad.reason != "cut" or end.has_calls:
        return None
    return _corrected(end, "cut_call", corrections.cut_call())


def _unknown_tool(end: EmulatedEnd) -> Move | None:
    bad = next(iter(end.reply.bad_calls), None)
    if bad is None or bad.reason != "unknown_tool" or end.has_calls:
        return None
    names, dialect = end.order.toolset.names, end.settings.dialect
    return _corrected(end, "unknown_tool", corrections.unknown_tool(bad.name, names, dialect))


def _unreadable_call(end: EmulatedEnd) -> Move | None:
    bad = next(iter(end.reply.bad_calls), None)
    if bad is None or end.has_calls:
        return None
    text = corrections.unreadable_call(bad.detail, end.settings.dialect)
    return _corrected(end, "unreadable_call", text)


def _unclear_call(end: EmulatedEnd) -> Move | None:
    """A call of which the words around it leave open whether it is meant: it may be quoted, so the model is only asked."""
    possible = next(iter(end.reply.possible), None)
    if possible is None or end.has_calls:
        return None
    text = corrections.unclear_call(possible.name, end.settings.dialect)
    return _corrected(end, "unclear_call", text)


def _bad_arguments(end: EmulatedEnd) -> Move | None:
    wrong = next((call for call in end.reply.doubtful if call.errors), None)
    if wrong is None:
        return None
    text = corrections.bad_arguments(wrong.name, wrong.errors, end.settings.dialect)
    return _corrected(end, "bad_arguments", text)


def _made_up_value(end: EmulatedEnd) -> Move | None:
    """A call with a made-up value is asked about once; if another one comes, the user's message needs an answer only."""
    if not end.invented or end.has_calls:
        return None
    call, invented = end.invented[0]
    if not any(reask.reason == "made_up_value" for reask in end.stage.reasks):
        return _corrected(end, "made_up_value", correction_of(call, invented))
    if end.spoke:
        return Finish(path="emulated", warnings=_invented_left_out(end))
    return Send(stage=answer_stage(end.stage), warnings=_invented_left_out(end))


def _invented_left_out(end: EmulatedEnd) -> tuple[str, ...]:
    return tuple(
        f"left out a call of {call.name}: {made.value!r} for {made.argument} is made up"
        for call, made in end.invented
    )


def correction_of(call: Call, invented: Invented) -> str:
    """What a model is told of a value that was not given."""
    source = invented.source.name if invented.source else None
    return corrections.made_up_value(call.name, invented.argument, invented.value, source)


def _wrong_tool(end: EmulatedEnd) -> Move | None:
    other = next(iter(end.reply.unwanted), None)
    if other is None or not _misses_call(end):
        return None
    text = corrections.wrong_tool(other.name, _wanted(end), end.settings.dialect)
    return _corrected(end, "wrong_tool", text)


def _missing_call(end: EmulatedEnd) -> Move | None:
    if not _misses_call(end):
        return None
    text = corrections.missing_call(_wanted(end), end.settings.dialect)
    return _corrected(end, "missing_call", text)


def _misses_call(end: EmulatedEnd) -> bool:
    return end.forced and not (end.has_calls or end.reply.doubtful)


def _wanted(end: EmulatedEnd) -> str:
    return end.order.choice.name or f"one of {', '.join(end.order.toolset.names)}"


def _repeated_call(end: EmulatedEnd) -> Move | None:
    doubtful = end.reply.doubtful
    if end.has_calls or not any(map(end.judge.repeats, doubtful)):
        return None
    return _corrected(end, "repeated_call", corrections.repeated_call(doubtful[0].name))


def _refusal(end: EmulatedEnd) -> Move | None:
    if not end.reply.refused or end.has_calls:
        return None
    text = corrections.refusal(end.order.toolset.names, end.settings.dialect)
    return _corrected(end, "refusal", text)


def _empty_reply(end: EmulatedEnd) -> Move | None:
    if not end.is_empty or end.has_calls or end.reply.doubtful:
        return None
    return _corrected(end, "empty_reply", corrections.empty_reply(end.settings.dialect))


def _good_enough(end: EmulatedEnd) -> Move | None:
    """What is right of the reply is taken; a call next to it that cannot be run is an invalid one, and is told."""
    warnings = tuple(f"a call of {bad.name}: {bad.detail}" for bad in end.reply.bad_calls)
    left_out = _invented_left_out(end) if end.has_calls else ()
    return replace(_accepted(end), warnings=(*warnings, *left_out))


RULES: tuple[Rule, ...] = (
    _server_called,
    _broken_off,
    _native_is_right,
    _declined,
    _copied_an_example,
    _decided_on_none,
    _steered_in_vain,
    _imitated_call,
    _no_answer,
    _answered,
    _cut_call,
    _unknown_tool,
    _unreadable_call,
    _unclear_call,
    _bad_arguments,
    _made_up_value,
    _wrong_tool,
    _missing_call,
    _repeated_call,
    _refusal,
    _empty_reply,
    _good_enough,
)


# --- what a rule can decide on ---


def _accepted(end: EmulatedEnd) -> Finish:
    """The reply is as good as it gets, or good enough."""
    return Finish(path="emulated", show=_leftovers(end))


def _leftovers(end: EmulatedEnd) -> tuple[Part, ...]:
    """What is still to be shown: held words, doubtful calls, bad ones as invalid, copied ones as text."""
    reply = end.reply
    if end.only_unwanted:
        # The text of such calls is all there is to say; as an answer it is none.
        return () if end.stage.phase == "answer" else reply.unshown
    refused = next((past.words for past in end.stage.reasks if past.words), ())
    may_stand = end.stage.phase != "answer" and not reply.calls
    words = refused if refused and may_stand else reply.held
    return (*words, *(Words(call.raw) for call in end.copied), *end.meant, *reply.bad_calls)


def _corrected(end: EmulatedEnd, reason: Reason, correction: str) -> Move:
    """Ask again, unless that was done often enough. Each correction is stricter than the one before it."""
    past = end.stage.reasks
    if reason in _ONCE and any(reask.reason == reason for reask in past):
        return _accepted(end)
    if len(past) >= end.settings.max_reasks:
        return _gave_up(end, reason)
    text = f"{correction}{corrections.STRICTER}" if past else correction
    return Send(
        stage=_asked_again(end, reason, text),
        log=(f"re-ask {len(past) + 1} ({label_of(reason)})",),
    )


def _asked_again(end: EmulatedEnd, reason: Reason, correction: str) -> AskedInText:
    stage, reply = end.stage, end.reply
    if end.forced and not stage.steered_to and end.copied and not end.meant:
        # Told that it copied an example, a small model copies its own reply: it is asked afresh.
        names = (end.order.choice.name,) if end.order.choice.name else end.order.toolset.names
        again = replace(stage, reasks=(*stage.reasks, Reask(reason, reply.raw, "")), checks=None)
        return steered_stage(again, names)
    repeats = reason == "repeated_call" and not end.forced
    reask = Reask(
        reason,
        reply.raw,
        correction,
        without=tuple(call.name for call in reply.doubtful) if repeats else (),
        words=reply.held if reason == "refusal" else (),
    )
    return replace(stage, reasks=(*stage.reasks, reask), checks=None)


def _gave_up(end: EmulatedEnd, reason: Reason) -> Move:
    """No re-ask is left: an error if a demanded call is missing, else the reply as it is, with a warning."""
    label = label_of(reason)
    missed = end.forced and not (end.calls or end.meant)
    # An answer in the wrong form is its parser's to refuse; no caller waits for a call.
    strict = end.settings.on_failure == "error" and end.order.form is None
    if missed and strict:
        return GiveUp(error=_error(end, reason))
    warnings, log = (f"gave up: {label}",), (f"gave up ({label})",)
    return replace(_accepted(end), warnings=warnings, log=log)


def _error(end: EmulatedEnd, reason: Reason) -> ToolChoiceError:
    cut = end.metadata.cut
    way_out = "The reply was cut at its token limit: raise max_tokens" if cut else "Ask for less"
    said = (
        f"A call of {end.order.choice.name or 'some tool'} was demanded, and the model made none in "
        f"{end.metadata.requests} requests (last: {label_of(reason)}). {way_out}, use a more capable "
        "model, or pass on_failure='continue' to get the reply as it is."
    )
    if reason in UNREAD:
        return ToolCallParseError(said, llm_output=end.reply.raw)
    return ToolChoiceError(said)
