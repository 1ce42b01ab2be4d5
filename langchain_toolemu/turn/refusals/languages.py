"""The languages in which a denial of tools is known."""

from langchain_toolemu.turn.refusals.arabic import ARABIC
from langchain_toolemu.turn.refusals.chinese import CHINESE
from langchain_toolemu.turn.refusals.english import ENGLISH
from langchain_toolemu.turn.refusals.french import FRENCH
from langchain_toolemu.turn.refusals.german import GERMAN
from langchain_toolemu.turn.refusals.hindi import HINDI
from langchain_toolemu.turn.refusals.italian import ITALIAN
from langchain_toolemu.turn.refusals.japanese import JAPANESE
from langchain_toolemu.turn.refusals.korean import KOREAN
from langchain_toolemu.turn.refusals.portuguese import PORTUGUESE
from langchain_toolemu.turn.refusals.russian import RUSSIAN
from langchain_toolemu.turn.refusals.spanish import SPANISH

LANGUAGES = (
    ENGLISH,
    CHINESE,
    GERMAN,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    ITALIAN,
    RUSSIAN,
    JAPANESE,
    KOREAN,
    ARABIC,
    HINDI,
)
