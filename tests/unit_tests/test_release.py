"""What is published agrees with itself: versions, dates, addresses, and what CI runs."""

import re

import pytest
import yaml

from langchain_toolemu.serve import explain_missing
from tests.release import ready

PYPROJECT = ready.read("pyproject.toml")
WORKFLOW = ready.read(".github/workflows/ci.yml")
JOBS = yaml.safe_load(WORKFLOW)["jobs"]
MATRIX = JOBS["test"]["strategy"]["matrix"]
CLASSIFIERS = ready.named_pythons()


def test_the_workflow_runs_every_python_that_the_package_names():
    """The matrix without its trials is the list of classifiers."""
    assert MATRIX["python"] == CLASSIFIERS


def test_the_oldest_python_is_the_one_that_is_required():
    """What pip, ruff and mypy take for the oldest is what CI runs."""
    oldest = CLASSIFIERS[0]
    assert f'requires-python = ">={oldest}"' in PYPROJECT
    assert f'target-version = "py{oldest.replace(".", "")}"' in PYPROJECT
    assert f'python_version = "{oldest}"' in PYPROJECT


def test_a_trial_is_newer_than_every_classifier_and_may_fail():
    """No Python between the oldest and the newest is left out."""
    rows = MATRIX.get("include", [])
    trials = [row["python"] for row in rows]
    minors = [int(one.partition(".")[2]) for one in (*CLASSIFIERS, *trials)]
    assert minors == list(range(minors[0], minors[0] + len(minors)))
    assert all(row["trial"] for row in rows)
    assert "matrix.trial" in JOBS["test"]["continue-on-error"]


def test_the_wheel_is_tried_on_every_python_that_the_package_names():
    """The job that builds has all of them."""
    (setup,) = (step for step in JOBS["build"]["steps"] if "setup-python" in step.get("uses", ""))
    assert sorted(setup["with"]["python-version"].split()) == sorted(CLASSIFIERS)


def test_only_a_tag_is_published_and_only_after_everything_passed():
    """Publishing waits for each other job, and the one that wants a tag is among them."""
    assert set(JOBS["publish"]["needs"]) == set(JOBS) - {"publish", "site"}
    assert "refs/tags/v" in JOBS["ready"]["if"]
    assert JOBS["site"]["needs"] == "publish"


def test_no_token_is_kept_and_only_publishing_may_ask_for_one():
    """Trusted publishing: a job says who it is."""
    assert "secrets." not in WORKFLOW
    assert yaml.safe_load(WORKFLOW)["permissions"] == {"contents": "read"}
    assert [name for name in JOBS if "permissions" in JOBS[name]] == ["publish", "site"]


def test_version_and_date_agree():
    """The changelog and the citation speak of the version that is built."""
    assert ready.newest_entry()[0] == ready.version()
    assert ready.cited() == ready.newest_entry()


def test_what_stands_against_publishing_is_said(monkeypatch):
    """A wrong tag, a placeholder and another repository are each named."""
    monkeypatch.setattr(ready, "read", _with_an_address(ready.read))
    assert ready.problems("v" + ready.version(), "someone/langchain-toolemu") == []
    assert ready.problems("v9", "someone/langchain-toolemu") == [
        f"the tag is v9, the version {ready.version()}"
    ]
    (problem,) = ready.problems("v" + ready.version(), "someone/fork")
    assert "someone/fork" in problem


@pytest.mark.skipif(ready.PLACEHOLDER not in PYPROJECT, reason="the project has an address")
def test_a_placeholder_is_not_published():
    """Until the project has an address, no tag is ready."""
    problems = ready.problems("v" + ready.version(), "OWNER/langchain-toolemu")
    assert problems == ["pyproject.toml still says OWNER"]


def _with_an_address(read):
    return lambda name: read(name).replace(ready.PLACEHOLDER, "someone")


@pytest.mark.parametrize(
    "package", ["starlette", "uvicorn", "orjson", "prometheus_client", "tomli"]
)
def test_the_server_without_its_extra_says_what_to_install(package):
    """A missing package is named with the extra that has it, by the command and by the import."""
    assert (
        f'"{package.replace("_", "-")}'
        in re.search(r"^serve = \[.*?^\]", PYPROJECT, re.MULTILINE | re.DOTALL)[0]
    )
    error = explain_missing(ModuleNotFoundError(name=package))
    assert package in str(error)
    assert 'pip install "langchain-toolemu[serve]"' in str(error)


def test_another_missing_module_is_not_blamed_on_the_extra():
    """A fault of ours stays one."""
    error = ModuleNotFoundError(name="langchain_toolemu.nowhere")
    assert explain_missing(error) is error
