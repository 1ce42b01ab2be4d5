"""Does another checkout behave as this one does? `python -m tests.benchmarks.compare --against PATH`.

Both trees read the same texts and take the same scripted turns, each in a process of its own that runs this code on its
package. What differs is grouped by kind, each with its smallest case; the exit code is 1 if anything does. So is it if in
this tree `invoke`, `ainvoke`, `stream` and `astream` do not give one message.

A case is made of the seed and its number alone. `--only NUMBER` plays one and prints it in full.
"""
