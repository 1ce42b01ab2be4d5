"""Progress on the terminal: a spinner while the model works, a line for each tool call and its result.

It is a LangChain callback handler, so every agent and chain takes it: `agent.invoke(..., {"callbacks": [PROGRESS]})`.
"""

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.types import Command
from rich.console import Console
from rich.markup import escape


class Progress(BaseCallbackHandler):
    """Counts the tool calls that it shows."""

    def __init__(self) -> None:
        self.calls = 0
        self._console = Console(highlight=False, soft_wrap=True)
        self._spinner = self._console.status("the model works ...")

    def say(self, label: str, text: object) -> None:
        """Print a line; further lines of the text are indented below it."""
        indented = escape(str(text)).strip().replace("\n", f"\n{' ' * 10}")
        self._console.print(f"[bold]{label:>8}[/bold]  {indented}")

    def call(self, name: str, args: dict) -> None:
        self.calls += 1
        self.say("call", f"{name}({', '.join(f'{key}={args[key]!r}' for key in args)})")

    def on_chat_model_start(self, *_, **__) -> None:
        self._spinner.start()

    def on_llm_end(self, *_, **__) -> None:
        self._spinner.stop()

    on_llm_error = on_llm_end

    def on_tool_start(self, tool, _text, *, inputs=None, **__) -> None:
        self.call(tool["name"], {key: inputs[key] for key in inputs or {} if key != "runtime"})

    def on_tool_end(self, output, **__) -> None:
        if isinstance(output, Command):
            self.say("goes to", output.goto)
        else:
            self.say("result", getattr(output, "text", output))


PROGRESS = Progress()
