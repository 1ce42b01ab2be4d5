"""The table of options, and every place that comes from it or must agree with it."""

import argparse
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI, ToolSpecError
from langchain_toolemu.chat_models.constructor_types import ToolEmuOptions
from langchain_toolemu.check import command as check
from langchain_toolemu.commands import chat, serve
from langchain_toolemu.contract import CAPABLE, SMALL, SMALLEST, TAGGED, Recipe
from langchain_toolemu.options import (
    FIELDS,
    OPTIONS,
    REMOVED,
    identity_of,
)
from langchain_toolemu.policy import DEFAULT, Checks, Review
from langchain_toolemu.serve.faults import RequestError
from langchain_toolemu.serve.gateway import ServedModel
from langchain_toolemu.serve.protocol import ClientRequest, read_policy
from langchain_toolemu.serve.settings import ModelSettings, SettingsError, read_config
from tests import reference
from tests.tables import every_row

PACKAGE = Path(reference.ROOT) / "langchain_toolemu"


# Another value than the default, as a program and as a file writes it (`None`: a file cannot).
OTHERS = {
    "mode": ("force", '"force"'),
    "flow": ("decision", '"decision"'),
    "tool_support": ("none", '"none"'),
    "model_size": (0.5, "0.5"),
    "contract": (Recipe(examples=False), "{ examples = false }"),
    "policy": ("strict", '"strict"'),
    "max_reasks": (0, "7"),
    "on_failure": ("continue", '"continue"'),
    "max_tool_rounds": (1, "500"),
    "max_tool_result_chars": (10, "10"),
    "reasoning": ("blocks", '"blocks"'),
}


def wrapped(**options):
    return ChatToolEmu(FakeListChatModel(responses=["Hi."]), **options)


def of_openai(**options):
    return ToolEmuChatOpenAI(model="m", base_url="http://127.0.0.1:1/v1", **options)


def words_in(annotation):
    """The words that an annotation allows, `None` among them."""
    parts = get_args(annotation) if get_origin(annotation) is not Literal else (annotation,)
    words = {word for part in parts if get_origin(part) is Literal for word in get_args(part)}
    return words | ({None} if type(None) in parts else set())


def test_every_option_has_another_value_here():
    """A row that is added is tried by every test of this file."""
    assert set(OTHERS) == set(OPTIONS)


# --- the constructors ---


def test_the_fields_are_the_options():
    """Each field of ours has a row and each row a field, with the same default and the same words."""
    ours = set(ChatToolEmu.model_fields) - set(BaseChatModel.model_fields) - {"llm"}
    assert ours == set(FIELDS)
    assert {o.name for o in FIELDS.values() if o.is_shared} == OPTIONS.keys() & ChatOpenAI.model_fields  # fmt: skip
    for name, option in FIELDS.items():
        field = ChatToolEmu.model_fields[name]
        assert (field.alias or name) == option.name
        assert field.get_default(call_default_factory=True) == option.default
        assert words_in(field.annotation) == set(option.words)


@pytest.mark.parametrize("name", REMOVED)
@pytest.mark.parametrize("make", ["wrapped", "of_openai"])
def test_a_removed_option_says_what_takes_its_place(make, name):
    """Whoever still passes it reads one sentence; all of these are short."""
    with pytest.raises(ToolSpecError, match=re.escape(REMOVED[name])):
        {"wrapped": wrapped, "of_openai": of_openai}[make](**{name: "auto"})
    assert len(str(REMOVED)) < 2000


def test_the_signature_is_the_options():
    """What editors and type checkers know has every option, with its words."""
    hints = get_type_hints(ToolEmuOptions)
    for name, option in OPTIONS.items():
        assert set(option.words) <= words_in(hints[name])


