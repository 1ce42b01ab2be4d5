"""Calls written as elements: `<function=f>`, `<invoke name="f">`, `<f>`, GLM's key and value pairs.

A call is a tool's name with its arguments as elements, as one object, or as YAML in the tool's own
element.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import regex

from langchain_toolemu.reader import tags
from langchain_toolemu.reader import vocabulary as words
from langchain_toolemu.reader.call_arguments import FoundCall, are_known, found_call, hold_arguments
from langchain_toolemu.reader.call_shapes import Named
from langchain_toolemu.reader.events import CallStarted
from langchain_toolemu.reader.literals import texts as literals
from langchain_toolemu.reader.literals.frames import GIVEN_TWICE
from langchain_toolemu.reader.literals.strings import LongText, RunningText
from langchain_toolemu.reader.notations import element_texts, outcome
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.window import Waiting
from langchain_toolemu.tools import ToolSpec

_MIXED = "an object is among its elements"
_UNCLOSED = "a closing tag is missing, and it can be read in two ways"
_ELEMENT = regex.compile(r"(?:<|&lt;)[A-Za-z_][\w.-]*(?:>|&gt;)")
_NAME_TEXT = re.compile(r"[\w.\-\\ \n:]+")
_KEY_TEXT = re.compile(r"[^<&=]+")
OPEN_KEY = regex.compile(r"(?:<tool_call>\s*)?([\w-]+)\s*</arg_key>")  # sample glm-lost-key
_PAIR_TAG = re.compile("<arg_value>|</arg_key>")
_KEY_TAGS = tags.TagSet({"argkey"})


@dataclass(eq=False)
class ElementCall(outcome.Notation):
    """Reads one call from after its opening tag."""

    _written: str | None
    _tag: tags.Tag | None = None
    _listed: dict[str, bool] = field(default_factory=dict)
    _key: str | None = None
    _parts: int = 0
    _object: outcome.Outcome = outcome.NOT_A_CALL
    _bad: outcome.Bad | None = None
    _begun: bool = False  # whether it is being streamed

    def __post_init__(self) -> None:
        super().__post_init__()
        tag, self._tags = self._tag, self._context.argument_tags
        self._call_it(self._written)
        self._texts = self._attributes()
        # All arguments in one attribute: `<invoke name="get_weather" arguments="city=Paris"/>`.
        others = [pair for pair in (tag.attributes if tag else ()) if pair[0] not in self._texts]
        given = (text for key, text in others if tags.word_of(key) in words.ARGUMENTS)
        self._given: Any = next(given, None)
        self.container = tag.word if tag else ""
        self._in_element = self.container in self._context.tool_words
        self._closed = tag is not None and tag.empty

    def read(self) -> Waiting[outcome.Outcome]:
        """Consume the call."""
        while not self._closed and (yield from self._part()):
            pass
        return self._settle()

    def _call_it(self, written: str | None) -> None:
        self._written = written
        self._spec = spec = self._context.resolve(written) if written else None
        known = self._context.parameter_words
        self._spec_words = frozenset(map(tags.word_of, spec.properties)) if spec else known

    def _attributes(self) -> dict[str, list[str]]:
        """Arguments in the tag itself: `<get_weather city="Paris"/>`."""
        spec, tag = self._spec, self._tag
        if spec is None or tag is None:
            return {}
        taken = () if tag.word in self._context.tool_words else ("name", "tool", tag.written)
        given = [pair for pair in tag.attributes if pair[0] in spec.properties]
        return {key: [value] for key, value in given if key not in taken}

    def _part(self) -> Waiting[bool]:
        """Consume one element, or what else may come between them; whether to go on."""
        char = yield from self._window.past_space()
        if char == "{":
            return (yield from self._json())
        if char and char in "`~":
            return (yield from tags.skip_fence(self._window))
        if found := (yield from self._window.expect(OPEN_KEY)):
            self._window.pos += found.end()
            self._key = found[1]
            return True
        if not char or char not in "<&]":
            return bool(char) and (yield from self._yaml())
        tag = yield from self._tags.peek(self._window)
        if tag is None and self._in_element:  # one that the tool does not know is an argument, too
            foreign = yield from self._window.expect(_ELEMENT)
            tag = tags.parse_tag(foreign.group()) if foreign else None
        if tag is None or words.ENDING.match(tag.raw):
            self._closed = (yield from self._window.expect(words.ENDING)) is not None
            return False
        return self._closing(tag) if tag.closing else (yield from self._element(tag))

    def _closing(self, tag: tags.Tag) -> bool:
        if tag.word in words.ELEMENTS - words.NAME:
            self._window.pos += len(tag.raw)
            return True
        self._closed = True
        if tag.word in words.WEAK | self._context.tool_words:
            self._window.pos += len(tag.raw)
        return False

    def _element(self, tag: tags.Tag) -> Waiting[bool]:
        if tag.word in words.PARTICULARS:  # sample server-name
            return (yield from self._text(tag)) is not None
        if tag.word in words.PARAMETER and tag.value:
            return (yield from self._argument(tag, tag.value))
        if self._written and (tag.word in self._spec_words or tag.word not in self._tags.words):
            return (yield from self._argument(tag, tag.written))
        if tag.word == "argkey":
            return (yield from self._pair_key(tag))
        if tag.word == "argvalue" and self._key:
            name, self._key = self._key.strip(), None
            if not self._begun:
                self._texts.pop(name, None)  # sample glm-key-twice
            return (yield from self._argument(tag, name))
        if tag.word in words.NAME and self._written is None:
            return (yield from self._name(tag))
        if tag.word in words.ARGUMENTS:
            return (yield from self._arguments(tag))
        if tag.word in words.PARAMETER | words.PAIR:
            self._refuse("an argument has no name")
            return (yield from self._text(tag)) is not None
        self._closed = tag.word in words.CLOSE
        return False

    def _pair_key(self, tag: tags.Tag) -> Waiting[bool]:
        """Consume a key.

        One without a value is dropped; a tag may be missing or doubled. Samples glm-open-tags,
        glm-joined-pair.
        """
        self._parts += 1
        self._window.pos += len(tag.raw)
        self._key = yield from self._window.run(_KEY_TEXT)
        joined = (yield from self._window.peek()) == "="
        while (closer := (yield from _KEY_TAGS.peek(self._window))) and closer.closing:
            self._window.pos += len(closer.raw)
        char = yield from self._window.past_space()
        if not char:
            self._bad = self._bad or outcome.Bad("cut", outcome.CUT)
        elif char not in "<&]":
            name, self._key = self._key.strip(), None
            read = yield from self._argument(replace(tag, word="argvalue", raw="=" * joined), name)
            if _PAIR_TAG.search("".join(self._texts.get(name, ()))):
                self._refuse(_UNCLOSED)
            return read
        return bool(char)

    def _refuse(self, why: str) -> None:
        self._bad = self._bad or outcome.Bad("unreadable", why)

    def _name(self, tag: tags.Tag) -> Waiting[bool]:
        self._window.pos += len(tag.raw)
        text = yield from self._window.run(_NAME_TEXT)
        closer = yield from tags.TagSet({tag.word}).peek(self._window)
        if closer is None or not closer.closing or not text.strip():
            return False
        self._window.pos += len(closer.raw)
        self._parts += 1
        self._call_it(text.strip())
        return True

    def _argument(self, tag: tags.Tag, name: str) -> Waiting[bool]:
        reader = element_texts.ElementText(self._window, tag, self, self._follower(tag, name))
        if not (yield from self._read_text(reader)):
            return False
        self._parts += 1
        self._add(name, reader.text)
        for other, text in reader.others:
            self._add(other.value or other.written, text)
        return True

    def _add(self, name: str, text: str) -> None:
        """Add an argument.

        If it is given twice, it becomes a list if the schema wants one; else the call is refused.
        """
        texts = self._texts.setdefault(name, [])
        if texts and name not in self._listed:  # asked once, however many items there are
            kinds = self._spec.kinds_of(self._declared(name)) if self._spec else ()
            self._listed[name] = "array" in kinds
        if not texts or self._listed[name]:
            texts.append(text)
        elif text not in texts:
            self._refuse(GIVEN_TWICE.format(name))

    def _follower(self, tag: tags.Tag, name: str) -> LongText | None:
        """The object that streams a long argument, if nothing before it was repaired."""
        spec = self._context.tools.exact(self._written or "")
        if spec is None or self._bad or tag.escaped or self._begun or name in self._texts:
            return None
        begin = partial(self._begin, spec, self._declared(name))
        return LongText(self._context.output, begin, RunningText())

    def _begin(self, spec: ToolSpec, key: str) -> CallStarted | None:
        started = outcome.beginning(self._context, self._envelope, spec, self._args(spec), key)
        self._begun = started is not None
        return started

    def _arguments(self, tag: tags.Tag) -> Waiting[bool]:
        """All arguments in one element: an object, elements, or the text of the only one."""
        first = yield from tags.first_after(self._window, tag)
        if first in ("{", "<", "`", "]", ""):
            self._window.pos += len(tag.raw)
            return True
        self._parts += 1
        self._given = yield from self._text(tag)
        return self._given is not None

    def _json(self) -> Waiting[bool]:
        if not isinstance(self._object, outcome.NotACall):
            return False
        if self._written is None or self._texts:
            self._refuse(_MIXED)
            return False
        named = Named(self._written, certain=True)
        self._object = yield from ObjectReader(self._context, self._envelope, named).read()
        return not isinstance(self._object, outcome.NotACall)

    def _yaml(self) -> Waiting[bool]:
        """Arguments as YAML inside the tool's own element. Sample yaml-in-element."""
        spec = self._spec
        if spec is None or not self._in_element or self._parts or self._tag is None:
            return False
        reader = element_texts.ElementText(self._window, replace(self._tag, raw=""), self)
        yield from reader.read()
        root, fault = literals.read_yaml(reader.text) if reader.closed else ([], outcome.CUT)
        args = root[0] if len(root) == 1 else None
        if isinstance(args, dict) and not fault and are_known(args, spec):
            self._closed, self._given = True, literals.typed_yaml(args, spec)
        return False

    def _text(self, tag: tags.Tag) -> Waiting[str | None]:
        reader = element_texts.ElementText(self._window, tag, self)
        return reader.text if (yield from self._read_text(reader)) else None

    def _read_text(self, reader: element_texts.ElementText) -> Waiting[bool]:
        closed = yield from reader.read()
        if not closed:
            self._bad = self._bad or outcome.Bad("cut", outcome.CUT)
        if reader.doubtful:
            self._refuse(_UNCLOSED)
        return closed

    @property
    def is_cut(self) -> bool:
        """Whether the reply ended by the length limit."""
        return self._context.cut

    def parse(self, text: str) -> tags.Tag | None:
        """The tag at the start of a text, under a word that the call knows."""
        tag = tags.parse_tag(text)
        return tag and (self._tags.known(tag) or tag)

    def awaits(self, tag: tags.Tag) -> bool:
        """Whether a tag names an argument of the tool that was not given yet."""
        spec = self._spec
        if spec is None or tag.word not in words.PARAMETER or tag.value is None:
            return False
        name = self._declared(tag.value)
        return name in spec.properties and not {name, tag.value} & self._texts.keys()

    def may_follow(self, tag: tags.Tag) -> bool:
        """Whether a tag can come after an argument."""
        if tag.closing or tag.word in words.CLOSE:
            ends = element_texts.CALL_WORDS | words.CLOSE | words.ARGUMENTS
            return tag.word in ends | {self.container}
        first = words.NAME if self._written is None else frozenset()
        known = words.PARAMETER | words.PAIR | words.ARGUMENTS | self._spec_words | first
        other = words.ENDING.match(tag.raw) or (self._in_element and _ELEMENT.match(tag.raw))
        return bool(other) or tag.word in known or element_texts.begins_call(tag)

    def ends_with(self, tag: tags.Tag) -> bool:
        """Whether a tag after an argument does not end another call."""
        own = words.ARGUMENTS | {self.container}
        return not (tag.closing and self.container) or tag.word in own

    def _settle(self) -> outcome.Outcome:
        if not isinstance(self._object, outcome.NotACall):
            return self._object
        cut = not self._closed and self._context.reach_cut()
        if not (self._bad or self._parts or self._closed or cut):
            return self._object  # a tag, and nothing of its own
        if self._given and self._texts:
            self._refuse(_MIXED)
        found = self._found()
        if self._is_only_talk(found):
            return self._object
        if self._written is None:
            return outcome.Bad("unreadable", outcome.NAMELESS)
        if cut or (found.lacks and not self._closed):
            self._bad = self._bad or outcome.Bad("cut", outcome.CUT)
        if self._bad:
            return replace(self._bad, name=self._written)
        return outcome.Calls([found], () if self._closed else ("a missing closing tag was added",))

    def _is_only_talk(self, found: FoundCall) -> bool:
        if self._begun:
            return False
        if self._bad:
            return not (self._envelope.explicit or found.spec)
        named_only = not (self._texts or self._given or self._closed)
        return not self._envelope.explicit and (named_only or not found.meant)

    def _found(self) -> FoundCall:
        written = (self._written or "").strip()
        spec = self._context.resolve(written)
        if spec is None:
            return FoundCall(written, None, {})
        if self._given is not None and not self._texts:
            return found_call(written, spec, self._given)
        args = self._args(spec)
        return found_call(written, spec, self._nested(args, spec) or args)

    def _nested(self, args: Mapping[str, Any], spec: ToolSpec) -> Any:
        """All arguments, where they are in an element that has the name of one of them."""
        [(key, value)] = args.items() if len(args) == 1 else [("", None)]
        if tags.word_of(key) not in words.ARGUMENTS:
            return None
        [text] = next(iter(self._texts.values()))[:1]
        inner = element_texts.read_children(text) if text.lstrip().startswith("<") else value
        return inner if hold_arguments(inner, spec, key) else None

    def _args(self, spec: ToolSpec) -> dict[str, Any]:
        args = {}
        for name, texts in self._texts.items():
            key = self._declared(name)
            values = [_value(text, spec, key) for text in texts]
            args[key] = values[0] if len(values) == 1 else values
        return args

    def _declared(self, name: str) -> str:
        spec = self._spec
        if spec is None or name in spec.properties:
            return name
        fitting = [key for key in spec.properties if tags.word_of(key) == tags.word_of(name)]
        return fitting[0] if len(fitting) == 1 else name


def _value(text: str, spec: ToolSpec, key: str) -> Any:
    kinds = spec.kinds_of(key)
    if "string" not in kinds and text.lstrip().startswith(("<", tags.MINIMAX)):
        children = element_texts.read_children(text.replace(tags.MINIMAX, ""))
        if children is not None:
            return children
    return literals.read_typed(text, spec, key)
