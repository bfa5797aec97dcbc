"""Decode bytes as text: detect the encoding, and count the places that cannot be decoded.

Byte order marks, UTF-8, UTF-16 and UTF-32 are recognised by their structure; all else is detected by chardet. A truncated file,
or one with a few bad bytes, is decoded, too: each place that cannot be decoded becomes U+FFFD and is counted.
"""

import codecs
import re
import string
import unicodedata
from typing import NamedTuple

from chardet import detect_all

from core.config.language import gettext, lazy_gettext

REPLACED = "\ufffd"
SAMPLE_BYTES = 2**15  # enough to guess from; a multiple of four, so that it cuts no character of UTF-32
PER_BROKEN = 300  # bytes per broken place, at least: one bad byte in a thousand breaks up to three places in some encodings
ASCII = bytes(range(128))
LATIN_LETTERS = string.ascii_letters.encode()
CONTEXT = 50  # bytes of a sample before the first one that distinguishes encodings
LOOKED_AT = 4000  # characters that are examined one by one
WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")  # a text with NULs is in one of these
CONTROLS = re.compile(b"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")  # bytes that are not in a text, but in UTF-16
NOT_NULS = 0.6  # of the bytes, at most: in UTF-16 of Latin letters half of the bytes are NULs
ODD = {"Cn", "Co", "Cs"}  # Unicode categories of unassigned, private and surrogate code points; NUL is as odd
AT_MOST_ODD = 0.05  # of the characters of a text
BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
SWITCH = re.compile(rb"\x1b\$|\x0e|~\{")  # begins another alphabet in ISO-2022 and HZ, which consist of ASCII bytes
MARKS = {  # byte order marks; UTF-32 first, because one of its marks begins with one of UTF-16
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF8: "utf-8",
}
ENCODINGS = {  # that a reader can choose among, with their displayed names
    "utf-8": "UTF-8",
    "utf-16-le": lazy_gettext("UTF-16, low byte first"),
    "utf-16-be": lazy_gettext("UTF-16, high byte first"),
    "utf-32-le": lazy_gettext("UTF-32, low byte first"),
    "utf-32-be": lazy_gettext("UTF-32, high byte first"),
    "gb18030": lazy_gettext("GB18030, GBK (Chinese)"),
    "big5": lazy_gettext("Big5 (Chinese)"),
    "hz": lazy_gettext("HZ (Chinese)"),
    "cp932": lazy_gettext("Shift-JIS (Japanese)"),
    "euc_jis_2004": lazy_gettext("EUC-JP (Japanese)"),
    "iso2022_jp": lazy_gettext("ISO-2022-JP (Japanese)"),
    "cp949": lazy_gettext("EUC-KR (Korean)"),
    "iso2022_kr": lazy_gettext("ISO-2022-KR (Korean)"),
    "cp1252": lazy_gettext("Windows-1252 (Western Europe)"),
    "cp1250": lazy_gettext("Windows-1250 (Central Europe)"),
    "cp1251": lazy_gettext("Windows-1251 (Cyrillic)"),
    "koi8_r": lazy_gettext("KOI8-R (Cyrillic)"),
    "cp1253": lazy_gettext("Windows-1253 (Greek)"),
    "cp1254": lazy_gettext("Windows-1254 (Turkish)"),
    "cp1255": lazy_gettext("Windows-1255 (Hebrew)"),
    "cp1256": lazy_gettext("Windows-1256 (Arabic)"),
    "cp1257": lazy_gettext("Windows-1257 (Baltic)"),
    "cp1258": lazy_gettext("Windows-1258 (Vietnamese)"),
    "cp874": lazy_gettext("Windows-874 (Thai)"),
}
RENAMED = {  # names in chardet that differ from those here
    "big5hkscs": "big5",
    "iso2022_jp_2": "iso2022_jp",
    "iso8859-2": "iso8859_2",
    "koi8-r": "koi8_r",
}
DETECTED = {"ascii"} | RENAMED.keys() | (ENCODINGS.keys() - RENAMED.values() - {*WIDE})  # that chardet may return
WEIGHTS = {  # of chardet's confidences, where most letters are ASCII and it is not sure: without them Western texts are missed
    **dict.fromkeys(("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp874"), 0.0),  # other alphabets
    **dict.fromkeys(("cp1250", "iso8859_2"), 0.85),
    "cp1254": 1.01,  # a tie with Windows-1252 is Turkish
}
MIN_CONFIDENCE = 0.2  # of chardet; lower where a text is damaged, or has few non-ASCII characters


class Decoded(NamedTuple):
    """A decoded text, Python's name of its encoding, and the number of places that could not be decoded (each is U+FFFD)."""

    text: str
    encoding: str
    broken: int


def name_of(encoding: str) -> str:
    """The displayed name of an encoding."""
    return gettext(ENCODINGS.get(encoding, encoding.upper().replace("_", "-")))


