"""Which tool dicts are a provider's own: its web search, its shell, a mark for its cache.

LangChain makes a function of any dict with a `name`, and refuses those of Google and Bedrock that have neither name nor
type. Nobody but their provider can run them, so they are described as they came.
"""

import re
from collections.abc import Mapping
from typing import Any

_OF_FUNCTIONS = frozenset(
    {"function", "parameters", "input_schema", "toolSpec", "properties", "schema", "json_schema"}
)
"""A dict with one of these says what arguments it takes: a function, whatever its type is called."""

_OF_SCHEMAS = ("object", "array", "string", "number", "integer", "boolean", "null")

_NAMELESS = re.compile(r".+_20\d{6}|custom|mcp_toolset|(?:local_)?shell|(?:browser|x)_search")
"""Types of tools that need no name; those that LangChain knows as OpenAI's are not among them. Anthropic's end in a date."""

_ONLY_KEYS = frozenset(
    {
        "cachepoint",
        "codeexecution",
        "computeruse",
        "enterprisewebsearch",
        "filesearch",
        "googlemaps",
        "googlesearch",
        "googlesearchretrieval",
        "retrieval",
        "systemtool",
        "urlcontext",
    }
)
"""The one key of Google's and Bedrock's dicts, which has a dict of settings; Google writes it in snake or in camel case."""


def is_built_in(tool: Any) -> bool:
    """Whether a dict is a tool that only its provider can run, in a form that LangChain takes for another or for none."""
    if not isinstance(tool, Mapping):
        return False
    if key := only_key(tool):
        return key.replace("_", "").casefold() in _ONLY_KEYS
    kind = tool.get("type")
    if not isinstance(kind, str) or kind in ("function", *_OF_SCHEMAS):
        return False
    if not _OF_FUNCTIONS.isdisjoint(tool):
        return False
    return isinstance(tool.get("name"), str) or bool(_NAMELESS.fullmatch(kind))


def only_key(tool: Mapping[str, Any]) -> str | None:
    """The key of a dict that has but one, with settings under it."""
    match list(tool.items()):
        case [(str(key), Mapping())]:
            return key
    return None
