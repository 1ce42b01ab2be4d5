"""What goes wrong in one body, token by token.

Each function gives the tokens as they should stand, or `None` where the body offers it no place. Strings
come whole and in double quotes, so that none of this ever happens inside one unless it is meant to.
"""

import json
import re
from collections.abc import Callable, Sequence
from random import Random

from tests.benchmarks.bfcl import prose
from tests.benchmarks.bfcl.pen import Body, Mar, Tokens

_NUMBER = re.compile(r"-?\d[\d.eE+\-]*\Z")
_LITERALS = {"true": "True", "false": "False", "null": "None"}
_SMART = re.compile("[\u201c\u201d\u201e\u2018\u2019]")


def each_string(rewrite: Callable[[str, str], str | None], *, part: bool = True) -> Mar:
    """Strings written in another way: all of them, or some of them drawn at random."""

    def mar(body: Body, rng: Random) -> Tokens | None:
        places = {
            place: new
            for place, token in enumerate(body.tokens)
            if token.startswith('"')
            and (new := rewrite(json.loads(token), token)) is not None
            and new != token
        }
        if not places:
            return None
        some = part and rng.random() < 0.3
        chosen = rng.sample(sorted(places), rng.randint(1, len(places))) if some else places
        return [places[at] if at in chosen else one for at, one in enumerate(body.tokens)]

    return mar


