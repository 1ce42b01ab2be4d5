"""The contract on a real model: six suites, variants of the contract, and rivals, in one table."""
