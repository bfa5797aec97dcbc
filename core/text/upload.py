"""An uploaded file becomes text: its encoding is found out or chosen, and what is no text is refused in words."""

import re

from core.config.limits import LIMITS, MEGABYTE
from core.text.encoding import REPLACED, Decoded, decoded, decoded_as, name_of

MAX_BYTES = LIMITS.text_megabytes * MEGABYTE  # of a text that can be uploaded
LOOKED_AT = 2**16  # characters
ADVICE = "Save the text as UTF-8 and upload that."
CONTROLS = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")  # what no text has; an escape (1b) is in what terminals print
AT_MOST_CONTROLS = 0.05  # of the characters
NOT_TEXT = {  # how files begin that somebody might take for a text
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a zip archive (Word, OpenDocument and EPUB files are such)",
    b"\xd0\xcf\x11\xe0": "an old Word or Office file",
    b"{\\rtf": "an RTF document",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"\x1f\x8b": "a compressed file",
}


def read_upload(data: bytes, encoding: str = "") -> Decoded:
    """The text in a file: in this encoding, by Python's name of it, or in the one that it is found to be in.

    What cannot be read is replaced and counted. Raises ``ValueError`` with a sentence for a file that is too large or no text.
    """
    _refuse_what_is_no_text(data)
    found = decoded_as(data, encoding) if encoding else decoded(data)
    if not found:
        raise ValueError(f"This file is not a text in any known encoding. {ADVICE}")
    if not _is_text(found.text):
        raise ValueError(f"Read as {name_of(found.encoding)}, this file is not a text. {ADVICE}")
    return found


def told(found: Decoded) -> str:
    """How a file was read, in a sentence."""
    places = f"{found.broken:,} place{'s' * (found.broken > 1)}"
    but = f", but for {places} that could not be read: now {REPLACED}" if found.broken else ""
    unsure = f" This is not sure: it may be {name_of(found.second)} instead." if found.second else ""
    return f"Read as {name_of(found.encoding)}{but}.{unsure}"


def _refuse_what_is_no_text(data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise ValueError(f"This file has {len(data) / 2**20:.1f} MB; at most {MAX_BYTES // 2**20} MB can be read. Upload a part.")
    for beginning, kind in NOT_TEXT.items():
        if data.startswith(beginning):
            raise ValueError(f"This file is {kind}, not plain text. {ADVICE}")


def _is_text(text: str) -> bool:
    beginning = text[:LOOKED_AT]
    return "\0" not in text and len(CONTROLS.findall(beginning)) <= AT_MOST_CONTROLS * len(beginning)
