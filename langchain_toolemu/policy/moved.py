"""What was public and is gone: each name with what takes its place."""

_ASKS = "no check reads what the user asks for"
_OUTCOMES = "use `context.conversation.outcomes_since_user`"
_KINDS = "ask `kind_of(tool)` of each of `context.tools`"
MOVED = {
    **dict.fromkeys(("GivenValues", "KnownIds"), "use LookedUp"),
    **dict.fromkeys(("AskedFor", "Grounded", "unfinished", "unnamed", "is_asked_for"), _ASKS),
    **dict.fromkeys(("has_looked_up", "findings", "untried", "uncalled", "is_last"), _OUTCOMES),
    **dict.fromkeys(("lookups", "acts"), _KINDS),
    "demanded": "a call that comes after a question is made, unless the review was final",
    "given": "use `context.conversation.given.has(value)`",
    "is_small": "choose the policy by the model's size: `policy=`",
}


def sentence_about(name: str, holder: str) -> str:
    """What an import or an access says of a name that there is not, or no longer."""
    missing = f"{holder} has no {name!r}"
    return f"{missing}: {MOVED[name]} (docs/migration.md)." if name in MOVED else missing
