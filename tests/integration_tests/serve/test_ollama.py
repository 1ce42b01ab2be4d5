"""Ollama's protocol: its own Python library as the client, each line held to that library's types, and what reaches upstreams."""

import base64
import json

import httpx
import ollama
import pytest
from ollama import (
    ChatResponse,
    GenerateResponse,
    ListResponse,
    Message,
    ProcessResponse,
    ShowResponse,
)

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.settings import ModelSettings, ServerSettings
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import MODELS, in_modes, upstream_model
from tests.integration_tests.serve.test_safety import client_of
from tests.integration_tests.serve.wires import OLLAMA, QUESTION, WIRES, events_of
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.spoken_model import SpokenModel
from tests.tables import every_row
from tests.weather import CALL

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
JPEG = base64.b64encode(b"\xff\xd8\xff\xe0").decode()


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


def app_of(*pieces, **more):
    """A gateway of a model that says this."""
    llm = SpokenModel(**{"pieces": pieces or ["Hello."], **more})
    return create_app({"m": ChatToolEmu(llm=llm, mode="force", max_reasks=0)})


async def post(app, body, path=OLLAMA.path):
    async with client_of(app) as client:
        return await client.post(path, json={"model": "m", "stream": False, **body})


# --- ollama's own library ---


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_tool_is_called_and_its_result_is_the_answer(text_only, stream):
    """Two steps with the library's own messages, which have no ids."""
    client = ollama.Client(text_only.gateway.url, trust_env=False)
    messages = [{"role": "user", "content": QUESTION}]

    def said():
        answer = client.chat("m", messages, tools=[get_weather], stream=stream)
        parts = [one.message for one in (answer if stream else [answer])]
        calls = [call.function for part in parts for call in part.tool_calls or ()]
        return "".join(part.content or "" for part in parts), calls

    text, (call,) = said()
    assert (text, call.name, call.arguments) == ("", "get_weather", {"city": "Paris"})
    asked = {"role": "assistant", "tool_calls": [{"function": call.model_dump()}]}
    result = {"role": "tool", "tool_name": call.name, "content": get_weather(**call.arguments)}
    messages += [asked, result]
    assert said() == ("The tool says: 22 degrees in Paris", [])


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_the_async_client_does_the_same(text_only, stream):
    """A call, and how the answer ends."""
    client = ollama.AsyncClient(text_only.gateway.url, trust_env=False)
    messages = [{"role": "user", "content": QUESTION}]
    answer = await client.chat("m", messages, tools=[get_weather], stream=stream)
    parts = [one async for one in answer] if stream else [answer]
    assert [one.message.tool_calls for one in parts if one.message.tool_calls]
    assert (parts[-1].done, parts[-1].done_reason) == (True, "stop")
    assert parts[-1].eval_count > 0


def test_the_library_lists_shows_and_generates(text_only):
    """Every page that it has a method for; a model without tools of its own has them here."""
    client = ollama.Client(text_only.gateway.url, trust_env=False)
    names = [f"{name}:latest" for name in MODELS.values()]
    assert [one.model for one in client.list().models] == names
    assert [one.name for one in client.ps().models] == names
    assert client.show("scripted:latest").capabilities == ["completion", "tools"]
    assert client.generate("scripted", "Hi").response.startswith("Hello there.")
    pieces = list(client.generate("scripted", "Hi", stream=True))
    assert "".join(one.response for one in pieces).startswith("Hello there.")
    assert client.generate("scripted", "").done_reason == "load"


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_an_error_is_the_librarys_own(stream):
    """With the upstream's status before the first word, and as a line after it."""
    with (
        ScriptedServer(lambda _: Reply(status=503, body={"error": "model is loading"})) as upstream,
        gateway(upstream_model(upstream)) as server,
    ):
        client = ollama.Client(server.url, trust_env=False)
        with pytest.raises(ollama.ResponseError, match="model is loading") as caught:
            list(client.chat("m", [{"role": "user", "content": "Hi"}], stream=stream))
        assert caught.value.status_code == 503
        words = ["The sky is blue, and has been. "] * 9
        upstream.play(lambda _: Reply(words, breaks_after=8, body={"error": {"message": "gone"}}))
        if stream:
            with pytest.raises(ollama.ResponseError, match="gone"):
                list(client.chat("m", [{"role": "user", "content": "Hi"}], stream=True))


