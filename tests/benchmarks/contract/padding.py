"""Many tools: the tools of a question padded with those of other questions, the right one at a random place."""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.benchmarks.contract.public_cases import PublicCase, public_cases

COUNTS = (3, 20, 60, 200)
_WORD = re.compile(r"[A-Z]?[a-z]+|\d+")
_SIMILAR = 0.3  # share of common words above which two tools may do the same


def padded_cases(count: int, limit: int = 40) -> list[PublicCase]:
    """Questions for one of several tools, beside so many tools; those of a smaller count are among them."""
    others = distinct_tools(tool for case in public_cases("padding") for tool in case.tools)
    return [
        case._replace(tools=padded_tools(case, others, count))
        for case in public_cases("multiple")[:limit]
    ]


def padded_tools(case: PublicCase, others: Sequence[Any], count: int) -> list[dict[str, Any]]:
    """The right tool among others: first those of its own question, then foreign ones that do something else."""
    name = case.truths[0].name
    (right,) = (tool for tool in case.tools if tool["function"]["name"] == name)
    own = [tool for tool in case.tools if tool is not right]
    foreign = [tool for tool in others if not are_similar(tool, right)]
    random.Random(case.id).shuffle(foreign)
    wrong = distinct_tools([right, *own, *foreign])[1:count]
    order = random.Random(f"{case.id} {count}")
    order.shuffle(wrong)
    wrong.insert(order.randint(0, len(wrong)), right)
    return wrong


def distinct_tools(tools: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tools without those whose name came before."""
    found: dict[str, dict[str, Any]] = {}
    for tool in tools:
        found.setdefault(tool["function"]["name"], tool)
    return list(found.values())


def are_similar(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two tools share so many words that either might be right."""
    words, more = _words(one), _words(other)
    return len(words & more) / len(words | more) > _SIMILAR


def _words(tool: Mapping[str, Any]) -> set[str]:
    function = tool["function"]
    return {word.lower() for word in _WORD.findall(f"{function['name']} {function['description']}")}
