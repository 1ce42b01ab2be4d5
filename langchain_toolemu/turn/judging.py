"""What a call of one reply is worth: to be shown, to be asked about, or not what was asked for.

Everything that is judged by is fixed before the reply begins, so a call is worth the same in any pieces. The policy is
asked once for each call, here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_toolemu.policy.review import ACCEPT, CallContext, Review, reviewed
from langchain_toolemu.reader.events import Call, CallStarted
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.turn.reading import Ruling
from langchain_toolemu.turn.stages import AskedInText, AskedNatively, Stage
from langchain_toolemu.turn.turn_input import Settings, TurnInput
from langchain_toolemu.validation import date_format, fit

_FREE_TEXT = frozenset({"type", "title", "description", "default", "examples"})
"""A string's schema that says no more than these takes any text."""


def _takes_any(tool: ToolSpec, argument: str) -> bool:
    """Whether an argument takes any text."""
    schema = tool.properties.get(argument)
    return isinstance(schema, Mapping) and set(schema) <= _FREE_TEXT


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the calls of one reply.

    Attributes:
        order: What the caller asks for, in the form in which it was sent.
        settings: How the wrapper was set up.
        stage: What was asked.
        before: The calls that earlier replies of this turn made.
    """

    order: TurnInput
    settings: Settings
    stage: Stage
    before: Sequence[Call]

    def checked(self, call: Call) -> Call:
        """A call with its arguments repaired where that loses nothing, and with what does not fit noted."""
        tool = self.order.functions.exact(call.name)
        if tool is None:
            return call
        fitted = fit(call.args, tool.schema)
        return replace(
            call, args=fitted.args, notes=call.notes + fitted.notes, errors=fitted.errors
        )

    @property
    def shows_examples(self) -> bool:
        """Whether the model was shown examples that we made up."""
        asked_for_calls = isinstance(self.stage, AskedInText) and self.stage.phase == "call"
        return asked_for_calls and self.settings.examples is True

    def classify(self, call: Call, accepted: Sequence[Call]) -> Ruling:
        """Accept, question, hold back or reject a call, given those that were accepted before it."""
        if self._is_unwanted(call):
            return Ruling("unwanted")
        if self._is_surplus(call, accepted):
            return Ruling("surplus")
        review = self._review(call, accepted)
        if review.outcome == "hold_back":
            return Ruling("held_back", review)
        if review.outcome == "ask" and (doubted := self._doubted(review, accepted)):
            return doubted
        asks_again = not self._is_native and len(self._reasks) < self.settings.max_reasks
        return Ruling("misfit" if call.errors and asks_again else "accepted", review)

    def _review(self, call: Call, accepted: Sequence[Call]) -> Review:
        """What the policy says of a call."""
        tool = self.order.functions.exact(call.name)
        if tool is None:
            return ACCEPT
        context = CallContext(
            tool,
            self.order.functions.specs,
            self.order.conversation,
            earlier=(*self.before, *accepted),
            forced=self.order.choice.forced,
            is_answer=self._is_answer(call.name),
            parallel=self.order.parallel,
            shows_examples=self.shows_examples,
        )
        return reviewed(self.settings.policy, call, context)

    def _doubted(self, review: Review, accepted: Sequence[Call]) -> Ruling | None:
        """What a doubt leads to: next to a call that stands, nothing is asked; and the model is asked once."""
        stands = bool(accepted or self.before)
        if review.final:
            return Ruling("held_back" if stands else "doubted", review)
        asked = any(reask.reason == "doubted_call" for reask in self._reasks)
        can_ask = not asked and len(self._reasks) < self.settings.max_reasks
        return Ruling("doubted", review) if can_ask and not stands else None

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

        What is being written must be free text and the last argument that was missing, all before it must fit, and the
        policy must not look at long texts.
        """
        tool = self.order.functions.exact(started.name)
        ignores_text = getattr(self.settings.policy, "ignores_long_texts", False)
        if tool is None or not ignores_text or not _takes_any(tool, started.key):
            return None
        if date_format(tool.properties[started.key]):
            return None
        fitted = fit({**started.args, started.key: ""}, tool.schema)
        args = {key: fitted.args[key] for key in started.args if key in fitted.args}
        as_read = list(fitted.args) == [*started.args, started.key]
        if fitted.errors or not as_read or self._may_repeat(started.name, args):
            return None
        call = Call(started.name, fitted.args, raw="", envelope="", explicit=False)
        # A call that is made although it is doubted is reported, so all of it is needed.
        return args if self.classify(call, accepted) == Ruling("accepted") else None

    def _may_repeat(self, name: str, args: Mapping[str, Any]) -> bool:
        """Whether a call with these arguments and more to come may be one of the past."""
        rounds = self.order.conversation.rounds_since_user
        past: list[tuple[str, Any]] = [
            *((one.call.name, one.call.args) for one in (rounds[-1] if rounds else ())),
            *((call.name, call.args) for call in self.before),
        ]
        return any(
            called == name and all(given.get(key) == value for key, value in args.items())
            for called, given in past
        )
