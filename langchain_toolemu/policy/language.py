"""Whether somebody speaks another language than English, in which tools are mostly described."""

import re

from langchain_toolemu.tools.stems import folded

_MOST_CHARS = 10_000  # of a text, from its end
_WORD = re.compile(r"[^\W_]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[a-z]")
_ACCENTED = re.compile(r"[^\W\d_]*[\u00c0-\u024f\u1ea0-\u1ef9][^\W\d_]*")
_ENGLISH = frozenset(
    _WORD.findall("""
    the an is am are of to and for what how you my it on with that do can this please from who when where why will be at not your
    have has was me we his her they our there their which should would could about into than then
    """)
)
# Small words of German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Turkish, Indonesian and Hindi that
# English does not have.
_FOREIGN = frozenset(
    _WORD.findall("""
    der das dem ist und nicht ein eine einen wie wer wo ich mir mich bitte auf von zu mit fur im wann welche mein mach
    le la les des du est une et que qui dans pour avec quel quelle quels comment je moi sur mon elle nous vous aux
    el los las una es en por con como cual donde cuanto quien mi para del esta hay
    lo gli di che sono mia mio della dei nel quanto dove chi quale questo
    uma em nao meu minha qual onde quem voce dos
    het een van niet hoe wat waar mijn naar voor
    och det att som hur vad ett till med vem
    jest jaki jaka czy gdzie jak moj moja
    ve bir bu ne nasil icin var yok mi kac nerede
    yang dan ke dari apa untuk dengan ini itu saya tidak ada bagaimana berapa
    hai kya mein ka ki ko mujhe
    """)
)


def is_foreign(text: str) -> bool:
    """Whether a text is in another script, or has more small or accented words of other languages than English ones.

    Example:
        ```python
        is_foreign("Wie ist das Wetter in Köln?")  # True
        ```
    """
    text = text[-_MOST_CHARS:]
    plain = folded(text)
    letters, latin = len(_LETTER.findall(plain)), len(_LATIN.findall(plain))
    if letters > 2 * latin:
        return True
    words = _WORD.findall(plain)
    foreign = sum(word in _FOREIGN for word in words) + len(_ACCENTED.findall(text))
    return foreign > sum(word in _ENGLISH for word in words)
