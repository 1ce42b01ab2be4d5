"""Reasoning, and results that the reply only speaks of. Emitted as text, never parsed for calls.

The rules of this module: any closer of a thought ends it, whatever it opened with. The end of a thought that was never
opened makes thoughts of all calls before it.
"""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import HalfThought
from langchain_toolemu.reader.notations.outcome import Envelope
from langchain_toolemu.reader.regions.envelopes import Body
from langchain_toolemu.reader.regions.made_up_turns import (
    is_made_up_result,
    is_spoken_of,
    pass_made_up,
)
from langchain_toolemu.reader.tags import MAYBE_TAG, Tag, TagSet
from langchain_toolemu.reader.vocabulary import (
    ASIDE,
    CLOSE,
    ENDINGS,
    LEFT,
    OPEN,
    RESULT,
    RESULT_END,
    THOUGHT_END,
    THOUGHTS,
    WEAK,
)
from langchain_toolemu.reader.window import SPACE, Waiting

# In an aside the opener of a thought says nothing, and very many may come.
_MAYBE_TAG = re.compile(f"<(?!think>){MAYBE_TAG[1:]}|\\[(?=[/T]|\\Z)|\u25c1(?=/|\\Z)")
_RESULT_CLOSERS = TagSet(RESULT | RESULT_END)
_QUOTES = frozenset("`\"'")
_AFTER_WORD = frozenset(" \t.,;:!?)")
_STRAY = re.compile(r"(?:`{3,}\s*\Z|JSON_END\b)")
_MAY_BE_STRAY = re.compile(r"(?:`+\s*|J(?:S(?:O(?:N(?:_(?:E(?:N(?:D)?)?)?)?)?)?)?)\Z")
_LEFT_CLOSERS = TagSet(OPEN | WEAK | CLOSE | ASIDE | LEFT)
_LONGEST_STRAY = 64


def ends_aside(tag: Tag) -> bool:
    """Whether a tag of an aside is its last."""
    return tag.closing or tag.word in THOUGHT_END | RESULT_END


def pass_aside(context: Context, tag: Tag) -> Waiting[None]:
    """Let everything out as text, to the closing tag or the end."""
    is_thought = tag.word in THOUGHTS
    if not is_thought and is_made_up_result(context):
        yield from pass_made_up(context)
        return
    quoted = is_spoken_of(context)
    apart = is_thought and not quoted and not (yield from _is_mentioned(context))
    if apart:
        context.turn_to("mark", held=True)
    context.release()
    if tag.empty:
        context.turn_to("answer")
    elif is_thought:
        yield from _pass_thought(context, quoted=quoted, apart=apart)
    else:
        yield from _pass_to(context, _RESULT_CLOSERS)
        if not quoted:
            begin_answer(context)


def _is_mentioned(context: Context) -> Waiting[bool]:
    """Whether a mark, just consumed, is one word of a sentence: `The <think> tag` or `"<think>"`."""
    if not context.tells_thoughts:
        return False
    said = context.said
    if said.last_char in _QUOTES:
        return True
    if not said.lead.rstrip(" \t")[-1:].isalnum():
        return False
    following = yield from context.window.peek()
    return not following or following in _AFTER_WORD


def _pass_thought(context: Context, *, quoted: bool = False, apart: bool = True) -> Waiting[None]:
    """Let a thought out, from after its opener.

    Args:
        context: The reply.
        quoted: Whether the words before it only speak of it.
        apart: Whether it is told from the answer.
    """
    if apart:
        context.turn_to("thought")
    context.output.in_thought = True
    closed = yield from _pass_to(context, context.thought_tags)
    context.output.in_thought = False
    if not quoted:
        begin_answer(context)
    if apart and not closed:
        context.note_half(HalfThought("end"))
    context.turn_to("answer")


def pass_begun_thought(context: Context) -> Waiting[None]:
    """Let the thought out that a reply begins in because its prompt ended in the opener; a model may repeat that."""
    window = context.window
    context.hold()
    yield from window.run(SPACE)
    tag = yield from context.thought_tags.peek(window)
    if window.exhausted or (tag and tag.word in THOUGHTS and not ends_aside(tag)):
        context.release()
        return
    context.turn_to("thought", held=True)
    context.release()
    yield from _pass_thought(context)


def _pass_to(context: Context, tags: TagSet) -> Waiting[bool]:
    """Let text out to its closing tag, and read the calls in it that a tag marks; whether it was closed."""
    window = context.window
    while True:
        yield from window.until(_MAYBE_TAG)
        tag = yield from tags.peek(window)
        if window.exhausted:
            return False
        if tag and tag.word in OPEN and not tag.closing:
            yield from _call(context, tag)
            continue
        closes = tag is not None and tag.word not in OPEN and ends_aside(tag)
        if closes and context.output.kind == "thought":
            context.turn_to("mark")
        window.pos += len(tag.raw) if tag else 1
        if closes:
            return True


def _call(context: Context, tag: Tag) -> Waiting[None]:
    """A call in a thought, which may be what ends it."""
    context.hold()
    yield from Body(context, Envelope(tag.label, explicit=True)).read()
    context.release()
    context.output.settle()


def leave_aside(context: Context, tag: Tag) -> None:
    """Consume a closer without an opener; where it is only quoted it ends nothing."""
    quoted = context.said.last_char in _QUOTES or is_spoken_of(context)
    if tag.word in THOUGHTS and not quoted:
        context.output.disown()
        context.window.pos += len(tag.raw)
        begin_answer(context)
        context.note_half(HalfThought("beginning"))
    else:
        context.window.pos += len(tag.raw)


def begin_answer(context: Context) -> None:
    """The answer begins here, whatever comes before it on the line."""
    context.flush()
    context.window.at_line_start = True
    context.output.begin_answer()


def read_tail(context: Context) -> Waiting[None]:
    """Consume what may still follow a call in the open: half of an envelope it never had.

    A closer without an opener belongs to the call before it; the end of thoughts that were never opened makes a
    thought of it.
    """
    window = context.window
    window.flowing = False
    while True:
        char = yield from window.past_space()
        if char and char in "`J":
            yield from _closing_mark(context)
        if not char or char not in "<[&]" or not (yield from _closing_tag(context)):
            return


def _closing_tag(context: Context) -> Waiting[bool]:
    """Consume a closing tag; whether there was one."""
    tag = yield from _LEFT_CLOSERS.peek(context.window)
    if tag is None or not (ends_aside(tag) or tag.word in CLOSE or tag.raw in ENDINGS):
        return False
    if tag.word in ASIDE:  # sample unopened-think
        context.output.retract()
        return False
    context.window.pos += len(tag.raw)
    context.output.extend(context.window.take())
    return True


def _closing_mark(context: Context) -> Waiting[None]:
    """A fence that ends the reply, or `JSON_END`."""
    window = context.window

    def length(ahead: str, final: bool) -> int | None:
        found = _STRAY.match(ahead)
        if found and (window.ended or found.end() < len(ahead)):
            return len(found.group().rstrip())
        return None if not final and (found or _MAY_BE_STRAY.match(ahead)) else 0

    if size := (yield from window.ask(_LONGEST_STRAY, length)):
        window.pos += size
        context.output.extend(window.take())
