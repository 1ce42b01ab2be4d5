"""What is gone of flags, keys and commands stops the start, with what takes its place."""

from collections.abc import Iterable

_STORE = "--store takes both: memory, off, or MODULE:FUNCTION that gives a LangChain ByteStore"
_GONE = {
    "--api-key-file": 'start with TOOLEMU_API_KEY="$(cat FILE)"',
    "--check-config": "a wrong file stops the start with its first wrong key",
    "--drain": "running turns have 30 seconds at a stop",
    "--full": "a way that cannot be the best is ended early",
    "--keep-volatile": "Claude Code's billing line goes to Anthropic's own host only",
    "--least": "the exit code is 1 if no way passed half of the trials",
    "--markdown": "copy the table that is printed",
    "--minimise": "what a server refuses is sent in another form by itself",
    "--report": "use `toolemu serve --inspect`, which shows each prompt and reply",
    "explain": "an error says what to do",
    "--explain-request": "use --inspect, which shows each request",
    "--forward-key": "a client's key stays here; name the upstream's with api_key_env",
    "--items": _STORE,
    "--metrics-dir": "set the variable PROMETHEUS_MULTIPROC_DIR to an empty folder",
    "--text-only": "leave images out in the client",
    "--verdicts": _STORE,
    "--workers": "run `uvicorn --factory langchain_toolemu.serve:create_app --workers N`",
    "inspect": "use `toolemu serve --inspect`, which shows the turns",
}


def explain_gone(names: Iterable[str]) -> str:
    """What takes the place of the first that is gone, if one is."""
    for name in names:
        if name in _GONE:
            return f"{name} is gone: {_GONE[name]}."
    return ""


def explain_gone_key(key: str) -> str:
    """The same of a key of the settings."""
    flag = f"--{key.replace('_', '-')}"
    return explain_gone([flag]).replace(flag, key, 1)
