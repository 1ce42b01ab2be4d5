"""Reasoning, and results that the reply only mentions. Emitted as text, never parsed for calls.

Any closing tag of a thought ends it. If the thought was never opened, all calls before it were
thoughts, too. A message with a header, `<|channel|>commentary
to=functions.f<|message|>{...}<|call|>`, is a call if it is to a tool, a thought if it is to the
model itself or on the analysis channel, and else the answer: gpt-oss, Muse Glimmer (`to=f`),
Functionary (`<|recipient|>f`), Inkling (`<|content_thinking|>`), Beam (whose arguments are
elements). Gemma's `<|channel>thought` ends with its line.
"""

import re
from typing import Literal

import regex

from langchain_toolemu.reader import vocabulary
from langchain_toolemu.reader.call_shapes import Named
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import HalfThought, TextKind
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.notations.elements import ElementCall
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.regions import made_up_turns
from langchain_toolemu.reader.regions.envelopes import EnvelopeBody
from langchain_toolemu.reader.tags import MAYBE_TAG, Tag, TagSet
from langchain_toolemu.reader.window import SPACE, Waiting, Window

# Inside a thought the opener of another says nothing, and very many may come.
_MAYBE_TAG = re.compile(f"<(?!think>){MAYBE_TAG[1:]}|\\[(?=[/T]|\\Z)|\u25c1(?=/|\\Z)")
_MAYBE_MARK = re.compile(f"{MAYBE_TAG}|\\[(?=[/T]|\\Z)|\u25c1(?=\\w|/|\\Z)")
_FIRST_MARKS = TagSet(
    vocabulary.THOUGHTS | vocabulary.OPEN | vocabulary.SECTION | {"channel", "start"}
)
_LONGEST_DOUBT = 32_000  # characters that are held back for that
_THOUGHT_ENDS = vocabulary.THOUGHT | vocabulary.THOUGHT_END | vocabulary.SECTION
_CLOSERS, _INNER_TAGS = TagSet(_THOUGHT_ENDS), TagSet(_THOUGHT_ENDS | vocabulary.OPEN)
_RESULT_CLOSERS = TagSet(vocabulary.RESULT | vocabulary.RESULT_END)
_REASONING_TAGS = TagSet(vocabulary.THOUGHTS | vocabulary.CHANNEL | vocabulary.MARKS | {"start"})
_QUOTES = frozenset("`\"'")
_AFTER_WORD = frozenset(" \t.,;:!?)")

_CHANNEL_ENVELOPE = outcome.Envelope("channel", explicit=True)
_CHANNEL_TAG = re.compile(r"<(?=[|c]|\Z)")
_MESSAGE_ENDS = frozenset({"call", "end", "return", "eom", "eot", "endmessage", "stop"})
_CHANNEL_END = TagSet(_MESSAGE_ENDS | vocabulary.CHANNEL | {"start"})
_RECIPIENT = re.compile(r"(?:to=|<\|recipient\|>)([\w.:-]+)")
_NO_TOOLS = frozenset({"user", "all", "self", "commentary", "developer"})
_INVOKE, _THINKING = "<|content_invoke_tool_json|>", "<|content_thinking|>"
_XML = "<|constrain|>xml"  # Beam
_ALONE = frozenset({"contentthinking", "contenttext"})  # a header of one tag
_CHANNEL_NAME = re.compile(r"(?:.*<\|channel\|>)?\s*(\w*)")
_LONGEST_HEADER = 200
# Only the header of Functionary has several lines.
_HEADER_END = re.compile(
    r"<\|(?:message|content\w*)\|>|\n(?!<\|(?:recipient|content)\|>|<(?:\|\w{0,9}\|?)?\Z|\Z)|(?=\{)"
)
_WHOLE_HEADER = regex.compile(
    r"<\|(?:start|channel)\|>(?:[^<\n]{0,60}<\|(?:channel|constrain|recipient)\|>){0,3}"
    r"[^<\n]{0,60}(?:<\|(?:message|content\w{0,20})\|>|\{)"
)
_CLOSER = "<channel|>"
# How a reply begins whose prompt ended in `<|start|>assistant`, and one whose tokens the server
# took away.
_BEGUN_HEADER = regex.compile(
    r"[ \t]*(?:assistant)?(?:commentary)?[ \t]*to=[\w.:-]+[^<\n{]{0,40}"
    r"(?:<\|(?:channel|message|constrain)\|>|\{)"
)
# No word begins like this: the first of the thought is written right after the channel's name.
_ANALYSIS = "analysis"
_STRIPPED_ANALYSIS = regex.compile(rf"{_ANALYSIS}\p{{Lu}}")
_FIRST_OF_NEXT = re.compile("a")
_NEXT = regex.compile("assistantfinal|assistantcommentary")


