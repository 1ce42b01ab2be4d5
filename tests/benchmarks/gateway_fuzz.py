"""Malformed requests for the gateway, in all its protocols: `python -m tests.benchmarks.gateway_fuzz`.

What is promised, whatever a request holds: an answer within a minute, no error of the server's own,
a 400 that names the field, an inspector that shows its pages, and items that their own client finds
and no other. A request is made of the seed and its number alone, so `--only NUMBER` sends it again.
"""

import argparse
import asyncio
import copy
import json
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
from langchain_anthropic import ChatAnthropic
from starlette.applications import Starlette

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from tests.gateway import gateway, running
from tests.gateway_requests import BODIES, WRONG, nested, places_in
from tests.integration_tests.serve.conftest import upstream_model
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import ScriptedServer

KEYS = ("key-of-a", "key-of-b")
# What has nothing to do with tools.
_MORE = {
    "plain": (
        "/v1/chat/completions",
        {
            "messages": [
                {"role": "system", "content": "s"},
                {"role": "user", "content": "u", "name": "n"},
            ],
            "temperature": 0.5,
            "top_p": 1,
            "max_tokens": 9,
            "stop": "x",
            "seed": 7,
            "stream_options": {"include_usage": True},
        },
    ),
    "embeddings": ("/v1/embeddings", {"input": ["a", "b"], "encoding_format": "float"}),
    "completions": ("/v1/completions", {"prompt": "p", "max_tokens": 5, "stop": ["a"]}),
    "show": ("/api/show", {"verbose": False}),
}
ROWS = {**BODIES, **_MORE}
_AT_ONCE = 8
_PATIENCE = 60
_INSPECT_EVERY = 25
_SECRET = re.compile(r"secret-key-of-[ab]-\d+")
# A model that must call a tool and does not is at fault itself.
_MODELS_FAULT = "The model had to call "
_JUNK = [
    *WRONG, None, False, -1, 0.5, 10**30, 1e308, "x" * 2000, "\x00", "🌍", "auto", "none", "required",
    "any", "data:,", "function", "text", "image", "tool_result", "item_reference", "json_schema",
    "{", "[1]", "a.b c/ü", "ephemeral", "https://example.org/a.png", "1", {"": ""},
    {"$ref": "#/$defs/D"}, {"$ref": "#"}, {"type": "text"}, {"type": "function"}, {"name": "w"},
    {"type": "object", "properties": {"a": 5}}, [None], ["x"], [5, {"type": "text", "text": 5}],
    nested(40),
]  # fmt: skip
_NAMES = [
    "type", "role", "content", "id", "name", "tools", "input", "messages", "toolemu", "stream",
    "tool_choice", "store", "previous_response_id", "n", "x",
]  # fmt: skip
_BYTES = [
    b"", b"[]", b"5", b"{", b"\xff\xfe", b'{"model": NaN}', b'{"model": "\\ud800"}', b"null",
    b'{"a": 1e999}', b"{" * 5000,
]  # fmt: skip


@dataclass
class Result:
    """What came of a run."""

    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    recalled: int = 0  # earlier responses that were referred to by their own client
    refused: int = 0  # and by the other one


@contextmanager
def served(*, inspects: bool = True) -> Iterator[Starlette]:
    """A gateway with an upstream of each kind, which repeats the secrets that it is told."""

    def repeat(request: dict[str, Any]) -> str:
        found = dict.fromkeys(_SECRET.findall(json.dumps(request.get("messages"))))
        return f"I was told: {', '.join(found)}."

    pages = {"/embeddings": lambda _: {"data": []}, "/completions": lambda _: {"choices": []}}
    shown = {"capabilities": ["completion"], "template": "", "model_info": {}}
    with ExitStack() as stack:
        scripted = stack.enter_context(ScriptedServer(repeat, keep_alive=True, pages=pages))
        ollama = stack.enter_context(
            ScriptedOllama(repeat, capabilities=["completion"], pages={"/api/show": shown})
        )
        inner = ChatToolEmu(llm=upstream_model(scripted), mode="force")
        behind = stack.enter_context(gateway({"m": inner}))
        own = {"base_url": behind.url, "api_key": "none", "max_retries": 2}
        anthropic = ChatAnthropic(model="m", **own)  # type: ignore[arg-type, call-arg]
        models = {
            "force": ChatToolEmu(llm=upstream_model(scripted), mode="force"),
            "fallback": ChatToolEmu(llm=upstream_model(scripted)),
            "off": ChatToolEmu(llm=upstream_model(scripted), mode="off"),
            "ollama": ChatToolEmu(llm=ollama.chat_model()),
            "anthropic": ChatToolEmu(llm=anthropic, mode="off"),
        }
        yield create_app(models, inspect=inspects, api_keys=KEYS)


