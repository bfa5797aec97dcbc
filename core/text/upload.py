"""An uploaded file becomes text: its encoding is found out, and what is no text is refused in words."""

import codecs

from charset_normalizer import from_bytes

from core.limits import LIMITS, MEGABYTE

MAX_BYTES = LIMITS.text_megabytes * MEGABYTE  # of a text that can be uploaded
SAMPLE_BYTES = 2**16  # enough to guess from
USUAL = "cp1252"  # Western European Windows: by far the most frequent encoding that is not UTF-8
ADVICE = "Save the text as UTF-8 and upload that."
WIDE = {  # byte order marks; UTF-32 first, because one of its marks begins like one of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
NULS = {  # of wide encodings without a byte order mark: at which of four places most bytes are NUL, where most letters are ASCII
    "utf-32-le": (1, 2, 3),
    "utf-32-be": (0, 1, 2),
    "utf-16-le": (1, 3),
    "utf-16-be": (0, 2),
}
MOSTLY = 0.6  # of the bytes at such a place
SWITCHES = {"iso2022_jp": (b"\x1b$B", b"\x1b$@", b"\x1b(J"), "hz": (b"~{",)}  # ASCII in which these begin another alphabet
REPLACED, PER_BROKEN = "\ufffd", 1000  # one broken character in so many is let pass
BROKEN = "broken utf-8"
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


def decode_upload(data: bytes) -> tuple[str, str]:
    """The text in a file, and a sentence about its encoding ("" for UTF-8, with or without a byte order mark).

    Other encodings are told by their byte order mark or by how they are built, or guessed by charset-normalizer. A few broken
    bytes of UTF-8 are replaced and counted. Raises ``ValueError`` with a sentence for a file that is too large or no text.
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"This file has {len(data) / 2**20:.1f} MB; at most {MAX_BYTES // 2**20} MB can be read. Upload a part.")
    for beginning, kind in NOT_TEXT.items():
        if data.startswith(beginning):
            raise ValueError(f"This file is {kind}, not plain text. {ADVICE}")
    text, encoding = _decode(data)
    if text is None or "\0" in text:
        raise ValueError(f"This file is not a text in any known encoding. {ADVICE}")
    if encoding == "utf-8":
        return text, ""
    if encoding == BROKEN:
        return text, f"This file is UTF-8 with broken places: {text.count(REPLACED)} became {REPLACED}."
    return text, f"This file is not UTF-8. It was read as {encoding}; if letters look wrong, save it as UTF-8 and upload again."


def _decode(data: bytes) -> tuple[str | None, str]:
    """The text and the name of its encoding; None when there is none."""
    for mark, encoding in WIDE.items():
        if data.startswith(mark):
            return _strictly(data, encoding), encoding
    for encoding in _built_like(data):
        if (text := _strictly(data, encoding)) is not None and "\0" not in text:
            return text, encoding
    text = _strictly(data, "utf-8-sig")
    if text is not None:
        return text, "utf-8"
    text = data.decode("utf-8-sig", "replace")
    if _nearly_all_read(text):
        return text, BROKEN
    # No eight-bit encoding of a text has NULs in it, and a guess would make letters of whatever else is in such a file.
    encoding = "" if b"\0" in data else _guess(data)
    return (_strictly(data, encoding) if encoding else None), encoding


def _built_like(data: bytes) -> list[str]:
    """Encodings whose bytes have a pattern that no other text has: mostly NULs at some places, or signs that switch alphabets."""
    zeros = [data[place : 4 * SAMPLE_BYTES : 4].count(0) * 4 / min(len(data) + 1, 4 * SAMPLE_BYTES) for place in range(4)]
    found = [name for name, places in NULS.items() if all((zeros[i] > MOSTLY) == (i in places) for i in range(4))]
    return found + [name for name, signs in SWITCHES.items() if data.isascii() and any(map(data.__contains__, signs))]


def _nearly_all_read(text: str) -> bool:
    """Whether it is UTF-8 but for a few bytes: in another encoding more foreign letters would be broken than whole."""
    broken = text.count(REPLACED)
    foreign = len(text) - len(text.encode("ascii", "ignore")) - broken
    return broken * PER_BROKEN <= len(text) and foreign > broken


def _guess(data: bytes) -> str:
    """The likeliest encoding of what is not UTF-8; "" when none fits."""
    matches = list(from_bytes(_telling_sample(data)))
    # Few foreign letters leave many encodings equally likely, and the library names them by the alphabet.
    even = [match for match in matches if (match.chaos, match.coherence) == (matches[0].chaos, matches[0].coherence)]
    usual = [USUAL] if any(USUAL in match.could_be_from_charset for match in even) else []
    return next((name for name in (*usual, *(m.encoding for m in matches)) if _strictly(data, name) is not None), "")


def _telling_sample(data: bytes) -> bytes:
    """Lines that are not plain ASCII, for only those tell encodings apart; ends with a line, so that no character is cut."""
    telling = b"\n".join(line for line in data.split(b"\n") if not line.isascii())
    end = telling.rfind(b"\n", 0, SAMPLE_BYTES) if len(telling) > SAMPLE_BYTES else len(telling)
    return telling[: end if end > 0 else SAMPLE_BYTES]


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None