# --- the form of every line and page ---


def fits(kind, said):
    """Whether a value has a form that the library knows: no field of another name or type."""
    kind.model_validate_json(json.dumps(said), strict=True)
    known = {*kind.model_fields, *(one.alias for one in kind.model_fields.values())}
    return set(said) <= known


REPLIES = {
    "words": {"pieces": ["The sky ", "is blue."]},
    "a call": {"pieces": ["Let me see.\n", CALL]},
    "thoughts": {"pieces": ["Blue."], "thoughts": "The sky, in daylight, is blue."},
    "cut": {"pieces": ["The sky is"], "finish": "length"},
}
LAST = {
    "model", "created_at", "done", "done_reason", "total_duration", "load_duration", "prompt_eval_count",
    "prompt_eval_duration", "eval_count", "eval_duration",
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
@pytest.mark.parametrize(
    ("path", "kind", "own"),
    [(OLLAMA.path, ChatResponse, "message"), ("/api/generate", GenerateResponse, "response")],
    ids=["chat", "generate"],
)
async def test_every_line_has_ollamas_form(path, kind, own, reply):
    """Lines of JSON that the library's types take strictly; only the last is done, and it says all that Ollama's says."""
    body = {key: OLLAMA.ask[key] for key in ("messages", "tools")}
    body = body if own == "message" else {"prompt": QUESTION}
    whole = await post(app_of(**reply), body, path)
    streamed = await post(app_of(**reply), {**body, "stream": None}, path)
    assert streamed.headers["content-type"] == "application/x-ndjson"
    lines = [data for _, data in events_of(streamed.text)]
    assert all(fits(kind, line) for line in (*lines, whole.json()))
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    head = {"model", "created_at", own, "done"}
    assert all(set(line) - {"thinking"} == head for line in lines[:-1])
    messages = [line["message"] for line in lines if "message" in line]
    assert all(fits(Message, message) for message in messages)
    assert {*lines[-1], *whole.json()} - {"thinking"} == {*LAST, own}


async def test_every_page_has_ollamas_form():
    """Lists, a model, and a version that clients take for new enough."""
    async with client_of(app_of()) as client:
        tags = (await client.get("/api/tags")).json()
        running = (await client.get("/api/ps")).json()
        shown = [
            (await client.post("/api/show", json={name: "m"})).json() for name in ("model", "name")
        ]
        unknown = await client.post("/api/show", json={})
        version = (await client.get("/api/version")).json()["version"]
    assert fits(ListResponse, tags)
    (entry,) = tags["models"]
    assert fits(ListResponse.Model, {key: entry[key] for key in entry if key != "name"})
    assert (entry["name"], len(entry["digest"])) == ("m:latest", 64)
    assert fits(ProcessResponse, running)
    assert all(fits(ProcessResponse.Model, one) for one in running["models"])
    assert all(fits(ShowResponse, one) for one in shown)
    assert (unknown.status_code, "'model'" in unknown.json()["error"]) == (400, True)
    assert tuple(map(int, version.split("."))) >= (0, 6, 4)


# --- what is read ---


def called(name, **args):
    return {"function": {"name": name, "arguments": args}}


ROUNDS = {
    "by order": ([called("a", x=1), called("b")], [{}, {}], [("a", 0), ("b", 1)]),
    "by name": ([called("a"), called("b")], [{"tool_name": "b"}, {"tool_name": "a"}], [("b", 0), ("a", 1)]),
    "by an older name": ([called("a"), called("b")], [{"name": "b"}, {}], [("b", 0), ("a", 1)]),
    "two of a name": ([called("a", x=1), called("a", x=2)], [{"tool_name": "a"}] * 2, [("a", 0), ("a", 1)]),
    "by id": (
        [{"id": "i", **called("a")}, {"id": "j", **called("a")}],
        [{"tool_call_id": "j"}, {"tool_call_id": "i"}],
        [("j", 0), ("i", 1)],
    ),
    "ids that calls lost": ([called("a"), called("b")], [{"tool_call_id": "x"}, {"tool_call_id": "y"}], [("a", 0), ("b", 1)]),
    "a name that nobody called": ([called("a")], [{"tool_name": "z"}], [("a", 0)]),
    "one too many": ([called("a")], [{}, {"tool_call_id": "x"}], [("a", 0), (None, 1)]),
}  # fmt: skip


@pytest.mark.parametrize(("calls", "results", "pairs"), ROUNDS.values(), ids=ROUNDS)
def test_a_result_belongs_to_its_call(calls, results, pairs):
    """By its id, else by its name, else by its place among those that have none yet."""
    told = [{"role": "tool", "content": str(at), **one} for at, one in enumerate(results)]
    asked = {"role": "assistant", "content": "", "tool_calls": calls}
    seen = []
    with ScriptedServer(lambda request: seen.append(request) or "Done.") as upstream:
        model = ChatToolEmu(llm=upstream_model(upstream), mode="off")
        with gateway({"m": model}) as server:
            body = {**OLLAMA.ask, "messages": [*OLLAMA.ask["messages"], asked, *told]}
            response = httpx.post(server.url + OLLAMA.path, json=body, trust_env=False)
    assert response.status_code == 200, response.text
    _, said, *rest = seen[0]["messages"]
    names = {one["id"]: one["function"]["name"] for one in said["tool_calls"]}
    keys = {**names, **{id_: id_ for id_ in "ij" if id_ in names}}
    found = [(keys.get(one["tool_call_id"]), int(one["content"])) for one in rest]
    assert found == pairs


def test_results_of_an_earlier_question_are_not_mixed_up():
    """A call that was never answered does not take the result of the next one."""
    asked = {"role": "assistant", "tool_calls": [called("a")]}
    messages = [*OLLAMA.ask["messages"], asked, {"role": "user", "content": "Well?"}]
    messages += [
        {"role": "assistant", "tool_calls": [called("b")]},
        {"role": "tool", "content": "r"},
    ]
    seen = []
    with ScriptedServer(lambda request: seen.append(request) or "Done.") as upstream:
        model = ChatToolEmu(llm=upstream_model(upstream), mode="off")
        with gateway({"m": model}) as server:
            body = {**OLLAMA.ask, "messages": messages}
            httpx.post(server.url + OLLAMA.path, json=body, trust_env=False)
    *_, call, result = seen[0]["messages"]
    assert result["tool_call_id"] == call["tool_calls"][0]["id"]


FORMATS = {
    "json": ("json", {"type": "json_object"}),
    "a schema": (
        {"title": "T", "type": "object", "properties": {}},
        {"name": "T", "schema": {"title": "T", "type": "object", "properties": {}}},
    ),
    "none": ("", None),
}


@pytest.mark.parametrize(("form", "told"), FORMATS.values(), ids=FORMATS)
def test_the_options_of_a_request_reach_an_upstream_of_openais(form, told):
    """Under its names, where it has one; what is left is named in a header."""
    options = {
        "num_predict": 9.0,
        "temperature": 0,
        "top_p": 1,
        "stop": ["x"],
        "seed": 7,
        "num_ctx": 4096,
    }
    with (
        ScriptedServer(lambda _: "{}") as upstream,
        gateway(upstream_model(upstream)) as server,
    ):
        message = {"role": "user", "content": "Look.", "images": [PNG, JPEG]}
        body = {"model": "m", "messages": [message], "options": options, "format": form}
        body |= {"think": "low", "keep_alive": -1, "stream": False}
        response = httpx.post(server.url + OLLAMA.path, json=body, trust_env=False)
        (sent,) = upstream.requests
    assert response.headers["x-toolemu-dropped"] == "think, keep_alive, options.num_ctx"
    asked = {"max_tokens": 9, "temperature": 0, "top_p": 1, "stop": ["x"], "seed": 7}
    assert {key: sent.get(key) for key in asked} == asked
    urls = [part["image_url"]["url"] for part in sent["messages"][0]["content"][1:]]
    assert urls == [f"data:image/png;base64,{PNG}", f"data:image/jpeg;base64,{JPEG}"]
    form_sent = sent.get("response_format") or {}
    assert (form_sent.get("json_schema", form_sent) or None) == told


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_the_options_of_a_request_reach_an_upstream_of_ollamas(stream):
    """All of them, as they are; options that the chat model was made with stay."""
    with (
        ScriptedOllama(lambda _: Reply("Blue.", reasoning=["The sky."])) as upstream,
        gateway({"m": upstream.chat_model(top_k=5)}) as server,
    ):
        body = {**OLLAMA.ask, "stream": stream, "think": True, "keep_alive": "5m"}
        body |= {"options": {"num_predict": -1, "num_ctx": 4096, "typical_p": 0.5}, "tools": []}
        response = httpx.post(server.url + OLLAMA.path, json=body, trust_env=False)
        said = OLLAMA.add_up(events_of(response.text)) if stream else response.json()
        (sent,) = upstream.requests
    assert "x-toolemu-dropped" not in response.headers
    assert (sent["think"], sent["keep_alive"]) == (True, "5m")
    assert sent["options"] == {"num_predict": -1, "num_ctx": 4096, "typical_p": 0.5, "top_k": 5}
    assert said["message"] == {"role": "assistant", "content": "Blue.", "thinking": "The sky."}


async def test_reasoning_is_left_out_where_it_is_not_wanted():
    """`think: false` is answered without thoughts, even if the model has some."""
    app = app_of("Blue.", thoughts="The sky.")
    for think, shown in ((None, True), (True, True), ("high", True), (False, False)):
        body = {"messages": OLLAMA.ask["messages"], "think": think}
        whole = (await post(app, body)).json()
        lines = events_of((await post(app, {**body, "stream": True})).text)
        assert ("thinking" in whole["message"]) is shown
        assert ("thinking" in OLLAMA.add_up(lines)["message"]) is shown


REFUSED = {
    "format": ({"format": "yaml"}, "format"),
    "a role": ({"messages": [{"role": "robot", "content": "Hi"}]}, "messages[0].role"),
    "an image that is none": ({"messages": [{"role": "user", "images": ["?"]}]}, "messages[0].images[0]"),
    "a tool without a function": ({"tools": [{"type": "function"}]}, "tools[0].function"),
    "content in parts": ({"messages": [{"role": "user", "content": []}]}, "messages[0].content"),
}  # fmt: skip
UNSUPPORTED = {"suffix": "x", "raw": True, "template": "{{ .Prompt }}", "context": [1]}


async def test_what_cannot_be_done_is_refused_by_name():
    """400, in Ollama's form: a string."""
    for more, name in REFUSED.values():
        response = await post(app_of(), {"messages": OLLAMA.ask["messages"], **more})
        assert (response.status_code, name in response.json()["error"]) == (400, True), name
    for name, value in UNSUPPORTED.items():
        response = await post(app_of(), {"prompt": "Hi", name: value}, "/api/generate")
        assert (response.status_code, name in response.json()["error"]) == (400, True), name


@pytest.mark.parametrize(("path", "own"), [(OLLAMA.path, "message"), ("/api/generate", "response")])
async def test_a_request_that_says_nothing_loads_or_unloads_the_model(path, own):
    """It is answered, and nothing is sent."""
    app = app_of("never said")
    for more, reason in (
        ({}, "load"),
        ({"keep_alive": "5m"}, "load"),
        ({"keep_alive": 0}, "unload"),
    ):
        response = await post(app, {"messages": [], "prompt": "", **more}, path)
        said = response.json()
        assert (said["done"], said["done_reason"], own in said) == (True, reason, True)
        assert "never said" not in response.text


# --- models ---


def test_a_name_with_the_usual_tag_is_the_name_without():
    """Whatever the protocol: clients send the names that Ollama's list has."""
    models = {"a": SpokenModel(pieces=["I am a."]), "b": SpokenModel(pieces=["I am b."])}
    with gateway(models) as server:
        for wire in WIRES.values():
            body = {**wire.ask, "model": "b:latest", "tools": []}
            response = httpx.post(server.url + wire.path, json=body, trust_env=False)
            assert "I am b." in response.text


def test_an_upstream_of_any_name_is_sent_the_name_without_the_tag():
    """The tag is Ollama's, and no other server knows it."""
    with (
        ScriptedServer(lambda _: "Hello.") as upstream,
        gateway({"*": upstream_model(upstream, model="*")}) as server,
    ):
        body = {**OLLAMA.ask, "model": "small:latest"}
        httpx.post(server.url + OLLAMA.path, json=body, trust_env=False)
        assert upstream.requests[0]["model"] == "small"


LISTED = {"models": [{"model": "gemma2:2b", "name": "gemma2:2b"}, {"model": "qwen3:latest"}]}
SHOWN = {
    "capabilities": ["completion", "vision"],
    "details": {"family": "gemma2", "parameter_size": "2.6B"},
    "model_info": {"general.architecture": "gemma2", "gemma2.context_length": 8192},
    "template": "{{ .Prompt }}",
}


@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
def test_an_upstream_of_ollamas_is_shown_as_it_is_with_tools(mode):
    """Its list, and what it says of a model; tools are added where they are emulated."""
    with ScriptedOllama(pages={"/api/tags": LISTED, "/api/show": SHOWN}) as upstream:
        options = {"client_kwargs": {"trust_env": False, "verify": False}}
        model = ModelSettings(
            "*", "ollama:*", upstream.url, options=options, toolemu={"mode": mode}
        )
        with gateway(ServerSettings(models=(model,))) as server:
            client = ollama.Client(server.url, trust_env=False)
            assert [one.model for one in client.list().models] == ["gemma2:2b", "qwen3:latest"]
            listed = httpx.get(f"{server.v1}/models", trust_env=False).json()["data"]
            assert [one["id"] for one in listed] == ["gemma2:2b", "qwen3:latest"]
            shown = client.show("gemma2:2b")
            client.chat("gemma2:2b", [{"role": "user", "content": "Hi"}])
            assert upstream.requests[0]["model"] == "gemma2:2b"
    assert shown.details.family == "gemma2"
    assert shown.modelinfo == SHOWN["model_info"]
    tools = [] if mode == "off" else ["tools"]
    assert shown.capabilities == ["completion", "vision", *tools]


def test_an_upstream_of_ollamas_says_which_models_it_lacks():
    """Its own status and words."""
    with (
        ScriptedOllama(capabilities=None) as upstream,
        gateway({"*": upstream.chat_model(model="*")}) as server,
        pytest.raises(ollama.ResponseError) as caught,
    ):
        ollama.Client(server.url, trust_env=False).show("nothing")
    assert caught.value.status_code == 404


async def test_the_inspector_knows_a_prompt():
    """What was asked, and that a stream is the default."""
    llm = SpokenModel(pieces=["Hello."])
    async with client_of(create_app({"m": llm}, inspect=True)) as client:
        await client.post("/api/generate", json={"model": "m", "prompt": "Why?"})
        (turn,) = (await client.get("/inspector/turns")).json()
    assert (turn["question"], turn["stream"], turn["state"]) == ("Why?", True, "done")


# --- Ollama as the upstream, in every protocol: it knows neither a choice nor a limit to one call ---

TERMS = {
    "chat": ({"parallel_tool_calls": False}, {"tool_choice": "none"}),
    "messages": (
        {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
        {"tool_choice": {"type": "none"}},
    ),
    "responses": ({"parallel_tool_calls": False}, {"tool_choice": "none"}),
    "ollama": ({"parallel_tool_calls": False}, {"tool_choice": "none"}),
}
TWO = [("get_weather", {"city": "Paris"}), ("get_weather", {"city": "Rome"})]


def calls_whenever_it_can(body):
    """Two calls, natively if tools are offered so, else in text if it was taught to."""
    if body.get("tools"):
        return Reply(tool_calls=TWO)
    rome = CALL.replace("Paris", "Rome")
    return f"{CALL}\n{rome}" if "You can call tools" in body["heard"] else "It is fine."


def number_of_calls(said):
    """The calls in an answer of any protocol."""
    if "calls" in said:
        return len(said["calls"])
    made = said["message"]["tool_calls"] if "message" in said else said.get("output", ())
    blocks = [one for one in said.get("content", ()) if one["type"] == "tool_use"]
    return sum("arguments" in one for one in made) + len(blocks)


@pytest.mark.in_turn
@pytest.mark.parametrize("capabilities", [["completion", "tools"], ["completion"]], ids=str)
@pytest.mark.parametrize("wire", WIRES)
def test_one_call_at_most_and_none_hold_for_ollama(wire, capabilities):
    """In every mode, whole and streamed; in mode off one call cannot be asked for, and a header says so."""
    protocol, (single, none) = WIRES[wire], TERMS[wire]
    with (
        ScriptedOllama(calls_whenever_it_can, capabilities=capabilities) as upstream,
        gateway(in_modes(upstream.chat_model())) as server,
        httpx.Client(trust_env=False, verify=False) as client,
    ):

        def said(stream, mode, more):
            body = {**protocol.ask, **more, "stream": stream, "model": MODELS[mode]}
            response = client.post(server.url + protocol.path, json=body)
            assert response.status_code == 200, response.text
            whole = response.json() if not stream else None
            answer = protocol.essence(whole) if whole else protocol.add_up(events_of(response.text))
            return number_of_calls(answer), response.headers.get("x-toolemu-dropped", "")

        for stream in (False, True):
            for mode in ("fallback", "force"):
                assert said(stream, mode, {})[0] == 2
                assert said(stream, mode, single)[0] == 1
                assert said(stream, mode, none)[0] == 0
            assert said(stream, "off", none)[0] == 0
            if "tools" in capabilities:
                made, dropped = said(stream, "off", single)
                assert (made, "parallel_tool_calls" in dropped) == (2, True)


@every_row("choice", ["required", {"type": "function", "function": {"name": "get_weather"}}])
def test_a_choice_that_ollama_cannot_be_told_is_named(choice):
    """Mode off: a demand goes nowhere, and the header says so."""
    with (
        ScriptedOllama(calls_whenever_it_can) as upstream,
        gateway({"m": ChatToolEmu(llm=upstream.chat_model(), mode="off")}) as server,
    ):
        body = {**WIRES["chat"].ask, "tool_choice": choice}
        response = httpx.post(server.url + WIRES["chat"].path, json=body, trust_env=False)
    assert response.headers["x-toolemu-dropped"] == "tool_choice"


def with_image(wire, image):
    """A request of any protocol with an image."""
    text = {"type": "text", "text": "What is it?"}
    source = {"type": "base64", "media_type": "image/png", "data": image}
    content = {
        "chat": [text, {"type": "image_url", "image_url": {"url": image}}],
        "messages": [text, {"type": "image", "source": source}],
        "responses": [{"type": "input_image", "image_url": image}],
    }
    said = {"role": "user", "content": content.get(wire, "What is it?")}
    said |= {"images": [image]} if wire == "ollama" else {}
    asked = {key: WIRES[wire].ask[key] for key in ("model", "max_tokens") if key in WIRES[wire].ask}
    return {**asked, "stream": False, ("input" if wire == "responses" else "messages"): [said]}


@pytest.mark.parametrize("wire", WIRES)
def test_no_file_of_this_machine_is_sent_to_ollama(wire, tmp_path):
    """Its client would read one whose name comes as an image: 400, and nothing is sent. A real image is."""
    secret = tmp_path / "secret.png"
    secret.write_bytes(base64.b64decode(PNG))
    # A name that is base64, too.
    twin = tmp_path / "twin"
    twin.write_bytes(b"secret")
    path = str(twin) if len(str(twin)) % 4 == 0 else f"/{'/' * (3 - len(str(twin)) % 4)}{twin}"
    with (
        ScriptedOllama("A dot.") as upstream,
        gateway({"m": upstream.chat_model()}) as server,
        httpx.Client(trust_env=False, verify=False) as client,
    ):
        url = server.url + WIRES[wire].path
        for name in (
            str(secret),
            f"data:image/png;base64,{secret}",
            path,
            "http://a.example/b.png",
        ):
            refused = client.post(url, json=with_image(wire, name))
            assert (refused.status_code, upstream.requests) == (400, []), refused.text
        urls = wire in ("chat", "responses")
        real = f"data:image/png;base64,{PNG}" if urls else PNG
        assert client.post(url, json=with_image(wire, real)).status_code == 200
        assert upstream.requests[0]["messages"][-1]["images"] == [PNG]


@pytest.mark.parametrize("stream", [False, True])
async def test_thoughts_in_the_text_are_apart_where_they_are_wanted(stream):
    """`think: true` moves `<think>` out of the content; without it the text stays as the model wrote it."""
    app = app_of("<think>The sky.</think>Blue.")
    for think, text, thought in (
        (True, "Blue.", "The sky."),
        (None, "<think>The sky.</think>Blue.", ""),
    ):
        body = {"messages": OLLAMA.ask["messages"], "think": think, "stream": stream}
        response = await post(app, body)
        message = (OLLAMA.add_up(events_of(response.text)) if stream else response.json())[
            "message"
        ]
        assert (message["content"], message.get("thinking", "")) == (text, thought)
