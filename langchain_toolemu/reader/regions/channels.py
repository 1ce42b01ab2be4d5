"""Channels, as gpt-oss writes them: `<|channel|>commentary to=functions.f<|message|>{...}<|call|>`.

The rule of this module: a message to a tool is a call, the analysis is a thought and never read, and any other channel
is the answer. Gemma's `<|channel>thought` ends with its line, and has no message.
"""

import re

import regex

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import HalfThought
from langchain_toolemu.reader.notations.objects import Named, ObjectReader
from langchain_toolemu.reader.notations.outcome import CUT, Bad, Envelope, conclude
from langchain_toolemu.reader.regions.made_up_turns import is_spoken_of
from langchain_toolemu.reader.regions.reasoning import begin_answer, read_tail
from langchain_toolemu.reader.tags import TagSet
from langchain_toolemu.reader.vocabulary import ENDINGS, THOUGHT
from langchain_toolemu.reader.window import Waiting

_ENVELOPE = Envelope("channel", explicit=True)
_TAG = re.compile(r"<(?=[|c]|\Z)")
_RECIPIENT = re.compile(r"to=([\w.:-]+)")
_CHANNEL = re.compile(r"(?:.*<\|channel\|>)?\s*(\w*)")
_LONGEST_HEADER = 200
_MESSAGE = "<|message|>"
_HEADER_END = re.compile(r"<\|message\|>|\n|(?=\{)")
_CLOSER = "<channel|>"
# How a reply begins whose prompt ended in `<|start|>assistant`, and one whose tokens the server took away.
_BEGUN_HEADER = regex.compile(
    r"[ \t]*(?:assistant)?(?:commentary)?[ \t]*to=[\w.:-]+[^<\n{]{0,40}(?:<\|(?:channel|message|constrain)\|>|\{)"
)
# No word begins like this: the first of the thought is written right after the channel's name.
_ANALYSIS = "analysis"
_STRIPPED_ANALYSIS = regex.compile(rf"{_ANALYSIS}\p{{Lu}}")
_FIRST_OF_NEXT = re.compile("a")
_NEXT = regex.compile("assistantfinal|assistantcommentary")
_END = TagSet({"call", "end", "start", "return", "channel"})


def read_channel(context: Context) -> Waiting[None]:
    """Read a message from after its first tag."""
    header, end = yield from context.window.ask(_LONGEST_HEADER, _header)
    recipient = None if context.only_thoughts else _RECIPIENT.search(header)
    begins = not is_spoken_of(context)
    if recipient and end not in (None, "\n"):
        context.window.pos += len(header) + len(end or "")
        yield from _call(context, recipient.group(1), begins=begins)
    elif recipient and end is None and context.cut and len(header) < _LONGEST_HEADER:
        context.window.pos += len(header)
        conclude(context, _ENVELOPE, Bad("cut", CUT, _bound(context, recipient.group(1))))
    else:
        thinks = bool(end) and _is_thought(header)
        if begins and (thinks or end == _MESSAGE):
            context.turn_to("mark", held=True)
        context.release()
        if thinks:
            yield from _pass_analysis(context, len(header) + len(end or ""), apart=begins)
        elif end == _MESSAGE:
            context.window.pos += len(header) + len(end)
        if begins and (thinks or end == _MESSAGE):
            begin_answer(context)
        context.turn_to("answer")


def _header(ahead: str, final: bool) -> tuple[str, str | None] | None:
    """What comes before the message, and what ends it; nothing if it is too long, or never ends."""
    if found := _HEADER_END.search(ahead):
        return ahead[: found.start()], found.group()
    return (ahead, None) if final else None


def _is_thought(header: str) -> bool:
    found = _CHANNEL.match(header)
    return found is not None and found.group(1) in THOUGHT


def _bound(context: Context, written: str) -> str:
    spec = context.resolve(written)
    return spec.name if spec else written


def _call(context: Context, written: str, *, begins: bool) -> Waiting[None]:
    """Read a message to a tool: one of its own, whatever was said before, unless it is only quoted."""
    window = context.window
    if (yield from window.past_space()) != "{":
        context.release()
        return
    if begins:
        context.output.begin_answer()
    reading = yield from ObjectReader(context, _ENVELOPE, Named(written, certain=True)).read()
    conclude(context, _ENVELOPE, reading)
    yield from read_tail(context)


def _pass_analysis(context: Context, size: int, *, apart: bool) -> Waiting[None]:
    """Let a thought out; where it is told from the answer, without its header of this size and its last tag."""
    if not (apart and context.tells_thoughts):
        yield from _pass_message(context)
        return
    window = context.window
    window.pos += size
    context.turn_to("thought")
    yield from _pass_message(context)
    if context.output.kind == "thought" and not window.exhausted:
        context.turn_to("mark")
        tag = yield from _END.peek(window)
        window.pos += len(tag.raw) if tag and tag.raw in ENDINGS else 0
    elif context.output.kind == "thought":
        context.note_half(HalfThought("end"))


def _pass_message(context: Context) -> Waiting[None]:
    """Let a thought out as text, up to the tag that ends it."""
    window = context.window
    while True:
        yield from window.until(_TAG)
        tag = yield from _END.peek(window)
        if window.exhausted or (tag and tag.raw.startswith("<|")):
            return
        if tag and tag.raw == _CLOSER:
            if context.output.kind == "thought":
                context.turn_to("mark")
            window.pos += len(_CLOSER)
            return
        window.pos += 1


def read_begun_header(context: Context) -> Waiting[None]:
    """Read a message whose beginning was in the prompt: ` to=functions.f<|channel|>commentary<|message|>{...}`."""
    if (yield from context.window.expect(_BEGUN_HEADER)):
        context.hold()
        yield from read_channel(context)
        context.release()
        context.output.settle()


def pass_stripped_analysis(context: Context) -> Waiting[None]:
    """Let a thought out that the server took the tags from: `analysisThe user wants…assistantfinal`."""
    window = context.window
    if not (yield from window.expect(_STRIPPED_ANALYSIS)):
        return
    context.turn_to("mark")
    window.pos += len(_ANALYSIS)
    context.turn_to("thought")
    while not window.exhausted:
        yield from window.until(_FIRST_OF_NEXT)
        if next_ := (yield from window.expect(_NEXT)):
            context.turn_to("mark")
            window.pos += len(next_.group())
            begin_answer(context)
            context.turn_to("answer")
            return
        window.pos += not window.exhausted
    context.flush()
    context.note_half(HalfThought("end"))
