"""What a tool does: it *acts*, may be done again at will (*repeatable*), or *tells* something.

- The author's mark decides (`metadata={"acts": True}`, MCP's hints); else the verb of the tool's name; else the first word of its
  description, or a description that says what there is ("The weather of a city."). Unknown: repeatable, and so is an act that describes itself as one
  of several: "Call it once for each card."
- A tool that acts changes something: a second time is a second payment, booking or mail.
- What tells something may be demanded before an act, so a tool counts as that only if something says so.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from langchain_toolemu.language.phrases import LANGUAGES
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import words_of

ToolKind: TypeAlias = Literal["acts", "repeatable", "tells"]

_VERBS: dict[ToolKind, str] = {
    "acts": """
        accept acknowledge activate add administer admit alert allocate amend announce append apply appoint approve archive arm arrange assign attach
        authorize award ban bid bill block book broadcast buy cancel change charge checkout claim clear close comment commit complete confirm connect
        copy create credit deactivate debit decline delete deliver demote deploy deposit destroy detach dial dim disable disarm discard discharge
        disconnect dismiss dispatch dispense donate downgrade edit email enable enqueue enrol enroll enter erase escalate evict extend feed
        file finalize fire flag follow forward freeze give grant hide hire import initiate insert install invest invite invoice issue kick launch
        lend like link lock log mail make mark merge message modify mute notify onboard open order page pay pin place play post prescribe
        print process promise promote provision publish purchase purge push put raise rate reassign reboot rebook record redeem redirect refer refill
        refund register reimburse reinstate reject release relocate remind remit remove rename renew rent reopen repair repay replace reply report
        request reschedule resend reserve reset resolve restart restock restore return revert revoke rollback save schedule sell send set settle
        share ship shutdown sign snooze spend start stop store submit subscribe suspend swap switch tag terminate tip topup trade transfer trigger tweet unarchive
        unassign unblock unhide uninstall unlink unlock unmute unsubscribe update upgrade upload void vote waive warn water wipe wire withdraw
        write
    """,
    "repeatable": """
        adjust advance back bash build click command compile crawl decrease decrement drag draw drop eat execute flip format goto hover increase increment jump key knock lint
        move navigate next pause pick ping poll press redo refresh resume retry ring roll run scroll shell shoot shuffle skip
        sleep speak spin step swipe take tap test think tick turn type undo wait walk zoom
    """,
    "tells": """
        analyse analyze average browse calculate check compare compute convert count current describe detect details determine
        diff display download estimate evaluate explain fetch find forecast get glob grep history identify info inspect list
        locate look lookup measure monitor plan predict preview query quote rank read recommend retrieve returns scan
        search see show solve stat status sum suggest summarise summarize tell tells track translate validate verify view watch what
        when where which who
    """,
}
_OTHERS: dict[ToolKind, str] = {
    "acts": " ".join(language.acts for language in LANGUAGES),
    "tells": " ".join(language.tells for language in LANGUAGES),
}
_KIND_OF: dict[str, ToolKind] = {
    word: kind
    for verbs in (_OTHERS, _VERBS)  # English ones last: a word of both is English
    for kind in verbs
    for word in words_of(verbs[kind])
}
# Nouns as often as verbs: `order_status` and `book_search` tell something.
_NOUNS = frozenset({
    "alert", "award", "bill", "book", "charge", "claim", "credit", "deploy", "email", "feed", "file", "flag", "invoice", "issue", "link", "log",
    "mail", "message", "order", "page", "play", "post", "print", "quote", "rate", "record", "report", "request", "return", "schedule",
    "share", "sleep", "spend", "store", "tag", "test", "tip", "trade", "transfer", "wire",
})  # fmt: skip

_ANSWERS = frozenset({"answer", "confirmation", "output", "receipt", "reply", "report", "response", "result", "summary"})  # fmt: skip
_LIGHT = re.compile(
    r"(?i:do|does|run|make|carry|capture|conduct|execute|perform|process)(?:[_-]|(?=[A-Z]))"
)
_OF_MONEY = frozenset({
    "booking", "order", "payment", "payout", "payroll", "purchase", "refund", "trade", "transaction", "transfer",
})  # fmt: skip
"""What is done by a verb that says nothing: `execute_trade`, `run_payroll`."""

_RETURNS = re.compile(
    r"\s*(?:returns?|lists?|shows?|fetch(?:es)?|retrieves?|displays?)\b", re.IGNORECASE
)
"""How a description begins of what only tells something, whatever else its name may mean: `water_level`."""

_DETERMINER = r"(?:an?|the|your|our|their|one|some|eine?[nmrs]?|d(?:er|ie|as|en|em)|une?|l[aeo]s?|el|una?|uno|il|des)\b"
_SAYS_WHAT_THERE_IS = re.compile(
    r"\s*(?!(?:an?|the) (?:[\w-]+ ){0,4}(?:tool|shell|helper|api|wrapper|interface|function|utility|client|service|interpreter)\b)"
    rf"(?:{_DETERMINER}|(?:all|what|which|who|when|where|how|whether|current|latest)\b"
    rf"|[\w'-]+(?: (?!{_DETERMINER}|(?:up|down|out|off)\b)[\w'-]+){{0,4}} (?:of|per|on|in|about|for|from|von|de|di|du|del|della)\b)",
    re.IGNORECASE,
)
"""How a description begins that is no verb with its object: "Free slots of a day", "The weather"; not "Shut a server down"."""

_WORD = re.compile(r"[^\W_]+")
_NOUN_PHRASE = re.compile(r"\s*\w+ [\w-]+(?: and [\w-]+)? (?:of|per|by)\b")
_SAME_LETTERS = 4  # at the beginning of two forms of a verb
_IS = re.compile(r"(?:is|has|can)(?:_|[A-Z])")
"""How the name of a tool begins that answers yes or no."""

_CHECKS_IN = re.compile(r"(?:[Cc]heck(?:_?in|In|_out|Out)|[Tt]op(?:_?up|Up))(?![a-z])")
"""How the name of a tool begins that acts by two words, and checks nothing."""

_PER_CALL = re.compile(
    r"\b(?:one|each|every) call\b|\bcall (?:it |this )?(?:again|once)\b|\bone at a time\b",
    re.IGNORECASE,
)
"""How a description says that each call does one thing, so that two things take two calls."""


def kind_of(tool: ToolSpec) -> ToolKind:
    """What a tool does."""
    kind = _kind_of(tool.name, tool.description, tool.acts)
    words = _words(tool.name)
    moves = kind == "repeatable" and ("move" in words or words[:1] == ["drop"])
    return "acts" if moves and _names_a_thing(tool) else kind


def _names_a_thing(tool: ToolSpec) -> bool:
    """Whether a thing is named by a text, as in `move_event`, `drop_table`; a robot moves by numbers, or in a direction."""
    texts = (name for name in tool.required if tool.schema_of(name).get("type") == "string")
    return any("direction" not in name for name in texts)


def is_repeated_by_name(tool: ToolSpec) -> bool:
    """Whether the verb of a tool's name says that it may be repeated, as in `press_key`."""
    return any(_KIND_OF.get(word) == "repeatable" for word in _words(tool.name))


