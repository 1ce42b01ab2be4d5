"""Spanish."""

from langchain_toolemu.language.language import Phrases

WORDS = Phrases(
    negation="no | nunca | nada | ningún* | niego | rechaz* | cancelad* | prohib* | peligros*",
    condition="si | una vez que | en cuanto | a menos que | puedes | podría* | sería* | propongo",
    report="dice: | dijo | escribió | contiene | ejemplo* | así: | fue | ayer | forma | línea",
    question="quieres que | quiere que | desea que | te parece | le parece | está* seguro | debo",
    refuses="me niego | no voy a | no lo haré | no ejecutaré",
    apologies="""
    lo siento | lamento | lamentablemente | desafortunadamente | disculp | perdón | como modelo |
    como ia | como intel | como asist | como un | soy un | no puedo | no tengo | no dispongo |
    no cuento | no soy | no poseo | no me es | no hay | no estoy | actualmente | por el momento |
    en este momento | carezco
    """,
    cannot="no | ningún | ninguna | sin | imposible | incapaz | carezco",
    powers="""
    acceso | acceder | herramienta* | función | funciones | api* | internet | web | tiempo real |
    en vivo | directamente | extern* | naveg* | consultar | recuperar | ejecutar | capacidad |
    conexión | actualizad*
    """,
    principles="""
    con eso | con esto | ilegal* | dañin* | peligros* | inapropiad* | ética* | directrices |
    políticas | en contra de
    """,
    announces="""
    voy a | debo | tengo que | necesito | déjame | déjeme | permíteme | permítame | vamos a |
    veamos | ahora | *aré | *eré | *iré | primero | un momento
    """,
    tool="herramienta | herramientas | función | funciones",
    name_keys="herramienta | función | funcion | nombreherramienta",
    argument_keys="argumentos | parámetros | parametros | entrada",
    steps="""
    revis* | consult* | busc* | leer* | leo | ejecut* | llam* | us* | utiliz* | abr* | comprob* |
    verific* | intent*
    """,
    again="""
    dos veces | otra vez | de nuevo | otro | otra | cada | hasta que | en cuanto | más veces
    """,
)
