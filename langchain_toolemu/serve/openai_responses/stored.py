"""A stored response, for clients that ask for it by its id."""

from typing import Any

from starlette.requests import Request

from langchain_toolemu.serve.access import client_key
from langchain_toolemu.serve.faults import Fault, RequestError
from langchain_toolemu.serve.gateway import Gateway
from langchain_toolemu.serve.item_store import ClientItems


async def stored_response(gateway: Gateway, request: Request) -> dict[str, Any]:
    """The response of the id in the path, with its output; raises a `RequestError` for one that this client does not have."""
    id_ = request.path_params["id"]
    key = client_key(request.headers)
    items = ClientItems(gateway.items, key, gateway.settings.max_body_bytes)
    record = await items.run(items.find, id_)
    if record is None or "response" not in record:
        message = f"Response with id '{id_}' not found: it was not stored, or has expired."
        raise RequestError(Fault(404, message, "not_found"))
    output = [await items.run(items.find, one["id"]) for one in record["items"][record["given"] :]]
    return {**record["response"], "output": [item for item in output if item is not None]}