@every_row("name", OPTIONS)
def test_a_value_is_taken_by_both_constructors_and_by_assignment(name):
    """The default and another value, whichever way they come."""
    option, (other, _) = OPTIONS[name], OTHERS[name]
    for make in (wrapped, of_openai):
        llm = make(**{name: other})
        assert getattr(llm, option.field) == other
        setattr(llm, option.field, option.default)
        assert getattr(llm, option.field) == option.default
        copied = llm.model_copy(update={option.field: other})
        assert getattr(copied, option.field) == other


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("make", [wrapped, of_openai])
def test_a_wrong_value_is_refused_in_the_same_words_whichever_way_it_comes(make, name):
    """By the constructor, by assignment and in a copy; what was set before stays."""
    option, wrong = OPTIONS[name], "auot"
    words = re.escape(option.complaint(wrong))
    assert words.startswith(re.escape(f"{name}='auot' is not known."))
    llm = make()
    with pytest.raises(ToolSpecError, match=words):
        make(**{name: wrong})
    with pytest.raises(ToolSpecError, match=words):
        setattr(llm, option.field, wrong)
    with pytest.raises(ToolSpecError, match=words):
        llm.model_copy(update={option.field: wrong})
    assert getattr(llm, option.field) == option.default


WRONG = [
    ("mode", "forcee", "Did you mean 'force'? Use 'off', 'fallback' or 'force'."),
    ("mode", ["force"], "Use 'off'"),
    ("policy", "cautious", "policy='cautious' is not known. Use 'auto', 'trust'"),
    ("policy", "carefull", "Did you mean 'careful'?"),
    ("max_reasks", -1, "max_reasks=-1 is not known. Use an integer from 0 on."),
    ("max_reasks", True, "Use an integer"),
    ("max_tool_rounds", 0, "Use an integer from 1 on."),
    ("max_tool_result_chars", 1.5, "Use None or an integer from 1 on."),
    ("model_size", 0, "Use None or a number above 0."),
    ("model_size", float("nan"), "a number above 0."),
]


@every_row(("name", "value", "words"), WRONG)
def test_a_complaint_says_what_to_write(name, value, words):
    """The value, the word that was meant, and all that can be written instead."""
    with pytest.raises(ToolSpecError, match=re.escape(words)):
        setattr(wrapped(), OPTIONS[name].field, value)


WRONG_RECIPES = {
    "dialect": ("klingon", "Use 'json', 'markdown', 'fenced', 'tagged' or a Dialect."),
    "examples": ([("Hi",)], "Use True, False or pairs of texts."),
    "place": ("assistant", "Use 'system' or 'user'."),
    "constraint": ("auto", "Use 'schema', 'grammar', 'quotes' or 'never'."),
    "tools_shown": (0, "Use an integer from 1 on, or 'all'."),
    "starts_in_thought": ("yes", "Use True or False."),
    "rules": (3, "Use a text."),
    "exmples": (True, "Did you mean 'examples'?"),
}


@pytest.mark.parametrize("name", WRONG_RECIPES)
def test_a_recipe_says_what_its_fields_may_be(name):
    """In Python and in a dict, as a file gives it."""
    value, words = WRONG_RECIPES[name]
    with pytest.raises(ToolSpecError, match=re.escape(words)):
        wrapped(contract={name: value})


def test_a_dict_is_a_recipe():
    """Whichever way it comes; lists of examples become tuples."""
    table = {"dialect": "tagged", "examples": [["Hi", "Hello."]]}
    llm, assigned = wrapped(contract=table), wrapped()
    assigned.contract = table
    expected = Recipe(dialect="tagged", examples=(("Hi", "Hello."),))
    assert llm.contract == assigned.contract == expected


def test_a_recipe_changes_nothing_else():
    """What is left out is as the model's size says."""
    for template in (CAPABLE, SMALL, SMALLEST):
        assert Recipe().applied_to(template) == template
        assert Recipe(dialect="tagged").applied_to(template) == replace(template, dialect=TAGGED)
    assert len(fields(Recipe)) <= 10


# --- the cache key ---


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("make", [wrapped, of_openai])
def test_every_option_is_in_the_cache_key(make, name):
    """Two models that differ in one option share no reply; two that are the same do."""
    other = OTHERS[name][0]
    assert make(**{name: other})._get_llm_string() != make()._get_llm_string()
    assert make(**{name: other})._get_llm_string() == make(**{name: other})._get_llm_string()


