"""Decides from the words around a call whether it is made or only mentioned. The words are in `language`.

A call is made unless its form quotes it (`quoted`), the reply declines or withdraws it (`declined`), or it depends on the
user, or is a report, advice, an example or a question (`asked`). A later clause that commits to the call overrules an
earlier one, but never a condition.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from langchain_toolemu.language import phrases
from langchain_toolemu.language.language import fold_letters

Intent: TypeAlias = Literal["made", "asked", "declined", "quoted"]
Cue: TypeAlias = Literal[
    "commitment", "neutral", "decline", "condition", "report", "advice", "example", "examples"
]

_LOOKAHEAD = 240
_SENTENCES = 2

# Marks of other widths and writings, as the ones that the patterns know.
_FOLDED: dict[int, int | str] = {0xFF1F: "?。", 0x61F: "?。"}
_FOLDED |= str.maketrans("\uff1a\uff0c\uff1b\u2019\u060c\u0964\uff01\uff08\uff09", ":,;',。。()")
_SENTENCE_END = re.compile(
    r"[.!?…\uff01\uff1f][\"')\]*_]*(?=\s+[^\sa-z])|[。\u0964\u061f\uff01\uff1f]|\n[ \t]*\n"
)
_GLUED = re.compile(r"(?:\A|[\x00-\x7f])[A-Za-z0-9.!?]\Z")  # sample words-glued-to-a-call
_OPEN_END = re.compile(r"[^\W_]\s*\Z|[,\u0900-\u0963]\s*\Z")  # no sentence ends so
_ENDS = (".", "!", "?", "…", "。", ")")
_REMARK = re.compile(r"\(([^()]{1,120})\)\W*\Z")  # `Step 3 (not now):`
_MARKUP = re.compile(r"[*_#`]+")
_ITEM = re.compile(r"(?:\A|\n)[ \t>]*(?:[-*+•]|\d{1,3}[.)]|\(?[a-zA-Z][.)])?[ \t]*\Z")
_TOKEN = re.compile(r"<[|\uff5c][^<>|\uff5c\n]{0,40}[|\uff5c]>")
# The line before a call: an assignment, the argument of a function, a comment of a page.
_CODE = re.compile(r"[\w\])][ \t]{0,8}=[ \t]*\Z|[\w.]\(\Z|<!--(?!.*-->)")
# A quotation, or a row of a table.
_QUOTED_LINE = re.compile(r"[ \t]{0,8}(?:>(?!>)|\|.*\|?)")
_SPACES = " \t\u00a0\u202f"
_PUNCTUATION = " \t\r\n.,;:!。`"
_FRAME = 8  # where a sentence still begins
_LABEL = 12  # characters: a shorter sentence says nothing
# A letter that says as much as two.
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FEW_WORDS = 2  # of no language, or too few letters to tell
_GOES_ON = re.compile(
    rf"(?:\n?[ \t]{{1,8}})?(?:{phrases.PARTICLE})|\n?[ \t]{{1,8}}((?:[^\W\d_]|['\u2019])+)(?:[ \t]+\w|[.!?])"
)
_LASTING = ("decline", "condition", "advice", "example", "examples")  # for one sentence more
_ASKED: tuple[Cue, ...] = ("condition", "report", "advice", "example")
_LIKE: Mapping[Intent, Cue] = {"made": "commitment", "asked": "report", "declined": "decline"}
_SPOKEN_OF: tuple[tuple[Cue, phrases.Phrases], ...] = (
    ("examples", phrases.EXAMPLES),
    ("example", phrases.EXAMPLE),
    ("condition", phrases.HYPOTHESIS),
    ("advice", phrases.ADVICE),
    ("report", phrases.REPORT),
)


def without_tokens(text: str) -> str:
    """A text without leaked special tokens."""
    return _TOKEN.sub("", text)


class Sentence:
    """A sentence before a call, and what it says about the call."""

    def __init__(self, written: str) -> None:
        self.text = fold_letters(_MARKUP.sub("", written))
        self.runs_on = not written.endswith(_ENDS)

    @cached_property
    def asks(self) -> bool:
        """Whether it asks for something, or about the call: `What does this do?`."""
        is_about = self.text.rstrip("。").endswith("?") and phrases.POINTER.search(self.text)
        return bool(is_about or phrases.ASK.search(self.text))

    @cached_property
    def acts(self) -> bool:
        """Whether it mentions running something."""
        return bool(phrases.ACT.search(self.text))

    @cached_property
    def cue(self) -> Cue | None:
        """What it says about the call, if anything."""
        refused = phrases.REFUSE.search(self.text)
        if self.asks or (phrases.CONSENT.search(self.text) and not refused):
            return "condition"
        # There is no way without the call: `I can't tell without running it`.
        declines = phrases.DECLINE.search(self.text) and not phrases.WITHOUT.search(self.text)
        is_own = not _OPEN_END.search(self.text) or phrases.FIRST_PERSON.search(self.text)
        if phrases.NOT_WITHOUT.search(self.text) and is_own and not declines:
            return "commitment"
        commits = "commitment" if self._committed_clause >= 0 else None
        return self._refusal() or self._mention() or commits  # type: ignore[return-value]

    @cached_property
    def _committed_clause(self) -> int:
        return max(map(self._clause, phrases.COMMIT.starts(self.text)), default=-1)

    def _clause(self, start: int) -> int:
        return sum(end <= start for end in phrases.CLAUSE_END.starts(self.text))

    def _stands(self, start: int) -> bool:
        """Whether no later clause commits to the call after all."""
        return self._committed_clause <= self._clause(start)

    def _refusal(self) -> Cue | None:
        suspects = _suspects(self.text) and self._committed_clause < 0
        if not suspects and not any(map(self._stands, _refusals(self.text))):
            return None
        if not self.runs_on and phrases.PAST.search(self.text):
            return None
        return "condition" if phrases.LIMIT.search(self.text) else "decline"

    def _mention(self) -> Cue | None:
        for cue, pattern in _SPOKEN_OF:
            spans = pattern.spans(self.text)
            shows = cue in ("example", "examples")
            frames = spans and shows and spans[0][0] < _FRAME  # whatever it goes on with
            has_cue = spans and (frames or self._stands(spans[-1][1]))
            acts = has_cue and cue in ("advice", "condition") and self.acts
            # It must be about the call that follows it: `How does one write it?`.
            about = self.runs_on or acts or shows or self.text.endswith("?")
            if has_cue and (about or phrases.POINTER.search(self.text)):
                return cue
        if (remark := _REMARK.search(self.text)) and phrases.NEGATIVE.search(remark[1]):
            return "condition"
        manner = self._committed_clause < 0 and phrases.MANNER.search(self.text)
        return "advice" if manner and not phrases.FIRST_PERSON.search(self.text) else None


def _refusals(text: str) -> Iterator[int]:
    for pattern in (phrases.REFUSE, phrases.DECLINE, phrases.WITHOUT):
        yield from pattern.starts(text)


def _suspects(text: str) -> bool:
    return bool(phrases.SUSPECT.search(text) and not phrases.WHETHER.search(text))


def _withdraws(text: str) -> bool:
    sentences = [fold_letters(sentence) for sentence in _SENTENCE_END.split(text)]
    final = [s for s in sentences if not (phrases.NOT_WITHOUT.search(s) or phrases.LIMIT.search(s))]
    return any(_suspects(sentence) or [*_refusals(sentence)] for sentence in final)


@dataclass(frozen=True, slots=True)
class Preamble:
    """The words before a call, and what they say about it."""

    cue: Cue
    line: str = ""  # what is before the call on its line
    runs_on: bool = True  # whether the sentence runs into the call: in a colon, or without an end
    known: bool = True  # whether its language is one that cues are known in
    is_label: bool = False  # whether it is so short that it says nothing
    is_open: bool = False  # whether it ends in the middle of a sentence, on whatever line
    has_object: bool = False  # whether that is somebody else's sentence, and the call its object
    introduces: bool = False  # whether it ends in a colon
    tool: str = ""  # that is called

    @property
    def may_act(self) -> bool:
        """Whether a call after these words may be made."""
        return self.cue in ("commitment", "neutral")

    @property
    def quote(self) -> tuple[str, ...]:
        """The closing marks of a quotation that opens right before the call."""
        mark = self.line[-1:]
        if mark in _SPACES:
            mark = "«" if self.line.rstrip()[-1:] == "«" else ""  # with a space, as in French
        return phrases.QUOTATION_MARKS.get(mark, ())

    @property
    def in_words(self) -> bool:
        """Whether a sentence has begun on the call's line."""
        return bool(_OPEN_END.search(self.line))

    @property
    def form(self) -> Intent | None:
        """What the line itself shows: code, or a quotation."""
        if _CODE.search(self.line):
            return "asked"
        return "quoted" if _QUOTED_LINE.match(self.line) else None


