"""From a case, a dialect and a fault to a reply; `None` where the three do not meet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from langchain_toolemu.tools import ToolSet
from tests.benchmarks.bfcl import prose
from tests.benchmarks.bfcl.cases import Called, Case
from tests.benchmarks.bfcl.dialects import Dialect
from tests.benchmarks.bfcl.faults import Fault
from tests.benchmarks.bfcl.pen import Pen
from tests.benchmarks.bfcl.reading import Reply
from tests.benchmarks.bfcl.silences import Silence


def write(case: Case, dialect: Dialect, seed: str) -> Reply | None:
    """The case's calls, without a fault."""
    fit = _for_dialect(case, dialect)
    text = dialect.write(fit.calls, Pen(seed)) if fit else None
    return _reply(text, fit, dialect, talks=dialect.talks) if fit and text else None


def write_silence(case: Case, silence: Silence, seed: str) -> Reply:
    """A text that calls nothing."""
    return Reply(silence(case, Random(seed)), replace(case, calls=()))


def write_faulty(case: Case, dialect: Dialect, fault: Fault, seed: str) -> Reply | None:
    """The case's calls, with a fault at a place drawn from the seed."""
    rng = Random(seed)
    fit = _for_dialect(case, dialect)
    if fit and fault.reword:
        fit = fault.reword(fit, rng)
    spoken = _spoken(fit, dialect, fault, rng) if fit else None
    text = _marred(spoken, dialect, fault, seed) if spoken else None
    if fit is None or text is None:
        return None
    text = _before(fit, dialect, fault, seed) + text + _after(dialect, fault, rng)
    if fault.cut:
        text = fault.cut(text, fit, rng) or ""
    if not text:
        return None
    reply = _reply(text, fit, dialect, talks=dialect.talks or fault.talks)
    return replace(reply, cut=fault.limit, may_refuse=fault.may_refuse or reply.may_refuse)


def _reply(text: str, case: Case, dialect: Dialect, *, talks: bool) -> Reply:
    """A reply; the same call again, with words in between, may be the same call told twice."""
    forced = case.calls[0].name if dialect.needs == "one call" else None
    twins = any(one == other for one, other in combinations(case.calls, 2))
    return Reply(text, case, forced, may_refuse=talks and twins)


def _for_dialect(case: Case, dialect: Dialect) -> Case | None:
    match dialect.needs:
        case "one call":
            return case if len(case.calls) == 1 else None
        case "no arguments":
            return _without_arguments(case)
    return case


def _without_arguments(case: Case) -> Case:
    """The same tools with nothing required, called with nothing: the data has no such call."""
    specs = [replace(spec, parameters=_optional(spec.parameters)) for spec in case.tools]
    calls = tuple(replace(call, args={}) for call in case.calls[:1])
    return replace(case, tools=ToolSet(specs), calls=calls)


def _optional(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in parameters.items() if key != "required"}


def _spoken(case: Case, dialect: Dialect, fault: Fault, rng: Random) -> Sequence[Called] | None:
    """The calls as the model spells them; `None` if the fault finds nothing to respell."""
    if fault.speak is None:
        return case.calls
    if dialect.needs == "one call" and fault.code.startswith("n"):
        return None  # no name is written
    respelt = [fault.speak(call, case, dialect, rng) for call in case.calls]
    if not any(respelt):
        return None
    return [new or call for new, call in zip(respelt, case.calls, strict=True)]


def _marred(calls: Sequence[Called], dialect: Dialect, fault: Fault, seed: str) -> str | None:
    plain = Pen(seed)
    text = dialect.write(calls, plain)
    if text is None or fault.mar is None:
        return text
    for targets in _targets(fault, plain.written, seed):
        pen = Pen(seed, fault.mar, targets, plain.written)
        text = dialect.write(calls, pen)
        if pen.marred:
            return text
    # A spelling may need no marring: a backslash stands in a tag as it is.
    return dialect.write(calls, plain) if fault.speak else None


def _targets(fault: Fault, bodies: int, seed: str) -> Iterator[frozenset[int] | None]:
    if fault.everywhere:
        yield None
        return
    for number in Random(seed).sample(range(bodies), bodies):
        yield frozenset({number})


def _before(case: Case, dialect: Dialect, fault: Fault, seed: str) -> str:
    if "{}" not in fault.before:
        return fault.before
    other = dialect.write([_other(call) for call in case.calls], Pen(seed)) or ""
    return fault.before.replace("{}", other)


def _other(call: Called) -> Called:
    """A call that the truth does not hold."""
    args = dict(call.args)
    for name, value in list(args.items())[:1]:
        args[name] = f"{value}?" if isinstance(value, str) else 0 if value else 1
    return replace(call, args=args)


def _after(dialect: Dialect, fault: Fault, rng: Random) -> str:
    if not fault.after:
        return ""
    joints = ("\n", "\n\n") if dialect.ends_line else ("\n", "\n\n", " ")
    return rng.choice(joints) + rng.choice(prose.AFTER)
