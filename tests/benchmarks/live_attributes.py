"""How much state changes while one reply streams: `python -m tests.benchmarks.live_attributes [-v]`.

A scripted reply (words, a call, words) is streamed, and after each piece the objects of `turn`, `messages` and `reader.output`
that the turn has made are looked up, save what cannot change and messages. Of the piece with the most attributes, those of
each class are printed; what is only kept to spare a second calculation does not count.
"""

import gc
import sys
import warnings
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cached_property
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import BaseModel, Field

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.one_call import QUESTION, REPLY, get_weather

COUNTED = (
    "langchain_toolemu.turn",
    "langchain_toolemu.messages",
    "langchain_toolemu.reader.output",
)
WORDS = "Let me look at the weather there for you."
PIECE = 12

Attributes = dict[str, list[list[str]]]
"""The names of the attributes of each object, by class."""


class WatchedModel(BaseChatModel):
    """Streams its reply, and keeps the largest state that it found after a piece."""

    largest: Attributes = Field(default_factory=dict)

    @property
    def _llm_type(self) -> str:
        return "watched"

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        text = f"{WORDS}\n{REPLY}\n{WORDS}"
        for start in range(0, len(text), PIECE):
            yield ChatGenerationChunk(message=AIMessageChunk(text[start : start + PIECE]))
            self.largest = max(self.largest, by_class(changing_objects()), key=total)


def measure() -> Attributes:
    """The attributes of what changes while a reply streams."""
    model = WatchedModel()
    llm = ChatToolEmu(model, mode="force").bind_tools([get_weather])
    gc.collect()
    gc.freeze()  # what is there already is not looked through
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        list(llm.stream(QUESTION))
    return model.largest


def changing_objects() -> Iterator[Any]:
    """All live objects of the counted modules that can change."""
    for thing in gc.get_objects():
        kind: Any = type(thing)
        if str(kind.__module__).startswith(COUNTED):
            frozen = is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
            if not (frozen or isinstance(thing, tuple | BaseModel)):
                yield thing


def by_class(things: Iterator[Any]) -> Attributes:
    """The attributes of objects, by the names of their classes."""
    found: Attributes = {}
    for thing in things:
        kind = type(thing)
        name = f"{kind.__module__.removeprefix('langchain_toolemu.')}.{kind.__qualname__}"
        found.setdefault(name, []).append(attributes(thing))
    return found


def attributes(thing: Any) -> list[str]:
    """The attributes of an object: its slots, and what its dict holds."""
    members = [vars(kind) for kind in type(thing).__mro__]
    named = [name for one in members for name in one.get("__slots__", ())]
    named += getattr(thing, "__dict__", ())
    kept = {name for one in members for name in one if isinstance(one[name], cached_property)}
    return [name for name in named if name not in kept and not name.startswith("__")]


def total(found: Attributes) -> int:
    """How many attributes there are in all."""
    return sum(len(names) for objects in found.values() for names in objects)


def main() -> None:
    """Print the attributes of each class, and the sum."""
    found = measure()
    for name, objects in sorted(found.items(), key=lambda one: -sum(map(len, one[1]))):
        copies = f" ({len(objects)} objects)" if len(objects) > 1 else ""
        print(f"{sum(map(len, objects)):4}  {name}{copies}")
        if "-v" in sys.argv:
            print("     ", ", ".join(objects[0]))
    print(f"{total(found):4}  in all")


if __name__ == "__main__":
    main()
