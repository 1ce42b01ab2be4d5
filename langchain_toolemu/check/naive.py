"""Asking for calls as most people do by hand: the tools in the prompt, and `json.loads` on what comes back.

The words are those of LangChain's guide "How to add ad-hoc tool calling capability".
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.utils.function_calling import convert_to_openai_tool

PROMPT = """\
You are an assistant that has access to the following set of tools. Here are the names and descriptions for each tool:

{tools}

Given the user input, return the name and input of the tool to use. Return your response as a JSON blob with 'name' and \
'arguments' keys.

The `arguments` should be a dictionary, with keys corresponding to the argument names and the values corresponding to \
the requested values."""


def naive_prompt(llm: BaseChatModel, tools: Sequence[Any]) -> Callable[[str], AIMessage]:
    """A function that asks a model in this way; a reply that is no call is taken for an answer."""
    functions = [convert_to_openai_tool(tool)["function"] for tool in tools]
    prompt = SystemMessage(PROMPT.format(tools="\n".join(map(described, functions))))
    names = {function["name"] for function in functions}

    def ask(question: str) -> AIMessage:
        reply = llm.invoke([prompt, HumanMessage(question)])
        return AIMessage(reply.content, tool_calls=calls_in(reply, names))

    return ask


def described(function: dict[str, Any]) -> str:
    """A tool as LangChain's `render_text_description_and_args` writes it."""
    args = json.dumps(function.get("parameters", {}).get("properties", {}))
    return f"{function['name']} - {function.get('description', '')}, args: {args}"


def calls_in(reply: AIMessage, names: set[str]) -> list[Any]:
    """The call that a reply is; none if it is not JSON, or names no tool."""
    try:
        read = JsonOutputParser().invoke(reply)
    except ValueError:
        return []
    if not isinstance(read, dict) or read.get("name") not in names:
        return []
    args = read.get("arguments")
    return [{"name": read["name"], "args": args if isinstance(args, dict) else {}, "id": "naive"}]
