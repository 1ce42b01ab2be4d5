"""What a call of one reply is worth: to be shown, to be doubted, or not what was asked for.

Everything that is judged by is fixed before the reply begins, so a call is worth the same in any pieces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from langchain_toolemu.contract import copied_values, corrections
from langchain_toolemu.reader.events import BadCall, Call, CallStarted
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.turn.grounding import made_up
from langchain_toolemu.turn.heard import name_stems, telling_stems
from langchain_toolemu.turn.kinds import is_thought
from langchain_toolemu.turn.loops import goes_on
from langchain_toolemu.turn.order import Order, Settings
from langchain_toolemu.turn.quotations import PASSED_ON, as_quoted
from langchain_toolemu.turn.reading import Reading, Sorting
from langchain_toolemu.turn.stages import AskedInText, AskedNatively, Stage
from langchain_toolemu.turn.waiting import awaited, untold
from langchain_toolemu.validation import asked_spelling, fit

_MOST_CHARS = 10_000  # of the user's last words in which a tool is looked for
_LONGEST_TOLD = 80  # characters of a value in a warning
_FREE_TEXT = frozenset({"type", "title", "description", "default", "examples"})
"""A string's schema that says no more than these takes any text."""


def _takes_any(tool: ToolSpec, argument: str) -> bool:
    """Whether an argument takes any text."""
    schema = tool.properties.get(argument)
    return isinstance(schema, Mapping) and set(schema) <= _FREE_TEXT


