"""`toolemu check`: what a chat model can do about tools, and how best to ask it."""
