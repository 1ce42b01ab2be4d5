"""Who is spoken to, and where."""

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_ollama import ChatOllama
from langchain_openai import AzureChatOpenAI, ChatOpenAI

from langchain_toolemu.capability.endpoints import (
    address_of,
    canonical,
    endpoint_of,
    host_of,
    is_local,
    model_name_of,
    provider_by_class,
    vendor_at,
    vendor_of,
)


def chat(model="m", url="http://127.0.0.1:1/v1", **kwargs):
    return ChatOpenAI(model=model, base_url=url, api_key="x", **kwargs)


def test_an_endpoint_is_class_name_and_address():
    """Copies share an endpoint; another name, address or class is another one."""
    same = {
        endpoint_of(chat()),
        endpoint_of(chat().model_copy()),
        endpoint_of(chat(temperature=1)),
        endpoint_of(chat("other"), model="m"),
    }
    others = {
        endpoint_of(chat("n")),
        endpoint_of(chat(url="http://127.0.0.1:2/v1")),
        endpoint_of(FakeListChatModel(responses=[])),
    }
    assert len(same) == 1
    assert len(same | others) == 4


def test_the_address_is_where_requests_go(monkeypatch):
    """An environment variable that moves a client moves the address, and a default is one too."""
    assert address_of(ChatOpenAI(model="m", api_key="x")) == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")
    assert address_of(ChatOpenAI(model="m", api_key="x")) == "http://localhost:8000/v1"
    assert address_of(ChatOllama(model="m")) == "http://127.0.0.1:11434"
    monkeypatch.setenv("OLLAMA_HOST", "10.0.0.5:1234")
    assert address_of(ChatOllama(model="m")) == "http://10.0.0.5:1234"
    assert address_of(FakeListChatModel(responses=[])) == ""


def test_an_address_has_no_password():
    """Addresses are shown in reasons and logs, passwords are not."""
    assert "secret" not in str(
        endpoint_of(ChatOllama(model="m", base_url="http://me:secret@box:1"))
    )
    for secret in ("?api_key=secret", "/?key=secret&a=b", "#secret"):
        assert address_of(chat(url=f"http://me:secret@box:1/v1{secret}")) == "http://box:1/v1"


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:8080/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://[::1]:8080", True),
        ("http://192.168.1.20:11434", True),
        ("http://10.1.2.3", True),
        ("http://0.0.0.0:8000", True),
        ("http://host.docker.internal:11434", True),
        ("http://ollama:11434", True),
        ("http://box.local", True),
        ("https://api.openai.com/v1", False),
        ("http://8.8.8.8/v1", False),
        ("https://localhost.evil.com", False),
        ("https://127.0.0.1.nip.io", False),
        ("", False),
        ("http://[broken", False),
    ],
)
def test_what_is_local(address, local):
    """This machine and private networks are local, by spelling alone."""
    assert is_local(address) is local


@pytest.mark.parametrize(
    ("address", "vendor"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://eu.api.openai.com/v1", "openai"),
        ("https://api.groq.com/openai/v1", "groq"),
        ("https://me.openai.azure.com/openai", "azure_openai"),
        ("https://notapi.openai.com.evil.com/v1", None),
        ("https://fakeapi.x.ai.example", None),
        ("http://localhost/v1", None),
        ("", None),
    ],
)
def test_a_vendor_is_told_by_its_host(address, vendor):
    """Only a vendor's own host and its subdomains are the vendor's."""
    assert vendor_at(address) == vendor


@pytest.mark.parametrize(
    ("llm", "provider", "own"),
    [
        (ChatOpenAI(model="m", api_key="x"), "openai", True),
        (chat(url="https://api.groq.com/openai/v1"), "groq", True),
        (chat(), "openai", False),
        (ChatOllama(model="m"), "ollama", False),
        (
            AzureChatOpenAI(
                azure_endpoint="https://me.openai.azure.com", api_key="x", api_version="1"
            ),
            "azure_openai",
            True,
        ),
    ],
    ids=["openai", "groq by ChatOpenAI", "local", "ollama", "azure"],
)
def test_a_provider_is_the_host_s_or_else_the_class_s(llm, provider, own):
    """ChatOpenAI at another vendor is that vendor; at nobody's host it is what LangChain calls it."""
    vendor = vendor_of(llm, address_of(llm))
    assert (vendor or provider_by_class(llm)) == provider
    assert vendor == (provider if own else None)


def test_names_come_from_whatever_attribute_holds_them():
    """Classes keep the model's name in attributes of several names, or in none."""
    assert model_name_of(chat("gemma2")) == "gemma2"
    assert model_name_of(ChatOllama(model="gemma2")) == "gemma2"
    assert model_name_of(FakeListChatModel(responses=[])) is None


def test_spellings_of_a_provider():
    """A provider has one name, however LangChain, LangSmith and users spell it."""
    assert {canonical(name) for name in ("Mistral", "mistralai", " MISTRALAI ")} == {"mistralai"}
    assert canonical("azure") == canonical("azure-openai") == "azure_openai"


@pytest.mark.parametrize(
    ("address", "host"), [("localhost:1", "localhost"), ("HTTP://A.B/c", "a.b"), ("", "")]
)
def test_a_host_is_found_without_a_scheme(address, host):
    """An address may be only a host and a port."""
    assert host_of(address) == host