def _describes_tool(above: str, values: Iterable[Any]) -> bool:
    """Whether words tell of a tool or of calls, and of nothing that is about to be done."""
    sentence = Sentence(_SENTENCE_END.split(above.rstrip(_PUNCTUATION))[-1])
    own = phrases.FIRST_PERSON.search(sentence.text) or sentence.cue not in (None, *_ASKED)
    # Words that lead to a call name what it is about.
    leads = own or any(fold_letters(str(value)) in sentence.text for value in values)
    return bool(phrases.CALL.search(sentence.text)) and not leads


def _with_act(text: str, tool: str) -> str:
    """A text in which a tool's verb is an act as any other: `I'm rejecting it`, before `reject_invoice`, and `I won't delete it`."""
    verb = "".join(re.findall("[A-Za-z][a-z]*", tool)[:1]).lower()
    refuses = phrases.REFUSE.search(f"{verb} it, {verb} request")
    before, forms = ("", r"\w*") if refuses else (phrases.WILL_NOT, r"(?:e|\w?ing)?\b")
    return re.sub(rf"(?i)({before})\b{verb.rstrip('e') or '(?!)'}{forms}", r"\1run", text)


def read_preamble(
    before: str, last: Intent | None = None, values: Iterable[Any] = (), tool: str = ""
) -> Preamble:
    """What the words before a call with these values say about it; if nothing, the intent of the reply's last call applies."""
    before = _with_act(without_tokens(before).translate(_FOLDED), tool)
    line = before.rpartition("\n")[2]
    text = _ITEM.sub("", before.rstrip(" \t")).rstrip()
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if found.end() < len(text)]
    middle, start = [0, 0, *ends][-2:]
    earlier, sentence = Sentence(text[middle:start].strip()), Sentence(text[start:].strip())
    before_that = earlier.cue if earlier.text and not sentence.cue else None
    cue = sentence.cue or (before_that if before_that in _LASTING else None) or "neutral"
    if last and (cue == "neutral" or (sentence.asks and not sentence.acts)):
        cue = _LIKE.get(last, "examples")  # what it asks is about the call before
    if phrases.RESULT_LABEL.search(sentence.text) and _describes_tool(text[:start], values):
        cue = "advice"
    cue = "report" if phrases.DIALOGUE.search(before) else cue
    is_open = bool(_OPEN_END.search(text))
    is_label = len(sentence.text) + len(_WIDE.findall(sentence.text)) <= _LABEL
    # On a line of its own the call is announced, unless a blank is left where it breaks the sentence off.
    breaks = (line or before.rstrip("\n").endswith(" ")) and not phrases.CALL.search(sentence.text)
    says_little = not breaks or (is_label and not phrases.NEGATIVE.search(sentence.text))
    return Preamble(
        cue,
        line,
        sentence.runs_on,
        known=bool(phrases.KNOWN.search(sentence.text) or phrases.CALL.search(sentence.text)),
        is_label=is_label,
        is_open=is_open,
        has_object=is_open and not (says_little or phrases.FIRST_PERSON.search(sentence.text)),
        introduces=text.endswith(":"),
        tool=tool,
    )