def _turn_to(context: Context, kind: TextKind, *, held: bool = False) -> None:
    """Text from here on is of this kind; `held`: so is the text that is held back."""
    if not context.tells_thoughts or kind == context.output.kind:
        return
    if not held:
        context.flush()
    context.kinds.append((context.window.untaken_from, kind))
    context.output.kind = kind


def _note_half(context: Context, lacks: Literal["beginning", "end", "both"]) -> None:
    if context.tells_thoughts:
        context.output.add(HalfThought(lacks))


def read_reasoning_tag(context: Context) -> Waiting[None]:
    """Read a tag, where only thoughts are looked for: in tags, in brackets, or on a channel."""
    tag = yield from _REASONING_TAGS.peek(context.window)
    if tag is None or (tag.raw[0] == "[" and not tag.raw.isupper()):
        context.window.pos += 1
    elif tag.word in vocabulary.THOUGHTS:
        yield from pass_region(context, tag)
    elif tag.is_mark or (context.in_message and vocabulary.ENDING.match(tag.raw)):
        context.pass_mark(len(tag.raw))
    elif tag.word in vocabulary.MARKS:
        context.window.pos += 1
    else:
        yield from read_header(context, tag)


def pass_region(context: Context, tag: Tag) -> Waiting[None]:
    """Emit a thought or a result as text, from its opening tag to its closing tag or the end."""
    if outcome.ends_region(tag):
        _close_unopened(context, tag)
        return
    context.window.pos += len(tag.raw)
    is_thought = tag.word in vocabulary.THOUGHTS
    if not is_thought and made_up_turns.is_made_up_result(context):
        yield from made_up_turns.pass_made_up(context)
        return
    quoted = made_up_turns.is_spoken_of(context)
    apart = is_thought and not quoted and not (yield from _is_mentioned(context))
    if apart:
        _turn_to(context, "mark", held=True)
    context.release()
    if tag.empty:
        _turn_to(context, "answer")
    elif is_thought:
        yield from _pass_thought(context, quoted=quoted, apart=apart)
    else:
        yield from _pass_to(context, _RESULT_CLOSERS)
        if not quoted:
            context.begin_answer()


def _close_unopened(context: Context, tag: Tag) -> None:
    """Consume a closer without an opener; where it is only quoted it ends nothing."""
    quoted = context.prose.last_char in _QUOTES or made_up_turns.is_spoken_of(context)
    ends = tag.word in vocabulary.THOUGHTS and not quoted
    context.window.pos += len(tag.raw)
    if ends:
        context.output.disown()
        context.begin_answer()
        _note_half(context, "beginning")


def _is_mentioned(context: Context) -> Waiting[bool]:
    """Whether a mark, just consumed, is a word of a sentence: `The <think> tag`."""
    if not context.tells_thoughts:
        return False
    if context.prose.last_char in _QUOTES:
        return True
    if not context.prose.recent.rstrip(" \t")[-1:].isalnum():
        return False
    following = yield from context.window.peek()
    return not following or following in _AFTER_WORD


def _pass_thought(context: Context, *, quoted: bool = False, apart: bool = True) -> Waiting[None]:
    """Emit a thought, from after its opening tag; `apart`: it is distinguished from the answer."""
    if apart:
        _turn_to(context, "thought")
    context.output.in_reasoning = True
    closed = yield from _pass_to(context, _CLOSERS if context.only_thoughts else _INNER_TAGS)
    context.output.in_reasoning = False
    if not quoted:
        context.begin_answer()
    if apart and not closed:
        _note_half(context, "end")
    _turn_to(context, "answer")


def pass_begun_thought(context: Context) -> Waiting[None]:
    """Emit a thought whose opening tag was in the prompt; a model may repeat the tag."""
    window = context.window
    context.hold()
    yield from window.run(SPACE)
    tag = yield from (_CLOSERS if context.only_thoughts else _INNER_TAGS).peek(window)
    opens = tag and tag.word in vocabulary.THOUGHTS and not outcome.ends_region(tag)
    if window.exhausted or opens:
        context.release()
        return
    _turn_to(context, "thought", held=True)
    context.release()
    yield from _pass_thought(context)


