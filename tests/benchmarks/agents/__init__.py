"""Agent tasks with checked side effects, for any chat model: `tasks/` by six authors, and those of AgentDojo and BFCL."""
