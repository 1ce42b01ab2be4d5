"""What is remembered of an endpoint, and by what."""

from langchain_core.language_models import FakeListChatModel
from langchain_openai import ChatOpenAI

from langchain_toolemu.capability import Capability, endpoint_of, forget


def chat(model="m", url="http://127.0.0.1:1/v1"):
    return ChatOpenAI(model=model, base_url=url, api_key="x")


def test_a_verdict_is_kept_by_class_name_and_address():
    """Copies share a verdict; another name, address or class is another endpoint."""
    same = {
        endpoint_of(chat()),
        endpoint_of(chat().model_copy()),
        endpoint_of(chat("other"), model="m"),
    }
    others = {
        endpoint_of(chat("n")),
        endpoint_of(chat(url="http://127.0.0.1:2/v1")),
        endpoint_of(FakeListChatModel(responses=[])),
    }
    assert len(same) == 1
    assert len(same | others) == 4


def test_what_was_learned_can_be_forgotten():
    """A verdict holds for every later turn until it is forgotten, alone or with all others."""
    first, second = Capability(chat("a")), Capability(chat("b"))
    assert first.verdict == "unknown"
    first.learn("none")
    second.learn("native")
    assert (Capability(chat("a")).verdict, Capability(chat("b")).verdict) == ("none", "native")
    forget(endpoint_of(chat("a")))
    assert (first.verdict, second.verdict) == ("unknown", "native")
    forget()
    assert second.verdict == "unknown"


def test_unknown_teaches_nothing():
    """A turn that found nothing out does not overwrite what another did."""
    capability = Capability(chat("c"))
    capability.learn("none")
    capability.learn("unknown")
    assert capability.verdict == "none"
    forget()
