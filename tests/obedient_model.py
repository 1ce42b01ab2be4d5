"""A script for the scripted server: a model that does as it is told.

It plays a good model for LangChain's standard tests, by a few rules and without knowing the tests.
It decides in one place and speaks with two voices: natively, if the request carries `tools`, else in
text, if a system message teaches it to. In text it knows of a tool only what that message says.

    with ScriptedServer(obey) as server: ...
    with ScriptedServer(without_tools(obey)) as server: ...
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.scripted_server import Reply


@dataclass(frozen=True)
class Argument:
    """What the model knows of one argument of a tool, or of one key of a JSON answer."""

    name: str
    kind: str = "string"
    required: bool = True
    nullable: bool = False
    choices: tuple[Any, ...] = ()


Arguments = Sequence[Argument]


@dataclass(frozen=True)
class Situation:
    """What a request comes down to, whatever voice it was made in.

    Attributes:
        prompt: What the user said last.
        results: What tools have said since.
        failed: Whether the last of them was an error, and the first one.
        tools: The tools on offer.
        demand: `"any"` if a call must be made, a tool's name if it must be that tool's.
        keys: What a JSON answer must hold, if one is wanted.
    """

    prompt: str
    results: Sequence[str] = ()
    failed: bool = False
    tools: Mapping[str, Arguments] = field(default_factory=dict)
    demand: str | None = None
    keys: Arguments | None = None


Calls = list[tuple[str, dict[str, Any]]]


def obey(request: dict[str, Any]) -> Reply:
    """Reply to a request as a good model would."""
    native = "tools" in request
    decision = decide(_hear_native(request) if native else _hear_text(request))
    if isinstance(decision, list) and native:
        return Reply(tool_calls=decision)
    text = decision if isinstance(decision, str) else _written(decision)
    return Reply(_pieces(_until_stop(text, request.get("stop"))))


def decide(situation: Situation) -> Calls | str:
    """Call, or answer."""
    if situation.tools and (tool := _choose(situation)):
        return _calls(tool, situation)
    if situation.keys is not None:
        return json.dumps(_fill(situation.keys, situation.prompt), ensure_ascii=False)
    if situation.results:
        return f"The tool says: {' '.join(situation.results)}"
    return "Hello there. It is a pleasure to be of use, so ask me whatever you like."


def _choose(situation: Situation) -> str | None:
    if situation.demand in situation.tools:
        return situation.demand
    wanted = [name for name, args in situation.tools.items() if _fits(name, args, situation.prompt)]
    if situation.demand == "any":
        # With a result at hand, what is still demanded is the answer, which agents offer last.
        return (
            list(situation.tools)[-1] if situation.results else (wanted or list(situation.tools))[0]
        )
    if situation.results and not situation.failed:
        return None
    return wanted[0] if wanted else None


def _fits(name: str, args: Arguments, prompt: str) -> bool:
    """Whether the prompt speaks of the tool, of tools, or holds just the numbers it takes."""
    words = set(re.findall(r"[a-z]+", prompt.lower()))
    telling = set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r"_\1", name).lower()))
    numbers = sum(arg.kind in ("integer", "number") for arg in args)
    return (
        name in prompt
        or bool(words & (telling - {"get", "my", "of", "the"} | {"tool"}))
        or numbers == len(args) == len(_numbers(prompt)) > 0
    )


def _calls(tool: str, situation: Situation) -> Calls:
    """One call, or one for each thing the prompt names, if the tool takes one at a time."""
    args = situation.tools[tool]
    subjects = _names(situation.prompt)
    if [arg.kind for arg in args if arg.required] == ["string"] and len(subjects) > 1:
        first = next(arg.name for arg in args if arg.required)
        return [(tool, {first: subject}) for subject in subjects]
    return [(tool, _fill(args, situation.prompt))]


def _fill(args: Arguments, prompt: str) -> dict[str, Any]:
    """Every argument the prompt has a value for, and a guess for the others that must be there."""
    numbers, phrases = iter(_numbers(prompt)), iter([*_quoted(prompt), *_names(prompt)])
    filled = {}
    for arg in args:
        value = _find(arg, prompt, numbers, phrases)
        if value is None and arg.required and not arg.nullable:
            value = _guess(arg, prompt)
        if value is not None or arg.required:
            filled[arg.name] = value
    return filled


_JOKE = {
    "setup": "Why was the cat sitting on the computer?",
    "punchline": "To keep an eye on the mouse!",
}


def _find(arg: Argument, prompt: str, numbers: Iterator[int], phrases: Iterator[str]) -> Any:
    if re.search(rf"\bno {arg.name}\b", prompt):
        return None
    if arg.choices:
        return next((choice for choice in arg.choices if str(choice) in prompt), None)
    if arg.kind in ("integer", "number"):
        return next(numbers, None)
    return _JOKE.get(arg.name) or next(phrases, None) if arg.kind == "string" else None


def _guess(arg: Argument, prompt: str) -> Any:
    if arg.choices:
        return arg.choices[0]
    guesses = {"integer": 3, "number": 3, "boolean": True, "array": [], "object": {}}
    return guesses.get(arg.kind, prompt)


def _numbers(prompt: str) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", prompt)]


def _quoted(prompt: str) -> list[str]:
    return re.findall(r"""(?<!\w)['"]([^'"]+)['"]""", prompt)


def _names(prompt: str) -> list[str]:
    """Capitalised words inside a sentence: `San Francisco, CA`."""
    return re.findall(r"(?<=[a-z,] )[A-Z][\w'-]+(?:,? [A-Z][\w'-]*)*", prompt)


def _until_stop(text: str, stop: str | Sequence[str] | None) -> str:
    stops = [stop] if isinstance(stop, str) else stop or ()
    return text[: min((text.index(word) for word in stops if word in text), default=None)]


def _pieces(text: str) -> list[str]:
    """Pieces as a tokenizer makes them: words with the space before, punctuation alone."""
    return re.findall(r"\s?\w{1,6}|\s|[^\w\s]+", text)


# The native voice


def _hear_native(request: Mapping[str, Any]) -> Situation:
    prompt, results = _last_turn(request["messages"])
    functions = [tool["function"] for tool in request["tools"]]
    tools = {f["name"]: _read_schema(f.get("parameters") or {}) for f in functions}
    return Situation(
        prompt=prompt,
        results=results,
        failed=len(results) == 1 and results[0].startswith("Error"),
        tools={} if request.get("tool_choice") == "none" else tools,
        demand=_read_choice(request.get("tool_choice")),
        keys=_read_format(request, prompt),
    )


def _last_turn(messages: Sequence[Mapping[str, Any]]) -> tuple[str, list[str]]:
    prompt, results = "", []
    for message in messages:
        if message["role"] == "user":
            prompt, results = _text_of(message), []
        elif message["role"] == "tool":
            results.append(_text_of(message))
    return prompt, results


def _text_of(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _read_choice(choice: Any) -> str | None:
    match choice:
        case {"function": {"name": name}}:
            return name
        case "required":
            return "any"
    return None


def _read_schema(schema: Mapping[str, Any]) -> Arguments:
    required = schema.get("required", ())
    return [
        _read_property(name, inner, name in required)
        for name, inner in schema.get("properties", {}).items()
    ]


def _read_property(name: str, schema: Mapping[str, Any], required: bool) -> Argument:
    branches = schema.get("anyOf") or [schema]
    kinds = [branch.get("type", "string") for branch in branches]
    return Argument(
        name=name,
        kind=next((kind for kind in kinds if kind != "null"), "null"),
        required=required,
        nullable="null" in kinds,
        choices=tuple(schema.get("enum", ())),
    )


def _read_format(request: Mapping[str, Any], prompt: str) -> Arguments | None:
    match request.get("response_format"):
        case {"type": "json_schema", "json_schema": {"schema": schema}}:
            return _read_schema(schema)
        case {"type": "json_object"}:
            return [Argument(key) for key in _quoted(prompt)]
    return None


# The voice in text

_SIGNATURE = re.compile(r"^([\w.-]+)\((.*)\)$", re.MULTILINE)
_RESULT = re.compile(
    r'<tool_response name="[^"]*"( status="error")?>\n(.*?)\n</tool_response>', re.DOTALL
)
_DEMAND = re.compile(r"\(Reply with a call of (one of the tools|\S+) and nothing else\.\)")
# After a result: the question once more, and what may follow.
_ADVICE = re.compile(
    r"Answer the user if you have enough\.[^\n]*"
    r"|(?<=</tool_response>)(?:(?!<tool_response ).)*\(Above are the results so far\.[^)]*\)",
    re.DOTALL,
)


def _hear_text(request: Mapping[str, Any]) -> Situation:
    messages = request["messages"]
    prompt, results, failed = _last_words(messages)
    demand = _DEMAND.search(_text_of(messages[-1]))
    return Situation(
        prompt=prompt,
        results=results,
        failed=failed and len(results) == 1,
        tools=_read_signatures(_text_of(messages[0])),
        demand=_demanded(demand.group(1)) if demand else None,
        keys=_read_format(request, prompt),
    )


def _last_words(messages: Sequence[Mapping[str, Any]]) -> tuple[str, list[str], bool]:
    """What the user said last, the results framed since, and whether the last one failed."""
    prompt, results, failed = "", [], False
    for message in messages:
        if message["role"] != "user":
            continue
        text = _text_of(message)
        framed = _RESULT.findall(text)
        results += [result for _, result in framed]
        failed = bool(framed and framed[-1][0])
        if words := _own_words(text):
            prompt, results = words, []
    return prompt, results, failed


def _own_words(text: str) -> str:
    """What is left of a message without results and without what the contract adds."""
    for added in (_ADVICE, _RESULT, _DEMAND):
        text = added.sub("", text)
    return text.strip()


def _demanded(words: str) -> str:
    return "any" if words == "one of the tools" else words


def _read_signatures(text: str) -> dict[str, Arguments]:
    """Tools as `name(argument: type, argument?: type (limits) = default)`, a line each."""
    return {name: _read_members(members) for name, members in _SIGNATURE.findall(text)}


def _read_members(members: str) -> Arguments:
    flat, before = members, None
    while flat != before:
        before = flat
        flat = re.sub(r" ?\([^()]*\)", "", re.sub(r"\{[^{}]*\}", "object", flat))
    return [_read_member(*member) for member in re.findall(r"([\w.-]+)(\??): ([^,=]+)", flat)]


def _read_member(name: str, optional: str, written: str) -> Argument:
    kinds = [kind.strip() for kind in written.split("|")]
    named = [kind for kind in kinds if kind != "null"] or ["null"]
    return Argument(
        name=name,
        kind="array" if named[0].endswith("[]") else named[0],
        required=not optional,
        nullable="null" in kinds,
        choices=tuple(json.loads(kind) for kind in named) if named[0].startswith('"') else (),
    )


def _written(calls: Calls) -> str:
    written = ({"name": name, "arguments": args} for name, args in calls)
    return "\n".join(json.dumps(call, ensure_ascii=False) for call in written)
