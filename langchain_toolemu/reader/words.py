"""The words models use around a call's name and its arguments, and how a key is compared with them."""

import re
from functools import lru_cache

_LONGEST_KEPT = 64  # of what is kept in mind, a key; those of calls are shorter
_SEPARATORS = re.compile(r"[\s_\-\\]+")


def fold(key: str) -> str:
    """A key without case and separators: `toolName` and `tool_name` are one word."""
    return _folded(key) if len(key) <= _LONGEST_KEPT else _folded.__wrapped__(key)


@lru_cache(maxsize=256)
def _folded(key: str) -> str:
    return _SEPARATORS.sub("", key).lower()


# In order of trust: where two are present, the first wins.
NAME_KEYS = (
    "name",
    "toolname",
    "functionname",
    "tool",
    "function",
    "action",
    "recipientname",
    "api",
    "apiname",
    "method",
    "toolcall",  # gemma4:e2b
)
ARGUMENT_KEYS = (
    "arguments",
    "args",
    "parameters",
    "params",
    "actioninput",
    "toolinput",
    "toolargs",
    "toolarguments",
    "toolparameters",
    "functionarguments",
    "functionargs",
    "kwargs",
    "input",
    "inputs",
)
LIST_KEYS = frozenset(
    {"toolcalls", "tools", "calls", "functioncalls", "functions", "actions", "tooluses"}
)
INNER_KEYS = frozenset(
    {"function", "toolcall", "functioncall", "tool", "call", "tooluse", "action"}
)
# What models write next to a call.
COMPANION_KEYS = frozenset(
    {
        "thought",
        "thoughts",
        "thinking",
        "reasoning",
        "reason",
        "rationale",
        "explanation",
        "description",
        "comment",
        "plan",
        "id",
        "callid",
        "toolcallid",
        "type",
        "index",
        "role",
        "step",
    }
)
# A name that models trained on OpenAI's wire give to a list of calls. Sample parallel-wrapper.
PARALLEL = frozenset({"multi_tool_use.parallel", "parallel", "functions.multi_tool_use.parallel"})
# What `type` says of a call, rather than to it.
KINDS_OF_CALL = frozenset(
    {"function", "functioncall", "tool", "toolcall", "tooluse", "call", "object", "action"}
)
# The roles of a message whose writer is the model. A call in any other's is none of the model's own.
OWN_ROLES = frozenset({"assistant", "ai", "model", "bot", "agent"})
# How the `type` of a result ends, and what names the call that a result belongs to.
KINDS_OF_RESULT = ("result", "results", "response", "output")
RESULT_KEYS = frozenset({"toolcallid", "tooluseid"})
# Next to `role`, in a whole message of OpenAI's wire format.
MESSAGE_KEYS = frozenset({"content", "refusal", "annotations", "audio"})

SHAPE_KEYS = (
    frozenset(NAME_KEYS) | frozenset(ARGUMENT_KEYS) | LIST_KEYS | INNER_KEYS | COMPANION_KEYS
)
# All that an object may hold which states a call of a tool that is not bound. Any other key makes it an answer.
UNKNOWN_KEYS = (
    frozenset(NAME_KEYS)
    | frozenset(ARGUMENT_KEYS)
    | COMPANION_KEYS - {"description", "explanation", "comment", "plan", "step"}
)
# The keys a YAML body may begin with.
YAML_KEYS = frozenset(NAME_KEYS) | frozenset(ARGUMENT_KEYS) | LIST_KEYS | {"id", "type"}
