"""The inspector: what it records, what it never shows, and a browser that clicks through it."""

import json
import logging
import re

import httpx
import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from tests.browser import CHROMIUM, Browser
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.serve.test_safety import client_of
from tests.integration_tests.serve.wires import CHAT, MESSAGES, WIRES
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.spoken_model import SpokenModel
from tests.weather import CALL

EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def recorded(*pieces, **settings):
    llm = ChatToolEmu(llm=SpokenModel(pieces=pieces), mode="force", **settings)
    return create_app({"m": llm}, inspect=True)


async def turns(client):
    lines = (await client.get("/inspector/turns")).json()
    return [(await client.get(f"/inspector/turns/{line['id']}")).json() for line in lines]


@pytest.mark.in_turn
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
async def test_a_turn_is_recorded(wire, stream):
    """What client and model were sent, the raw reply, what was read, tokens and time."""
    async with client_of(recorded("Well.\n", CALL)) as client:
        await client.post(wire.path, json={**wire.ask, "stream": stream})
        (turn,) = await turns(client)
    assert turn["body"]["model"] == "m"
    (sent,) = turn["sent"]
    assert "You can call tools" in sent["messages"][0]["content"]
    assert sent["reply"] == f"Well.\n{CALL}"
    assert sent["usage"]["input_tokens"] == 50
    assert sent["outcome"] == "a tool call"
    assert [call["name"] for call in turn["read"]["calls"]] == ["get_weather"]
    assert turn["report"]["path"] == "emulated"
    assert turn["seconds"] >= sent["seconds"] > 0
    assert (turn["state"], turn["question"]) == ("done", "What is the weather in Paris?")


ODD_BODIES = {
    "content is a number": {"messages": [{"role": "user", "content": 5}]},
    "content is an object": {"messages": [{"role": "user", "content": {"text": 5}}]},
    "messages are a number": {"messages": 5},
    "messages are an object": {"messages": {"role": "user"}},
    "input is a number": {"messages": None, "input": 5},
}


@pytest.mark.in_turn
@pytest.mark.parametrize("more", ODD_BODIES.values(), ids=ODD_BODIES)
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
async def test_a_malformed_request_leaves_the_pages_whole(wire, more):
    """It is refused, listed as a turn that failed, and every page about it can be read."""
    async with client_of(recorded("Hello.")) as client:
        assert (
            await client.post(wire.path, json={**wire.ask, "input": 5, **more})
        ).status_code in (200, 400)
        (turn,) = await turns(client)
    assert turn["state"] in ("done", "failed")


async def test_a_re_ask_says_why():
    """The second request carries the reason that the turn gives for it."""
    wrong = '{"name": "add", "arguments": {"a": "one"}}'
    async with client_of(recorded(wrong, max_reasks=1)) as client:
        await client.post(CHAT.path, json=CHAT.ask)
        (turn,) = await turns(client)
    assert [sent["reason"] for sent in turn["sent"]] == ["", "re-ask 1 (validation: bad_arguments)"]
    assert turn["sent"][0]["outcome"] == "re-ask 1 (validation: bad_arguments)"


async def test_a_turn_that_failed_is_recorded():
    """The error that the client was told, and how far the turn had come."""
    async with client_of(create_app({"m": SpokenModel()}, inspect=True)) as client:
        await client.post(CHAT.path, json={**CHAT.ask, "n": 2})
        (turn,) = await turns(client)
    assert turn["state"] == "failed"
    assert turn["error"]["status"] == 400


async def test_a_turn_that_gave_no_answer_says_why_it_was_asked_again():
    """A failed turn has the reason of each further request, and the report of what was done."""
    async with client_of(recorded("No.", max_reasks=1)) as client:
        await client.post(CHAT.path, json={**CHAT.ask, "tool_choice": "required"})
        (turn,) = await turns(client)
    assert (turn["state"], turn["requests"], turn["report"]["requests"]) == ("failed", 2, 2)
    assert [sent["reason"] for sent in turn["sent"]] == ["", "re-ask 1 (contract: missing_call)"]
    assert turn["sent"][1]["outcome"].startswith("the turn failed: The model had to call a tool")


@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
async def test_a_turn_has_the_id_that_its_client_was_told(wire, caplog):
    """By the id in the response, or in the log, the turn is found."""
    caplog.set_level(logging.INFO, "langchain_toolemu")
    async with client_of(recorded("Hello.")) as client:
        response = await client.post(wire.path, json=wire.ask)
        id_ = response.headers["x-request-id"]
        turn = await client.get(f"/inspector/turns/{id_}")
    assert turn.json()["http_path"] == wire.path
    assert id_ in caplog.text


