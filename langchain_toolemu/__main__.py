"""`python -m langchain_toolemu`, the same as `toolemu`."""

import sys

from langchain_toolemu.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