def pass_doubtful_beginning(context: Context) -> Waiting[None]:
    """Hold a reply back up to a thought's first mark: its end shows that the prompt began it."""
    window = context.window
    context.hold()
    start = window.offset
    tag, calls = yield from _first_mark(context, start)
    ends = tag is not None and tag.word in vocabulary.THOUGHTS and outcome.ends_region(tag)
    if tag is None and window.exhausted and window.ended:
        ends = context.cut and not calls and window.untaken.lstrip()[:1].isalpha()
        if ends or not context.cut:
            _note_half(context, "end" if ends else "both")
    if not ends:
        window.rewind(start)
        context.release()
        return
    _turn_to(context, "thought", held=True)
    context.release()
    if tag:
        _turn_to(context, "mark")
        window.pos += len(tag.raw)
        context.begin_answer()
    _turn_to(context, "answer")


def _first_mark(context: Context, start: int) -> Waiting[tuple[Tag | None, bool]]:
    """The first mark that tells where the answer begins; whether a call is before it."""
    window, calls = context.window, False
    while window.offset - start < _LONGEST_DOUBT:
        found = _MAYBE_MARK.search(window.text, window.pos)
        window.pos = found.start() if found else len(window.text)
        if found is None and window.ended:
            break
        if found is None:
            yield
            continue
        if tag := (yield from _FIRST_MARKS.peek(window)):
            opens = tag.word in vocabulary.OPEN
            calls |= opens
            is_mark = tag.word in vocabulary.THOUGHTS or tag.is_token
            if is_mark and not opens and window.char_before not in _QUOTES:
                return tag, calls
        window.pos += not window.exhausted
    return None, calls


def _pass_to(context: Context, tags: TagSet) -> Waiting[bool]:
    """Emit text to its closing tag, and read tagged calls in it; whether it was closed."""
    window = context.window
    while True:
        yield from window.until(_MAYBE_TAG)
        tag = yield from tags.peek(window)
        if window.exhausted:
            return False
        if tag and tag.word in vocabulary.OPEN and not tag.closing:
            context.hold()  # a call, which may be what ends the thought
            yield from EnvelopeBody(context, outcome.Envelope(tag.label, explicit=True)).read()
            context.release()
            context.output.settle()
            continue
        if tag and tag.word in vocabulary.SECTION and not tag.is_mark:
            tag = None
        is_call = tag is not None and tag.word in vocabulary.OPEN
        closes = tag is not None and (tag.is_mark or (not is_call and outcome.ends_region(tag)))
        if closes and context.output.kind == "thought":
            _turn_to(context, "mark")
        window.pos += len(tag.raw) if tag else 1
        if closes:
            return True


def read_header(context: Context, tag: Tag) -> Waiting[None]:
    """Read a message from its first tag on."""
    is_header = tag.is_token and not tag.closing
    context.window.pos += 0 if is_header and tag.word in _ALONE else len(tag.raw)
    if is_header:
        yield from read_channel(context)


def read_channel(context: Context) -> Waiting[None]:
    """Read a message from after its first tag."""
    header, end = yield from context.window.ask(_LONGEST_HEADER, _split_header)
    invokes, size = end == _INVOKE, len(header) + len(end or "")
    found = _RECIPIENT.search(header)
    named = found[1] if found else ""
    recipient = "" if context.only_thoughts or named in _NO_TOOLS else named
    begins = not made_up_turns.is_spoken_of(context)
    if end not in (None, "\n") and (recipient or (invokes and not context.only_thoughts)):
        context.window.pos += len(header) if invokes else size
        yield from _channel_call(context, recipient, begins=begins, as_xml=_XML in header)
        return
    if recipient and end is None and context.cut and len(header) < _LONGEST_HEADER:
        context.window.pos += size
        name = spec.name if (spec := context.resolve(recipient)) else recipient
        outcome.conclude(context, _CHANNEL_ENVELOPE, outcome.Bad("cut", outcome.CUT, name))
        return
    channel = _CHANNEL_NAME.match(header)
    reasons = named == "self" or end == _THINKING or (channel and channel[1] in vocabulary.THOUGHT)
    thinks, is_message = bool(end and reasons), bool(end) and end != "\n" and not invokes
    begins = begins and (thinks or is_message)
    if begins:
        context.in_message = True
        demanded = context.forced is not None or context.demands_any
        context.is_answer = bool(channel and channel[1] == "final") and not demanded
    if begins and not thinks:
        _turn_to(context, "answer", held=True)
        context.pass_mark(size)
    elif begins:
        _turn_to(context, "mark", held=True)
        context.keeps_marks = not context.tells_thoughts
    context.release()
    if thinks:
        yield from _pass_analysis(context, size, apart=begins)
    elif is_message and not begins:
        context.window.pos += size
    if begins:
        context.begin_answer()
    _turn_to(context, "answer")


