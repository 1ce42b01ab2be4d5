"""The fields of a request, taken one by one: what is left is what this server does not know.

A field of the wrong type is refused by name. `null` counts as left out, as both protocols have it.
"""

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from langchain_toolemu.serve.faults import RequestError, invalid

T = TypeVar("T")

_NAMES: Mapping[type, str] = {
    str: "a string",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    list: "an array",
    dict: "an object",
}


class Fields:
    """What a JSON object holds.

    Args:
        body: The object.
        path: Where it is in the request, for messages.

    Example:
        ```python
        fields = Fields({"model": "gemma2", "n": 1, "top_k": 5})
        fields.need("model", str)
        fields.take("n", int)
        fields.rest  # {'top_k': 5}
        ```
    """

    def __init__(self, body: Any, path: str = "") -> None:
        if not isinstance(body, dict):
            raise invalid(f"{path or 'The request body'} must be an object.", param=path or None)
        self.rest: dict[str, Any] = {
            name: value for name, value in body.items() if value is not None
        }
        self._path = path

    def take(self, name: str, *kinds: type[T]) -> T | None:
        """The value of a field, or `None` if it is left out.

        Raises:
            RequestError: It is of none of these types.
        """
        value = self.rest.pop(name, None)
        if value is not None and not _is_of(value, kinds):
            raise self._misfit(name, kinds)
        return cast("T | None", value)

    def need(self, name: str, *kinds: type[T]) -> T:
        """The value of a field that must be there."""
        value = self.take(name, *kinds)
        if value is None:
            raise invalid(f"Missing required parameter: '{self.place(name)}'.", self.place(name))
        return value

    def take_texts(self, name: str) -> list[str]:
        """The strings of a field, which may be one; none if it is left out.

        Raises:
            RequestError: It holds something else.
        """
        given = self.take(name, str, list)
        texts = [given] if isinstance(given, str) else list(given or ())
        if not all(isinstance(text, str) for text in texts):
            raise invalid(
                f"Invalid type for '{self.place(name)}': it must hold strings.", self.place(name)
            )
        return texts

    def place(self, name: str) -> str:
        """A field's full name."""
        return f"{self._path}.{name}" if self._path else name

    def _misfit(self, name: str, kinds: tuple[type, ...]) -> RequestError:
        wanted = " or ".join(_NAMES.get(kind, kind.__name__) for kind in kinds)
        return invalid(
            f"Invalid type for '{self.place(name)}': it must be {wanted}.", self.place(name)
        )


def _is_of(value: Any, kinds: tuple[type, ...]) -> bool:
    """Whether a value is of one of these types; a bool is no number, and an integer is one."""
    if not kinds:
        return True
    if isinstance(value, bool):
        return bool in kinds
    if isinstance(value, int) and float in kinds:
        return True
    return isinstance(value, kinds)
