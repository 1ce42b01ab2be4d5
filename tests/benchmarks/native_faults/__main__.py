"""`python -m tests.benchmarks.native_faults`: which proxy gives the right calls where native ones go wrong.

`make rivals` installs the others; without them only the gateway and the bare server are measured.
"""

import argparse
import json
import statistics
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.native_faults.proxies import OURS, RIVALS
from tests.benchmarks.native_faults.runs import Bench, Outcome, Run, every_run
from tests.native_faults import ANSWERS
from tests.scripted_server import ScriptedServer

PLAIN = ANSWERS[0]


def main() -> None:
    """Run, and print."""
    options = _options()
    runs = list(every_run(options.name))
    systems = {**OURS, **(RIVALS if options.rivals.exists() else {})}
    chosen = options.systems.split(",") if options.systems else list(systems)
    outcomes: dict[str, list[Outcome]] = {}
    times: dict[str, list[float]] = {}
    for system in chosen:
        with (
            ScriptedServer(keep_alive=True) as server,
            systems[system](server.base_url, options.rivals) as url,
        ):
            bench = Bench(server, url)
            bench.play(runs[0])
            outcomes[system] = [bench.play(run) for run in runs]
            times[system] = [bench.seconds(options.timed, streamed) for streamed in (False, True)]
    print(_table(outcomes), _totals(outcomes), sep="\n\n")
    for number, way in enumerate(("whole", "streamed")):
        cells = [f"{own[number] * 1e3:.1f}" for own in times.values()]
        print(_line(f"ms for a good call of a known model, {way}, median", cells))
    if options.wrong:
        print("\n".join(_wrong(outcomes[options.wrong])))
    if options.json:
        options.json.write_text(json.dumps(_plain(outcomes), indent=1))


def _table(outcomes: dict[str, list[Outcome]]) -> str:
    """A line a fault: right runs of all, and requests of a run."""
    lines = [_line("right of all, requests a run", list(outcomes))]
    for fault in dict.fromkeys(one.run.fault for one in next(iter(outcomes.values()))):
        cells = []
        for of_system in outcomes.values():
            own = [one for one in of_system if one.run.fault is fault]
            right = sum(not one.wrong for one in own)
            cells.append(f"{right}/{len(own)} {statistics.mean(o.requests for o in own):4.1f}")
        lines.append(_line(fault.name, cells))
    return "\n".join(lines)


def _totals(outcomes: dict[str, list[Outcome]]) -> str:
    """What each system comes to."""
    rows: dict[str, list[str]] = defaultdict(list)
    for own in outcomes.values():
        rows["right"].append(_right(own))
        for seen in (False, True):
            name = f"right, {'after' if seen else 'before'} a native call was seen"
            rows[name].append(_right([one for one in own if one.run.seen is seen]))
        for streamed in (False, True):
            name = f"right, {'streamed' if streamed else 'whole'}"
            rows[name].append(_right([one for one in own if one.run.streamed is streamed]))
        forbidden = [one for one in own if not one.run.fault.calls]
        rows["right where nothing may run"].append(_right(forbidden))
        rows["runs with a call that must not be made"].append(str(sum(o.forbidden for o in own)))
        rows["requests, all runs"].append(str(sum(one.requests for one in own)))
        plain = [one.requests for one in own if one.run.fault is PLAIN]
        rows["requests for a plain answer"].append(f"{statistics.mean(plain):.2f}" if plain else "")
        took = [one.seconds * 1e3 for one in own]
        rows["ms a run, mean"].append(f"{statistics.mean(took):.1f}")
    head = _line("", list(outcomes))
    return "\n".join([head, *(_line(name, cells) for name, cells in rows.items())])


def _right(own: Sequence[Outcome]) -> str:
    return f"{sum(not one.wrong for one in own)}/{len(own)}"


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name[:64]:66}" + "".join(f"{cell:>15}" for cell in cells)


def _wrong(own: Sequence[Outcome]) -> list[str]:
    return [f"{_name(one.run)}: {one.wrong}" for one in own if one.wrong]


def _name(run: Run) -> str:
    way = "streamed" if run.streamed else "whole"
    return f"{run.fault.name} ({run.variant}, {way}{', seen' if run.seen else ''})"


def _plain(outcomes: dict[str, list[Outcome]]) -> dict[str, list[dict[str, object]]]:
    return {
        system: [
            {
                "fault": one.run.fault.name,
                "variant": one.run.variant,
                "streamed": one.run.streamed,
                "seen": one.run.seen,
                "wrong": one.wrong,
                "forbidden": one.forbidden,
                "requests": one.requests,
                "seconds": round(one.seconds, 5),
            }
            for one in own
        ]
        for system, own in outcomes.items()
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rivals", type=Path, default=Path(".rivals"), help="their environment")
    parser.add_argument("--systems", help="some of them, with commas; default: all that are there")
    parser.add_argument("--name", default="", help="only faults whose name contains this")
    parser.add_argument("--wrong", metavar="SYSTEM", help="print what went wrong with one of them")
    parser.add_argument("--timed", type=int, default=100, help="good calls that are timed")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
