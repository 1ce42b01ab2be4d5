"""The model's words in an error of a server that could not parse them: what of them is read as the reply.

What was sent already is not read again. Bare arguments are read where only one tool can be meant, and are never shown.
"""

import re

from langchain_toolemu.model_facts import ParserFailure
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn.reply_setup import Judge, reply_setup

_END_OF_THOUGHT = re.compile(r"(?:</\w{1,20}>|<\|?\w{1,20}\|?>|\[/\w{1,20}\])\s*\Z")
_MARKS = re.compile(r"<[^<>]{0,40}(?:>|\Z)|\s")
# Of a call whose beginning the server has read: what is left of it is no answer.
_CALL_MARK = re.compile(
    r"</?(?:\w{1,20}:)?(?:tool_calls?|tool_use|functions?|function_calls?|invoke|parameter|arg_value)\b"
    r"|<\|/?(?:tool_call|call|python_tag)|\[/?TOOL_CALLS?\]"
)
_STRAY_TAG = re.compile(r"</(?:parameter|arg_value)>\s*\Z")
_ARGUMENTS = "<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{words}"


def words_to_read(parser: ParserFailure, judge: Judge, sent: str) -> str | None:
    """The words that are read as the rest of the reply, of which some may have been sent; `None` if they make no reply."""
    words = unsent_words(parser.words, sent)
    if not (parser.words and _MARKS.sub("", words)):
        # Marks alone are no answer, and add nothing to one.
        return "" if parser.words and sent.strip() else None
    turn_input = judge.turn_input
    if parser.is_call and turn_input.choice.kind == "none":
        return None
    found = _calls_in(words, judge)
    if found:
        return None if any(_has_stray_tag(call) for call in found) else words
    if not parser.is_call:
        return None if parser.is_no_answer or _CALL_MARK.search(words) else words
    names = turn_input.functions.names
    name = turn_input.choice.name or (names[0] if len(names) == 1 else None)
    arguments = _ARGUMENTS.format(name=name, words=words)
    whole = [isinstance(call, Call) for call in _calls_in(arguments, judge)] if name else []
    return arguments if whole == [True] else None


def _calls_in(words: str, judge: Judge) -> list[Call | BadCall]:
    """The calls in a text; they are not judged here, so that the policy is not asked twice."""
    make_reader = reply_setup(judge, is_trusted=False).make_reader
    events = make_reader().read(words, cut=True) if make_reader else []
    return [event for event in events if isinstance(event, Call | BadCall)]


def _has_stray_tag(call: Call | BadCall) -> bool:
    """Whether a tag was closed twice, so that a value ends with it."""
    values = call.args.values() if isinstance(call, Call) else ()
    return any(isinstance(value, str) and _STRAY_TAG.search(value) for value in values)


def unsent_words(words: str, sent: str) -> str:
    """What an error holds besides what was sent: it may begin with that, or with a thought before it."""
    for past in (sent, sent.strip()):
        before, found, rest = words.partition(past) if past.strip() else ("", "", "")
        if found and (not before.strip() or _END_OF_THOUGHT.search(before)):
            return rest
    return words
