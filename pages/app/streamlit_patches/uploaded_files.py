"""Limits the number and the size of the uploaded files that are stored for each session; the oldest are removed first.

Streamlit stores every uploaded file until the session ends, even if no widget on the page expects it.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from core.config.limits import LIMITS, MEGABYTE

MAX_FILES = 50  # files of a session: many more than a page uses, as it is unknown here which files are in use
MAX_BYTES = (LIMITS.file_megabytes + LIMITS.text_megabytes) * MEGABYTE  # of a session's files if there is more than one


def limit_uploads(add_file: Callable[..., None]) -> Callable[..., None]:
    """``MemoryUploadedFileManager.add_file``, but old files beyond these limits are removed."""

    @wraps(add_file)
    def add(manager: Any, session_id: str, file: Any) -> None:
        add_file(manager, session_id, file)
        for file_id in excess(dict(manager.file_storage.get(session_id, {}))):
            manager.remove_file(session_id, file_id)

    return add


def excess(files: Mapping[str, Any]) -> list[str]:
    """The ids of the files beyond the limits. ``files`` are ordered from the oldest to the newest; the newest is always kept."""
    held, ids = 0, []
    for newer, (file_id, file) in enumerate(reversed(files.items())):
        if newer and (newer >= MAX_FILES or held + len(file.data) > MAX_BYTES):
            ids.append(file_id)
        else:
            held += len(file.data)
    return ids
