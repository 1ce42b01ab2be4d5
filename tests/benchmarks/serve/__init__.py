"""What the gateway costs, compared with a turn in process and with other proxies."""
