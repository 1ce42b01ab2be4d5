"""The list of models: what is served, and the upstream's own where it takes any name."""

import httpx
import pytest
from langchain_anthropic import ChatAnthropic

from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.scripted_server import ScriptedServer

LISTED = {"object": "list", "data": [{"id": "small", "object": "model"}, {"id": "large"}]}
PAGES = {
    "its own list": (LISTED, ["small", "large"]),
    "an empty list": ({"object": "list", "data": []}, ["*"]),
    "no list": ({"models": 5}, ["*"]),
    "entries without names": ({"data": [{"id": 5}, {"id": "small"}]}, ["small"]),
}


def names_of(server, **headers):
    response = httpx.get(f"{server.v1}/models", headers=headers, trust_env=False)
    return [one["id"] for one in response.json()["data"]]


@pytest.mark.parametrize(("page", "names"), PAGES.values(), ids=PAGES)
def test_an_upstream_that_takes_any_name_lists_its_models(page, names):
    """In both vendors' forms; a server without a list leaves the name that it is served by."""
    with (
        ScriptedServer(pages={"/models": page}) as upstream,
        gateway({"*": upstream_model(upstream, model="*")}) as server,
    ):
        assert names_of(server) == names
        assert names_of(server, **{"anthropic-version": "2023-06-01"}) == names


def test_a_model_with_a_name_is_listed_by_it():
    """What else its server has is not served."""
    with (
        ScriptedServer(pages={"/models": LISTED}) as upstream,
        gateway({"m": upstream_model(upstream)}) as server,
    ):
        assert names_of(server) == ["m"]


def test_anthropics_list_is_asked_for_too():
    """By its own client."""
    with ScriptedServer(pages={"/models": LISTED}) as upstream:
        url = upstream.base_url.removesuffix("/v1")
        model = ChatAnthropic(model="*", api_key="x", base_url=url, max_retries=0)
        with gateway({"*": model}) as server:
            assert names_of(server) == ["small", "large"]