def request_of(seed: int, number: int) -> tuple[str, str, dict[str, Any], bytes, dict[str, str]]:
    """A request by its number: the kind, the path, the body, its bytes, and the headers."""
    chance = Random(f"{seed}-{number}")
    kind = chance.choice([*BODIES, *BODIES, *_MORE])
    path, valid = ROWS[kind]
    key = chance.choice(KEYS)
    body = copy.deepcopy({"model": "m", "stream": chance.random() < 0.3, **valid})
    for _ in range(chance.choice((1, 1, 1, 1, 2, 4))):
        _mutate(body, chance)
    if kind == "completions":  # its upstream has whole replies only
        body.pop("stream", None)
    if chance.random() < 0.97:  # else the model is what was made of it
        body["model"] = chance.choice(("force", "force", "fallback", "off", "ollama", "anthropic"))
    headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
    if path.endswith("/messages") and chance.random() < 0.1:
        path += "/count_tokens"
    content = json.dumps(body).encode()
    if chance.random() < 0.03:
        content = chance.choice((*_BYTES, content[: chance.randrange(len(content))]))
    if chance.random() < 0.02:
        headers["content-type"] = chance.choice(("text/plain", "", "application/json; charset=x"))
    return kind, path, body, content, headers


def _mutate(body: dict[str, Any], chance: Random) -> None:
    places = list(places_in(body))
    if not places:  # an earlier change has left nothing
        return
    *outer, last = chance.choice(places)
    inner: Any = body
    for key in outer:
        inner = inner[key]
    match chance.randrange(6):
        case 0:
            del inner[last]
        case 1 if isinstance(inner, dict):
            inner[chance.choice(_NAMES)] = copy.deepcopy(chance.choice(_JUNK))
        case 2:
            inner[last] = [inner[last]]
        case 3 if isinstance(inner, list):
            inner.insert(chance.randrange(len(inner) + 1), copy.deepcopy(inner[last]))
        case 4:  # something from elsewhere
            *around, name = chance.choice(places)
            found: Any = body
            for key in (*around, name):
                found = found[key] if _has(found, key) else 5
            inner[last] = copy.deepcopy(found)
        case _:
            inner[last] = copy.deepcopy(chance.choice(_JUNK))


def _has(value: Any, key: Any) -> bool:
    if isinstance(value, dict):
        return key in value
    return isinstance(value, list) and isinstance(key, int) and key < len(value)


def complaint(response: httpx.Response, body: dict[str, Any]) -> str | None:
    """What is wrong with an answer; `None` if nothing is."""
    said = response.text
    ours = re.search("internal_error|The gateway failed|reply cannot be read", said)
    # None of the upstreams here ever fails after it has begun to answer.
    ours = ours or (response.status_code == 200 and "upstream_error" in said)
    if (response.status_code >= 500 or ours) and _MODELS_FAULT not in said:
        return f"{response.status_code}: {said:.300}"
    if response.status_code == 400 and not _names_field(said, body):
        return f"names no field: {said:.300}"
    if "cannot be read: " in said:
        return f"says too little: {said:.300}"
    return None


_FIELDS = {
    "model", "messages", "input", "prompt", "tools", "tool_choice", "response_format", "JSON",
}  # fmt: skip


def _names_field(said: str, body: Any) -> bool:
    words = {str(key) for place in places_in(body) for key in place} | _FIELDS
    return any(word in said for word in words if word and not word.isdecimal())


