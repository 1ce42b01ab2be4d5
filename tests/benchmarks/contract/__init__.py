"""The contract on a real model: suites of our own and of public data, variants of the contract, and rivals, in one table."""
