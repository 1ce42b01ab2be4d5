"""Notations of a call: each reads one way of writing calls, and says what it read.

None emits anything itself.
"""