def test_a_dict_for_chat_openai_does_not_hide_our_reasoning():
    """ChatOpenAI's `reasoning` and ours are both in the key."""
    models = [of_openai(reasoning={"effort": "low"}) for _ in range(2)]
    models[1].thoughts = "drop"
    assert models[0]._get_llm_string() != models[1]._get_llm_string()


class OwnPolicy:
    def __init__(self, word):
        self.word = word

    def review(self, call, context):
        return Review.accept()


@pytest.mark.parametrize("make", [OwnPolicy, lambda word: DEFAULT + Checks(OwnPolicy(word))])
def test_a_policy_is_known_by_its_class_and_what_it_holds(make):
    """Nor does an address tell policies apart."""
    assert identity_of(make("a")) == identity_of(make("a"))
    assert identity_of(make("a")) != identity_of(make("b"))


def test_a_class_is_no_policy():
    """Whoever forgot to make an object of it is told at once."""
    with pytest.raises(ToolSpecError, match="is not known"):
        wrapped(policy=OwnPolicy)


# --- the gateway ---


def config_with(tmp_path, line):
    path = tmp_path / "toolemu.toml"
    path.write_text(f"[models.small]\nmodel = 'openai:m'\n{line}\n")
    return read_config(path).models[0].toolemu


@pytest.mark.parametrize("name", OPTIONS)
def test_a_file_sets_every_option_that_it_can_hold(tmp_path, name):
    """What is written in the file reaches the constructor; what is for programs only is named as such."""
    written = OTHERS[name][1]
    assert OPTIONS[name].in_config == (written is not None)
    if written:
        made = wrapped(**config_with(tmp_path, f"{name} = {written}"))
        assert OPTIONS[name].field in made.model_fields_set
    else:
        with pytest.raises(SettingsError, match=f"models.small.{name} can only be set in Python"):
            config_with(tmp_path, f"{name} = 'mine'")


@pytest.mark.parametrize("name", REMOVED)
def test_a_file_is_told_what_took_an_options_place(tmp_path, name):
    """In the same sentence as a program."""
    with pytest.raises(SettingsError, match=re.escape(f"{name} is gone. {REMOVED[name]}")):
        config_with(tmp_path, f"{name} = 'auto'")


def test_a_file_is_told_what_only_a_program_can_write(tmp_path):
    """A wrong value is refused when the file is read."""
    with pytest.raises(SettingsError, match=r"models.small: contract='short' is not known. Use 'auto', a Recipe \(only in Python\) or a dict"):  # fmt: skip
        config_with(tmp_path, "contract = 'short'")


@every_row("name", OPTIONS)
def test_a_client_sets_only_the_policy(name):
    """By its words; anything else is refused by its name."""
    for value in (*OPTIONS[name].words, True, 0, 3, {}):
        if name == "policy" and isinstance(value, str):
            assert read_policy({name: value}) == value
        elif value is not None:
            with pytest.raises(RequestError, match=f"toolemu.{name}"):
                read_policy({name: value})


def test_a_client_is_bound_by_the_operators_policy():
    """Both are compared each time, by the model's size."""
    served = ServedModel(ModelSettings("m"), wrapped(policy="careful", model_size=0.5))
    asked = ClientRequest(wire="openai_chat", model="m", messages=(), policy="auto")
    assert served.model_for(asked).policy == "auto"
    assert served.model_for(replace(asked, policy=None)) is served.base
    served.base.model_size = 7
    with pytest.raises(RequestError, match="'toolemu.policy' must be at least as strict"):
        served.model_for(asked)


# --- the commands and the pages ---


@pytest.mark.parametrize(("module", "left_out"), [(chat, set()), (serve, set()), (check, {"mode"})])
def test_commands_take_the_flags_of_the_table(module, left_out):
    """Each option that is a flag is one of every command, checked as the constructor checks it."""
    parser = argparse.ArgumentParser()
    module.add_command(parser.add_subparsers())
    (command,) = parser._subparsers._group_actions[0].choices.values()
    found = {action.dest for action in command._actions} & OPTIONS.keys()
    assert found == {name for name, option in OPTIONS.items() if option.is_flag} - left_out
    assert command.parse_args(["--model-size", "0.5"]).model_size == 0.5
    with pytest.raises(SystemExit):
        command.parse_args(["--model-size", "-1"])