@dataclass(frozen=True, slots=True)
class Invented:
    """A value that was not given.

    Attributes:
        argument: Its name.
        value: The value.
        source: The bound tool that could tell it, if there is one.
    """

    argument: str
    value: Any
    source: ToolSpec | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the calls of one reply.

    Attributes:
        order: What the caller asks for, in the form in which it was sent.
        settings: How the wrapper was set up.
        stage: What was asked.
        before: The calls that earlier replies of this turn made.
    """

    order: Order
    settings: Settings
    stage: Stage
    before: Sequence[Call]

    def checked(self, call: Call) -> Call:
        """A call with its arguments repaired where that loses nothing, and with what does not fit noted."""
        tool = self.order.functions.exact(call.name)
        if tool is None:
            return call
        fitted = fit(call.args, tool.parameters)
        errors = (*fitted.errors, *self.copied(fitted.args))
        quoted = as_quoted(self._messages(fitted.args, tool), self._quoted)
        notes = (
            *fitted.notes,
            *(f"{name}: {fitted.args[name]!r} -> {text!r}" for name, text in quoted.items()),
        )
        args = {**fitted.args, **quoted}
        return replace(call, args=args, notes=call.notes + notes, errors=errors)

    @property
    def _quoted(self) -> Mapping[str, str]:
        """What the user wants to be passed on as it is quoted, where a small model may embellish it."""
        is_free = not (self.order.choice.forced or self.order.form)
        return self.order.conversation.quoted if self.settings.is_small and is_free else {}

    def _messages(self, args: Mapping[str, Any], tool: ToolSpec) -> Mapping[str, Any]:
        """The free texts that are passed on."""
        return {
            name: value
            for name, value in args.items()
            if name.lower() in PASSED_ON and _takes_any(tool, name)
        }

    @property
    def shows_examples(self) -> bool:
        """Whether the model was shown examples that we made up."""
        asked_for_calls = isinstance(self.stage, AskedInText) and self.stage.phase == "call"
        return asked_for_calls and self.settings.examples is True

    def copied(self, args: Mapping[str, Any]) -> tuple[str, ...]:
        """What is wrong with arguments that were copied from the contract's own examples."""
        if not self.shows_examples:
            return ()
        conversation = self.order.conversation
        # A number may have been said as 4,173 or in words.
        return copied_values(args, (*conversation.said, conversation.heard.numbers_written))

    def copied_and_meant(self, calls: Sequence[Call]) -> tuple[list[Call], list[Call]]:
        """The calls with an example's values, which were not asked for, and the others."""
        copied = [call for call in calls if self.copied(call.args)]
        return copied, [call for call in calls if call not in copied]

    def repeats(self, call: Call) -> bool:
        """Whether a call was answered already.

        A model may insist, since polling is legitimate; one that loops may not.
        """
        pointed_out = any(reask.reason == "repeated_call" for reask in self._reasks)
        # Without arguments, the same words ask for something new: a die, a clock, a queue.
        may_insist = self.order.choice.forced or not (self._may_loop and call.args)
        known = (call.name, call.args) in self._answered or self.goes_on(call)
        return known and not (pointed_out and may_insist)

    def goes_on(self, call: Call) -> bool:
        """Whether a call only does the last step once more, on its own result."""
        talk = self.order.conversation
        return self._may_loop and goes_on(call.name, call.args, talk.steps, talk.last_words)

    @property
    def _may_loop(self) -> bool:
        """Whether a repeated call is rather a small model's loop than what the user wants."""
        return self.settings.is_small and not self.order.conversation.asks_to_repeat

    @property
    def _answered(self) -> Sequence[tuple[str, object]]:
        """The calls that are not to be repeated: those of the very last results, or in a loop all since the user spoke."""
        talk = self.order.conversation
        return talk.answered if self._may_loop else talk.just_answered

    def sorted(self, call: Call, accepted: Sequence[Call]) -> Sorting:
        """What a call is worth, given those that were accepted before it."""
        if self._is_unwanted(call):
            return "unwanted"
        if self._is_surplus(call, accepted):
            return "surplus"
        if self.awaited(call, accepted):
            return "postponed"
        if self.copied(call.args) or self.invented(call):
            return "doubtful"
        if self._may_loop and self.repeats(call):
            return "doubtful"
        if self._is_native or len(self._reasks) >= self.settings.max_reasks:
            return "accepted"
        return "doubtful" if call.errors or self.repeats(call) else "accepted"

    def awaited(self, call: Call, accepted: Sequence[Call]) -> str | None:
        """The argument of a further call that must wait for the result of an earlier one."""
        functions, tool = self.order.functions, self.order.functions.exact(call.name)
        if not accepted or tool is None or self.order.parallel is True:
            return None
        earlier = [one for past in accepted if (one := functions.exact(past.name))]
        return awaited(call.args, tool, earlier, self.order.conversation.heard)

    def invented(self, call: Call) -> Invented | None:
        """A value that is not from the conversation: the call may not be meant, or comes too early."""
        tool = self.order.functions.exact(call.name)
        if (
            not self.settings.is_small
            or tool is None
            or self.order.choice.forced
            or self._is_answer(call.name)
        ):
            return None
        heard, others = self.order.conversation.heard, self.order.functions.specs
        if found := untold(call.args, tool, others, heard):
            return Invented(*found)
        if guessed := made_up(call.args, tool, heard):
            return Invented(*guessed)
        return None

    @property
    def _is_native(self) -> bool:
        return isinstance(self.stage, AskedNatively)

    @property
    def _reasks(self) -> Sequence[Any]:
        return self.stage.reasks if isinstance(self.stage, AskedInText) else ()

    def _is_unwanted(self, call: Call) -> bool:
        if isinstance(self.stage, AskedInText) and self.stage.phase == "answer":
            return True
        choice = self.order.choice
        return choice.kind == "named" and call.name != choice.name

    def _is_surplus(self, call: Call, accepted: Sequence[Call]) -> bool:
        parallel = self.order.parallel
        one_only = (
            parallel is False
            or (self.order.choice.kind == "named" and parallel is None)
            or any(self._is_answer(past.name) for past in (call, *accepted))
        )
        stated = any((call.name, call.args) == (past.name, past.args) for past in self.before)
        return stated or (one_only and bool(accepted or self.before))

    def _is_answer(self, name: str) -> bool:
        """Whether a call of this name is the answer in its demanded form."""
        form = self.order.form
        return not self._is_native and form is not None and name == form.name

    def early(self, started: CallStarted, accepted: Sequence[Call]) -> Mapping[str, Any] | None:
        """The arguments of a call so far, if nothing but its own end can reject it any more.

        What is being written must be free text and the last argument that was missing, and all before it must fit.
        """
        tool = self.order.functions.exact(started.name)
        if tool is None or not _takes_any(tool, started.key) or self._quoted:
            return None
        if asked_spelling(tool.properties[started.key]):
            return None
        fitted = fit({**started.args, started.key: ""}, tool.parameters)
        args = {key: fitted.args[key] for key in started.args if key in fitted.args}
        as_read = list(fitted.args) == [*started.args, started.key]
        if fitted.errors or not as_read or self._may_repeat(started.name, args):
            return None
        call = Call(started.name, fitted.args, raw="", envelope="", explicit=False)
        return args if self.sorted(call, accepted) == "accepted" else None

    def _may_repeat(self, name: str, args: Mapping[str, Any]) -> bool:
        """Whether a call with these arguments and more to come may be one of the past."""
        past: list[tuple[str, Any]] = [
            *self._answered,
            *((call.name, call.args) for call in self.before),
        ]
        return any(
            called == name and all(given.get(key) == value for key, value in args.items())
            for called, given in past
        )


