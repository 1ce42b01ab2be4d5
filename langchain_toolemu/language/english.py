"""English."""

from langchain_toolemu.language.language import Phrases

WORDS = Phrases(
    negation="""
    not | never | no | *n't | cannot | nobody | nothing | avoid | declined | rejected | cancelled |
    forb* | unsafe
    """,
    condition="""
    if you | ^if | ^when | ^should | ^had | once you | unless | until | as soon as | after you |
    before you | would | i'd | could | might | suppose* | assuming | later | you can | you may |
    you should | yourself | please | your approval | your permission | option | propos* |
    recommend* | suggest* | only after | let me know
    """,
    report="""
    says | wrote | written | reads | told | tells | quote* | example* | e.g. | looks like |
    like this | this way | as follows | documentation | manual | typical* | in general | was |
    were | had | did | found | pasted | copied | returned | i called | previous* | earlier |
    last time | yesterday | ^format | * format | syntax | ^schema | ^template | ^usage | pseudo* |
    snippet | demo* | reference | calls are | call has | contain* | asks me | wants me | form is |
    content of | ^output of
    """,
    question="""
    should i | shall i | may i | want me to | like me to | did you | is this what | are you sure
    """,
    refuses="""
    i refuse | i decline | i ignore* | i'll ignore | i won't | i will not | i'm not going to |
    i must not
    """,
    apologies="""
    i'm sorry | i am sorry | sorry | unfortunately | as a | i'm a | i am a | i'm just | i don't |
    i do not | i can't | i cannot | i'm unable | i'm not | i am not | i have no | i lack |
    i currently | at the moment | at this time | no tool | it seems i | currently, i |
    there is no tool | there are no tools
    """,
    cannot="not | *n't | cannot | unable | no | lack | none | without",
    powers="""
    access | abilit* | capabilit* | brows* | internet | web | real-time | live | up-to-date |
    external | tool* | function* | api* | execut* | run code | retriev* | fetch | look up |
    look * up | directly
    """,
    principles="""
    with that | with this | with such | comply | against my | inappropriate | harmful | illegal |
    unethical | guideline* | polic*
    """,
    announces="""
    i'll | i will | let me | let's | let us | i'm going to | i'm about to | i need to | i have to |
    i must | allow me | ^now | ^next | i'm now | i am now | i'm
    """,
    tool="tool | tools | function | functions",
    steps="""
    check* | look* | search* | read* | open* | run* | fetch* | find | query* | test* | call* |
    use | get | list* | start | see | update | try
    """,
    again="""
    twice | again | another | each | every | until | till | once more | one more | both | times
    """,
)
