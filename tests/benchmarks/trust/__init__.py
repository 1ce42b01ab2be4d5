"""Whether a right call that a model insists on is made, and how many further requests that takes.

    python -m tests.benchmarks.trust --data DIR --sizes 0.5B 1.5B --show

The everyday requests, the loop steps and the wrong calls are this project's own. The rest is public data, which is read
from a folder and never copied here:

    pip install --no-deps --target DIR bfcl-eval inspect-evals agentdojo
    pip install --no-deps --target DIR mpmath deepdiff orderly-set cachebox email-validator dnspython toml

The second line is what the data's own tools need to run, so that the conversations hold their real results.
"""
