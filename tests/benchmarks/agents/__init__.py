"""Agent tasks with checked side effects, for any chat model: `tasks/` by nine authors, and those of AgentDojo and BFCL."""
