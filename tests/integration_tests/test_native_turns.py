"""Good native turns by the hundred: nothing of them is lost or changed, whatever may repair native calls."""

import itertools
import json

import pytest

from langchain_toolemu import ChatToolEmu
from tests.essence import calls
from tests.native_turns import PROVIDERS, TOOLS, TurnServer, turns
from tests.thoroughness import FULL_PRODUCTS, TEST_ALL
from tests.ways import WAYS, pieces

NUMBER = 1200 if TEST_ALL else 100 if FULL_PRODUCTS else 30
SETTINGS = {"repaired": {}}


@pytest.fixture(scope="module")
def server():
    with TurnServer() as server:
        yield server


@pytest.fixture(scope="module")
def models(server):
    """For each provider its own model, the same in mode off, and in fallback."""
    bare = {provider: server.chat_model(provider) for provider in PROVIDERS}
    return {
        provider: {
            "off": ChatToolEmu(llm=llm, mode="off").bind_tools(TOOLS),
            **{
                name: ChatToolEmu(llm=llm, **setting).bind_tools(TOOLS)
                for name, setting in SETTINGS.items()
            },
        }
        for provider, llm in bare.items()
    }


def in_words(piece, ids):
    """A piece without what differs from run to run; an id that the client made up is known by its number."""

    def known(call):
        number = ids.setdefault(call["id"], f"id {len(ids)}") if call["id"] else None
        return {**call, "id": number}

    metadata = {key: one for key, one in piece.response_metadata.items() if key != "toolemu"}
    return {
        "content": piece.content,
        "calls": [known(call) for call in piece.tool_calls],
        "chunks": [known(call) for call in getattr(piece, "tool_call_chunks", ())],
        "invalid": [known(call) for call in piece.invalid_tool_calls],
        "additional": piece.additional_kwargs,
        "usage": piece.usage_metadata,
        "metadata": metadata,
    }


def played(models, way):
    """What each of the models gives for the present turn, piece by piece."""
    given = {}
    for name, llm in models.items():
        ids = {}
        given[name] = [in_words(piece, ids) for piece in pieces(llm, "Go on.", way)]
    return given


def spoken(told):
    """Words and calls in their order: the words between two calls in one piece, the calls' indices as ranks."""
    indices = {}
    seen = [""]
    for piece in told:
        if piece["chunks"] or piece["calls"]:
            for call in piece["chunks"] or piece["calls"]:
                rank = indices.setdefault((call.get("index"), call["id"]), len(indices))
                seen += [{**call, "index": rank}, ""]
        seen[-1] += text_of(piece["content"])
    return [one for one in seen if one]


def text_of(content):
    """A content as text: the words of its blocks of text, all other blocks as they are."""
    if isinstance(content, str):
        return content
    is_text = {"type", "text", "index"}
    return "".join(
        block["text"] if block.keys() == is_text else json.dumps(block, sort_keys=True)
        for block in content
    )


def test_good_native_turns_are_passed_on_as_they_are(server, models):
    """The same pieces with and without repairs, and the same words and calls as without us."""
    wrong = []
    for number, turn in enumerate(itertools.islice(turns(seed=26), NUMBER)):
        server.turn = turn
        for way in WAYS[number % 2 :: 2] if TEST_ALL else [WAYS[number % 4]]:
            given = played(models[turn.provider], way)
            repaired = given["repaired"]
            if spoken(repaired) != spoken(given["off"]):
                wrong.append((number, turn.provider, way))
    assert not wrong


def test_the_turns_are_good(server, models):
    """The generator's calls are what a bare client reads, and a policy of repairs finds nothing to do."""
    for turn in itertools.islice(turns(seed=26), 30):
        server.turn = turn
        llm = models[turn.provider]["repaired"]
        (message,) = pieces(llm, "Go on.", "invoke")
        assert calls(message) == list(turn.calls)
        assert message.invalid_tool_calls == []
        assert message.response_metadata["toolemu"]["requests"] == 1
