"""Whether somebody speaks another language than English, in which tools are mostly described."""

import re

from langchain_toolemu.tools.stems import folded

_WORD = re.compile(r"[^\W_]{2,}")
_ENGLISH = frozenset(
    _WORD.findall("""
    the an is am are of to and for what how you my it on with that do can this please from who when where why will be at not your
    have has was me we his her they our there their which should would could about into than then
    """)
)
# Small words of German, French, Spanish, Italian, Portuguese, Dutch, Swedish and Polish that English does not have.
_FOREIGN = frozenset(
    _WORD.findall("""
    der das dem ist und nicht ein eine einen wie wer wo ich mir mich bitte auf von zu mit fur im wann welche mein
    le la les des du est une et que qui dans pour avec quel quelle quels comment je moi sur mon elle nous vous aux
    el los las una es en por con como cual donde cuanto quien mi para del esta hay
    lo gli di che sono mia mio della dei nel quanto dove chi quale questo
    uma em nao meu minha qual onde quem voce dos
    het een van niet hoe wat waar mijn naar voor
    och det att som hur vad ett till med vem
    jest jaki jaka czy gdzie jak moj moja
    """)
)


def is_foreign(text: str) -> bool:
    """Whether a text has more small words of other languages than of English.

    Example:
        ```python
        is_foreign("Wie ist das Wetter in Köln?")  # True
        ```
    """
    words = _WORD.findall(folded(text))
    return sum(word in _FOREIGN for word in words) > sum(word in _ENGLISH for word in words)
