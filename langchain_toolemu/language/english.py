"""English."""

from langchain_toolemu.language.language import Phrases

WORDS = Phrases(
    negation="not | never | no | *n't | cannot | nothing | avoid | stop | rejected | unsafe",
    condition="^if | if you | ^when | once you | as soon as | unless | let me know | would | could",
    report="says | wrote | written | example* | like this | was | found | ^format* | form* is",
    question="should i | shall i | may i | want me to | like me to | did you | are you sure",
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
