"""Agent tasks with checked side effects, for any chat model; by default the embedded one."""
