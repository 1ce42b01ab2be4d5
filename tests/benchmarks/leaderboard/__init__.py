"""The leaderboard: one model, asked in several ways, over the same suites."""
