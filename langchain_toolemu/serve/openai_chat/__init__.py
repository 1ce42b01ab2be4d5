"""OpenAI's Chat Completions."""
