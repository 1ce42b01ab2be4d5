"""`/metrics`: what Prometheus' own parser reads there is what was sent."""

import asyncio
from collections import Counter

import httpx
import pytest
from langchain_core.messages import ToolMessage
from prometheus_client.parser import text_string_to_metric_families

from langchain_toolemu import ChatToolEmu, get_toolemu_callback
from langchain_toolemu.serve import create_app
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.wires import WIRES, ask
from tests.scripted_server import Reply, ScriptedServer, slowly, without_tools

CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
BAD = '{"name": "get_weather", "arguments": {"town": 1}}'
HELD = f"<tool_call>{CALL}</tool_call>"
USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}


async def scrape(app, **headers):
    """The figures by metric and labels, as Prometheus' parser reads them."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        response = await client.get("/metrics", headers=headers)
    assert (response.status_code, response.headers["content-type"][:26]) == (200, "text/plain; version=0.0.4;")  # fmt: skip
    return parsed(response.text)


def parsed(text):
    families = list(text_string_to_metric_families(text))
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


CASES = {
    # what the upstream says, mode; turns by path, requests, calls, invalid, re-asks, repairs, fallbacks, failed
    "native": ([native({"city": "Paris"})], "fallback", ("native", 1, 1, 0, 0, 0, 0, 0)),
    "off": ([native({"city": "Paris"})], "off", ("native", 1, 1, 0, 0, 0, 0, 0)),
    "words": ([Reply("Hello.", usage=USAGE)], "force", ("emulated", 1, 0, 0, 0, 0, 0, 0)),
    "rescued": ([Reply(HELD, usage=USAGE)], "fallback", ("rescued", 1, 1, 0, 0, 0, 1, 0)),
    "re-asked": ([BAD, CALL], "force", ("emulated", 2, 1, 0, 1, 0, 0, 0)),
    "repaired": ([CALL.replace("get_weather", "GetWeather")], "force", ("emulated", 1, 1, 0, 0, 1, 0, 0)),
    "broken native call": ([native({"city": ["Paris"]}), native({"city": "Paris"})], "fallback", ("native", 1, 1, 0, 0, 1, 0, 0)),
    "failed": ([BAD, BAD, Reply(status=503)], "force", ("emulated", 3, 0, 0, 2, 0, 0, 1)),
}  # fmt: skip
NAMES = ("upstream_requests", "calls", "invalid_calls", "reasks", "repairs", "fallbacks", "failed_turns")  # fmt: skip


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
@pytest.mark.parametrize("case", CASES)
async def test_figures_equal_what_was_sent(case, wire, stream):
    """Requests, calls, re-asks, repairs, fallbacks and failures of a turn, in all protocols, and the same by the callback."""
    said, mode, (path, *counts) = CASES[case]
    with ScriptedServer(said) as upstream, get_toolemu_callback() as counted:
        app = create_app({"served": upstream_model(upstream)})
        response = await ask(app, wire, stream=stream, toolemu={"mode": mode})
        sent = len(upstream.requests)
    figures = await scrape(app)
    status = "503" if case == "failed" else "200"
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
    assert figure(figures, "first_output_seconds_count") == (stream and case != "failed")
    if mode != "off":
        total = counted.total
        same = (total.requests, total.calls, total.invalid, total.reasks.total(), total.repaired, total.fallbacks, total.failed)  # fmt: skip
        assert list(same) == counts
        assert figure(figures, "input_tokens_total") == total.input_tokens
    assert response.headers["x-request-id"] not in str(figures)
