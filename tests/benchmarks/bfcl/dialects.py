"""Every way of writing calls that the reader promises to read, as one table.

A dialect is a function from calls and a pen to text. It gives `None` where it cannot say these calls.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tests.benchmarks.bfcl import elements, prose, python_forms, shapes
from tests.benchmarks.bfcl.cases import Called
from tests.benchmarks.bfcl.pen import Pen

Writer: TypeAlias = Callable[[Sequence[Called], Pen], "str | None"]
OneWriter: TypeAlias = Callable[[Called, Pen], str]
Needs: TypeAlias = Literal["nothing", "one call", "no arguments"]

FENCE_TAGS = (
    "",
    "json",
    "JSON",
    "python",
    "tool_call",
    "tool_code",
    "javascript",
    "text",
    "yaml",
    "xml",
)
CLOSERS = ("</function_call>", "</tool_calls>", "</tool>", "</function>", "</toolcall>")


@dataclass(frozen=True)
class Dialect:
    """One way of writing calls.

    Attributes:
        name: Its row in the table.
        write: The writer.
        names: Where the tool's name stands: in quotes or alone on its line any spelling is possible,
            in code only what could be an identifier, in a tag neither.
        needs: What a case must be for the dialect to say it: one call that was forced, whose
            arguments are the whole reply; or calls without arguments.
        talks: Whether words stand between its calls.
        ends_line: Whether more words on the last line would make it a sentence about a call.
    """

    name: str
    write: Writer
    names: Literal["quoted", "code", "tag"] = "quoted"
    needs: Needs = "nothing"
    ends_line: bool = False
    talks: bool = False


def _each(write: OneWriter, joint: str = "\n") -> Writer:
    return lambda calls, pen: joint.join(write(call, pen) for call in calls)


def _object(opening: str = "", closing: str = "", joint: str = "\n") -> Writer:
    """The plain shape, one object a call."""
    return _shaped(shapes.plain, opening, closing, joint)


def _shaped(shape: shapes.Shape, opening: str = "", closing: str = "", joint: str = "\n") -> Writer:
    def write(calls: Sequence[Called], pen: Pen) -> str | None:
        values = [shape(call, pen.rng) for call in calls]
        if None in values:
            return None
        return joint.join(f"{opening}{pen.json(value)}{closing}" for value in values)

    return write


def _whole(shape: Any, opening: str = "", closing: str = "") -> Writer:
    """All calls as one value."""
    return lambda calls, pen: f"{opening}{pen.json(shape(calls, pen.rng))}{closing}"


def _around(write: Writer, opening: str, closing: str) -> Writer:
    return lambda calls, pen: f"{opening}{write(calls, pen)}{closing}"


def _in_prose(before: bool, after: bool) -> Writer:
    write = _object()

    def in_prose(calls: Sequence[Called], pen: Pen) -> str:
        joint = pen.rng.choice(("\n", "\n\n", " "))
        opening = f"{pen.rng.choice(prose.BEFORE)}{joint}" if before else ""
        closing = f"{joint}{pen.rng.choice(prose.AFTER)}" if after else ""
        return f"{opening}{write(calls, pen)}{closing}"

    return in_prose


def _fenced(calls: Sequence[Called], pen: Pen) -> str | None:
    return _object(f"```{pen.rng.choice(FENCE_TAGS)}\n", "\n```", "\n\n")(calls, pen)


def _mismatched(calls: Sequence[Called], pen: Pen) -> str | None:
    return _object("<tool_call>\n", f"\n{pen.rng.choice(CLOSERS)}")(calls, pen)


def _doubled(calls: Sequence[Called], pen: Pen) -> str | None:
    return _object("{", "}")(calls, pen)


def _said_twice(calls: Sequence[Called], pen: Pen) -> str:
    """In prose first, then in a fence: one statement."""
    first, again = _object()(calls, pen), _object()(calls, pen)
    return f"{pen.rng.choice(prose.BEFORE)}\n{first}\n\n```json\n{again}\n```"


def _arguments(calls: Sequence[Called], pen: Pen) -> str:
    return pen.json(dict(calls[0].args))


def _dialects() -> Iterator[Dialect]:
    yield Dialect("bare JSON", _object())
    yield Dialect("prose before", _in_prose(before=True, after=False))
    yield Dialect("prose after", _in_prose(before=False, after=True))
    yield Dialect("prose both", _in_prose(before=True, after=True))
    yield Dialect("said twice", _said_twice)
    yield from _separated()
    yield from _shapes()
    yield from _fences()
    yield from _tags()
    yield from _elements()
    yield from _python()
    yield Dialect("forced: bare arguments", _arguments, needs="one call")


def _separated() -> Iterator[Dialect]:
    yield Dialect("objects: comma", _object(joint=", "))
    yield Dialect("objects: space", _object(joint=" "))
    yield Dialect("objects: nothing", _object(joint=""))
    yield Dialect("objects: semicolon", _object(joint="; "))
    yield Dialect("doubled braces", _doubled)


def _shapes() -> Iterator[Dialect]:
    tag = ("<tool_call>\n", "\n</tool_call>")
    for name, shape in shapes.SINGLE.items():
        yield Dialect(name, _shaped(shape))
        yield Dialect(f"{name}, in tag", _shaped(shape, *tag))
    for name, whole in shapes.MANY.items():
        yield Dialect(name, _whole(whole))
        yield Dialect(f"{name}, in tag", _whole(whole, *tag))
    for name, shape in shapes.NOTHING.items():
        yield Dialect(name, _shaped(shape), needs="no arguments")


def _fences() -> Iterator[Dialect]:
    yield Dialect("fence, any tag", _fenced)
    yield Dialect(
        "fence in prose", _around(_fenced, f"{prose.BEFORE[0]}\n\n", f"\n\n{prose.AFTER[0]}")
    )
    yield Dialect("one fence for all", _around(_object(), "```json\n", "\n```"))
    yield Dialect("array in fence", _whole(shapes.MANY["array"], "```json\n", "\n```"))
    yield Dialect("tilde fence", _object("~~~json\n", "\n~~~"))
    yield Dialect("json action fence", _object("```json action\n", "\n```"))
    yield Dialect("fence never closed", _around(_object(), "```json\n", ""))


def _tags() -> Iterator[Dialect]:
    yield Dialect("<tool_call>", _object("<tool_call>\n", "\n</tool_call>"))
    yield Dialect(
        "<tool_call> in prose",
        _around(
            _object("<tool_call>", "</tool_call>"), f"{prose.BEFORE[1]}\n", f"\n{prose.AFTER[1]}"
        ),
    )
    yield Dialect("one <tool_call> for all", _around(_object(), "<tool_call>\n", "\n</tool_call>"))
    yield Dialect("<function_call>", _object("<function_call>", "</function_call>"))
    yield Dialect("<|python_tag|>", _around(_object(joint="; "), "<|python_tag|>", "<|eom_id|>"))
    yield Dialect("[TOOL_CALLS]", _whole(shapes.MANY["array"], "[TOOL_CALLS]"))
    yield Dialect(
        "[TOOL_CALLS] closed", _whole(shapes.MANY["array"], "[TOOL_CALLS] ", " [/TOOL_CALLS]")
    )
    yield Dialect("[TOOL_CALLS]name{json}", python_forms.named_object_after_mark, names="tag")
    yield Dialect("JSON_BEGIN", _object("JSON_BEGIN\n", "\nJSON_END"))
    yield Dialect("HTML-escaped tag", _object("&lt;tool_call&gt;\n", "\n&lt;/tool_call&gt;"))
    yield Dialect("fence in tag", _object("<tool_call>\n```json\n", "\n```\n</tool_call>"))
    yield Dialect("tag in fence", _object("```xml\n<tool_call>\n", "\n</tool_call>\n```"))
    yield Dialect("tag never closed", _object("<tool_call>\n"))
    yield Dialect("tag never opened", _object(closing="\n</tool_call>"))
    yield Dialect("tag closed by another", _mismatched)
    yield Dialect("tag closed by opener", _object("<tool_call>\n", "\n<tool_call>"))


def _elements() -> Iterator[Dialect]:
    yield Dialect("<function=f>{json}", _each(elements.function_json), names="tag")
    yield Dialect("<function=f><parameter=>", _each(elements.function_parameters), names="tag")
    yield Dialect("Qwen3-Coder parameters", _each(elements.qwen_parameters), names="tag")
    yield Dialect("Anthropic invoke", elements.invokes)
    yield Dialect("element per tool", _each(elements.tool_element), names="tag")
    yield Dialect("element per tool, escaped", _each(elements.escaped_tool_element), names="tag")
    yield Dialect("GLM pairs", _each(elements.glm), names="tag")
    yield Dialect("YAML in tag", _each(elements.yaml_in_tag))
    yield Dialect("ReAct", elements.react)
    yield Dialect("ReAct with thoughts", elements.react_with_thoughts, talks=True)


def _python() -> Iterator[Dialect]:
    forms = python_forms
    yield Dialect("Python list", forms.call_list, "code")
    yield Dialect("Python list in prose", forms.call_list_in_prose, "code")
    yield Dialect("Python list in fence", forms.call_list_in_fence, "code")
    yield Dialect("Python calls", forms.lines, "code", ends_line=True)
    yield Dialect("Python calls in prose", forms.lines_in_prose, "code", ends_line=True)
    yield Dialect("Python calls in fence", forms.lines_in_fence, "code")
    yield Dialect("Python behind python_tag", forms.lines_behind_python_tag, "code", ends_line=True)
    yield Dialect("Python in tag", forms.lines_in_tag, "code")
    yield Dialect("Python, semicolons", forms.semicolons, "code", ends_line=True)
    yield Dialect("Python, positional", forms.positional, "code", ends_line=True)
    yield Dialect("Python f({...})", forms.dict_argument, "code", ends_line=True)
    yield Dialect("Python f(**{...})", forms.starred, "code", ends_line=True)
    yield Dialect("Python in strings", forms.strings, "code")
    yield Dialect("Python in 'strings'", forms.single_quoted_strings, "code")
    yield Dialect("name {json}", forms.named_object, "code", ends_line=True)
    yield Dialect("name, {json} below", forms.named_object_below, "code", ends_line=True)


DIALECTS: tuple[Dialect, ...] = tuple(_dialects())
