"""How each family of models writes a call: functions of a name and its arguments, to write any call in any of them.

`QUOTED` write strings between quotes, which protect whatever is in them; in `ELEMENTS` a text ends at its own closing tag.
"""

import json
from collections.abc import Callable
from typing import Any

Args = dict[str, Any]
Writer = Callable[[str, Args], str]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _object(name: str, args: Args, key: str = "arguments") -> str:
    return _json({"name": name, key: args})


def _python(name: str, args: Args) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in args.items())})"


def _gemma(args: Any, quote: str) -> str:
    if isinstance(args, dict):
        return "{" + ",".join(f"{key}:{_gemma(value, quote)}" for key, value in args.items()) + "}"
    if isinstance(args, list):
        return "[" + ",".join(_gemma(value, quote) for value in args) + "]"
    return f"{quote}{args}{quote}" if isinstance(args, str) else _json(args)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _parameters(args: Args, form: str, between: str = "\n") -> str:
    return between.join(form.format(key=key, value=_text(value)) for key, value in args.items())


def _dsml(name: str, args: Args, bar: str, word: str) -> str:
    rows = "\n".join(
        f'<{bar}parameter name="{key}" string="{str(isinstance(value, str)).lower()}">{_text(value)}</{bar}parameter>'
        for key, value in args.items()
    )
    return f'<{bar}{word}>\n<{bar}invoke name="{name}">\n{rows}\n</{bar}invoke>\n</{bar}{word}>'


def _k3(name: str, args: Args) -> str:
    rows = "".join(
        f'<|open|>argument key="{key}" type="{"string" if isinstance(value, str) else "object"}"<|sep|>{_text(value)}'
        "<|close|>argument<|sep|>"
        for key, value in args.items()
    )
    call = f'<|open|>call tool="{name}" index="1"<|sep|>{rows}<|close|>call<|sep|>'
    return f"<|open|>tools<|sep|>{call}<|close|>tools<|sep|>"


_DEEPSEEK = "<\uff5ctool\u2581{}\uff5c>"
_CALLS, _CALL, _SEP = (
    _DEEPSEEK.format(one) for one in ("calls\u2581begin", "call\u2581begin", "sep")
)
_CALLS_END, _CALL_END = (_DEEPSEEK.format(one) for one in ("calls\u2581end", "call\u2581end"))
_KIMI = "<|tool_calls_section_begin|><|tool_call_begin|>functions.{}:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>"

_PLAMO = "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>{}<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>"

