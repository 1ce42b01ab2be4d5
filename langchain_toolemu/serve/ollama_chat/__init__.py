"""Ollama's chat, and its answer to one prompt."""