def verb_of(name: str) -> list[str]:
    """The verb of a tool's name, none if it has no words: the first word that is known for one, such as `move` in `calendar_move_event`."""
    words = _words(name)
    known = [word for word in words if word in _KIND_OF]
    if known and known[0] in _NOUNS:  # `mail_send`
        acts = [word for word in known if _KIND_OF[word] == "acts" and word not in _NOUNS]
        known = acts or known
    return known[:1] or words[:1]


def has_known_kind(tool: ToolSpec) -> bool:
    """Whether anything says what a tool does; the schema of an answer has a noun for its name."""
    return tool.acts is not None or any(word in _KIND_OF for word in _words(tool.name))


def is_named_as_answer(tool: ToolSpec) -> bool:
    """Whether a tool has the name of a class, as an answer in a form has, and no verb for its first word: `Invoice`, `RefundReceipt`; not `SendEmail`."""
    words = _words(tool.name)
    if not words or not tool.name[:1].isupper() or "_" in tool.name:
        return False
    is_verb = _KIND_OF.get(words[0]) == "acts" and words[0] not in _NOUNS
    return not is_verb or words[-1] in _ANSWERS


@lru_cache(1024)
def _kind_of(name: str, description: str, acts: bool | None) -> ToolKind:
    if acts is not None:
        if acts:
            return "acts"
        # What may be done again is not yet a look-up, which others may have to wait for.
        return "repeatable" if _kind_of(name, description, None) == "acts" else "tells"
    if _IS.match(name):
        return "tells"
    if _CHECKS_IN.match(name):
        return "acts"
    known = [(word, _KIND_OF[word]) for word in _words(name) if word in _KIND_OF]
    if "and" in _words(name) and any(kind == "acts" for _, kind in known):
        return "acts"  # `find_and_delete`
    if _LIGHT.match(name) and not _OF_MONEY.isdisjoint(_words(name)):
        return "acts"
    if _RETURNS.match(description) and not _names_verb(name, description):
        return "tells"
    if not known:
        return _kind_by_description(name, description)
    kind = _kind_of_verb(known, name, description)
    return "repeatable" if kind == "acts" and _PER_CALL.search(description) else kind


