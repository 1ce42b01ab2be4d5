"""The words of all languages, by what they mean: the tables that all other layers read."""

import re

from langchain_toolemu.language._old_policy.arabic import ARABIC
from langchain_toolemu.language._old_policy.chinese import CHINESE
from langchain_toolemu.language._old_policy.english import ENGLISH
from langchain_toolemu.language._old_policy.english_intent import WILL_NOT as WILL_NOT
from langchain_toolemu.language._old_policy.french import FRENCH
from langchain_toolemu.language._old_policy.german import GERMAN
from langchain_toolemu.language._old_policy.hindi import HINDI
from langchain_toolemu.language._old_policy.italian import ITALIAN
from langchain_toolemu.language._old_policy.japanese import JAPANESE
from langchain_toolemu.language._old_policy.korean import KOREAN
from langchain_toolemu.language._old_policy.language import LatePattern, compiled
from langchain_toolemu.language._old_policy.portuguese import PORTUGUESE
from langchain_toolemu.language._old_policy.russian import RUSSIAN
from langchain_toolemu.language._old_policy.spanish import SPANISH

LANGUAGES = (
    ENGLISH, CHINESE, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, RUSSIAN, JAPANESE, KOREAN, ARABIC, HINDI,
)  # fmt: skip

# Quotation marks in prose.
QUOTATION_MARKS: dict[str, tuple[str, ...]] = {
    '"': ('"',), "'": ("'",), "“": ("”", '"'), "„": ("“", "”"), "\u2018": ("\u2019", "'"),
    "«": ("»",), "»": ("«",), "「": ("」",), "『": ("』",), "《": ("》",),
}  # fmt: skip
# A dialogue with a made-up user, or the line of a program that an error names. Samples made-up-dialogue, traceback.
DIALOGUE = re.compile(
    r"(?is)(?:\A|\n)\W{0,4}(?:user|human|q)\W{0,4}:.*\n\W{0,4}(?:assistant|ai|bot|model|a)\W{0,4}:\W*\Z"
    r"|\bFile \"[^\"\n]*\", line \d+[^\n]*\n[ \t]+\Z"
)

# Of Dutch, Swedish, Polish, Turkish and Indonesian, no more is known than these, and the rows below.
_OTHERS = """
    het een van niet hoe wat waar mijn naar voor och det att som hur vad ett till med vem jest jaki jaka czy gdzie jak moj moja
    ve bir bu ne nasil icin var yok mi kac nerede yang dan ke dari apa untuk dengan ini itu saya tidak ada bagaimana berapa
"""
_TURKISH = {
    "refuse": r"(?:yapıl|çalıştırıl|yap|çalıştır|çağır|gönder|uygula|kullan|sil)m(?:a|e|ı|i|u|ü)(?:yacağım|yeceğim|yorum|yın|yın[ıi]z|m|z|dım|dim|sı gereken|mayı|meyi)\b|(?:yok say|reddedi|reddet|görmezden gel)\w*",
    "consent": r"onayla\w*(?:rsa|sa|dığı|ma)\w*|onay\w* (?:ver|bekl|gerek|al|sonra)\w*|izin ver\w*|ister?se\w*",
    "ask": r"emin mi\w*|bu m(?:uydu|udur|u)\b(?=[^.!]*\?)|ister mi\w*|(?:yap|çalıştır|gönder|çağır|sil)(?:ayım|eyim) mı",
    "report": r"(?<!n[ıiuü]z[ae] )göre(?=\W*\Z|,)|\w+ \w+(?:(?<!gereki)yor(?:lar)?|mış|miş|muş|müş|ydı|ydi|ydu|ydü|[dt]ı)(?=\W*\Z)|\w+ \w*(?:istedi|ekledi|söyledi|gönderdi|bildirdi|dedi|verdi|gitti|\betti|geldi|oldu|buldu|sordu|gördü|sundu|koydu)(?=\W*\Z)|(?:diyor|yazıyor|istiyor|gösteriliyor|geçiyor|bulunuyor|söylüyor)|(?:belge|kılavuz|günlük|kayıt|sayfa|dosya|e-posta|ileti)\w*(?: \w+){0,2}(?:da|de|ta|te|dan|den|tan|ten|ki|a göre|e göre)\b|test\w*,? [^:]{0,40}yor(?=\W*\Z)",
    "advice": r"nasıl|şöyle (?:yazıl|çağrıl|kullanıl)\w*|kendiniz",
}
# Of other languages only what puts a call off.
_DUTCH = {
    "hypothesis": "zou(?:den)?",
    "consent": r"als (?:u|je) (?:akkoord|toestem|bevestig)\w*|(?:na|zonder) (?:uw|je|jouw) (?:akkoord|toestemming|bevestiging)",
}
_POLISH = {
    "hypothesis": r"\w{3,}[łl][aoyi]by\w{0,4}|gdyby\w*|byłby\w*",
}
_SWEDISH = {
    "consent": r"(?:om|när) du (?:godkänner|bekräftar|vill)|(?:efter|utan) (?:ditt|din) (?:godkännande|bekräftelse)",
}
# And of these and further ones, by which labels tell that a call is only shown.
_LABELS = {
    "example": r"\w*voorbeeld\w*|przykład\w*|przyklad\w*|örne[kğ]\w*|exempel\w*|eksempel\w*|esimer[kc]\w*|приклад\w*|наприклад|ví dụ|contoh\w*|παράδειγμα\w*|příklad\w*|například|példa\w*|például|exemplu\w*|דוגמ\w*|לדוגמ\w*|ตัวอย่าง\w*|ter referentie|dla porównania|till jämförelse|sebagai referensi",
    "refuse": r"\A\W*(?:(?:ik|wij|we) (?:ga|gaan|zal|zullen|wil|willen) (?:[^.,;:]* )?niet|nie (?!mogę|widzę|znajduję)\w+ę|jag (?:tänker|ska|kommer|vill) inte|(?:я |ми )?не (?:буду|стану|хочу|збираюсь|\w+тиму))\b[^.,;:]*(?=:\W*\Z)|(?<![\w ])(?:geannuleerd|afgewezen|overgeslagen|anulowan[oaey]|odrzucon[oaey]|i\u0307?ptal(?: edildi)?|avbrut\w*|inställ[td]\w*|avvis\w*|скасовано|відхилено|đã hủy|dibatalkan|peruutettu|zrušeno|törölve|anulat)(?=\W*\Z)",
}
_COUNTS = {
    "times": "keer|gånger|razy|kez",
    "counts": "twee drie vier vijf zes|två tre fyra fem sex|dwa trzy cztery pięć sześć|iki üç dört beş altı",
}
_OTHER_ROWS = (_TURKISH, _DUTCH, _POLISH, _SWEDISH, _LABELS, _COUNTS)
_OTHER_NEGATIONS = "dont|nie|niet|inte"
_UNSPACED_NEGATIONS = r"不|没|无法|ません|ない|않|못|لن |لا |لم |ليس|नहीं|(?<!\S)[मन]त? "

