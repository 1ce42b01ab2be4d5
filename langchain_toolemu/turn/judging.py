"""What a call of one reply is worth: to be shown, to be doubted, or not what was asked for.

Everything that is judged by is fixed before the reply begins, so a call is worth the same in any pieces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_toolemu.contract import copied_values
from langchain_toolemu.reader.events import Call, CallStarted
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.turn.grounding import made_up
from langchain_toolemu.turn.loops import goes_on
from langchain_toolemu.turn.order import Order, Settings
from langchain_toolemu.turn.quotations import PASSED_ON, as_quoted
from langchain_toolemu.turn.reading import Sorting
from langchain_toolemu.turn.stages import AskedInText, AskedNatively, Stage
from langchain_toolemu.turn.waiting import awaited, untold
from langchain_toolemu.validation import asked_spelling, fit

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
