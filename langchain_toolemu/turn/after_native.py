"""What follows a native reply: an ordered tuple of named rules, of which the first that fits decides.

- A call that was written as text is rescued, which costs no request.
- Emulation takes over where the reply shows that tools do not work here. A check only asks whether emulation would
  have called: if it would not, the native reply is the answer.
- A model that is known to call natively is believed, and a refusal on principle is never argued with.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from langchain_toolemu.contract import corrections
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.messages.partial_calls import write_json
from langchain_toolemu.messages.parts import Part, Words
from langchain_toolemu.reader.events import Call
from langchain_toolemu.turn.forms import answer_in, is_json, misfits, suspect_opening
from langchain_toolemu.turn.judged_reply import JudgedReply
from langchain_toolemu.turn.kinds import is_thought
from langchain_toolemu.turn.order import Knowledge, TokenCount
from langchain_toolemu.turn.refusals import MAX_OPENING
from langchain_toolemu.turn.stages import (
    Finish,
    Move,
    NativeReply,
    Reask,
    Reason,
    Send,
    answer_stage,
    first_in_text,
    label_of,
)
from langchain_toolemu.validation import fit


@dataclass(frozen=True)
class NativeEnd(JudgedReply):
    """A native reply that has ended, and all that its rules go by.

    Attributes:
        knowledge: What is known of the model.
        metadata: What the reply says about itself.
        usage_says: What the reply's usage says of the tools.
        called: Whether the provider made a call.
    """

    knowledge: Knowledge
    metadata: TurnMetadata
    usage_says: TokenCount = "unclear"
    called: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether the model is known to call natively by more than its server's word."""
        return self.knowledge.verdict == "native" and self.knowledge.evidence == "shown"

    @cached_property
    def rescuable(self) -> Sequence[Call]:
        """The calls that are written as text and count.

        Where native calls were shown, a bare call counts only if it is the whole reply and fits: in the documentation
        that a capable model writes, it is an example.
        """
        calls = self.reply.calls
        if self.is_formed:
            return ()
        if not self.is_shown or self._is_one_object:
            return calls
        return [call for call in calls if call.explicit]

    @property
    def is_formed(self) -> bool:
        """Whether the reply is one object in the form that was demanded: it is the answer, whatever it looks like."""
        form = self.order.form
        if form is None or not self.reply.calls:
            return False
        try:
            value = json.loads(self.reply.raw)
        except ValueError:
            return False
        return isinstance(value, dict) and not fit(value, form.schema).errors

    @property
    def is_checked(self) -> bool:
        """Whether the client has checked the answer in its form, and did not complain."""
        form, opening = self.order.form, self.reply.raw[:MAX_OPENING]
        if form is None or not self.order.client_checks_form:
            return False
        return suspect_opening(opening, form) == "none"

    @property
    def _is_one_object(self) -> bool:
        """Whether the reply is nothing but one call as JSON, which the caller did not ask for as an answer."""
        calls = self.reply.calls
        if len(calls) != 1 or not self.reply.only_calls or calls[0].errors:
            return False
        return calls[0].envelope in ("json", "fence") and not self.asks_for_object

    @property
    def asks_for_object(self) -> bool:
        """Whether an object may be the answer that was asked for."""
        order = self.order
        return bool(order.form or order.constraint or order.conversation.asks_for_json)

    @property
    def broken(self) -> bool:
        """Whether it has a call as text that cannot be read, or ends as if it had called and did not."""
        return bool(self.reply.bad_calls) or self.metadata.claims_call

    def kept(self, show: tuple[Part, ...] = ()) -> NativeReply:
        """The reply as it is kept if no request in text fits the window, but for what is shown of it at once."""
        words = () if show else self.reply.unshown
        return NativeReply(words, self.metadata.said, self.metadata.info)

    @property
    def answered(self) -> bool:
        """Whether its words may be an answer; those after a call were held with it."""
        words = (
            one.text for one in self.reply.held if isinstance(one, Words) and one.kind == "answer"
        )
        said = f"{self.said}{''.join(words)}"
        return bool(said.strip()) and not is_thought(said)

    @property
    def demanded(self) -> bool:
        """Whether a call was demanded."""
        return self.order.choice.forced


