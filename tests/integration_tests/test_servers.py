"""What servers say of themselves, over real HTTP on loopback."""

import threading

import pytest
from langchain_openai import ChatOpenAI

from langchain_toolemu.capability import Capability, servers
from langchain_toolemu.capability.endpoints import address_of, may_be_asked
from langchain_toolemu.capability.servers import ask
from langchain_toolemu.capability.support import ModelDescription
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import ScriptedServer
from tests.tables import every_row
from tests.unit_tests.turn import test_after_native as natively
from tests.unit_tests.turn.test_after_native import QUOTED, SKY, Said
from tests.weather import CALL


def openai_chat(server, **kwargs):
    """A ChatOpenAI for the same server: most local servers speak OpenAI's protocol."""
    return ChatOpenAI(
        **{"model": server.model, "base_url": f"{server.url}/v1", "api_key": "sk-secret", **kwargs}
    )


def said_by(llm, model):
    """The verdicts that a server reports."""
    supports = ask(llm, model).supports
    assert {support.evidence for support in supports.values()} <= {"claimed"}
    return {axis: support.verdict for axis, support in supports.items()}


def caps(able):
    return {"chat_template_caps": {"supports_tools": able, "supports_tool_calls": able}}


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        (["completion", "tools"], {"tools": "native", "response_format": "native"}),
        (["completion"], {"tools": "none", "response_format": "native"}),
        (["embedding"], {}),
        ([], {}),
        (None, {}),
    ],
)
def test_ollama_lists_what_a_model_can_do(capabilities, expected):
    """A model has tools if Ollama lists them, and none if it lists anything but; an old one lists nothing."""
    with ScriptedOllama(capabilities=capabilities) as server:
        assert said_by(server.chat_model(), server.model) == expected


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [(["completion", "tools"], {"tools": "native"}), (["completion"], {})],
)
def test_whoever_answers_as_ollama_is_believed_what_it_has(capabilities, expected, monkeypatch):
    """Imitators of Ollama leave out tools that work, so behind ChatOpenAI, at Ollama's port, only a yes counts."""
    with ScriptedOllama(capabilities=capabilities) as server:
        monkeypatch.setattr(servers, "_OLLAMA_PORT", server.url.removeprefix("http://127.0.0.1"))
        assert said_by(openai_chat(server), server.model) == expected


@pytest.mark.parametrize(("able", "tools"), [(True, "native"), (False, "none")])
def test_llama_server_says_what_its_template_can_do(able, tools):
    """A template without tools drops them; any can be held to a schema or a grammar."""
    with ScriptedOllama(pages={"/props": caps(able)}) as server:
        said = said_by(openai_chat(server), server.model)
    others = {"response_format": "native", "grammar": "native"}
    assert said == {"tools": tools, "tool_choice": tools, **others}
    assert server.paths == ["/props", "/v1/models"]


SIZES = [
    ({"/props": {**caps(True), "default_generation_settings": {"n_ctx": 4096}}}, None, 4096),
    (
        {"/v1/models": {"data": [{"id": "M", "meta": {"n_params": 1_543_714_304}}]}},
        1.543714304,
        None,
    ),
    ({"/v1/models": {"data": [{"id": "M", "max_model_len": 32768}]}}, None, 32768),
    ({"/v1/models": {"data": [{"id": "other-7b"}, {"id": "third"}]}}, None, None),
    ({"/v1/models": {"data": [{"id": "other", "max_model_len": 32768}]}}, None, 32768),
    ({"/v1/models": {"data": [{"id": "weights-70b/other-1.5b.gguf"}]}}, 1.5, None),
    ({"/v1/models": {"data": [{"id": "M", "root": "Qwen/Qwen2.5-0.5B"}]}}, 0.5, None),
    (
        {
            "/v1/models": {
                "data": [{"id": "local", "meta": {"n_params": 134_515_008}}],
                "models": [{"name": "local", "model": "local", "capabilities": ["completion"]}],
            }
        },
        0.134515008,
        None,
    ),
]


@pytest.mark.parametrize(("pages", "billions", "window"), SIZES)
def test_servers_tell_size_and_window(pages, billions, window):
    """llama-server tells the size of its model and the window of a slot, vLLM the window; one alone is ours by any name."""
    with ScriptedOllama(capabilities=None, pages=pages) as server:
        server.model = "M"
        description = ask(openai_chat(server), "M")
    assert (description.billions, description.window) == (billions, window)


COUNTED = {"id": "M-8b", "meta": {"n_params": 8_030_261_248}}


