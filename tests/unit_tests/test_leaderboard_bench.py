"""The leaderboard's harness: which cases are asked, how a run goes on after a stop, and what the page says."""

import pytest

from tests.benchmarks.contract.meter import Meter
from tests.benchmarks.leaderboard.page import write_page
from tests.benchmarks.leaderboard.results import ResultFile, read_all
from tests.benchmarks.leaderboard.running import Run, in_turn
from tests.benchmarks.leaderboard.suites import Case, evenly
from tests.benchmarks.leaderboard.ways import WAYS
from tests.scripted_server import ScriptedServer


def asking(suite, count):
    """Cases that ask for a word and judge whether it came."""
    return [
        Case(suite, suite, f"{suite}{number}", lambda model: model.invoke("Hi").text == "Hello.", {})
        for number in range(count)
    ]  # fmt: skip


def files_in(folder, ways=("native", "toolemu")):
    head = {"model": "A model", "command": "python", "commit": "abc", "max_tokens": 9}
    return {way: ResultFile(folder, {**head, "way": way}) for way in ways}


def run_all(server, folder, cases):
    meter = Meter()
    llm = server.chat_model(cache=meter)
    run = Run(lambda way, case: WAYS[way](llm, case.docs), files_in(folder), meter, None)
    run.run(cases, workers=2)
    return run


@pytest.mark.parametrize("count", [1, 10, 200, 1351])
def test_the_beginning_of_the_order_is_spread_over_the_whole(count):
    """Each tenth of a suite gives its share of the first cases, and every case comes once."""
    order = list(evenly(range(count)))
    assert sorted(order) == list(range(count))
    first = order[: count // 2]
    for tenth in range(10):
        share = sum(tenth * count <= 10 * one < (tenth + 1) * count for one in first)
        assert abs(share - len(first) / 10) <= 1.5


def test_suites_are_mixed_in_proportion():
    """At any moment the suites are equally far."""
    cases = in_turn([asking("agents", 10), asking("live", 30)])
    assert sum(case.suite == "agents" for case in cases[:20]) == 5


def test_a_run_goes_on_where_it_stopped(tmp_path):
    """Cases that a file has are not asked again; a line that was cut off is."""
    cases = asking("live", 4)
    with ScriptedServer(lambda _: "Hello.") as server:
        run_all(server, tmp_path, cases[:2])
        kept = next(tmp_path.glob("*native*"))
        kept.write_text(kept.read_text()[:-5])
        run_all(server, tmp_path, cases)
    rows = read_all(tmp_path)
    assert [len(row.known) for row in rows] == [4, 4]
    assert all(case["good"] and case["requests"] == 1 for row in rows for case in row.cases)


def test_a_server_that_is_gone_ends_the_run(tmp_path):
    """What was not answered is no result, and is asked the next time."""
    with ScriptedServer(lambda _: "Hello.") as server:
        llm = server.chat_model(base_url="http://127.0.0.1:9/v1")
        run = Run(lambda way, _: WAYS[way](llm, {}), files_in(tmp_path), Meter(), None)
        run.run(asking("live", 3), workers=1)
    assert run.lost
    assert [row.cases for row in read_all(tmp_path)] == [[], []]


def test_the_page_compares_ways_on_the_cases_of_all(tmp_path):
    """A case that one way was not asked counts for none; requests and tokens are means."""
    for way, good in (("native", [True, True, False]), ("toolemu", [True, False])):
        file = files_in(tmp_path, [way])[way]
        for number, one in enumerate(good):
            cost = {"requests": 2, "sent": 1500, "written": 10}
            file.add({"suite": "live", "category": "live_simple", "case": str(number), "good": one, **cost})  # fmt: skip
    lines = write_page(tmp_path).splitlines()
    assert "live (2)" in next(line for line in lines if line.startswith("| way"))
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    results = {row[0]: row for row in rows if len(row) == 6}
    costs = {row[0]: row for row in rows if len(row) == 5}
    assert results["native"][2].startswith("100 (")
    assert results["toolemu"][2].startswith("50 (")
    assert costs["toolemu"][1:3] == ["2.0 / -", "1,500 / -"]
    assert lines.count("python") == 2
