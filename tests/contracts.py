"""What is sent to the browser agrees with its declared type."""

import json
from collections.abc import Mapping
from typing import Any, TypedDict

import msgspec


def check_data(data: Any, shows: Any) -> None:
    """``data`` as JSON are of this type: ``msgspec.ValidationError`` where a name is missing or a value of another type,
    ``AssertionError`` where a name is not declared, as msgspec drops it.
    """
    sent = json.dumps(data, allow_nan=False)
    kind = TypedDict("Data", dict(shows)) if isinstance(shows, Mapping) else shows
    read = msgspec.json.decode(sent, type=kind)
    assert json.loads(msgspec.json.encode(read)) == json.loads(sent)