@dataclass(frozen=True, slots=True)
class CallSetting:
    """The surroundings of a call, or of several in a row, from which its intent is judged."""

    preamble: Preamble  # the words before it
    explicit: bool  # whether its envelope can only mean a call
    begins: bool = False  # whether it begins the answer
    token: bool = False  # whether its envelope is a special token, in no sentence by chance
    in_code: bool = False  # whether it is between back-ticks in a line
    native: bool = False  # whether calls were not asked for in text
    alone: bool = False  # whether nothing but an opening quote comes before it in the reply
    forced: bool = False  # whether a call of one tool was demanded
    # In a thought that has not ended it is made only if the reply ends with it. Sample thought-that-ends-in-a-call.
    in_reasoning: bool = False
    bound: bool = True  # whether its tool is bound

    @property
    def is_sure(self) -> bool:
        """Whether the call is made whatever follows."""
        preamble = self.preamble
        in_text = preamble.quote or preamble.in_words or preamble.form
        if self.begins or self.in_reasoning or self.in_code or in_text:
            return self.begins
        is_neutral = preamble.cue == "neutral" and not preamble.runs_on
        return preamble.cue == "commitment" or (self.explicit and is_neutral)

    def judge(self, after: str, *, final: bool) -> Intent | None:
        """The intent, given the text after the call so far; `None` if more text is needed."""
        if self.in_reasoning:
            return "quoted" if after.strip() else "made" if final else None
        if self.begins:
            return self._at_start(after, final=final)
        if form := self.preamble.form:
            return form
        if self.preamble.quote:
            return self._in_quotes(after, final=final)
        if self.in_code:
            return self._in_code(after, final=final)
        return self._in_prose(after, final=final)

    def _at_start(self, after: str, *, final: bool) -> Intent | None:
        """Made, unless the sentence goes on after it in its line."""
        rest, first = after.lstrip(), after.lstrip()[:1]
        has_no_case = first.lower() == first.upper()
        in_line = has_no_case and (len(rest) < _FEW_WORDS or after.lstrip(_SPACES) == rest)
        may_go_on = first.islower() or in_line
        seen = _seen(after, final=final) if may_go_on else after[:_LOOKAHEAD]
        if seen is None:
            return None
        is_subject = first == "?" or _has_call_for_subject(seen)
        sentence = Sentence(_SENTENCE_END.split(seen.strip())[0].rstrip(_PUNCTUATION))
        cue = sentence.cue or phrases.NEGATIVE.search(sentence.text)
        speaks = may_go_on and cue not in (None, "commitment")
        return "asked" if (is_subject or speaks) and not self.token else "made"

    def _in_quotes(self, after: str, *, final: bool) -> Intent | None:
        rest = after.lstrip(_SPACES)[: _LOOKAHEAD + 1]
        if not rest and not final:
            return None
        if not rest.startswith(self.preamble.quote):
            return self._in_prose(after, final=final)
        is_text = self.native or not self.alone or rest[1:].strip(_PUNCTUATION)
        if is_text or len(rest) > _LOOKAHEAD:  # or marks without end
            return "quoted"
        return "made" if final else None

    def _in_code(self, after: str, *, final: bool) -> Intent | None:
        """Between back-ticks: on a line of its own a call like any other, at the end of a sentence if that commits to it."""
        near = after[: _LOOKAHEAD + 1]
        goes_on = len(near) > _LOOKAHEAD  # even if it is only marks
        if not self.preamble.line.strip():
            rest, newline, _ = near.partition("\n")
            if not (rest.strip(_PUNCTUATION) or newline or final or goes_on):
                return None
            if not rest.strip(_PUNCTUATION):
                return self._in_prose(after, final=final)
        if near.strip(_PUNCTUATION) or goes_on:
            return "quoted"
        if not final:
            return None
        return "made" if self.preamble.cue == "commitment" else "quoted"

    def _in_prose(self, after: str, *, final: bool) -> Intent | None:
        if (seen := _seen(after, final=final)) is None:
            return None
        # Whatever came with it in the same piece does not count: any pieces give the same.
        after, window = seen, without_tokens(seen.lstrip()).lstrip().translate(_FOLDED)
        cue = self.preamble.cue
        ends = [found.end() for found in _SENTENCE_END.finditer(window)]
        ends = [end for end in ends if window[:end].strip(_PUNCTUATION)]
        # The rest of the call's own sentence, and the next one.
        near = window if self._goes_on(after) or not ends else window[: ends[0]]
        if cue == "decline" or _withdraws(_with_act(near, self.preamble.tool)):
            return "declined"
        if cue == "examples":
            return "quoted"
        if cue in _ASKED and not (cue == "advice" and self.forced):
            return "asked"
        counts = cue == "neutral" and not (self.preamble.is_label or self.forced or self.token)
        if counts and phrases.NEGATIVE.search(fold_letters(near)):
            return "asked"
        words = fold_letters(window)
        asks = "?" in words and phrases.ASK.search(words) and phrases.ACT.search(words)
        if asks or words.startswith("?") or phrases.CONSENT.search(words):
            return "asked"
        return "made" if self.token or self._stands_alone(after, window) else "asked"

    def _stands_alone(self, after: str, window: str) -> bool:
        """Whether the call is not part of a sentence or report, nor between words of an unknown language."""
        preamble = self.preamble
        if self.explicit and self.bound and _GLUED.search(preamble.line):
            return True
        # Words before it on its line, and more of them after it.
        line = without_tokens(after.lstrip(" \t")[:_LOOKAHEAD].partition("\n")[0])
        inside = preamble.line.strip(" \t`") and line.strip(_PUNCTUATION)
        commits, counts = preamble.cue == "commitment", not (preamble.is_label or self.forced)
        if self._goes_on(after) or (inside and not commits and (self.explicit or counts)):
            return False
        if commits or self.forced:
            return True
        if preamble.has_object:
            return False
        if preamble.in_words:
            return self.explicit or (preamble.is_label and not window.startswith(_ENDS))
        if not preamble.runs_on:
            return True
        words = fold_letters(window)
        tells_language = preamble.is_label and phrases.KNOWN.search(words)
        known = preamble.known or tells_language or len(words.split()) < _FEW_WORDS
        return bool(known and not phrases.RETOLD.search(words))

    def _goes_on(self, after: str) -> bool:
        preamble = self.preamble
        commits = preamble.cue == "commitment"
        # Sample minicpm-words-between.
        is_label_line = preamble.is_label and self.explicit and not preamble.line
        across = preamble.is_open and not (commits or is_label_line)
        rest = after.lstrip(" \t\r\n" if across else " \t")
        if preamble.introduces and not (preamble.is_label or commits) and "\n" in after:
            return after.lstrip()[:1].islower()  # `Send this to them:`, the call, `and wait.`
        if not (preamble.in_words or across):
            return not (commits or self.forced) and _has_call_for_subject(after)
        rest = rest.lstrip(", \t\uff0c\u3001\u060c")
        word = rest[:1]
        # "I" is the only word that is written large inside of a sentence.
        goes_on = (word.isalpha() and not word.isupper()) or bool(re.match(r"I[\s'\u2019]", rest))
        return goes_on or rest.startswith((":", "\uff1a"))


def _has_call_for_subject(after: str) -> bool:
    """Whether a sentence goes on after its call, in small letters or with a particle: `No. {...} would harm you`."""
    if (found := _GOES_ON.match(after)) is None:
        return False
    return not found[1] or (found[1].islower() and found[1] not in phrases.LINKS)


def _seen(after: str, *, final: bool) -> str | None:
    """The part of the following text that counts; `None` if more may come, or if words may show that a full stop, not the blank line after it, ended the sentence."""
    text = after.lstrip()
    ends = [found.end() for found in _SENTENCE_END.finditer(text[:_LOOKAHEAD])][:_SENTENCES]
    whole = len(ends) == _SENTENCES
    if not ((whole and text[ends[-1] :].strip()) or final or len(text) > _LOOKAHEAD):
        return None
    return after[: len(after) - len(text) + (ends[-1] if whole else _LOOKAHEAD)]