def _kind_of_verb(known: Sequence[tuple[str, ToolKind]], name: str, description: str) -> ToolKind:
    """The kind by the known words of a name; the description decides where the first of them may be a noun."""
    verb, kind = known[0]
    is_used_as_verb = verb == _words(name)[0] and _names_verb(name, description)
    described = kind if is_used_as_verb else _first_kind(description)
    if verb == "list" != _words(name)[0] and described == "acts":
        return "acts"  # `HassListAddItem`: "Add an item to a list."
    if verb == "next" and any(word.endswith("s") for word in _words(name)):
        return "tells"  # `next_departures`
    if verb in _NOUNS and (described or verb != _words(name)[0]):
        # `exchange_rate`; `order_total`: "Get the total of an order."; `sleep_timer`: "Set a timer."
        return described or (_kind_by_description(name, description) if description else "tells")
    tells = verb in _NOUNS and any(later == "tells" for _, later in known[1:])
    return "tells" if tells else kind


def _kind_by_description(name: str, description: str) -> ToolKind:
    """The kind of a tool whose name does not tell it."""
    if kind := _first_kind(description):
        return kind
    says_what_there_is = _SAYS_WHAT_THERE_IS.match(description[:200])
    return "tells" if says_what_there_is and not _names_verb(name, description) else "repeatable"


def _names_verb(name: str, description: str) -> bool:
    """Whether a name and its description begin with the same word, which must be a verb: `encode_card`: "Encodes a card."; not `free_slots`: "Free slots"."""
    named, described = _words(name), _WORD.findall(description[:40].lower())
    if not named or not described or (len(named) > 1 and named[:2] == described[:2]):
        return False
    first, word = named[0], described[0]
    same = min(len(first), len(word), _SAME_LETTERS)
    return bool(first[:same] == word[:same])  # `shutdown`: "Shut down"; `zahle`: "Zahlt"


def _first_kind(description: str) -> ToolKind | None:
    """The kind of the first word, if that is a verb that is known: of "Order history of a customer" it is a noun."""
    first = next(iter(_words(description[:40])), "")
    if first in _NOUNS and _NOUN_PHRASE.match(description):
        return None
    return _KIND_OF.get(first) or _KIND_OF.get(first.removesuffix("s"))


def _words(text: str) -> list[str]:
    return words_of(text.replace("_", " "))
