"""One turn: what is asked, what follows a reply, and what the caller is shown."""
