"""What a protocol is to the gateway: requests (`request.py`), answers and errors (`answer.py`).

- A JSON body becomes a `ClientRequest`, or a subclass with what the answer depends on. `Fields`
  takes the body apart; forwarding.py says what of the rest is sent.
- An `Answer` becomes one JSON body, or events while its parts come (a `StreamWriter`); a `Fault`
  the protocol's error.

To add a protocol: its folder, its name in `Wire`, its route in app.py, its path in `fault_body` of
access.py (for errors before a request is read), and a line in forwarding.py if upstreams speak it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall
from langchain_core.messages.tool import invalid_tool_call, tool_call

from langchain_toolemu.chat_models import sse
from langchain_toolemu.messages.past_reasoning import REASONING_KEYS
from langchain_toolemu.options import OPTIONS, PolicyName
from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.answer import Answer, AnswerPart, read_arguments
from langchain_toolemu.serve.faults import MOST_NAME, Fault, RequestError, invalid, too_many
from langchain_toolemu.serve.item_store import ClientItems
from langchain_toolemu.serve.settings import ServerSettings
from langchain_toolemu.tools.specs import function_name
from langchain_toolemu.validation.schema_check import TYPE_NAMES

_CALL_BYTES = 4_000_000  # of the arguments of a call
_TOOL_BYTES = 4096  # for each tool of the most; descriptions and schemas are read many times
# A protocol, as a client or an upstream speaks it.
Wire: TypeAlias = Literal["openai_chat", "openai_responses", "anthropic_messages", "ollama_chat"]


@dataclass(frozen=True, slots=True)
class RawRequest:
    """A request as it arrived; names of headers are in lower case."""

    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    verbatim: bool = False  # whether content stays as it is, for an upstream with this protocol
    items: ClientItems = field(default_factory=lambda: ClientItems(None, "", 0))
    limits: ServerSettings = field(default_factory=ServerSettings)

    def check_counts(self, messages: Any, tools: Any) -> None:
        """Raise a `RequestError` for more messages or tools than the server takes."""
        counted = {
            "messages": (messages, self.limits.max_messages, "--max-messages"),
            "tools": (tools, self.limits.max_tools, "--max-tools"),
        }
        for what, (given, most, flag) in counted.items():
            if isinstance(given, list) and len(given) > most:
                raise too_many(what, most, flag, what)

    def check_tools(self, tools: Iterable[Mapping[str, Any]], form: Any) -> None:
        """Raise a `RequestError` for a long name of a tool, or for too many bytes."""
        if any(len(function_name(tool) or str(tool.get("type"))) > MOST_NAME for tool in tools):
            raise invalid(f"A tool's name has more than {MOST_NAME} characters.", "tools")
        most = _TOOL_BYTES * self.limits.max_tools
        if off_loop.request_bytes.get() > most and len(sse.compact([*tools, form])) > most:
            raise too_many("bytes of tools and response format", most, "--max-tools", "tools")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRequest:
    """A request in LangChain's terms, whatever protocol it came in."""

    wire: Wire
    model: str  # the client's name for it
    messages: Sequence[BaseMessage]
    tools: Sequence[dict[str, Any]] = ()  # function tools, as their protocol writes them
    built_ins: Sequence[dict[str, Any]] = ()  # the provider's own tools, likewise
    client_functions: Sequence[dict[str, Any]] = ()  # built-ins that the client runs, as functions
    tool_choice: Any = None  # as `bind_tools` takes it
    parallel: bool | None = None  # whether one reply may make several calls
    response_format: dict[str, Any] | None = None  # as OpenAI writes it
    stop: list[str] | None = None
    limit: tuple[str, int] | None = None  # the field that limits a reply, and its most tokens
    sampling: Mapping[str, Any] = field(default_factory=dict)  # `temperature` and `top_p`
    own: Mapping[str, Any] = field(default_factory=dict)  # fields that only this protocol knows
    stream: bool = False
    policy: PolicyName | None = None  # which may be stricter than the server's
    thoughts_apart: bool = False  # whether thoughts in the text are wanted apart from it
    dropped: Sequence[str] = ()  # what the reader left out


class StreamWriter(Protocol):
    """Writes one answer as a stream, by default of server-sent events."""

    media_type: ClassVar[str] = "text/event-stream; charset=utf-8"

    def open(self) -> bytes:
        """The events before the first part."""
        return b""

    def write(self, part: AnswerPart) -> bytes:
        """The events that show a part."""

    def close(self, answer: Answer, missing: Iterable[AnswerPart]) -> bytes:
        """The events that end the answer, with parts that were missing in the turn's chunks."""

    def fail(self, fault: Fault) -> bytes:
        """The events of an error after the first byte."""

    def ping(self) -> bytes:
        """Sent while there is nothing else to send."""
        return sse.KEEP_ALIVE


R = TypeVar("R", bound=ClientRequest)


@dataclass(frozen=True, slots=True)
class WireProtocol(Generic[R]):
    """A protocol: its name, and how requests are read, and answers and errors written."""

    wire: Wire
    read: Callable[[RawRequest], R]  # raises a `RequestError` for what cannot be served as it is
    write: Callable[[R, Answer], dict[str, Any]]  # an answer in one piece
    stream: Callable[[R], StreamWriter]
    write_fault: Callable[[Fault], dict[str, Any]]  # the body of an error response
    streams_overflow: bool = False  # whether clients expect that error in the stream
    count_fields: Mapping[str, str] = field(default_factory=dict)  # beside a count of tokens


# --- the fields of a body: a wrong type is refused by name; `null` counts as left out ---

