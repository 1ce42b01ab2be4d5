"""Regions of a reply: prose, envelopes, fences, reasoning.

They decide what is parsed for calls, and emit the events.
"""
