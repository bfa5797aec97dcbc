"""Decode bytes as text: detect the encoding, and count the bytes that cannot be decoded.

Some encodings are recognised by their structure: byte order marks, UTF-8, UTF-16 and UTF-32 without a mark, and ASCII that
switches to another alphabet. Others are guessed: single-byte encodings by the letters of languages (``core/text/letters.py``),
the rest by chardet; another encoding that is nearly as likely is returned, too. A truncated file, or one with a few bad bytes,
is still decoded: each place that cannot be decoded becomes U+FFFD and is counted.
"""

import codecs
import io
import unicodedata
from typing import NamedTuple

from chardet import detect_all

from core.config.language import gettext, lazy_gettext
from core.text.letters import LANGUAGES, encodings_by_letters


class Wide(NamedTuple):
    """An encoding of ``size`` bytes per code unit; ``highest`` is the index of the most significant byte."""

    size: int
    highest: int


class Guess(NamedTuple):
    """A possible encoding of a text, and how likely it is: the confidence of chardet, weighted."""

    encoding: str
    confidence: float


REPLACED = "\ufffd"
SAMPLE_BYTES = 2**16  # enough to guess from; a multiple of four, so that it cuts no character of UTF-32
LOOKED_AT = 4000  # characters of a sample that are examined one by one
PER_BROKEN = 500  # bytes per broken place, at least: with one bad byte in a thousand, some stretches have two
ASCII = bytes(range(128))
CONTROLS = bytes({*range(32), 127} - {*b"\t\n\r"})
ODD = {"Cn", "Co", "Cs"}  # Unicode categories of unassigned, private and surrogate code points; NUL is as odd
AT_MOST_ODD = 0.05  # of the characters of a text
MANY_NULS = 0.4  # of the bytes: in UTF-16 of Latin letters half of the bytes are NULs
MARKS = {  # byte order marks; UTF-32 first, because one of its marks begins with one of UTF-16
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF8: "utf-8",
}
WIDE = {"utf-32-le": Wide(4, 3), "utf-32-be": Wide(4, 0), "utf-16-le": Wide(2, 1), "utf-16-be": Wide(2, 0)}
SWITCHES = {  # encodings based on ASCII, and the byte sequences that switch to another alphabet
    "iso2022_jp": (b"\x1b$B", b"\x1b$@", b"\x1b(J"),
    "iso2022_kr": (b"\x1b$)C",),
    "hz": (b"~{",),
}
OFTEN_BROKEN = ("gb18030", "big5", "cp932", "euc_jis_2004", "cp949", "cp1253", "cp1255", "cp874")  # retried without bad bytes
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
WITHOUT_LETTERS = ENCODINGS.keys() - LANGUAGES.keys()  # encodings not in ``letters.py``, which chardet detects
UNICODE = (*WIDE, "utf-7", "utf-8", "utf-16", "utf-32")  # never guessed: each of them has a structure that no other encoding has
PREFERRED = 1.5  # factor on the confidence of encodings that a reader can choose: all others are rare
MIN_CONFIDENCE, MIN_RATIO = 0.15, 3.0  # a guess is sure with at least this confidence, and MIN_RATIO times that of the next one


class Decoded(NamedTuple):
    """A decoded text, Python's name of its encoding, and the number of places that could not be decoded (each is U+FFFD).

    ``second`` is another possible encoding if the guess is not sure, else "".
    """

    text: str
    encoding: str
    broken: int
    second: str = ""


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
    sample = _non_ascii_lines(data)
    encoding = _marked(data) or _switching(data) or _wide(data) or ("utf-8" if _fits(sample, "utf-8") else "")
    second = ""
    if not encoding and b"\0" not in data:
        # Text in the remaining encodings has no NULs; a guess would decode binary data as letters.
        encoding, second = _guess(sample)
    found = decoded_as(data, encoding)._replace(second=second) if encoding else None
    return found if found and (_few_enough_broken(found.broken, len(data)) or _non_ascii_count(found) > found.broken) else None


def _marked(data: bytes) -> str:
    return next((name for mark, name in MARKS.items() if data.startswith(mark)), "")


def _switching(data: bytes) -> str:
    """The encoding in ``SWITCHES`` of a text that is ASCII with switches to another alphabet; "" if none fits."""
    for name, signs in SWITCHES.items():
        begins = min((place for sign in signs if (place := data.find(sign)) >= 0), default=-1)
        sample = data[begins : begins + SAMPLE_BYTES] if begins >= 0 else b""
        strange = len(sample.translate(None, ASCII))
        if (
            sample
            and _few_enough_broken(strange, len(sample))
            and _non_ascii_count(decoded_as(sample, name))
            and _fits(sample, name)
        ):
            return name
    return ""


def _fits(sample: bytes, encoding: str) -> bool:
    """Whether all of a sample can be decoded, or more non-ASCII characters than broken places: fewer in a wrong encoding."""
    found = decoded_as(sample, encoding)
    return not found.broken or _non_ascii_count(found) > found.broken