QUOTED: dict[str, Writer] = {
    "bare JSON": _object,
    "a fence": lambda name, args: f"```json\n{_object(name, args)}\n```",
    "Hermes, Qwen 2.5 and 3": lambda name, args: (
        f"<tool_call>\n{_object(name, args)}\n</tool_call>"
    ),
    "Llama 3": lambda name, args: _object(name, args, "parameters"),
    "Llama 3, with its token": lambda name, args: (
        f"<|python_tag|>{_object(name, args, 'parameters')}"
    ),
    "Llama 4": lambda name, args: f"[{_python(name, args)}]",
    "LFM2": lambda name, args: f"<|tool_call_start|>[{_python(name, args)}]<|tool_call_end|>",
    "OLMo 3": lambda name, args: f"<function_calls>\n{_python(name, args)}\n</function_calls>",
    "Mistral": lambda name, args: f"[TOOL_CALLS][{_object(name, args)}]",
    "Mistral v11": lambda name, args: f"[TOOL_CALLS]{name}[ARGS]{_json(args)}",
    "DeepSeek V3": lambda name, args: (
        f"{_CALLS}{_CALL}function{_SEP}{name}\n```json\n{_json(args)}\n```{_CALL_END}{_CALLS_END}"
    ),
    "DeepSeek V3.1": lambda name, args: (
        f"{_CALLS}{_CALL}{name}{_SEP}{_json(args)}{_CALL_END}{_CALLS_END}"
    ),
    "Kimi K2": lambda name, args: _KIMI.format(name, _json(args)),
    "gpt-oss": lambda name, args: (
        f"<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{_json(args)}<|call|>"
    ),
    "Gemma 4": lambda name, args: (
        f"<|tool_call>call:{name}{_gemma(args, chr(60) + '|' + chr(34) + '|>')}<tool_call|>"
    ),
    "FunctionGemma": lambda name, args: (
        f"<start_function_call>call:{name}{_gemma(args, '<escape>')}<end_function_call>"
    ),
    "Granite 3": lambda name, args: f"<|tool_call|>[{_object(name, args)}]",
    "Granite 4, Jamba": lambda name, args: f"<tool_calls>[{_object(name, args)}]</tool_calls>",
    "Phi 4": lambda name, args: f"<|tool_call|>[{_object(name, args)}]<|/tool_call|>",
    "Phi 4 mini": lambda name, args: f"functools[{_object(name, args)}]",
    "InternLM 2": lambda name, args: (
        f"<|action_start|><|plugin|>\n{_object(name, args, 'parameters')}<|action_end|>"
    ),
    "Command R": lambda name, args: (
        f"<|START_ACTION|>[{_json({'tool_call_id': '0', 'tool_name': name, 'parameters': args})}]<|END_ACTION|>"
    ),
    "Functionary 3.1": lambda name, args: f"<function={name}>{_json(args)}</function>",
    "ReAct": lambda name, args: f"Action: {name}\nAction Input: {_json(args)}",
    "PLaMo": lambda name, args: _PLAMO.format(name, _json(args)),
    "Apertus": lambda name, args: f"<|tools_prefix|>[{_json({name: args})}]<|tools_suffix|>",
}
ELEMENTS: dict[str, Writer] = {
    "Qwen3-Coder": lambda name, args: (
        f"<tool_call>\n<function={name}>\n{_parameters(args, '<parameter={key}>{chr10}{value}{chr10}</parameter>'.replace('{chr10}', chr(10)))}\n</function>\n</tool_call>"
    ),
    "Anthropic": lambda name, args: (
        f'<function_calls>\n<invoke name="{name}">\n{_parameters(args, "<parameter name={q}{key}{q}>{value}</parameter>".replace("{q}", chr(34)))}\n</invoke>\n</function_calls>'
    ),
    "MiniMax M2": lambda name, args: (
        f'<minimax:tool_call>\n<invoke name="{name}">\n{_parameters(args, "<parameter name={q}{key}{q}>{value}</parameter>".replace("{q}", chr(34)))}\n</invoke>\n</minimax:tool_call>'
    ),
    "Seed": lambda name, args: (
        f"<seed:tool_call>\n<function={name}>\n{_parameters(args, '<parameter={key}>{value}</parameter>')}\n</function>\n</seed:tool_call>"
    ),
    "GLM 4.5": lambda name, args: (
        f"<tool_call>{name}\n{_parameters(args, '<arg_key>{key}</arg_key>' + chr(10) + '<arg_value>{value}</arg_value>')}\n</tool_call>"
    ),
    "GLM 4.7": lambda name, args: (
        f"<tool_call>{name}{_parameters(args, '<arg_key>{key}</arg_key><arg_value>{value}</arg_value>', '')}</tool_call>"
    ),
    "Hy 4": lambda name, args: (
        f"<tool_calls:6124c78e><tool_call:6124c78e>{name}{_parameters(args, '<arg_key:6124c78e>{key}</arg_key:6124c78e><arg_value:6124c78e>{value}</arg_value:6124c78e>', '')}</tool_call:6124c78e></tool_calls:6124c78e>"
    ),
    "Beam": lambda name, args: (
        f"<|start|>assistant to={name}<|channel|>analysis <|constrain|>xml<|message|>{_parameters(args, '<rfl:parameter name={q}{key}{q}>{chr10}{value}{chr10}</rfl:parameter>'.replace('{chr10}', chr(10)).replace('{q}', chr(34)), '')}<|call|>"
    ),
    "DeepSeek V3.2": lambda name, args: _dsml(name, args, "\uff5cDSML\uff5c", "function_calls"),
    "DeepSeek V4": lambda name, args: _dsml(name, args, "\uff5cDSML\uff5c", "tool_calls"),
    "DeepSeek V4.1": lambda name, args: _dsml(name, args, "\uff5cDSML\uff5c ", "calls"),
    "Kimi K3": _k3,
    "Cline": lambda name, args: (
        f"<{name}>\n{_parameters(args, '<{key}>{value}</{key}>')}\n</{name}>"
    ),
}
FAMILIES = QUOTED | ELEMENTS
