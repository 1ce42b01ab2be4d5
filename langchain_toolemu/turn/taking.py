"""How a reply is taken: which reader reads it, and what is held back of it.

The rule of this room: all is decided before the reply begins, by what was asked and what is known of the model.
"""

from collections.abc import Callable

from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.reader import Reader
from langchain_toolemu.turn.appraisal import Appraisal
from langchain_toolemu.turn.order import Verdict
from langchain_toolemu.turn.refusals import Suspicion, suspicion
from langchain_toolemu.turn.reply import Hold, Reply, Rules


def open_reply(asked: Appraisal, verdict: Verdict, *, checking: bool) -> Reply:
    """A reply that is about to come.

    Args:
        asked: What was asked, and what its calls are worth.
        verdict: What is known of the model's native tools.
        checking: Whether the reply only checks a native one, which may be the answer after all.
    """
    reader = _reader(asked, verdict)
    hold = "nothing" if reader is None else _hold(asked, checking=checking)
    suspects = reader is not None and hold in ("nothing", "calls") and _minds(asked, verdict)
    suspect = _unformed(asked) or (_refusal(asked) if suspects else None)
    return Reply(reader, Rules(hold, asked.checked, asked.sorted, suspect, asked.early))


def _reader(asked: Appraisal, verdict: Verdict) -> Reader | None:
    """Who reads the reply; nobody where nothing in it can be a call."""
    order, prompts = asked.order, asked.prompts
    if asked.native:
        offered = order.tools and order.choice.kind != "none"
        if not offered:
            return None
        return Reader(prompts.functions, native=True, explicit_only=verdict == "native")
    if asked.phase == "answer":
        imitable = prompts.imitable if has_tool_history(order.messages) else None
        return Reader(imitable) if imitable else None
    return Reader(prompts.tools, forced=_demanded(asked))


def _demanded(asked: Appraisal) -> str | None:
    """The one tool that must be called, by its name or because there is no other."""
    names, choice = asked.prompts.tools.names, asked.order.choice
    return choice.name or (names[0] if choice.forced and len(names) == 1 else None)


def _hold(asked: Appraisal, *, checking: bool) -> Hold:
    forced = asked.order.choice.forced
    if asked.native:
        return "everything" if forced else "calls"
    if asked.phase == "answer":
        return "nothing"
    refused = any(reask.reason == "refusal" for reask in asked.reasks)
    return "prose" if asked.phase == "decision" or forced or refused or checking else "nothing"


def _minds(asked: Appraisal, verdict: Verdict) -> bool:
    """Whether a refusal would lead to a further request."""
    if asked.prompts.has_result:
        return False
    return verdict != "native" if asked.native else asked.phase == "call"


def _refusal(asked: Appraisal) -> Callable[[str, bool], Suspicion]:
    def suspect(words: str, ended: bool) -> Suspicion:
        return suspicion(words, asked.settings.refusal_detector, ended=ended)

    return suspect


def _unformed(asked: Appraisal) -> Callable[[str, bool], Suspicion] | None:
    """Holds a native answer back until it begins in the demanded form: else it is asked for in text."""
    return _no_json if asked.native and asked.order.form else None


def _no_json(words: str, _ended: bool) -> Suspicion:
    start = words.lstrip()[:1]
    return ("none" if start in "{[" else "refusal") if start else "possible"
