"""Turns that the model makes up: a tool's result, or another speaker's words.

Such a turn, and everything after it, is neither content nor a call. A mark counts only where a turn
can begin; prose that mentions one stays prose.
"""

import regex

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.intent import read_preamble, without_tokens
from langchain_toolemu.reader.tags import Tag, word_of
from langchain_toolemu.reader.vocabulary import AUTHOR, OTHERS
from langchain_toolemu.reader.window import NOTHING, REST_OF_LINE, Waiting

RESULT_HEADS = frozenset({"tool", "function"})
SPEAKERS = frozenset({"human", "user", "observation", "result", "return"}).union(
    f"{head}_{word}" for head in RESULT_HEADS for word in ("response", "result", "output")
)

# The role after a mark such as `<|im_start|>`, and what ends it: prose would go on after a space.
_ROLE = regex.compile(r"[ \t]*([\w.-]*)(?:[ \t]*[\n<]| to=|\Z|(?!))")
_LONGEST_ROLE = 64
_MOST_JUDGED = 16  # marks of one reply: a text about marks shows that at the first few
_NAMED_LINE = regex.compile(
    r"(?:\**(?:observation(?: \d{1,3})?|human|user"
    r"|(?:tool|function)[ _](?:response|result|output)s?)\**[ \t]*(?=:)"
    r"|✿(?:result|return)✿(?=:|\s*\Z)):?[\s*]*(\S|\Z)",  # Qwen-Agent
    regex.IGNORECASE,
)
# A message of another role, as the wire format of OpenAI has it.
_OTHER = regex.compile(r'\{\s*"role"\s*:\s*"(?:tool|function|user|human|system|developer|ipython)"')
_HEADING = regex.compile(
    r"#{2,4} ?(?:(Instruction|Human|User)|Response|Input|Output|Result|Observation|Tool|System)"
    r" ?:[ \t]*(\n|[^\n]|\Z)"
)
# What may come right before the mark of a turn, besides the start of a line.
_BEFORE_TURN = frozenset(">.!?)]}。\uff1e")


def pass_made_up(context: Context) -> Waiting[None]:
    """Emit the rest of the reply as made up."""
    context.output.make_up()
    context.release()
    yield from context.window.until(NOTHING)


def is_made_up_result(context: Context) -> bool:
    """Whether a result here is made up: after a call, or at a line start, if no example."""
    speaks = context.output.speaks_of_calls or not read_preamble(context.prose.recent).may_act
    return context.output.has_acted or (context.window.at_line_start and not speaks)


def is_spoken_of(context: Context) -> bool:
    """Whether the reply only mentions such marks, in a report or an example."""
    if context.quotes_marks or context.judged_marks >= _MOST_JUDGED:
        return context.quotes_marks
    words = without_tokens(context.prose.recent)
    if words.strip():
        context.judged_marks += 1
        preamble = read_preamble(words)
        context.quotes_marks = preamble.runs_on and not preamble.may_act
    return context.quotes_marks


def begins_turn(context: Context, tag: Tag) -> Waiting[bool]:
    """Whether a tag that was just consumed begins somebody else's message."""
    at_turn = context.window.at_line_start or context.prose.last_char in _BEFORE_TURN
    if tag.closing or not (at_turn or context.output.has_acted):
        return False
    if tag.word in OTHERS:
        following = yield from context.window.peek()
        return tag.raw.endswith(("|>", "\uff5c>", "]")) and (tag.raw[0] == "[" or following != " ")
    found = yield from context.window.expect(_ROLE, _LONGEST_ROLE)
    return found is not None and word_of(found[1].partition(".")[0]) in AUTHOR


def read_named_line(context: Context) -> Waiting[None]:
    """Read a line that begins like a speaker's: made up after a call, if anything follows."""
    found = yield from context.window.expect(_NAMED_LINE)
    if found is None:
        return
    if not context.output.has_acted:
        yield from context.window.run(REST_OF_LINE)
    elif found[1]:
        yield from pass_made_up(context)
    else:
        context.window.pos += found.end()
        context.output.extend(context.window.take())


def begins_result(context: Context, *, as_object: bool) -> Waiting[bool]:
    """Whether another's message begins here, after a call: `Tool response:`, or an object."""
    pattern = _OTHER if as_object else _NAMED_LINE
    return context.output.has_acted and (yield from context.window.expect(pattern)) is not None


def read_heading(context: Context) -> Waiting[None]:
    """Read `### Instruction:` and the like, as models that were trained on them go on."""
    found = yield from context.window.expect(_HEADING)
    alone = found is not None and found[1] is not None and found[2] == "\n"
    if found and (context.output.has_acted or (alone and context.prose.begun)):
        yield from pass_made_up(context)
