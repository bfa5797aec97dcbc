"""Uploaded files: of every session the newest are kept, and not more of them than may be opened at once.

Streamlit keeps whatever is uploaded until the session ends, whether or not anything on a page waits for it.
"""

from collections.abc import Mapping
from functools import wraps

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.limits import LIMITS, MEGABYTE

MOST = 50  # files of a session: many more than a page shows, for which are shown is not known here
BYTES = (LIMITS.file_megabytes + LIMITS.text_megabytes) * MEGABYTE  # of a session's files, where there are several


def keep_few_uploads() -> None:
    """From now on a file that is uploaded takes the place of older ones. Once per process."""
    add = MemoryUploadedFileManager.add_file

    @wraps(add)
    def add_and_tidy(files: MemoryUploadedFileManager, session_id: str, file: UploadedFileRec) -> None:
        add(files, session_id, file)
        for name in too_old(dict(files.file_storage.get(session_id, {}))):
            files.remove_file(session_id, name)

    MemoryUploadedFileManager.add_file = add_and_tidy


def too_old(files: Mapping[str, UploadedFileRec]) -> list[str]:
    """The names of those, of these files from the oldest to the newest, that are no longer kept."""
    held, names = 0, []
    for newer, (name, file) in enumerate(reversed(files.items())):
        if newer and (newer >= MOST or held + len(file.data) > BYTES):
            names.append(name)
        else:
            held += len(file.data)
    return names