T = TypeVar("T")


class Fields:
    """The fields of a JSON object at a place of the request; `rest` is what was not taken yet."""

    def __init__(self, body: Any, path: str = "") -> None:
        if not isinstance(body, dict):
            raise invalid(f"{path or 'The request body'} must be an object.", param=path or None)
        self.body = body
        self.rest = {name: value for name, value in body.items() if value is not None}
        self.path = path

    def take(self, name: str, *kinds: type[T]) -> T | None:
        """Remove and return a field of one of these types; `None` if it is left out."""
        value = self.rest.pop(name, None)
        # Types as in JSON: a bool is no integer, and an integer is a number.
        if value is not None and type(value) not in (*kinds, *((int,) if float in kinds else ())):
            raise self._wrong_type(name, "be " + " or ".join(TYPE_NAMES[kind] for kind in kinds))
        return cast("T | None", value)

    def need(self, name: str, *kinds: type[T]) -> T:
        """Remove and return a field that must be there."""
        value = self.take(name, *kinds)
        if value is None:
            raise invalid(f"Missing required parameter: '{self.place(name)}'.", self.place(name))
        return value

    def need_fields(self, name: str) -> "Fields":
        """Remove and return an object that must be there."""
        return Fields(self.need(name, dict), self.place(name))

    def take_fields(self, name: str) -> "Fields":
        """Remove and return an object; one that is left out is empty."""
        return Fields(self.take(name, dict) or {}, self.place(name))

    def take_each(self, name: str) -> "list[Fields]":
        """Remove and return a list of objects."""
        return fields_of(self.take(name, list) or (), self.place(name))

    def take_texts(self, name: str, *, needed: bool = False) -> list[str]:
        """Remove and return a field that is a string or a list of strings, as a list."""
        given = (self.need if needed else self.take)(name, str, list)
        texts = [given] if isinstance(given, str) else list(given or ())
        if not all(isinstance(text, str) for text in texts):
            raise self._wrong_type(name, "hold strings")
        return texts

    def take_limit(self, *names: str) -> tuple[str, int] | None:
        """Remove the limits of a reply under these names, and return the first that is given."""
        given = [(name, self.take(name, int)) for name in names]
        return next(((name, value) for name, value in given if value is not None), None)

    def take_shared(self) -> dict[str, Any]:
        """The fields of every protocol, for a `ClientRequest`; last, since `own` is the rest."""
        sampling = {name: self.take(name, float) for name in ("temperature", "top_p")}
        return {
            "model": self.need("model", str),
            "sampling": {name: value for name, value in sampling.items() if value is not None},
            "stream": bool(self.take("stream", bool)),
            "policy": read_policy(self.rest.pop(_OWN, None)),
            "own": self.rest,
        }

    def place(self, name: str) -> str:
        """A field's full name."""
        return f"{self.path}.{name}" if self.path else name

    def _wrong_type(self, name: str, wanted: str) -> RequestError:
        place = self.place(name)
        return invalid(f"Invalid type for '{place}': it must {wanted}.", place)


def fields_of(objects: Iterable[Any], place: str) -> list[Fields]:
    """The fields of each object of a list."""
    return [Fields(value, f"{place}[{at}]") for at, value in enumerate(objects)]


_OWN = "toolemu"


def read_policy(own: Any) -> PolicyName | None:
    """The policy in the object `toolemu` of a request, which holds nothing else."""
    fields = Fields({} if own is None else own, _OWN)
    policy = fields.take("policy", str)
    for name in fields.rest:
        problem = f"'{_OWN}.{name}' cannot be set by a request, only '{_OWN}.policy'."
        raise invalid(f"{problem} Set it in the server's settings.", f"{_OWN}.{name}")
    complaint = policy is not None and OPTIONS["policy"].complaint(policy, in_file=True)
    if complaint:
        raise invalid(f"{_OWN}.{complaint}", f"{_OWN}.policy")
    return cast("PolicyName | None", policy)


# --- calls and choices, as LangChain has them ---


@dataclass
class PastCalls:
    """The calls of an earlier answer, as arguments of `AIMessage`."""

    tool_calls: list[ToolCall] = field(default_factory=list)
    invalid_tool_calls: list[InvalidToolCall] = field(default_factory=list)

    def add(self, name: str, arguments: Any, id_: str) -> None:
        """Add a call; one whose arguments are not a JSON object is invalid."""
        check_arguments(arguments)
        args = arguments or {}
        if isinstance(args, str):
            args = read_arguments(args)
        if isinstance(args, dict):
            self.tool_calls.append(tool_call(name=name, args=args, id=id_))
        else:
            unread = invalid_tool_call(name=name, args=arguments, id=id_, error=None)
            self.invalid_tool_calls.append(unread)


def check_arguments(given: Any) -> None:
    """Raise a `RequestError` for a call of more bytes than any model writes."""
    is_large = off_loop.request_bytes.get() > _CALL_BYTES
    if is_large and len(sse.compact(given)) > _CALL_BYTES:
        problem = f"The arguments of a call have more than {_CALL_BYTES:,} bytes."
        raise invalid(problem)


def assistant_message(content: Any, calls: PastCalls, reasoning: str) -> AIMessage:
    """What an assistant said, thought and called."""
    extra = {REASONING_KEYS[0]: reasoning} if reasoning else {}
    return AIMessage(content, additional_kwargs=extra, **vars(calls))


def schema_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A response format in OpenAI's form, from a schema."""
    name = str(schema.get("title") or "answer")
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema}}
