"""How many spoken-of calls run at once, how many leads are asked about, and how many refusals are found.

python -m tests.benchmarks.wordings              # the tests' own phrasings
python -m tests.benchmarks.wordings --held-out   # those whose authors saw no cues: totals only
"""

import argparse
from collections import Counter

from tests.benchmarks.wordings import measures


def main() -> None:
    """Print the totals of one set."""
    parser = argparse.ArgumentParser("python -m tests.benchmarks.wordings", description=__doc__)
    parser.add_argument("--held-out", action="store_true", help="the phrasings of this folder")
    replies, openings = measures.sampled, measures.openings_sampled
    if parser.parse_args().held_out:
        replies, openings = measures.held_out, measures.openings_held_out
    else:
        print(f"announcements: {dict(measures.announcements())}")
    for name in ("spoken_of", "leads"):
        rows = replies(name)
        print(f"{name}: {len(rows)} replies, {dict(measures.outcomes(rows))}")
        by_kind = Counter((row.kind, row.outcome()) for row in rows)
        at_once = {kind: n for (kind, outcome), n in by_kind.items() if outcome == "at once"}
        print(f"  at once: {at_once}")
    texts = openings()
    total = Counter("refusals" if is_refusal else "others" for _, is_refusal in texts)
    print(f"openings: {dict(total)}, {dict(measures.refusals(texts))}")


if __name__ == "__main__":
    main()