@dataclass(frozen=True)
class JudgedReply:
    """A reply that has ended, with what its calls are worth.

    Attributes:
        judge: What its calls are worth.
        reply: What was read of it.
        spoke: Whether the turn has shown words.
        said: Those words.
    """

    judge: Judge
    reply: Reading
    spoke: bool = field(default=False, kw_only=True)
    said: str = field(default="", kw_only=True)

    @property
    def answered(self) -> bool:
        """Whether the words may be an answer: a thought that is shown as it came is none."""
        return self.spoke and not is_thought(self.said)

    @cached_property
    def copied(self) -> list[Call]:
        """The doubtful calls with an example's values."""
        return self.judge.copied_and_meant(self.reply.doubtful)[0]

    @cached_property
    def own(self) -> list[Call]:
        """The doubtful calls with values of the model's own: what is doubted is told below, or in their errors."""
        return self.judge.copied_and_meant(self.reply.doubtful)[1]

    @cached_property
    def invented(self) -> list[tuple[Call, Invented]]:
        """Those with a value that is not from the conversation."""
        found = ((call, self.judge.invented(call)) for call in self.own)
        return [(call, made) for call, made in found if made]

    @cached_property
    def repeated(self) -> list[Call]:
        """Those whose result is there already."""
        return [call for call in self.own if self.judge.repeats(call)]

    @property
    def about_inventing(self) -> str | None:
        """What the model is told of the first made-up value, if another tool could tell it or is spoken of."""
        call, made = self.invented[0]
        if made.source:
            return corrections.made_up_value(call.name, made.argument, made.value, made.source.name)
        others = self.means_another
        return corrections.other_tool(call.name, others, self.settings.dialect) if others else None

    @property
    def means_another(self) -> list[str]:
        """The tools of which the user speaks, where the first made-up value is one that none of them could tell."""
        call, made = self.invented[0]
        return [] if made.source else [name for name in self._spoken_of() if name != call.name]

    def means_none(self, unknown: BadCall) -> bool:
        """Whether a small model's call of a tool that is not bound stands for none of those that are.

        Nobody speaks of one, the name has no word of theirs, nothing in it was said, and nothing was called before: it is the
        model's way to talk.
        """
        talk = self.order.conversation
        free = self.settings.is_small and not self.order.choice.forced
        if (
            not free
            or talk.heard.is_foreign
            or talk.has_calls
            or talk.heard.holds_any(unknown.raw, unknown.name or "")
        ):
            return False
        return not self._spoken_of(unknown.name or "", described=True)

    def _spoken_of(self, more: str = "", *, described: bool = False) -> list[str]:
        """The bound tools of which the user's last words, or more, have a word of the name or of an argument's name."""
        said = telling_stems(f"{self.order.conversation.last_words[-_MOST_CHARS:]} {more}")
        return [
            tool.name
            for tool in self.order.functions.specs
            if not said.isdisjoint(name_stems(tool.name))
            or not said.isdisjoint(telling_stems(" ".join(tool.properties)))
            or (described and not said.isdisjoint(telling_stems(tool.description)))
        ]

    @property
    def about_repeating(self) -> str:
        """What the model is told of the first call whose result is there already."""
        call = self.repeated[0]
        if self.judge.goes_on(call):
            return corrections.further_step(call.name, self.order.conversation.steps[-1].result)
        return corrections.repeated_call(call.name)

    @property
    def not_meant(self) -> tuple[str, ...]:
        """What is said of both, where they are left out."""
        return (
            *(
                f"left out a call of {call.name}: {_told(made.value)} for {made.argument} is made up"
                for call, made in self.invented
            ),
            *(f"left out a call of {call.name}, which was answered" for call in self.repeated),
        )

    @property
    def none_made(self) -> tuple[str, ...]:
        """What is said of all calls that could not be taken as they came, where the answer is asked for instead."""
        told = [*(call for call, _ in self.invented), *self.repeated]
        misfits = [call for call in self.own if call.errors and call not in told]
        return (
            *(f"left out a call of {call.name}, copied from an example" for call in self.copied),
            *self.not_meant,
            *(f"left out a call of {call.name}: {call.errors[0]}" for call in misfits),
            *map(_said_of_bad, self.reply.bad_calls),
        )

    @property
    def order(self) -> Order:
        """What was asked, as it was sent."""
        return self.judge.order

    @property
    def settings(self) -> Settings:
        """How the wrapper was set up."""
        return self.judge.settings


def _told(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= _LONGEST_TOLD else f"{told[:_LONGEST_TOLD]}..."


def _said_of_bad(bad: BadCall) -> str:
    unknown = bad.reason == "unknown_tool"
    return (
        f"left out a call of {bad.name}{', which is not a tool' if unknown else f': {bad.detail}'}"
    )
