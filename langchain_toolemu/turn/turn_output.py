"""What a caller gets of a turn: the chunks that show it, and the report in `response_metadata["toolemu"]`.

- A further request adds calls, not words: the text of the first reply stays. Only if that text announced a call that never came
  is the text of the later reply the answer, and added at the end. An answer in a demanded form is that and nothing else.
- The program looks at codes; users read the texts of the tables here, which are the only place for them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage

from langchain_toolemu.contract.response_format import ResponseForm
from langchain_toolemu.messages import content
from langchain_toolemu.messages.chunks import Chunker, Chunks
from langchain_toolemu.messages.content import ContentBlock, Delta, Part, Thought, Words
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.messages.tool_calls import is_call_block
from langchain_toolemu.options import Reasoning, redact
from langchain_toolemu.reader.events import BadCall, Call, CallsDisowned
from langchain_toolemu.turn.reasoning_text import ReasoningSplitter, is_only_reasoning

WARNINGS = {
    # what was done
    "calls_emulated": "tool calls emulated",
    "form_emulated": "structured output emulated",
    "built_in_left_out": (
        "dropped {name}: a tool that is built into its provider cannot be emulated"
    ),
    "misfit": "{name}: {error}",
    "contract_size": "{text}",
    "steered": "asked for a call of {names}, which the question mentions",
    "gave_up": "gave up: {label}",
    # calls that are not made
    "call_rejected": "dropped a call of {name}: {why}",
    "call_broken": "invalid call of {name}: {why}",
    "unknown_tool": "dropped a call of {name}, which is not bound",
    "call_surplus": "dropped an extra call of {name}",
    "call_quoted": "took a call of {name} for text: {why}",
    "call_in_thought": "dropped a call of {name} that was part of the model's reasoning",
    "call_not_asked_for": "dropped a call of {name}, which was not requested",
    "native_call_not_asked_for": "dropped a native call of {name}, which was not requested",
    "closed_without_answer": "the model wrote only calls that are not made, and gave no answer",
    "out_of_rounds": (
        "max_tool_rounds={most} is reached: no tools were offered. Raise it for longer tasks"
    ),
    # text that is not shown
    "made_up_turn": "dropped text that the model wrote as a tool or user",
    "copied_answer": "dropped an answer copied from an example",
    "further_words": (
        "dropped the text of a later reply ({count:,} characters): the text of the first one was already shown"
    ),
    "further_choices": "dropped further choices ({count:,}): the first of each request is read",
    "echo": "dropped our own correction, which the model repeated",
    "thoughts_dropped": "dropped reasoning ({count:,} characters) because of reasoning='drop'",
    "began_in_thought": (
        "the reply ends a reasoning block that it did not begin, so the reasoning stayed in the text. If the model's chat "
        "template begins the block, pass contract=Recipe(starts_in_thought=True)"
    ),
    "ended_in_thought": "the reply ended inside its reasoning, so it has no answer",
    "reply_too_long": "the reply is longer than {most:,} characters, and was read no further",
    # native requests and replies
    "form_misfit": "the native answer does not fit the response format: {error}",
    "form_ignored": "the server ignored response_format",
    "form_missed": "the native answer does not fit the response format",
    "call_unreadable": "the native reply contains a call that cannot be read",
    "call_missing": "the native reply lacks the call that it should contain",
    "tools_dropped": (
        "the server silently dropped the tools: its token count is too low to include them"
    ),
    "check_failed": "the check of the native reply failed with {error}",
    "native_refused": "the provider does not support {what}",
    "tools_too_long": "the {count} tools do not fit the model's window natively",
    "other_form": "the server refused the request, so it was sent again {form}",
    "asked_whole": "the server loses tool calls in streams, so the reply was asked for whole",
    "reask_failed": "asking again failed with {error}",
    "parser_failed": "{server} could not parse its model's output, so the model was asked again",
    "lost_after_call": (
        "{server} could not parse its model's output after this call, and that text is lost"
    ),
    "read_from_error": (
        "{server} could not parse its model's output, which was read from the error instead"
    ),
    # requests in text
    "asked_without": "the request was sent without a {decoding}",
    "native_kept": (
        "kept the native reply: an emulated request does not fit the model's context window, since {size}. {what_helps}"
    ),
    "window_learned": (
        "the server truncated an earlier prompt, and read only {tokens:,} tokens of it"
    ),
    "prompt_truncated": (
        "the server truncated the prompt: its {tokens:,} input tokens cannot hold it, and {size}. {what_helps}"
    ),
}
"""The text of each warning by its code."""

_LONGEST = 80  # characters of a value that is shown
_MOST = 20  # doubted calls


class TurnWarning(NamedTuple):
    """A warning: its code, and the text that the user reads."""

    code: str
    text: str


def warning(code: str, **values: Any) -> TurnWarning:
    """A warning of the table, with its values filled in."""
    return TurnWarning(code, WARNINGS[code].format(**values))


def bad_call_warning(bad: BadCall, code: str) -> TurnWarning:
    """The warning for a call that cannot be run; an unknown tool has a code of its own."""
    is_unknown = bad.reason == "unknown_tool"
    name = bad.name or "a tool without a name"
    return warning("unknown_tool" if is_unknown else code, name=name, why=bad.detail)


class Doubt(NamedTuple):
    """A call that was doubted, and why."""

    name: str | None
    args: Mapping[str, Any]
    reason: str
    beside: int = 0  # how many equal calls of the same reply were accepted


@dataclass(slots=True)
class TurnReport:
    """Collects what a turn reports: its warnings, and the doubted calls of its replies, each once."""

    warnings: list[TurnWarning] = field(default_factory=list)
    _doubts: list[Doubt] = field(default_factory=list)

    def warn_once(self, warnings: Iterable[TurnWarning]) -> None:
        """Add warnings that a further reply may bring again."""
        self.warnings += [new for new in warnings if new not in self.warnings]

    def add_doubts(self, doubts: Iterable[Doubt]) -> None:
        """Take in what the policy, or the words around a call, said against the calls of one reply."""
        for doubt in doubts:
            known = any(doubt[:2] == past[:2] for past in self._doubts)
            if not known and len(self._doubts) < _MOST:
                self._doubts.append(doubt)

    def doubted_calls(self, calls: Sequence[Call]) -> list[dict[str, Any]]:
        """The doubted calls, given those that the turn made."""
        if not self._doubts:
            return []
        made: list[Any] = [(call.name, call.args) for call in calls]
        return [
            {
                "name": doubt.name,
                "args": _shorten(redact(dict(doubt.args))),
                "reason": doubt.reason,
                "made": made.count(doubt[:2]) > doubt.beside,  # and not only one like it
            }
            for doubt in self._doubts
        ]


def _shorten(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}..."
    if isinstance(value, Mapping):
        return {key: _shorten(inner) for key, inner in value.items()}
    return [_shorten(inner) for inner in value] if isinstance(value, list) else value


class OpenReply(NamedTuple):
    """The reply that is being shown: how it was asked for, and what the replies before it showed."""

    form: ResponseForm | None = None
    silent: bool = False  # whether its words are not for the caller
    start: int = 0  # in what was shown
    spoke_before: bool = False
    thought_before: bool = False
    calls_before: tuple[Call, ...] = ()
    answered_before: bool = False  # with an answer, and not with words before a call
    is_answer: bool = False  # whether the last that ended held no call, not even a failed one
    left_out: int = 0  # characters of a further answer


class OutputState:
    """Makes chunks of parts, and keeps what they showed."""

    def __init__(self, reasoning: Reasoning = "keep") -> None:
        self._shown: list[Part] = []  # all of it, in order
        self.reply = OpenReply()
        self._answer: list[Call | Delta] = []  # what was shown as the answer's text
        self._suppressed: list[Words] = []  # of a further reply
        self.metadata = TurnMetadata()
        # Thoughts stay in the text, or are taken out of it.
        self.reasoning = None if reasoning == "keep" else ReasoningSplitter(reasoning)
        self._chunker = Chunker(gives_thoughts=reasoning == "blocks")
        self._unwritten: list[tuple[Sequence[Part], BaseMessage | None, dict[str, Any]]] = []
        self.written: Chunks = []  # and not taken

    def open_reply(self, *, silent: bool, form: ResponseForm | None, corrects: bool) -> None:
        """A further reply begins: a `silent` one's words are not for the caller, and what it `corrects` is no answer."""
        last = self.reply
        if self._shown:
            spoke = self.spoke
            last = last._replace(
                start=len(self._shown),
                spoke_before=spoke,
                thought_before=any(map(_is_thought, self._shown)),
                calls_before=self.calls,
                answered_before=last.answered_before or (spoke and last.is_answer and not corrects),
            )
        self.reply = last._replace(form=form, silent=silent)
        self._suppressed = []
        if self.metadata.requests:
            self.chunker.open_reply()
            if self.reasoning:
                self.reasoning.open_reply()
        self.metadata = self.metadata.open_reply()

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that were shown and stand."""
        return (*self.reply.calls_before, *_calls_in(self._shown[self.reply.start :]))

    @property
    def answers(self) -> list[Call]:
        """The calls that were shown as the answer's text."""
        return _calls_in(self._answer)

    @property
    def shows_reply(self) -> bool:
        """Whether anything was shown of the last reply."""
        return len(self._shown) > self.reply.start

    @property
    def text(self) -> str:
        """The words that were shown."""
        return "".join(part.text for part in self._shown if isinstance(part, Words))

    @property
    def spoke(self) -> bool:
        """Whether any words were shown."""
        return any(map(content.speaks, self._shown))

    @property
    def gave_words(self) -> bool:
        """Whether words were shown that may be an answer: a thought that is shown is none."""
        return self.spoke and not is_only_reasoning(self.text)

    def show(
        self, parts: Sequence[Part], carrier: BaseMessage | None = None, *, is_last: bool = False
    ) -> None:
        """Show these parts and what else their message carries; where it `is_last`, words of a further reply may follow."""
        if not (parts or carrier or (is_last and self.reply.spoke_before)):
            return
        if self.reasoning:
            parts = self.reasoning.split(parts)
        else:  # thoughts are kept with their marks; marks of sections never are
            parts = [part for part in parts if getattr(part, "kind", "") != "mark"]
        reply = self.reply
        if reply.spoke_before:
            if not reply.silent:
                self._suppressed += [part for part in parts if isinstance(part, Words)]
            parts = [part for part in parts if not _is_said(part)]
            if is_last and not (self.calls or _calls_in(parts)):
                parts += self._late_answer()
        elif reply.silent:
            parts = [part for part in parts if not isinstance(part, Words)]
        if reply.thought_before:  # the thoughts of a further reply would read as part of them
            parts = [part for part in parts if not _is_thought(part)]
        if reply.form:
            parts = self._answer_as_text(parts, reply.form)
        self._shown += parts
        self._unwritten.append((parts, carrier, self.metadata.response_metadata))

    @property
    def chunker(self) -> Chunker:
        """What makes chunks, once it has made them of all that was shown."""
        self.write()
        return self._chunker

    def write(self) -> None:
        """Make chunks of all that was shown. A whole reply that is kept as it came needs none."""
        for shown in self._unwritten:
            self.written += self._chunker.chunks(*shown)
        self._unwritten.clear()

    def take_chunks(self) -> Chunks:
        """The chunks of what was shown since this was last called."""
        self.write()
        taken, self.written = self.written, []
        return taken

    def _late_answer(self) -> list[Words]:
        """The words of a further reply of which no call came; after an answer they would read as a second one."""
        text = "".join(part.text for part in self._suppressed).strip()
        if not text or text in self.text:
            return []
        if self.reply.answered_before:
            self.reply = self.reply._replace(left_out=len(text))
            return []
        first, *rest = self._suppressed
        return [replace(first, text=f"\n\n{first.text.lstrip()}"), *rest]

    def _answer_as_text(self, parts: Sequence[Part], form: ResponseForm) -> Sequence[Part]:
        """The parts with the call that is the answer as the answer's text, and without other words."""
        answers = (part for part in parts if isinstance(part, Call | Delta))
        self._answer += (part for part in answers if part.name == form.name)
        shown: list[Part] = []
        for part in parts:
            match part:
                case Call(name=form.name):
                    shown.append(Words(content.write_json(form.answer(part.args))))
                case BadCall(name=form.name, raw=text) | Delta(name=form.name, args=text):
                    shown.append(Words(text))
                case Words() if self._answer:
                    pass
                case _:
                    shown.append(part)
        return shown


def _calls_in(parts: Sequence[Part]) -> list[Call]:
    """The calls that stand: none of those that were in a thought."""
    found: list[Call] = []
    for part in parts:
        ended = part.ends if isinstance(part, Delta) else part
        if isinstance(ended, Call):
            found.append(ended)
        elif isinstance(ended, CallsDisowned):
            found.clear()
    return found


def _is_said(part: Part) -> bool:
    """Whether a part is words, a thought, or a block that is no call's."""
    is_block = isinstance(part, ContentBlock) and not is_call_block(part.block)
    return is_block or isinstance(part, Words | Thought)


def _is_thought(part: Part) -> bool:
    if isinstance(part, ContentBlock):
        return content.is_reasoning(part.block)
    return isinstance(part, Thought)
