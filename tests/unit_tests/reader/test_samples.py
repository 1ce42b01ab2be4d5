"""Every sample is read as it says, whole and in pieces of any size."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import (
    BadCall,
    Call,
    DeclinedCall,
    MadeUpTurn,
    PossibleCall,
    Text,
)
from langchain_toolemu.validation import fit
from tests.tables import every_row
from tests.thoroughness import examples, share
from tests.unit_tests.reader.reading import without_unmeant
from tests.unit_tests.samples import TOOLS, load

SAMPLES = [
    (f"{name}: {sample['id']}", sample) for name, samples in load().items() for sample in samples
]
SIZES = (1, 3, 2, 7)
ROWS = [(*row, share(SIZES, number, 2)) for number, row in enumerate(SAMPLES)]
SPOKEN_OF = {PossibleCall: "possible", DeclinedCall: "declined"}


def read(pieces):
    """The calls, the bad calls' reasons and the text that come out of pieces."""
    reader = Reader(TOOLS)
    events = [event for piece in pieces for event in reader.feed(piece)] + reader.close()
    events = without_unmeant(events)
    calls = [
        [call.name, fit(call.args, TOOLS.exact(call.name).parameters).args]
        for call in events
        if isinstance(call, Call)
    ]
    return {
        "calls": calls,
        "bad": [
            bad.reason if isinstance(bad, BadCall) else SPOKEN_OF[type(bad)]
            for bad in events
            if isinstance(bad, BadCall | PossibleCall | DeclinedCall)
        ],
        "text": "".join(event.text for event in events if isinstance(event, Text)),
        "made_up": "".join(event.text for event in events if isinstance(event, MadeUpTurn)),
    }


def parts_of(text, size):
    return [text[start : start + size] for start in range(0, len(text), size)]


@every_row(("label", "sample", "sizes"), ROWS)
def test_a_sample_is_read_as_it_says(label, sample, sizes):
    """The calls of a sample, and nothing else, come out of its text, in pieces of some letters, too."""
    whole = read([sample["text"]])
    assert (whole["calls"], whole["bad"]) == (sample["calls"], sample.get("bad", []))
    assert whole["made_up"] == sample.get("made_up", "")
    assert sample.get("shown", whole["text"]).strip() == whole["text"].strip()
    for size in sizes:
        assert read(parts_of(sample["text"], size)) == whole
    if not whole["calls"] and set(whole["bad"]) <= set(SPOKEN_OF.values()):
        assert whole["text"] + whole["made_up"] == sample["text"]


@given(
    st.lists(st.sampled_from([sample["text"] for _, sample in SAMPLES]), max_size=3),
    st.lists(st.integers(0, 400), max_size=8),
    st.sampled_from(["\n", "", " ", "\n\n"]),
)
@settings(max_examples=examples(200), deadline=None)
def test_any_chunking_of_samples_in_a_row_gives_the_same(texts, cuts, between):
    """Samples after one another, cut anywhere, read as the whole does."""
    text = between.join(texts)
    edges = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    assert read([text[start:stop] for start, stop in pairwise(edges)]) == read([text])


def test_every_leniency_names_its_source():
    """What is read as a call though it is not clean was observed or is documented; nothing of it is invented."""
    files = ("bodies", "envelopes", "formats", "leniencies", "python_calls", "shapes")
    samples = [sample for name in files for sample in load()[name] if sample["calls"]]
    assert [s["id"] for s in samples if s["origin"].startswith("invented")] == [
        "JSON_BEGIN and JSON_END"
    ]
