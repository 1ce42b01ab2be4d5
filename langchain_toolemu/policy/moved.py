"""What was public and is gone: each name with what takes its place."""

_CHECKS = {
    "AskedFor": "no check reads what the user asks for",
    "GivenValues": "use LookedUp",
    "KnownIds": "use LookedUp",
    "Grounded": "no check asks whether a tool was spoken of",
}
_STRUCTURE = "count what you need in `context.conversation`"
_FIELDS = {
    "is_small": "pass `policy=` by the model's size yourself",
    "is_last": _STRUCTURE,
    "demanded": _STRUCTURE,
    "lookups": "ask `kind_of(tool)` of each of `context.tools`",
    "acts": "ask `kind_of(tool)` of each of `context.tools`",
    "given": "use `context.conversation.given.has(value)`",
    "has_looked_up": "use `context.conversation.outcomes_since_user`",
    "findings": "use `context.conversation.outcomes_since_user`",
    "untried": "use `context.conversation.outcomes_since_user`",
    "uncalled": "use `context.conversation.outcomes_since_user`",
    "unfinished": "no check reads what the user asks for",
    "unnamed": "no check reads what the user asks for",
    "is_asked_for": "no check reads what the user asks for",
}


def moved_check(name: str) -> str:
    """What an import of a check says that there is not, or no longer."""
    missing = f"langchain_toolemu.policy has no {name!r}"
    return f"{missing}: {_CHECKS[name]} (docs/migration.md)." if name in _CHECKS else missing


def moved_field(name: str) -> str:
    """The same of a field of a `CallContext`."""
    missing = f"a CallContext has no {name!r}"
    return f"{missing}: {_FIELDS[name]} (docs/migration.md)." if name in _FIELDS else missing
