"""Errors that end a check, in words that say what to do. Told by status and type, since every provider has its own."""

from langchain_toolemu.capability.statements import links

_UNREACHABLE = ("connect", "timeout", "refused", "resolve")


class CheckError(Exception):
    """A check cannot go on; says why and what to do."""


def explained(error: Exception, model: str, address: str) -> str:
    """What an error of the first request means."""
    status = _status(error)
    where = address or "its provider"
    match status:
        case 401 | 403:
            return f"{where} refuses the API key ({status}). Set the provider's variable, such as OPENAI_API_KEY."
        case 404:
            return (
                f"{where} does not know the model {model!r} (404). Check its name, and that the address ends as the "
                "provider's does, mostly in /v1."
            )
        case int() if status >= 500:
            return f"{where} has a fault of its own ({status}): {error}"
    if status is None and _is_unreachable(error):
        return f"{where} cannot be reached. Is the server running, and is the address right?"
    return f"{where} answered with an error: {type(error).__name__}: {error}"


def _status(error: BaseException) -> int | None:
    for one in links(error):
        status = getattr(one, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _is_unreachable(error: BaseException) -> bool:
    return any(
        word in f"{type(one).__name__} {one}".lower()
        for one in links(error)
        for word in _UNREACHABLE
    )
