"""German."""

from langchain_toolemu.turn.refusals.language import Denial, Language

_NOT = r"\bnicht\b|\bkein(?:e|en|em|er|es|erlei)?\b|\bunmöglich\b|\baußerstande\b|\bfehl(?:t|en)\b|\bohne\b"
_POWERS = (
    r"\bzugriff\b|\bzugang\b|zugreifen|abruf|abzurufen|werkzeug|\btools?\b|funktionsaufruf|\bfunktionen\b|schnittstelle"
    r"|\bapis?\b|internet|echtzeit|\blive|tagesaktuell|aktuelle[nrs]? \w*daten|\bextern|browse|durchsuchen|online|\bausführen"
    "|auszuführen|nachsehen|nachschlagen|nachzuschlagen|fähigkeit|überprüfen|abfragen|abzufragen"
)
# Turned round it is the speaker who lacks the power: "the tool returned nothing" is an answer.
_NOT_I = r"\b(?:ich|mir)\b.{0,24}\b(?:nicht|kein\w*)\b"
_MAY = r"(?:(?!\bnicht\b|\bnie|\bkein|\berklär|\bzeig|\bbeschreib|\bwie\b)[^.]){0,60}?"
_THE = (
    r"(?:(?:jetzt|nun|dafür|dazu|zuerst|zunächst|also|gleich|erst|einmal|mal|hierfür|hierzu|daher|deshalb|direkt|schnell|kurz"
    r"|noch|sofort|als nächstes|das|die|den|dem|der|tool|werkzeug|funktion|namens|mit) )*"
)
_CALL = r"(?:rufe|nutze|verwende|benutze|starte|führe|setze|versuche es mit|probiere)"
_CALLED = (
    r"(?:aufrufen|verwenden|benutzen|nutzen|ausführen|einsetzen|starten|abfragen|anwenden|heranziehen|prüfen|suchen|abrufen"
    r"|nachsehen|nachschauen|ermitteln|holen|lesen|finden|überprüfen|nachschlagen|durchsuchen|auslesen|ausprobieren|aufzurufen"
    r"|zu verwenden)"
)

GERMAN = Language(
    "German",
    openers=(
        "es tut mir leid|tut mir leid|entschuldig|bitte entschuldig|verzeih|leider|bedauerlicherweise|ich bedaure|ich bedauere"
        "|als ki|als eine ki|als künstliche|als sprachmodell|als ein sprachmodell|als großes sprachmodell|als textbasiert"
        "|als ein textbasiert|als assistent|als virtueller|ich bin eine ki|ich bin ein sprachmodell|ich bin ein text"
        "|ich bin nur ein|ich bin leider|ich bin nicht|ich bin derzeit|ich habe kein|ich habe leider|ich habe derzeit"
        "|ich habe aktuell|ich habe momentan|ich kann nicht|ich kann leider|ich kann derzeit|ich kann momentan|ich kann keine"
        "|ich kann aktuell|ich kann das nicht|ich kann das wetter|ich verfüge|ich besitze|mir fehl|mir steh|es steh"
        "|es gibt keine|derzeit kann ich|derzeit habe ich|momentan kann ich|momentan habe ich|im moment kann ich"
        "|im moment habe ich|aktuell kann ich|aktuell habe ich|auf echtzeit|auf externe|auf das internet"
    ),
    denials=(Denial(_NOT, _POWERS), Denial(_POWERS, _NOT_I, apart=20)),
    principles=(
        "(?:dabei|damit|hierbei|hiermit) (?:leider )?nicht (?:weiter)?helfen|nicht dabei helfen|richtlinie|illegal"
        "|gesetzeswidrig|strafbar|schädlich|gefährlich|unangemessen|unethisch|gegen meine"
    ),
    announcements=(
        rf"(?:\b(?:ich|wir) (?:werde|muss|müssen|werden|will)|\b(?:werde|muss) ich|\blass(?:t|en sie)? (?:mich|uns)) {_MAY}@{_MAY}\b{_CALLED}\b",
        rf"\b(?:ich {_CALL}|{_CALL} ich) {_THE}@",
        rf"\b(?:ich (?:öffne|erstelle|sende|speichere|berechne|lade|buche|aktualisiere|prüfe|suche|hole|schaue|sehe|lese|ermittle|überprüfe|frage|durchsuche|rufe)|(?:prüfe|suche|hole|schaue|sehe|lese|rufe|frage) ich)\b{_MAY}\b(?:mit|über|per|mithilfe von|via|durch) {_THE}(?:hilfe von )?@",
        r"^rufe .{0,30}@.*\bauf\b *(?:\.\.\.|…)",
    ),
    conditions=(
        r"\b(?:wenn|falls|sobald|sofern|nachdem|bevor|solange|würde|könnte|möchten?|sollte)\b"
        r"|\bbitte\b(?! warten| einen moment)|\b(?:bestätigung|zustimmung|freigabe|einverständnis|wissen)\b|\bsoll(?:en)?\b"
        r"|\b(?:sie|du) (?:mir|können|kannst|bestätig|zustimm|müssen|musst)"
        r"|\b(?:immer|künftig|zukünftig|später|bei bedarf|zum beispiel|beispiel)\b|\bzukunft\b|\bjedes mal\b"
        r"|\bnächste[sn]? mal\b|\bab jetzt\b|@.*\b(?:aber|jedoch|allerdings)\b|@[^,]*\b(?:nicht|nie|niemals)\b"
        r"|\b(?:sagte?|schreibt|schrieb|antwortete?)\b|\b(?:an)?fragen\W*$"
    ),
)  # fmt: skip
