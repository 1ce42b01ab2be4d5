"""MkDocs hook for search: pages that answer questions come before pages that list everything."""

from typing import Any

from mkdocs.structure.pages import Page

WEIGHTS = {
    "troubleshooting.md": 1.5,
    "quickstart.md": 1.5,
    "api.md": 0.5,
    "api-policy.md": 0.5,
    "api-prompts.md": 0.5,
    "api-more.md": 0.5,
    "changelog.md": 0.25,
    "compatibility.md": 0.5,
    "leaderboard.md": 0.5,
    "contributing.md": 0.25,
    "releasing.md": 0.25,
}
"""How much a page counts; the others count 1."""

KEYWORDS = {
    "agents.md": ["max_reasks", "create_react_agent"],
    "coding-agents.md": ["aider", "claude", "cline", "codex", "copilot", "opencode"],
    "command-line.md": ["exit", "flag", "port"],
    "comparison.md": ["litellm", "forge", "instructor", "outlines", "baml", "smolagents"],
    "debugging.md": ["inspect"],
    "deep-agents.md": ["deepagents"],
    "embedded-model.md": ["offline"],
    "errors.md": ["docstring"],
    "gateway.md": ["authentication", "port", "proxy", "serve", "workers", "redis"],
    "glossary.md": ["mean", "means", "meaning"],
    "hosted.md": [
        "azure",
        "bedrock",
        "fireworks",
        "gemini",
        "groq",
        "mistral",
        "openrouter",
        "together",
    ],
    "hugging-face.md": ["huggingface", "huggingfacepipeline", "pipeline", "transformers"],
    "langgraph.md": [
        "langgraph",
        "stategraph",
        "toolnode",
        "checkpointer",
        "supervisor",
        "swarm",
        "interrupt",
        "memory",
        "history",
        "database",
    ],
    "llama-cpp.md": ["jinja", "llama"],
    "models.md": ["accuracy", "results"],
    "modes.md": ["disable", "emulation", "off"],
    "ollama.md": ["parallel_tool_calls"],
    "policy.md": ["hallucinated", "invented", "invents", "parallel"],
    "reasoning.md": ["deepseek", "thinking"],
    "streaming.md": ["astream_events", "stream"],
    "structured-output.md": ["nested", "pydantic"],
    "troubleshooting.md": ["again", "forever", "loops", "outputs", "support"],
}
"""Words that lead to a page before any other, though others use them more."""


def on_page_markdown(_: str, *, page: Page, **__: Any) -> None:
    """MkDocs calls this with the text of each page, before it is put into the index of the search."""
    uri = page.file.src_uri
    page.meta["tags"] = KEYWORDS.get(uri, [])
    settings = page.meta.setdefault("search", {})
    if uri.startswith("generated/"):
        settings["exclude"] = True
    elif weight := WEIGHTS.get(uri, 0.25 if uri.startswith("internals/") else None):
        settings["boost"] = weight