@pytest.mark.parametrize(
    ("entry", "model", "words"),
    [
        ({"id": "M-8b"}, "M-8b", "8 billion parameters, as its name says"),
        ({"id": "M-8b"}, "local", "8 billion parameters, as the name says that its server lists"),
        ({"id": "local", "root": "x/M-8b"}, "local", "8 billion parameters, as the name says that its server lists"),
        (COUNTED, "M-8b", "8 billion parameters, as its name says"),
        (COUNTED | {"id": "local"}, "local", "8.03 billion parameters, as its server says"),
    ],
)  # fmt: skip
def test_a_size_says_where_it_comes_from(entry, model, words):
    """The name decides, if it has one; a server that sends only a name has counted nothing."""
    with ScriptedOllama(capabilities=None, pages={"/v1/models": {"data": [entry]}}) as server:
        capability = Capability(openai_chat(server, model=model))
        capability.consult()
    assert capability.known.size.in_words == words


@pytest.mark.parametrize("caps", [{}, {"chat_template_caps": {}}, {"chat_template_caps": None}])
def test_a_window_does_not_depend_on_what_else_is_told(caps):
    """An older llama-server says nothing of its template, and its window all the same."""
    props = {**caps, "default_generation_settings": {"n_ctx": 4096}}
    with ScriptedOllama(capabilities=None, pages={"/props": props}) as server:
        told = ask(openai_chat(server), server.model)
    assert (told.window, told.supports) == (4096, {})


_ASKED = "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n"


@pytest.mark.parametrize(
    ("template", "format_", "expected"),
    [
        (_ASKED + "<think>\\n' }}{%- endif %}", "none", "native"),
        (_ASKED + "' }}<think>\n{%- endif %}", "none", "native"),
        (_ASKED + "<think>\\n' }}{%- endif %}", "deepseek", "none"),
        (_ASKED + "<think>\\n\\n</think>\\n\\n' }}{%- endif %}", "none", "none"),
        ("{{ '<think>' }}" + _ASKED + "' }}{%- endif %}", "none", "none"),
        ("{{ messages }}", "none", None),
    ],
)
def test_a_template_tells_whether_it_begins_the_thought(template, format_, expected):
    """In what it adds to ask for the reply; a server that tells thoughts apart leaves none in the text."""
    props = {
        "chat_template": template,
        "default_generation_settings": {"params": {"reasoning_format": format_}},
    }
    with ScriptedOllama(capabilities=None, pages={"/props": props}) as server:
        assert said_by(openai_chat(server), server.model).get("begun_thought") == expected


@pytest.mark.parametrize("name", ["local", "gpt-3.5-turbo", "qwen3-coder-plus-1m"])
def test_a_model_alone_on_its_server_is_known_by_any_name(name):
    """Size, window and tools are the same whether the client says the listed name or another one."""
    entry = {"id": "local", "meta": {"n_params": 134_515_008}, "max_model_len": 2048}
    listing = {"data": [{**entry, "capabilities": ["tools"]}]}
    with ScriptedOllama(capabilities=None, pages={"/v1/models": listing}) as server:
        capability = Capability(openai_chat(server, model=name))
        capability.consult()
    assert capability.known.size.in_words == "0.135 billion parameters, as its server says"
    assert (capability.known.window, capability.known.support.verdict) == (2048, "native")


SHOWN = [
    ({"details": {"parameter_size": "7.6B"}}, 7.6, None),
    ({"model_info": {"general.parameter_count": 494_032_768}}, 0.494032768, None),
    ({"parameters": 'stop "<|im_end|>"\nnum_ctx                        8192'}, None, 8192),
    ({"details": {"parameter_size": "134.52M"}, "parameters": "num_ctx 2048"}, 0.13452, 2048),
]


@pytest.mark.parametrize(("page", "billions", "window"), SHOWN)
def test_ollama_tells_size_and_window(page, billions, window):
    """Ollama tells a model's size, and the window that its model file sets."""
    with ScriptedOllama(pages={"/api/show": page}) as server:
        description = ask(server.chat_model(), server.model)
    assert description.billions == pytest.approx(billions)
    assert description.window == window


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        (["completion", "tools"], {"tools": "native"}),
        (["tool_use"], {"tools": "native"}),
        ({"function_calling": True}, {"tools": "native"}),
        ({"function_calling": False}, {"tools": "none"}),
        (["completion"], {}),
        ({"vision": True}, {}),
        (None, {}),
        ("tools", {}),
    ],
)
def test_a_list_of_models_may_say_something(capabilities, expected):
    """What a list says of the model counts; that it leaves tools out means nothing."""
    with ScriptedOllama(capabilities=None) as server:
        entry = {"id": server.model, "capabilities": capabilities}
        other = {"id": "other", "capabilities": ["tools"]}
        server.pages["/v1/models"] = {"object": "list", "data": [other, entry]}
        assert said_by(openai_chat(server), server.model) == expected
    assert server.paths == ["/props", "/v1/models"]


