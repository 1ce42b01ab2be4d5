"""Constructions that are wrong and that are right, as source: a type checker reads them, and Python evaluates them."""

from typing import Any

from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.rate_limiters import InMemoryRateLimiter
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_ollama import ChatOllama, OllamaLLM
from langchain_openai import ChatOpenAI

from langchain_toolemu import (
    TAGGED,
    ChatToolEmu,
    Dialect,
    Recipe,
    ToolEmuChatOpenAI,
    ToolEmuMiddleware,
)

__all__ = [
    "TAGGED",
    "BaseCallbackHandler",
    "ChatOpenAI",
    "ChatToolEmu",
    "ConfigurableField",
    "Dialect",
    "InMemoryCache",
    "InMemoryRateLimiter",
    "OnOllama",
    "Ours",
    "Recipe",
    "RunnableLambda",
    "ToolEmuChatOpenAI",
    "ToolEmuMiddleware",
    "completer",
    "get_weather",
    "model",
    "on_port",
    "settings",
]


class Ours(ChatToolEmu):
    """A subclass with a field of its own."""

    team: str = "blue"


class OnOllama(ChatToolEmu):
    """A subclass with a constructor of its own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(model, **options)


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


model = ChatOllama(model="gemma2")
completer = OllamaLLM(model="gemma2")
on_port = "http://127.0.0.1:1/v1"
settings: dict[str, Any] = {"mode": "force"}

WRONG = {
    "ToolEmuMiddleware(model)": "takes no model, it wraps the agent's",
    "ToolEmuMiddleware(llm=model)": "takes no model, it wraps the agent's",
    "ToolEmuMiddleware(mod='force')": "no parameter 'mod'. Did you mean mode",
    "ToolEmuMiddleware(mode='forced')": "mode='forced' is not known. Did you mean 'force'",
    "ChatToolEmu()": "`llm` is missing: the chat model to wrap",
    "ChatToolEmu(None)": "`llm` is missing",
    "ChatToolEmu(3)": "must be a chat model .* not int. Pass an object",
    "ChatToolEmu(llm=3)": "must be a chat model .* not int. Pass an object",
    "ChatToolEmu(ChatOpenAI)": "not the class ChatOpenAI. Pass an object",
    "ChatToolEmu(completer)": "not OllamaLLM, which completes text. Use ChatOllama instead",
    "ChatToolEmu(RunnableLambda(len))": "not a RunnableLambda. Wrap the chat model first",
    "ChatToolEmu([model])": "must be a chat model .* not list. Pass an object",
    "ChatToolEmu(model=model)": "no parameter 'model'. Set it on the wrapped model",
    "ChatToolEmu(model, model)": "ChatToolEmu takes only the chat model by position",
    "ChatToolEmu(model, 'force')": "Pass the rest by name: mode='force'",
    "ChatToolEmu(model, contract=Recipe(dialect=3))": "dialect=3 is not known",
    "ChatToolEmu(model, contract=Recipe(examples='no'))": "examples='no' is not known. Use True",
    "ChatToolEmu(model, timeout=3)": "no parameter 'timeout'. ChatOllama has no such parameter either",
    "ChatToolEmu(model, mode='forced')": "mode='forced' is not known. Did you mean 'force'. Use 'off', 'fallback' or 'force'",
    "ChatToolEmu(model, mode=True)": "mode=True is not known. Use 'off'",
    "ChatToolEmu(model, mod='force')": "no parameter 'mod'. Did you mean mode?",
    "ChatToolEmu(model, max_reask=1)": "no parameter 'max_reask'. Did you mean max_reasks?",
    "ChatToolEmu(model, tools=[get_weather])": "no parameter 'tools'. .*bind_tools",
    "ChatToolEmu(model, temperature=0.3)": "wrapped model: ChatToolEmu.ChatOllama.temperature=",
    "ChatToolEmu('ollama:gemma2', temperature=0.3)": "init_chat_model.'ollama:gemma2', temperature=",
    "ChatToolEmu(model, model='gemma2')": "wrapped model: ChatToolEmu.ChatOllama.model=",
    "ChatToolEmu(model, top_logits=3)": r"ChatOllama has no such parameter either. .*bind\(top_logits=",
    "ChatToolEmu(model, contract=Recipe(dialect='klingon'))": "dialect='klingon' is not known. Use 'json', 'markdown'",
    "ChatToolEmu(model, contract=Recipe(constraint='gramar'))": "Use 'schema', 'grammar', 'quotes' or 'never'",
    "ChatToolEmu(model, dialect='tagged')": r"no parameter 'dialect'. It is a field of the recipe: contract=Recipe\(dialect=",
    "ChatToolEmu(model, tool_support='yes')": "tool_support='yes' is not known. Use 'native', 'none' or None",
    "ChatToolEmu(model, on_failure='ignore')": "Use 'error' or 'continue'",
    "ChatToolEmu(model, flow='decide')": "Use 'auto', 'inline' or 'decision'",
    "ChatToolEmu(model, contract=Recipe(place='assistant'))": "Use 'system' or 'user'",
    "ChatToolEmu(model, reasoning='block')": "reasoning='block' is not known. Did you mean 'blocks'. Use 'keep', 'blocks' or 'drop'",
    "ChatToolEmu(model, reasoning=True)": "reasoning=True is not known. Use 'keep', 'blocks' or 'drop'",
    "ChatToolEmu(model, contract=Recipe(starts_in_thought='perhaps'))": "Use True or False",
    "ChatToolEmu(model, contract='short')": "contract='short' is not known. Use 'auto', a Recipe or a dict",
    "ChatToolEmu(model, policy=Dialect)": r"That is a class: pass Dialect\(\.\.\.\). Use 'auto'",
    "ChatToolEmu(model, model_size='small')": "model_size='small' is not known. Use None or a number above 0",
    "ChatToolEmu(model, max_reasks='two')": "max_reasks='two' is not known. Use an integer from 0 on",
    "ChatToolEmu(model, tags='mine')": "valid list",
    "ToolEmuChatOpenAI('gemma2')": "takes the arguments of ChatOpenAI, by name",
    "ToolEmuChatOpenAI(model)": "To wrap a ChatOllama: ChatToolEmu.ChatOllama",
    "ToolEmuChatOpenAI(model=model)": "To wrap a ChatOllama: ChatToolEmu.ChatOllama",
    "ToolEmuChatOpenAI(modle='m', base_url=on_port)": "Did you mean mode or model?",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, mode='forced')": "Did you mean 'force'",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, reasoning='dropped')": "Did you mean 'drop'. Use 'keep', 'blocks' or 'drop'",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, mod='force')": "Did you mean mode?",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, tools=[get_weather])": r"ToolEmuChatOpenAI\(\.\.\.\)\.bind_tools",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, temperature='warm')": "valid number",
    "Ours(model, team=3)": "valid string",
    "Ours(model, tema='red')": "Did you mean team?",
    "Ours(3)": "must be a chat model .* not int",
    "ChatToolEmu(model).bind_tools(get_weather)": "must be a list of tools, .* not get_weather alone",
}  # fmt: skip
"""What is refused, and a part of the message."""

RIGHT = [
    "ToolEmuMiddleware()",
    "ToolEmuMiddleware(mode='force', policy='careful')",
    "ChatToolEmu(model)",
    "ChatToolEmu(llm=model)",
    "ChatToolEmu('ollama:gemma2')",
    "ChatToolEmu(llm='ollama:gemma2', mode='force')",
    "ChatToolEmu(model.bind(seed=1))",
    "ChatToolEmu(model.with_config(tags=['mine']))",
    "ChatToolEmu(model, name='mine', verbose=True, tags=['a'], metadata={'b': 1})",
    "ChatToolEmu(model, cache=InMemoryCache(), callbacks=[BaseCallbackHandler()])",
    "ChatToolEmu(model, rate_limiter=InMemoryRateLimiter(), disable_streaming='tool_calling')",
    "ChatToolEmu(model, profile={'max_input_tokens': 99}, output_version='v1')",
    "ChatToolEmu(model, custom_get_token_ids=lambda text: [len(text)])",
    "ChatToolEmu(model, tool_support='none', flow='decision', on_failure='continue')",
    "ChatToolEmu(model, contract=Recipe(dialect=TAGGED, place='user', tools_shown='all'))",
    "ChatToolEmu(model, contract=Recipe(dialect=Dialect('mine', opening='<c>')))",
    "ChatToolEmu(model, contract={'examples': [('Hi', 'Hello.')], 'constraint': 'never'})",
    "ChatToolEmu(model, max_reasks=0, max_tool_rounds=9, max_tool_result_chars=None)",
    "ChatToolEmu(model, reasoning='blocks', contract=Recipe(starts_in_thought=True))",
    "ChatToolEmu(model, model_size=0.5)",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, reasoning='drop')",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, reasoning={'effort': 'low'})",
    "ChatToolEmu(model).configurable_fields(mode=ConfigurableField(id='mode'))",
    "ChatToolEmu(model).preview('Hi', tools=[get_weather])",
    "Ours(model, team='red', mode='off')",
    "Ours(llm=model, tool_support='native')",
    "ChatToolEmu(ChatToolEmu(model))",
    "ChatToolEmu(model, **settings)",
    "ChatToolEmu(model).with_fallbacks([ChatToolEmu(model)])",
    "ChatToolEmu(model).bind_tools([get_weather], tool_choice='any')",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, **settings)",
    "OnOllama(mode='force')",
    "ToolEmuChatOpenAI(model='m', base_url=on_port)",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, api_key=None, temperature=0.3)",
    "ToolEmuChatOpenAI(model='m', base_url=on_port, mode='force', timeout=3, max_tokens=9)",
]
