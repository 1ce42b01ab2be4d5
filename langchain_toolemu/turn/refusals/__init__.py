"""Replies in which a model denies that it has tools, told apart from answers and from refusals on principle."""
