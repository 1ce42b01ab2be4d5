"""`python -m langchain_toolemu check`, the same as `toolemu check`."""

import sys

from langchain_toolemu.check.command import main

if __name__ == "__main__":
    sys.exit(main())
