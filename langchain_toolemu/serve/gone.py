"""Flags, keys and commands that are gone, and what takes their place: naming one stops the start."""

from collections.abc import Iterable

_STORE = "--store takes both: memory, off, or MODULE:FUNCTION that gives a LangChain ByteStore"
_GONE = {
    "--explain-request": "use --inspect: its page shows what each request became",
    "--forward-key": "a client's key stays here; name the upstream's with api_key_env",
    "--items": _STORE,
    "--metrics-dir": "set the variable PROMETHEUS_MULTIPROC_DIR to an empty folder",
    "--text-only": "leave images out in the client",
    "--verdicts": _STORE,
    "--workers": "run `uvicorn --factory langchain_toolemu.serve:create_app --workers N`",
    "TOOLEMU_VERDICTS": "call set_verdict_store in your program, or serve with --store",
    "inspect": "use `toolemu serve --inspect`, whose page shows the turns as they come",
}


def explain_gone(names: Iterable[str]) -> str:
    """What takes the place of the first of these that is gone; empty if none is."""
    for name in names:
        if name in _GONE:
            return f"{name} is gone: {_GONE[name]}."
    return ""


def explain_gone_key(key: str) -> str:
    """The same of a key of the settings."""
    flag = f"--{key.replace('_', '-')}"
    return explain_gone([flag]).replace(flag, key, 1)
