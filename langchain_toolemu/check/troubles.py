"""Errors that end a check, in words that say what to do. Told by status and type, since every provider has its own."""

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import address_of, model_name_of, speaks_ollama
from langchain_toolemu.capability.error_text import links

_UNREACHABLE = ("connect", "timeout", "refused", "resolve")


class CheckError(Exception):
    """A check cannot go on; says why and what to do."""


def explained(error: Exception, llm: BaseChatModel) -> str:
    """What an error of a model's first request means."""
    status = _status(error)
    where = address_of(llm) or "The provider"
    match status:
        case 401 | 403:
            return f"{where} refuses the API key ({status}). Set the provider's variable, such as OPENAI_API_KEY."
        case 404:
            return f"{where} does not know the model {model_name_of(llm)!r} (404). {_advice_on_404(llm)}"
        case int() if status >= 500:
            return f"{where} has a fault of its own ({status}): {error}"
    if status is None and _is_unreachable(error):
        return f"{where} cannot be reached. Is the server running, and is the address right?"
    return f"{where} answered with an error: {type(error).__name__}: {error}"


def unmade(model: str, error: Exception) -> str:
    """Why LangChain cannot make a model of a name."""
    # LangChain's own words are about an argument of Python, and list thirty providers.
    if "infer model provider" in str(error):
        return (
            f"{model!r} names no provider that LangChain knows. Write PROVIDER:NAME, such as ollama:gemma2; for any "
            "server with OpenAI's protocol, openai:NAME and --base-url."
        )
    return f"{model!r} cannot be made: {error}"


def _advice_on_404(llm: BaseChatModel) -> str:
    if speaks_ollama(llm):
        return "Look for its name in `ollama list`, and leave out /v1 at the end of the address."
    return "Check its name, and that the address ends as the provider's does, mostly in /v1."


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
