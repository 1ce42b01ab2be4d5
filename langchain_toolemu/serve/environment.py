"""The settings of a server that is not passed any, as a worker process and an ASGI server start it."""

import os
from dataclasses import replace
from pathlib import Path

from langchain_toolemu.serve.config_file import read_config
from langchain_toolemu.serve.settings import ENVIRONMENT, ModelSettings, ServerSettings


def from_environment() -> ServerSettings:
    """The settings of a server that is not passed any: those of the command, of a file, or of variables.

    `TOOLEMU_CONFIG` names a file as `toolemu serve --config` takes it. Without one, `TOOLEMU_MODEL` and `TOOLEMU_BASE_URL`
    say what is served; without these, the embedded model is.
    """
    if left := os.environ.get(ENVIRONMENT):
        return ServerSettings.from_json(left)
    if path := os.environ.get("TOOLEMU_CONFIG"):
        return with_keys_of_environment(read_config(Path(path)).server)
    made = ServerSettings(models=(model_of_environment(),))
    return with_keys_of_environment(made)


def model_of_environment() -> ModelSettings:
    """The model that variables name; the embedded one if they name none."""
    model = os.environ.get("TOOLEMU_MODEL")
    return ModelSettings(
        name=model.partition(":")[2] or model if model else "embedded",
        model=model,
        base_url=os.environ.get("TOOLEMU_BASE_URL"),
    )


def with_keys_of_environment(settings: ServerSettings) -> ServerSettings:
    """The settings, with the keys of `TOOLEMU_API_KEY` (several are separated by commas) if there are no others."""
    if settings.api_keys:
        return settings
    keys = os.environ.get("TOOLEMU_API_KEY", "").split(",")
    return replace(settings, api_keys=tuple(key.strip() for key in keys if key.strip()))
