"""Denials of having tools, told apart from answers and from refusals on principle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.turn.refusals import MAX_OPENING, suspicion

REFUSALS = [
    "I'm sorry, but I don't have access to real-time weather data.",
    "I don't have access to tools or external functions.",
    "I do not have the ability to browse the internet.",
    "As a language model, I cannot browse the web.",
    "As an AI language model, I don't have real-time access to weather information.",
    "I cannot access external systems, so I can't look that up.",
    "Unfortunately, I am unable to retrieve live data.",
    "I\u2019m not able to execute functions.",
    "**I'm sorry**, I can't fetch that page.",
    "There are no tools available to me.",
    "I have no access to your files.",
    "抱歉,我无法访问实时天气数据。",
    "对不起,我没有可用的工具。",
    "作为一个语言模型,我不能浏览互联网。",
    "我目前无法调用工具。",
    "很抱歉,我無法獲取即時資料,也不能訪問網路。",
]
NO_REFUSALS = [
    "The weather in Paris is sunny.",
    "I can't help with that.",
    "I'm sorry, but I can't assist with this request.",
    "I cannot help you with that, it would be harmful.",
    "Sorry, I can't comply: it is against my guidelines to run tools for that.",
    "I don't know.",
    "I'm sorry to hear that. How can I help?",
    "I don't have feelings, but thank you!",
    "Unfortunately, the train was late.",
    "I cannot find a city of that name in the results.",
    "As an AI, I enjoy talking about chess.",
    "抱歉,我不能帮助你做违法的事情,也不能调用工具。",
    "作为首都,北京有很多博物馆。",
    "No problem, here is a list of tools for woodworking.",
    "",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_denial_of_tools_is_a_refusal(text):
    """English and Chinese wordings, hard and soft, curly quotes and markdown included."""
    assert suspicion(text, ended=True) == "refusal"


@pytest.mark.parametrize("text", NO_REFUSALS)
def test_an_answer_or_a_refusal_on_principle_is_none(text):
    """What is an answer stays one, and what a model will not do for reasons of safety is never argued with."""
    assert suspicion(text, ended=True) == "none"


@pytest.mark.parametrize("text", [text for text in NO_REFUSALS if text and text[0] == "T"])
def test_an_ordinary_opening_is_released_at_once(text):
    """A reply that begins like no denial is not held back beyond its first letters."""
    assert suspicion(text[:4]) == "none"


@given(st.text(max_size=300))
def test_a_decision_once_made_stands(text):
    """As a reply grows, suspicion only ever goes from possible to one of the other two."""
    course = [suspicion(text[:length]) for length in range(len(text) + 1)]
    decided = next(
        (number for number, state in enumerate(course) if state != "possible"), len(course)
    )
    assert len(set(course[decided:])) <= 1
    assert decided <= MAX_OPENING


def test_your_own_detector_decides():
    """A detector of your own is asked once the opening is whole."""

    def detector(opening):
        return "nope" in opening

    assert suspicion("nope", detector) == "possible"
    assert suspicion("nope", detector, ended=True) == "refusal"
    assert suspicion("well " * 40 + "nope", detector) == "none"
