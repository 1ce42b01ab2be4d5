"""Where the turns come from, by name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from langchain_toolemu.validation import fit
from tests.benchmarks.trust.agentdojo_turns import agentdojo_turns
from tests.benchmarks.trust.bfcl_turns import multi_turns, single_turns
from tests.benchmarks.trust.imports import is_there
from tests.benchmarks.trust.stranger_turns import stranger_turns
from tests.benchmarks.trust.tau2_turns import tau2_turns
from tests.benchmarks.trust.turns import Called, DataTurn, load_turns


@dataclass(frozen=True, slots=True)
class Source:
    """Some turns of one origin.

    Attributes:
        load: Gives the turns.
        package: What must be installed, or lie in the data folder.
    """

    load: Callable[[], Iterable[DataTurn]]
    package: str = "tests"


SOURCES: Mapping[str, Source] = {
    "everyday": Source(partial(load_turns, "everyday")),
    "loops": Source(partial(load_turns, "loops")),
    "strangers": Source(stranger_turns),
    "strangers-retold": Source(partial(stranger_turns, retold=True)),
    "strangers-alone": Source(partial(stranger_turns, alone=True)),
    "strangers-twice": Source(partial(stranger_turns, "twice")),
    "bfcl": Source(single_turns, "bfcl_eval"),
    "bfcl-multi-turn": Source(multi_turns, "bfcl_eval"),
    "tau2": Source(tau2_turns, "inspect_evals"),
    "agentdojo": Source(agentdojo_turns, "agentdojo"),
}


def available(names: Iterable[str]) -> list[str]:
    """Those of the sources whose data is there."""
    return [name for name in names if is_there(SOURCES[name].package)]


def valid_turns(turns: Iterable[DataTurn]) -> Iterator[DataTurn]:
    """The turns whose calls are valid: of a bound tool, with arguments that fit, in the form in which they are handed out."""
    for turn in turns:
        calls = [_fitted(call, turn) for call in turn.calls]
        if all(calls):
            yield replace(turn, calls=tuple(call for call in calls if call))


def _fitted(call: Called, turn: DataTurn) -> Called | None:
    functions = (tool["function"] for tool in turn.tools)
    schema = next((one["parameters"] for one in functions if one["name"] == call.name), None)
    fitted = fit(call.args, schema) if schema is not None else None
    return Called(call.name, fitted.args) if fitted and not fitted.errors else None
