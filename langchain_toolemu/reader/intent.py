"""Decides from the form of a reply, and from its words, whether a call is made or only mentioned.

Form comes first: a quotation, a table, code, a sentence that goes on after its call, a refusal that
ends in it. Where no contract asked for calls in text, so do a heading or a question above it, and
words below it. Words only ever raise a doubt: a row of
`language` for each meaning, in the sentence before the call, the rest of its own and the next one.
Of what is doubted the model is asked.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.language import phrases
from langchain_toolemu.language.language import fold_letters

Intent: TypeAlias = Literal["made", "asked", "declined", "quoted"]
Cue: TypeAlias = Literal["neutral", "doubt", "refusal"]

_LOOKAHEAD = 240
_SENTENCES = 2

# Marks of other widths and writings, as the ones that the patterns know.
_FOLDED: dict[int, int | str] = {0xFF1F: "?。", 0x61F: "?。"}
_FOLDED |= str.maketrans("\uff1a\uff0c\uff1b\u2019\u060c\u0964\uff01\uff08\uff09", ":,;',。。()")
_SENTENCE_END = re.compile(
    r"[.!?…\uff01\uff1f][\"')\]*_]*(?=\s+[^\sa-z])|[。\u0964\u061f\uff01\uff1f]|\n[ \t]*\n"
)
_OPEN_END = re.compile(r"[^\W_]\s*\Z|[,\u0900-\u0963]\s*\Z")  # no sentence ends so
_GLUED = re.compile(r"(?:\A|[\x00-\x7f])[A-Za-z0-9.!?]\Z")  # sample words-glued-to-a-call
_MARKUP = re.compile(r"[*_#`]+")
_ITEM = re.compile(r"(?:\A|\n)[ \t>]*(?:[-*+•]|\d{1,3}[.)]|\(?[a-zA-Z][.)])?[ \t]*\Z")
_TAG = re.compile(r"<\s{0,4}/?\s{0,4}\w{1,40}\s{0,4}>")
_TOKEN = re.compile(r"<[|\uff5c][^<>|\uff5c\n]{0,40}[|\uff5c]>")
# The line before a call: an assignment, the argument of a function, a comment of a page.
_CODE = re.compile(r"[\w\])][ \t]{0,8}=[ \t]*\Z|[\w.]\(\Z|<!--(?!.*-->)")
# A quotation, or a row of a table.
_QUOTED_LINE = re.compile(r"[ \t]{0,8}(?:>(?!>)|\|.*\|?)")
# A made-up dialogue, or the line that an error names. Samples made-up-dialogue, traceback.
_DIALOGUE = re.compile(
    r"(?is)(?:\A|\n)\W{0,4}(?:user|human|q)\W{0,4}:.*\n\W{0,4}(?:assistant|ai|bot|model|a)"
    r"\W{0,4}:\W*\Z"
    r"|\bFile \"[^\"\n]*\", line \d+[^\n]*\n[ \t]+\Z"
)
_HEADING = re.compile(r"(?:\A|\n)[ \t]*#{1,6} [^\n]*\s*\Z")
_SPACES = " \t\u00a0\u202f"
_PUNCTUATION = " \t\r\n.,;:!。`"
_LABEL = 12  # characters: a shorter sentence says nothing
# A letter that says as much as two.
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_GOES_ON = re.compile(r"\n?[ \t]{1,8}((?:[^\W\d_]|['\u2019])+)(?:[ \t]+\w|[.!?])")
_LIKE: dict[Intent, Cue] = {"asked": "doubt", "quoted": "doubt", "declined": "refusal"}


def without_tokens(text: str) -> str:
    """A text without leaked special tokens."""
    return _TOKEN.sub("", text)


def _cue(sentence: str, *, is_over: bool = False) -> Cue:
    """What a sentence says of the call next to it; one that is over negates or reports anything."""
    text = fold_letters(_MARKUP.sub("", sentence)).strip()
    if phrases.says("refuses", phrases.last_clause(text)):
        return "refusal"
    waits = phrases.says("condition", text) or phrases.says("question", text)
    return "doubt" if waits or (not is_over and phrases.raises_doubt(text)) else "neutral"


@dataclass(frozen=True, slots=True)
class Preamble:
    """The words before a call, and what they say about it."""

    cue: Cue
    line: str = ""  # what is before the call on its line
    runs_on: bool = True  # whether the sentence runs into the call: in a colon, or without an end
    is_label: bool = False  # whether it is so short that it says nothing
    is_open: bool = False  # whether it ends in the middle of a sentence, on whatever line
    introduces: bool = False  # whether it ends in a colon
    asks: bool = False  # whether it is a question
    announces: bool = False  # whether it says that something is done now
    is_heading: bool = False  # whether the call stands right below a heading

    @property
    def may_act(self) -> bool:
        """Whether a call after these words may be made."""
        return self.cue == "neutral"

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


def read_preamble(before: str, last: Intent | None = None) -> Preamble:
    """What the words before a call say about it; if nothing, the last call's intent applies."""
    before = without_tokens(before).translate(_FOLDED)
    text = _ITEM.sub("", _TAG.sub("", before).rstrip(" \t")).rstrip()
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if found.end() < len(text)]
    sentence = text[max(ends, default=0) :].strip()
    runs_on = not sentence.endswith((".", "!", "?", "…", "。", ")"))
    cue = _cue(sentence, is_over=not runs_on)
    announces = phrases.says("announces", fold_letters(sentence))
    # Between calls a sentence that is over speaks of the first; one that announces nothing is mute.
    if last and (not runs_on or (cue == "neutral" and not announces)):
        cue = _LIKE.get(last, "neutral")
    if _DIALOGUE.search(before):
        cue = "doubt"
    return Preamble(
        cue,
        before.rpartition("\n")[2],
        runs_on=runs_on,
        announces=announces,
        asks=sentence.rstrip("。").endswith("?"),
        is_label=len(sentence) + len(_WIDE.findall(sentence)) <= _LABEL,
        is_open=bool(_OPEN_END.search(text)),
        introduces=text.endswith(":"),
        is_heading=bool(_HEADING.search(before)),
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
    # In a thought that has not ended: made only if the reply ends with it.
    # Sample thought-that-ends-in-a-call.
    in_reasoning: bool = False
    bound: bool = True  # whether its tool is bound

    @property
    def may_be_shown(self) -> bool:
        """Whether no contract asked for it and no tag says that it is a call."""
        return self.native and not self.explicit

    @property
    def is_sure(self) -> bool:
        """Whether the call is made whatever follows."""
        preamble = self.preamble
        in_text = preamble.quote or preamble.in_words or preamble.form
        if self.begins:
            return not self.may_be_shown
        if self.in_reasoning or self.in_code or in_text:
            return False
        return preamble.may_act and (preamble.announces or (self.explicit and not preamble.runs_on))

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
        """Made, unless the sentence goes on after it in its line, and says that it is not."""
        rest = after.lstrip()
        goes_on = rest[:1].islower() or rest[:1] == "?" or _has_no_case(rest)
        if self.token or not (goes_on or self.may_be_shown):
            return "made"
        if (seen := _seen(after, final=final)) is None:
            return None
        if self.may_be_shown and phrases.says("question", fold_letters(seen)):
            return "asked"
        own = _SENTENCE_END.split(seen.strip())[0]
        in_line = after.lstrip(_SPACES) == rest
        speaks = (rest[:1].islower() or in_line) and _cue(own.rstrip(_PUNCTUATION)) != "neutral"
        is_subject = not self.explicit and _is_subject(seen)
        return "asked" if rest[:1] == "?" or speaks or is_subject else "made"

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
        """Between back-ticks: alone on its line a call like any other, else quoted or asked."""
        line, newline, _ = after.partition("\n")
        follows = line.strip(_PUNCTUATION)
        if not (newline or final or follows or len(line) > _LOOKAHEAD):
            return None
        if follows or line.lstrip().startswith("?") or len(line) > _LOOKAHEAD:
            return "quoted"
        return "asked" if self.preamble.line.strip() else self._in_prose(after, final=final)

    def _in_prose(self, after: str, *, final: bool) -> Intent | None:
        if (seen := _seen(after, final=final)) is None:
            return None
        window = without_tokens(seen.lstrip()).lstrip().translate(_FOLDED)
        cues = {self.preamble.cue, *self._cues_after(seen, window)}
        if "refusal" in cues:
            return "declined"
        doubts = "doubt" in cues or (self.may_be_shown and self._is_shown(window))
        return "made" if not doubts and (self.token or self._stands_alone(seen)) else "asked"

    def _cues_after(self, after: str, window: str) -> set[Cue]:
        """What the words after it say: a report is of its result, a condition below it of more."""
        words, in_line = fold_letters(window), after.lstrip(_SPACES) == after.lstrip()
        if any(phrases.says("refuses", part) for part in _SENTENCE_END.split(words)):
            return {"refusal"}
        waits = words.startswith("?") or (in_line and phrases.says("condition", words))
        return {"doubt"} if waits or phrases.says("question", words) else set()

    def _is_shown(self, window: str) -> bool:
        """Whether it stands below a heading or a question, or above words."""
        preamble = self.preamble
        below = preamble.is_heading or preamble.asks
        above = window.strip(_PUNCTUATION) and not preamble.announces
        return bool(below or above)

    def _stands_alone(self, after: str) -> bool:
        """Whether the call is not part of a sentence."""
        preamble = self.preamble
        if self.explicit and self.bound and _GLUED.search(preamble.line):
            return True
        # Words before it on its line, and more of them after it.
        line = without_tokens(after.lstrip(" \t")[:_LOOKAHEAD].partition("\n")[0])
        inside = preamble.line.strip(" \t`") and line.strip(_PUNCTUATION)
        says_little = not self.explicit and (preamble.is_label or self.forced)
        if self._goes_on(after) or (inside and not says_little):
            return False
        return self.forced or not preamble.in_words or self.explicit or preamble.is_label

    def _goes_on(self, after: str) -> bool:
        """Whether a sentence goes on after the call: `I call`, the call, `to see`."""
        preamble = self.preamble
        across = preamble.is_open and not (preamble.is_label and not preamble.line)
        if preamble.introduces and "\n" in after:
            return not preamble.is_label and after.lstrip()[:1].islower()
        if not (preamble.in_words or across):
            return not self.forced and _is_subject(after)
        rest = after.lstrip(" \t\r\n" if across else " \t").lstrip(", \t\uff0c\u3001\u060c")
        # "I" is the only word that is written large inside of a sentence.
        goes_on = rest[:1].isalpha() and not rest[:1].isupper()
        return goes_on or bool(re.match(r"I[\s'\u2019]|[:\uff1a]", rest))


def _has_no_case(text: str) -> bool:
    return text[:1].lower() == text[:1].upper()


def _is_subject(after: str) -> bool:
    """Whether a sentence goes on after its call, in small letters: `No. {...} would harm you`."""
    found = _GOES_ON.match(after)
    return found is not None and found[1].islower()


def _seen(after: str, *, final: bool) -> str | None:
    """The part of the following text that counts; `None` if more may come.

    Words may show that a full stop, not the blank line after it, ended the sentence.
    """
    text = after.lstrip()
    ends = [found.end() for found in _SENTENCE_END.finditer(text[:_LOOKAHEAD])][:_SENTENCES]
    whole = len(ends) == _SENTENCES
    if not ((whole and text[ends[-1] :].strip()) or final or len(text) > _LOOKAHEAD):
        return None
    return after[: len(after) - len(text) + (ends[-1] if whole else _LOOKAHEAD)]
