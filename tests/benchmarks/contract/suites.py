"""The suites: cases that a chat model with tools is put through, and whether each went well.

Every second case is held out: variants are chosen on the half `tune` and reported on both.
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.errors import GraphRecursionError

from langchain_toolemu.tools import to_openai_tools
from tests.benchmarks.agents.tasks import TASKS, Task, World
from tests.benchmarks.bfcl.cases import data_folder
from tests.benchmarks.contract import chains, errands, indirect, near, plain, recall, structured
from tests.benchmarks.contract.copies import from_examples
from tests.benchmarks.contract.truth import Truth, are_right, is_right, same

Half: TypeAlias = Literal["tune", "held", "both"]
Model: TypeAlias = Any
"""A chat model with `bind_tools` and `with_structured_output`."""

_MAX_STEPS = 14  # of an agent's graph: seven turns of the model are more than any task needs


@dataclass(frozen=True)
class Outcome:
    """How a case went: whether well, whether any tool was called, and what the model did."""

    good: bool
    called: bool
    did: str


@dataclass(frozen=True)
class Case:
    """Something to put a model through."""

    id: str
    run: Callable[[Model], Outcome]


@dataclass(frozen=True)
class Suite:
    """Cases of one kind; `wanted` says whether they want calls."""

    name: str
    load: Callable[[], Sequence[Case]]
    wanted: bool

    def cases(self, half: Half = "both", limit: int | None = None) -> list[Case]:
        """The cases of one half or of both, at most so many: spread over all, which go from subject to subject."""
        start, step = {"tune": (0, 2), "held": (1, 2), "both": (0, 1)}[half]
        found = list(self.load())[start::step]
        wanted = min(limit or len(found), len(found))
        return [found[number * len(found) // wanted] for number in range(wanted)]


def _asking(
    question: str, tools: Sequence[Any], judge: Callable[[AIMessage], bool]
) -> Callable[[Model], Outcome]:
    def run(model: Model) -> Outcome:
        message = model.bind_tools(list(tools)).invoke(question)
        return Outcome(judge(message), bool(message.tool_calls), _said(message))

    return run


def _said(message: AIMessage) -> str:
    calls = [{"name": call["name"], "args": call["args"]} for call in message.tool_calls]
    return json.dumps(calls, default=str) if calls else message.text


def _calls(truth: Truth) -> Callable[[AIMessage], bool]:
    return lambda message: is_right(message.tool_calls, truth)


def _answers(message: AIMessage) -> bool:
    return not message.tool_calls and bool(message.text.strip())


def _plain() -> list[Case]:
    tools = to_openai_tools(plain.TOOLS)
    return [
        Case(question, _asking(question, tools, _calls(Truth(name, _alternatives(name, args)))))
        for question, name, args in plain.REQUESTS
    ]


def _alternatives(name: str, args: Mapping[str, Any]) -> dict[str, list[Any]]:
    """A sum is right either way round."""
    either = list(args.values()) if name == plain.SUM else []
    return {key: [value, *either] for key, value in args.items()}


def _errands() -> list[Case]:
    tools = to_openai_tools(errands.TOOLS)
    return [
        Case(asked, _asking(asked, tools, _calls(_errand(name, args))))
        for asked, name, args in errands.REQUESTS
    ]


def _errand(name: str, args: Mapping[str, Any]) -> Truth:
    """A call of an errand's tool: what was not asked for may be left out, or be given as nothing."""
    tool = next(tool for tool in errands.TOOLS if tool.__name__ == name)
    optional = {key: ["", None] for key in inspect.signature(tool).parameters}
    return Truth(name, {**optional, **{key: _either(value) for key, value in args.items()}})


