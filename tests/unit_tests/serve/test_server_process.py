"""What a response is written in costs one call of the system."""

import asyncio

from langchain_toolemu.serve.server_process import OneWriteTransport


class Recorder:
    """A transport that keeps what is written."""

    def __init__(self):
        self.written, self.closed = [], False

    def write(self, data):
        self.written.append(data)

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed


async def test_what_is_written_in_one_step_is_sent_together():
    """In order, without waiting for more; closing sends the rest."""
    own = Recorder()
    transport = OneWriteTransport(own)
    for piece in (b"head", b"", b"body"):
        transport.write(piece)
    assert own.written == []
    await asyncio.sleep(0)
    assert own.written == [b"headbody"]
    transport.write(b"more")
    transport.close()
    await asyncio.sleep(0)
    assert b"".join(own.written) == b"headbodymore"
    assert transport.is_closing()
