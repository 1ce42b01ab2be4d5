"""German."""

from langchain_toolemu.language.language import Phrases

WORDS = Phrases(
    negation="nicht | nie | kein* | nichts | niemand | weiger* | abgelehnt | verboten",
    condition="wenn | falls | sobald | würde* | wäre* | könnte* | nach ihrer | du kannst",
    report="sagt | steht | schreibt | lautet | beispiel* | so aus | habe ... aufgerufen | muster",
    question="soll ich | darf ich | möchten sie | möchtest du | willst du | sind sie sicher",
    refuses="""
    ich weigere mich | ich lehne | ich werde ... nicht | ich führe ... nicht | ich ignoriere
    """,
    apologies="""
    es tut mir | tut mir leid | entschuldig | bitte entschuldig | leider | als ki |
    als künstliche | als sprachmodell | als ein | als großes | als text | ich bin | ich habe kein |
    ich habe leider | ich habe derzeit | ich habe aktuell | ich kann nicht | ich kann leider |
    ich kann derzeit | ich kann kein | ich kann das | ich kann auf | ich verfüge | ich besitze |
    mir fehl | mir steh | es steh | es gibt kein | derzeit kann | derzeit habe | im moment habe |
    aktuell kann
    """,
    cannot="nicht | kein* | unmöglich | außerstande | fehlt | ohne",
    powers="""
    zugriff | zugang | zugreifen | abruf* | abzurufen | werkzeug* | tool* | funktion* |
    schnittstelle* | api* | internet* | echtzeit* | live* | extern* | durchsuchen | online |
    ausführen | auszuführen | nachschlagen | fähigkeit* | abfragen | verbindung
    """,
    principles="""
    dabei ... helfen | damit ... helfen | richtlinie* | illegal* | schädlich* | unangemessen* |
    gegen meine
    """,
    announces="""
    ich werde | ich muss | ich will | werde ich | muss ich | lass mich | lassen sie mich |
    lass uns | ich | wir
    """,
    tool="werkzeug* | funktion",
    name_keys="werkzeug | werkzeugname | funktion | funktionsname | aktion",
    argument_keys="argumente | parameter | eingabe | aktionseingabe",
    steps="""
    prüf* | *such* | *ruf* | les* | seh* | schau* | hol* | öffn* | start* | führ* | nutz* |
    verwend* | test* | ansehen | abfragen
    """,
    again="zweimal | nochmal* | noch ein* | erneut | wieder | jeweils | je | jede* | bis | sobald",
)