def _either(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _errands_idle() -> list[Case]:
    tools = to_openai_tools(errands.TOOLS)
    return [Case(text, _asking(text, tools, _answers)) for text in errands.IDLE]


def _several() -> list[Case]:
    tools = to_openai_tools(errands.TOOLS)
    return [
        Case(asked, _asking(asked, tools, _all_calls([_errand(*one) for one in wanted])))
        for asked, wanted in errands.SEVERAL
    ]


def _all_calls(truths: Sequence[Truth]) -> Callable[[AIMessage], bool]:
    return lambda message: are_right(message.tool_calls, truths)


def _parallel(count: int) -> list[Case]:
    """Questions that want several calls in one reply, of one tool and of several."""
    return [
        case
        for pair in zip(
            _bfcl_several("parallel", count), _bfcl_several("parallel_multiple", count), strict=True
        )
        for case in pair
    ]


def _bfcl_several(category: str, count: int) -> list[Case]:
    folder, file = data_folder(), f"BFCL_v4_{category}.json"
    asked = _spread(_lines(folder / file), count)
    answers = _spread(_lines(folder / "possible_answer" / file), count)
    return [_bfcl_parallel(*pair) for pair in zip(asked, answers, strict=True)]


def _bfcl_parallel(question: Mapping[str, Any], answer: Mapping[str, Any]) -> Case:
    truths = [Truth(name, args) for one in answer["ground_truth"] for name, args in one.items()]
    tools = [_tool(function) for function in question["function"]]
    text = question["question"][0][0]["content"]
    return Case(question["id"], _asking(text, tools, _all_calls(truths)))


def _bfcl(category: str, count: int) -> list[Case]:
    folder, file = data_folder(), f"BFCL_v4_{category}.json"
    asked = _spread(_lines(folder / file), count)
    answers = _spread(_lines(folder / "possible_answer" / file), count)
    return [_bfcl_case(question, answer) for question, answer in zip(asked, answers, strict=True)]


def _bfcl_case(question: Mapping[str, Any], answer: Mapping[str, Any]) -> Case:
    ((name, args),) = answer["ground_truth"][0].items()
    tools = [_tool(function) for function in question["function"]]
    text = question["question"][0][0]["content"]
    return Case(question["id"], _asking(text, tools, _calls(Truth(name, args))))


def _lines(path: Any) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _spread(lines: Sequence[Any], count: int) -> list[Any]:
    """So many from the whole of a file, whose first ones are alike."""
    return [lines[number * len(lines) // count] for number in range(count)]


_TYPES = {"dict": "object", "float": "number", "tuple": "array"}


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    described = {**function, "parameters": _schema(function["parameters"])}
    return {"type": "function", "function": described}


def _schema(schema: Any) -> Any:
    """The data's schema in JSON Schema's words."""
    if isinstance(schema, list):
        return [_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: _schema(value) for key, value in schema.items() if key != "optional"}
    kind = schema.get("type")
    if kind == "any":
        del inner["type"]
    return {**inner, "type": _TYPES[kind]} if isinstance(kind, str) and kind in _TYPES else inner


def _idle() -> list[Case]:
    """Questions that no bound tool answers, and small talk, in turns."""
    lines = _spread(_lines(data_folder() / "BFCL_v4_irrelevance.json"), len(plain.SMALL_TALK))
    foreign = [_foreign(line) for line in lines]
    tools = to_openai_tools(plain.TOOLS)
    talk = [Case(f"talk: {text}", _asking(text, tools, _answers)) for text in plain.SMALL_TALK]
    # In pairs, so that either half holds as much of both kinds.
    return [
        case
        for pair in zip(_pairs(foreign), _pairs(talk), strict=True)
        for two in pair
        for case in two
    ]


def _foreign(line: Mapping[str, Any]) -> Case:
    question = line["question"][0][0]["content"]
    tools = [_tool(function) for function in line["function"]]
    return Case(f"irrelevance: {question}", _asking(question, tools, _answers))


def _pairs(cases: Sequence[Case]) -> list[Sequence[Case]]:
    return [cases[start : start + 2] for start in range(0, len(cases), 2)]


def _agents() -> list[Case]:
    # Two of each kind in turn: the halves hold all kinds.
    order = [
        kind + place
        for pair in ((0, 1), (2, 3), (4,))
        for kind in range(0, 20, 5)
        for place in pair
    ]
    return [Case(TASKS[number].question, _doing(TASKS[number])) for number in order]


def _doing(task: Task) -> Callable[[Model], Outcome]:
    def run(model: Model) -> Outcome:
        world = World()
        said, called = _played(model, world.tools(), task.question)
        return Outcome(task.done(world), called, "\n".join(said))

    return run


def _played(model: Model, tools: Sequence[Any], question: str) -> tuple[list[str], bool]:
    """What an agent says and does, and whether it called anything."""
    agent = create_agent(model, list(tools), system_prompt="You are a helpful assistant.")
    seen: list[Any] = []
    try:
        for state in agent.stream(
            {"messages": [("user", question)]},
            {"recursion_limit": _MAX_STEPS},
            stream_mode="values",
        ):
            seen = state["messages"]
    except GraphRecursionError:
        pass
    said = [_said(message) for message in seen if isinstance(message, AIMessage)]
    called = any(isinstance(message, AIMessage) and message.tool_calls for message in seen)
    return said, called


def _chains() -> list[Case]:
    return [Case(chain.question, _chained(chain)) for chain in chains.CHAINS]


def _chained(chain: chains.Chain) -> Callable[[Model], Outcome]:
    def run(model: Model) -> Outcome:
        shop = chains.Shop()
        said, called = _played(model, shop.tools(), chain.question)
        return Outcome(chain.is_done(shop), called, "\n".join([*said, *shop.wrong]))

    return run


def _recall() -> list[Case]:
    tools = to_openai_tools(plain.TOOLS)
    return [
        Case(f"{name}: {question}", _recalling([*history, HumanMessage(question)], tools))
        for question in recall.QUESTIONS
        for name, history in recall.HISTORIES.items()
    ]


def _recalling(messages: Sequence[BaseMessage], tools: Sequence[Any]) -> Callable[[Model], Outcome]:
    """Whether nothing comes back that only an example of the contract says."""

    def run(model: Model) -> Outcome:
        message = model.bind_tools(list(tools)).invoke(list(messages))
        said = _said(message)
        return Outcome(not from_examples(said, messages, tools), bool(message.tool_calls), said)

    return run


def _indirect() -> list[Case]:
    return [
        Case(text, _asking(text, tools, _needed_calls(needed)))
        for text, tools, needed in indirect.REQUESTS
    ]


def _needed_calls(needed: Sequence[indirect.Needed]) -> Callable[[AIMessage], bool]:
    return lambda message: indirect.are_needed(message.tool_calls, needed)


def _near() -> list[Case]:
    return [Case(text, _asking(text, tools, _answers)) for text, tools in near.MESSAGES]


def _structured() -> list[Case]:
    return [Case(case.schema.__name__, _filling(case)) for case in structured.CASES]


def _filling(case: structured.Filled) -> Callable[[Model], Outcome]:
    def run(model: Model) -> Outcome:
        asked = f"Extract the {case.schema.__name__} from this text: {case.text}"
        got = model.with_structured_output(case.schema).invoke(asked)
        values = got.model_dump() if got is not None else {}
        good = all(same(values.get(key), value) for key, value in case.values.items())
        return Outcome(good, bool(values), json.dumps(values, default=str))

    return run


SUITES = {
    suite.name: suite
    for suite in (
        Suite("plain", _plain, wanted=True),
        Suite("idle", _idle, wanted=False),
        Suite("simple", lambda: _bfcl("simple_python", 100), wanted=True),
        Suite("multiple", lambda: _bfcl("multiple", 60), wanted=True),
        Suite("agents", _agents, wanted=True),
        Suite("structured", _structured, wanted=True),
        Suite("errands", _errands, wanted=True),
        Suite("errands idle", _errands_idle, wanted=False),
        Suite("chains", _chains, wanted=True),
        Suite("several", _several, wanted=True),
        Suite("parallel", lambda: _parallel(30), wanted=True),
        Suite("recall", _recall, wanted=False),
        Suite("indirect", _indirect, wanted=True),
        Suite("near", _near, wanted=False),
    )
}
