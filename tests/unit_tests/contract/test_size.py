"""How large a contract is, what is left out of one that does not fit, and which tools a text speaks of."""

import json
from pathlib import Path

import pytest

from langchain_toolemu.contract import CAPABLE, SMALL, SMALLEST, write_contract
from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.contract.rules import ContractCache
from langchain_toolemu.contract.size import (
    ContractSize,
    Space,
    estimate_tokens,
    fit_contract,
    tokens_of,
    tools_mentioned_in,
)
from langchain_toolemu.contract.tool_list import WHOLE, Shortening, shorten_text
from langchain_toolemu.tools import ANY, AUTO, ToolSet, ToolSpec, read_tools
from tests.tables import every_row

REAL = read_tools(json.loads((Path(__file__).parents[2] / "real_tools.json").read_text()))


# --- the estimate ---


# Counted by the embedded model's tokenizer: rules, ten tools and examples.
@pytest.mark.parametrize(("recipe", "counted"), [(CAPABLE, 1357), (SMALL, 1216), (SMALLEST, 1523)])
def test_the_estimate_is_a_little_too_high(recipe, counted):
    """It is never below what a small vocabulary takes, nor a third above it."""
    estimated = tokens_of(write_contract(REAL, AUTO, recipe.dialect, template=recipe))
    assert counted <= estimated <= 1.33 * counted


# Counted by the same.
@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("Получить текущую погоду в городе. Название города можно писать по-русски." * 20, 1100),
        ("", 0),
    ],
)
def test_the_estimate_of_other_scripts(text, counted):
    """Other scripts take more tokens for their letters."""
    assert counted <= estimate_tokens(text) <= 2 * counted


def test_the_estimate_is_that_of_the_choice_of_no_turn():
    """What is demanded differs from turn to turn, and must not change what is left out."""
    auto, forced = (write_contract(REAL, choice, JSON) for choice in (AUTO, ANY))
    assert forced.reminder
    assert tokens_of(auto) == tokens_of(forced)


# --- texts and tools ---


@every_row(
    ("text", "longest", "expected"),
    [
        ("Reads a file.", 20, "Reads a file."),
        ("Reads a file. Paths are relative to the root.", 20, "Reads a file."),
        ("One. Two. Three and more.", 12, "One. Two."),
        ("Reads the whole of a very long file", 20, "Reads the whole..."),
        ("Reads\n  a\tfile", 20, "Reads a file"),
        ("获取一个城市当前的天气情况参数是城市的名称", 10, "获取一个城市当..."),
        ("Reads a file.", 0, ""),
    ],
)
def test_a_text_cut(text, longest, expected):
    """Whole sentences if one fits, else whole words, else what fits of the only one."""
    assert shorten_text(text, longest) == expected


LONG = "Of great importance, and to be chosen with care by whoever calls this. " * 3
NESTED = ToolSpec(
    "plan",
    LONG,
    {
        "type": "object",
        "properties": {
            "description": {"type": "string", "description": LONG},
            "steps": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"what": {"type": "string", "description": LONG, "maxLength": 9}},
                },
            },
            "style": {"enum": [{"description": LONG}], "default": {"description": LONG}},
        },
        "required": ["description"],
    },
)


def test_descriptions_are_cut_and_values_are_not():
    """Descriptions are cut at every depth; an argument of that name, limits and values stay as they are."""
    (cut,) = Shortening(longest=80).of(ToolSet([NESTED]))
    inner = cut.properties["steps"]["items"]["properties"]["what"]
    short = "Of great importance, and to be chosen with care by whoever calls this."
    assert [cut.description, cut.properties["description"]["description"], inner["description"]] == [short] * 3  # fmt: skip
    assert inner["maxLength"] == 9
    assert cut.properties["style"] == NESTED.properties["style"]
    assert NESTED.description == LONG


def test_a_tool_without_details_keeps_its_signature():
    """Name, arguments, types, limits and required marks stay; the tool that was spoken of is described."""
    plain = ToolSpec("plan_b", LONG, NESTED.parameters)
    listed = Shortening(longest=80, detailed=("plan",)).of(ToolSet([NESTED, plain]))
    text = CAPABLE.render(listed)
    assert "plan_b(description: string, steps?: {what?: string (max length 9)}[], style?" in text
    assert text.count("\n  Of great importance") == 1