Rule: TypeAlias = Callable[[NativeEnd], Move | None]


def after_native(end: NativeEnd) -> Move:
    """What follows a native reply."""
    return next(move for rule in RULES if (move := rule(end)))


def _provider_called(end: NativeEnd) -> Move | None:
    return _keep(end) if end.called else None


def _form_missed(end: NativeEnd) -> Move | None:
    """An answer that begins in its form was shown. Any other counts if its form is in it, else it is asked for in text."""
    form = end.order.form
    if form is None or end.rescuable:
        return None
    if end.spoke and not end.metadata.declined:
        wrong = (
            f"the native answer does not fit its form: {one}"
            for one in misfits(end.reply.raw, form)
        )
        return replace(_keep(end), warnings=tuple(wrong))
    if end.metadata.declined or end.is_formed or end.is_checked:
        return _keep(end)
    answer = answer_in(end.reply.raw, form)
    if answer is None:
        return _emulate(end, "the server ignored response_format")
    if is_json(end.reply.raw, answer):
        return _keep(end)
    return Finish(
        path="rescued",
        show=(*end.reply.thoughts, Words(write_json(answer))),
        log=("an answer in another form was rescued",),
    )


def _no_function_offered(end: NativeEnd) -> Move | None:
    return None if end.order.offers_functions else _keep(end)


def _call_in_text(end: NativeEnd) -> Move | None:
    if not end.rescuable or (end.demanded and any(call.errors for call in end.rescuable)):
        return None  # a demanded call that does not fit is asked for again
    show = (*_with_only(end.rescuable, end.reply.held), *end.reply.bad_calls)
    log = ("calls written as text were rescued",)
    return Finish(
        path="rescued",
        show=show,
        warnings=(*end.reply.left_out, *end.not_meant),
        log=log,
        lessons=("call_in_text",),
    )


def _made_up_value(end: NativeEnd) -> Move | None:
    """A call in text with a value that was not given: what follows is the same as after an emulated reply."""
    if not end.invented:
        return None
    if end.means_another:
        # Afresh, for a small model takes its own call up again.
        stage = first_in_text(end.order, end.settings, end.knowledge, native=end.kept())
        why = (*end.reply.left_out, *end.none_made)
        return Send(stage=stage, warnings=why, lessons=("call_in_text",))
    if text := end.about_inventing:
        return _asked_again(end, "made_up_value", text)
    return _answer_only(end)


def _answer_only(end: NativeEnd) -> Move:
    """The calls are not meant: the answer is asked for, unless there is one."""
    warnings = (*end.reply.left_out, *end.none_made)
    if end.answered:
        show = end.reply.held
        return Finish(path="rescued", show=show, warnings=warnings, lessons=("call_in_text",))
    stage = first_in_text(end.order, end.settings, end.knowledge, native=end.kept())
    return Send(stage=answer_stage(stage), warnings=warnings, lessons=("call_in_text",))


def _repeated_call(end: NativeEnd) -> Move | None:
    """A call in text whose result is there already: the same."""
    if not end.repeated:
        return None
    return _asked_again(end, "repeated_call", end.about_repeating)


def _asked_again(end: NativeEnd, reason: Reason, correction: str) -> Send:
    """The turn goes on in text, with what was wrong with the call that was written."""
    stage = first_in_text(end.order, end.settings, end.knowledge, native=end.kept())
    return Send(
        stage=replace(stage, reasks=(Reask(reason, end.reply.raw, correction),)),
        log=(f"re-ask 1 ({label_of(reason)})",),
        lessons=("call_in_text",),
    )


def _declined(end: NativeEnd) -> Move | None:
    return _keep(end) if end.metadata.declined else None