def decoded_as(data: bytes, encoding: str) -> Decoded:
    """Decode ``data`` in this encoding, however many places cannot be decoded; without the byte order mark.

    Raises ``LookupError`` if Python has no such encoding.
    """
    text = data.decode(encoding, "replace").removeprefix("\ufeff")
    broken = text.count(REPLACED)
    return Decoded(text, encoding, broken and broken - data.decode(encoding, "ignore").count(REPLACED))


def decoded(data: bytes) -> Decoded | None:
    """Decode ``data`` in the detected encoding; None if no encoding fits."""
    encoding = _detected(data)
    return decoded_as(data, encoding) if encoding else None


def _detected(data: bytes) -> str:
    """The likeliest encoding of data; "" for none."""
    sample = _sample(data)
    structured = next((name for mark, name in MARKS.items() if data.startswith(mark)), "") or _wide(sample)
    if structured:
        return structured
    if not sample or _is_readable(decoded_as(sample, "utf-8")):  # without a sample, the data is plain ASCII
        return "utf-8"
    likely = _likely(sample)
    if not likely:
        return "utf-8" if sample.isascii() else ""
    best = max(likely, key=likely.__getitem__)
    # the most frequent of all encodings in which the text is the same
    return "cp1252" if sample.decode("cp1252", "replace") == sample.decode(best, "replace") else best


def _wide(sample: bytes) -> str:
    """The UTF-16 or UTF-32 encoding of a sample; "" if none fits, or if it is UTF-8 apart from a few NULs.

    A text decoded wrongly has characters that do not exist, or of more different blocks of 256 code points than a real text.
    """
    rest = sample.translate(None, b"\0")
    is_narrow = not CONTROLS.search(rest) and not decoded_as(rest, "utf-8").broken
    if len(rest) == len(sample) or (is_narrow and len(rest) > NOT_NULS * len(sample)):
        return ""
    blocks = {}
    for name in WIDE:
        text = sample.decode(name, "replace")[:LOOKED_AT]
        # The last character may be cut.
        odd = sum(character in "\0" + REPLACED or unicodedata.category(character) in ODD for character in text[:-1])
        if odd <= AT_MOST_ODD * len(text):
            blocks[name] = len({ord(character) >> 8 for character in text})
    return min(blocks, key=blocks.__getitem__, default="")


def _likely(sample: bytes) -> dict[str, float]:
    """Possible encodings of a sample, with their confidences."""
    likely = _by_chardet(sample)
    if max(likely.values(), default=0.0) >= MIN_CONFIDENCE:
        return likely
    for name in ENCODINGS:
        repaired = _repaired(sample, name)
        if repaired and (confidence := _by_chardet(repaired).get(name)):
            likely[name] = confidence
    foreign, letters = len(sample.translate(None, ASCII)), len(sample) - len(sample.translate(None, LATIN_LETTERS))
    if max(likely.values(), default=0.0) < MIN_CONFIDENCE and letters >= 2 * foreign:
        likely = {name: confidence * WEIGHTS.get(name, 1.0) for name, confidence in likely.items()}
    return likely


def _by_chardet(sample: bytes) -> dict[str, float]:
    """The encodings that chardet detects in a sample, with their confidences."""
    nothing = "ascii"  # chardet's answer if nothing fits
    guesses = detect_all(sample, ignore_threshold=True, compat_names=False, include_encodings=DETECTED, no_match_encoding=nothing)
    likely = {one["encoding"]: one["confidence"] for one in guesses if one["encoding"] not in (None, nothing)}
    return {RENAMED.get(name, name): confidence for name, confidence in likely.items()}


def _is_readable(found: Decoded) -> bool:
    """Whether more non-ASCII characters were decoded than places are broken: fewer are in a wrong encoding."""
    non_ascii = len(found.text) - len(found.text.encode("ascii", "ignore"))  # U+FFFD of broken places included
    return non_ascii - found.broken > found.broken


def _repaired(sample: bytes, encoding: str) -> bytes:
    """A sample without the few places that this encoding cannot decode; empty if there are none, or too many."""
    broken = decoded_as(sample, encoding).broken
    if not broken or not _few_enough_broken(broken, len(sample)):
        return b""
    return sample.decode(encoding, "ignore").encode(encoding, "ignore")


def _sample(data: bytes) -> bytes:
    """The bytes that distinguish encodings, ``SAMPLE_BYTES`` at most: from shortly before the first one that is not ASCII, or a
    switch to another alphabet; empty if there is none. The beginning of data with NULs."""
    if b"\0" in data:
        return data[:SAMPLE_BYTES]
    starts = [found.start() for found in (BEYOND_ASCII.search(data), SWITCH.search(data)) if found]
    if not starts:
        return b""
    # A line end comes first, because chardet takes "BM" at the beginning for an image.
    return b"\n" + data[max(min(starts) - CONTEXT, 0) :][: SAMPLE_BYTES - 1]


def _few_enough_broken(broken: int, size: int) -> bool:
    """Whether ``broken`` places in ``size`` bytes are few enough for the right encoding: a cut end, a bad byte in a thousand."""
    return (broken - 1) * PER_BROKEN <= size
