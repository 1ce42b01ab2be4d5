"""The first line of a program: what the constructors take, to a type checker and at run time. No network."""

import re
import subprocess
import sys

import pytest
from langchain_core.runnables import ConfigurableField
from pydantic import ValidationError

from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI, ToolSpecError
from langchain_toolemu.chat_models.constructor_types import ToolEmuOptions
from tests.tables import every_row
from tests.unit_tests.chat_models import constructions
from tests.unit_tests.chat_models.constructions import RIGHT, WRONG, Ours, model

LOCAL = "http://127.0.0.1:1/v1"


def made(source):
    return eval(source, vars(constructions))


@every_row("source", WRONG)
def test_a_wrong_construction_says_what_is_wrong(source):
    """Each is refused when it is written, in words that say what to write instead."""
    with pytest.raises((ToolSpecError, ValidationError, TypeError), match=WRONG[source]):
        made(source)


@every_row("source", RIGHT)
def test_a_right_construction_is_taken(source):
    """Each does what it says, without a word."""
    assert made(source)


@pytest.mark.more("time: a type checker reads LangChain")
def test_a_type_checker_tells_the_wrong_from_the_right(tmp_path):
    """Each wrong construction is an error, no right one is."""
    path = tmp_path / "program.py"
    prelude = "from tests.unit_tests.chat_models.constructions import *\n"
    path.write_text(prelude + "\n".join([*WRONG, *RIGHT]) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    faulty = {int(line) for line in re.findall(r"program\.py:(\d+): error", said)}
    assert faulty == set(range(2, 2 + len(WRONG))), said


def test_the_options_that_editors_list_are_the_fields():
    """A field that is added is listed, by the name that it is passed by."""
    fields = {field.alias or name for name, field in ChatToolEmu.model_fields.items()} - {"llm"}
    assert fields == set(ToolEmuOptions.__annotations__)


SUBCLASSES = """
from langchain_openai import ChatOpenAI
from langchain_toolemu import ChatToolEmu, Recipe, ToolEmuChatOpenAI

class Mine(ToolEmuChatOpenAI):
    tenant: str = "a"

class Ours(ChatToolEmu):
    tenant: str = "a"

mine = Mine(model="m", tenant="b", mode="force", temperature=0.3, max_reasks=1)
ours = Ours(ChatOpenAI(model="m"), tenant="c", reasoning="blocks", contract=Recipe(examples=False))
print(mine.tenant.upper(), ours.tenant.upper(), mine.temperature, mine.model_name)
"""


@pytest.mark.more("time: a type checker reads LangChain")
def test_a_type_checker_knows_the_fields_of_a_subclass(tmp_path):
    """A field of its own, beside the options and all that ChatOpenAI takes."""
    path = tmp_path / "program.py"
    path.write_text(SUBCLASSES, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, ""), said.stdout


# --- names ---


def test_a_name_is_made_a_model_as_agents_make_it():
    """`"ollama:gemma2"` is a ChatOllama, wherever the name is passed."""
    for llm in (ChatToolEmu("ollama:gemma2"), ChatToolEmu(llm="ollama:gemma2")):
        assert (type(llm.llm).__name__, llm.llm.model) == ("ChatOllama", "gemma2")


@pytest.mark.parametrize("name", ["gemma2", "gemma2:2b", "nonsense:gemma2"])
def test_a_name_without_a_provider_says_how_to_write_one(name):
    """LangChain's own error speaks of a parameter that is not ours."""
    with pytest.raises(ToolSpecError, match=f"{name}.*'provider:model', such as 'ollama:gemma2'"):
        ChatToolEmu(name)


def test_a_name_without_langchain_says_what_to_install(monkeypatch):
    """Only names need langchain, which is no dependency."""
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(ToolSpecError, match="pip install langchain"):
        ChatToolEmu("ollama:gemma2")
    assert ChatToolEmu(model)


def test_a_name_whose_package_is_missing_is_langchains_own_error(monkeypatch):
    """LangChain names the package, so its error passes as it is."""
    monkeypatch.setitem(sys.modules, "langchain_groq", None)
    with pytest.raises(ImportError, match="pip install langchain-groq"):
        ChatToolEmu("groq:gemma2")


def test_a_subclass_is_configured_with_all_its_fields():
    """A copy that LangChain makes keeps the subclass's own fields, and `tool_support`."""
    llm = Ours(model, team="red", tool_support="none")
    configured = llm.configurable_fields(mode=ConfigurableField(id="mode"))
    copied, _ = configured.prepare({"configurable": {"mode": "force"}})
    assert (copied.team, copied.native_tools, copied.mode) == ("red", "none", "force")


# --- a local server wants no key ---

ADDRESSES = {
    "loopback": ({"base_url": LOCAL}, {}),
    "private": ({"openai_api_base": "http://192.168.1.7:8000/v1"}, {}),
    "a key that is nothing": ({"base_url": LOCAL, "api_key": None}, {}),
    "exported": ({}, {"OPENAI_BASE_URL": LOCAL}),
}


@pytest.mark.parametrize("case", ADDRESSES)
def test_a_server_of_ones_own_wants_no_key(case, monkeypatch):
    """Where no key is set and the address is a private one, a word that says nothing is sent as the key."""
    given, exported = ADDRESSES[case]
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name, value in exported.items():
        monkeypatch.setenv(name, value)
    llm = ToolEmuChatOpenAI(model="m", **given)
    assert llm.openai_api_key.get_secret_value() == "not-needed"


def test_a_key_that_is_set_is_the_one_that_is_sent(monkeypatch):
    """Given or exported, as on ChatOpenAI."""
    monkeypatch.setenv("OPENAI_API_KEY", "exported")
    keys = [ToolEmuChatOpenAI(model="m", base_url=LOCAL, **key) for key in ({}, {"api_key": "given"})]  # fmt: skip
    assert [llm.openai_api_key.get_secret_value() for llm in keys] == ["exported", "given"]


@pytest.mark.parametrize("given", [{}, {"base_url": "https://models.example.com/v1"}])
def test_a_server_of_anothers_wants_a_key(given, monkeypatch):
    """Elsewhere a key that was forgotten is ChatOpenAI's own error."""
    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Exception, match="OPENAI_API_KEY"):
        ToolEmuChatOpenAI(model="m", **given)
