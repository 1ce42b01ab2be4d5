"""What would be lost: a message that JSON cannot give back as it was is refused, with an error that names why."""

from collections.abc import Iterator

from langchain_core.messages import BaseMessage

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.rounds.kinds import KINDS

# Pydantic reads no JSON that is nested deeper than 200; a record is up to ten deep itself.
_DEEPEST = 150


def refuse_losses(message: BaseMessage, position: int) -> None:
    """Refuse a message that would not come back as it was."""
    if type(message) is not KINDS.get(message.type):
        raise ToolSpecError(
            f"Message {position} is a {type(message).__name__}, which is no message of LangChain's "
            "own and would come back as another. Make it one of those before `to_rounds`."
        )
    for name, value in message:
        for fault in _faults(value):
            raise ToolSpecError(
                f"Message {position} ({message.type}): `{name}` holds {fault}, which JSON cannot "
                "give back. Replace it before `to_rounds`, for example by "
                f"`message.model_copy(update={{{name!r}: ...}})`."
            )


def _faults(value: object, depth: int = 0) -> Iterator[str]:
    """What in a value is not JSON."""
    match value:
        case None | bool() | int() | float():
            return
        case str():
            if not _is_text(value):
                yield f"half a surrogate pair in {ascii(value)[:60]}"
        case list() | dict() if depth > _DEEPEST:
            yield f"something nested deeper than {_DEEPEST}"
        case list():
            for item in value:
                yield from _faults(item, depth + 1)
        case dict():
            for key, item in value.items():
                yield from _faults(key) if isinstance(key, str) else [f"the key {key!r:.60}"]
                yield from _faults(item, depth + 1)
        case _:
            yield f"a {type(value).__name__}"


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
