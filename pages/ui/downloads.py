"""A file that was made to be downloaded stays for a moment after the page has let go of its button.

Streamlit deletes it after two more script runs of anybody, which in a crowd is at once: who pressed the button while the page
was drawn anew got nothing, and was told nothing.
"""

import time

from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileMetadata

LINGERS = 10.0  # seconds


class Lingering(MediaFileMetadata):
    """What Streamlit knows of a file: it may be deleted ``LINGERS`` seconds after it was marked for that."""

    _since = 0.0  # of time.monotonic

    def mark_for_delete(self) -> None:
        """No page offers it any more."""
        if not self._is_marked_for_delete:
            self._since = time.monotonic()
        super().mark_for_delete()

    @property
    def is_marked_for_delete(self) -> bool:
        """Whether it may be deleted now."""
        return self._is_marked_for_delete and time.monotonic() >= self._since + LINGERS


def keep_downloads_a_moment() -> None:
    """From now on. Once per process."""
    media_file_manager.MediaFileMetadata = Lingering