def _unknown_tool(end: NativeEnd) -> Move | None:
    """A reply that is nothing but a call of a tool that is not bound is not an answer; among words it is an example."""
    unknown = [bad for bad in end.reply.bad_calls if bad.reason == "unknown_tool"]
    if not unknown or len(unknown) < len(end.reply.bad_calls):
        return None
    if end.reply.says_words or end.asks_for_object:
        return None if end.metadata.claims_call else _keep(end)
    if end.means_none(unknown[0]):
        return _answer_only(end)
    names, dialect = end.order.functions.names, end.settings.dialect
    correction = corrections.unknown_tool(unknown[0].name, names, dialect)
    return _asked_again(end, "unknown_tool", correction)


def _unreadable_call(end: NativeEnd) -> Move | None:
    """A call that was meant and did not arrive; one that was only announced must be confirmed by emulation."""
    if not end.broken:
        return None
    checks = end.metadata.claims_call and not end.demanded
    why = "holds a call that cannot be read" if end.reply.bad_calls else _LACKS
    return _emulate(end, f"the native reply {why}", checks=NativeReply() if checks else None)


def _missing_call(end: NativeEnd) -> Move | None:
    if not end.demanded:
        return None
    ignored = not end.metadata.cut
    return _emulate(end, f"the native reply {_LACKS}", ignored=ignored)


_LACKS = "lacks the call that it should have"


def _trusted(end: NativeEnd) -> Move | None:
    return _keep(end) if end.is_shown else None


def _tools_dropped(end: NativeEnd) -> Move | None:
    if end.usage_says != "dropped" or end.knowledge.evidence == "text":
        return None
    why = "the server dropped the tools without a word: its token count cannot hold them"
    return _emulate(end, why, show=() if end.reply.refused else end.reply.unshown)


def _worth_a_check(end: NativeEnd) -> Move | None:
    """Too little is known of the model to take a reply without a call for an answer."""
    reply = end.reply
    unclear = end.usage_says == "unclear" and end.knowledge.wants_check
    wanting = reply.refused or reply.possible or not reply.raw.strip()
    if not (wanting or unclear) or not end.order.can_be_emulated:
        return None
    words = reply.unshown if reply.refused else ()
    kept = NativeReply(words, end.metadata.said, end.metadata.info)
    stage = first_in_text(end.order, end.settings, end.knowledge, checks=kept)
    if stage.checks is None:  # it would not ask for a call
        return None
    return Send(
        stage=stage,
        show=() if reply.refused else reply.unshown,
        log=("a native reply without a call is checked by emulation",),
        lessons=("denied_tools",) if reply.refused else (),
    )


def _answered(end: NativeEnd) -> Move | None:
    return _keep(end)


RULES: tuple[Rule, ...] = (
    _provider_called,
    _form_missed,
    _no_function_offered,
    _call_in_text,
    _made_up_value,
    _repeated_call,
    _declined,
    _unknown_tool,
    _unreadable_call,
    _missing_call,
    _trusted,
    _tools_dropped,
    _worth_a_check,
    _answered,
)


def _keep(end: NativeEnd) -> Finish:
    return Finish(path="native", show=end.reply.unshown)


def _emulate(
    end: NativeEnd,
    why: str,
    *,
    show: tuple[Part, ...] = (),
    checks: NativeReply | None = None,
    ignored: bool = False,
) -> Send:
    """The turn goes on in text; words that are not shown are dropped, since they may be what is asked for again."""
    return Send(
        stage=first_in_text(
            end.order, end.settings, end.knowledge, checks=checks, native=end.kept(show)
        ),
        show=show,
        warnings=(why,),
        log=(f"{why}; the turn goes on emulated",),
        lessons=("choice_ignored",) if ignored else (),
    )


def _with_only(calls: Sequence[Call], parts: Sequence[Part]) -> list[Part]:
    """The parts, with every other call as the text it was read from."""
    return [
        Words(part.raw) if isinstance(part, Call) and part not in calls else part for part in parts
    ]
