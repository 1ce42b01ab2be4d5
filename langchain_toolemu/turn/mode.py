"""Who calls tools: the one setting that a command line names, too, and so in a file that costs nothing to import."""

from typing import Literal, TypeAlias

Mode: TypeAlias = Literal["off", "fallback", "force"]