# --- the steps ---


def fitted(window, question="Read the file", tools=REAL, **kwargs):
    contracts = ContractCache()
    return fit_contract(
        lambda less: contracts.write(tools, AUTO, JSON, shortening=less, **kwargs),
        tools,
        Space(window, [question], question),
    )


def test_without_a_window_nothing_is_left_out():
    """What is not known is not guessed."""
    found = fitted(None)
    assert found.contract == write_contract(REAL, AUTO, JSON)
    assert (found.size.left_out, found.size.fits, found.size.warnings) == ((), True, ())


def test_every_window_gets_as_much_as_it_holds():
    """The smaller the window, the smaller the contract; each tool is in all of them."""
    found = [fitted(window) for window in range(3000, 300, -100)]
    sizes = [one.size.tokens for one in found]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 4
    for one in found:
        assert all(f"\n{name}(" in one.contract.system for name in REAL.names)
        assert one.size.fits == (one.size.tokens + estimate_tokens("Read the file") <= 0.75 * one.size.window)  # fmt: skip


def test_what_was_left_out_is_said():
    """In the order in which it went, and only what was there."""
    (told,) = fitted(1200).size.warnings
    assert told == (
        "the contract was shortened to fit a window of 1,200 tokens: examples left out, long descriptions cut, "
        "descriptions kept only of read_text_file, edit_file, search_files"
    )
    assert "examples" not in fitted(1200, examples=False).size.warnings[0]
    assert fitted(1200, "Hello!").size.left_out[-1] == "descriptions left out"


def test_the_shortest_is_sent_if_none_fits():
    """With a warning that names what helps."""
    found = fitted(500)
    shortened, told = found.size.warnings
    assert "of 500 tokens" in shortened
    assert told.startswith(f"the contract of 10 tools is about {found.size.tokens} tokens, which")
    for helps in ("num_ctx", "OLLAMA_CONTEXT_LENGTH", "fewer tools"):
        assert helps in told


def test_examples_are_only_blamed_where_there_are_any():
    """Whoever has none need not turn them off."""
    assert "examples=False" in ContractSize(4000, 1, shows_examples=True).what_helps
    assert "examples=False" not in ContractSize(4000, 1).what_helps
    assert ContractSize(4000, 1).in_words == "the contract of 1 tool is about 4,000 tokens"


def test_a_shortened_contract_is_another_one():
    """The cache tells them apart."""
    contracts = ContractCache()
    whole, short = (contracts.write(REAL, AUTO, JSON, shortening=one) for one in (WHOLE, Shortening(examples=False)))  # fmt: skip
    assert whole != short
    assert contracts.write(REAL, AUTO, JSON) is whole


NAMES = ("get_weather", "sendMessage", "files.read-notes", "add", "ask2")
TOOLS = ToolSet([ToolSpec(name, "What is the price of it?", {}) for name in NAMES])

TEXTS = [
    ("How is the WEATHER in Oslo?", ["get_weather"]),
    ("Any messages?", ["sendMessage"]),
    ("Send it to Ann.", ["sendMessage"]),
    ("Note it, and read me the weather.", ["get_weather", "files.read-notes"]),
    ("Which file is it?", ["files.read-notes"]),
    ("Please add 1 and 2.", []),  # short words are everybody's
    ("I get it.", []),
    ("What is the price?", []),  # that is said in the description only
    ("Wie ist das Wetter?", []),
    ("天气怎么样", []),
    ("", []),
]


@every_row(("text", "names"), TEXTS)
def test_a_word_of_its_name_speaks_of_a_tool(text: str, names: list[str]):
    """Whatever the name's spelling and the word's case, and in the plural, too."""
    assert list(tools_mentioned_in(text, TOOLS)) == names


def test_of_a_book_the_end_is_looked_at():
    """What is asked for mostly stands at the end, and a long text costs no more than a short one."""
    book = "weather " * 200_000 + "and so on, " * 2_000
    assert tools_mentioned_in(book, TOOLS) == ()
    assert tools_mentioned_in(f"{book} messages", TOOLS) == ("sendMessage",)
