"""Which way of asking to take, and the line that does it."""

from langchain_toolemu.check.checking import Findings, Result


def best(findings: Findings) -> Result:
    """The way that did best; of equals the one with fewer requests, then the plainer, which comes first."""
    return max(findings.results, key=lambda result: (result.share, result.passed, -result.requests))


def constructor(findings: Findings, made_by: str) -> str:
    """The line to paste.

    Args:
        findings: What was found out.
        made_by: The expression that makes the plain chat model.
    """
    if findings.support.verdict == "native":
        return f"ChatToolEmu(llm={made_by})"
    mode = ', mode="force"' if findings.support.verdict == "none" else ""
    settings = "".join(f', {name}="{value}"' for name, value in best(findings).settings.items())
    return f"ChatToolEmu(llm={made_by}{mode}{settings})"


def is_usable(findings: Findings, least: float) -> bool:
    """Whether tools can be used with this model: natively, or by the best way of asking."""
    return findings.support.verdict == "native" or best(findings).share >= least
