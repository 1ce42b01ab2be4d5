"""Italian."""

from langchain_toolemu.language.language import Phrases

WORDS = Phrases(
    negation="non | mai | nulla | nessun* | rifiut* | annullat* | vietat* | pericolos*",
    condition="se vuoi | una volta che | a meno che | prima che | puoi | *rebbe* | conferm*",
    report="dice: | ha detto | scritto | contiene | esempi* | così: | era | ho | ieri | riga",
    question="vuoi che | vuole che | desidera che | va bene se | è questo | sei sicuro | devo",
    refuses="mi rifiuto | non lo farò | non eseguirò | non farò | non intendo",
    apologies="""
    mi dispiace | spiacente | scusa | chiedo scusa | purtroppo | sfortunatamente | come modello |
    come ia | come intel | come assist | come un | in quanto | essendo | sono un | sono solo |
    non posso | non ho | non dispongo | non sono | non possiedo | non mi è | non riesco | non c'è |
    non ci sono | attualmente | al momento | in questo momento
    """,
    cannot="non | nessun* | senza | impossibile | incapace",
    powers="""
    *accesso | accedere | strument* | funzion* | api* | internet | web | tempo reale | dal vivo |
    direttamente | estern* | navig* | consultare | recuperare | eseguire | capacità | connession* |
    aggiornat*
    """,
    principles="""
    con questo | illegal* | dannos* | pericolos* | inappropriat* | etic* | linee guida |
    politiche
    """,
    announces="""
    devo | ho bisogno | lasciami | mi lasci | permettimi | fammi | vediamo | vado a | sto |
    procedo | ora | *erò | *irò | prima | un momento
    """,
    tool="strumento | strumenti | funzione | funzioni",
    name_keys="strumento | funzione | nomestrumento",
    argument_keys="argomenti | parametri",
    steps="""
    verific* | consult* | cerc* | legg* | esegu* | chiam* | us* | utilizz* | apr* | controll* |
    guard* | prov*
    """,
    again="""
    due volte | ancora | di nuovo | un altr* | altro | altra | ogni | ciascun* | finché | appena
    """,
)
