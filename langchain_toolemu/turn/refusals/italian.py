"""Italian."""

from langchain_toolemu.turn.refusals.language import Denial, Language

_INTENT = r"(?<!non )\b(?:sto per|devo|dobbiamo|vado a|fammi|mi permetta di|lascia(?:te)?mi|lascia che|procedo a|ho bisogno di) "
_SOON = r"(?:(?:ora|adesso|prima|quindi|poi|anche|subito|semplicemente|direttamente|provare a) )*"
_CALL = r"(?:chiamare|usare|utilizzare|eseguire|invocare|lanciare|consultare|richiamare|ricorrere a|provare) "
_NOW = (
    r"(?<!non )\b(?:chiam(?:o|erò)|us(?:o|erò)|utilizz(?:o|erò)|eseg(?:uo|uirò)|invo(?:co|cherò)|consult(?:o|erò)|richiam(?:o"
    r"|erò)|sto (?:chiamando|usando|eseguendo|utilizzando)) "
)
_LOOK = (
    r"(?<!non )\b(?:controllo|verifico|cerco|recupero|leggo|apro|creo|invio|salvo|calcolo|aggiorno|prenoto|carico|scarico"
    r"|(?!però|spieg|mostr|descriv|riassum)\w{2,}rò) "
)
_THE = r"(?:l'|(?:ora|adesso|subito|lo|la|il|gli|le|di|a|strumento|strumenti|funzione|tool|chiamat[oa]) )*"
_WITH = r"\b(?:usando|con|tramite|utilizzando|attraverso|mediante|chiamando|e (?:usare|chiamare|eseguire)) "

ITALIAN = Language(
    "Italian",
    openers=(
        "mi dispiace", "mi spiace", "spiacente", "sono spiacente", "scusa", "mi scuso", "chiedo scusa", "purtroppo",
        "sfortunatamente", "in quanto ia", "in quanto intelligenza", "in quanto modello", "in quanto assistente", "come ia",
        "come modello", "come intelligenza", "come assistente", "essendo un modello", "essendo un'ia", "sono un'ia",
        "sono un modello", "sono un'intelligenza", "sono solo un", "non ho", "non posso", "non dispongo", "non possiedo",
        "non sono in grado", "non mi è possibile", "non riesco", "non sono", "attualmente non", "al momento non", "al momento, non",
        "per ora non", "mi è impossibile", "non ci sono strumenti", "non c'è nessuno strumento",
    ),
    denials=(
        Denial(
            first=(r"\bnon\b", r"\bné\b", r"\bimpossibile\b", r"\bsenza\b", r"\bnessuno?a?\b", r"\bincapace\b"),
            then=(
                r"\baccesso", r"\baccedere", r"\bstrument", r"\bfunzioni\b", r"\bapi\b", r"\binternet", r"\bil web", r"\bsul web",
                r"tempo reale", r"\bin diretta", r"\bdirettamente", r"\bestern", r"\bnavigare", r"\bnavigazione", r"\bconsultare",
                r"\brecuperare", r"\beseguire", r"\bcercare (?:online|su|in rete)", r"\bverificare", r"\bottenere", r"\bcapacità",
                r"\binteragire", r"\bconnessione", r"\bconness[oa]\b", r"\baggiornat",
            ),
        ),
    ),
    principles=(
        r"aiutar(?:ti|la|vi|e) (?:con|in|a) (?:questo|questa|ciò|quest)", "illegal", "dannos", "pericolos", "inappropriat",
        "non etic", "linee guida", r"(?:mie|nostre|le) politiche", "politiche di", "contro le",
    ),
    announcements=(
        f"(?:{_INTENT}{_SOON}{_CALL}|{_NOW}){_THE}@",
        rf"(?:{_INTENT}|{_LOOK})(?!spieg|mostr|descriv|riassum|che |sapere )[^.]{{2,80}}?{_WITH}{_THE}@",
        rf"^(?:ora )?(?:chiamo|eseguo|chiamata) (?:a |di )?{_THE}@.*(?:\.\.\.|…|:)",
    ),
    conditions=(
        r"(?<!vedere )(?<!verificare )(?<!controllare )\bse\b",
        r"\b(?:quando|appena|finché|potrei|potrebbe|dovrei|vorrei|nel caso)\b", r"\buna volta\b", r"\b(?:dopo|prima) che\b",
        r"\bper favore\b(?!,? attend)",
        r"\b(?:dimmi|dammi|fornisci(?:mi)?|avvisami|conferm[aie]|approvazione|indica(?:mi)?|inviami|mi dica|fammi sapere)\b",
        r"\bho bisogno (?:che|d[ei]l|della|di (?:sapere|più))",
        r"\b(?:sempre|più tardi|per esempio|ad esempio|futuro|ogni volta)\b", r"\bd'ora in poi\b", r"\bprossima volta\b",
        r"@.*\b(?:ma|però|tuttavia)\b", r"\b(?:dice|disse|risponde|scrive)\b", r"\bcome (?:usare|chiamare|utilizzare)\b",
    ),
)  # fmt: skip
