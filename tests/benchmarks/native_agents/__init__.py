"""Turns of agents with twenty tools and a long system prompt, on a real model behind a real server's parser."""
