"""Native answers in a demanded form: what may be shown as it comes, and what an answer in another dress amounts to.

- A server that was handed the schema keeps to it, or says at once that it does not: an answer is shown from its first
  letters on, unless they are no JSON, of another kind than the form, or the call of a tool that does not exist. What
  turns out wrong later was shown, and is only told of.
- Where the client checks the whole answer, by a class, it is shown when that went well.
- In JSON mode the server knows no schema: an answer is shown when it is whole and fits.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import read_tools
from langchain_toolemu.tools.response_format import ResponseForm
from langchain_toolemu.turn.reasoning_text import without_reasoning
from langchain_toolemu.turn.refusals import MAX_OPENING, Suspicion
from langchain_toolemu.validation import fit

_FIRST_KEY = re.compile(r'\s*\{\s*"([^"]*)"\s*:\s*')
_VALUE = re.compile(r'"([^"]*)("?)\s*')
_NEXT_KEY = re.compile(r',\s*"([^"]*)"')
_FENCED = re.compile(r"^```\w*[ \t]*\n(.*?)\n[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_NAME_KEYS = ("name", "tool", "tool_name", "function", "function_name")
"""The keys under which models write the name of a call."""


def suspect_opening(words: str, form: ResponseForm) -> Suspicion:
    """Whether an answer that opens like this has its form: `"none"`; has not: `"refusal"`; or may still turn out so."""
    start = words.lstrip()[:1]
    if not start:
        return "possible"
    if start != "{":
        return "none" if start == "[" and form.may_be_list else "refusal"
    if form.field:
        return "refusal"
    if len(words) >= MAX_OPENING:
        return "none"
    found = _FIRST_KEY.match(words)
    if found is None:
        return "possible"
    key, rest = found[1], words[found.end() :]
    if key == form.name and key not in form.properties:
        return "refusal"
    return _suspect_value(rest, form) if key in _NAME_KEYS else "none"


def _suspect_value(rest: str, form: ResponseForm) -> Suspicion:
    """Whether the form's own name is followed by a key that it does not have, as in a call."""
    if not rest:
        return "possible"
    found = _VALUE.match(rest)
    if found is None or not form.name.startswith(found[1]):
        return "none"
    if not found[2]:
        return "possible"
    after = rest[found.end() :]
    if found[1] != form.name or after.startswith("}"):
        return "none"
    following = _NEXT_KEY.match(after)
    if following is None:
        return "possible"
    return "none" if following[1] in form.properties else "refusal"


def answer_in(text: str, form: ResponseForm) -> Any:
    """The answer in its form that a text is or holds: bare, in a fence, in a sentence or as a call; `None` if none fits."""
    for args in _possible_answers(text, form):
        fitted = fit(args, form.compiled)
        if not fitted.errors:
            return form.answer(fitted.args)
    return None


def misfits(text: str, form: ResponseForm) -> tuple[str, ...]:
    """What is wrong with an answer that was shown, in words; nothing if it has its form."""
    if answer_in(text, form) is not None:
        return ()
    try:
        whole = json.loads(text)
    except ValueError:
        return ("it is no JSON",)
    if form.field:
        return fit({form.field: whole}, form.compiled).errors
    # A list where the schema allows one is no call's arguments, and is not looked into.
    return fit(whole, form.compiled).errors if isinstance(whole, dict) else ()


def is_json(text: str, answer: Any) -> bool:
    """Whether a text is this answer and nothing else."""
    with suppress(ValueError):
        return bool(json.loads(text) == answer)
    return False


def bare_value(text: str, form: ResponseForm) -> dict[str, Any] | None:
    """The arguments of the form's call, where the answer is no object: a text but for thoughts, or its only fence."""
    if form.field is None:
        return None
    said = without_reasoning(text)
    fences = _FENCED.findall(said)
    with suppress(ValueError):
        given = {form.field: json.loads(fences[0] if len(fences) == 1 else said)}
        fitted = fit(given, form.compiled)
        return None if fitted.errors else fitted.args
    return None


def _possible_answers(text: str, form: ResponseForm) -> Iterator[Mapping[str, Any]]:
    if value := bare_value(text, form):
        yield value
    reader = Reader(read_tools([form.tool()]), forced=form.name)
    events = [*reader.feed(text), *reader.close()]
    calls = [event.args for event in events if isinstance(event, Call)]
    yield from calls if len(calls) == 1 else ()