def _split_header(ahead: str, final: bool) -> tuple[str, str | None] | None:
    """What comes before the message, and what ends it; nothing if it is too long, or never ends."""
    if found := _HEADER_END.search(ahead):
        return ahead[: found.start()], found.group()
    line, newline, _ = ahead.partition("\n")
    return (line, newline or None) if final else None


def _channel_call(context: Context, written: str, *, begins: bool, as_xml: bool) -> Waiting[None]:
    """Read a message to a tool. It begins the answer, unless it is only quoted."""
    char = yield from context.window.past_space()
    tag = (yield from context.opening_tags.peek(context.window)) if char == "<" else None
    if char != "{" and not as_xml and not (tag and tag.word in vocabulary.OPEN):
        if written and begins and context.counts_unknown and not context.resolve(written):
            yield from _pass_to_unknown(context, written)
        context.release()
        return
    if begins:
        context.output.begin_answer()
    if tag and not as_xml:
        envelope = outcome.Envelope(tag.label, explicit=True, token=True)
        yield from EnvelopeBody(context, envelope).read()
    else:
        xml, named = ElementCall(context, _CHANNEL_ENVELOPE, written), Named(written, certain=True)
        reader = xml if as_xml else ObjectReader(context, _CHANNEL_ENVELOPE, named)
        outcome.conclude(context, _CHANNEL_ENVELOPE, (yield from reader.read()))
    yield from outcome.read_tail(context)


def _pass_to_unknown(context: Context, written: str) -> Waiting[None]:
    """Read a message to what is no bound tool, such as `python`: it is no answer."""
    window = context.window
    while not window.exhausted:
        yield from window.until(_CHANNEL_TAG)
        tag = yield from _CHANNEL_END.peek(window)
        if tag and tag.raw.startswith("<|"):
            break
        window.pos += not window.exhausted
    bad = outcome.Bad("unknown_tool", outcome.NO_SUCH_TOOL.format(written), written)
    context.output.begin_answer()
    outcome.conclude(context, _CHANNEL_ENVELOPE, bad)
    yield from outcome.read_tail(context)


def _pass_analysis(context: Context, size: int, *, apart: bool) -> Waiting[None]:
    """Emit a thought as text; `apart`: without its header and its last tag."""
    window, apart = context.window, apart and context.tells_thoughts
    if apart:
        window.pos += size
        _turn_to(context, "thought")
    while True:
        yield from window.until(_CHANNEL_TAG)
        tag = yield from _CHANNEL_END.peek(window)
        if window.exhausted:
            return _note_half(context, "end") if apart else None
        if tag and (tag.raw == _CLOSER or (yield from _ends_analysis(window, tag))):
            break
        window.pos += 1
    if apart:
        _turn_to(context, "mark")
    if tag.raw == _CLOSER or (apart and vocabulary.ENDING.match(tag.raw)):
        window.pos += len(tag.raw)


def _ends_analysis(window: Window, tag: Tag) -> Waiting[bool]:
    """Whether a token ends a thought: a message follows it, so it is not only named."""
    if not tag.raw.startswith("<|") or tag.word == "call":
        return False
    if tag.word not in ("start", "channel"):
        return True
    return (yield from window.expect(_WHOLE_HEADER)) is not None


def read_begun_header(context: Context) -> Waiting[None]:
    """Read a message whose beginning was in the prompt: ` to=functions.f<|message|>{...}`."""
    if (yield from context.window.expect(_BEGUN_HEADER)):
        context.hold()
        yield from read_channel(context)
        context.release()
        context.output.settle()


def pass_stripped_analysis(context: Context) -> Waiting[None]:
    """Emit a thought whose tags the server removed: `analysisThe user wants…assistantfinal`."""
    window = context.window
    if not (yield from window.expect(_STRIPPED_ANALYSIS)):
        return
    _turn_to(context, "mark")
    window.pos += len(_ANALYSIS)
    _turn_to(context, "thought")
    while not window.exhausted:
        yield from window.until(_FIRST_OF_NEXT)
        if next_ := (yield from window.expect(_NEXT)):
            _turn_to(context, "mark")
            window.pos += len(next_.group())
            context.begin_answer()
            _turn_to(context, "answer")
            return
        window.pos += not window.exhausted
    context.flush()
    _note_half(context, "end")
