"""Sixty-four tools: a model that gets them in its prompt is shown a short list of those that the question may need."""

from any_model import any_model
from langchain.agents import create_agent
from langchain_core.tools import StructuredTool
from progress import PROGRESS

from langchain_toolemu import ChatToolEmu

RECORDS = {
    "contact": ("phone number", {"Bob": "555-0199"}),
    "invoice": ("amount", {"INV-7": "420 euros", "INV-8": "75 euros"}),
    "task": ("deadline", {"Call the bank": "Friday", "Water the plants": "Sunday"}),
    "meeting": ("time", {"Budget": "Monday at 10"}),
    "project": ("leader", {}), "room": ("number of seats", {}), "car": ("licence plate", {}),
    "supplier": ("address", {}), "product": ("price", {}), "shipment": ("destination", {}),
    "contract": ("end date", {}), "budget": ("limit", {}), "course": ("teacher", {}),
    "visitor": ("company", {}), "laptop": ("serial number", {}), "licence": ("key", {}),
}  # fmt: skip
REQUESTS = (
    "Create a contact named Ada Lovelace with the phone number 555-0100.",
    "Delete the task named 'Call the bank'.",
    "What is the amount of the invoice INV-7?",
)


def schema(**fields: str) -> dict:
    properties = {key: {"type": "string", "description": text} for key, text in fields.items()}
    return {"type": "object", "properties": properties, "required": list(fields)}


def tools_of(kind: str, field: str, store: dict[str, str]) -> list[StructuredTool]:
    """The four tools of one kind of record."""
    key = field.replace(" ", "_")
    name = f"name of the {kind}"

    def create(**given: str) -> str:
        store[given["name"]] = given[key]
        return f"{kind} {given['name']} is created"

    def delete(name: str) -> str:
        return f"no {kind} {name}" if store.pop(name, None) is None else f"{kind} {name} is deleted"

    def get(name: str) -> str:
        return f"{kind} {name}: {field} {store[name]}" if name in store else f"no {kind} {name}"

    def list_all() -> str:
        return ", ".join(store) or f"there is no {kind}"

    table = (
        (
            create,
            f"create_{kind}",
            f"Create a {kind} with its {field}.",
            {"name": name, key: field},
        ),
        (delete, f"delete_{kind}", f"Delete a {kind}.", {"name": name}),
        (get, f"get_{kind}", f"Look up a {kind} and its {field}.", {"name": name}),
        (list_all, f"list_{kind}s", f"List the names of all {kind}s.", {}),
    )
    return [
        StructuredTool(func=func, name=named, description=text, args_schema=schema(**fields))
        for func, named, text, fields in table
    ]


def main() -> dict:
    records = {kind: dict(store) for kind, (_, store) in RECORDS.items()}
    tools = [tool for kind in records for tool in tools_of(kind, RECORDS[kind][0], records[kind])]
    llm = ChatToolEmu(llm=any_model(embedded_can=False), max_tool_rounds=2)
    agent = create_agent(llm, tools, system_prompt="You keep the records of an office.")
    answers = []
    for request in REQUESTS:
        PROGRESS.say("user", request)
        state = agent.invoke({"messages": [("user", request)]}, {"callbacks": [PROGRESS]})
        answers.append(state["messages"][-1].text)
        PROGRESS.say("answer", answers[-1])
        # A native request always carries all tools.
        report = state["messages"][1].response_metadata["toolemu"]
        PROGRESS.say("shown", f"{report.get('tools_shown', 'all')} of {len(tools)} tools")
    result = {kind: records[kind] for kind in ("contact", "task", "invoice")}
    PROGRESS.say("records", result)
    return {**result, "answers": answers}


if __name__ == "__main__":
    main()
