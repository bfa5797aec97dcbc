"""Uploaded files: of each session the newest are stored, and not more of them than may be opened at once.

Streamlit stores whatever is uploaded until the session ends, whether or not a widget on the page expects it.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from core.config.limits import LIMITS, MEGABYTE

MOST = 50  # files of a session: many more than a page shows, since which of them are shown is not known here
BYTES = (LIMITS.file_megabytes + LIMITS.text_megabytes) * MEGABYTE  # of a session's files, where there are several


def bounded(add_file: Callable[..., None]) -> Callable[..., None]:
    """``MemoryUploadedFileManager.add_file``, but a new file replaces old ones beyond these limits."""

    @wraps(add_file)
    def add(manager: Any, session_id: str, file: Any) -> None:
        add_file(manager, session_id, file)
        for file_id in excess(dict(manager.file_storage.get(session_id, {}))):
            manager.remove_file(session_id, file_id)

    return add


def excess(files: Mapping[str, Any]) -> list[str]:
    """The ids of those, of these files from the oldest to the newest, that are beyond the limits."""
    held, ids = 0, []
    for newer, (file_id, file) in enumerate(reversed(files.items())):
        if newer and (newer >= MOST or held + len(file.data) > BYTES):
            ids.append(file_id)
        else:
            held += len(file.data)
    return ids