def _non_ascii_count(found: Decoded) -> int:
    """The number of non-ASCII characters of a text that were decoded without error."""
    return len(found.text) - len(found.text.encode("ascii", "ignore")) - found.broken


def _wide(data: bytes) -> str:
    """The UTF-16 or UTF-32 encoding of a text without a byte order mark; "" if none fits, or too few NULs indicate one.

    A text decoded wrongly has characters that do not exist, or more different highest bytes than a real text.
    """
    sample = data[:SAMPLE_BYTES]
    nuls = sample.count(0)
    if not nuls or (nuls < MANY_NULS * len(sample) and _is_narrow(sample)):
        return ""
    fits = [name for name in WIDE if _oddness(sample, name) <= AT_MOST_ODD]
    return min(fits, key=lambda name: len(set(sample[WIDE[name].highest :: WIDE[name].size])), default="")


def _is_narrow(sample: bytes) -> bool:
    """Whether a sample without its NULs is UTF-8 text."""
    rest = sample.translate(None, b"\0")
    return rest == rest.translate(None, CONTROLS) and _fits(rest, "utf-8")


def _oddness(sample: bytes, encoding: str) -> float:
    """The share of characters that do not occur in texts, in a sample decoded in this encoding."""
    text = sample.decode(encoding, "replace")[:LOOKED_AT]
    # The last character may be cut.
    odd = sum(character in "\0" + REPLACED or unicodedata.category(character) in ODD for character in text[:-1])
    return odd / len(text)


def _guess(sample: bytes) -> tuple[str, str]:
    """The likeliest encoding of data without a known structure, and the next one if the guess is not sure; "" for none."""
    sample = sample.translate(None, CONTROLS)
    likely = _ranked(sample)
    if _best(likely) < MIN_CONFIDENCE:
        without = [_ranked(rest) for name in OFTEN_BROKEN if (rest := _readable(sample, name))]
        likely = max((found for found in without if _best(found) >= MIN_CONFIDENCE), key=_best, default=likely)
    if (not likely or likely[0].encoding not in WITHOUT_LETTERS) and (by_letters := encodings_by_letters(sample)):
        return by_letters[0], _second_guess(sample, by_letters)
    if not likely:
        return "", ""
    enough = 0.0 if _best(likely) < MIN_CONFIDENCE else _best(likely) / MIN_RATIO
    return likely[0].encoding, _second_guess(sample, [one.encoding for one in likely if one.confidence > enough])


def _best(found: list[Guess]) -> float:
    return found[0].confidence if found else 0.0


def _ranked(sample: bytes) -> list[Guess]:
    """The encodings that chardet detects in a sample, the likeliest first."""
    none = "ascii"  # the sample is not ASCII, so this name means that chardet has found nothing
    found = detect_all(sample, ignore_threshold=True, compat_names=False, exclude_encodings=UNICODE, no_match_encoding=none)
    names = [(_plain(sample, one["encoding"]), one["confidence"]) for one in found if one["encoding"] not in (None, none)]
    guesses = [Guess(name, confidence * (PREFERRED if name in ENCODINGS else 1.0)) for name, confidence in names]
    return sorted(guesses, key=lambda guess: -guess.confidence)


def _plain(sample: bytes, name: str) -> str:
    """Python's name of chardet's encoding ``name``; Big5-HKSCS becomes Big5 if hardly any of a sample needs its additions."""
    name = name.replace("-", "_")
    return (
        "big5"
        if name == "big5hkscs" and _few_enough_broken(sample.decode("big5", "replace").count(REPLACED), len(sample))
        else name
    )


def _second_guess(sample: bytes, encodings: list[str]) -> str:
    """The first of ``encodings`` in ``ENCODINGS`` that decodes a sample to another text than ``encodings[0]``; "" for none."""
    text = sample.decode(encodings[0], "replace")
    return next((name for name in encodings if name in ENCODINGS and sample.decode(name, "replace") != text), "")


def _readable(sample: bytes, encoding: str) -> bytes:
    """A sample without the few bytes that this encoding cannot decode; empty if there are none, or too many."""
    rest = sample.decode(encoding, "ignore").encode(encoding, "ignore")
    return rest if len(rest) < len(sample) and _few_enough_broken(len(sample) - len(rest), len(sample)) else b""


def _non_ascii_lines(data: bytes) -> bytes:
    """The lines that are not plain ASCII, as only these distinguish encodings; whole lines, so that no character is cut."""
    lines, size = [], 0
    for line in () if data.isascii() else io.BytesIO(data):
        if not line.isascii():
            lines.append(line)
            size += len(line)
        if size > SAMPLE_BYTES:
            break
    return b"".join(lines[: -1 if size > SAMPLE_BYTES and len(lines) > 1 else None])[:SAMPLE_BYTES]


def _few_enough_broken(broken: int, size: int) -> bool:
    """Whether ``broken`` places in ``size`` bytes are few enough for the right encoding: a cut end, a bad byte in a thousand."""
    return (broken - 1) * PER_BROKEN <= size
