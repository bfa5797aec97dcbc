"""Read an uploaded file as text, in a detected or a chosen encoding; other files are refused with a sentence."""

import re

from core.config.language import gettext as _, lazy_gettext, ngettext, sentences
from core.config.limits import LIMITS, MEGABYTE
from core.text.encoding import REPLACED, Decoded, decoded, decoded_as, name_of

MAX_TEXT_BYTES = LIMITS.text_megabytes * MEGABYTE  # of an uploaded text, at most
LOOKED_AT = 2**16  # characters at the beginning, in which control characters are counted
ADVICE = lazy_gettext("Save the text as UTF-8 and upload that.")
CONTROLS = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")  # not in texts; without escape (1b), which is in terminal output
AT_MOST_CONTROLS = 0.05  # of the characters
NOT_TEXT = {  # first bytes of files that a user might upload as a text
    b"%PDF-": lazy_gettext("a PDF"),
    b"PK\x03\x04": lazy_gettext("a zip archive (Word, OpenDocument and EPUB files are such)"),
    b"\xd0\xcf\x11\xe0": lazy_gettext("an old Word or Office file"),
    b"{\\rtf": lazy_gettext("an RTF document"),
    b"\x89PNG": lazy_gettext("an image"),
    b"\xff\xd8\xff": lazy_gettext("an image"),
    b"GIF8": lazy_gettext("an image"),
    b"\x1f\x8b": lazy_gettext("a compressed file"),
}


def read_upload(data: bytes, encoding: str = "") -> Decoded:
    """The text in a file, decoded in ``encoding`` (Python's name), or in the detected encoding.

    Places that cannot be decoded are replaced and counted. ``ValueError`` with a sentence for a file too large or no text.
    """
    _reject_non_text(data)
    found = decoded_as(data, encoding) if encoding else decoded(data)
    if not found:
        raise ValueError(sentences(_("This file is not a text in any known encoding."), _(ADVICE)))
    if not found.text:
        raise ValueError(_("This file is empty."))
    if not _is_text(found.text):
        raise ValueError(
            sentences(_("Read as {encoding}, this file is not a text.", encoding=name_of(found.encoding)), _(ADVICE))
        )
    return found


def describe(found: Decoded) -> str:
    """A sentence about how a file was decoded."""
    name = name_of(found.encoding)
    if not found.broken:
        return _("Read as {encoding}.", encoding=name)
    return ngettext(
        "Read as {encoding}, but for {n} place that could not be read: now {replaced}.",
        "Read as {encoding}, but for {n} places that could not be read: now {replaced}.",
        found.broken,
        encoding=name,
        n=f"{found.broken:,}",
        replaced=REPLACED,
    )


def _reject_non_text(data: bytes) -> None:
    if len(data) > MAX_TEXT_BYTES:
        raise ValueError(
            _(
                "This file has {size} MB; at most {most} MB can be read. Upload a part.",
                size=f"{len(data) / 2**20:.1f}",
                most=MAX_TEXT_BYTES // 2**20,
            )
        )
    for beginning, kind in NOT_TEXT.items():
        if data.startswith(beginning):
            raise ValueError(sentences(_("This file is {kind}, not plain text.", kind=_(kind)), _(ADVICE)))


def _is_text(text: str) -> bool:
    beginning = text[:LOOKED_AT]
    return "\0" not in text and len(CONTROLS.findall(beginning)) <= AT_MOST_CONTROLS * len(beginning)
