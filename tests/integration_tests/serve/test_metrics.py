"""`/metrics`: what Prometheus' own parser reads there is what was sent."""

import asyncio
import os
import subprocess
import sys

import httpx
import pytest
from prometheus_client import parser

from langchain_toolemu import ChatToolEmu, get_toolemu_callback
from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.metrics import METRICS
from langchain_toolemu.serve.settings import SettingsError, read_config
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.wires import WIRES, ask
from tests.scripted_server import Reply, ScriptedServer, slowly, without_tools
from tests.spoken_model import SpokenModel

CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
BAD = '{"name": "get_weather", "arguments": {"town": 1}}'
HELD = f"<tool_call>{CALL}</tool_call>"
USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}


def client(app):
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")


async def scrape(app, **headers):
    """The figures by metric and labels, as Prometheus' parser reads them."""
    async with client(app) as sender:
        response = await sender.get("/metrics", headers=headers)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=")
    return figures_in(response.text)


def figures_in(text):
    families = list(parser.text_string_to_metric_families(text))
    assert len({family.name for family in families}) == len(families)
    samples = [sample for family in families for sample in family.samples]
    return {(one.name, *sorted(one.labels.items())): one.value for one in samples}


def figure(figures, name, **labels):
    """The sum of what has these labels."""
    wanted = set(labels.items())
    found = [value for (one, *had), value in figures.items() if one == f"toolemu_{name}" and wanted <= set(had)]  # fmt: skip
    return sum(found)


def native(*arguments):
    return Reply(tool_calls=[("get_weather", one) for one in arguments], usage=USAGE)


COPY = CALL.replace("Paris", "Zorbel")  # which is in our examples
NO_TOOLS = Reply(status=400, body={"error": {"message": "scripted does not support tools"}})

# What the upstream says, and the mode; the path, then requests, calls, invalid, re-asks, doubts, repairs, fallbacks, failed.
CASES = {
    "native": ([native({"city": "Paris"})], "fallback", ("native", 1, 1, 0, 0, 0, 0, 0, 0)),
    "off": ([native({"city": "Paris"})], "off", ("native", 1, 1, 0, 0, 0, 0, 0, 0)),
    "words": ([Reply("Hello.", usage=USAGE)], "force", ("emulated", 1, 0, 0, 0, 0, 0, 0, 0)),
    "rescued": ([Reply(HELD, usage=USAGE)], "fallback", ("rescued", 1, 1, 0, 0, 0, 0, 1, 0)),
    "refused": ([NO_TOOLS, CALL], "fallback", ("emulated", 2, 1, 0, 0, 0, 0, 1, 0)),
    "re-asked": ([BAD, CALL], "force", ("emulated", 2, 1, 0, 1, 0, 0, 0, 0)),
    "doubted": ([COPY, CALL], "force", ("emulated", 2, 1, 0, 1, 1, 0, 0, 0)),
    "repaired": ([CALL.replace("get_weather", "GetWeather")], "force", ("emulated", 1, 1, 0, 0, 0, 1, 0, 0)),
    "cut off": ([Reply(CALL[:-12], finish_reason="length")] * 3, "force", ("emulated", 3, 0, 1, 2, 0, 0, 0, 0)),
    "native, asked again": ([native({"city": ["Paris"]}), native({"city": "Paris"})], "fallback", ("native", 2, 1, 0, 1, 0, 0, 0, 0)),
    "native, repaired": ([native({"City": "Paris"})], "fallback", ("native", 1, 1, 0, 0, 0, 1, 0, 0)),
    "native, broken": ([Reply(tool_calls=[("get_weather", '{"city": "Pa')], finish_reason="length")] * 3, "fallback", ("emulated", 3, 0, 1, 2, 0, 0, 1, 0)),
    "failed": ([BAD, BAD, Reply(status=503)], "force", ("emulated", 3, 0, 0, 2, 0, 0, 0, 1)),
    "demanded in vain": (["No."] * 3, "force", ("emulated", 3, 0, 0, 2, 0, 0, 0, 1)),
}  # fmt: skip
NAMES = ("upstream_requests", "calls", "invalid_calls", "reasks", "doubts", "repairs", "fallbacks", "failed_turns")  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
@pytest.mark.parametrize("case", CASES)
async def test_figures_equal_what_was_sent(case, wire, stream):
    """Requests, calls, re-asks, repairs, fallbacks and failures of a turn, in all protocols, and the same by the callback."""
    said, mode, (path, *counts) = CASES[case]
    with ScriptedServer(said) as upstream, get_toolemu_callback() as counted:
        model = ChatToolEmu(llm=upstream_model(upstream), policy="careful", mode=mode)
        app = create_app({"served": model})
        more = {"stream": stream}
        if case == "demanded in vain":
            more["tool_choice"] = {"type": "any"} if wire is WIRES["messages"] else "required"
        await ask(app, wire, **more)
        sent = len(upstream.requests)
    figures = await scrape(app)
    status = {"failed": "503", "demanded in vain": "502"}.get(case, "200")
    endpoint = wire.path.removeprefix("/v1")
    labels = {"endpoint": endpoint, "stream": str(stream).lower(), "status": status}
    assert figure(figures, "requests_total", model="served", **labels) == 1
    assert figure(figures, "requests_total") == 1
    assert figure(figures, "turns_total", path=path) == figure(figures, "turns_total") == 1
    shown = [figure(figures, f"{name}_total", model="served") for name in NAMES]
    assert shown == counts
    assert sent == counts[0]
    assert figure(figures, "request_duration_seconds_count") == 1
    assert figure(figures, "request_duration_seconds_bucket", le="+Inf") == 1
    assert figure(figures, "first_output_seconds_count") == (stream and status == "200")
    if mode != "off":
        total = counted.total
        same = (total.requests, total.calls, total.invalid, total.reasks.total(), total.doubts.total(), total.repaired, total.fallbacks, total.failed)  # fmt: skip
        assert list(same) == counts
        assert figure(figures, "input_tokens_total") == total.input_tokens


