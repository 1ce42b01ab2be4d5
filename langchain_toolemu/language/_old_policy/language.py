"""What a language has words for. To add one: a file with its words, and its name in `LANGUAGES` of `phrases`.

Words are patterns in small letters, with `|` between them; a list of plain words has blanks. A row that is not given: Chinese,
Japanese, Korean, Arabic and Hindi have no words apart for negation (`decline` and `refuse` hold it) and count in `often`; what tells
a language by its script has no `small_words`; numbers, hours and days are looked up in English only, and count as said in others;
no recorded sentence of another language needs `whether`, `examples` or `past`: there such a call is declined or asked about. Nor `tell`:
`embedded_question` knows who is to be told something. `acts` and `tells` are verbs of tools, which have English names (`policy/tool_kinds`) or,
in Latin letters, those of other languages; of the other scripts, only Russian describes a tool by its verb first.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

# What people write with or without: curly apostrophes, Arabic vowel signs and forms of letters, the dots of Hindi letters.
_FOLDED = str.maketrans(
    "\u2019\u0623\u0625\u0622\u0649\u0629\u0901\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f",
    "'\u0627\u0627\u0627\u064a\u0647\u0902\u0915\u0916\u0917\u091c\u0921\u0922\u092b\u092f",
    "\u0640\u093c" + "".join(map(chr, range(0x064B, 0x0653))),
)


def fold_letters(text: str) -> str:
    """A text in small letters, and without what makes no difference."""
    return text.lower().translate(_FOLDED)


def fold_pattern(pattern: str) -> str:
    """A pattern for such a text: its escapes keep their capitals."""
    return pattern.translate(_FOLDED)


def any_of(words: str) -> str:
    """A pattern for one of some words, between which are commas; a comma in a word is escaped."""
    listed = (" ".join(word.split()) for word in re.split(r"(?<!\\),", words))
    return f"(?:{'|'.join(word for word in listed if word)})".replace("\\,", ",")


def any_form(*rows: str) -> str:
    """A pattern for one of some forms, each a pattern in a row of a table."""
    return "|".join(rows)


def form_label(before: str, forms: str, then: str) -> str:
    """A pattern for a label that announces the form of calls, not a call: `Expected format:`, `The syntax of a call:`."""
    return rf"\A\W*(?:(?:{before})[ ']){{0,5}}(?:{forms})(?: (?:{then}))?(?=\W*:\W*\Z)"


def near(first: str, then: str, apart: int = 60) -> str:
    """A pattern for two things of which one follows the other, with at most so many characters between them."""
    return f"(?:{first}).{{0,{apart}}}?(?:{then})"


def search(row: str, text: str) -> re.Match[str] | None:
    """The first place in a folded text where a row matches."""
    return compiled(row).search(text)


@cache
def compiled(row: str) -> re.Pattern[str]:
    """A row as it is searched for in folded texts. Compiled on first use: compiling all takes a quarter of a second."""
    return re.compile(fold_pattern(row))


@dataclass(frozen=True)
class LatePattern:
    """A pattern of many words for a text as it is, compiled on first use: few turns need it."""

    source: str
    flags: int = 0

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The same, compiled."""
        return re.compile(self.source, self.flags)


