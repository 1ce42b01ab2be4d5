"""Which fields of a request reach the upstream, and under which names: a table for each protocol.

- Only a field of its protocol's table is sent, of the right type, and in the body. No other name of
  a client's becomes an argument: headers, address, query, time limit and model are the operator's.
- What the operator has set wins; but sampling and the limit of a reply are only defaults.
- Fields that every protocol has are translated. A field of one protocol goes to an upstream that
  speaks it; any other never sees it. The client is told what was not sent.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import ClientKind, address_of, client_kind, vendor_at
from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.ollama_chat.request import OPTION
from langchain_toolemu.serve.protocol import ClientRequest, Fields, Wire

# The arguments for the chat model, and the names of fields that are not sent.
Forwarded: TypeAlias = tuple[dict[str, Any], tuple[str, ...]]
_WIRES: Mapping[ClientKind, Wire] = {
    "openai": "openai_chat", "anthropic": "anthropic_messages", "ollama": "ollama_chat",
}  # fmt: skip
Kinds: TypeAlias = tuple[type[Any], ...]


def _named(names: str, *kinds: type[Any]) -> dict[str, Kinds]:
    return dict.fromkeys(names.split(), kinds)


# --- the fields that a client may send besides those that its protocol's reader takes ---
# As in JSON, an integer is a float, too.
_OPENAI: Mapping[str, Kinds] = {
    **_named("frequency_penalty presence_penalty seed top_logprobs", float),
    **_named("logprobs", bool, int),
    **_named("store", bool),
    **_named("prompt_cache_key prompt_cache_retention reasoning_effort safety_identifier", str),
    **_named("service_tier verbosity", str),
    **_named("user", str, int),
    **_named("logit_bias", dict, list),
    **_named("metadata prediction web_search_options", dict),
    **_named("modalities", list),
}
# How servers sample and think, by vLLM's, llama.cpp's, SGLang's, Mistral's and others' names.
# None that names a model, a file, an address or code is among them.
_LOCAL: Mapping[str, Kinds] = {
    **_named("dry_allowed_length dry_base dry_multiplier dry_penalty_last_n", float),
    **_named("dynatemp_exponent dynatemp_range length_penalty min_p min_tokens", float),
    **_named("mirostat mirostat_eta mirostat_tau n_predict repeat_last_n repeat_penalty", float),
    **_named("repetition_penalty thinking_budget top_k top_n_sigma typical_p", float),
    **_named("xtc_probability xtc_threshold top_a tfs_z smoothing_factor random_seed", float),
    **_named("max_thinking_tokens min_keep n_discard n_keep n_probs prompt_logprobs", float),
    **_named("reasoning_budget t_max_predict_ms truncate_prompt_tokens", float),
    **_named("cache_prompt enable_thinking ignore_eos include_reasoning", bool),
    **_named("include_stop_str_in_output skip_special_tokens continue_final_message", bool),
    **_named("add_generation_prompt add_special_tokens do_sample echo no_stop_trim", bool),
    **_named("post_sampling_probs return_progress return_token_ids return_tokens", bool),
    **_named("return_tokens_as_token_ids safe_prompt separate_reasoning", bool),
    **_named("spaces_between_special_tokens stream_reasoning temperature_last", bool),
    **_named("timings_per_token use_beam_search disable_reasoning clear_thinking", bool),
    **_named("cache_salt ebnf grammar guided_grammar guided_regex prompt_mode regex", str),
    **_named("guided_whitespace_pattern reasoning_format", str),
    **_named("guided_json json_schema", str, dict),
    **_named("chat_template_kwargs mm_processor_kwargs reasoning structured_outputs usage", dict),
    **_named("allowed_token_ids bad_words documents guided_choice stop_token_ids", list),
    **_named("stop_regex dry_sequence_breakers samplers", str, list),
    **_named("transforms", list),
    **_named("think", bool, str),
    **_named("thinking", bool, dict),
}
# ChatAnthropic must see these itself: it parses replies differently if thinking is on.
_ANTHROPIC: Mapping[str, Kinds] = {
    **_named("context_management metadata output_config thinking", dict),
    **_named("inference_geo service_tier", str),
    **_named("top_k", float),
    **_named("container", str, dict),
}
_OLLAMA_OPTIONS: Mapping[str, Kinds] = {
    **_named("frequency_penalty main_gpu min_p mirostat mirostat_eta mirostat_tau", float),
    **_named("num_batch num_ctx num_gpu num_keep num_predict num_thread presence_penalty", float),
    **_named("repeat_last_n repeat_penalty seed tfs_z top_k typical_p", float),
    **_named("low_vram numa penalize_newline use_mlock use_mmap", bool),
}
_FIELDS: Mapping[Wire, Mapping[str, Kinds]] = {
    "openai_chat": {**_OPENAI, **_LOCAL},
    "openai_responses": {
        **_named("max_tool_calls top_logprobs", float),
        **_named("prompt_cache_key prompt_cache_retention safety_identifier", str),
        **_named("service_tier truncation user", str),
        **_named("verbosity", str),
        **_named("metadata reasoning", dict),
        **_named("context_management include", list),
    },
    "anthropic_messages": {**_ANTHROPIC, **_named("cache_control", dict)},
    "ollama_chat": {
        **_named("think", bool, str),
        **_named("keep_alive", str, float),
        **{OPTION + name: kinds for name, kinds in _OLLAMA_OPTIONS.items()},
    },
}
# The protocols of chats, by their paths.
CHATS: Mapping[str, Wire] = {
    "/chat/completions": "openai_chat",
    "/messages": "anthropic_messages",
    "/api/chat": "ollama_chat",
}
_CHAT = {**_named("messages tools", list), **_named("stream", bool)}
_SAMPLED = _named("temperature top_p", float)
# Of requests that are passed on without being read, by their paths; some are translated before.
PASSED_ON: Mapping[str, Mapping[str, Kinds]] = {
    "/chat/completions": {
        **_FIELDS["openai_chat"],
        **_CHAT,
        **_SAMPLED,
        **_named("max_completion_tokens max_tokens", int),
        **_named("parallel_tool_calls", bool),
        **_named("response_format stream_options", dict),
        **_named("stop", str, list),
        **_named("tool_choice", str, dict),
    },
    "/messages": {
        **_FIELDS["anthropic_messages"],
        **_CHAT,
        **_SAMPLED,
        **_named("max_tokens", int),
        **_named("stop_sequences", list),
        **_named("system", str, list),
        **_named("tool_choice", dict),
    },
    "/api/chat": {
        **_FIELDS["ollama_chat"],
        **_CHAT,
        **{OPTION + name: kinds for name, kinds in _SAMPLED.items()},
        **_named(f"{OPTION}stop", str, list),
        **_named("format", str, dict),
    },
    "/embeddings": {
        **_named("encoding_format input_type truncate", str),
        **_named("user", str, int),
        **_named("dimensions truncate_prompt_tokens", float),
        **_named("add_special_tokens", bool),
        **_named("input", str, list),
    },
    "/completions": {
        **_OPENAI,
        **_LOCAL,
        **_named("best_of max_tokens n temperature top_p", float),
        **_named("logprobs", float, bool),
        **_named("echo stream", bool),
        **_named("suffix", str),
        **_named("prompt stop", str, list),
        **_named("response_format stream_options", dict),
    },
}
# ChatOllama takes all options or none: these it has as fields.
_OLLAMA_DEFAULTS = (
    "mirostat", "mirostat_eta", "mirostat_tau", "num_ctx", "num_gpu", "num_thread", "num_predict",
    "repeat_last_n", "repeat_penalty", "temperature", "seed", "tfs_z", "top_k", "top_p",
)  # fmt: skip
# In base64, known by its first bytes.
_IMAGE = re.compile(r"(/9j/|iVBORw0KGgo|R0lGOD|UklGR)[\w+/\s]*={0,2}", re.ASCII)
_OLLAMA_ARGUMENTS = {"think": "reasoning", "keep_alive": "keep_alive"}
_OPENAI_SAMPLING = ("seed", "presence_penalty", "frequency_penalty")
_OLLAMA_SAMPLING = ("seed", "top_k", "min_p", "presence_penalty", "frequency_penalty")
# Of what is passed on: what an operator's chat model has is only a default.
_DEFAULTS = frozenset(
    [
        "format",
        "max_completion_tokens",
        "max_tokens",
        "n",
        "num_predict",
        "stop",
        "temperature",
        "top_p",
    ]
)
# Other names for the same in an operator's chat model.
_SAME = {
    "reasoning": "reasoning_effort", "output_config": "reasoning_effort", "think": "reasoning",
}  # fmt: skip
# Further values of these fields have ChatAnthropic add a header.
_ANTHROPIC_INSIDE: Mapping[str, Mapping[str, Kinds]] = {
    "output_config": _named("effort", str),
    "thinking": {**_named("type display", str), **_named("budget_tokens", float)},
}
_DISPLAYS = (None, "summarized", "omitted")


def wire_of(llm: BaseChatModel) -> Wire | None:
    """The protocol that an upstream speaks, if this server speaks it, too."""
    kind = client_kind(llm)
    if kind == "openai" and getattr(llm, "use_responses_api", None):
        return "openai_responses"
    return _WIRES.get(kind)


def forward(request: ClientRequest, llm: BaseChatModel) -> Forwarded:
    """What of a request goes to this upstream."""
    own, unknown = known_fields(request.own, _FIELDS[request.wire])
    fields, extra = _set_by_operator(llm)
    of_ollama = _OLLAMA_ARGUMENTS if client_kind(llm) == "ollama" else {}
    names = {name: of_ollama.get(name, name.removeprefix(OPTION)) for name in own}
    fixed = [name for name in own if {names[name], _SAME.get(name)} & {*fields, *extra}]
    _take(own, fixed)
    arguments, dropped = _arguments(request, own, llm)
    return arguments, (*dropped, *fixed, *unknown)


def _set_by_operator(llm: BaseChatModel) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields that the operator's chat model has values for, and what it adds to each body."""
    given = ((name, getattr(llm, name, None)) for name in sorted(llm.model_fields_set))
    own = {name: value for name, value in given if value is not None}
    more = [own.pop(name, None) or {} for name in ("model_kwargs", "extra_body")]
    _take(own, BaseChatModel.model_fields)  # LangChain's, such as `metadata`
    return own, {**more[0], **more[1]}


