"""What a user gets who uses something wrongly: one line with the cause and the fix, and no traceback from a command."""

import io
import pickle
import re
import sys
import warnings

import pytest
from langchain_core.tools import tool
from langchain_ollama import ChatOllama, OllamaLLM  # noqa: F401 - in the table
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from openai.resources.chat.completions import Completions
from pydantic import BaseModel

from langchain_toolemu import (
    ChatToolEmu,
    ToolCallParseError,
    ToolEmuChatOpenAI,
    ToolEmuWarning,
    ToolSpecError,
)
from langchain_toolemu.chat_models.constructor import names_of
from langchain_toolemu.commands.main import main
from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.settings import SettingsError
from tests.integration_tests.serve.test_safety import client_of
from tests.reference import page
from tests.scripted_server import Reply, ScriptedServer
from tests.spoken_model import SpokenModel
from tests.tables import every_row
from tests.ways import WAYS, ask

PARAGRAPHS = re.findall(r"^### (\w+)$", page("errors.md"), re.MULTILINE)
DEAD = "http://127.0.0.1:9/v1"


@pytest.fixture(autouse=True)
def _environment(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TOOLEMU_API_KEY", "TOOLEMU_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


# --- the library ---


class Person(BaseModel):
    """A person."""

    name: str


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


def bare(city):
    return city


@tool("get_weather")
def other_weather(place: int) -> str:
    """Get the weather of somewhere else."""
    return str(place)


model = ChatOllama(model="gemma2")
llm = ChatToolEmu(model)
on_gpt = ChatToolEmu(ChatOpenAI(model="m", api_key="k"))

# What is written, and a pattern of the cause and the fix.
LIBRARY = {
    "ChatToolEmu()": "`llm` is missing.*such as ChatToolEmu",
    "ChatToolEmu(ChatOllama)": "not the class ChatOllama. Pass an object",
    "ChatToolEmu(OllamaLLM(model='m'))": "completes text. Use ChatOllama",
    "ChatToolEmu('gemma2')": "names no provider.*Write 'provider:model'",
    "ChatToolEmu(model.with_retry())": "not a RunnableRetry. Wrap the chat model first",
    "ChatToolEmu(model.bind_tools([get_weather]))": "already carries 'tools'. Wrap the model itself",
    "ChatToolEmu(llm)": "which calls tools already.*Wrap the chat model inside it, once",
    "ChatToolEmu(model, 'force')": "by position. Pass the rest by name",
    "ChatToolEmu(model, mode='forced')": "is not known. Did you mean 'force'",
    "ChatToolEmu(model, max_reask=3)": "no parameter 'max_reask'. Did you mean max_reasks",
    "ChatToolEmu(model, max_reasks=-1)": "is not known. Use an integer from 0 on",
    "ChatToolEmu(model, temperature=0)": "no parameter 'temperature'. Set it on the wrapped model",
    "ChatToolEmu(model, temprature=0)": r"no parameter 'temprature'. .*ChatOllama\(temperature=",
    "ChatToolEmu(model, tools=[get_weather])": "no parameter 'tools'. Pass it when you bind tools",
    "ToolEmuChatOpenAI(model='m', base_ur='http://x/v1')": "no parameter 'base_ur'. Did you mean base_url",
    "ToolEmuChatOpenAI(model='m', temprature=0)": "no parameter 'temprature'. Did you mean temperature",
    "ToolEmuChatOpenAI('gemma2')": "takes the arguments of ChatOpenAI, by name",
    "ToolEmuChatOpenAI(model=model)": "To wrap a ChatOllama: ChatToolEmu",
    "llm.bind_tools(get_weather)": "must be a list of tools, such as",
    "llm.bind_tools(['get_weather'])": "cannot be described.*Pass a BaseTool, a function",
    "llm.bind_tools([get_weather('Paris')])": "cannot be described.*Pass a BaseTool, a function",
    "llm.bind_tools([lambda city: city])": "has no name. Write it with `def`",
    "llm.bind_tools([{'type': 'function', 'function': {}}])": "has no name. Give its function a `name`",
    "llm.bind_tools([{'type': 'function', 'function': {'name': 'w', 'parameters': {'properties': []}}}])": "`parameters` must be an object",
    "llm.bind_tools([get_weather, other_weather])": "Two different tools are named 'get_weather'. Rename one",
    "llm.bind_tools([get_weather, get_weather])": "'get_weather' is bound twice. Leave one out",
    "llm.bind_tools([bare])": "'bare' has no description and no type for 'city'.*Write a docstring and type hints",
    "llm.bind_tools([get_weather], tool_choices='any')": "no parameter 'tool_choices'. Did you mean tool_choice",
    "llm.bind_tools([get_weather], mode='force')": r"no parameter 'mode'. Pass it to the constructor: ChatToolEmu\(llm, mode=",
    "llm.bind_tools([get_weather], parallel_tool_call=False)": "Did you mean parallel_tool_calls",
    "llm.bind_tools([get_weather], tool_choice='get_wether')": "names no bound tool. Did you mean 'get_weather'",
    "llm.bind_tools([get_weather], tool_choice='requierd')": "names no bound tool. Did you mean 'required'",
    "llm.bind_tools([get_weather], tool_choice='nope')": "names no bound tool. Bound are: get_weather",
    "llm.bind_tools([get_weather], tool_choice=get_weather)": "not understood. Pass its name: tool_choice='get_weather'",
    "llm.bind_tools([get_weather], tool_choice=['get_weather'])": "not understood. Use 'auto', 'none', 'any', or a tool's name",
    "on_gpt.with_structured_output('Person')": "cannot use this.*Pass a pydantic class",
    "on_gpt.with_structured_output({'type': 'object', 'properties': {}})": "JSON schema with a `title`",
    "on_gpt.with_structured_output(Person, method='json')": "'function_calling', 'json_schema' or 'json_mode'",
    "llm.with_structured_output(Person, include_rw=True)": "Did you mean include_raw",
}  # fmt: skip


@every_row("source", LIBRARY)
def test_a_wrong_line_of_a_program(source):
    """An error, or a warning where it works: cause and fix in one line, and a code of the docs."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            eval(source)
        except ToolSpecError as error:
            told = [error]
        else:
            told = [one.message for one in told if isinstance(one.message, ToolEmuWarning)]
    assert re.search(LIBRARY[source], str(told[0]))
    assert "\n" not in str(told[0])
    assert told[0].code in PARAGRAPHS


@every_row("error", [ToolSpecError("Wrong.", code="bad_tool"), ToolCallParseError("Cut."), SettingsError("Bad."), ToolEmuWarning("Odd.", code="echo")])  # fmt: skip
def test_an_error_keeps_its_code_on_the_way_to_another_process(error):
    """A program there can tell it by its code, as here."""
    copied = pickle.loads(pickle.dumps(error))
    assert str(copied).startswith(str(error.args[0]).split("\n")[0])
    assert copied.code == error.code != ""


def is_refused(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ToolEmuChatOpenAI(model="m", base_url=DEAD, **{name: None})
        except ToolSpecError:
            return True
    return False


def test_what_openais_client_takes_is_not_taken_for_a_slip():
    """No argument of the client's own is so near to one of ours that it would be refused."""
    taken = {*Completions.create.__annotations__, "top_k", "min_p"} - {"return", "tools", "functions", "tool_choice"}  # fmt: skip
    assert is_refused("max_reask")
    assert [name for name in taken - {*names_of(ChatOpenAI)} if is_refused(name)] == []


def on_azure(root):
    return AzureChatOpenAI(
        azure_endpoint=root,
        azure_deployment="phi-4",
        api_version="2024-10-21",
        api_key="none",
        max_retries=0,
    )


def on_openai(end, **more):
    return lambda root: ChatOpenAI(model="m", base_url=root + end, api_key="k", max_retries=0, **more)  # fmt: skip


ADDRESSES = {
    "no version": (on_openai(""), r"end the address in /v1.*: http://127.0.0.1:\S+/v1\.$"),
    "the whole path": (on_openai("/v1/chat/completions"), "leave out /chat/completions"),
    "the model": (on_openai("/v1"), "Check the model's name, 'm'\\.$"),
    "no scheme": (lambda root: on_openai("/v1")(root.removeprefix("http://")), "Begin it with http://"),
    "nothing there": (lambda _: on_openai("")(DEAD), "Is its server running"),
    "a field of the server's": (on_openai("/v1", model_kwargs={"num_ctx": 9}), "Pass .* in extra_body="),
    "ollama": (lambda root: ChatOllama(model="m", base_url=f"{root}/v1"), "leave out /v1 at the end"),
    "azure": (on_azure, "Check the deployment's name, 'phi-4', and api_version."),
}  # fmt: skip


@pytest.mark.skipif(sys.version_info < (3, 11), reason="errors have no notes before")
@pytest.mark.parametrize("way", WAYS)
def test_a_wrong_address(way):
    """The provider's own error, with a note that names the address and the fix."""
    missing = Reply(status=404, body="404 page not found")
    with ScriptedServer(lambda _: missing) as server:
        root = server.base_url.removesuffix("/v1")
        for name, (make, words) in ADDRESSES.items():
            with pytest.raises(Exception) as raised:
                ask(ChatToolEmu(make(root), mode="off"), "Hi", way)
            (note,) = raised.value.__notes__
            assert re.search(words, note), name
        server.errors.clear()


# --- commands ---

AT = ["--model", "openai:x", "--base-url", DEAD]
COMMANDS = [
    (["--nonsense"], 2, "--nonsense is not known. See --help."),
    (["chta"], 2, "invalid choice: 'chta' (choose from 'demo', 'chat'"),
    (["chat", "--mode", "forced"], 2, "invalid choice: 'forced' (choose from 'off', 'fallback', 'force')"),
    (["chat", *AT, "--polcy", "strict"], 2, "--polcy is not known. Did you mean --policy?"),
    (["chat", *AT, "--model-size", "big"], 2, "model_size='big' is not known. Use None or a number above 0"),
    (["chat", "--base-url", DEAD], 2, "--base-url needs --model"),
    (["chat", "--model", "openai:x", "--base-url", "localhost:1"], 2, "--base-url must begin with http://"),
    (["chat", "--model", "gemma2"], 3, "names no provider that LangChain knows. Write PROVIDER:NAME"),
    (["chat", "--model", "openai:x"], 3, "OpenAI needs an API key. Set OPENAI_API_KEY"),
    (["chat", *AT], 3, "cannot be reached. Start the server, or correct the address"),
    (["chat", *AT, "--tools", "mine"], 3, "'mine' is not a tool: write module:function"),
    (["chat", *AT, "--tools", "json:lods"], 3, "json:lods cannot be a tool: module 'json' has no attribute 'lods'. Name a function"),
    (["chat", *AT, "--tools", "json:loads,pickle:loads"], 3, "Two different tools are named 'loads'. Rename one"),
    (["chat", "--gguf", "none.gguf"], 3, "no GGUF file at none.gguf. Pass the path of one"),
    (["check", *AT], 3, "cannot be reached. Start the server, or correct the address"),
    (["check", *AT, "--report", "report.html"], 2, "--report is gone: use `toolemu serve --inspect`"),
    (["check", *AT, "--markdown"], 2, "--markdown is gone: copy the table"),
    (["check", *AT, "--full"], 2, "--full is gone: a way that cannot be the best"),
    (["check", *AT, "--least=1"], 2, "--least is gone: the exit code is 1 if"),
    (["doctor", *AT, "--minimise", "a.json"], 2, "--minimise is gone: what a server refuses is"),
    (["explain", "bad_tool"], 2, "explain is gone: an error says what to do"),
    (["serve", *AT, "--port", "99999"], 2, "99999 is not a number from 0 to 65535"),
    (["serve", *AT, "--host", "0.0.0.0"], 2, "can be reached from other machines: set a key with --api-key"),
    (["serve", *AT, "--workers", "2"], 2, "--workers is gone: run `uvicorn --factory"),
    (["serve", *AT, "--config", "a.toml"], 2, "--config names the models: leave out --model"),
    (["serve", "--config", "none.toml"], 3, "none.toml cannot be read: No such file or directory. Correct the file"),
]  # fmt: skip


@every_row(("arguments", "code", "words"), COMMANDS)
def test_a_wrong_command(arguments, code, words, capsys, monkeypatch):
    """The exit code, and a last line with the cause and the fix; never a traceback."""
    monkeypatch.setattr("sys.stdin", io.StringIO("Hi\n"))
    try:
        ended = main(arguments)
    except SystemExit as end:
        ended = end.code
    said = capsys.readouterr().err
    assert ended == code
    assert words in said.splitlines()[-1]
    assert "Traceback" not in said


CONFIGS = {
    "[models]": "has no models: add a table such as [models.small]",
    "[modles.a]": "modles is not known. Did you mean 'models'?",
    "[models.a]\nmodell = 'openai:x'": "models.a.modell is not known. Did you mean 'model'?",
    "[models.a]\nmodel = 'openai:x'\nmode = 'forced'": "models.a: mode='forced' is not known. Did you mean 'force'?",
    "[models.a]\nmodel = 'openai:x'": "OpenAI needs an API key. Set OPENAI_API_KEY",
    "[server]\nprot = 1\n[models.a]": "server.prot is not known. Did you mean 'port'?",
    "[server]\nworkers = 0\n[models.a]": "workers is gone: run `uvicorn --factory",
    f"[server]\ndefault = 'b'\n[models.a]\nmodel = 'openai:x'\nbase_url = '{DEAD}'": "The default model 'b' is not among ['a']",
    f"[server]\nverdicts = 'redis://127.0.0.1:9'\n[models.a]\nmodel = 'openai:x'\nbase_url = '{DEAD}'": "verdicts is gone: --store takes both",
}  # fmt: skip


@every_row("content", CONFIGS)
def test_a_wrong_file_of_settings(content, tmp_path, capsys, monkeypatch):
    """The file, the line, the key, and what to write instead."""
    monkeypatch.setitem(sys.modules, "langchain_community", None)
    path = tmp_path / "toolemu.toml"
    path.write_text(content, encoding="utf-8")
    assert main(["serve", "--config", str(path), "--port", "0"]) == 3
    said = capsys.readouterr().err
    assert CONFIGS[content] in said


# --- the gateway ---

TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": {}}}]
OTHER = [{"type": "function", "function": {"name": "get_weather", "description": "Other."}}]
REQUESTS = [
    ({"model": "x"}, 404, "model_not_found", "does not exist. Available models: m, n"),
    ({"model": None}, 400, "invalid_value", "Missing required parameter: 'model'"),
    ({"messages": []}, 400, "invalid_value", "'messages': send at least one"),
    ({"messages": "Hi"}, 400, "invalid_value", "Invalid type for 'messages': it must be an array"),
    ({"messages": [{"role": "usr", "content": "Hi"}]}, 400, "invalid_value", "Supported values are: 'system'"),
    ({"max_tokens": "many"}, 400, "invalid_value", "Invalid type for 'max_tokens': it must be an integer"),
    ({"n": 3}, 400, "invalid_value", "one answer per request: n must be 1"),
    ({"toolemu": {"mode": "off"}}, 400, "invalid_value", "'toolemu.mode' cannot be set by a request, only 'toolemu.policy'. Set it in the server's settings."),
    ({"toolemu": {"policy": "strickt"}}, 400, "invalid_value", "toolemu.policy='strickt' is not known. Did you mean 'strict'?"),
    ({"tools": TOOLS, "tool_choice": "get_wether"}, 400, "invalid_tools", "names no bound tool. Did you mean 'get_weather'?"),
    ({"tool_choice": "required"}, 400, "invalid_value", "only allowed when 'tools' are specified"),
    ({"tools": TOOLS + OTHER}, 400, "invalid_tools", "Two different tools are named 'get_weather'. Rename one"),
    ({"tools": [{"type": "web_search"}]}, 400, "invalid_value", "built into a provider cannot be called here: web_search. Offer function tools"),
]  # fmt: skip


async def test_a_wrong_request():
    """The status, a code that has a paragraph, and a message with the cause and the fix."""
    served = ChatToolEmu(SpokenModel(pieces=["Hello."]), mode="force")
    asked = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
    async with client_of(create_app({"m": served, "n": served}, api_keys=("k",))) as client:
        for body, status, code, words in REQUESTS:
            response = await client.post("/v1/chat/completions", json=asked | body, headers={"authorization": "Bearer k"})  # fmt: skip
            error = response.json()["error"]
            assert (response.status_code, error["code"]) == (status, code)
            assert words in error["message"]
            assert code in PARAGRAPHS
        response = await client.post("/v1/chat/completions", json=asked)
        assert response.json()["error"]["message"] == "Incorrect API key provided. Send one of this server's keys."  # fmt: skip


def test_there_are_sixty():
    """The table is as large as it was asked for."""
    rows = (LIBRARY, ADDRESSES, COMMANDS, CONFIGS, REQUESTS)
    assert sum(map(len, rows)) >= 60
