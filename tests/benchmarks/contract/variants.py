"""The contestants: our settings, variants with one thing changed at a time, and rivals. Each is made of a plain chat model."""

import os
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Any
from unittest import mock

from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatResult

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.contract import CAPABLE, SMALL, SMALLEST
from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.contract.examples import (
    Example,
    ExampleWriter,
    write_examples,
    write_four,
    write_three,
)
from langchain_toolemu.contract.rules import CONTINUATION, Recipe
from langchain_toolemu.contract.shortlist import ToolLimit
from langchain_toolemu.tools import ToolSet
from langchain_toolemu.turn import after_reply
from tests.benchmarks.contract.candidates import CANDIDATES
from tests.benchmarks.contract.renderings import as_json_schema, as_typescript
from tests.benchmarks.contract.rivals import AdHoc, Elsewhere, FewShot

_GREETING = ("Hello!", "Hello! How can I help you?")
_THANKS = ("Thank you!", "You are welcome!")
_ANSWER = "Here is the result: example result."
_FACT = ("How do magnets work?", "Magnets pull on iron because of their magnetic field.")


def _ours(**settings: Any) -> Callable[[BaseChatModel], Any]:
    return lambda llm: ChatToolEmu(llm=llm, **{"mode": "force", "cache": False, **settings})


def _recipe(**changed: Any) -> Callable[[BaseChatModel], Any]:
    """The contract for the smallest models, which depend on its wording most, with something changed."""
    return _ours(contract=replace(SMALLEST, **changed))


def _taught(*steps: Any) -> Callable[[BaseChatModel], Any]:
    """Examples in this order: pairs of words as they are, a number for a call of that tool, two for a task of two."""

    def write(tools: ToolSet, dialect: Dialect, continuation: str) -> tuple[Example, ...]:
        writer, specs, turns = (
            ExampleWriter(dialect, continuation),
            tools.specs * 3,
            list[Example](),
        )
        for step in steps:
            match step:
                case int():
                    turns.append(writer.call(specs[step - 1]))
                case (int() as one, int() as two):
                    turns += writer.task(specs[one - 1], specs[two - 1])
                case [int() as one]:
                    turns += writer.question(specs[one - 1])
                case _:
                    turns.append(step)
        return tuple(turns)

    return _recipe(examples=write)


def _answering(words: str) -> Callable[[BaseChatModel], Any]:
    """The examples with other words around a result."""

    def write(tools: ToolSet, dialect: Dialect, continuation: str) -> tuple[Example, ...]:
        found = write_examples(tools, dialect, continuation)
        return tuple((asked, words if said == _ANSWER else said) for asked, said in found)

    return _recipe(examples=write)


_ONE_AT_A_TIME = Lock()  # the rules are the module's


class WithoutRule(ChatToolEmu):
    """Ours with one rule switched off."""

    rule: str

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        kept = tuple(one for one in after_reply.RULES if one[1].__name__ != self.rule)
        with _ONE_AT_A_TIME, mock.patch.object(after_reply, "RULES", kept):
            return super()._generate(*args, **kwargs)


def _without(rule: str) -> Callable[[BaseChatModel], Any]:
    return lambda llm: WithoutRule(llm=llm, mode="force", cache=False, rule=rule)


def _set(**settings: Any) -> Callable[[BaseChatModel], Any]:
    """The default mode, and these settings."""
    return lambda llm: ChatToolEmu(llm=llm, **{"cache": False, **settings})


# --- several calls ---

BARE_LIST = Dialect("bare list", opening="[", closing="]", between=", ")
IN_A_LIST = "If several things are asked for, put one such object for each into the list."
PART_MISSING = (
    "{question}\n(Above are the results so far. If a part of this is still missing, make the next call. "
    "If all is done, answer in plain words.)"
)


def _default(recipe: Recipe, **changed: Any) -> Callable[[BaseChatModel], Any]:
    """Nothing set but the recipe: a model is asked natively where its server claims tools."""
    return lambda llm: ChatToolEmu(llm=llm, cache=False, contract=replace(recipe, **changed))


RULES = (
    "_bad_call",
    "_bad_arguments",
    "_refusal",
    "_empty_reply",
)

_TOOL_LIMITS = {
    "shortlist 8 without hints": ToolLimit(8, 8, 0),
    "shortlist 8 above 20": ToolLimit(20, 8),
    "shortlist 12 above 20": ToolLimit(20, 12),
}

VARIANTS: dict[str, Callable[[BaseChatModel], Any]] = {
    "auto": _set(),
    "nothing set": _set(),
    "inline": _set(flow="inline"),
    "decision": _set(flow="decision"),
    "force": _ours(),
    "capable": _ours(contract=CAPABLE),
    "small": _ours(contract=SMALL),
    "smallest": _ours(contract=SMALLEST),
    "quotes": _ours(constrain="quotes"),
    "no grammar": _ours(constrain="never"),
    "fenced": _ours(dialect="fenced"),
    "tagged": _ours(dialect="tagged"),
    "JSON Schema": _recipe(render=as_json_schema),
    "TypeScript": _recipe(render=as_typescript),
    "examples told": _recipe(examples_as_turns=False),
    "no examples": _ours(examples=False),
    "no fact, no question": _taught(_GREETING, (1, 2), _THANKS, 3),
    "a question, no fact": _taught(_GREETING, (1, 2), [3], _THANKS, 1),
    "a fact, no question": _taught(_GREETING, (1, 2), 3, _FACT, 1),
    "the fact last": _taught(_GREETING, (1, 2), [3], 1, _FACT),
    "calls only": _taught((1, 2), [3], 1),
    **{
        f"answers {words}": _answering(f"{words} example result.".removeprefix("Bare: "))
        for words in (
            "Done:",
            "It is",
            "The result is",
            "The answer is",
            "Here is the result:",
            "Here you go:",
            "I got",
            "Bare:",
        )
    },
    "question repeated": _recipe(continuation=f"The user asked: {{question}}\n{CONTINUATION}"),
    "no re-asks": _ours(max_reasks=0),
    "shortlist off": _ours(max_tools_shown=None),
    **{f"shortlist {most}": _ours(max_tools_shown=most) for most in (4, 8, 16)},
    **{
        f"{recipe.name} {name}": _ours(contract=replace(recipe, tools_shown=limit))
        for recipe in (CAPABLE, SMALL)
        for name, limit in _TOOL_LIMITS.items()
    },
    "three examples": _default(CAPABLE, examples=write_three, several=SMALL.several),
    "part missing": _default(CAPABLE, continuation=PART_MISSING),
    # For a model of half a billion parameters.
    "small pair": _default(SMALL, examples=write_four, several=CAPABLE.several),
    "small list": _default(
        SMALL,
        dialect=BARE_LIST,
        examples=write_four,
        several=IN_A_LIST,
    ),
    **{f"policy {name}": _set(policy=name) for name in ("trust", "default", "careful", "strict")},
    **{f"without {rule.strip('_')}": _without(rule) for rule in RULES},
    **CANDIDATES,
    "native": lambda llm: llm,
    "ad hoc": lambda llm: AdHoc(llm=llm, cache=False),
    "few-shot": lambda llm: FewShot(llm=llm, cache=False),
    # Run by the interpreter that RIVAL_PYTHON names: see elsewhere.py.
    "tool-calling-llm": lambda llm: Elsewhere(
        llm=llm, python=os.environ.get("RIVAL_PYTHON", "python"), cache=False
    ),
}
