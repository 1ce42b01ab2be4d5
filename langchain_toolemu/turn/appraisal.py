"""What a call of one reply is worth: to be shown, to be doubted, or not what was asked for.

The rule of this room: all that an appraisal goes by is fixed before the reply begins, so a call is worth the same in any
pieces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_toolemu.contract import copied_values
from langchain_toolemu.reader.events import Call, CallStarted
from langchain_toolemu.turn.order import Order, Settings
from langchain_toolemu.turn.policy import Reask
from langchain_toolemu.turn.reply import Sorting
from langchain_toolemu.turn.requests import Phase, Prompts
from langchain_toolemu.validation import fit

_FREE_TEXT = frozenset({"type", "title", "description", "default", "examples"})
"""A string's schema that says no more than these takes any text."""


@dataclass(frozen=True, slots=True)
class Appraisal:
    """Appraises the calls of one reply.

    Attributes:
        order: What the caller asks for.
        settings: How the wrapper was set up.
        prompts: What the model was told.
        native: Whether the reply answers a native request.
        phase: What was asked for.
        reasks: The corrections that this turn has sent.
        before: The calls that earlier replies of this turn made.
    """

    order: Order
    settings: Settings
    prompts: Prompts
    native: bool
    phase: Phase
    reasks: Sequence[Reask]
    before: Sequence[Call]

    def checked(self, call: Call) -> Call:
        """A call with its arguments mended where that loses nothing, and with what does not fit noted."""
        tool = self.prompts.functions.exact(call.name)
        if tool is None:
            return call
        fitted = fit(call.args, tool.parameters)
        errors = (*fitted.errors, *self.copied(fitted.args))
        return replace(call, args=fitted.args, notes=call.notes + fitted.notes, errors=errors)

    def copied(self, args: Mapping[str, Any]) -> tuple[str, ...]:
        """What is wrong with arguments that were copied from the contract's own examples."""
        shown = not self.native and self.settings.examples is True
        return copied_values(args, self.prompts.said) if shown else ()

    def repeats(self, call: Call) -> bool:
        """Whether a call was answered by the very last results, and this was not pointed out yet."""
        pointed_out = any(reask.reason == "repeated_call" for reask in self.reasks)
        return not pointed_out and (call.name, call.args) in self.prompts.just_answered

    def is_answer(self, name: str | None) -> bool:
        """Whether a call of this name is the answer in its demanded form."""
        form = self.order.form
        return not self.native and form is not None and name == form.name

    def sorted(self, call: Call, accepted: Sequence[Call]) -> Sorting:
        """What a call is worth beside those that were accepted before it."""
        if self._is_unwanted(call):
            return "unwanted"
        if self._is_surplus(call, accepted):
            return "surplus"
        if self.copied(call.args):
            return "doubtful"
        if self.native or len(self.reasks) >= self.settings.max_reasks:
            return "accepted"
        return "doubtful" if call.errors or self.repeats(call) else "accepted"

    def _is_unwanted(self, call: Call) -> bool:
        choice = self.order.choice
        if not self.native and self.phase == "answer":
            return True
        return choice.kind == "named" and call.name != choice.name

    def _is_surplus(self, call: Call, accepted: Sequence[Call]) -> bool:
        one_only = (
            self.order.choice.kind == "named"
            or not self.order.parallel
            or any(self.is_answer(name) for name in (call.name, *(past.name for past in accepted)))
        )
        stated = any((call.name, call.args) == (past.name, past.args) for past in self.before)
        return stated or (one_only and bool(accepted or self.before))

    def early(self, begun: CallStarted, accepted: Sequence[Call]) -> Mapping[str, Any] | None:
        """The arguments of a call so far that nothing can reject any more but its own end.

        What is written now must be free text and the last that was missing, and all before it must fit.
        """
        tool = self.prompts.functions.exact(begun.name)
        if tool is None or not set(tool.properties[begun.key]) <= _FREE_TEXT:
            return None
        fitted = fit({**begun.args, begun.key: ""}, tool.parameters)
        args = {key: fitted.args[key] for key in begun.args if key in fitted.args}
        as_read = list(fitted.args) == [*begun.args, begun.key]
        if fitted.errors or not as_read or self._may_repeat(begun.name, args):
            return None
        call = Call(begun.name, fitted.args, raw="", envelope="", explicit=False)
        return args if self.sorted(call, accepted) == "accepted" else None

    def _may_repeat(self, name: str, args: Mapping[str, Any]) -> bool:
        """Whether a call with these arguments and more to come may be one of the past."""
        past: list[tuple[str, Any]] = [
            *self.prompts.just_answered,
            *((call.name, call.args) for call in self.before),
        ]
        return any(
            called == name and all(given.get(key) == value for key, value in args.items())
            for called, given in past
        )
