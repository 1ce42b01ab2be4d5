"""The command `toolemu`, and what its subcommands ask of a user."""