@dataclass
class Fuzz:
    """One run against a gateway."""

    client: httpx.AsyncClient
    seed: int
    result: Result = field(default_factory=Result)
    # The client, its word, and the ids of a response and of its item.
    kept: list[tuple[str, str, str, str]] = field(default_factory=list)

    async def run(self, numbers: range) -> Result:
        """Send requests by their numbers, several at once; look at inspector and items between."""
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            await asyncio.gather(*map(self.send, some))
            if start % (_AT_ONCE * (_INSPECT_EVERY // _AT_ONCE)) == 0:
                await self.inspect(some[-1])
                await self.refer(some[-1])
        return self.result

    async def send(self, number: int) -> None:
        """Send one request."""
        kind, path, body, content, headers = request_of(self.seed, number)
        try:
            sent = self.client.post(path, content=content, headers=headers)
            response = await asyncio.wait_for(sent, _PATIENCE)
        except Exception as error:  # noqa: BLE001 - whatever the app raises is a broken promise
            self.note(number, f"{path} raised {error!r}")
            return
        self.result.statuses[kind, response.status_code] += 1
        if said := complaint(response, body):
            self.note(number, f"{path} {body['model']!s:.20} {said}")

    async def inspect(self, number: int) -> None:
        """Both pages of the inspector, with a turn of late."""
        key = {"authorization": f"Bearer {KEYS[0]}"}
        listed = await self.client.get("/inspector/turns", headers=key)
        if listed.status_code == 404:
            return
        if listed.status_code != 200:
            self.note(number, f"/inspector/turns answers {listed.status_code}")
            return
        for turn in listed.json()[:3]:
            page = await self.client.get(f"/inspector/turns/{turn['id']}", headers=key)
            if page.status_code != 200:
                self.note(number, f"the page of a turn answers {page.status_code}")

    async def refer(self, number: int) -> None:
        """Both clients refer to what each was just answered, and to something from earlier."""
        for key in KEYS:
            word = f"secret-{key}-{number}"
            response = (await self.respond(key, input=f"My word is {word}.")).json()
            self.kept.append((key, word, response["id"], response["output"][0]["id"]))
        for kept in (*self.kept[-2:], Random(number).choice(self.kept)):
            for other in KEYS:
                await self.refer_to(kept, other, number)

    async def refer_to(self, kept: tuple[str, str, str, str], client: str, number: int) -> None:
        """One client refers to a response and to its item: only its own are found."""
        owner, word, response, item = kept
        asked = [{"type": "item_reference", "id": item}, {"role": "user", "content": "And?"}]
        ways: tuple[dict[str, Any], ...] = (
            {"previous_response_id": response, "input": "And?"},
            {"input": asked},
        )
        for way in ways:
            said = await self.respond(client, **way)
            refused = said.status_code == 400 and "previous_response_not_found" in said.text
            if client == owner and word not in said.text:
                self.note(number, f"{owner} lost an item: {said.text:.200}")
            if client != owner and (word in said.text or not refused):
                self.note(number, f"{client} found an item of {owner}: {said.text:.200}")
            self.result.recalled += client == owner
            self.result.refused += client != owner

    async def respond(self, key: str, **asked: Any) -> httpx.Response:
        """A response for one client."""
        headers = {"authorization": f"Bearer {key}"}
        body = {"model": "force", **asked}
        return await self.client.post("/v1/responses", json=body, headers=headers)

    def note(self, number: int, said: str) -> None:
        """A broken promise, with the number of its request."""
        self.result.broken.append(f"{number}: {said}")


async def fuzz(app: Starlette, seed: int, numbers: range) -> Result:
    """Run against an app, without a socket."""
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1234))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return await Fuzz(client, seed).run(numbers)


async def fuzz_server(app: Starlette, seed: int, numbers: range) -> Result:
    """Run against a server, over connections."""
    with running(app) as server:
        async with httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=None) as client:
            return await Fuzz(client, seed).run(numbers)


def main() -> int:
    """Send requests; the exit code says whether a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", type=int, metavar="NUMBER", help="show this request, and send it alone"
    )
    parser.add_argument("--no-inspector", action="store_true", help="without the inspector")
    parser.add_argument("--server", action="store_true", help="over connections, not in process")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    numbers = range(options.requests)
    if options.only is not None:
        numbers = range(options.only, options.only + 1)
        print(*request_of(options.seed, options.only), sep="\n")
    with served(inspects=not options.no_inspector) as app:
        run = fuzz_server if options.server else fuzz
        result = asyncio.run(run(app, options.seed, numbers))
    for kind in ROWS:
        counts = {
            status: count for (one, status), count in sorted(result.statuses.items()) if one == kind
        }
        print(f"{kind:10} {sum(counts.values()):6,} requests: {counts}")
    print(f"seed {options.seed}: {len(numbers):,} requests, {len(result.broken)} broken promises")
    print(
        f"references: {result.recalled} by their own client, {result.refused} by another, "
        "which is to be refused"
    )
    print(*result.broken[:50], sep="\n")
    return 1 if result.broken else 0


if __name__ == "__main__":
    sys.exit(main())