async def test_no_label_is_a_clients_word():
    """A model has the served name, whatever the client calls it; what comes to no model has none."""
    with ScriptedServer(without_tools(lambda _: CALL)) as upstream:
        app = create_app({'a "b"\\': upstream_model(upstream)}, api_keys=["k"])
        keyed = {"authorization": "Bearer k"}
        for wire in WIRES.values():
            await ask(app, wire)
            async with client(app) as sender:
                for body in ({**wire.ask, "model": "secret-name"}, {**wire.ask, "model": 1}):
                    await sender.post(wire.path, json=body, headers=keyed)
        async with client(app) as sender:
            assert (await sender.get("/metrics")).status_code == 401
    figures = await scrape(app, **keyed)
    assert figure(figures, "requests_total", model='a "b"\\', status="200") == 4
    assert figure(figures, "requests_total", model="-", status="400") == 4
    assert figure(figures, "requests_total", model="-", status="401", endpoint="-") == 5
    assert not [word for word in ("secret-name", "get_weather", "Paris") if word in str(figures)]


async def test_a_client_that_leaves_is_counted_with_what_was_sent():
    """A stream that nobody reads to its end: its requests were sent, and it is no failure."""
    body = {**WIRES["chat"].ask, "stream": True}
    with (
        ScriptedServer(lambda _: Reply(slowly(["word "] * 50))) as upstream,
        gateway({"m": ChatToolEmu(llm=upstream_model(upstream), mode="force")}) as server,
    ):
        url, figures = server.url + WIRES["chat"].path, {}
        with httpx.stream("POST", url, json=body, trust_env=False) as response:
            next(response.iter_bytes())
        while not figure(figures, "requests_total"):
            await asyncio.sleep(0.02)
            figures = await scrape(server.app)
    assert figure(figures, "requests_total", status="disconnected", stream="true") == 1
    assert figure(figures, "upstream_requests_total") == figure(figures, "turns_total") == 1
    assert figure(figures, "failed_turns_total") == 0


PROGRAM = """
import asyncio
from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.metrics import METRICS
from langchain_toolemu.serve.settings import SettingsError, read_config
from tests.integration_tests.serve.test_metrics import client
from tests.integration_tests.serve.wires import CHAT, ask
from tests.spoken_model import SpokenModel

async def main():
    app = create_app({"m": SpokenModel(pieces=["Hi."])})
    await ask(app, CHAT)
    async with client(app) as sender:
        print((await sender.get("/metrics")).text)

asyncio.run(main())
"""


def test_processes_share_a_folder(tmp_path):
    """Whichever is asked shows the sums of all, also of one that has ended."""
    shared = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for number in (1, 2):
        command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
        ran = subprocess.run(command, env=shared, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        figures = figures_in(ran.stdout)
        assert figure(figures, "requests_total", model="m", status="200") == number
        assert figure(figures, "upstream_requests_total") == number
        assert figure(figures, "request_duration_seconds_count") == number


async def test_what_has_not_happened_is_zero():
    """A new gateway has every figure of its models that has no further label."""
    figures = await scrape(create_app({"m": SpokenModel(pieces=["Hi."])}))
    shown = {name for name, *labels in figures if labels == [("model", "m")]}
    plain = {name for name, (_, _, *where) in METRICS.items() if len(where) == 1}
    assert plain <= shown
    assert {value for (name, *_), value in figures.items() if name in plain} == {0}


async def test_two_apps_of_a_process_count_apart():
    """Each has figures of its own."""
    one, other = (create_app({"m": SpokenModel(pieces=["Hi."])}) for _ in "12")
    await ask(one, WIRES["chat"])
    assert figure(await scrape(one), "requests_total") == 1
    assert figure(await scrape(other), "requests_total", model="m") == 0


def test_a_setting_that_is_gone_says_what_takes_its_place(tmp_path):
    """In a file and in a call."""
    path = tmp_path / "toolemu.toml"
    path.write_text('[server]\nmetrics_dir = "here"\n[models.m]\nmodel = "openai:m"\n')
    words = r"metrics_dir is gone: set the variable PROMETHEUS_MULTIPROC_DIR to an empty folder\."
    with pytest.raises(SettingsError, match=f"server.{words}"):
        read_config(path)
    with pytest.raises(SettingsError, match=words):
        create_app({"m": SpokenModel(pieces=["Hi."])}, metrics_dir="here")