async def test_turns_of_an_agent_are_one_run():
    """A turn that begins with another's messages belongs to its run, whatever is cached."""
    first = {"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {}}]}
    later = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    said = {"role": "assistant", "content": "Hello."}
    talks = [[first], [later, said, first], [{**first, "content": "Ho"}]]
    async with client_of(recorded("Hello.")) as client:
        for messages in talks:
            await client.post(MESSAGES.path, json={**MESSAGES.ask, "messages": messages})
        newest, second, oldest = (await client.get("/inspector/turns")).json()
    assert second["run"] == oldest["run"] == oldest["id"]
    assert newest["run"] == newest["id"]


async def test_a_question_that_is_asked_again_begins_a_run_of_its_own():
    """Two clients with one question are apart; what follows belongs to the later one."""
    talks = [["Hi"], ["Hi"], ["Hi", "Ho"]]
    async with client_of(recorded("Hello.")) as client:
        for talk in talks:
            messages = [{"role": "user", "content": said} for said in talk]
            await client.post(CHAT.path, json={**CHAT.ask, "messages": messages})
        newest, second, oldest = (await client.get("/inspector/turns")).json()
    assert oldest["run"] == oldest["id"]
    assert newest["run"] == second["run"] == second["id"]


async def test_a_response_that_refers_to_another_is_in_its_run():
    """What a client of Responses leaves out, since the gateway keeps it, counts as sent."""
    async with client_of(recorded("Hello.")) as client:
        first = await client.post("/v1/responses", json={"model": "m", "input": "Hi"})
        more = {"previous_response_id": first.json()["id"]}
        await client.post("/v1/responses", json={"model": "m", "input": "And now?", **more})
        newest, oldest = (await client.get("/inspector/turns")).json()
    assert newest["run"] == oldest["id"]


async def test_a_record_says_that_it_was_redacted():
    """Whoever sends the request of a record again knows whether it is all that the client sent."""
    async with client_of(recorded("Hello.")) as client:
        for more in ({}, {"metadata": {"api_key": "sk-secret"}}):
            await client.post(CHAT.path, json={**CHAT.ask, **more})
        assert [turn["redacted"] for turn in await turns(client)] == [True, False]


async def test_no_key_and_no_header_is_recorded():
    """Neither the client's key nor what it put under a name of a secret is anywhere in the data."""
    app = create_app(
        {"m": ChatToolEmu(llm=SpokenModel(pieces=["Hi."]))},
        inspect=True,
        api_keys=("sk-client",),
    )
    key = {"authorization": "Bearer sk-client", "x-secret": "sk-header"}
    async with client_of(app) as client:
        body = {**CHAT.ask, "api_key": "sk-body", "extra_headers": {"a": "sk-extra"}}
        await client.post(CHAT.path, json=body, headers=key)
        lines = await client.get("/inspector/turns", headers=key)
        (line,) = lines.json()
        turn = await client.get(f"/inspector/turns/{line['id']}", headers=key)
    assert "sk-" not in lines.text + turn.text


async def test_a_key_that_an_error_repeats_is_not_recorded():
    """Neither the upstream's key nor a header of its client."""
    key = "a-key-of-no-known-form"
    said = Reply(status=401, body={"error": {"message": f"Incorrect API key provided: {key}."}})
    with ScriptedServer(lambda _: said) as upstream:
        llm = upstream.chat_model(api_key=key, default_headers={"x-token": "another-secret"})
        async with client_of(create_app({"m": llm}, inspect=True)) as client:
            await client.post(CHAT.path, json=CHAT.ask)
            (turn,) = await turns(client)
    assert turn["sent"][0]["error"]["status"] == 401
    assert "Incorrect API key" in turn["error"]["message"]
    assert not [word for word in (key, "another-secret") if word in json.dumps(turn)]


async def test_the_inspector_is_for_this_machine_and_its_key():
    """From elsewhere there is no such page; without the key there is no data."""
    app = create_app({"m": SpokenModel()}, inspect=True, api_keys=("secret",))
    async with client_of(app, address="10.0.0.9") as client:
        assert (await client.get("/")).status_code == 404
        headers = {"authorization": "Bearer secret"}
        assert (await client.get("/inspector/turns", headers=headers)).status_code == 404
    async with client_of(app) as client:
        assert (await client.get("/")).status_code == 200
        assert (await client.get("/inspector/turns")).status_code == 401


async def test_the_page_loads_nothing_from_elsewhere():
    """One file, whose policy forbids everything that is not in it."""
    async with client_of(create_app({"m": SpokenModel()}, inspect=True)) as client:
        page = await client.get("/")
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"https?://|<link|\bsrc=|@import", page.text)
    assert "innerHTML" not in page.text


