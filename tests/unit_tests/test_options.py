"""The table of options, and every place that comes from it or must agree with it."""

import argparse
import ast
import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu, Dialect, ToolEmuChatOpenAI, ToolSpecError
from langchain_toolemu.chat_models.constructor_types import ChatOpenAIOptions, ToolEmuOptions
from langchain_toolemu.check import command as check
from langchain_toolemu.commands import chat, serve
from langchain_toolemu.contract import SMALL
from langchain_toolemu.contract.dialects import DIALECTS
from langchain_toolemu.options import (
    FIELDS,
    OPTIONS,
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


def denies(opening):
    """A detector of one's own."""
    return "no tools" in opening


# Another value than the default, as a program and as a file writes it (`None`: a file cannot).
OTHERS = {
    "mode": ("force", '"force"'),
    "model_size": (0.5, "0.5"),
    "tool_support": ("none", '"none"'),
    "dialect": (Dialect("mine", opening="<call>"), '"tagged"'),
    "flow": ("decision", '"decision"'),
    "examples": ((("Hi", "Hello."),), '[["Hi", "Hello."]]'),
    "contract": (SMALL, '"auto"'),
    "constrain": ("never", '"never"'),
    "system_role": ("user", '"user"'),
    "policy": ("strict", '"strict"'),
    "repair_native": (False, "false"),
    "max_reasks": (0, "7"),
    "on_failure": ("continue", '"continue"'),
    "max_tool_rounds": (1, "500"),
    "max_tool_result_chars": (10, "10"),
    "max_tools_shown": (5, "5"),
    "reasoning": ("blocks", '"blocks"'),
    "send_reasoning": ("always", '"always"'),
    "starts_in_thought": (True, "true"),
    "refusal_detector": (denies, None),
    "llm_kwargs": ({"seed": 1}, "{ seed = 1 }"),
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


def declared_in(path):
    """The names that the classes of a file declare."""
    classes = (one for one in ast.walk(ast.parse(path.read_text())) if isinstance(one, ast.ClassDef))  # fmt: skip
    lines = (line for one in classes for line in one.body if isinstance(line, ast.AnnAssign))
    return [line.target.id for line in lines]


def test_an_option_is_two_places():
    """Its row and its field: the rest is made from these, and `test_reference` holds that it is current."""
    files = sorted((PACKAGE / "chat_models").rglob("*.py"))
    by_hand = [name for path in files if path not in reference.FILES for name in declared_in(path)]
    assert sorted(by_hand.count(name) for name in FIELDS) == [1] * len(FIELDS)


@pytest.mark.parametrize("options", [ToolEmuOptions, ChatOpenAIOptions])
def test_the_signatures_are_the_options(options):
    """What editors and type checkers know has every option, with its words."""
    hints = get_type_hints(options)
    for name, option in OPTIONS.items():
        assert set(option.words) <= words_in(hints[name])


def test_the_dialects_of_the_table_are_the_dialects():
    """A dialect that is added is an option's word."""
    assert OPTIONS["dialect"].words == ("auto", *DIALECTS)


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
    ("examples", [("Hi",)], "a bool or a tuple of pairs of texts."),
    ("dialect", {"name": "mine"}, "'tagged' or a Dialect."),
    ("refusal_detector", 3, "Use None or a function."),
    ("llm_kwargs", [], "Use a dict."),
]


@every_row(("name", "value", "words"), WRONG)
def test_a_complaint_says_what_to_write(name, value, words):
    """The value, the word that was meant, and all that can be written instead."""
    with pytest.raises(ToolSpecError, match=re.escape(words)):
        setattr(wrapped(), OPTIONS[name].field, value)


def test_examples_are_kept_as_tuples():
    """A list that is assigned becomes what the constructor makes of one."""
    llm = wrapped(examples=[["Hi", "Hello."]])
    assigned = wrapped()
    assigned.examples = [["Hi", "Hello."]]
    assert assigned.examples == llm.examples == (("Hi", "Hello."),)


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


def made_for(word):
    return lambda opening: word in opening


def test_a_function_is_known_by_where_it_is_and_what_it_holds():
    """No address in memory tells functions apart, so that processes share a key."""
    assert identity_of(denies)[:2] == (__name__, "denies")
    assert identity_of(made_for("a")) == identity_of(made_for("a"))
    assert identity_of(made_for("a")) != identity_of(made_for("b"))
    assert " at 0x" not in str(identity_of(made_for("a")))


class Detector:
    def __init__(self, word):
        self.word = word

    def denies(self, opening):
        return self.word in opening


def with_default(word):
    detector = Detector(word)

    def denies(opening, *, helper=detector):
        return helper.denies(opening)

    return denies


KEPT = [
    lambda word: Detector(word).denies,
    lambda word: partial(Detector.denies, Detector(word)),
    lambda word: made_for(Detector(word)),
    lambda word: made_for([Detector(word)]),
    with_default,
]


@pytest.mark.parametrize("make", KEPT)
def test_what_a_function_holds_is_known_by_what_it_holds(make):
    """A method, a partial function, a closure and a default tell no address either."""
    assert identity_of(make("a")) == identity_of(make("a"))
    assert identity_of(make("a")) != identity_of(make("b"))
    assert " at 0x" not in str(identity_of(make("a")))


def test_what_holds_itself_has_an_identity():
    """Objects that refer to each other are looked at as deep as is of use."""
    detector = Detector("a")
    detector.word = detector
    assert " at 0x" not in str(identity_of(detector.denies))


def test_an_identity_takes_no_longer_for_what_holds_much():
    """Objects that hold each other many times over are looked into once each, and a hundred in all."""
    layers = [Detector(str(number)) for number in range(200)]
    for outer, inner in pairwise(layers):
        outer.held = [inner] * 10
    identity = identity_of(layers[0].denies)
    assert len(str(identity)) < 100_000
    assert " at 0x" not in str(identity)


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
    assert " at 0x" not in str(identity_of(make("a")))


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


def test_a_file_is_told_what_only_a_program_can_write(tmp_path):
    """A wrong value is refused when the file is read."""
    with pytest.raises(SettingsError, match=r"models.small: contract='short' is not known. Use 'auto' or a Recipe \(only in Python\)"):  # fmt: skip
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
