"""What a reader takes home: a zip archive of the script and, where it reads one, its text."""

import io
import zipfile
from collections.abc import Sequence

from core.config.settings import Settings
from core.text.corpus import Corpus, cleaned_text, source_of
from core.training.history import Flag
from core.training.script.script import script
from core.training.script.text import FILE

SCRIPT_FILE = "train.py"
FIRST = 1000  # updates of a script for a run that has done none


def archive(settings: Settings, corpus: Corpus, own_text: str, updates: int, flags: Sequence[Flag] = ()) -> bytes:
    """The zip archive for a run of so many updates; ``own_text`` is what the reader brought, for a text of their own.

    The text is the one that the run reads, cleaned and cut. Raises as :func:`core.text.corpus.cleaned_text` does.
    """
    files = {SCRIPT_FILE: script(settings, corpus, updates or FIRST, flags)}
    if source_of(settings).cleaned:
        files[FILE] = cleaned_text(settings, own_text)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return packed.getvalue()
