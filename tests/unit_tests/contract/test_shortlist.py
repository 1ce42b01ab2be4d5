"""Which of many tools are described, and that the list only grows within a conversation."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_toolemu.contract.shortlist import ToolIndex, ToolLimit, choose_tools
from langchain_toolemu.tools import ToolSet, ToolSpec, read_tools
from tests.tables import every_row

REAL = read_tools(json.loads((Path(__file__).parents[2] / "real_tools.json").read_text()))


def tool(name, description="", deferred=False, **parameters):
    properties = {key: {"type": "string", **said} for key, said in parameters.items()}
    return ToolSpec(name, description, {"type": "object", "properties": properties}, deferred)


TOOLS = ToolSet(
    [
        tool("getWeather", "Current conditions in a place.", city={}),
        tool("send_email", "Write to somebody.", recipient={"description": "An address."}),
        tool("convert", "From one unit into another.", unit={"enum": ["mile", "kilometre"]}),
        tool("files.search-text", "Find a text in documents."),
        tool("查询火车票", "查询两个城市之间的火车票价格和时间。"),
        tool("calendar_add", "Add an event to the user's calendar."),
        tool("日程", "予定をカレンダーに追加します。"),
        tool("날씨", "도시의 날씨를 알려 줍니다."),
    ]
)


@every_row(
    ("text", "first"),
    [
        ("How is the WEATHER in Oslo?", "getWeather"),
        ("Emails to Ann, please", "send_email"),
        ("Whose address is that?", "send_email"),  # by what is said of a parameter
        ("How far is 5 miles?", "convert"),  # by a value
        ("Search my documents", "files.search-text"),
        ("从北京到上海的火车票多少钱", "查询火车票"),
        ("明日の予定を追加して", "日程"),
        ("서울의 날씨는?", "날씨"),
        ("Añade una cita a mi calendario", "calendar_add"),  # of the same root
        ("Hello!", None),
        ("Почему небо голубое?", None),
        ("", None),
    ],
)
def test_a_text_finds_its_tool(text, first):
    """By words of the name, the description, the parameters and their values, in any script."""
    found = ToolIndex(TOOLS).best([text], 8)
    assert (TOOLS.names[found[0]] if found else None) == first


def test_the_number_is_limited_and_what_hardly_fits_is_left_out():
    """The likeliest tools come first; a common word alone finds nothing next to a better one."""
    index = ToolIndex(REAL)
    assert len(index.best(["Search for the text in all files of the repository"], 3)) == 3
    found = index.best(["Which pull requests of the repository are open?"], 8)
    assert [REAL.names[one] for one in found] == ["list_pull_requests"]


# --- a conversation ---


def called(name, number):
    return AIMessage("", tool_calls=[{"name": name, "args": {}, "id": str(number)}])


TALK = [
    SystemMessage("You are the secretary."),
    HumanMessage("How is the weather?"),
    called("getWeather", 1),
    ToolMessage("Rain. Write an email to the office.", tool_call_id="1"),
    AIMessage("It rains."),
    HumanMessage("Thanks."),
    AIMessage("You are welcome."),
    HumanMessage("What are 5 miles?"),
    called("calendar_add", 2),
    ToolMessage("Added.", tool_call_id="2"),
    HumanMessage([{"type": "text", "text": "Search my documents"}]),
]


TWO = ToolLimit(2, 2)


def chosen(count, limit=TWO, **kwargs):
    return choose_tools(TOOLS, TALK[:count], limit, **kwargs)


def test_the_list_only_grows():
    """What was shown with a message stays where it was, whatever is said later."""
    steps = [chosen(count).by_message for count in range(len(TALK) + 1)]
    for earlier, later in pairwise(steps):
        assert later[: len(earlier)] == earlier


def test_each_tool_comes_with_the_message_that_may_need_it():
    """A result brings tools, too; a tool that was called is described from then on; nothing comes twice."""
    assert chosen(len(TALK)).by_message == (
        (1, ("getWeather",)),
        (3, ("send_email",)),
        (7, ("convert",)),
        (9, ("calendar_add",)),
        (10, ("files.search-text",)),
    )


def test_small_talk_shows_nothing():
    """Names are enough to see that no tool does it."""
    assert choose_tools(TOOLS, [HumanMessage("Hi!")], ToolLimit(2, 2)).names == ()


@pytest.mark.parametrize("limit", [None, ToolLimit(len(TOOLS), 2)])
def test_few_tools_are_all_described(limit):
    """There is no list of names then."""
    assert chosen(2, limit) is None


def test_what_is_always_described():
    """The answer's form in the list, a demanded tool at the end unless it was shown."""
    found = chosen(2, always="convert", demanded="send_email")
    assert (found.in_list, found.at_end) == (("convert",), ("send_email",))
    assert found.names == ("convert", "getWeather", "send_email")
    assert chosen(2, demanded="getWeather").at_end == ()


def test_a_deferred_tool_waits_until_it_may_be_needed():
    """However few tools there are; the others are described in the list."""
    tools = ToolSet([tool("getWeather"), tool("send_email", deferred=True)])
    limit = ToolLimit(20, 8)
    assert choose_tools(tools, TALK[:2], limit).names == ("getWeather",)
    assert choose_tools(tools, TALK[:4], limit).by_message == ((3, ("send_email",)),)
