"""Italian."""

from langchain_toolemu.turn.refusals.language import Denial, Language

_NOT = r"\bnon\b|\bné\b|\bimpossibile\b|\bsenza\b|\bnessuno?a?\b|\bincapace\b"
_POWERS = (
    r"\baccesso|\baccedere|\bstrument|\bfunzioni\b|\bapi\b|\binternet|\bil web|\bsul web|tempo reale|\bin diretta"
    r"|\bdirettamente|\bestern|\bnavigare|\bnavigazione|\bconsultare|\brecuperare|\beseguire|\bcercare (?:online|su|in rete)"
    r"|\bverificare|\bottenere|\bcapacità|\binteragire|\bconnessione|\bconness[oa]\b|\baggiornat"
)
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
        "mi dispiace|mi spiace|spiacente|sono spiacente|scusa|mi scuso|chiedo scusa|purtroppo|sfortunatamente|in quanto ia"
        "|in quanto intelligenza|in quanto modello|in quanto assistente|come ia|come modello|come intelligenza|come assistente"
        "|essendo un modello|essendo un'ia|sono un'ia|sono un modello|sono un'intelligenza|sono solo un|non ho|non posso"
        "|non dispongo|non possiedo|non sono in grado|non mi è possibile|non riesco|non sono|attualmente non|al momento non"
        "|al momento, non|per ora non|mi è impossibile|non ci sono strumenti|non c'è nessuno strumento"
    ),
    denials=(Denial(_NOT, _POWERS),),
    principles=(
        "aiutar(?:ti|la|vi|e) (?:con|in|a) (?:questo|questa|ciò|quest)|illegal|dannos|pericolos|inappropriat|non etic"
        "|linee guida|(?:mie|nostre|le) politiche|politiche di|contro le"
    ),
    announcements=(
        f"(?:{_INTENT}{_SOON}{_CALL}|{_NOW}){_THE}@",
        rf"(?:{_INTENT}|{_LOOK})(?!spieg|mostr|descriv|riassum|che |sapere )[^.]{{2,80}}?{_WITH}{_THE}@",
        rf"^(?:ora )?(?:chiamo|eseguo|chiamata) (?:a |di )?{_THE}@.*(?:\.\.\.|…|:)",
    ),
    conditions=(
        r"(?<!vedere )(?<!verificare )(?<!controllare )\bse\b"
        r"|\b(?:quando|appena|finché|potrei|potrebbe|dovrei|vorrei|nel caso)\b|\buna volta\b|\b(?:dopo|prima) che\b"
        r"|\bper favore\b(?!,? attend)"
        r"|\b(?:dimmi|dammi|fornisci(?:mi)?|avvisami|conferm[aie]|approvazione|indica(?:mi)?|inviami|mi dica|fammi sapere)\b"
        r"|\bho bisogno (?:che|d[ei]l|della|di (?:sapere|più))"
        r"|\b(?:sempre|più tardi|per esempio|ad esempio|futuro|ogni volta)\b|\bd'ora in poi\b|\bprossima volta\b"
        r"|@.*\b(?:ma|però|tuttavia)\b|\b(?:dice|disse|risponde|scrive)\b|\bcome (?:usare|chiamare|utilizzare)\b"
    ),
)  # fmt: skip
