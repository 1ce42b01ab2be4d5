"""Whether the model follows the contract: what the end of a turn in text teaches, where that decides on the recipe.

A refusal on principle, a reply that was cut off and a call that the policy stopped teach nothing.
"""

from langchain_toolemu.model_facts import LessonCode
from langchain_toolemu.reader.events import Call
from langchain_toolemu.turn.reasoning_text import thought_of
from langchain_toolemu.turn.refusals.suspicion import may_refuse_on_principle, repeats_words
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.stages import Decision, EndTurn, Fail

_MAX_CHARS = 4_000  # of a reply that are compared with the rules


def contract_lessons(end: ReviewedReply, decision: Decision) -> tuple[LessonCode, ...]:
    """What the turn teaches about the contract, if it ends here."""
    if not end.settings.adapts_recipe or end.stage.phase == "answer":
        return ()
    if not (isinstance(decision, Fail) or (isinstance(decision, EndTurn) and decision.path == "emulated")):  # fmt: skip
        return ()
    shown = (*end.judge.before, *end.reply.calls, *decision.show)
    calls = [part for part in shown if isinstance(part, Call)]
    if calls:
        return () if any(call.errors for call in calls) else ("contract_followed",)
    return ("contract_failed",) if not _is_excused(end) and _fails(end) else ()


def _is_excused(end: ReviewedReply) -> bool:
    said, reply, reasks = end.metadata, end.reply, end.stage.reasks
    if said.cut or said.declined or reply.doubted or reply.held_back:
        return True
    if end.stage.has_asked("cut_call", "doubted_call"):
        return True
    return any(map(may_refuse_on_principle, (reply.raw, *(reask.failed for reask in reasks))))


def _fails(end: ReviewedReply) -> bool:
    """Whether a demanded call is missing, the reply is empty, or it repeats what we said."""
    raw = end.reply.raw
    if end.forced or end.reply.suspicion == "echo":
        return True
    if not raw.strip():
        return not thought_of(end.pieces, raw)
    return repeats_words(raw[:_MAX_CHARS], end.settings.contract.rules)
