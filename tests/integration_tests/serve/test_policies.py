"""What a client of the gateway may ask of the policy."""

import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.policy import DEFAULT
from langchain_toolemu.serve import create_app
from tests.integration_tests.serve.conftest import last_report
from tests.integration_tests.serve.wires import CHAT, MESSAGES, RESPONSES, ask
from tests.spoken_model import SpokenModel

ORDER = ("trust", "default", "careful", "strict")
COPY = '{"name": "get_weather", "arguments": {"city": "Zorbel"}}'
WIRES = {"chat": CHAT, "messages": MESSAGES, "responses": RESPONSES}


def serve(policy, **options):
    options = {"mode": "force", "policy": policy, **options}
    models = {"m": ChatToolEmu(SpokenModel(pieces=[COPY]), **options)}
    return create_app(models, inspect=True)


def wanted(policy):
    return {"toolemu": {"policy": policy}}


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
@pytest.mark.parametrize("own", ORDER)
async def test_a_client_may_only_tighten(wire, own):
    """What is looser than the operator's is refused, with the name of the field; else it is in force."""
    app = serve(own)
    for asked in ORDER:
        response = await ask(app, wire, **wanted(asked))
        if ORDER.index(asked) < ORDER.index(own):
            assert (response.status_code, "toolemu.policy" in response.text) == (400, True)
        else:
            assert response.status_code == 200
            assert last_report(app)["policy"] == asked


@pytest.mark.parametrize(
    ("size", "refused", "allowed"),
    [(0.5, ("trust", "default"), ("careful", "auto")), (7, ("trust",), ("default", "strict", "auto"))],
)  # fmt: skip
async def test_auto_counts_as_what_it_means(size, refused, allowed):
    """For the model's size, whoever says it."""
    app = serve("auto", model_size=size)
    assert [(await ask(app, CHAT, **wanted(one))).status_code for one in refused] == [400] * len(refused)  # fmt: skip
    assert [(await ask(app, CHAT, **wanted(one))).status_code for one in allowed] == [200] * len(allowed)  # fmt: skip
    careful = serve("careful", model_size=size)
    assert (await ask(careful, CHAT, **wanted("auto"))).status_code == (200 if size < 1 else 400)


@pytest.mark.parametrize("asked", ["loose", 1, {"checks": []}, ["strict"]])
async def test_only_a_name_is_taken(asked):
    """An object is the operator's alone, and is not replaced."""
    for app in (serve("default"), serve(DEFAULT)):
        response = await ask(app, CHAT, **wanted(asked))
        assert (response.status_code, "toolemu.policy" in response.text) == (400, True)
    assert (await ask(serve(DEFAULT), CHAT, **wanted("strict"))).status_code == 400
