"""Messages with a header: `<|channel|>commentary to=functions.f<|message|>{...}<|call|>`.

The rule of this module: a message to a tool is a call, one to the model itself or on the channel for analysis is a
thought and never read, and any other is the answer. Gemma's `<|channel>thought` ends with its line, and has no message.
Read so are gpt-oss, Muse Glimmer (`to=f`), Functionary (`<|recipient|>f`) and Inkling (`<|content_thinking|>`).
"""

import re

import regex

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import HalfThought
from langchain_toolemu.reader.notations.objects import Named, ObjectReader
from langchain_toolemu.reader.notations.outcome import CUT, Bad, Envelope, conclude
from langchain_toolemu.reader.regions.envelopes import Body
from langchain_toolemu.reader.regions.made_up_turns import is_spoken_of
from langchain_toolemu.reader.regions.reasoning import begin_answer, read_tail
from langchain_toolemu.reader.tags import Tag, TagSet
from langchain_toolemu.reader.vocabulary import CHANNEL, ENDINGS, OPEN, THOUGHT
from langchain_toolemu.reader.window import Waiting

_ENVELOPE = Envelope("channel", explicit=True)
_TAG = re.compile(r"<(?=[|c]|\Z)")
_RECIPIENT = re.compile(r"(?:to=|<\|recipient\|>)([\w.:-]+)")
_USER, _OWN = frozenset({"user", "all"}), frozenset({"self"})
_INVOKE, _THINKING = "<|content_invoke_tool_json|>", "<|content_thinking|>"
_ALONE = frozenset({"contentthinking", "contenttext"})
_CHANNEL = re.compile(r"(?:.*<\|channel\|>)?\s*(\w*)")
_LONGEST_HEADER = 200
# Only the header of Functionary has several lines.
_HEADER_END = re.compile(
    r"<\|(?:message|content\w*)\|>|\n(?!<\|(?:recipient|content)\|>|<(?:\|\w{0,9}\|?)?\Z|\Z)|(?=\{)"
)
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
_ENDS = frozenset({"call", "end", "return", "eom", "eot", "endmessage", "stop"})
_END = TagSet(_ENDS | CHANNEL | {"start"})


def read_header(context: Context, tag: Tag) -> Waiting[None]:
    """Read a message from its first tag on; the tag may be the last of its header, too."""
    context.window.pos += 0 if tag.word in _ALONE else len(tag.raw)
    if tag.closing or not tag.is_token:
        context.window.pos += len(tag.raw) if tag.word in _ALONE else 0
    else:
        yield from read_channel(context)


def read_channel(context: Context) -> Waiting[None]:
    """Read a message from after its first tag."""
    header, end = yield from context.window.ask(_LONGEST_HEADER, _header)
    found = _RECIPIENT.search(header)
    named = found.group(1) if found else ""
    recipient = "" if context.only_thoughts else named
    begins = not is_spoken_of(context)
    thinks = bool(end) and _is_thought(header, end or "", named)
    invokes = end == _INVOKE
    if end not in (None, "\n") and (
        _is_to_tool(recipient) or (invokes and not context.only_thoughts)
    ):
        context.window.pos += len(header) + (0 if invokes else len(end or ""))
        yield from _call(context, recipient, begins=begins)
    elif _is_to_tool(recipient) and end is None and context.cut and len(header) < _LONGEST_HEADER:
        context.window.pos += len(header)
        conclude(context, _ENVELOPE, Bad("cut", CUT, _bound(context, recipient)))
    else:
        is_message = bool(end) and end != "\n" and not invokes
        if begins and (thinks or is_message):
            context.turn_to("mark", held=True)
        context.release()
        if thinks:
            yield from _pass_analysis(context, len(header) + len(end or ""), apart=begins)
        elif is_message:
            context.window.pos += len(header) + len(end or "")
        if begins and (thinks or is_message):
            begin_answer(context)
        context.turn_to("answer")


def _header(ahead: str, final: bool) -> tuple[str, str | None] | None:
    """What comes before the message, and what ends it; nothing if it is too long, or never ends."""
    if found := _HEADER_END.search(ahead):
        return ahead[: found.start()], found.group()
    line, newline, _ = ahead.partition("\n")
    return (line, newline or None) if final else None


def _is_to_tool(recipient: str) -> bool:
    return bool(recipient) and recipient not in _OWN | _USER


def _is_thought(header: str, end: str, recipient: str) -> bool:
    found = _CHANNEL.match(header)
    named = found is not None and found.group(1) in THOUGHT
    return named or recipient in _OWN or end == _THINKING


def _bound(context: Context, written: str) -> str:
    spec = context.resolve(written)
    return spec.name if spec else written


def _call(context: Context, written: str, *, begins: bool) -> Waiting[None]:
    """Read a message to a tool: one of its own, whatever was said before, unless it is only quoted."""
    window = context.window
    char = yield from window.past_space()
    tag = (yield from context.opening_tags.peek(window)) if char == "<" else None
    if char != "{" and not (tag and tag.word in OPEN):
        context.release()
        return
    if begins:
        context.output.begin_answer()
    if tag:
        yield from Body(context, Envelope(tag.label, explicit=True, token=True)).read()
    else:
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