_NEVER = "(?!)"
_UNSPACED = re.compile(r"[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")


class Phrases:
    """Words with one meaning.

    Where words are not set apart by blanks, or are written together with others, they match anywhere.
    """

    def __init__(self, *words: str, marks: str = "", unless: "Phrases | None" = None) -> None:
        self._unless = unless  # in which they mean something else
        unspaced = [line for line in words if _UNSPACED.search(line)]
        spaced = "|".join(line for line in words if line and line not in unspaced)
        rows = [marks, rf"\b(?:{spaced})(?!\w)" if spaced else ""]
        self._spaced_row = "|".join(filter(None, rows)) or _NEVER
        self._row = "|".join(filter(None, [*rows, *unspaced]))

    def _pattern(self, text: str) -> re.Pattern[str]:
        # Most texts have none of the letters of the other rows, and are searched in two thirds of the time.
        is_spaced = text.isascii() or not _UNSPACED.search(text)
        return compiled(self._spaced_row if is_spaced else self._row)

    def search(self, text: str) -> re.Match[str] | None:
        """The first of them in a text."""
        return self._pattern(text).search(text)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where they begin and end."""
        found = [match.span() for match in self._pattern(text).finditer(text)]
        others = self._unless.spans(text) if self._unless and found else []
        inside = (
            any(first <= start and end <= last for first, last in others) for start, end in found
        )
        return [span for span, is_other in zip(found, inside, strict=True) if not is_other]

    def starts(self, text: str) -> list[int]:
        """The places where they begin."""
        return [start for start, _ in self.spans(text)]


def _rows(meaning: str) -> list[str]:
    rows = (getattr(language, meaning) for language in LANGUAGES)
    return [*rows, *(other.get(meaning, "") for other in _OTHER_ROWS)]


def _words(meaning: str) -> str:
    return "|".join(filter(None, _rows(meaning)))


_NEGATION, _WITHOUT = _words("negation"), _words("without")
_SPACED_ACT, _SPACED_CLAUSE = (
    "|".join(row for row in _rows(meaning) if row and not _UNSPACED.search(row))
    for meaning in ("act", "clause")
)

(
    COMMIT, ACT, REFUSE, LIMIT, CONSENT, ASK, HYPOTHESIS, NO_REPORT, SUSPECT, WHETHER, EXAMPLE, EXAMPLES, ADVICE, MANNER,
    FIRST_PERSON, PAST, RETOLD, KNOWN, POINTER, EMBEDDED_QUESTION, ASK_SOMEBODY, DEPENDS,
) = (
    Phrases(*_rows(meaning))
    for meaning in (
        "commit", "act", "refuse", "limit", "consent", "ask", "hypothesis", "no_report", "suspect", "whether", "example",
        "examples", "advice", "manner", "first_person", "past", "retold", "known", "pointer",
        "embedded_question", "ask_somebody", "depends",
    )
)  # fmt: skip
REPORT = Phrases(*_rows("report"), unless=NO_REPORT)
DECLINE = Phrases(
    rf"(?:{_NEGATION})[\s']+(?:(?!(?:{_words('stop')}|{_WITHOUT})\b)[\w-]+[\s']+){{0,4}}(?:{_SPACED_ACT})",
    *_rows("decline"),
)
NOT_WITHOUT = Phrases(
    rf"(?:{_NEGATION})\b[^.;:]{{0,80}}\b(?:{_WITHOUT})",
    rf"(?:{_WITHOUT})\b[^.;:]{{0,60}}\b(?:{_NEGATION})",
    *_rows("not_without"),
)
WITHOUT = Phrases(
    rf"(?:{_WITHOUT})\s+(?:(?:\w+ ){{0,2}})(?:{_SPACED_ACT})", *_rows("going_without")
)
NEGATIVE = Phrases(_NEGATION, _UNSPACED_NEGATIONS)
RESULT_LABEL = Phrases(  # `As JSON:`, `Output:`
    marks=rf"\A\W*(?:\w+[ -]){{0,2}}(?:json|xml|yaml|python|code|{_words('result')})\W{{0,2}}\w{{0,8}}\W*:\W*\Z"
)
CLAUSE_END = Phrases(*_rows("clause"), marks=r"[,;\u2014\u2013、]|\s-\s")
TOOL = _words("tool")
CALL = Phrases(marks=rf"{TOOL}|{_words('call')}")  # in other words, too: "Werkzeugaufruf"
PARTICLE = _words("particle")
LINKS = frozenset(_words("then").split("|"))

# What users say, in any letters.
MORE = LatePattern(
    rf"\b(?:(?P<count>\w+)\s(?:{_words('times')})|(?:{_words('twice')})|(?P<thrice>{_words('thrice')})"
    rf"|(?:{_words('then')})\b[^.!?]{{0,25}}\b(?:{_words('again')}))\b|{_words('often')}",
    re.IGNORECASE,
)
NOT_MORE = LatePattern(
    rf"\b(?:{_NEGATION}|{_WITHOUT}|{_OTHER_NEGATIONS})\b[^.!?]{{0,30}}\Z"
    rf"|\b(?:{_words('past_times')})\b[^.,!?]{{0,30}}\Z",
    re.IGNORECASE,
)
EACH = LatePattern(rf"(?<!\w)(?:{_words('each')})", re.IGNORECASE)
_UNTIL = _words("until").split("|")
UNTIL = LatePattern(
    "|".join(word if _UNSPACED.search(word) else rf"\b{word}" for word in _UNTIL), re.IGNORECASE
)
RULED_OUT = LatePattern(  # "if not" rules nothing out
    rf"(?<!\bif )(?<!\bsi )(?<!\bse )(?<!\bwenn )(?<!\bесли )\b(?:{_NEGATION}|{_WITHOUT}|{_OTHER_NEGATIONS})\b(?!\s(?:{_words('still_wanted')}))"
    rf"(?:(?!\b(?:{_SPACED_CLAUSE})\b)[^.,;:!?\n]){{0,60}}",
    re.IGNORECASE,
)
FAILURE_WORDS = _words("failure")
IN_PROGRESS = LatePattern(
    "|".join(
        row if _UNSPACED.search(row) else rf"(?<![^\W\d_])(?:{row})"
        for row in filter(None, _rows("in_progress"))
    ),
    re.IGNORECASE,
)
SUM_IN_WORDS = LatePattern(rf"(?:[^\W\d_] |[^\W\d_a-z])(?:{_words('money')})(?![a-z])")
NO_REQUEST = LatePattern(rf"\b(?:{ENGLISH.no_request})", re.IGNORECASE)
SEVERAL = frozenset(_words("several").replace("|", " ").split())
COUNTS = {
    word: count for row in _words("counts").split("|") for count, word in enumerate(row.split(), 2)
}
FOREIGN = frozenset(f"{_OTHERS} {' '.join(_rows('small_words'))}".split()) - frozenset(
    ENGLISH.small_words.split()
)
