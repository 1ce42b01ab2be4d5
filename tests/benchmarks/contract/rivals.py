"""What else one could do with the same model, behind the same interface."""

import atexit
import functools
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, messages_to_dict
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

_AD_HOC = """\
You are an assistant that has access to the following set of tools. Here are the names and descriptions for each tool:

{rendered_tools}

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
        prompt = ChatPromptTemplate([("system", _AD_HOC), MessagesPlaceholder("messages")])
        rendered = "\n".join(_rendered(tool["function"]) for tool in self.tools)
        asked = prompt.invoke({"rendered_tools": rendered, "messages": messages})
        reply = self.llm.invoke(asked)
        message = AIMessage(reply.content, tool_calls=self._calls(reply))
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _calls(self, reply: AIMessage) -> list[Any]:
        try:
            read = JsonOutputParser().invoke(reply)
        except ValueError:
            return []
        names = [tool["function"]["name"] for tool in self.tools]
        if not isinstance(read, dict) or read.get("name") not in names:
            return []
        args = read.get("arguments")
        return [
            {"name": read["name"], "args": args if isinstance(args, dict) else {}, "id": "ad_hoc"}
        ]

    @property
    def _llm_type(self) -> str:
        return "ad-hoc"


def _rendered(function: dict[str, Any]) -> str:
    """As LangChain's `render_text_description_and_args` writes a tool."""
    args = json.dumps(function.get("parameters", {}).get("properties", {}))
    return f"{function['name']} - {function.get('description', '')}, args: {args}"


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
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline() or '{"error": "the other interpreter ended"}'


_worker = functools.cache(_Worker)
