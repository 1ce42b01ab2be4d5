"""The SDKs of npm on a model that is only text: what once failed with each of them."""

import json
from pathlib import Path

import pytest

from tests.clients import HOME, node_with, output_of
from tests.integration_tests.serve.test_faults import ending_stream
from tests.scripted_server import Reply, without_tools

pytestmark = pytest.mark.more("needs clients that are installed apart")

PROGRAMS = Path(__file__).parent / "npm_programs"
ANSWER = "The tool says: 22 degrees"
BOTH = ("", ", streamed")


@pytest.fixture
def run(text_only, tmp_path):
    """Runs a case of a program, and gives what it printed."""

    def run_case(program, package, case):
        node = node_with(package)
        # Modules are looked for from the program's own folder upwards.
        folder = tmp_path / case
        folder.mkdir()
        (folder / "node_modules").symlink_to(HOME / "node_modules")
        (folder / program).write_text((PROGRAMS / program).read_text())
        openai_paths = program in ("openai_sdk.mjs", "ai_sdk.mjs")
        url = text_only.gateway.v1 if openai_paths else text_only.gateway.url
        *_, last = output_of([node, program, url, case], folder).strip().splitlines()
        return json.loads(last)

    return run_case


@pytest.fixture
def anthropic(run):
    return lambda case: run("anthropic_sdk.mjs", "@anthropic-ai/sdk", case)


@pytest.fixture
def openai(run):
    return lambda case: run("openai_sdk.mjs", "openai", case)


@pytest.fixture
def ai(run):
    return lambda case: run("ai_sdk.mjs", "ai", case)


@pytest.fixture
def ollama(run):
    return lambda case: run("ollama_js.mjs", "ollama", case)


def sent_last(text_only):
    return str(text_only.upstream.requests[-1]["messages"])


@pytest.mark.parametrize("streamed", BOTH)
def test_anthropics_runner_goes_on_without_a_thread(anthropic, text_only, streamed):
    """The tool is run, and the question is in the request that is answered."""
    assert anthropic(f"runner{streamed}") == {"said": ANSWER, "asked": ["Paris"]}
    assert "What is the weather in Paris?" in sent_last(text_only)


@pytest.mark.parametrize("streamed", BOTH)
@pytest.mark.parametrize("provider", ["compatible", "responses", "anthropic"])
def test_the_ai_sdk_holds_a_conversation(ai, text_only, provider, streamed):
    """Three turns, two of them with a tool; Responses' items are sent by their ids."""
    rome, paris = f"{ANSWER} in Rome", f"{ANSWER} in Paris"
    *texts, last = ai(f"turns, {provider}{streamed}")["texts"]
    assert texts == [paris, rome]
    assert last
    assert paris in sent_last(text_only)


@pytest.mark.parametrize("streamed", BOTH)
@pytest.mark.parametrize("provider", ["compatible", "responses", "anthropic"])
def test_the_ai_sdk_gets_an_object_after_a_call(ai, text_only, provider, streamed):
    """Tools and a form in one request, as `json_object` or with a schema."""
    call = json.dumps({"name": "get_weather", "arguments": {"city": "Paris"}})

    def play(request):
        return '{"degrees": 22}' if "22 degrees in Paris" in str(request["messages"]) else call

    text_only.upstream.play(without_tools(play))
    (text,) = ai(f"object, {provider}{streamed}")["texts"]
    assert json.loads(text) == {"degrees": 22}


def test_openais_sdk_gets_a_custom_call(openai):
    """Chat Completions: a tool that takes a text, its result, and the answer."""
    custom = {"name": "apply_patch", "input": "+a"}
    found = openai("custom")
    assert found == {"finish": "tool_calls", "custom": custom, "said": "The tool says: Changed."}
    assert openai("custom, streamed") == {"customs": [custom]}


@pytest.mark.parametrize("streamed", BOTH)
def test_ollamas_library_calls_and_answers(ollama, streamed):
    """The result goes back by the tool's name."""
    called = {"name": "get_weather", "arguments": {"city": "Paris"}}
    assert ollama(f"call{streamed}") == {**called, "said": ANSWER}


def test_ollamas_library_learns_of_the_models(ollama):
    """It lists them, says that they have tools, and completes a prompt."""
    found = ollama("about")
    assert found["models"]
    assert {"completion", "tools"} <= set(found["capabilities"])
    assert found["said"].startswith("Hello")


def test_ollamas_library_gets_an_object(ollama):
    """A schema in `format`."""
    assert ollama("object") == {"name": "Ann"}


def test_parts_of_text_reach_a_server_that_takes_strings(openai, text_only):
    """It would answer 422 to a list."""

    def play(request):
        strings = all(isinstance(one["content"], str) for one in request["messages"])
        return "Hello." if strings else Reply(status=422, body={"detail": "not a string"})

    text_only.upstream.play(without_tools(play))
    assert openai("parts") == {"said": "Hello."}


WORDS = ["Half ", "an ", "answer"]
BROKEN = {
    "dropped": Reply(WORDS, breaks_after=2),
    "an error": Reply(WORDS, breaks_after=2, body={"error": {"message": "Out of memory."}}),
    "no finish reason": ending_stream({"content": "Half an answer"}, None, ""),
}
STREAMS = [
    ("openai", "stream"),
    ("openai", "helper"),
    ("openai", "responses helper"),
    ("anthropic", "stream"),
    ("ollama", "stream"),
    ("ai", "stream, compatible"),
    ("ai", "stream, responses"),
    ("ai", "stream, anthropic"),
]


@pytest.mark.parametrize(("sdk", "case"), STREAMS, ids=str)
@pytest.mark.parametrize("reply", BROKEN)
def test_a_stream_that_breaks_off_is_an_error(request, text_only, sdk, case, reply):
    """No SDK takes it for an answer."""
    text_only.upstream.play(lambda _: BROKEN[reply])
    found = request.getfixturevalue(sdk)(case)
    assert "error" in found, found
    assert reply != "an error" or "Out of memory." in found["message"]


@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_a_key_that_the_upstream_refuses(request, text_only, sdk):
    """The SDK's own error class, and the key is not in it."""
    error = {"message": "Incorrect API key provided: sk-operator-0123456789abcdef."}
    text_only.upstream.play(lambda _: Reply(status=401, body={"error": error}))
    found = request.getfixturevalue(sdk)("whole")
    assert (found["error"], found["status"]) == ("AuthenticationError", 401)
    assert "sk-operator" not in found["message"]
