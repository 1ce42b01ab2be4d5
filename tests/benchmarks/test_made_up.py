"""How many true calls the check for made-up values would cost a small model."""

from langchain_toolemu.turn.grounding import made_up
from langchain_toolemu.turn.heard import Heard
from langchain_toolemu.turn.waiting import untold
from tests.benchmarks.bfcl.cases import load_questions


def taken_for_made_up():
    """How many true calls there are, and those of them that would not be made."""
    calls, taken = 0, []
    for asked, case in load_questions():
        heard = Heard(asked, asked, asked)
        for call in case.calls:
            tool = case.spec(call)
            found = made_up(call.args, tool, heard) or untold(
                call.args, tool, case.tools.specs, heard
            )
            calls += 1
            taken += [(asked, call, found)] if found else []
    return calls, taken


def test_next_to_no_true_call_is_taken_for_made_up(benchmark):
    """Of the true calls of Berkeley's questions, nearly half of them real users', at most one in two hundred."""
    calls, taken = benchmark.pedantic(taken_for_made_up, rounds=1)
    print(f"\n{len(taken)} of {calls} true calls are taken for made up")
    assert calls > 3000
    assert len(taken) * 200 <= calls, taken
