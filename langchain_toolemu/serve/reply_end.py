"""Whether an upstream's streamed reply has ended: one that broke off is no answer, even if a call in it is whole.

An end is a finish reason, or the upstream's own word for it. A connection that is only closed is none.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from langchain_core.outputs import ChatGenerationChunk
from typing_extensions import override

from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.messages.metadata import FINISH_KEYS
from langchain_toolemu.serve.faults import BROKEN_OFF, RequestError
from langchain_toolemu.serve.forwarding import upstream_kind
from langchain_toolemu.turn.turn_input import Request

_END_KEYS = (*FINISH_KEYS, "status", "done")


class ServedChatToolEmu(ChatToolEmu):
    """A `ChatToolEmu` that fails where a stream of the upstream breaks off."""

    @override
    async def _asend_streaming(self, request: Request) -> AsyncGenerator[ChatGenerationChunk, None]:
        # A reply in one piece is whole; of other chat models it is not known whether they ever say it.
        streams = self.llm._should_stream(async_api=True, **{**request.kwargs, "stream": True})
        ended = not streams or upstream_kind(self.llm) == "other"
        async with aclosing(super()._asend_streaming(request)) as pieces:
            async for piece in pieces:
                said = {**(piece.generation_info or {}), **piece.message.response_metadata}
                ended = ended or any(said.get(key) for key in _END_KEYS)
                yield piece
        if not ended:
            raise RequestError(BROKEN_OFF)
