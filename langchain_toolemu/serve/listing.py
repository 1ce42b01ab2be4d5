"""The models that are served, as OpenAI's or as Anthropic's clients list them, and whether the server is well."""

import time
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from langchain_toolemu.serve.models import Models

_STARTED = int(time.time())


def list_models(models: Models, headers: Mapping[str, str]) -> dict[str, Any]:
    """All models."""
    served = [describe(model.name, headers) for model in models]
    if not _is_anthropic(headers):
        return {"object": "list", "data": served}
    ends = {"first_id": served[0]["id"], "last_id": served[-1]["id"]} if served else {}
    return {"data": served, "has_more": False, **ends}


def describe(name: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """One model."""
    if _is_anthropic(headers):
        since = datetime.fromtimestamp(_STARTED, timezone.utc).isoformat().replace("+00:00", "Z")
        return {"type": "model", "id": name, "display_name": name, "created_at": since}
    return {"id": name, "object": "model", "created": _STARTED, "owned_by": "toolemu"}


def _is_anthropic(headers: Mapping[str, str]) -> bool:
    """Whether Anthropic's clients ask: they always say which version of its protocol they speak."""
    return "anthropic-version" in headers
