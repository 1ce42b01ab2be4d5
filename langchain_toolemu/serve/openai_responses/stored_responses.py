"""Responses by their ids: read, deleted, and what they were asked.

A response is found by the client that it was made for, while the item store has it. What is not
served says what to do.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.access import client_key
from langchain_toolemu.serve.faults import Fault, RequestError, invalid
from langchain_toolemu.serve.gateway import Gateway
from langchain_toolemu.serve.http_connection import json_response
from langchain_toolemu.serve.item_store import ClientItems
from langchain_toolemu.serve.openai_responses.request import expand_items, items_before

_MOST_LISTED = 100
_NOT_SERVED = {
    "stream": "A stored response is not streamed again: leave out 'stream'.",
    "cancel": "Only background responses can be cancelled, and this server has none. "
    "To end a response, close its connection.",
    "compact": "This server does not compact conversations. "
    "Ask for a summary with POST /v1/responses, and begin the next 'input' with it.",
}


def response_routes(gateway: Gateway) -> Iterator[BaseRoute]:
    """The paths below `/responses` that need no model."""

    def items_of(request: Request) -> ClientItems:
        off_loop.count_as_large()
        most = gateway.settings.max_body_bytes
        return ClientItems(gateway.items, client_key(request.headers), most)

    async def stored(request: Request) -> Response:
        id_, items = request.path_params["id"], items_of(request)
        record = await items.run(_find_record, id_, items)
        if request.method == "DELETE":
            for forgotten in (id_, *_output_ids(record)):
                items.add(forgotten, None)
            await items.write()
            return json_response({"id": id_, "object": "response", "deleted": True})
        if request.query_params.get("stream") == "true":
            raise _not_served("stream")
        return json_response(await items.run(_with_output, record, items))

    async def input_items(request: Request) -> Response:
        id_, items = request.path_params["id"], items_of(request)
        return json_response(await items.run(_list_input, id_, items, request.query_params))

    async def cancel(request: Request) -> Response:
        items = items_of(request)
        await items.run(_find_record, request.path_params["id"], items)
        raise _not_served("cancel")

    async def compact(_request: Request) -> Response:
        raise _not_served("compact")

    yield Route("/responses/compact", compact, methods=["POST"])
    yield Route("/responses/{id}", stored, methods=["GET", "DELETE"])
    yield Route("/responses/{id}/input_items", input_items)
    yield Route("/responses/{id}/cancel", cancel, methods=["POST"])


def _not_served(name: str) -> RequestError:
    return RequestError(Fault(501, _NOT_SERVED[name], "not_supported", worth_retrying=False))


def _find_record(id_: str, kept: ClientItems) -> dict[str, Any]:
    record: dict[str, Any] = kept.find(id_) or {}
    if "response" not in record:
        message = f"Response with id '{id_}' not found: it was not stored, or has expired."
        raise RequestError(Fault(404, message, "not_found"))
    return record


def _output_ids(record: Mapping[str, Any]) -> list[str]:
    return [item["id"] for item in record["items"][record["given"] :]]


def _with_output(record: Mapping[str, Any], kept: ClientItems) -> dict[str, Any]:
    output = map(kept.find, _output_ids(record))
    return {**record["response"], "output": [item for item in output if item is not None]}


def _list_input(id_: str, kept: ClientItems, query: Mapping[str, str]) -> dict[str, Any]:
    """A page of the items that a response was asked with, those before it included."""
    record, limit = _find_record(id_, kept), query.get("limit", "20")
    if not (limit.isdecimal() and 1 <= int(limit) <= _MOST_LISTED):
        raise invalid(f"'limit' must be an integer from 1 to {_MOST_LISTED}.", "limit")
    own = expand_items(record["items"][: record["given"]], kept)
    given = enumerate([*items_before(record["previous"], kept), *own])
    items = [_listed(item.body, f"{id_}_{at}") for at, item in given]
    if query.get("order") != "asc":
        items.reverse()
    ids = [item["id"] for item in items]
    begin = ids.index(query["after"]) + 1 if query.get("after") in ids else 0
    page = items[begin : begin + int(limit)]
    ends = {"first_id": page[0]["id"], "last_id": page[-1]["id"]} if page else {}
    return {"object": "list", "data": page, **ends, "has_more": begin + len(page) < len(items)}


def _listed(item: Mapping[str, Any], id_: str) -> dict[str, Any]:
    """An item as lists have it: with an id, a type and its content as parts."""
    listed = {"id": id_, "type": "message", **item}
    if isinstance(content := item.get("content"), str):
        kind = "output_text" if item.get("role") == "assistant" else "input_text"
        listed["content"] = [{"type": kind, "text": content}]
    return listed
