"""An agent in a web server: words, calls and results as server-sent events.

    pip install fastapi uvicorn
    cd cookbook && uvicorn --factory 14_fastapi_stream:build

Run as a program, it asks itself one question without a network.
"""

import asyncio
import json

import httpx
from any_model import any_model
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from langchain.agents import create_agent
from langchain_core.messages import AIMessageChunk, ToolMessage

from langchain_toolemu import ChatToolEmu


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def event(kind: str, **data) -> str:
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


async def events(agent, question: str):
    """Each piece as it comes; a call never shows as words."""
    asked = {"messages": [("user", question)]}
    async for piece, _about in agent.astream(
        asked, {"recursion_limit": 10}, stream_mode="messages"
    ):
        if isinstance(piece, ToolMessage):
            yield event("result", text=piece.text)
        elif isinstance(piece, AIMessageChunk):
            if piece.text:
                yield event("words", text=piece.text)
            for call in piece.tool_calls:
                yield event("call", name=call["name"], args=call["args"])
    yield event("done")


def build() -> FastAPI:
    app = FastAPI()
    agent = create_agent(ChatToolEmu(llm=any_model(), mode="force"), [add])

    @app.get("/chat")
    def chat(question: str) -> StreamingResponse:
        # Without these headers a proxy may keep the events until the end.
        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        return StreamingResponse(
            events(agent, question), media_type="text/event-stream", headers=headers
        )

    return app


async def main() -> None:
    transport = httpx.ASGITransport(app=build())
    async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
        asked = {"question": "Add 1234 and 4321."}
        print((await client.get("/chat", params=asked)).text)


if __name__ == "__main__":
    asyncio.run(main())
