"""Berkeley's function calling cases, written in every dialect with every fault, and read back.

    python -m tests.benchmarks.bfcl --show

The corridor: `cases` (the truth) -> `dialects` (how models write it) -> `faults` (what goes wrong)
-> `reading` (what the reader makes of it) -> `report`. Everything random is drawn from one seed.
"""