def known_fields(
    given: Mapping[str, Any], table: Mapping[str, Kinds], place: str = ""
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The fields that a table has, and the names of the rest; a `RequestError` for a wrong type."""
    fields = Fields(dict(given), place)
    known = {name: fields.take(name, *table[name]) for name in given if name in table}
    return {name: value for name, value in known.items() if value is not None}, (*fields.rest,)


def passed_on(
    path: str,
    body: Mapping[str, Any],
    llm: BaseChatModel,
    fields: Mapping[str, Any] | None = None,
) -> Forwarded:
    """The body of a request that is not read, and the names of what is not sent of it.

    `fields` are those that the operator's chat model has for a chat.
    """
    table, (own, extra) = PASSED_ON[path], _set_by_operator(llm)
    if fields is None:
        added = extra if path == "/completions" else _take(dict(extra), table)
        fields = {**{name: own[name] for name in own if name in table}, **added}
    options = Fields(body, "").take_fields("options").rest if path == "/api/chat" else {}
    flat = {name: value for name, value in body.items() if not (options and name == "options")}
    flat |= {OPTION + name: value for name, value in options.items()}
    known, unknown = known_fields(flat, table)
    fixed = [name for name in known if _is_fixed(name.removeprefix(OPTION), own, extra)]
    _take(known, fixed)
    known, inside = _without_betas(known) if path == "/messages" else (known, ())
    if "max_tokens" in known:  # its newer name is no other limit
        fields = {name: fields[name] for name in fields if name != "max_completion_tokens"}
    inner = _take(known, [name for name in flat if name.startswith(OPTION)])
    sent = {**fields, **known}
    if inner:
        chosen = {name.removeprefix(OPTION): value for name, value in inner.items()}
        sent["options"] = {**fields.get("options", {}), **chosen}
    return sent, (*fixed, *inside, *unknown)


def _is_fixed(name: str, own: Mapping[str, Any], extra: Mapping[str, Any]) -> bool:
    """Whether the operator's value for a field wins."""
    names = {name, _SAME.get(name, name)}
    return bool(names & extra.keys()) or (name not in _DEFAULTS and bool(names & own.keys()))


def is_volatile(text: str) -> bool:
    """Whether a text begins with a line that differs in each turn: no prompt cache would hold."""
    return text.startswith("x-anthropic-billing-header:")


def _arguments(request: ClientRequest, own: dict[str, Any], llm: BaseChatModel) -> Forwarded:
    """The arguments for this chat model, of the shared fields and of the protocol's own."""
    sampling = {**request.sampling, **_limit(request, llm)}
    match client_kind(llm):
        case "openai" if request.wire == wire_of(llm):
            named = _take(own, ("verbosity",))  # of `text` in Responses, beside the form
            return {**sampling, **named, **_extra_body(own, llm)}, ()
        case "openai" if request.wire == "ollama_chat" and wire_of(llm) == "openai_chat":
            sampling |= _take(own, _OPENAI_SAMPLING, OPTION)
        case "anthropic" if request.wire == "anthropic_messages":
            known, dropped = _without_betas(_take(own, _ANTHROPIC))
            return {**sampling, **known, **_extra_body(own, llm)}, dropped
        case "ollama":
            return _to_ollama(request, sampling, own, llm)
        case "other":
            return _to_other(sampling, own, llm)
    return sampling, tuple(own)


def _limit(request: ClientRequest, llm: BaseChatModel) -> dict[str, int]:
    """The limit under its name: OpenAI's models refuse `max_tokens`, others know only that."""
    if request.limit is None:
        return {}
    name, most = request.limit
    if wire_of(llm) != "openai_chat":
        return {"max_tokens": most}
    if request.wire == "openai_chat":
        return {name: most}
    is_openai = vendor_at(address_of(llm)) == "openai"
    return {"max_completion_tokens" if is_openai else "max_tokens": most}


def _extra_body(own: dict[str, Any], llm: BaseChatModel) -> dict[str, Any]:
    """Fields for the body of each request, besides those that the chat model adds itself."""
    if not own:
        return {}
    return {"extra_body": {**own, **(getattr(llm, "extra_body", None) or {})}}


def _without_betas(own: dict[str, Any]) -> Forwarded:
    """The fields without what ChatAnthropic would add a header for, and the names of that."""
    dropped: list[str] = []
    for name in _ANTHROPIC_INSIDE.keys() & own:
        own[name], unknown = known_fields(own[name], _ANTHROPIC_INSIDE[name], name)
        if own[name].get("display") not in _DISPLAYS:
            unknown = (*unknown, "display")
            del own[name]["display"]
        dropped += [f"{name}.{inner}" for inner in unknown]
    return own, (*dropped,)


def _take(own: dict[str, Any], names: Iterable[str], prefix: str = "") -> dict[str, Any]:
    return {name: own.pop(prefix + name) for name in names if prefix + name in own}


def _to_ollama(
    request: ClientRequest, sampling: dict[str, Any], own: dict[str, Any], llm: BaseChatModel
) -> Forwarded:
    """ChatOllama takes all options or none: its own are sent with the request's."""
    _check_images(request, llm)
    named: dict[str, Any] = {}
    if request.wire == "ollama_chat":
        named = {
            _OLLAMA_ARGUMENTS[key]: value for key, value in _take(own, _OLLAMA_ARGUMENTS).items()
        }
        options = [name.removeprefix(OPTION) for name in own if name.startswith(OPTION)]
        sampling |= _take(own, options, OPTION)
    if "max_tokens" in sampling:
        sampling["num_predict"] = sampling.pop("max_tokens")
    sampling |= _take(own, _OLLAMA_SAMPLING)
    sampling |= {"stop": request.stop} if request.stop else {}
    if not sampling:
        return named, tuple(own)
    made = {name: getattr(llm, name, None) for name in _OLLAMA_DEFAULTS}
    kept = {name: value for name, value in made.items() if value is not None}
    return {**named, "options": {**kept, **sampling}}, tuple(own)


def _check_images(request: ClientRequest, llm: BaseChatModel) -> None:
    """Refuse texts instead of images: Ollama's client would send the file of that name."""
    if all(isinstance(message.content, str) for message in request.messages):
        return
    with suppress(TypeError, ValueError):  # the turn will raise it again
        ollama: Any = llm
        messages = list(request.messages)
        written = ollama._convert_messages_to_ollama_messages(messages)  # noqa: SLF001
        if not all(
            _IMAGE.fullmatch(str(image)) for message in written for image in message["images"]
        ):
            problem = "messages: images must be in the request, in base64: JPEG, PNG, GIF or WebP."
            raise invalid(problem, "messages")


def _to_other(sampling: dict[str, Any], own: dict[str, Any], llm: BaseChatModel) -> Forwarded:
    """An unknown chat model is sent what it has a field for."""
    fields = type(llm).model_fields
    known = {*fields, *(field.alias for field in fields.values() if field.alias)}
    sent = {name: value for name, value in sampling.items() if name in known}
    return sent, (*(name for name in sampling if name not in known), *own)
