"""What was public and is gone says what takes its place."""

import importlib

import pytest
from langchain_core.messages import HumanMessage

from langchain_toolemu import policy
from langchain_toolemu.policy import CallContext, Conversation
from tests.unit_tests.policy.talks import spec

CHECKS = {
    "AskedFor": "no check reads what the user asks for",
    "GivenValues": "use LookedUp",
    "KnownIds": "use LookedUp",
    "Grounded": "no check reads what the user asks for",
}
FIELDS = [
    "is_small", "is_last", "demanded", "lookups", "acts", "given", "has_looked_up", "findings",
        "untried", "uncalled",
    "unfinished", "unnamed", "is_asked_for",
]  # fmt: skip


@pytest.mark.parametrize(("name", "instead"), CHECKS.items())
def test_a_check_that_is_gone_says_so(name, instead):
    """An import and an access say it in the same sentence."""
    sentence = f"langchain_toolemu.policy has no {name!r}: {instead}."
    for code in (f"from langchain_toolemu.policy import {name}", f"policy.{name}"):
        with pytest.raises(ImportError) as told:
            exec(code, {"policy": policy})
        assert str(told.value) == sentence


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_is_gone_says_so(name):
    """Each with what takes its place."""
    tool = spec("pay")
    context = CallContext(tool, [tool], Conversation([HumanMessage("Pay.")]))
    with pytest.raises(AttributeError, match=rf"has no '{name}': .+\.$"):
        getattr(context, name)


def test_any_other_name_is_missing_as_ever():
    """Without a sentence; what is there stays there."""
    with pytest.raises(AttributeError, match="has no 'Nothing'$"):
        _ = policy.Nothing
    assert all(hasattr(policy, name) for name in policy.__all__)
    assert importlib.import_module("langchain_toolemu.policy.review").CallContext is CallContext
