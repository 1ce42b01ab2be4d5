"""How a chat model is best asked for tool calls: `toolemu check`. Keys are taken from the providers' own variables.

Exit codes: 0, tools can be used with this model; 1, no way of asking did well enough; 2, the command was misspelt;
3, the model could not be asked, or the report not written.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.check.advice import constructor, is_usable
from langchain_toolemu.check.bar import Bar
from langchain_toolemu.check.checking import Findings, check, steps
from langchain_toolemu.check.page import cells, write_page
from langchain_toolemu.check.trials import TRIALS
from langchain_toolemu.check.troubles import CheckError, explained

_MAX_TOKENS = 128
_UNUSABLE, _UNASKED = 1, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code.

    Example:
        ```python
        main(["check", "--model", "openai:gemma2", "--base-url", "http://localhost:11434/v1"])
        ```
    """
    parser = argparse.ArgumentParser(prog="toolemu", description=__doc__)
    add_command(parser.add_subparsers(required=True, metavar="check"))
    return run(parser.parse_args(arguments))


def run(options: argparse.Namespace) -> int:
    """Check a model as the options say; returns the exit code."""
    if options.base_url and not options.model:
        options.refuse("--base-url wants --model: which of the models there is meant?")
    try:
        _refuse_folder(options.report)
        findings, line = _checked(options)
        sys.stdout.write(_summary(findings, line))
        _report(findings, line, options.report)
    except CheckError as error:
        sys.stderr.write(f"toolemu: {error}\n")
        return _UNASKED
    return 0 if is_usable(findings, options.least) else _UNUSABLE


def _refuse_folder(report: Path | None) -> None:
    """Before minutes of asking: a page that cannot be written."""
    if report and (report.is_dir() or not os.access(report.parent, os.W_OK)):
        raise CheckError(
            f"The report cannot be written to {report}. Name a file in a folder that is there."
        )


def _report(findings: Findings, line: str, report: Path | None) -> None:
    if not report:
        return
    try:
        report.write_text(write_page(findings, line), encoding="utf-8")
    except OSError as error:
        raise CheckError(f"The report cannot be written: {error}") from error
    sys.stdout.write(f"\nThe report is in {report}.\n")


def _checked(options: argparse.Namespace) -> tuple[Findings, str]:
    trials = TRIALS[: options.cases]
    with ExitStack() as stack:
        llm, made_by = _chat_model(options, stack)
        _greet(llm, options)
        bar = stack.enter_context(Bar(steps(llm, trials), sys.stderr))
        findings = check(llm, options.model or "the embedded model", trials, bar.advance)
        return findings, constructor(findings, made_by)


def _greet(llm: BaseChatModel, options: argparse.Namespace) -> None:
    """One plain request first: what is wrong with the address, the key or the name shows here."""
    try:
        llm.invoke("Say hello.")
    except Exception as error:
        raise CheckError(explained(error, options.model or "", options.base_url or "")) from error


def _chat_model(options: argparse.Namespace, stack: ExitStack) -> tuple[BaseChatModel, str]:
    """The chat model that is asked for, and the expression that makes it."""
    if options.model is None:
        return _embedded(options, stack)
    provider, _, name = options.model.partition(":")
    where = {"base_url": options.base_url} if options.base_url else {}
    asked: dict[str, Any] = {"temperature": 0, "max_tokens": _MAX_TOKENS, **where}
    if provider == "openai" and name:
        from langchain_openai import ChatOpenAI

        has_key = bool(os.environ.get("OPENAI_API_KEY"))
        if not (where or has_key):
            raise CheckError(
                "OpenAI wants a key, and there is none. Set OPENAI_API_KEY, or pass --base-url for a server of your own."
            )
        # Servers on one's own machine want no key, and OpenAI's client insists on one.
        key: dict[str, Any] = {} if has_key else {"api_key": "none"}
        given = "".join(f', {option}="{value}"' for option, value in {**where, **key}.items())
        made = ChatOpenAI(model=name, max_retries=0, **asked, **key)
        return made, f'ChatOpenAI(model="{name}"{given})'
    given = f', base_url="{options.base_url}"' if where else ""
    return _any_provider(options.model, asked), f'init_chat_model("{options.model}"{given})'


def _embedded(options: argparse.Namespace, stack: ExitStack) -> tuple[BaseChatModel, str]:
    from langchain_toolemu.local import LocalModelError, LocalServer

    try:
        server = stack.enter_context(LocalServer(options.gguf))
    except LocalModelError as error:
        raise CheckError(str(error)) from error
    given = repr(str(options.gguf)) if options.gguf else ""
    return server.chat_model(max_tokens=_MAX_TOKENS), f"LocalServer({given}).chat_model()"


def _any_provider(model: str, asked: dict[str, Any]) -> BaseChatModel:
    try:
        from langchain.chat_models import init_chat_model

        made: BaseChatModel = init_chat_model(model, **asked)
    except (ImportError, ValueError) as error:
        raise CheckError(f"{model!r} cannot be made: {error}") from error
    return made


def _summary(findings: Findings, line: str) -> str:
    heads = ("way", "right calls", "left alone", "requests", "tokens", "seconds")
    rows = [heads, *(cells(result) for result in findings.results)]
    wide = [max(len(row[place]) for row in rows) for place in range(len(heads))]
    table = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
        for row in rows
    )
    support = findings.support
    return (
        f"Model: {findings.model}\nNative tool calling: {support.verdict} ({support.reason})\n\n{table}\n\n"
        f"Recommended:\n    {line}\n"
    )


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    command = commands.add_parser(
        "check", help="find out how a chat model is best asked for calls", description=__doc__
    )
    command.add_argument(
        "--model",
        metavar="PROVIDER:NAME",
        help="such as openai:gemma2; default: the embedded model",
    )
    command.add_argument("--base-url", metavar="URL", help="where an OpenAI-compatible server is")
    command.add_argument(
        "--gguf", type=Path, metavar="FILE", help="other weights for the embedded model"
    )
    command.add_argument(
        "--cases",
        type=int,
        default=6,
        choices=range(1, len(TRIALS) + 1),
        metavar="N",
        help=f"trials for each way, 1 to {len(TRIALS)}; default: 6",
    )
    command.add_argument(
        "--report", type=Path, metavar="FILE", help="write an HTML page with every prompt and reply"
    )
    command.add_argument(
        "--least",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="the share of trials that must go well for exit code 0; default: 0.5",
    )
    command.set_defaults(run=run, refuse=command.error)
