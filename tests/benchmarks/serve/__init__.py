"""What the gateway costs: beside a turn in process, and beside LiteLLM's proxy, against an upstream that takes no time."""
