"""`POST /v1/messages/count_tokens`, as an ASGI app."""

from langchain_toolemu.serve import sse
from langchain_toolemu.serve.anthropic_messages.request import read_request
from langchain_toolemu.serve.connection import ClientGoneError, Connection, Receive, Scope, Send
from langchain_toolemu.serve.faults import fault_of, invalid
from langchain_toolemu.serve.forwarding import wire_of
from langchain_toolemu.serve.gateway import Gateway
from langchain_toolemu.serve.guard import refuse
from langchain_toolemu.serve.token_count import count_tokens
from langchain_toolemu.serve.turns import prepare


class CountEndpoint:
    """Says how many tokens a request would have.

    Args:
        gateway: What all endpoints share.
    """

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        connection = Connection(scope, receive, send)
        try:
            tokens = await self._count(connection)
        except ClientGoneError:
            return
        except Exception as error:  # noqa: BLE001 - a client is always answered
            await refuse(connection, fault_of(error))
            return
        await connection.respond(200, sse.dumps({"input_tokens": tokens}), {})

    async def _count(self, connection: Connection) -> int:
        limits = self._gateway.settings
        body = await connection.json_body(limits.max_body_bytes, limits.timeout)
        name = body.get("model")
        if not isinstance(name, str):
            raise invalid("model: Field required", "model")
        served = self._gateway.models.find(name)
        verbatim = wire_of(served.upstream) == "anthropic_messages"
        request = read_request(body, verbatim=verbatim, counting=True)
        return await count_tokens(prepare(request.ask, served))
