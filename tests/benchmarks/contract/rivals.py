"""What else one could do with the same model, behind the same interface."""

import atexit
import functools
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    messages_to_dict,
)
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

# In the words of LangChain's guide.
NAIVE_PROMPT = """\
You are an assistant that has access to the following set of tools. Here are the names and descriptions for each tool:

{tools}

Given the user input, return the name and input of the tool to use. Return your response as a JSON blob with 'name' and \
'arguments' keys.

The `arguments` should be a dictionary, with keys corresponding to the argument names and the values corresponding to \
the requested values."""


class AdHoc(BaseChatModel):
    """Prompting for calls as LangChain's guide "How to add ad-hoc tool calling capability" has it.

    A reply that `JsonOutputParser` cannot read, or that names no tool, is taken for an answer.
    """

    llm: BaseChatModel
    tools: list[dict[str, Any]] = Field(default_factory=list)

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        """The same with these tools in its prompt."""
        return self.model_copy(update={"tools": [convert_to_openai_tool(tool) for tool in tools]})

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        functions = [tool["function"] for tool in self.tools]
        prompt = SystemMessage(NAIVE_PROMPT.format(tools="\n".join(map(describe_tool, functions))))
        reply = self.llm.invoke([prompt, *self._examples(functions), *messages])
        calls = naive_calls(reply, {function["name"] for function in functions})
        message = AIMessage(reply.content, tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _examples(self, functions: Sequence[dict[str, Any]]) -> list[BaseMessage]:
        return []

    @property
    def _llm_type(self) -> str:
        return "ad-hoc"


class FewShot(AdHoc):
    """The same with a few examples as turns, as LangChain's guide to few-shot prompting has it: two calls, two answers."""

    def _examples(self, functions: Sequence[dict[str, Any]]) -> list[BaseMessage]:
        pairs = [_HELLO, *map(_example, functions[:2]), _FACT]
        return [
            message for asked, said in pairs for message in (HumanMessage(asked), AIMessage(said))
        ]


_HELLO = ("Hello!", "Hello! How can I help you?")
_FACT = ("Who wrote Hamlet?", "William Shakespeare wrote Hamlet.")
_SAMPLES = {"integer": 5, "number": 2.5, "boolean": True, "array": [], "object": {}}


def _example(function: dict[str, Any]) -> tuple[str, str]:
    """A request for a tool with values for what it requires, and the call."""
    parameters = function.get("parameters", {})
    properties = parameters.get("properties", {})
    args = {name: _sample(properties.get(name, {})) for name in parameters.get("required", ())}
    told = ", ".join(f"{name} {value}" for name, value in args.items())
    call = json.dumps({"name": function["name"], "arguments": args})
    return f"{function.get('description', function['name'])} Take {told or 'what you have'}.", call


def _sample(schema: dict[str, Any]) -> Any:
    return schema["enum"][0] if "enum" in schema else _SAMPLES.get(schema.get("type", ""), "sample")


class Elsewhere(BaseChatModel):
    """`tool-calling-llm`, run by another interpreter: it cannot live beside the LangChain that we need."""

    llm: Any
    python: str
    tools: list[dict[str, Any]] = Field(default_factory=list)

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        """The same with these tools."""
        return self.model_copy(update={"tools": [convert_to_openai_tool(tool) for tool in tools]})

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        settings = {
            "base_url": str(self.llm.openai_api_base),
            "model": self.llm.model_name,
            "api_key": "none",
            "temperature": 0,
            "max_tokens": self.llm.max_tokens,
        }
        asked = {"settings": settings, "tools": self.tools, "messages": messages_to_dict(messages)}
        said = json.loads(_worker(self.python).ask(json.dumps(asked)))
        if "error" in said:
            raise RuntimeError(said["error"])
        calls = [{**call, "id": call.get("id") or "rival"} for call in said["calls"]]
        message = AIMessage(said["text"], tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])

    @property
    def _llm_type(self) -> str:
        return "elsewhere"


class _Worker:
    """The other interpreter, started once and asked line by line."""

    def __init__(self, python: str) -> None:
        self._lock = Lock()
        self._process = subprocess.Popen(
            [python, str(Path(__file__).with_name("elsewhere.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NO_PROXY": "127.0.0.1,localhost"},
        )
        atexit.register(self._process.terminate)

    def ask(self, line: str) -> str:
        """One line there, one line back."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the other interpreter has no pipes")
        with self._lock:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
            return self._process.stdout.readline() or '{"error": "the other interpreter ended"}'


_worker = functools.cache(_Worker)


def describe_tool(function: Mapping[str, Any]) -> str:
    """A tool as LangChain's `render_text_description_and_args` writes it."""
    args = json.dumps(function.get("parameters", {}).get("properties", {}))
    return f"{function['name']} - {function.get('description', '')}, args: {args}"


def naive_calls(reply: AIMessage, names: set[str]) -> list[Any]:
    """The call that a reply is; none if it is not JSON, or names no tool."""
    try:
        read = JsonOutputParser().invoke(reply)
    except ValueError:
        return []
    if not isinstance(read, dict) or read.get("name") not in names:
        return []
    args = read.get("arguments")
    return [{"name": read["name"], "args": args if isinstance(args, dict) else {}, "id": "naive"}]