@pytest.mark.parametrize(
    "page", [401, 500, "text", [], {}, {"chat_template_caps": None}, {"capabilities": 7}, None]
)
def test_whatever_else_a_server_says_means_nothing(page):
    """Errors and answers of another form are silence."""
    pages = dict.fromkeys(("/props", "/api/show", "/v1/models"), page)
    with ScriptedOllama(pages=pages) as server:
        assert said_by(openai_chat(server), server.model) == {}
        assert said_by(server.chat_model(), server.model) == {}


def test_a_server_that_is_gone_means_nothing():
    """A refused connection is silence, soon."""
    with ScriptedOllama() as server:
        pass
    assert said_by(openai_chat(server), server.model) == {}


def test_a_slow_server_is_not_waited_for(monkeypatch):
    """The limit holds for all questions together."""
    monkeypatch.setattr(servers, "SECONDS", 0.3)
    with ScriptedOllama(seconds=0.25) as server:
        assert not ask(openai_chat(server), server.model)


def test_no_key_is_sent():
    """Neither the model's key nor a password in its address goes out with a question."""
    with ScriptedOllama(capabilities=None) as server:
        secret = server.url.replace("//", "//me:password@")
        ask(openai_chat(server), server.model)
        ask(server.chat_model(base_url=secret), server.model)
    assert server.headers
    assert not any("authorization" in headers for headers in server.headers)
    assert "secret" not in str(server.headers)


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://192.168.0.2:8000/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://gateway.example.com/v1", False),
    ],
)
def test_only_local_servers_are_asked(address, asked):
    """A server elsewhere is not asked, unless it is ChatOllama's."""
    llm = ChatOpenAI(model="m", base_url=address, api_key="x")
    assert may_be_asked(llm, address_of(llm)) is asked


def test_chat_ollama_s_server_is_asked_wherever_it_is():
    """Whoever speaks Ollama's protocol has that page."""
    with ScriptedOllama() as server:
        llm = server.chat_model(base_url="https://ollama.example.com")
        assert may_be_asked(llm, address_of(llm))


def test_no_name_is_looked_up_after_the_time_is_over(monkeypatch):
    """A look-up has no limit of its own, so that each further question would wait as long again."""
    monkeypatch.setattr(servers, "SECONDS", 0)
    with ScriptedOllama() as server:
        assert not ask(openai_chat(server), server.model)
    assert server.paths == []


async def test_a_slow_look_up_of_a_name_is_not_awaited(monkeypatch):
    """The thread goes on alone, and the server counts as asked."""
    over = threading.Event()
    monkeypatch.setattr(servers, "SECONDS", -0.9)  # of which 0.1 are left
    monkeypatch.setattr(servers, "ask", lambda *_: over.wait() and ModelDescription(billions=7.0))
    with ScriptedOllama() as server:
        capability = Capability(openai_chat(server))
        await capability.aconsult()
        await capability.aconsult()
        assert capability.known.size.billions is None
        over.set()


async def test_a_server_is_asked_once_an_endpoint():
    """The answer is kept, silence included, and copies of the model share it."""
    with ScriptedOllama(capabilities=["completion"]) as server:
        capability = Capability(server.chat_model())
        assert capability.known.verdict == "unknown"
        await capability.aconsult()
        capability.consult()
        Capability(server.chat_model(temperature=1)).consult()
    assert server.paths == ["/api/show"]
    assert capability.known.support.verdict == "none"
    assert capability.known.support.reason == f"the server says so at {server.url}/api/show"


CLAIMED = [
    ("a bare call", CALL, "rescue"),
    ("a bare call with words", f"Let me look.\n{CALL}", "rescue"),
    ("an answer", SKY, "check"),
    ("an answer, the tools were counted", Said(SKY, tokens=natively.COUNTED), "keep"),
    ("an answer, the tools were dropped", Said(SKY, tokens=natively.DROPPED), "emulate"),
    ("a call that may be quoted", QUOTED, "check"),
]


@every_row(("case", "reply", "word"), CLAIMED)
def test_a_claim_is_not_trusted_like_a_call_that_was_seen(case, reply, word):
    """What follows a native reply where the server only says that its model has tools."""
    with ScriptedServer(pages={"/props": caps(able=True)}) as server:
        turn = natively.follow(reply, {"model": {"base_url": server.base_url}})
        assert natively.sequel(turn) == word
