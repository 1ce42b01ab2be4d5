"""The faults of tests/native_faults.py through the OpenAI SDK, against proxies in front of one scripted server."""
