"""How results are framed and what is said after them, measured on a real model."""
