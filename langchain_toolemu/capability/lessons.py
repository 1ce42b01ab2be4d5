"""What a lesson of a turn changes in what is remembered of its endpoint: pure functions of a record.

What one turn alone does not tell is believed after two. Two counts of tokens that cannot hold what was sent mean that the server
cuts off its beginning; what the first of them read is the window of the turns that follow.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from langchain_toolemu.capability.memory import Counter, Record
from langchain_toolemu.capability.support import ModelDescription, Support
from langchain_toolemu.model_facts import (
    Axis,
    InputTokens,
    Lesson,
    LessonCode,
    OtherForm,
    ToolsRefused,
    Trouble,
    token_count,
)

TIMES = 2
"""How often something is found that one turn alone does not tell, until it is believed."""

MAX_REFUSED_TOOLS = 64

_NEARLY = 0.9  # how much of its window a server reads of a longer request


class _Rule(NamedTuple):
    """What a lesson means: the support that is learned, at once or if it is counted often enough; what is counted anew."""

    support: Support | None = None
    axis: Axis = "tools"
    counts: Counter | None = None
    resets: tuple[Counter, ...] = ()
    concluded: bool = False  # and not seen


_REFUSED_WITH = Support("none", "a request with it was refused, and went well in another form")
_RULES: Mapping[LessonCode, _Rule] = {
    "native_call": _Rule(Support("native", "it made a native call"), resets=("rescues",)),
    "demanded_call": _Rule(Support("native", "it made a call that was demanded"), "tool_choice"),
    # A demand is not worth another native request.
    "choice_ignored": _Rule(Support("none", "a demanded call did not come"), "tool_choice", concluded=True),
    "call_in_text": _Rule(Support("none", "it writes its calls as text", "text"), counts="rescues"),
    "check_found_call": _Rule(
        Support("none", "native replies lack the calls that emulation finds"),
        counts="calls_found", resets=("checks_agreed",), concluded=True,
    ),
    "check_agreed": _Rule(counts="checks_agreed"),
    "denied_tools": _Rule(resets=("checks_agreed",)),
    "tools_dropped": _Rule(Support("none", "its input tokens cannot hold the tools: they were dropped"), concluded=True),
    "thought_begun": _Rule(Support("native", "a reply ended a thought that it did not begin"), "begun_thought"),
    "no_thought_begun": _Rule(Support("none", "a reply ended no thought"), "begun_thought"),
    "schema_ignored": _Rule(Support("none", "it ignored a schema"), "followed_schema"),
    "json_mode_ignored": _Rule(Support("none", "it ignored JSON mode"), "followed_json_mode"),
}  # fmt: skip


def learned(record: Record, lesson: Lesson) -> Record:
    """The record after a lesson."""
    match lesson:
        case Trouble():
            verdict = "native" if lesson.demanded else "none"
            support = Support(verdict, f"the provider said: {lesson.words}")  # type: ignore[arg-type]
            return record.learn(support, lesson.axis) if lesson.lasting else record
        case OtherForm(axes=axes):
            for axis in axes:
                record = record.learn(_REFUSED_WITH, axis)
            return record
        case ToolsRefused(tools=tools, outcome=outcome):
            known = {**record.refused_tools, tools: (outcome, time.time())}
            newest = dict(list(known.items())[-MAX_REFUSED_TOOLS:])
            return replace(record, refused_tools=newest)
        case InputTokens():
            return _after_input_tokens(record, lesson)
        case str():
            return _after_code(record, _RULES[lesson])
    return record


def _after_code(record: Record, rule: _Rule) -> Record:
    record = record.reset(*rule.resets) if rule.resets else record
    record = record.count(rule.counts) if rule.counts else record
    if rule.support is None or (rule.counts and record.number(rule.counts) < TIMES):
        return record
    return record.learn(rule.support, rule.axis, concluded=rule.concluded)


# --- whether the server cuts off the beginning of what it is sent, and how much it reads ---


def _after_input_tokens(record: Record, counted: InputTokens) -> Record:
    """A window that held as much before was only read from a cache."""
    most, read = max(record.max_input_tokens, counted.tokens), counted.tokens + counted.cached
    fits = token_count.can_hold(read, counted.messages)
    is_cut = not fits and not token_count.can_hold(most, counted.messages)
    record = record.reset("cuts") if fits else record
    if (most, is_cut) != (record.max_input_tokens, record.was_cut):
        record = replace(record, max_input_tokens=most, was_cut=is_cut)
    known = record.read_window
    if known:
        # A count that is lower for a shorter request, and still too low for it, is no window's.
        is_wrong = not fits and read < known * _NEARLY
        record = _with_read_window(record, 0 if is_wrong else max(known, read))
    elif known is None and is_cut and max(most, read) >= token_count.SMALLEST_WINDOW:
        record = _with_read_window(record, max(most, read))
    return record.count("cuts") if is_cut else record


def _with_read_window(record: Record, tokens: int) -> Record:
    description = record.description or ModelDescription()
    if description.read_window == tokens:
        return record
    return replace(record, description=replace(description, read_window=tokens))