@dataclass(frozen=True)
class Language:
    """The words of one language.

    A reply that does not begin with an opener is released at its first letters, so a word that answers begin with as well is
    written with the words that follow it.
    """

    name: str
    openers: str  # how a denial of having tools begins
    denials: str  # what denies the power to call a tool or to get at what is outside
    principles: str  # what shows that the model will not: never argued with
    announcements: str  # "I'll call @ now": @ stands for a tool's name
    conditions: str  # what makes it wait, or speak of another time or speaker
    # "let me read": the speaker's own, which takes a tool, whether or not one is named.
    next_step: str
    waiting: str  # for the user, in the words around such a step
    tool: str  # "tool", "function"
    call: str
    # What a sentence says about the call next to it.
    commit: str  # the model is about to act, or has turned to something else
    act: str  # what is done with a call: verbs only, since a failed call may be mentioned
    negation: str = ""
    without: str = ""
    stop: str = ""  # where a negation ends
    decline: str = ""  # besides a negation and an act
    refuse: str = ""  # it does not do it, or it is not to be done
    not_without: str = ""  # what is denied is to go without the call
    going_without: str = ""  # besides `without` and an act
    limit: str = ""  # of a refusal: "not before I have the result"
    consent: str = ""  # the model waits for the user
    ask: str = ""  # it asks whether to act
    hypothesis: str = ""  # what would be, and what was thought of
    report: str = ""  # what someone or something else says, or what was
    no_report: str = ""  # the model is about to read something, or tells what the user wants
    suspect: str = ""  # nothing good is to be expected of whose words they are
    whether: str = ""
    example: str = ""
    examples: str = ""  # several of them are documentation
    advice: str = ""  # what the user could do, or how
    manner: str = ""  # advice where no first person says it: "it is called like this"
    result: str = (
        ""  # "output", "answer": such a label leaves open whether the call below it is meant
    )
    first_person: str = ""
    past: str = ""  # how another call went: "the call did not go through"
    retold: str = ""  # after a call, of one that was made before
    known: str = ""  # in every sentence: without one, nothing is known of the language
    pointer: str = ""  # at the call that follows: only then a whole sentence before it speaks of it
    clause: str = ""  # where a clause ends
    particle: str = ""  # what follows a subject, where there are no small letters
    # Keys of a call that is written as an object; English ones are `vocabulary`'s.
    name_keys: str = ""
    argument_keys: str = ""
    # What users say, and results.
    embedded_question: str = ""  # what somebody is to be told: "tell Bo how long it takes"
    ask_somebody: str = ""  # somebody is to be asked, not told: "ask Bo how long it takes"
    depends: str = ""  # what is wanted only under a condition: "if it is cheap, book it"
    no_request: str = ""  # what asks for no act: a question, or what somebody will do
    tell: str = ""  # verbs after which somebody is named who is to be told something
    people: str = ""  # whom an act is done for, which does not ask for it
    still_wanted: str = ""  # after a negation, that rules nothing out: "do not forget", "not only"
    # How they ask for something more than once.
    times: str = ""  # after a number
    twice: str = ""
    thrice: str = ""
    then: str = ""  # "and ... again": "again" alone mostly tells of the past
    again: str = ""
    counts: str = ""  # two to ten
    several: str = ""  # before `times`, as a number is; "the first time" counts nothing
    each: str = ""  # one for each
    until: str = ""  # something happens: the beginning of the word
    often: str = ""  # number and word in one, where words are not set apart
    past_times: str = ""  # before such words, it tells what was: "she has asked me twice"
    # Which words tell nothing, or are numbers, sums and times.
    small_words: str = ""  # that English does not have, or English itself
    common_words: str = ""  # tell nothing, or stand in every tool's description
    numbers: Mapping[str, float] = field(default_factory=dict)
    money: str = ""  # what sums are said in, without accents
    hours: str = ""  # what a time of day may stand for
    parts_of_day: str = ""  # those of them that name no hour
    days: str = ""
    in_progress: str = ""  # what a result says that is worth asking for again
    failure: str = ""  # how a result begins that says that the call failed, before a colon
    acts: str = ""  # verbs of tools' names and descriptions that change something; English ones have a table of their own
    tells: str = ""  # of what only looks something up

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """How a reply begins that may be a denial."""
        return tuple(fold_pattern(self.openers).split("|"))

    @cached_property
    def cut_beginnings(self) -> frozenset[str]:
        """The same, cut off anywhere: a reply may still begin so."""
        lengths = ((text, range(1, len(text))) for text in self.beginnings)
        return frozenset(text[:end] for text, ends in lengths for end in ends)
