"""Which tools act: those that change the state of a world, found out by running them.

A ground truth shows it for the tools that it calls. Any other tool is tried, with the values that ground truths give to
parameters of the same name, with those its schema names, and with the words of the world's own state.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import islice, product
from typing import Any, Protocol, TypeAlias

Called: TypeAlias = tuple[str, dict[str, Any]]
"""A call: the tool's name and the arguments."""

_TRIES = 40  # with one tool in one world
_PLAIN: Mapping[str, Sequence[Any]] = {
    "integer": (1,), "number": (1.0,), "boolean": (True, False), "array": ([],), "object": ({},),
}  # fmt: skip


class World(Protocol):
    """Tools and what they work on, in the state in which a task begins."""

    @property
    def described(self) -> Sequence[Mapping[str, Any]]:
        """The tools, as OpenAI's dicts."""

    @property
    def truth(self) -> Sequence[Sequence[Called]]:
        """The right calls of each turn."""

    def run(self, name: str, args: Mapping[str, Any]) -> tuple[str, bool]:
        """Run a call: its result, and whether it failed."""

    def state(self) -> Any:
        """What a call can change, to be compared."""


def changes(world: World, calls: Iterable[Called]) -> Iterator[bool]:
    """Make calls, and tell of each whether it changed the world."""
    before = deepcopy(world.state())
    for name, args in calls:
        world.run(name, args)
        after = world.state()
        changed = after != before
        if changed:
            before = deepcopy(after)
        yield changed


def acts_of(worlds: Sequence[World], tried_in: int) -> frozenset[str]:
    """The names of the tools that changed one of these worlds, which are used up by that.

    Args:
        worlds: Fresh worlds.
        tried_in: In how many worlds a tool is tried that no ground truth calls.
    """
    acts: set[str] = set()
    given: defaultdict[str, list[Any]] = defaultdict(list)
    called = set()
    for world in worlds:
        calls = [call for turn in world.truth for call in turn]
        changed = list(changes(world, calls))
        acts |= {name for (name, _), did in zip(calls, changed, strict=True) if did}
        for name, args in calls:
            called.add(name)
            _note(given, args)
    tools = {tool["function"]["name"]: tool["function"] for one in worlds for tool in one.described}
    for name in sorted(tools.keys() - called):
        if _is_act(tools[name], [one for one in worlds if _has(one, name)][:tried_in], given):
            acts.add(name)
    return frozenset(acts)


def _note(given: Mapping[str, list[Any]], args: Mapping[str, Any]) -> None:
    for parameter, value in args.items():
        if value not in given[parameter]:
            given[parameter].append(value)


def _has(world: World, name: str) -> bool:
    return any(tool["function"]["name"] == name for tool in world.described)


def _is_act(
    tool: Mapping[str, Any], worlds: Iterable[World], given: Mapping[str, Sequence[Any]]
) -> bool:
    return any(
        any(changes(world, ((tool["name"], args) for args in _tries(tool, world, given))))
        for world in worlds
    )


def _tries(
    tool: Mapping[str, Any], world: World, given: Mapping[str, Sequence[Any]]
) -> Iterator[dict[str, Any]]:
    """Arguments to try a tool with."""
    schema = tool["parameters"]
    required = list(schema.get("required", ()))
    about = schema.get("properties", {})
    values = [_values(name, about[name], world, given) for name in required]
    for chosen in islice(product(*values), _TRIES):
        yield dict(zip(required, chosen, strict=True))


def _values(
    name: str, about: Mapping[str, Any], world: World, given: Mapping[str, Sequence[Any]]
) -> list[Any]:
    known = [*given.get(name, ())[:3], *about.get("enum", ())]
    kind = about.get("type", "string")
    return [*known, *(_words(world.state()) if kind == "string" else _PLAIN.get(kind, ()))]


def _words(state: Any) -> Iterator[str]:
    """Every short text of a state."""
    if isinstance(state, str):
        if len(state) <= 40:
            yield state
    elif isinstance(state, Mapping | list):
        for one in (*state, *state.values()) if isinstance(state, Mapping) else state:
            yield from _words(one)
