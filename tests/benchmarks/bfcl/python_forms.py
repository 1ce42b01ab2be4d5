"""Calls as Python: what models in prompt mode are asked for most often."""

import json
from collections.abc import Sequence

from tests.benchmarks.bfcl import prose
from tests.benchmarks.bfcl.cases import Called
from tests.benchmarks.bfcl.pen import Pen, python_call, python_value


def call_list(calls: Sequence[Called], pen: Pen) -> str:
    return pen.python(f"[{', '.join(map(python_call, calls))}]")


def call_list_in_prose(calls: Sequence[Called], pen: Pen) -> str:
    before, after = pen.rng.choice(prose.BEFORE), pen.rng.choice(prose.AFTER)
    return f"{before}\n\n{call_list(calls, pen)}\n\n{after}"


def call_list_in_fence(calls: Sequence[Called], pen: Pen) -> str:
    return f"```python\n{call_list(calls, pen)}\n```"


def lines(calls: Sequence[Called], pen: Pen) -> str:
    return "\n".join(pen.python(python_call(call)) for call in calls)


def lines_in_prose(calls: Sequence[Called], pen: Pen) -> str:
    return f"{pen.rng.choice(prose.BEFORE)}\n\n{lines(calls, pen)}\n\n{pen.rng.choice(prose.AFTER)}"


def lines_in_fence(calls: Sequence[Called], pen: Pen) -> str:
    tag = pen.rng.choice(("", "python", "tool_code", "py", "Python"))
    return f"```{tag}\n{lines(calls, pen)}\n```"


def lines_behind_python_tag(calls: Sequence[Called], pen: Pen) -> str:
    return f"<|python_tag|>{lines(calls, pen)}"


def lines_in_tag(calls: Sequence[Called], pen: Pen) -> str:
    return f"<tool_call>\n{lines(calls, pen)}\n</tool_call>"


def semicolons(calls: Sequence[Called], pen: Pen) -> str:
    return "\n".join(f"{pen.python(python_call(call))};" for call in calls)


def positional(calls: Sequence[Called], pen: Pen) -> str:
    """As many arguments without their names as stand first in the schema."""
    return "\n".join(pen.python(python_call(call, _leading(call))) for call in calls)


def _leading(call: Called) -> int:
    pairs = list(zip(call.args, call.declared, strict=False))
    return next((number for number, (one, two) in enumerate(pairs) if one != two), len(pairs))


def dict_argument(calls: Sequence[Called], pen: Pen) -> str | None:
    """`f({...})`; a tool whose first argument takes an object could mean that one by it."""
    return "\n".join(pen.python(f"{one.name}({python_value(dict(one.args))})") for one in calls)


def starred(calls: Sequence[Called], pen: Pen) -> str:
    return "\n".join(pen.python(f"{one.name}(**{python_value(dict(one.args))})") for one in calls)


def strings(calls: Sequence[Called], pen: Pen) -> str:
    """A list of strings that each hold a call."""
    return pen.json([python_call(call) for call in calls])


def single_quoted_strings(calls: Sequence[Called], pen: Pen) -> str:
    """The same as Python shows it: single quotes outside, double ones inside."""
    return f"[{', '.join(repr(python_call(call)) for call in calls)}]"


def named_object(calls: Sequence[Called], pen: Pen) -> str:
    return "\n".join(f"{call.name} {pen.json(dict(call.args))}" for call in calls)


def named_object_below(calls: Sequence[Called], pen: Pen) -> str:
    return "\n".join(f"{call.name}\n{pen.json(dict(call.args))}" for call in calls)


def named_object_after_mark(calls: Sequence[Called], pen: Pen) -> str:
    """Mistral's newer form."""
    return "".join(
        f"[TOOL_CALLS]{call.name}{json.dumps(call.args, ensure_ascii=False)}" for call in calls
    )