def single_quoted(value: str, token: str) -> str:
    inner = token[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{inner}'"


def _holds_code(value: str) -> bool:
    """Whether a string is JSON or a Python call itself, with quotes of its own."""
    return re.match(r"[\[{]|[\w.]+\(", value) is not None


def apostrophes_unescaped(value: str, token: str) -> str | None:
    return None if _holds_code(value) or re.search(r"[\n\\]", value) else f"'{value}'"


def smart_quoted(value: str, token: str) -> str | None:
    return None if _holds_code(value) or _SMART.search(value) else f"“{token[1:-1]}”"


def raw_lines(value: str, token: str) -> str | None:
    if "\n" not in value or "\\" in value:
        return None
    return token.replace("\\n", "\n").replace("\\t", "\t")


def undoubled(value: str, token: str) -> str | None:
    return token.replace("\\\\", "\\") if "\\" in value else None


def quotes_unescaped(value: str, token: str) -> str | None:
    return token.replace('\\"', '"') if '"' in value and not _holds_code(value) else None


def code_unescaped(value: str, token: str) -> str | None:
    """`"arguments": "{"a": 1}"`: which quotes are whose, only the eye can tell."""
    return f'"{value}"' if '"' in value and _holds_code(value) else None


def triple_quoted(body: Body, rng: Random) -> Tokens | None:
    def rewrite(value: str, token: str) -> str | None:
        return f'"""{value}"""' if "\n" in value and "\\" not in value else None

    return each_string(rewrite)(body, rng) if body.kind == "python" else None


def escaped_characters(body: Body, rng: Random) -> Tokens | None:
    def in_python(value: str, token: str) -> str:
        return f'"{value.encode("unicode_escape").decode()}"' if '"' not in value else token

    def in_json(value: str, token: str) -> str:
        return json.dumps(value)

    return each_string(in_python if body.kind == "python" else in_json, part=False)(body, rng)


def _places(body: Body, fits: Callable[[Tokens, int], bool]) -> list[int]:
    return [at for at in range(len(body.tokens)) if fits(body.tokens, at)]


def _before(tokens: Tokens, at: int) -> str:
    """The nearest token before this one that is no space."""
    return next((one for one in reversed(tokens[:at]) if not one.isspace()), "")


def _behind(tokens: Tokens, at: int) -> str:
    return next((one for one in tokens[at + 1 :] if not one.isspace()), "")


def _is_key(tokens: Tokens, at: int) -> bool:
    return tokens[at].startswith('"') and _behind(tokens, at) == ":"


def _drawn(places: Sequence[int], rng: Random) -> set[int]:
    return set(rng.sample(places, rng.randint(1, min(3, len(places)))))


def trailing_commas(body: Body, rng: Random) -> Tokens | None:
    def fits(tokens: Tokens, at: int) -> bool:
        return tokens[at] in "}])" and _before(tokens, at) not in ("{", "[", "(")

    if not (places := _places(body, fits)):
        return None
    chosen = _drawn(places, rng)
    return [f",{one}" if at in chosen else one for at, one in enumerate(body.tokens)]


def missing_commas(body: Body, rng: Random) -> Tokens | None:
    """Between members of an object, where a key follows; in a list, two strings side by side are one."""

    def fits(tokens: Tokens, at: int) -> bool:
        rest = tokens[at + 1 :]
        key = next((n for n, one in enumerate(rest) if not one.isspace()), None)
        return tokens[at] == "," and key is not None and _is_key(rest, key)

    if not (places := _places(body, fits)):
        return None
    chosen = _drawn(places, rng)
    return [" " if at in chosen else one for at, one in enumerate(body.tokens)]


def unquoted_keys(body: Body, rng: Random) -> Tokens | None:
    """Not in Python: there, a bare word is a variable."""

    def fits(tokens: Tokens, at: int) -> bool:
        return _is_key(tokens, at) and tokens[at][1:-1].isidentifier()

    places = _places(body, fits)
    if not places or body.kind == "python":
        return None
    chosen = set(places) if rng.random() < 0.7 else _drawn(places, rng)
    return [one[1:-1] if at in chosen else one for at, one in enumerate(body.tokens)]


def other_literals(body: Body, rng: Random) -> Tokens | None:
    """Python's in JSON, JSON's in Python."""
    table = {b: a for a, b in _LITERALS.items()} if body.kind == "python" else _LITERALS
    return [table.get(one, one) for one in body.tokens] if {*table} & {*body.tokens} else None


def other_numbers(body: Body, rng: Random) -> Tokens | None:
    if body.kind == "value":
        return None
    spelt = {
        at: new
        for at, one in enumerate(body.tokens)
        if _NUMBER.match(one) and (new := _spelt(one, rng)) is not None
    }
    return [spelt.get(at, one) for at, one in enumerate(body.tokens)] if spelt else None


def _spelt(number: str, rng: Random) -> str | None:
    """A number in another grammar than JSON's."""
    if number.isdigit():
        ways = [f"+{number}", hex(int(number))]
        ways += [f"{int(number):_}", f"{number}."] if len(number) > 3 else [f"{number}."]
        return rng.choice(ways)
    if re.fullmatch(r"0\.\d+", number):
        return number[1:]
    return number[:-1] if re.fullmatch(r"\d+\.0", number) else None


def comments(body: Body, rng: Random) -> Tokens | None:
    places = _places(body, lambda tokens, at: tokens[at] in ("{", "[", ","))
    if not places:
        return None
    words = rng.choice(
        ("a note", 'the "right" one', "use {this}, not [that]", "it's optional", "1, 2")
    )
    forms = (
        (f" # {words}\n",)
        if body.kind == "python"
        else (
            f" // {words}\n",
            f" # {words}\n",
            f" /* {words} */ ",
        )
    )
    chosen = _drawn(places, rng)
    return [one + rng.choice(forms) if at in chosen else one for at, one in enumerate(body.tokens)]


# --- closers ---


def _closers_at_end(tokens: Tokens) -> list[int]:
    places = []
    for at in range(len(tokens) - 1, -1, -1):
        if tokens[at] in ("}", "]", ")"):
            places.append(at)
        elif not tokens[at].isspace():
            break
    return places


def _without_end(body: Body, rng: Random) -> Tokens | None:
    if body.kind == "value" or not (places := _closers_at_end(body.tokens)):
        return None
    first = places[rng.randrange(len(places))]
    return body.tokens[:first]


def missing_closers(body: Body, rng: Random) -> Tokens | None:
    """At the end of the last body, behind anything that shows its own end."""
    kept = _without_end(body, rng) if body.last else None
    return kept if kept is not None and _shows_its_end(kept) else None


def missing_closers_elsewhere(body: Body, rng: Random) -> Tokens | None:
    """Behind a value that does not show its end, or before a further body."""
    kept = _without_end(body, rng)
    return None if kept is None or (body.last and _shows_its_end(kept)) else kept


def _shows_its_end(tokens: Tokens) -> bool:
    """Whether the last value is closed: a number may have had more digits, and `{` more of everything."""
    last = _before(tokens, len(tokens))
    return last not in ("{", "[", "(") and not _NUMBER.match(last)


def missing_inner_closer(body: Body, rng: Random) -> Tokens | None:
    """What stood behind it may have slid into the container before."""
    ending = set(_closers_at_end(body.tokens))
    places = _places(body, lambda tokens, at: tokens[at] in "}])" and at not in ending)
    if not places:
        return None
    gone = rng.choice(places)
    return [one for at, one in enumerate(body.tokens) if at != gone]


def extra_closers(body: Body, rng: Random) -> Tokens | None:
    if body.kind == "value":
        return None
    closers = (")", "]", "))") if body.kind == "python" else ("}", "]", "}}", "]}")
    return [*body.tokens, rng.choice(closers)]


def prose_behind(body: Body, rng: Random) -> Tokens | None:
    return [*body.tokens, f"\n{rng.choice(prose.AFTER)}"] if body.kind == "json" else None
