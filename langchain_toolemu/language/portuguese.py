"""Portuguese."""

from langchain_toolemu.language.language import Phrases

WORDS = Phrases(
    negation="não | nunca | nada | nenhum* | recus* | rejeit* | cancelad* | proib* | perigos*",
    condition="se você | se me | assim que | a menos que | você pode | seria* | poderia*",
    report="diz: | disse | escreveu | contém | exemplo* | assim: | foi | ontem | forma: | linha",
    question="devo | quer que | deseja que | gostaria que | é isto que | é isso que | tem certeza",
    refuses="recuso-me | me recuso | não vou | não farei | não executarei",
    apologies="""
    desculp | sinto muito | infelizmente | como um | como modelo | como ia | como assist |
    como intel | sou um | eu sou | não posso | não tenho | não consigo | não disponho |
    não possuo | não sou | não me é | não há | não estou | eu não | atualmente | no momento |
    por enquanto | neste momento | lamento
    """,
    cannot="não | nenhum* | sem | impossível | incapaz",
    powers="""
    acesso | acessar | aceder | ferramenta* | função | funções | api* | internet | web |
    tempo real | ao vivo | diretamente | extern* | naveg* | consultar | recuperar | executar |
    capacidade | conexão | atualizad*
    """,
    principles="""
    com isso | com isto | ilega* | prejudicia* | perigos* | inapropriad* | étic* | diretrizes |
    políticas
    """,
    announces="""
    vou | preciso | devo | tenho que | deixe-me | deixa-me | deixa eu | permita-me | vamos |
    vejamos | estou | agora | *arei | *erei | *irei | primeiro
    """,
    tool="ferramenta | ferramentas | função | funções",
    name_keys="ferramenta | função | funcao | nomeferramenta",
    argument_keys="argumentos | parâmetros | entrada",
    steps="""
    verific* | consult* | busc* | ler* | leio | execut* | cham* | us* | utiliz* | abr* | procur* |
    tent* | olhada
    """,
    again="""
    duas vezes | outra vez | de novo | novamente | outro | outra | cada | até que | assim que
    """,
)
