"""What the gateway costs, compared with a turn in process and with LiteLLM's proxy, against an upstream that takes no time."""
