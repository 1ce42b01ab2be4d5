"""What the log of the server shows: its own lines, and of everybody else's only warnings and errors."""

import subprocess
import sys

import pytest

PROGRAM = """
import logging, logging.config, sys
from langchain_toolemu.serve.server_process import _log_config
logging.config.dictConfig(_log_config(*sys.argv[1:]))
names = ["uvicorn.error", "uvicorn.access", "httpx", "httpcore.http11", "openai._base_client", "anthropic", "asyncio"]
names += ["websockets.server", "websockets.client", "ollama", "langchain_openai", "langchain_toolemus", "any.other", "root"]
for name in names:
    for changed in (False, True):
        if changed:  # by a variable such as OPENAI_LOG, or by a package itself
            logging.getLogger(name).setLevel(1)
        for level in (1, 5, logging.DEBUG, logging.INFO):
            logging.getLogger(name).log(level, "authorization: Bearer sk-secret")
    logging.getLogger(name).error("told by %s", name)
logging.getLogger("langchain_toolemu.serve").debug("own details")
"""


@pytest.mark.parametrize("form", ["plain", "json"])
@pytest.mark.parametrize("level", ["debug", "info", "warning", "error"])
def test_details_of_others_are_never_shown(level, form):
    """Their details hold headers, and those hold keys: no level shows them, whatever levels others set."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM, level, form], capture_output=True, text=True)  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "sk-secret" not in ran.stderr + ran.stdout
    assert ran.stderr.count("told by") == 14
    assert ("own details" in ran.stderr) is (level == "debug")