async def test_only_the_last_turns_are_kept():
    """Memory is bounded, and the turns can be forgotten."""
    app = recorded("Hi.")
    recordings = app.state.gateway.recordings
    for number in range(250):
        recordings.begin(str(number), "openai_chat", {"model": str(number)}, "")
    assert len(recordings.summaries()) == 200
    assert recordings.summaries()[0]["model"] == "249"
    async with client_of(app) as client:
        assert (await client.delete("/inspector/turns")).json() == []


def script(request):
    said = str(request["messages"][-1]["content"])
    if "sky" in said:
        return f"Blue. {EVIL}"
    if "fail" in said:
        return Reply(status=500, body={"error": {"message": "the GPU fell off the bus"}})
    return "" if "nothing" in said else f"Let me see.\n{CALL}"


@pytest.mark.more("a browser")
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_clicks_through_the_page():
    """Turns appear and open; search, copy, replay and clear work; nothing a model wrote runs."""
    with (
        ScriptedServer(without_tools(script)) as upstream,
        gateway(upstream_model(upstream), inspect=True) as server,
        Browser() as browser,
    ):

        def ask(wire, question):
            body = {**wire.ask, "messages": [{"role": "user", "content": question}]}
            httpx.post(server.url + wire.path, json=body, trust_env=False)

        page = browser.open(server.url + "/", width=1400)
        page.wait_for("document.querySelector('#live').innerText === 'live'")
        page.wait_for("document.querySelector('#detail').innerText.includes('curl ')")
        assert '"model":"scripted"' in page.text("#detail pre")
        ask(CHAT, "The weather?")
        ask(MESSAGES, "Why is the sky blue?")
        ask(CHAT, "Please fail.")
        page.wait_for("document.querySelectorAll('#list button').length === 3")
        newest = "document.querySelector('#list li:nth-child(1)').innerText"
        page.wait_for(f"{newest}.includes('failed 500')")
        assert 'get_weather(city="Paris")' in page.text("#list li:nth-child(3)")

        page.click("#list li:nth-child(3) button")
        page.wait_for("document.querySelector('#detail').innerText.includes('What happened')")
        detail = page.text("#detail")
        for words in (
            "What happened", "does not support tools", "the turn goes on emulated", "req_",
            "Parsed result", "Request 1", "Client request",
        ):  # fmt: skip
            assert words in detail

        page.click("#list li:nth-child(2) button")
        page.wait_for("document.querySelector('#detail').innerText.includes('onerror')")
        assert page.evaluate("document.title") == "toolemu inspector"

        page.type("#search", "fell off")
        page.wait_for("document.querySelectorAll('#list button').length === 1")
        search = "document.querySelector('#search')"
        page.evaluate(f"{search}.value = ''; {search}.dispatchEvent(new Event('input'))")
        page.wait_for("document.querySelectorAll('#list button').length === 3")

        browser.send("Browser.grantPermissions", permissions=["clipboardReadWrite"])
        page.click("#detail .copy")
        page.wait_for("document.querySelector('#detail .copy').innerText !== 'Copy'")

        page.click("#list li:nth-child(3) button")
        page.wait_for("document.querySelector('#detail').innerText.includes('goes on emulated')")
        link = page.evaluate("location.href")
        page.evaluate("document.querySelector('.tools button:last-child').click()")
        page.evaluate("document.querySelector('#replay [name=policy]').value = 'strict'")
        page.click("#replay button")
        page.wait_for("document.querySelector('.two') !== null")
        assert "Before" in page.text("#detail")
        other = browser.open(link)
        other.wait_for("document.querySelector('#detail').innerText.includes('goes on emulated')")

        page.resize(420, 860, dark=True)
        page.wait_for("getComputedStyle(document.querySelector('#list')).display === 'none'")
        page.click("#back")
        page.wait_for("getComputedStyle(document.querySelector('#list')).display !== 'none'")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        silent = {"model": "scripted", "messages": [{"role": "user", "content": "Say nothing."}]}
        httpx.post(server.url + CHAT.path, json=silent, trust_env=False)
        page.wait_for("document.querySelector('#list').innerText.includes('an empty reply')")
        page.click("#clear")
        page.wait_for("document.querySelector('#detail').innerText.includes('No turns yet')")
        assert page.failures == []
