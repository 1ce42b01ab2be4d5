"""How a reply is read, and what is held back of it.

Everything is decided before the reply begins, by what was asked and what is known of the model.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from langchain_toolemu.contract import copied_answers, copied_words
from langchain_toolemu.reader import Reader
from langchain_toolemu.turn.forms import suspect_opening
from langchain_toolemu.turn.judging import Judge
from langchain_toolemu.turn.kinds import reader_of_thoughts
from langchain_toolemu.turn.reading import Hold, Rules
from langchain_toolemu.turn.refusals import MAX_OPENING, Suspicion, suspicion
from langchain_toolemu.turn.reply import Reply
from langchain_toolemu.turn.stages import AskedInText, AskedNatively

_WORD = re.compile(r"\w+")
_RUN = 6
"""So many words of ours in a row are no coincidence."""

_OPENING_SENTENCES = re.compile(r".{40,}?(?:[.!?]\s|[\n\u3002\uff01\uff1f])", re.DOTALL)
"""More than a few words, up to the end of a sentence."""


def open_reply(judge: Judge, *, shown: bool) -> Reply:
    """A reply that is about to come.

    Args:
        judge: What its calls are worth.
        shown: Whether the model is known to call natively by more than its server's word.
    """
    reader = _reader(judge, shown=shown)
    settings = judge.settings
    hold = "nothing" if reader is None else _hold(judge)
    suspects = reader is not None and hold in ("nothing", "calls")
    suspect = _unformed(judge) or (_suspect(judge, shown=shown) if suspects else None)
    rules = Rules(hold, judge.checked, judge.classify, suspect, judge.early)
    documents = shown and isinstance(judge.stage, AskedNatively)
    apart = settings.reasoning != "keep"
    if reader is None and apart:
        reader = reader_of_thoughts(starts_in_thought=settings.starts_in_thought)
    return Reply(reader, replace(rules, documents=documents, tells_thoughts=apart))


def _reader(judge: Judge, *, shown: bool) -> Reader | None:
    """The reader; none where nothing in the reply can be a call."""
    order, stage, settings = judge.order, judge.stage, judge.settings
    reader = partial(
        Reader,
        tells_thoughts=settings.reasoning != "keep",
        starts_in_thought=settings.starts_in_thought,
        results=order.conversation.results,
    )
    if isinstance(stage, AskedNatively):
        offered = order.tools and order.choice.kind != "none"
        if not offered:
            return None
        return reader(
            order.functions,
            forced=order.choice.name,
            native=True,
            explicit_only=shown,
            first_object=shown,
        )
    if stage.phase == "answer":
        imitable = order.imitable if order.conversation.has_tool_history else None
        return reader(imitable) if imitable else None
    forced = _demanded(judge)
    demands_any = forced is None and order.choice.forced
    return reader(order.toolset, forced=forced, demands_any=demands_any)


def _demanded(judge: Judge) -> str | None:
    """The one tool whose arguments a bare object is: it must be called, or its call is the answer."""
    names, choice, form = judge.order.toolset.names, judge.order.choice, judge.order.form
    if form and not choice.name:
        return form.name
    return choice.name or (names[0] if choice.forced and len(names) == 1 else None)


def _hold(judge: Judge) -> Hold:
    forced, stage = judge.order.choice.forced, judge.stage
    if isinstance(stage, AskedNatively):
        return "everything" if forced else "calls"
    if stage.phase == "answer":
        return "nothing"
    refused = any(reask.reason == "refusal" for reask in stage.reasks)
    silent = stage.phase == "decision" or stage.checks is not None
    return "prose" if silent or forced or refused else "nothing"


def _suspect(judge: Judge, *, shown: bool) -> Callable[[str, bool], Suspicion] | None:
    """Holds an opening back that may be a refusal or the answer of an example, as far as either matters."""
    detects = _refusal_matters(judge, shown=shown)
    said = judge.order.conversation.said
    copied = copied_answers(said) if judge.shows_examples else ()
    # A larger model does not take the examples for what was said: its words come as it writes them.
    foreign = copied_words(said) if judge.shows_examples and judge.settings.is_small else ()
    told = _corrections_sent(judge)
    if not (detects or copied or foreign or told):
        return None

    def suspect(words: str, ended: bool) -> Suspicion:
        opening, whole = words.lstrip(), ended or len(words) >= MAX_OPENING
        if told and (echo := _suspect_echo(opening, told, whole=whole)) != "none":
            return echo
        answer = _suspect_copy(opening, copied, ended=ended)
        example = answer if answer == "copied" else _suspect_words(opening, foreign, whole=whole)
        if example == "copied" or not detects:
            return example if example != "none" else answer
        refusal = suspicion(words, judge.settings.refusal_detector, ended=ended)
        return next((one for one in (refusal, example, answer) if one != "none"), "none")

    return suspect


def _suspect_copy(words: str, answers: Sequence[str], *, ended: bool) -> Suspicion:
    if words.startswith(tuple(answers)):
        return "copied"
    may_become = not ended and any(answer.startswith(words) for answer in answers)
    return "possible" if may_become else "none"


def _suspect_words(words: str, foreign: Sequence[str], *, whole: bool) -> Suspicion:
    """Holds the opening sentences back for as long as a word of an example may come in them."""
    # A thought may well speak of the examples, and what begins with a mark is mostly one.
    if not foreign or words.startswith(("<", "[")):
        return "none"
    sentences = _OPENING_SENTENCES.match(words)
    if any(word in (sentences[0] if sentences else words) for word in foreign):
        return "copied"
    return "none" if sentences or whole else "possible"


def _corrections_sent(judge: Judge) -> str:
    """What the model was told in this turn, which is not to come back as the answer."""
    reasks = judge.stage.reasks if isinstance(judge.stage, AskedInText) else ()
    return " ".join(one.correction for one in reasks)


def _suspect_echo(words: str, told: str, *, whole: bool) -> Suspicion:
    """Holds an opening back until it is clear whether it repeats a run of words of ours."""
    if not whole:
        return "possible"
    said, ours = _WORD.findall(words.lower()), _WORD.findall(told.lower())
    return "none" if _runs_of(said).isdisjoint(_runs_of(ours)) else "echo"


def _runs_of(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)}


def _refusal_matters(judge: Judge, *, shown: bool) -> bool:
    """Whether a refusal would lead to a further request."""
    if judge.order.conversation.has_result:
        return False
    stage = judge.stage
    return stage.phase == "call" if isinstance(stage, AskedInText) else not shown


def _unformed(judge: Judge) -> Callable[[str, bool], Suspicion] | None:
    """Holds a native answer back until it is certain to have the demanded form."""
    order, form = judge.order, judge.order.form
    if form is None or not isinstance(judge.stage, AskedNatively):
        return None
    shows_early = order.hands_over_form and not order.client_checks_form

    def suspect(words: str, ended: bool) -> Suspicion:
        if shows_early:
            return suspect_opening(words, form)
        return "refusal" if ended else "possible"

    return suspect
